// A disk that is full: whatever writes to a path that begins with FULL_FOLDER gets ENOSPC. For LD_PRELOAD.
#include <dlfcn.h>
#include <sys/sendfile.h>
#include <sys/statvfs.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

bool below(const char *path) {
  const char *folder = std::getenv("FULL_FOLDER");
  return folder != nullptr && std::strncmp(path, folder, std::strlen(folder)) == 0;
}

bool is_full(int descriptor) {
  char link[64];
  char path[4096];
  std::snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  const ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return false;
  path[length] = 0;
  return below(path);
}

}  // namespace

#define REAL(name) (reinterpret_cast<decltype(&name)>(dlsym(RTLD_NEXT, #name)))
#define REFUSE(descriptor)   \
  if (is_full(descriptor)) { \
    errno = ENOSPC;          \
    return -1;               \
  }

extern "C" {

ssize_t write(int descriptor, const void *data, size_t size) {
  REFUSE(descriptor)
  return REAL(write)(descriptor, data, size);
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  REFUSE(descriptor)
  return REAL(writev)(descriptor, parts, count);
}

ssize_t sendfile64(int to, int from, off64_t *offset, size_t count) {
  REFUSE(to)
  return REAL(sendfile64)(to, from, offset, count);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  REFUSE(to)
  return REAL(sendfile)(to, from, offset, count);
}

int statvfs64(const char *path, struct statvfs64 *told) {
  const int code = REAL(statvfs64)(path, told);
  if (code == 0 && below(path)) told->f_bavail = told->f_bfree = 0;
  return code;
}

int statvfs(const char *path, struct statvfs *told) {
  const int code = REAL(statvfs)(path, told);
  if (code == 0 && below(path)) told->f_bavail = told->f_bfree = 0;
  return code;
}

}  // extern "C"
