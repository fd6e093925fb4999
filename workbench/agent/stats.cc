#include "stats.h"

#include <chrono>
#include <cstdlib>
#include <thread>

#include "clock.h"
#include "events.h"
#include "processor.h"
#include "sensors.h"

namespace workbench {

void start_stats(int period_ms, EventWriter& writer) {
  std::thread([period_ms, &writer] {
    const char* prefix = std::getenv("WORKBENCH_SYSROOT");
    const Sensors sensors(prefix != nullptr ? prefix : "");
    auto next = std::chrono::steady_clock::now();
    while (true) {
      writer.say(stat_line({now_ns(), read_memory(false), cpu_ms(), available_kb(), sensors.temperatures(),
                            sensors.clocks()}));
      // A sensor slower than the period skips beats instead of reading without a pause.
      const auto now = std::chrono::steady_clock::now();
      do next += std::chrono::milliseconds(period_ms);
      while (next <= now);
      std::this_thread::sleep_until(next);
    }
  }).detach();
}

}  // namespace workbench
