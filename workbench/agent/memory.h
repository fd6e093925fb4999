// The process's memory as Linux tells it.
#pragma once
#include <cstdint>

namespace workbench {

// Kilobytes; -1 where the system does not say.
struct Memory {
  int64_t rss_kb = -1;
  int64_t peak_kb = -1;
  int64_t pss_kb = -1;
  int64_t anon_kb = -1;
};

// VmRSS, VmHWM and RssAnon of /proc/self/status, Pss of smaps_rollup. The last walks all pages
// (milliseconds where there are gigabytes) and is left at -1 unless `with_pss`.
Memory read_memory(bool with_pss);

// Makes VmHWM begin anew, where the kernel permits it (/proc/self/clear_refs, value 5).
void reset_peak();

// MemAvailable of /proc/meminfo.
int64_t available_kb();

// Resident kilobytes from /proc/self/statm: one pread, for the writer's batches.
class ResidentSize {
 public:
  ResidentSize();
  ~ResidentSize();
  ResidentSize(const ResidentSize&) = delete;
  ResidentSize& operator=(const ResidentSize&) = delete;
  int64_t kb() const;

 private:
  int descriptor_;
  int64_t page_kb_;
};

}  // namespace workbench
