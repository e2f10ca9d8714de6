// SPDX-License-Identifier: BSD-3-Clause
// Descriptors 0, 1 and 2, which are a rank's own under the numbers that programs know them by.
#include <fcntl.h>
#include <pthread.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {

int Streams::close(int number) {
  if (closed_[number]) {
    errno = EBADF;
    return -1;
  }
  const int nowhere = RADDLE_LIBC(open, "/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere < 0) return -1;
  RADDLE_LIBC(dup3, nowhere, own_[number], O_CLOEXEC);
  closed_[number] = true;
  if (doubled_) RADDLE_LIBC(close, number);
  return RADDLE_LIBC(close, nowhere);
}

int Streams::replace(int number, int descriptor) {
  if (descriptor == own_[number]) return number;
  if (RADDLE_LIBC(dup3, descriptor, own_[number], O_CLOEXEC) < 0) return -1;
  closed_[number] = false;
  if (doubled_) RADDLE_LIBC(dup2, own_[number], number);
  return number;
}

void Streams::double_numbers() {
  doubled_ = true;
  for (int number = 0; number <= 2; ++number) {
    if (!has(number)) continue;
    if (closed_[number])
      RADDLE_LIBC(close, number);
    else
      RADDLE_LIBC(dup2, own_[number], number);
  }
}

int Streams::numbered(int descriptor, int least) {
  for (int number = std::max(least, 0); number <= 2; ++number) {
    if (!has(number) || !closed_[number]) continue;
    const int got = replace(number, descriptor);
    RADDLE_LIBC(close, descriptor);
    return got;
  }
  return descriptor;
}

int Streams::give(posix_spawn_file_actions_t& actions, int instead_of, int descriptor) const {
  int error = 0;
  for (int number = 0; error == 0 && number <= 2; ++number) {
    const int own = number == instead_of ? descriptor : this->descriptor(number);
    if (own < 0)
      error = posix_spawn_file_actions_addclose(&actions, number);
    else if (own != number)
      error = posix_spawn_file_actions_adddup2(&actions, own, number);
  }
  return error;
}

namespace {

[[maybe_unused]] const int given_to_children = pthread_atfork(
    [] {
      if (current != nullptr) current->streams.hold();
    },
    [] {
      if (current != nullptr) current->streams.release();
    },
    [] {
      if (current == nullptr) return;
      current->streams.release();
      current->streams.double_numbers();
    });

int own(int descriptor) { return current == nullptr ? descriptor : current->streams.descriptor(descriptor); }

bool is_own(int descriptor) { return current != nullptr && current->streams.has(descriptor); }

/// What a program gets that opens a descriptor. What a library of all ranks opens keeps its number.
int numbered(int descriptor, const void* caller, int least = 0) {
  if (descriptor < 0 || current == nullptr || !current->streams.any_closed() || !is_in_a_copy(caller))
    return descriptor;
  return current->streams.numbered(descriptor, least);
}

/// The argument that open() has only where it makes a file.
mode_t mode_of(int flags, va_list rest) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0;
}

}  // namespace
}  // namespace raddle::ranks

using raddle::ranks::current;
using raddle::ranks::is_own;
using raddle::ranks::mode_of;
using raddle::ranks::numbered;
using raddle::ranks::own;

#define RADDLE_NUMBERED(call) return numbered(call, __builtin_return_address(0))

#define RADDLE_OPEN(function, at)           \
  va_list rest;                             \
  va_start(rest, flags);                    \
  const mode_t mode = mode_of(flags, rest); \
  va_end(rest);                             \
  RADDLE_NUMBERED(RADDLE_LIBC(function, at path, flags, mode))

#define RADDLE_COMMA ,

RADDLE_OWN int open(const char* path, int flags, ...) { RADDLE_OPEN(open, ); }
RADDLE_OWN int open64(const char* path, int flags, ...) { RADDLE_OPEN(open64, ); }
RADDLE_OWN int openat(int directory, const char* path, int flags, ...) {
  RADDLE_OPEN(openat, own(directory) RADDLE_COMMA);
}
RADDLE_OWN int openat64(int directory, const char* path, int flags, ...) {
  RADDLE_OPEN(openat64, own(directory) RADDLE_COMMA);
}
RADDLE_OWN int creat(const char* path, mode_t mode) { RADDLE_NUMBERED(RADDLE_LIBC(creat, path, mode)); }
RADDLE_OWN int creat64(const char* path, mode_t mode) { RADDLE_NUMBERED(RADDLE_LIBC(creat64, path, mode)); }
RADDLE_OWN int socket(int domain, int type, int protocol) noexcept {
  RADDLE_NUMBERED(RADDLE_LIBC(socket, domain, type, protocol));
}

namespace {

int both_numbered(int done, int both[2], const void* caller) {
  for (int i = 0; done == 0 && i < 2; ++i) both[i] = numbered(both[i], caller);
  return done;
}

}  // namespace

RADDLE_OWN int pipe(int both[2]) noexcept {
  return both_numbered(RADDLE_LIBC(pipe, both), both, __builtin_return_address(0));
}
RADDLE_OWN int pipe2(int both[2], int flags) noexcept {
  return both_numbered(RADDLE_LIBC(pipe2, both, flags), both, __builtin_return_address(0));
}

