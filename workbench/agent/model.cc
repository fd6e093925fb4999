#include "model.h"

#include <malloc.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "clock.h"
#include "failure.h"
#include "module_model.h"
#include "processor.h"
#include "session_model.h"

namespace workbench {
namespace {

template <class Load>
LoadedModel timed(Load load) {
  const int64_t begin = now_ns();
  std::unique_ptr<Model> model = load();
  return {std::move(model), static_cast<double>(now_ns() - begin) / 1e6};
}

// Leaves no trace of a session that was given up in the memory that is measured.
void forget_attempt() {
  malloc_trim(0);
  reset_peak();
}

}  // namespace

LoadedModel load_model(const Options& options, const std::vector<InputFile>& inputs, bool profiled) {
  if (access(options.model.c_str(), R_OK) != 0) {
    throw Failure{"load", options.model + ": " + std::strerror(errno)};
  }
  const int own_threads = thread_count();
  if (options.path != Path::kModule) {
    try {
      return timed([&] { return std::make_unique<SessionModel>(options, inputs, profiled); });
    } catch (const NeedsModule&) {
      if (options.path == Path::kSession) {
        throw Failure{"load", options.model + ": a Session cannot compute its shapes; run it as a Module"};
      }
      forget_attempt();
    }
  }
  return timed([&] { return std::make_unique<ModuleModel>(options, inputs, profiled, own_threads); });
}

}  // namespace workbench
