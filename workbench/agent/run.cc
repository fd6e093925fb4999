#include "run.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "engine_config.h"
#include "failure.h"
#include "model.h"
#include "stats.h"

namespace workbench {
namespace {

constexpr double kUndisturbed = 0.9;  // below this share of the cores asked for, a figure is not the model's
constexpr size_t kProfiledRuns = 30;
constexpr size_t kLeastProfiledRuns = 3;  // fewer have no median that leaves a disturbed run out
constexpr int64_t kProfiledNs = 5'000'000'000;

// What really runs in place of a back end that is not there. The engine's own fallback would take
// the thread number for a GPU's, and 32 threads.
Options with_backend_there(Options options, const std::vector<std::string>& there, EventWriter& writer) {
  if (std::find(there.begin(), there.end(), options.backend_name) != there.end()) return options;
  writer.say(warning_line("fallback", options.backend_name + " is not there: the CPU takes its place"));
  options.backend = kBackends[0].value;
  options.backend_name = kBackends[0].name;
  return options;
}

void measure_once(Model& model, EventWriter& writer, Phase phase, uint32_t index) {
  const int64_t begin = monotonic_ns();
  model.infer();
  const int64_t end = monotonic_ns();
  writer.record({begin - kStartNs, end - begin, index, phase});
}

void warn_where_disturbed(int threads, EventWriter& writer) {
  const double got = cores_got(threads);
  if (got >= kUndisturbed * threads) return;
  char text[96];
  std::snprintf(text, sizeof text, "%d spinning thread%s got %.2f cores before the runs", threads,
                threads == 1 ? "" : "s", got);
  writer.say(warning_line("disturbed", text));
}

void measure(Model& model, const Options& options, RunState& state, EventWriter& writer) {
  // Before the first run, not the steady ones: a pause there leaves caches and clocks cold (1 % of p50).
  if (!state.stop_requested()) warn_where_disturbed(model.threads(), writer);
  if (!state.stop_requested()) measure_once(model, writer, Phase::kFirst, 0);
  for (int i = 0; i < options.warmup && !state.stop_requested(); ++i) {
    measure_once(model, writer, Phase::kWarmup, static_cast<uint32_t>(i));
  }
  if (state.stop_requested()) return;
  const bool by_time = options.seconds > 0;
  const auto limit_ns = static_cast<int64_t>(options.seconds * 1e9);
  state.begin_steady();
  const int64_t begin = now_ns();
  for (uint32_t i = 0; !state.stop_requested(); ++i) {
    if (by_time ? now_ns() - begin >= limit_ns : i >= static_cast<uint32_t>(options.iterations)) break;
    measure_once(model, writer, Phase::kSteady, i);
    state.count();
  }
  state.end_steady();
}

// Files are numbered: names of tensors never become names of files.
std::vector<OutputFile> write_outputs(Model& model, const std::string& folder) {
  if (mkdir(folder.c_str(), 0755) != 0 && errno != EEXIST) {
    throw Failure{"output", folder + ": " + std::strerror(errno)};
  }
  std::vector<OutputFile> files;
  for (const OutputView& view : model.outputs()) {
    const std::string file = folder + "/out" + std::to_string(files.size()) + ".raw";
    write_file(file, view.data, elements_of(view.shape, "output") * view.dtype->bytes());
    files.push_back({view.name, view.dtype, view.shape, file});
  }
  return files;
}

// Apart from the steady runs: call-backs and the session that allows them cost time and memory.
void profile(const Options& options, const std::vector<InputFile>& inputs, RunState& state, EventWriter& writer) {
  const auto model = load_model(options, inputs, true).model;
  model->infer();
  std::vector<OpTime> ops;
  size_t runs = 0;
  const int64_t begin = now_ns();
  const auto enough = [&] {
    return runs >= kProfiledRuns || (runs >= kLeastProfiledRuns && now_ns() - begin >= kProfiledNs);
  };
  while (!enough() && !state.stop_requested()) {
    model->profile(ops, runs);
    ++runs;
  }
  for (const OpTime& op : ops) writer.say(op_line(op, runs));
}

}  // namespace

std::string run(const std::string& options_line, RunState& state, EventWriter& writer) {
  const Memory baseline = read_memory(true);
  reset_peak();
  const bool right_engine = std::strcmp(MNN::getVersion(), MNN::kExpectedVersion) == 0;
  const std::vector<std::string> there = right_engine ? backends_there() : std::vector<std::string>();
  writer.say(hello_line({MNN::getVersion(), there, baseline}));
  if (!right_engine) {
    throw Failure{"load", std::string("the engine is MNN ") + MNN::getVersion() + ", this agent is made for " +
                              MNN::kExpectedVersion};
  }
  Options options = parse_options(options_line);
  const std::vector<InputFile> inputs = read_inputs(options.manifest);
  start_stats(options.stat_ms, writer);
  options = with_backend_there(options, there, writer);

  auto [model, load_ms] = load_model(options, inputs, false);
  if (model->threads() < options.threads) {
    writer.say(warning_line("threads_capped", std::to_string(options.threads) + " threads were asked for, " +
                                                  std::to_string(model->threads()) + " run"));
  }
  writer.say(loaded_line({load_ms, model->path(), options.backend_name, model->threads(), model->output_names(),
                          read_memory(true)},
                         inputs));
  measure(*model, options, state, writer);
  writer.settle();
  const bool stopped = state.stop_requested();
  Finished finished = state.finished(stopped ? "stopped" : "complete", writer.dropped());
  if (stopped) return done_line(finished);
  if (!options.outputs.empty()) finished.outputs = write_outputs(*model, options.outputs);
  model.reset();
  if (options.ops) profile(options, inputs, state, writer);
  return done_line(finished);
}

}  // namespace workbench
