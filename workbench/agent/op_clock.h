// Times operators between the engine's two call-backs.
#pragma once
#include "clock.h"
#include "engine_abi.h"
#include "op_time.h"

namespace workbench {

// For the profiled run number `run`, from 0; outlives it. Operators are told apart by name and type: MNN cuts one
// operator of the model into several of its own, and a loop runs them more than once.
class OpClock {
 public:
  OpClock(std::vector<OpTime>& ops, size_t run) : ops_(ops), run_(run) {}

  MNN::OpCallBack before() {
    return [this](const std::vector<MNN::Tensor*>&, const MNN::OperatorInfo*) {
      begin_ns_ = monotonic_ns();
      return true;
    };
  }

  MNN::OpCallBack after() {
    return [this](const std::vector<MNN::Tensor*>&, const MNN::OperatorInfo* info) {
      const int64_t took_ns = monotonic_ns() - begin_ns_;
      OpTime& op = find(*info);
      op.add(run_, took_ns);
      op.mflops += info->flops();
      return true;
    };
  }

 private:
  OpTime& find(const MNN::OperatorInfo& info);

  std::vector<OpTime>& ops_;
  const size_t run_;
  size_t next_ = 0;  // operators come in the same order each time
  int64_t begin_ns_ = 0;
};

}  // namespace workbench
