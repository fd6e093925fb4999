#include "engine_config.h"

namespace workbench {

std::shared_ptr<Runtime> make_runtime(const Options& options) {
  const EngineConfig config(options);
  std::shared_ptr<Runtime> runtime(Runtime::createRuntimeManager(config.schedule()), Runtime::destroy);
  if (runtime == nullptr) throw Failure{"load", "the engine made no runtime"};
  return runtime;
}

std::vector<std::string> backends_there() {
  std::vector<MNNForwardType> types;
  for (const Choice& backend : kBackends) types.push_back(static_cast<MNNForwardType>(backend.value));
  const std::vector<bool> there = make_runtime(Options())->isBackendSupport(types);
  std::vector<std::string> names;
  for (size_t k = 0; k < types.size(); ++k) {
    if (there[k]) names.emplace_back(kBackends[k].name);
  }
  return names;
}

void check_type(const InputFile& input, halide_type_t type) {
  if (input.dtype->code == type.code && input.dtype->bits == type.bits) return;
  const Dtype* taken = dtype_of(type.code, type.bits);
  throw Failure{"input", input.name + ": the model takes " + (taken != nullptr ? taken->name : "another type") +
                             ", the manifest says " + input.dtype->name};
}

const InputFile& input_named(const std::vector<InputFile>& inputs, const std::string& name) {
  std::string given;
  for (const InputFile& input : inputs) {
    if (input.name == name) return input;
    given += given.empty() ? input.name : ", " + input.name;
  }
  throw Failure{"input", "the model takes " + name + "; the manifest has " + (given.empty() ? "nothing" : given)};
}

}  // namespace workbench
