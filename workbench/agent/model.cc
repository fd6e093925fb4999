#include "model.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "failure.h"
#include "module_model.h"
#include "processor.h"
#include "session_model.h"

namespace workbench {

std::unique_ptr<Model> load_model(const Options& options, const std::vector<InputFile>& inputs, bool profiled) {
  if (access(options.model.c_str(), R_OK) != 0) {
    throw Failure{"load", options.model + ": " + std::strerror(errno)};
  }
  const int own_threads = thread_count();
  if (options.path != Path::kModule) {
    try {
      return std::make_unique<SessionModel>(options, inputs, profiled);
    } catch (const NeedsModule&) {
      if (options.path == Path::kSession) {
        throw Failure{"load", options.model + ": a Session cannot compute its shapes; run it as a Module"};
      }
    }
  }
  return std::make_unique<ModuleModel>(options, inputs, profiled, own_threads);
}

}  // namespace workbench
