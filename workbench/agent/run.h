// One run, from the options line to the last event.
#pragma once
#include <string>

#include "event_writer.h"
#include "run_state.h"

namespace workbench {

// Returns the last event's line. Throws Failure.
std::string run(const std::string& options_line, RunState& state, EventWriter& writer);

}  // namespace workbench
