// Tensors as raw little-endian files, and the manifest that lists the inputs.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace workbench {

struct Dtype {
  const char* name;
  int code;  // halide_type_code_t: 0 int, 1 uint, 2 float
  int bits;

  size_t bytes() const { return static_cast<size_t>(bits) / 8; }
};

// What the engine takes and gives: int64 and bool are int32 in its models.
constexpr Dtype kDtypes[] = {{"float32", 2, 32}, {"int32", 0, 32}, {"uint8", 1, 8}};

// The entry of kDtypes; nullptr where there is none.
const Dtype* dtype_of(int code, int bits);

// Throws Failure(stage) where a size is negative (unknown to the engine) or 2^31 elements are passed.
size_t elements_of(const std::vector<int>& shape, const char* stage);

// "float32 [1, 3, 224, 224]", for messages.
std::string describe(const Dtype& dtype, const std::vector<int>& shape);

struct InputFile {
  std::string name;
  const Dtype* dtype;
  std::vector<int> shape;
  std::string file;
  std::vector<uint8_t> bytes;  // C order
};

struct OutputFile {
  std::string name;
  const Dtype* dtype;
  std::vector<int> shape;
  std::string file;
};

// The manifest's inputs with their bytes. Throws Failure("input").
std::vector<InputFile> read_inputs(const std::string& manifest);

// The whole file, `limit` bytes at most. Throws Failure(stage).
std::vector<uint8_t> read_file(const std::string& file, size_t limit, const char* stage);

// Throws Failure("output").
void write_file(const std::string& file, const void* bytes, size_t size);

}  // namespace workbench
