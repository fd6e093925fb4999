#include "events.h"

#include <unistd.h>

#include "json_text.h"
#include "options.h"
#include "processor.h"

#ifndef WORKBENCH_AGENT_ID
#error "The build script names the sources: -DWORKBENCH_AGENT_ID"
#endif

namespace workbench {
namespace {

JsonObject event(const char* name) { return JsonObject().text("ev", name); }

std::string memory_json(const Memory& memory) {
  return JsonObject()
      .integer("rss_kb", memory.rss_kb)
      .integer("peak_kb", memory.peak_kb)
      .integer("pss_kb", memory.pss_kb)
      .integer("anon_kb", memory.anon_kb)
      .str();
}

template <class File>
std::string files_json(const std::vector<File>& files) {
  std::vector<std::string> items;
  for (const File& file : files) {
    items.push_back(JsonObject()
                        .text("name", file.name)
                        .text("dtype", file.dtype->name)
                        .json("shape", json_integers(file.shape))
                        .text("file", file.file)
                        .str());
  }
  return json_list(items);
}

}  // namespace

std::string hello_line(const Hello& hello) {
  return event("hello")
      .integer("protocol", kProtocol)
      .text("agent", WORKBENCH_AGENT_ID)
      .text("engine", hello.engine)
      .text("abi", abi())
      .integer("pid", getpid())
      .integer("cores", sysconf(_SC_NPROCESSORS_ONLN))
      .integer("page_size", sysconf(_SC_PAGESIZE))
      .json("backends", json_texts(hello.backends))
      .json("cpu_flags", json_texts(cpu_flags()))
      .json("baseline", memory_json(hello.baseline))
      .str();
}

std::string loaded_line(const Loaded& loaded, const std::vector<InputFile>& inputs) {
  return event("loaded")
      .real("load_ms", loaded.load_ms)
      .text("path", loaded.path)
      .text("backend", loaded.backend)
      .integer("threads", loaded.threads)
      .json("inputs", files_json(inputs))
      .json("outputs", json_texts(loaded.outputs))
      .json("memory", memory_json(loaded.memory))
      .str();
}

std::string op_line(const OpTime& op, size_t runs) {
  return event("op")
      .text("name", op.name)
      .text("type", op.type)
      .real("ms", op.median_ms(runs))
      .integer("n", static_cast<int64_t>(runs))
      .real("mflops", op.mflops / static_cast<double>(runs))
      .str();
}

std::string stat_line(const Stat& stat) {
  JsonObject temperatures;
  for (const auto& [zone, celsius] : stat.temperatures) temperatures.real(zone, celsius);
  std::vector<std::string> clocks;
  for (const auto& khz : stat.clocks) clocks.push_back(khz ? std::to_string(*khz) : "null");
  return event("stat")
      .integer("ns", stat.ns)
      .json("memory", memory_json(stat.memory))
      .real("cpu_ms", stat.cpu_ms)
      .integer("available_kb", stat.available_kb)
      .json("temperature_c", temperatures.str())
      .json("clock_khz", json_list(clocks))
      .str();
}

std::string warning_line(const char* code, const std::string& text) {
  return event("warning").text("code", code).text("text", text).str();
}

std::string done_line(const Finished& finished) {
  return event("done")
      .text("reason", finished.reason)
      .integer("n", static_cast<int64_t>(finished.n))
      .integer("dropped", static_cast<int64_t>(finished.dropped))
      .real("wall_ms", finished.wall_ms)
      .real("cpu_ms", finished.cpu_ms)
      .json("memory", memory_json(finished.memory))
      .json("outputs", files_json(finished.outputs))
      .str();
}

std::string error_line(const Failure& failure) {
  return event("error").text("stage", failure.stage).text("text", failure.text).str();
}

}  // namespace workbench
