// MNN 3.6.1's entry points as far as the agent uses them, declared by their binary interface.
//
// The engine library of the PyPI wheel exports MNN's whole C++ API, but no header comes with it.
// Names, member order and enum values are MNN's; whatever else its classes hold is left out, so
// objects are only ever made by the engine. Sizes hold for the old string ABI
// (_GLIBCXX_USE_CXX11_ABI=0), with which the wheels are built; the new one fails to link.
#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct halide_type_t {
  int code;
  uint8_t bits;
  uint16_t lanes;
};

enum MNNForwardType : unsigned {};

namespace MNN {

constexpr const char* kExpectedVersion = "3.6.1";
const char* getVersion();

class Session;

class OperatorInfo {
 public:
  OperatorInfo() = delete;
  const std::string& name() const;
  const std::string& type() const;
  float flops() const;  // millions
};

struct BackendConfig {
  int memory = 0;
  int power = 0;
  int precision = 0;
  size_t flags = 0;
};

struct ScheduleConfig {
  struct Path {
    std::vector<std::string> inputs;
    std::vector<std::string> outputs;
    int mode = 0;
  };
  std::vector<std::string> saveTensors;
  int type = 0;
  int numThread = 1;
  Path path;
  int backupType = 0;
  BackendConfig* backendConfig = nullptr;
};

class Tensor {
 public:
  enum DimensionType { TENSORFLOW, CAFFE, CAFFE_C4 };
  Tensor() = delete;
  static Tensor* create(const std::vector<int>& shape, halide_type_t type, void* data, DimensionType order);
  static void destroy(Tensor* tensor);
  bool copyFromHostTensor(const Tensor* host);
  bool copyToHostTensor(Tensor* host) const;
  std::vector<int> shape() const;
  DimensionType getDimensionType() const;

  // A Tensor begins with halide_buffer_t: device (8 bytes), device_interface, host, flags, type, ...
  uint8_t* host() const { return at<uint8_t*>(16); }
  halide_type_t type() const { return at<halide_type_t>(32); }

 private:
  template <class Value>
  Value at(size_t offset) const {
    Value value;
    std::memcpy(&value, reinterpret_cast<const char*>(this) + offset, sizeof value);
    return value;
  }
};

using OpCallBack = std::function<bool(const std::vector<Tensor*>&, const OperatorInfo*)>;

enum ErrorCode : int {};

class Interpreter {
 public:
  enum SessionInfoCode { MEMORY, FLOPS, BACKENDS, RESIZE_STATUS, THREAD_NUMBER };
  enum SessionMode { Session_Debug = 0, Session_Release = 1, Session_Resize_Defer = 7 };
  enum HintMode { WINOGRAD_MEMORY_LEVEL = 3 };
  Interpreter() = delete;
  static Interpreter* createFromFile(const char* file);
  static void destroy(Interpreter* interpreter);
  void setSessionMode(SessionMode mode);
  void setSessionHint(HintMode hint, int value);
  Session* createSession(const ScheduleConfig& config);
  void resizeTensor(Tensor* tensor, const std::vector<int>& shape);
  void resizeSession(Session* session);
  void releaseModel();
  ErrorCode runSession(Session* session) const;
  ErrorCode runSessionWithCallBackInfo(const Session* session, const OpCallBack& before, const OpCallBack& after,
                                       bool sync) const;
  const std::map<std::string, Tensor*>& getSessionInputAll(const Session* session) const;
  const std::map<std::string, Tensor*>& getSessionOutputAll(const Session* session) const;
  bool getSessionInfo(const Session* session, SessionInfoCode code, void* value);
};

namespace Express {

enum Dimensionformat { NHWC, NC4HW4, NCHW };

class Variable {
 public:
  struct Info {
    Dimensionformat order;
    std::vector<int> dim;
    halide_type_t type;
    size_t size;
  };
  Variable() = delete;
  const Info* getInfo();
  void* readInternal(bool forShape);
  void* writeInternal(bool inform);
};

class VARP {
 public:
  Variable* operator->() const { return variable_.get(); }
  explicit operator bool() const { return variable_ != nullptr; }

 private:
  std::shared_ptr<Variable> variable_;
};

VARP _Input(std::vector<int> shape, Dimensionformat order, halide_type_t type);
VARP _Convert(VARP variable, Dimensionformat order);

class Executor {
 public:
  Executor() = delete;
  void setCallBack(OpCallBack&& before, OpCallBack&& after);

  class RuntimeManager {
   public:
    RuntimeManager() = delete;
    static RuntimeManager* createRuntimeManager(const ScheduleConfig& config);
    static void destroy(RuntimeManager* runtime);
    void setMode(Interpreter::SessionMode mode);
    void setHint(Interpreter::HintMode hint, int value);
    std::vector<bool> isBackendSupport(std::vector<MNNForwardType> types);
  };
};

class ExecutorScope {
 public:
  ExecutorScope() = delete;
  static const std::shared_ptr<Executor> Current();
};

class Module {
 public:
  struct Config {
    bool dynamic = false;
    bool shapeMutable = true;
    bool rearrange = false;
    void* backend = nullptr;
    const Module* base = nullptr;
  };
  struct Info {
    std::vector<Variable::Info> inputs;
    Dimensionformat defaultFormat;
    std::shared_ptr<Executor::RuntimeManager> runtimeManager;
    std::vector<std::string> inputNames;
    std::vector<std::string> outputNames;
    std::string version;
    std::string bizCode;
    std::map<std::string, std::string> metaData;
    std::string uuid;
  };
  // The two virtual functions come first and in this order: onForward is slot 2 of MNN's table.
  virtual ~Module();
  virtual std::vector<VARP> onForward(const std::vector<VARP>& inputs) = 0;
  static Module* load(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
                      const char* file, const std::shared_ptr<Executor::RuntimeManager> runtime,
                      const Config* config);
  static void destroy(Module* module);
  const Info* getInfo() const;
};

}  // namespace Express

static_assert(sizeof(void*) == 8 && sizeof(std::string) == 8, "64 bits and the old string ABI");
static_assert(sizeof(halide_type_t) == 8, "code takes 4 bytes");
static_assert(sizeof(BackendConfig) == 24 && sizeof(ScheduleConfig) == 104, "MNN 3.6.1's configuration");
static_assert(sizeof(Express::Variable::Info) == 48 && sizeof(Express::Module::Info) == 168, "MNN 3.6.1's Info");
static_assert(sizeof(Express::VARP) == 16 && sizeof(Express::Module::Config) == 24, "MNN 3.6.1's Module");

}  // namespace MNN
