// The processor: what it can do, and how much of it this process gets.
#pragma once
#include <string>
#include <vector>

namespace workbench {

const char* abi();  // Android's name

// The instruction sets that MNN has kernels for and this processor has, in Linux's spelling.
std::vector<std::string> cpu_flags();

// Milliseconds of processor time of the whole process.
double cpu_ms();

// Threads of this process.
int thread_count();

// How many cores `threads` spinning threads really got for 50 ms: near `threads` on an idle device.
double cores_got(int threads);

}  // namespace workbench
