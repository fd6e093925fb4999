// Where the measuring thread leaves its samples: one producer, one consumer, no lock, no allocation.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>

namespace workbench {

enum class Phase : uint32_t { kFirst, kWarmup, kSteady };

struct Sample {
  int64_t begin_ns;  // since the agent's start
  int64_t took_ns;
  uint32_t index;
  Phase phase;
};

class SampleRing {
 public:
  // 16 s at 1 kHz. The array is written once by its constructor, so its pages are part of the baseline.
  static constexpr uint64_t kCapacity = 16384;

  // False, and counted as dropped, where the consumer is a whole ring behind.
  bool push(const Sample& sample) noexcept {
    const uint64_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == kCapacity) {
      dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
      return false;
    }
    slots_[tail % kCapacity] = sample;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }

  bool pop(Sample& sample) noexcept {
    const uint64_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) return false;
    sample = slots_[head % kCapacity];
    head_.store(head + 1, std::memory_order_release);
    return true;
  }

  uint64_t dropped() const noexcept { return dropped_.load(std::memory_order_relaxed); }

 private:
  std::array<Sample, kCapacity> slots_{};
  alignas(64) std::atomic<uint64_t> tail_{0};
  std::atomic<uint64_t> dropped_{0};
  alignas(64) std::atomic<uint64_t> head_{0};
};

}  // namespace workbench
