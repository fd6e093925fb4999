#include "op_clock.h"

namespace workbench {

OpTime& OpClock::find(const MNN::OperatorInfo& info) {
  for (size_t step = 0; step < ops_.size(); ++step) {
    const size_t at = (next_ + step) % ops_.size();
    if (ops_[at].name == info.name() && ops_[at].type == info.type()) {
      next_ = at + 1;
      return ops_[at];
    }
  }
  ops_.push_back({info.name(), info.type()});
  next_ = ops_.size();
  return ops_.back();
}

}  // namespace workbench
