// Events as core/protocol.py reads them: one JSON object a line. Samples: event_writer.cc.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "failure.h"
#include "memory.h"
#include "op_time.h"
#include "tensor_file.h"

namespace workbench {

struct Hello {
  std::string engine;
  std::vector<std::string> backends;
  Memory baseline;
};

struct Loaded {
  double load_ms;
  const char* path;
  std::string backend;
  int threads;
  std::vector<std::string> outputs;
  Memory memory;
};

struct Stat {
  int64_t ns;
  Memory memory;
  double cpu_ms;
  int64_t available_kb;
  std::vector<std::pair<std::string, double>> temperatures;
  std::vector<std::optional<long>> clocks;
};

struct Finished {
  const char* reason;
  uint64_t n;
  uint64_t dropped;
  double wall_ms;
  double cpu_ms;
  Memory memory;
  std::vector<OutputFile> outputs;
};

std::string hello_line(const Hello& hello);
std::string loaded_line(const Loaded& loaded, const std::vector<InputFile>& inputs);
std::string op_line(const OpTime& op, size_t runs);
std::string stat_line(const Stat& stat);
std::string warning_line(const char* code, const std::string& text);
std::string done_line(const Finished& finished);
std::string error_line(const Failure& failure);

}  // namespace workbench
