// A loaded model, whichever way the engine runs it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "events.h"
#include "options.h"
#include "tensor_file.h"

namespace workbench {

// Host memory of one output, C order; valid until the next inference.
struct OutputView {
  std::string name;
  const Dtype* dtype;
  std::vector<int> shape;
  const void* data;
};

class Model {
 public:
  virtual ~Model() = default;

  virtual const char* path() const = 0;
  virtual int threads() const = 0;
  virtual std::vector<std::string> output_names() const = 0;

  // What is timed: every input copied to the engine, the run, every output in host memory.
  // Throws Failure("run").
  virtual void infer() = 0;

  // Inference number `run`, from 0, that adds each operator's time to `ops`, in the engine's order;
  // an operator that runs more than once counts as one. The model was loaded with `profiled`.
  // Throws Failure("run").
  virtual void profile(std::vector<OpTime>& ops, size_t run) = 0;

  // Of the last inference. Throws Failure("output") where a type has no raw form.
  virtual std::vector<OutputView> outputs() = 0;
};

struct LoadedModel {
  std::unique_ptr<Model> model;
  double load_ms;  // of the way that is used; an attempt before it is not counted
};

// Loads options.model by `options.path`, gives it the inputs' shapes and makes it ready for `infer`.
// `inputs` outlives the model. Throws Failure("load") or Failure("input").
LoadedModel load_model(const Options& options, const std::vector<InputFile>& inputs, bool profiled);

}  // namespace workbench
