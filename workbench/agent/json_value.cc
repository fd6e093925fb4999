#include "json_value.h"

#include <cstdlib>
#include <cstring>

namespace workbench {
namespace {

constexpr int kMaxDepth = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | code >> 6);
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | code >> 12);
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | code >> 18);
    out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

}  // namespace

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  JsonValue document() {
    JsonValue value = parse(0);
    skip_space();
    if (at_ != text_.size()) fail("text after the end");
    return value;
  }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw JsonError(std::string(what) + " at byte " + std::to_string(at_));
  }

  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_space() {
    while (at_ < text_.size() && std::strchr(" \t\r\n", text_[at_]) != nullptr && text_[at_] != '\0') ++at_;
  }

  bool take(char c) {
    if (peek() != c || at_ >= text_.size()) return false;
    ++at_;
    return true;
  }

  void expect(char c, const char* what) {
    if (!take(c)) fail(what);
  }

  bool take_word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }

  JsonValue parse(int depth) {
    if (depth > kMaxDepth) fail("nested too deep");
    skip_space();
    JsonValue value;
    if (take('{')) {
      value.kind_ = JsonValue::Kind::kObject;
      parse_members(value, depth);
    } else if (take('[')) {
      value.kind_ = JsonValue::Kind::kList;
      parse_items(value, depth);
    } else if (peek() == '"') {
      value.kind_ = JsonValue::Kind::kText;
      value.text_ = parse_text();
    } else if (take_word("true")) {
      value.kind_ = JsonValue::Kind::kBool;
      value.boolean_ = true;
    } else if (take_word("false")) {
      value.kind_ = JsonValue::Kind::kBool;
    } else if (!take_word("null")) {
      parse_number(value);
    }
    return value;
  }

  void parse_members(JsonValue& object, int depth) {
    skip_space();
    if (take('}')) return;
    do {
      skip_space();
      std::string key = parse_text();
      for (const auto& member : object.members_) {
        if (member.first == key) fail("a key stands twice");
      }
      skip_space();
      expect(':', "':' expected");
      object.members_.emplace_back(std::move(key), parse(depth + 1));
      skip_space();
    } while (take(','));
    expect('}', "',' or '}' expected");
  }

  void parse_items(JsonValue& list, int depth) {
    skip_space();
    if (take(']')) return;
    do {
      list.list_.push_back(parse(depth + 1));
      skip_space();
    } while (take(','));
    expect(']', "',' or ']' expected");
  }

  std::string parse_text() {
    expect('"', "a text expected");
    std::string out;
    while (true) {
      if (at_ >= text_.size()) fail("text without an end");
      const char c = text_[at_++];
      if (c == '"') return out;
      if (static_cast<unsigned char>(c) < 0x20) fail("control character in a text");
      if (c == '\\') {
        parse_escape(out);
      } else {
        out += c;
      }
    }
  }

  void parse_escape(std::string& out) {
    static constexpr char kFrom[] = "\"\\/bfnrt";
    static constexpr char kTo[] = "\"\\/\b\f\n\r\t";
    const char c = peek();
    ++at_;
    if (c == 'u') {
      append_utf8(out, parse_code_point());
      return;
    }
    const char* found = c == '\0' ? nullptr : std::strchr(kFrom, c);
    if (found == nullptr) fail("unknown escape");
    out += kTo[found - kFrom];
  }

  uint32_t parse_code_point() {
    const uint32_t first = parse_hex4();
    if (first < 0xD800 || first > 0xDFFF) return first;
    if (first > 0xDBFF || !take('\\') || !take('u')) fail("lone surrogate");
    const uint32_t second = parse_hex4();
    if (second < 0xDC00 || second > 0xDFFF) fail("lone surrogate");
    return 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
  }

  uint32_t parse_hex4() {
    uint32_t code = 0;
    for (int i = 0; i < 4; ++i) {
      const char c = peek();
      const int digit = is_digit(c)              ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) fail("four hex digits expected");
      code = code << 4 | static_cast<uint32_t>(digit);
      ++at_;
    }
    return code;
  }

  void parse_number(JsonValue& value) {
    const size_t begin = at_;
    take('-');
    if (!is_digit(peek())) fail("a value expected");
    if (!take('0')) take_digits();
    bool whole = true;
    if (take('.')) {
      whole = false;
      if (!is_digit(peek())) fail("a digit expected");
      take_digits();
    }
    if (take('e') || take('E')) {
      whole = false;
      if (!take('+')) take('-');
      if (!is_digit(peek())) fail("a digit expected");
      take_digits();
    }
    const std::string digits(text_.substr(begin, at_ - begin));
    value.real_ = std::strtod(digits.c_str(), nullptr);
    constexpr size_t kSafeDigits = 18;  // fits int64_t with a sign
    if (whole && digits.size() <= kSafeDigits) {
      value.kind_ = JsonValue::Kind::kInteger;
      value.integer_ = std::strtoll(digits.c_str(), nullptr, 10);
    } else {
      value.kind_ = JsonValue::Kind::kReal;
    }
  }

  void take_digits() {
    while (is_digit(peek())) ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
};

bool JsonValue::boolean() const {
  if (kind_ != Kind::kBool) throw JsonError("true or false expected");
  return boolean_;
}

int64_t JsonValue::integer() const {
  if (kind_ != Kind::kInteger) throw JsonError("a whole number expected");
  return integer_;
}

double JsonValue::real() const {
  if (kind_ != Kind::kInteger && kind_ != Kind::kReal) throw JsonError("a number expected");
  return real_;
}

const std::string& JsonValue::text() const {
  if (kind_ != Kind::kText) throw JsonError("a text expected");
  return text_;
}

const std::vector<JsonValue>& JsonValue::list() const {
  if (kind_ != Kind::kList) throw JsonError("a list expected");
  return list_;
}

const std::vector<std::pair<std::string, JsonValue>>& JsonValue::members() const {
  if (kind_ != Kind::kObject) throw JsonError("an object expected");
  return members_;
}

const JsonValue& JsonValue::at(std::string_view key) const {
  for (const auto& [name, value] : members()) {
    if (name == key) return value;
  }
  throw JsonError("\"" + std::string(key) + "\" is missing");
}

JsonValue parse_json(std::string_view text) { return JsonParser(text).document(); }

}  // namespace workbench
