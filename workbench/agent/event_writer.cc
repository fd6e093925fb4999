#include "event_writer.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <thread>

namespace workbench {
namespace {

constexpr auto kPeriod = std::chrono::milliseconds(15);
// 50 kHz, as much as a host can parse and chart; what a faster model gives beyond it is dropped and counted.
constexpr size_t kBatch = 750;
constexpr const char* kPhases[] = {"first", "warmup", "steady"};

void append_integer(std::string& out, int64_t value) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  out.append(digits, end);
}

void append_ms(std::string& out, int64_t ns) {
  constexpr int64_t kNsPerMs = 1'000'000;
  append_integer(out, ns / kNsPerMs);
  char fraction[8];  // a 1 and six digits: to_chars does not fill with zeros
  std::to_chars(fraction, fraction + sizeof fraction, kNsPerMs + ns % kNsPerMs);
  out += '.';
  out.append(fraction + 1, 6);
}

}  // namespace

EventWriter::EventWriter(int descriptor) : descriptor_(descriptor) {
  pending_.reserve(1 << 16);
  // Detached: it lives until the process ends with _exit.
  std::thread([this] {
    while (true) {
      std::this_thread::sleep_for(kPeriod);
      const std::lock_guard<std::mutex> lock(mutex_);
      drain(kBatch);
      flush();
    }
  }).detach();
}

void EventWriter::say(const std::string& line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (finished_) return;
  pending_ += line;
  pending_ += '\n';
  flush();
}

void EventWriter::settle() {
  const std::lock_guard<std::mutex> lock(mutex_);
  drain(SampleRing::kCapacity);
  flush();
}

void EventWriter::finish(const std::string& line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (finished_) return;
  drain(SampleRing::kCapacity);
  pending_ += line;
  pending_ += '\n';
  flush();
  finished_ = true;
}

void EventWriter::drain(size_t limit) {
  Sample sample;
  if (finished_ || !ring_.pop(sample)) return;
  const int64_t rss_kb = resident_.kb();
  Sample next;
  for (size_t count = 1; count < limit && ring_.pop(next); ++count) {
    append(sample, -1);
    sample = next;
  }
  append(sample, rss_kb);
}

void EventWriter::append(const Sample& sample, int64_t rss_kb) {
  pending_ += R"({"ev":"sample","phase":")";
  pending_ += kPhases[static_cast<size_t>(sample.phase)];
  pending_ += R"(","i":)";
  append_integer(pending_, sample.index);
  pending_ += R"(,"ns":)";
  append_integer(pending_, sample.begin_ns);
  pending_ += R"(,"ms":)";
  append_ms(pending_, sample.took_ns);
  if (rss_kb >= 0) {
    pending_ += R"(,"rss_kb":)";
    append_integer(pending_, rss_kb);
  }
  pending_ += "}\n";
}

void EventWriter::flush() {
  for (size_t done = 0; done < pending_.size();) {
    const ssize_t count = write(descriptor_, pending_.data() + done, pending_.size() - done);
    if (count >= 0) {
      done += static_cast<size_t>(count);
    } else if (errno == EAGAIN) {
      pollfd ready{descriptor_, POLLOUT, 0};
      poll(&ready, 1, -1);
    } else if (errno != EINTR) {
      _exit(kExitHostGone);
    }
  }
  pending_.clear();
}

}  // namespace workbench
