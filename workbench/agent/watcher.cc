#include "watcher.h"

#include <poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <thread>

namespace workbench {
namespace {

constexpr auto kPatience = std::chrono::seconds(2);
constexpr unsigned kBackstopSeconds = 5;

sigset_t stop_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  for (int number : {SIGHUP, SIGINT, SIGTERM}) sigaddset(&signals, number);
  return signals;
}

// True where the descriptor is at its end; bytes that are there are thrown away.
bool at_end(int descriptor) {
  char block[256];
  const ssize_t count = read(descriptor, block, sizeof block);
  return count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
}

void wait_for_stop(int host_in, int host_out, int signals) {
  while (true) {
    pollfd watched[] = {{host_in, POLLIN, 0}, {signals, POLLIN, 0}, {host_out, 0, 0}};
    if (poll(watched, 3, -1) < 0) continue;  // EINTR: the only error that these arguments can give
    if (watched[2].revents != 0) _exit(kExitHostGone);
    if (watched[1].revents != 0) return;
    if (watched[0].revents != 0 && at_end(host_in)) return;
  }
}

}  // namespace

void take_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  const sigset_t signals = stop_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

void start_watcher(int host_in, int host_out, RunState& state, EventWriter& writer) {
  const sigset_t stopping = stop_signals();
  const int signals = signalfd(-1, &stopping, SFD_CLOEXEC);
  std::thread([=, &state, &writer] {
    wait_for_stop(host_in, host_out, signals);
    state.request_stop();
    alarm(kBackstopSeconds);  // where the host does not read, the last line would block for ever
    std::this_thread::sleep_for(kPatience);
    writer.finish(done_line(state.finished("stopped", writer.dropped())));
    _exit(0);
  }).detach();
}

}  // namespace workbench
