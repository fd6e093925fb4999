// MNN's Express Module: also runs control flow.
#pragma once
#include "engine_abi.h"
#include "model.h"

namespace workbench {

class ModuleModel : public Model {
 public:
  // `own_threads`: of this process before the engine's pool was made.
  ModuleModel(const Options& options, const std::vector<InputFile>& inputs, bool profiled, int own_threads);

  const char* path() const override { return "module"; }
  int threads() const override { return threads_; }
  std::vector<std::string> output_names() const override { return module_->getInfo()->outputNames; }
  void infer() override;
  void profile(std::vector<OpTime>& ops, size_t run) override;
  std::vector<OutputView> outputs() override;

 private:
  struct Source {
    MNN::Express::VARP variable;  // in host order
    const void* bytes;
    size_t size;
  };

  void bind_inputs(const std::vector<InputFile>& inputs);

  std::unique_ptr<MNN::Express::Module, void (*)(MNN::Express::Module*)> module_{nullptr, nullptr};
  MNN::Express::Dimensionformat host_order_ = MNN::Express::NCHW;
  int threads_ = 0;
  std::vector<Source> sources_;
  std::vector<MNN::Express::VARP> inputs_;
  std::vector<MNN::Express::VARP> outputs_;
};

}  // namespace workbench
