#include "processor.h"

#include <sys/auxv.h>
#include <time.h>

#include <cstdlib>
#include <functional>
#include <thread>

#include "small_file.h"

namespace workbench {
namespace {

double seconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

#if defined(__aarch64__)

const char* abi() { return "arm64-v8a"; }

std::vector<std::string> cpu_flags() {
  // Bits of the kernel's asm/hwcap.h. /proc/cpuinfo is not asked: under qemu it is the host's.
  struct Flag {
    const char* name;
    unsigned long kind;
    int bit;
  };
  constexpr Flag kFlags[] = {
      {"asimd", AT_HWCAP, 1},    {"fphp", AT_HWCAP, 9},   {"asimdhp", AT_HWCAP, 10}, {"asimddp", AT_HWCAP, 20},
      {"sve", AT_HWCAP, 22},     {"sve2", AT_HWCAP2, 1},  {"i8mm", AT_HWCAP2, 13},   {"bf16", AT_HWCAP2, 14},
      {"sme", AT_HWCAP2, 23},    {"sme2", AT_HWCAP2, 37},
  };
  std::vector<std::string> found;
  for (const Flag& flag : kFlags) {
    if (getauxval(flag.kind) >> flag.bit & 1) found.emplace_back(flag.name);
  }
  return found;
}

#elif defined(__x86_64__)

const char* abi() { return "x86_64"; }

std::vector<std::string> cpu_flags() {
  std::vector<std::string> found;
  __builtin_cpu_init();
  const auto add = [&](const char* name, int has) {
    if (has != 0) found.emplace_back(name);
  };
  add("sse4_1", __builtin_cpu_supports("sse4.1"));
  add("avx", __builtin_cpu_supports("avx"));
  add("avx2", __builtin_cpu_supports("avx2"));
  add("fma", __builtin_cpu_supports("fma"));
  add("avx512f", __builtin_cpu_supports("avx512f"));
  add("avx512_vnni", __builtin_cpu_supports("avx512vnni"));
  return found;
}

#else
#error "The engine's wheels exist for x86-64 and arm64 only"
#endif

double cpu_ms() { return seconds_of(CLOCK_PROCESS_CPUTIME_ID) * 1e3; }

int thread_count() {
  const auto text = read_small_file("/proc/self/status");
  const size_t found = text ? text->find("\nThreads:") : std::string::npos;
  return found == std::string::npos ? -1 : std::atoi(text->c_str() + found + 9);
}

double cores_got(int threads) {
  constexpr double kSeconds = 0.05;  // a dozen scheduler ticks
  std::vector<double> used(static_cast<size_t>(threads));
  const double begin = seconds_of(CLOCK_MONOTONIC);
  const auto spin = [begin](double& seconds) {
    const double before = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    while (seconds_of(CLOCK_MONOTONIC) - begin < kSeconds) {
    }
    seconds = seconds_of(CLOCK_THREAD_CPUTIME_ID) - before;
  };
  std::vector<std::thread> others;
  for (size_t k = 1; k < used.size(); ++k) others.emplace_back(spin, std::ref(used[k]));
  spin(used[0]);  // the calling thread is one of them: it measures afterwards, on a warm core
  for (std::thread& other : others) other.join();
  const double wall = seconds_of(CLOCK_MONOTONIC) - begin;
  double sum = 0;
  for (double seconds : used) sum += seconds;
  return sum / wall;
}

}  // namespace workbench
