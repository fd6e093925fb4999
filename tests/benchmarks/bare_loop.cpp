// The least that a program must do to run a model with the agent's settings: what the agent's latency is held against.
//
//   bare_loop MODEL INPUT ITERATIONS OUT     writes the nanoseconds of each run to OUT
//
// One float32 input named x; the same inside of the timed region as in the agent.
#include <time.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

#include "engine_abi.h"

static int64_t now_ns() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

int main(int count, char** arguments) {
  if (count != 5) return 2;
  constexpr int kWarmup = 20;
  std::ifstream file(arguments[2], std::ios::binary);
  std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<int64_t> times(static_cast<size_t>(std::atoi(arguments[3])));

  auto* interpreter = MNN::Interpreter::createFromFile(arguments[1]);
  if (interpreter == nullptr) return 2;
  interpreter->setSessionMode(MNN::Interpreter::Session_Release);
  interpreter->setSessionMode(MNN::Interpreter::Session_Resize_Defer);
  MNN::BackendConfig backend;
  MNN::ScheduleConfig schedule;
  schedule.backendConfig = &backend;
  auto* session = interpreter->createSession(schedule);
  auto* input = interpreter->getSessionInputAll(session).at("x");
  auto shape = input->shape();
  shape[0] = 1;
  interpreter->resizeTensor(input, shape);
  interpreter->resizeSession(session);
  interpreter->releaseModel();
  auto* feed = MNN::Tensor::create(shape, input->type(), bytes.data(), MNN::Tensor::CAFFE);
  std::vector<std::pair<MNN::Tensor*, MNN::Tensor*>> fetches;
  for (const auto& [name, output] : interpreter->getSessionOutputAll(session)) {
    fetches.emplace_back(output,
                         MNN::Tensor::create(output->shape(), output->type(), nullptr, MNN::Tensor::CAFFE));
  }
  const auto infer = [&] {
    input->copyFromHostTensor(feed);
    interpreter->runSession(session);
    for (const auto& [output, host] : fetches) output->copyToHostTensor(host);
  };
  for (int i = 0; i < kWarmup; ++i) infer();
  for (int64_t& time : times) {
    const int64_t begin = now_ns();
    infer();
    time = now_ns() - begin;
  }
  std::ofstream out(arguments[4]);  // not stdout: the engine prints there
  for (int64_t time : times) out << time << '\n';
}
