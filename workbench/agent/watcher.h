// Ends the run when the host wants it or is gone, even while the engine computes.
#pragma once
#include "event_writer.h"
#include "run_state.h"

namespace workbench {

// SIGHUP, SIGINT and SIGTERM wait for the watcher; SIGPIPE is ignored. Before any thread starts.
void take_signals();

// Starts the thread. The end of `host_in` or a signal asks the run to stop; one that has not ended
// 2 s later is ended here, with a "done" event. A broken `host_out` ends the process at once.
void start_watcher(int host_in, int host_out, RunState& state, EventWriter& writer);

}  // namespace workbench
