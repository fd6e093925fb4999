#include "module_model.h"

#include "engine_config.h"
#include "op_clock.h"
#include "processor.h"

namespace workbench {
namespace {

using MNN::Express::NC4HW4;
using MNN::Express::NCHW;

MNN::Express::Dimensionformat host_order(MNN::Express::Dimensionformat order) {
  return order == NC4HW4 ? NCHW : order;
}

}  // namespace

ModuleModel::ModuleModel(const Options& options, const std::vector<InputFile>& inputs, bool profiled,
                         int own_threads) {
  const auto runtime = make_runtime(options);
  runtime->setMode(profiled ? MNN::Interpreter::Session_Debug : MNN::Interpreter::Session_Release);
  if (!options.winograd) runtime->setHint(MNN::Interpreter::WINOGRAD_MEMORY_LEVEL, 0);
  // Not `rearrange`: it takes a third less memory, but chooses other convolutions (15 % slower, other digits).
  const MNN::Express::Module::Config config;
  module_ = {MNN::Express::Module::load({}, {}, options.model.c_str(), runtime, &config),
             MNN::Express::Module::destroy};
  if (module_ == nullptr) throw Failure{"load", options.model + ": the engine cannot load it"};
  host_order_ = host_order(module_->getInfo()->defaultFormat);
  // A RuntimeManager does not tell its threads; the pool's workers are counted instead.
  threads_ = thread_count() - own_threads + 1;
  bind_inputs(inputs);
}

void ModuleModel::bind_inputs(const std::vector<InputFile>& inputs) {
  const auto* info = module_->getInfo();
  for (size_t k = 0; k < info->inputs.size(); ++k) {
    const InputFile& input = input_named(inputs, info->inputNames[k]);
    check_type(input, info->inputs[k].type);
    const auto order = info->inputs[k].order;
    const auto variable = MNN::Express::_Input(input.shape, host_order(order), info->inputs[k].type);
    sources_.push_back({variable, input.bytes.data(), input.bytes.size()});
    // In the module's own order: where it is packed, NCHW is taken and gives silently wrong numbers.
    inputs_.push_back(order == NC4HW4 ? MNN::Express::_Convert(variable, NC4HW4) : variable);
  }
}

void ModuleModel::infer() {
  for (const Source& source : sources_) {
    void* target = source.variable->writeInternal(true);
    if (target == nullptr) throw Failure{"run", "the engine gave no memory for an input"};
    std::memcpy(target, source.bytes, source.size);
  }
  outputs_ = module_->onForward(inputs_);
  if (outputs_.empty()) throw Failure{"run", "the engine's run failed: it gave no outputs"};
  for (auto& output : outputs_) {
    const auto* info = output->getInfo();
    if (info != nullptr && info->order == NC4HW4) output = MNN::Express::_Convert(output, host_order_);
    if (info == nullptr || (output->readInternal(false) == nullptr && info->size != 0)) {
      throw Failure{"run", "the engine's run failed: an output has no values"};
    }
  }
}

void ModuleModel::profile(std::vector<OpTime>& ops, size_t run) {
  OpClock clock(ops, run);
  const auto executor = MNN::Express::ExecutorScope::Current();
  executor->setCallBack(clock.before(), clock.after());
  infer();
  executor->setCallBack(nullptr, nullptr);
}

std::vector<OutputView> ModuleModel::outputs() {
  std::vector<OutputView> views;
  const auto* names = &module_->getInfo()->outputNames;
  for (size_t k = 0; k < outputs_.size(); ++k) {
    const auto* info = outputs_[k]->getInfo();
    const Dtype* dtype = dtype_of(info->type.code, info->type.bits);
    if (dtype == nullptr) throw Failure{"output", (*names)[k] + ": its type has no raw form"};
    views.push_back({(*names)[k], dtype, info->dim, outputs_[k]->readInternal(false)});
  }
  return views;
}

}  // namespace workbench
