// Values to JSON text, one line.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace workbench {

// `text` quoted. Control characters are escaped; bytes that are not UTF-8 become U+FFFD,
// because the reader refuses a line with any.
std::string json_text(std::string_view text);

// A finite number with up to 6 decimals; null where it is not finite.
std::string json_real(double value);

std::string json_list(const std::vector<std::string>& items);
std::string json_texts(const std::vector<std::string>& items);
std::string json_integers(const std::vector<int>& items);

class JsonObject {
 public:
  JsonObject& text(std::string_view key, std::string_view value) { return json(key, json_text(value)); }
  JsonObject& integer(std::string_view key, int64_t value) { return json(key, std::to_string(value)); }
  JsonObject& real(std::string_view key, double value) { return json(key, json_real(value)); }
  JsonObject& json(std::string_view key, std::string_view value);

  std::string str() const { return "{" + body_ + "}"; }

 private:
  std::string body_;
};

}  // namespace workbench
