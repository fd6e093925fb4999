#include "options.h"

#include "failure.h"
#include "json_value.h"

namespace workbench {
namespace {

constexpr Choice kPrecisions[] = {{"normal", 0}, {"high", 1}, {"low", 2}};
constexpr Choice kMemories[] = {{"normal", 0}, {"high", 1}, {"low", 2}};
constexpr Choice kPowers[] = {{"normal", 0}, {"high", 1}, {"low", 2}};
constexpr Choice kPaths[] = {
    {"auto", static_cast<int>(Path::kAuto)},
    {"session", static_cast<int>(Path::kSession)},
    {"module", static_cast<int>(Path::kModule)},
};
constexpr int kMaxThreads = 64;
constexpr int kMaxRuns = 100'000'000;
constexpr double kMaxSeconds = 24 * 3600;
constexpr int kMaxStatMs = 60'000;

template <size_t N>
int choose(const JsonValue& value, const Choice (&choices)[N]) {
  std::string names;
  for (const Choice& choice : choices) {
    if (value.text() == choice.name) return choice.value;
    names += names.empty() ? choice.name : std::string(", ") + choice.name;
  }
  throw JsonError("one of " + names + " expected");
}

int between(const JsonValue& value, int low, int high) {
  const int64_t number = value.integer();
  if (number < low || number > high) {
    throw JsonError("a number from " + std::to_string(low) + " to " + std::to_string(high) + " expected");
  }
  return static_cast<int>(number);
}

std::string file_name(const JsonValue& value) {
  if (value.text().empty()) throw JsonError("a file name expected");
  if (value.text().find('\0') != std::string::npos) throw JsonError("a file name has no NUL");
  return value.text();
}

double duration(const JsonValue& value) {
  if (!(value.real() >= 0 && value.real() <= kMaxSeconds)) throw JsonError("seconds from 0 to 86400 expected");
  return value.real();
}

struct Field {
  const char* key;
  void (*set)(Options& options, const JsonValue& value);
};

constexpr Field kFields[] = {
    {"model", [](Options& o, const JsonValue& v) { o.model = file_name(v); }},
    {"manifest", [](Options& o, const JsonValue& v) { o.manifest = file_name(v); }},
    {"backend",
     [](Options& o, const JsonValue& v) {
       o.backend = choose(v, kBackends);
       o.backend_name = v.text();
     }},
    {"threads", [](Options& o, const JsonValue& v) { o.threads = between(v, 1, kMaxThreads); }},
    {"precision", [](Options& o, const JsonValue& v) { o.precision = choose(v, kPrecisions); }},
    {"memory", [](Options& o, const JsonValue& v) { o.memory = choose(v, kMemories); }},
    {"power", [](Options& o, const JsonValue& v) { o.power = choose(v, kPowers); }},
    {"path", [](Options& o, const JsonValue& v) { o.path = static_cast<Path>(choose(v, kPaths)); }},
    {"winograd", [](Options& o, const JsonValue& v) { o.winograd = v.boolean(); }},
    {"warmup", [](Options& o, const JsonValue& v) { o.warmup = between(v, 0, kMaxRuns); }},
    {"iterations", [](Options& o, const JsonValue& v) { o.iterations = between(v, 1, kMaxRuns); }},
    {"seconds", [](Options& o, const JsonValue& v) { o.seconds = duration(v); }},
    {"ops", [](Options& o, const JsonValue& v) { o.ops = v.boolean(); }},
    {"outputs", [](Options& o, const JsonValue& v) { o.outputs = v.text().empty() ? "" : file_name(v); }},
    {"stat_ms", [](Options& o, const JsonValue& v) { o.stat_ms = between(v, 10, kMaxStatMs); }},
    {"protocol", [](Options&, const JsonValue& v) { between(v, kProtocol, kProtocol); }},
};

const Field& field_of(const std::string& key) {
  for (const Field& field : kFields) {
    if (key == field.key) return field;
  }
  throw JsonError("no such option");
}

}  // namespace

Options parse_options(std::string_view line) {
  Options options;
  std::string key;
  try {
    const JsonValue document = parse_json(line);
    for (const auto& [name, value] : document.members()) {
      key = name;
      field_of(name).set(options, value);
    }
  } catch (const JsonError& error) {
    throw Failure{"options", key.empty() ? error.what() : key + ": " + error.what()};
  }
  if (options.model.empty()) throw Failure{"options", "model: a file name expected"};
  if (options.manifest.empty()) throw Failure{"options", "manifest: a file name expected"};
  return options;
}

}  // namespace workbench
