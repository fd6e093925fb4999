// Time since the agent's start.
#pragma once
#include <time.h>

#include <cstdint>

namespace workbench {

inline int64_t monotonic_ns() noexcept {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

inline const int64_t kStartNs = monotonic_ns();

inline int64_t now_ns() noexcept { return monotonic_ns() - kStartNs; }

}  // namespace workbench
