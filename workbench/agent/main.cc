// The program that runs on the phone: one model, one run, events on stdout.
//
//   agent < options-line
//
// It reads one line of options, writes one JSON object a line (core/protocol.py is the contract)
// and ends with "done" (exit code 0) or "error" (2); 1 where the host closed the stream. Stdin stays
// open as long as the run is wanted.
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <exception>
#include <string>

#include "events.h"
#include "failure.h"
#include "run.h"
#include "watcher.h"

namespace {

using namespace workbench;

constexpr int kExitError = 2;
constexpr size_t kMaxLine = 1 << 20;

// Events go to a descriptor of their own; the engine's prints on stdout go to stderr, line by line,
// so that the last one before a crash is not lost.
int take_stdout() {
  const int events = dup(STDOUT_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  return events;
}

// Byte by byte: what follows the line is the watcher's.
std::string read_line(int descriptor) {
  std::string line;
  char c = 0;
  while (line.size() < kMaxLine) {
    const ssize_t count = read(descriptor, &c, 1);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0 || c == '\n') break;
    line += c;
  }
  return line;
}

}  // namespace

int main() {
  const int events = take_stdout();
  const std::string options_line = read_line(STDIN_FILENO);
  take_signals();
  // Not destroyed: detached threads use them until _exit.
  auto& state = *new RunState();
  auto& writer = *new EventWriter(events);
  start_watcher(STDIN_FILENO, events, state, writer);
  int code = kExitError;
  try {
    writer.finish(run(options_line, state, writer));
    code = 0;
  } catch (const Failure& failure) {
    writer.finish(error_line(failure));
  } catch (const std::exception& error) {
    writer.finish(error_line({"run", error.what()}));
  }
  _exit(code);  // threads of the engine may still hold locks that an orderly end would wait for
}