RADDLE_OWN int close(int descriptor) {
  return is_own(descriptor) ? current->streams.close(descriptor) : RADDLE_LIBC(close, descriptor);
}
RADDLE_OWN int dup(int descriptor) noexcept { RADDLE_NUMBERED(RADDLE_LIBC(dup, own(descriptor))); }
RADDLE_OWN int dup2(int from, int to) noexcept {
  if (from == to) return RADDLE_LIBC(fcntl, own(from), F_GETFD) < 0 ? -1 : to;
  return is_own(to) ? current->streams.replace(to, own(from)) : RADDLE_LIBC(dup2, own(from), to);
}
RADDLE_OWN int dup3(int from, int to, int flags) noexcept {
  if (from == to || !is_own(to)) return RADDLE_LIBC(dup3, from == to ? to : own(from), to, flags);
  return current->streams.replace(to, own(from));
}

#define RADDLE_FCNTL(function)                                                \
  va_list rest;                                                               \
  va_start(rest, command);                                                    \
  void* const argument = va_arg(rest, void*);                                 \
  va_end(rest);                                                               \
  const int done = RADDLE_LIBC(function, own(descriptor), command, argument); \
  if (command != F_DUPFD && command != F_DUPFD_CLOEXEC) return done;          \
  return numbered(done, __builtin_return_address(0), static_cast<int>(reinterpret_cast<std::intptr_t>(argument)))

RADDLE_OWN int fcntl(int descriptor, int command, ...) { RADDLE_FCNTL(fcntl); }
RADDLE_OWN int fcntl64(int descriptor, int command, ...) { RADDLE_FCNTL(fcntl64); }

RADDLE_OWN int ioctl(int descriptor, unsigned long request, ...) noexcept {
  va_list rest;
  va_start(rest, request);
  void* const argument = va_arg(rest, void*);
  va_end(rest);
  return RADDLE_LIBC(ioctl, own(descriptor), request, argument);
}

// Functions that only have to know which descriptor is meant.

#define RADDLE_OF_DESCRIPTOR(result, function, parameters, ...) \
  RADDLE_OWN result function parameters { return RADDLE_LIBC(function, own(descriptor), __VA_ARGS__); }

RADDLE_OF_DESCRIPTOR(ssize_t, read, (int descriptor, void* data, std::size_t bytes), data, bytes)
RADDLE_OF_DESCRIPTOR(ssize_t, write, (int descriptor, const void* data, std::size_t bytes), data, bytes)
RADDLE_OF_DESCRIPTOR(ssize_t, readv, (int descriptor, const iovec* parts, int count), parts, count)
RADDLE_OF_DESCRIPTOR(ssize_t, writev, (int descriptor, const iovec* parts, int count), parts, count)
RADDLE_OF_DESCRIPTOR(ssize_t, pread, (int descriptor, void* data, std::size_t bytes, off_t at), data, bytes, at)
RADDLE_OF_DESCRIPTOR(ssize_t, pread64, (int descriptor, void* data, std::size_t bytes, off64_t at), data, bytes, at)
RADDLE_OF_DESCRIPTOR(ssize_t, pwrite, (int descriptor, const void* data, std::size_t bytes, off_t at), data, bytes, at)
RADDLE_OF_DESCRIPTOR(ssize_t, pwrite64, (int descriptor, const void* data, std::size_t bytes, off64_t at), data, bytes,
                     at)
RADDLE_OF_DESCRIPTOR(off_t, lseek, (int descriptor, off_t offset, int whence) noexcept, offset, whence)
RADDLE_OF_DESCRIPTOR(off64_t, lseek64, (int descriptor, off64_t offset, int whence) noexcept, offset, whence)
RADDLE_OF_DESCRIPTOR(int, ftruncate, (int descriptor, off_t bytes) noexcept, bytes)
RADDLE_OF_DESCRIPTOR(int, ftruncate64, (int descriptor, off64_t bytes) noexcept, bytes)
RADDLE_OF_DESCRIPTOR(int, fstat, (int descriptor, struct stat* about) noexcept, about)
RADDLE_OF_DESCRIPTOR(int, fstat64, (int descriptor, struct stat64* about) noexcept, about)
RADDLE_OF_DESCRIPTOR(int, flock, (int descriptor, int operation) noexcept, operation)
RADDLE_OWN int fsync(int descriptor) { return RADDLE_LIBC(fsync, own(descriptor)); }
RADDLE_OWN int fdatasync(int descriptor) { return RADDLE_LIBC(fdatasync, own(descriptor)); }
RADDLE_OWN int isatty(int descriptor) noexcept { return RADDLE_LIBC(isatty, own(descriptor)); }

extern "C" int __vdprintf_chk(int descriptor, int flag, const char* format, va_list rest);

RADDLE_OWN int vdprintf(int descriptor, const char* format, va_list rest) {
  return RADDLE_LIBC(vdprintf, own(descriptor), format, rest);
}
RADDLE_OWN int dprintf(int descriptor, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  const int done = RADDLE_LIBC(vdprintf, own(descriptor), format, rest);
  va_end(rest);
  return done;
}
RADDLE_OWN int __dprintf_chk(int descriptor, int flag, const char* format, ...) {
  va_list rest;
  va_start(rest, format);
  const int done = __vdprintf_chk(own(descriptor), flag, format, rest);
  va_end(rest);
  return done;
}
