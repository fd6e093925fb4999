// JSON text to values: what the options line and the manifest need, and no more leniency than that.
#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace workbench {

struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class JsonValue {
 public:
  enum class Kind { kNull, kBool, kInteger, kReal, kText, kList, kObject };

  Kind kind() const { return kind_; }

  // Each throws JsonError where the value is of another kind.
  bool boolean() const;
  int64_t integer() const;
  double real() const;  // an integer counts
  const std::string& text() const;
  const std::vector<JsonValue>& list() const;
  const std::vector<std::pair<std::string, JsonValue>>& members() const;

  // The member `key` of an object. Throws JsonError where it is missing.
  const JsonValue& at(std::string_view key) const;

 private:
  friend class JsonParser;
  Kind kind_ = Kind::kNull;
  bool boolean_ = false;
  int64_t integer_ = 0;
  double real_ = 0;
  std::string text_;
  std::vector<JsonValue> list_;
  std::vector<std::pair<std::string, JsonValue>> members_;
};

// The one value that `text` holds (RFC 8259; lone surrogates, double keys and more than
// 8 levels are refused too). Throws JsonError with the offset.
JsonValue parse_json(std::string_view text);

}  // namespace workbench
