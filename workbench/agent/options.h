// The options line: core/protocol.py's AgentOptions.
#pragma once
#include <string>
#include <string_view>

namespace workbench {

constexpr int kProtocol = 1;

enum class Path { kAuto, kSession, kModule };

// MNN's numbers: MNNForwardType, BackendConfig::PrecisionMode, MemoryMode, PowerMode.
struct Options {
  std::string model;
  std::string manifest;
  std::string backend_name = "cpu";
  int backend = 0;
  int threads = 1;
  int precision = 0;
  int memory = 0;
  int power = 0;
  Path path = Path::kAuto;
  bool winograd = true;
  int warmup = 3;
  int iterations = 50;
  double seconds = 0;
  bool ops = false;
  std::string outputs;
  int stat_ms = 200;
};

struct Choice {
  const char* name;
  int value;
};

constexpr Choice kBackends[] = {{"cpu", 0}, {"opencl", 3}, {"vulkan", 7}};

// Throws Failure("options") where the line is not an object, a key is unknown or a value does not fit.
Options parse_options(std::string_view line);

}  // namespace workbench
