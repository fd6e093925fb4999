// Why a run cannot go on.
#pragma once
#include <string>

namespace workbench {

// `stage` is one of "options", "load", "input", "run", "output": the last event names it.
struct Failure {
  const char* stage;
  std::string text;
};

}  // namespace workbench
