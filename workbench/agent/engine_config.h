// The options in the engine's words, and the inputs held against what the model takes.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "engine_abi.h"
#include "failure.h"
#include "options.h"
#include "tensor_file.h"

namespace workbench {

// Lives where the engine reads it: ScheduleConfig points into it.
class EngineConfig {
 public:
  explicit EngineConfig(const Options& options) {
    backend_.memory = options.memory;
    backend_.power = options.power;
    backend_.precision = options.precision;
    schedule_.type = options.backend;
    schedule_.numThread = options.threads;
    schedule_.backendConfig = &backend_;
  }
  EngineConfig(const EngineConfig&) = delete;
  EngineConfig& operator=(const EngineConfig&) = delete;

  const MNN::ScheduleConfig& schedule() const { return schedule_; }

 private:
  MNN::BackendConfig backend_;
  MNN::ScheduleConfig schedule_;
};

using Runtime = MNN::Express::Executor::RuntimeManager;

std::shared_ptr<Runtime> make_runtime(const Options& options);

// Those of kBackends that are really there. An absent one would silently become the CPU.
std::vector<std::string> backends_there();

// Throws Failure("input") unless the input has the type that the model takes.
void check_type(const InputFile& input, halide_type_t type);

// The input that the model calls `name`. Inputs that the engine left out of the model, because
// nothing uses them, are not asked for. Throws Failure("input") where it is not in the manifest.
const InputFile& input_named(const std::vector<InputFile>& inputs, const std::string& name);

}  // namespace workbench
