#include "sensors.h"

#include <dirent.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>

#include "small_file.h"

namespace workbench {
namespace {

// Numbers N of the entries FOLDER/STEM<N>, ascending.
std::vector<int> numbers_of(const std::string& folder, const char* stem) {
  std::vector<int> numbers;
  DIR* directory = opendir(folder.c_str());
  if (directory == nullptr) return numbers;
  const size_t length = std::strlen(stem);
  while (const dirent* entry = readdir(directory)) {
    if (std::strncmp(entry->d_name, stem, length) != 0) continue;
    const char* digits = entry->d_name + length;
    char* end = nullptr;
    const long number = std::strtol(digits, &end, 10);
    if (end != digits && *end == '\0') numbers.push_back(static_cast<int>(number));
  }
  closedir(directory);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

std::optional<long> read_number(const std::string& file) {
  const auto text = read_small_file(file);
  if (!text) return std::nullopt;
  char* end = nullptr;
  const long value = std::strtol(text->c_str(), &end, 10);
  if (end == text->c_str()) return std::nullopt;
  return value;
}

// The kernel's unit is a thousandth of a degree; some vendors' zones give whole degrees. A zone
// that is switched off gives a value out of this world, such as -274000.
std::optional<double> celsius(long raw) {
  constexpr long kSmallestThousandths = 1000;
  const double scale = std::labs(raw) >= kSmallestThousandths ? 1000 : 1;
  const double value = static_cast<double>(raw) / scale;
  if (value < -40 || value > 150) return std::nullopt;
  return value;
}

}  // namespace

Sensors::Sensors(const std::string& prefix) {
  const std::string thermal = prefix + "/sys/class/thermal";
  std::set<std::string> types;
  for (int number : numbers_of(thermal, "thermal_zone")) {
    const std::string zone = thermal + "/thermal_zone" + std::to_string(number);
    const auto type = read_small_file(zone + "/type");
    if (!type || !read_number(zone + "/temp")) continue;
    const bool fresh = types.insert(*type).second;
    zones_.push_back({fresh ? *type : *type + "-" + std::to_string(number), zone + "/temp"});
  }
  const std::string cpus = prefix + "/sys/devices/system/cpu";
  bool any = false;
  for (int number : numbers_of(cpus, "cpu")) {
    const std::string clock = cpus + "/cpu" + std::to_string(number) + "/cpufreq";
    clocks_.push_back(clock + "/scaling_cur_freq");
    any = any || read_number(clocks_.back());
    const std::string limit = clock + "/scaling_max_freq";
    if (const auto khz = read_number(limit)) limits_.push_back({number, limit, *khz});
  }
  if (!any) clocks_.clear();
}

std::vector<std::pair<std::string, double>> Sensors::temperatures() const {
  std::vector<std::pair<std::string, double>> found;
  for (const Zone& zone : zones_) {
    const auto raw = read_number(zone.file);
    const auto value = raw ? celsius(*raw) : std::nullopt;
    if (value) found.emplace_back(zone.type, *value);
  }
  return found;
}

std::vector<std::optional<long>> Sensors::clocks() const {
  std::vector<std::optional<long>> found;
  for (const std::string& file : clocks_) found.push_back(read_number(file));
  return found;
}

std::optional<LoweredClock> Sensors::lowered_clock() const {
  for (const Limit& limit : limits_) {
    const auto khz = read_number(limit.file);
    if (khz && *khz < limit.khz) return LoweredClock{limit.core, *khz, limit.khz};
  }
  return std::nullopt;
}

}  // namespace workbench
