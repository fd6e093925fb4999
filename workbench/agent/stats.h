// The device's state at a fixed period.
#pragma once
#include "event_writer.h"

namespace workbench {

// Starts the thread that writes a "stat" event every `period_ms` until the process ends, and one
// "throttled" warning when the kernel first lowers a core's highest clock.
void start_stats(int period_ms, EventWriter& writer);

}  // namespace workbench
