// What the profiled runs say of one operator.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace workbench {

// `ns`: by profiled run, the sum over the passes of one; it ends with the last run that passed the
// operator. `mflops`: summed over all profiled runs.
struct OpTime {
  std::string name;
  std::string type;
  double mflops = 0;
  std::vector<int64_t> ns = {};

  void add(size_t run, int64_t took_ns) {
    ns.resize(run + 1);
    ns[run] += took_ns;
  }

  // Of `runs` profiled runs, at least one: one that another program interrupted does not move it.
  double median_ms(size_t runs) const {
    std::vector<int64_t> ordered = ns;
    ordered.resize(runs);  // a run that did not pass it spent no time in it
    std::sort(ordered.begin(), ordered.end());
    return static_cast<double>(ordered[(runs - 1) / 2] + ordered[runs / 2]) / 2e6;
  }
};

}  // namespace workbench
