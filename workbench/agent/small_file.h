// A file of /proc or /sys as text.
#pragma once
#include <optional>
#include <string>

namespace workbench {

// Up to 64 KiB without the newline at the end; nothing where it cannot be read.
std::optional<std::string> read_small_file(const std::string& path);

}  // namespace workbench
