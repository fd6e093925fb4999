#include "tensor_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "failure.h"
#include "json_value.h"

namespace workbench {
namespace {

constexpr size_t kMaxManifest = 16 << 20;
constexpr size_t kMaxTensor = size_t{1} << 31;

std::string system_error(const std::string& file) { return file + ": " + std::strerror(errno); }

class OpenFile {
 public:
  OpenFile(const std::string& file, int flags) : descriptor_(open(file.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~OpenFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  int get() const { return descriptor_; }

 private:
  int descriptor_;
};

const Dtype* dtype_named(const std::string& name) {
  for (const Dtype& dtype : kDtypes) {
    if (name == dtype.name) return &dtype;
  }
  throw JsonError("\"" + name + "\" is none of float32, int32, uint8");
}

InputFile parse_input(const JsonValue& value) {
  InputFile input;
  input.name = value.at("name").text();
  input.dtype = dtype_named(value.at("dtype").text());
  for (const JsonValue& size : value.at("shape").list()) {
    if (size.integer() < 1 || size.integer() > INT32_MAX) throw JsonError("a size of the shape is out of range");
    input.shape.push_back(static_cast<int>(size.integer()));
  }
  input.file = value.at("file").text();
  return input;
}

}  // namespace

const Dtype* dtype_of(int code, int bits) {
  for (const Dtype& dtype : kDtypes) {
    if (dtype.code == code && dtype.bits == bits) return &dtype;
  }
  return nullptr;
}

size_t elements_of(const std::vector<int>& shape, const char* stage) {
  size_t elements = 1;
  for (int size : shape) {
    if (size < 0) throw Failure{stage, "a tensor has an axis of size " + std::to_string(size)};
    elements *= static_cast<size_t>(size);
    if (elements > kMaxTensor) throw Failure{stage, "a tensor has more than 2^31 elements"};
  }
  return elements;
}

std::string describe(const Dtype& dtype, const std::vector<int>& shape) {
  std::string text = std::string(dtype.name) + " [";
  for (size_t axis = 0; axis < shape.size(); ++axis) {
    if (axis > 0) text += ", ";
    text += std::to_string(shape[axis]);
  }
  return text + "]";
}

std::vector<uint8_t> read_file(const std::string& file, size_t limit, const char* stage) {
  const OpenFile source(file, O_RDONLY);
  struct stat status {};
  if (source.get() < 0 || fstat(source.get(), &status) != 0) throw Failure{stage, system_error(file)};
  if (!S_ISREG(status.st_mode)) throw Failure{stage, file + ": not a file"};
  const auto size = static_cast<size_t>(status.st_size);
  if (size > limit) throw Failure{stage, file + ": more than " + std::to_string(limit) + " bytes"};
  std::vector<uint8_t> bytes(size);
  for (size_t done = 0; done < size;) {
    const ssize_t count = read(source.get(), bytes.data() + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Failure{stage, system_error(file)};
    if (count == 0) throw Failure{stage, file + ": became shorter while it was read"};
    done += static_cast<size_t>(count);
  }
  return bytes;
}

void write_file(const std::string& file, const void* bytes, size_t size) {
  const OpenFile target(file, O_WRONLY | O_CREAT | O_TRUNC);
  if (target.get() < 0) throw Failure{"output", system_error(file)};
  for (size_t done = 0; done < size;) {
    const ssize_t count = write(target.get(), static_cast<const uint8_t*>(bytes) + done, size - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw Failure{"output", system_error(file)};
    done += static_cast<size_t>(count);
  }
}

std::vector<InputFile> read_inputs(const std::string& manifest) {
  const std::vector<uint8_t> text = read_file(manifest, kMaxManifest, "input");
  std::vector<InputFile> inputs;
  try {
    const JsonValue document = parse_json({reinterpret_cast<const char*>(text.data()), text.size()});
    for (const JsonValue& item : document.at("inputs").list()) inputs.push_back(parse_input(item));
  } catch (const JsonError& error) {
    throw Failure{"input", manifest + ": " + error.what()};
  }
  for (InputFile& input : inputs) {
    const size_t needed = elements_of(input.shape, "input") * input.dtype->bytes();
    input.bytes = read_file(input.file, kMaxTensor * sizeof(float), "input");
    if (input.bytes.size() != needed) {
      throw Failure{"input", input.name + ": " + input.file + " holds " + std::to_string(input.bytes.size()) +
                                 " bytes, " + describe(*input.dtype, input.shape) + " takes " +
                                 std::to_string(needed)};
    }
  }
  return inputs;
}

}  // namespace workbench
