// MNN's Interpreter and Session: the usual way, without control flow.
#pragma once
#include "engine_abi.h"
#include "model.h"

namespace workbench {

// Thrown where the shapes cannot be computed: control flow, which only a Module runs.
struct NeedsModule {};

class SessionModel : public Model {
 public:
  SessionModel(const Options& options, const std::vector<InputFile>& inputs, bool profiled);

  const char* path() const override { return "session"; }
  int threads() const override { return threads_; }
  std::vector<std::string> output_names() const override;
  void infer() override;
  void profile(std::vector<OpTime>& ops, size_t run) override;
  std::vector<OutputView> outputs() override;

 private:
  using HostTensor = std::unique_ptr<MNN::Tensor, void (*)(MNN::Tensor*)>;
  struct Pair {
    std::string name;
    MNN::Tensor* device;
    HostTensor host;
  };

  void bind_inputs(const std::vector<InputFile>& inputs);
  void bind_outputs();
  void set_inputs();
  void fetch_outputs();

  std::unique_ptr<MNN::Interpreter, void (*)(MNN::Interpreter*)> interpreter_;
  MNN::Session* session_ = nullptr;  // the interpreter's
  int threads_ = 0;
  std::vector<Pair> inputs_;
  std::vector<Pair> outputs_;
};

}  // namespace workbench
