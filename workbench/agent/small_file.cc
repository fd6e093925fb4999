#include "small_file.h"

#include <fcntl.h>
#include <unistd.h>

namespace workbench {

std::optional<std::string> read_small_file(const std::string& path) {
  constexpr size_t kLimit = 65536;
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  std::string text;
  char block[4096];
  ssize_t count = 0;
  while (text.size() < kLimit && (count = read(descriptor, block, sizeof block)) > 0) {
    text.append(block, static_cast<size_t>(count));
  }
  close(descriptor);
  if (count < 0) return std::nullopt;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\0')) text.pop_back();
  return text;
}

}  // namespace workbench
