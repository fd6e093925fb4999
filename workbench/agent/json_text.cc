#include "json_text.h"

#include <cmath>
#include <cstdio>

namespace workbench {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the UTF-8 sequence that begins at `at`; 0 where there is none (RFC 3629, table 3-7 of Unicode).
size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t k) -> unsigned {
    return at + k < text.size() ? static_cast<unsigned char>(text[at + k]) : 0;
  };
  const auto tail = [&](size_t k) { return (byte(k) & 0xC0) == 0x80; };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return tail(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return byte(1) >= low && byte(1) <= high && tail(2) ? 3 : 0;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return byte(1) >= low && byte(1) <= high && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string json_text(std::string_view text) {
  std::string out = "\"";
  for (size_t at = 0; at < text.size();) {
    const size_t length = utf8_length(text, at);
    const auto byte = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      out += kReplacement;
      ++at;
      continue;
    }
    if (byte == '"' || byte == '\\') {
      out += '\\';
      out += text[at];
    } else if (byte < 0x20 || byte == 0x7F) {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04x", byte);
      out += escape;
    } else {
      out += text.substr(at, length);
    }
    at += length;
  }
  return out + '"';
}

std::string json_real(double value) {
  if (!std::isfinite(value)) return "null";
  char text[352];  // the longest double has 309 digits before the point
  std::snprintf(text, sizeof text, "%.6f", value);
  return text;
}

std::string json_list(const std::vector<std::string>& items) {
  std::string out = "[";
  for (const std::string& item : items) {
    if (out.size() > 1) out += ',';
    out += item;
  }
  return out + ']';
}

std::string json_texts(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(json_text(item));
  return json_list(quoted);
}

std::string json_integers(const std::vector<int>& items) {
  std::vector<std::string> digits;
  for (int item : items) digits.push_back(std::to_string(item));
  return json_list(digits);
}

JsonObject& JsonObject::json(std::string_view key, std::string_view value) {
  if (!body_.empty()) body_ += ',';
  body_ += json_text(key);
  body_ += ':';
  body_ += value;
  return *this;
}

}  // namespace workbench
