// What the measuring thread has got to, for the threads that watch it.
#pragma once
#include <atomic>
#include <cstdint>

#include "clock.h"
#include "events.h"
#include "processor.h"

namespace workbench {

class RunState {
 public:
  void request_stop() { stop_.store(true, std::memory_order_relaxed); }
  bool stop_requested() const { return stop_.load(std::memory_order_relaxed); }

  void begin_steady() {
    steady_cpu_ms_ = cpu_ms();
    steady_ns_ = now_ns();
  }
  void count() { n_.store(n_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed); }
  void end_steady() {
    wall_ms_ = wall_ms();
    cpu_ms_ = cpu_ms() - steady_cpu_ms_;
    ended_ = true;
  }

  // The last event's figures as they stand now.
  Finished finished(const char* reason, uint64_t dropped) const {
    const bool begun = steady_ns_ >= 0;
    return {reason,
            n_.load(std::memory_order_relaxed),
            dropped,
            ended_ ? wall_ms_.load() : begun ? wall_ms() : 0,
            ended_ ? cpu_ms_.load() : begun ? cpu_ms() - steady_cpu_ms_ : 0,
            read_memory(true),
            {}};
  }

 private:
  double wall_ms() const { return static_cast<double>(now_ns() - steady_ns_) / 1e6; }

  std::atomic<bool> stop_{false};
  std::atomic<bool> ended_{false};
  std::atomic<uint64_t> n_{0};
  std::atomic<int64_t> steady_ns_{-1};
  std::atomic<double> steady_cpu_ms_{0};
  std::atomic<double> wall_ms_{0};
  std::atomic<double> cpu_ms_{0};
};

}  // namespace workbench
