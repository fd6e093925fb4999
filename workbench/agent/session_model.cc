#include "session_model.h"

#include "engine_config.h"
#include "failure.h"
#include "op_clock.h"

namespace workbench {
namespace {

constexpr int kReady = 0;  // RESIZE_STATUS of a session that can run

// A host tensor takes C order, so packed channels are asked for as NCHW.
MNN::Tensor::DimensionType host_order(const MNN::Tensor& tensor) {
  const auto order = tensor.getDimensionType();
  return order == MNN::Tensor::CAFFE_C4 ? MNN::Tensor::CAFFE : order;
}

}  // namespace

SessionModel::SessionModel(const Options& options, const std::vector<InputFile>& inputs, bool profiled)
    : interpreter_(MNN::Interpreter::createFromFile(options.model.c_str()), MNN::Interpreter::destroy) {
  if (interpreter_ == nullptr) throw Failure{"load", options.model + ": the engine cannot read it"};
  interpreter_->setSessionMode(profiled ? MNN::Interpreter::Session_Debug : MNN::Interpreter::Session_Release);
  // Shapes come from the manifest: without this the session is first made for the model's own.
  interpreter_->setSessionMode(MNN::Interpreter::Session_Resize_Defer);
  if (!options.winograd) interpreter_->setSessionHint(MNN::Interpreter::WINOGRAD_MEMORY_LEVEL, 0);
  EngineConfig config(options);
  session_ = interpreter_->createSession(config.schedule());
  if (session_ == nullptr) throw NeedsModule{};
  bind_inputs(inputs);
  int status = -1;
  if (!interpreter_->getSessionInfo(session_, MNN::Interpreter::RESIZE_STATUS, &status) || status != kReady) {
    throw NeedsModule{};
  }
  interpreter_->getSessionInfo(session_, MNN::Interpreter::THREAD_NUMBER, &threads_);
  interpreter_->releaseModel();  // as MNN's own benchmark: the session has its own copy of the weights
}

void SessionModel::bind_inputs(const std::vector<InputFile>& inputs) {
  const auto& tensors = interpreter_->getSessionInputAll(session_);
  for (const auto& [name, device] : tensors) interpreter_->resizeTensor(device, input_named(inputs, name).shape);
  interpreter_->resizeSession(session_);
  for (const auto& [name, device] : tensors) {
    const InputFile& input = input_named(inputs, name);
    check_type(input, device->type());
    auto* data = const_cast<uint8_t*>(input.bytes.data());  // create() takes what it also writes; inputs are read only
    HostTensor host(MNN::Tensor::create(input.shape, device->type(), data, host_order(*device)), MNN::Tensor::destroy);
    inputs_.push_back({name, device, std::move(host)});
  }
}

std::vector<std::string> SessionModel::output_names() const {
  std::vector<std::string> names;
  for (const auto& entry : interpreter_->getSessionOutputAll(session_)) names.push_back(entry.first);
  return names;
}

// Shapes that hang on values are known after the first run only; the inputs stay, so they stay too.
void SessionModel::bind_outputs() {
  for (const auto& [name, device] : interpreter_->getSessionOutputAll(session_)) {
    elements_of(device->shape(), "run");
    HostTensor host(MNN::Tensor::create(device->shape(), device->type(), nullptr, host_order(*device)),
                    MNN::Tensor::destroy);
    if (host == nullptr) throw Failure{"run", name + ": the engine gave no output"};
    outputs_.push_back({name, device, std::move(host)});
  }
  if (outputs_.empty()) throw Failure{"run", "the engine gave no outputs"};
}

void SessionModel::set_inputs() {
  for (Pair& input : inputs_) input.device->copyFromHostTensor(input.host.get());
}

void SessionModel::fetch_outputs() {
  if (outputs_.empty()) bind_outputs();
  for (Pair& output : outputs_) output.device->copyToHostTensor(output.host.get());
}

void SessionModel::infer() {
  set_inputs();
  const int code = interpreter_->runSession(session_);
  if (code != 0) throw Failure{"run", "the engine's run failed with code " + std::to_string(code)};
  fetch_outputs();
}

void SessionModel::profile(std::vector<OpTime>& ops, size_t run) {
  OpClock clock(ops, run);
  set_inputs();
  const int code = interpreter_->runSessionWithCallBackInfo(session_, clock.before(), clock.after(), true);
  if (code != 0) throw Failure{"run", "the engine's profiled run failed with code " + std::to_string(code)};
}

std::vector<OutputView> SessionModel::outputs() {
  std::vector<OutputView> views;
  for (const Pair& output : outputs_) {
    const halide_type_t type = output.host->type();
    const Dtype* dtype = dtype_of(type.code, type.bits);
    if (dtype == nullptr) throw Failure{"output", output.name + ": its type has no raw form"};
    views.push_back({output.name, dtype, output.host->shape(), output.host->host()});
  }
  return views;
}

}  // namespace workbench
