#include "stats.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "clock.h"
#include "events.h"
#include "processor.h"
#include "sensors.h"

namespace workbench {

namespace {

std::string throttled_line(const LoweredClock& clock) {
  char text[96];
  std::snprintf(text, sizeof text, "core %d may run at %.2f GHz, at first it was %.2f", clock.core,
                static_cast<double>(clock.khz) / 1e6, static_cast<double>(clock.khz_before) / 1e6);
  return warning_line("throttled", text);
}

}  // namespace

void start_stats(int period_ms, EventWriter& writer) {
  std::thread([period_ms, &writer] {
    const char* prefix = std::getenv("WORKBENCH_SYSROOT");
    const Sensors sensors(prefix != nullptr ? prefix : "");
    bool throttled = false;
    auto next = std::chrono::steady_clock::now();
    while (true) {
      writer.say(stat_line({now_ns(), read_memory(false), cpu_ms(), available_kb(), sensors.temperatures(),
                            sensors.clocks()}));
      const auto lowered = throttled ? std::nullopt : sensors.lowered_clock();
      if (lowered) writer.say(throttled_line(*lowered));
      throttled = throttled || lowered;
      // A sensor slower than the period skips beats instead of reading without a pause.
      const auto now = std::chrono::steady_clock::now();
      do next += std::chrono::milliseconds(period_ms);
      while (next <= now);
      std::this_thread::sleep_until(next);
    }
  }).detach();
}

}  // namespace workbench
