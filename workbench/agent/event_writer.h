// Events to the host: samples in batches from the ring, everything else at once.
#pragma once
#include <mutex>
#include <string>

#include "memory.h"
#include "sample_ring.h"

namespace workbench {

class EventWriter {
 public:
  // Starts the thread that empties the ring every 15 ms. `descriptor` stays the caller's.
  explicit EventWriter(int descriptor);

  EventWriter(const EventWriter&) = delete;
  EventWriter& operator=(const EventWriter&) = delete;

  // For the measuring thread: never blocks, never allocates.
  void record(const Sample& sample) noexcept { ring_.push(sample); }

  // Any thread; ends the process where the host is gone, as all of these do.
  void say(const std::string& line);

  // Writes every sample recorded so far: what is said next comes after them.
  void settle();

  // The samples recorded so far, then `line`; later lines and samples are not written.
  void finish(const std::string& line);

  uint64_t dropped() const { return ring_.dropped(); }

 private:
  void drain(size_t limit);
  void append(const Sample& sample, int64_t rss_kb);
  void flush();

  const int descriptor_;
  SampleRing ring_;
  ResidentSize resident_;
  std::mutex mutex_;
  std::string pending_;
  bool finished_ = false;
};

// Exit code of a process whose host closed the stream.
constexpr int kExitHostGone = 1;

}  // namespace workbench
