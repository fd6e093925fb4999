#include "memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "small_file.h"

namespace workbench {
namespace {

// The number of the line "KEY:   123 kB"; -1 where there is none.
int64_t field_kb(const std::string& text, const std::string& key) {
  const std::string line = "\n" + key + ":";
  const size_t found = ("\n" + text).find(line);
  if (found == std::string::npos) return -1;
  const char* begin = text.c_str() + found + line.size() - 1;
  char* end = nullptr;
  const long long value = std::strtoll(begin, &end, 10);
  return end == begin ? -1 : value;
}

}  // namespace

Memory read_memory(bool with_pss) {
  Memory memory;
  if (const auto status = read_small_file("/proc/self/status")) {
    memory.rss_kb = field_kb(*status, "VmRSS");
    memory.peak_kb = field_kb(*status, "VmHWM");
    memory.anon_kb = field_kb(*status, "RssAnon");
  }
  if (!with_pss) return memory;
  if (const auto rollup = read_small_file("/proc/self/smaps_rollup")) memory.pss_kb = field_kb(*rollup, "Pss");
  return memory;
}

void reset_peak() {
  const int descriptor = open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;  // then the peak counts from the start of the process, 1 ms earlier
  const ssize_t written = write(descriptor, "5", 1);
  static_cast<void>(written);
  close(descriptor);
}

int64_t available_kb() {
  const auto text = read_small_file("/proc/meminfo");
  return text ? field_kb(*text, "MemAvailable") : -1;
}

ResidentSize::ResidentSize()
    : descriptor_(open("/proc/self/statm", O_RDONLY | O_CLOEXEC)), page_kb_(sysconf(_SC_PAGESIZE) / 1024) {}

ResidentSize::~ResidentSize() {
  if (descriptor_ >= 0) close(descriptor_);
}

int64_t ResidentSize::kb() const {
  char text[128];
  const ssize_t count = descriptor_ < 0 ? -1 : pread(descriptor_, text, sizeof text - 1, 0);
  if (count <= 0) return -1;
  text[count] = '\0';
  char* resident = nullptr;
  std::strtoll(text, &resident, 10);  // the first number is the size of the address space
  return std::strtoll(resident, nullptr, 10) * page_kb_;
}

}  // namespace workbench
