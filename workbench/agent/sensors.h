// Temperatures and clocks that the kernel shows below /sys.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace workbench {

// A core whose highest allowed clock is not what it was: the kernel's answer to heat.
struct LoweredClock {
  int core;
  long khz;
  long khz_before;
};

// Found once; what cannot be read then is not asked again. `prefix` stands before /sys:
// the environment's WORKBENCH_SYSROOT, "" on a phone.
class Sensors {
 public:
  explicit Sensors(const std::string& prefix);

  // Degrees Celsius by zone type ("cpu-0-0"); a type that comes again gets its zone number behind it.
  std::vector<std::pair<std::string, double>> temperatures() const;

  // Kilohertz by core, nothing for a core that is off; empty where no core tells.
  std::vector<std::optional<long>> clocks() const;

  // The first core whose limit is below that of the beginning.
  std::optional<LoweredClock> lowered_clock() const;

 private:
  struct Zone {
    std::string type;
    std::string file;
  };
  struct Limit {
    int core;
    std::string file;
    long khz;
  };
  std::vector<Zone> zones_;
  std::vector<std::string> clocks_;
  std::vector<Limit> limits_;
};

}  // namespace workbench
