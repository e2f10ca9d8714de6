// SPDX-License-Identifier: BSD-3-Clause
#include <fcntl.h>
#include <stdio_ext.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstring>
#include <cwchar>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {

bool Streams::open(Variables& variables, bool reads) {
  own_[0] = reads ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  own_[1] = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  own_[2] = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  constexpr const char* modes[] = {"r", "w", "w"};
  for (int i = 0; i < 3; ++i) {
    if (own_[i] < 0 && errno == EBADF) continue;  // the process has none
    standard_[i] = own_[i] < 0 ? nullptr : fdopen(own_[i], modes[i]);
    if (standard_[i] == nullptr) return false;
  }
  // Ranks write into one pipe, where processes have one each: a buffer that is full would go out in the middle of a
  // line.
  if (standard_[1] != nullptr) setvbuf(standard_[1], nullptr, _IOLBF, BUFSIZ);
  if (standard_[2] != nullptr) setvbuf(standard_[2], nullptr, _IONBF, 0);
  variables.in() = standard_[0] == nullptr ? stdin : standard_[0];
  variables.out() = standard_[1] == nullptr ? stdout : standard_[1];
  variables.error() = standard_[2] == nullptr ? stderr : standard_[2];
  return true;
}

void Streams::opened(FILE* stream) {
  const std::lock_guard lock(guard_);
  others_.insert(stream);
}

void Streams::forget(FILE* stream) {
  for (FILE*& standard : standard_) {
    if (standard == stream) standard = nullptr;
  }
  const std::lock_guard lock(guard_);
  others_.erase(stream);
}

void Streams::flush() {
  for (FILE* const standard : {standard_[1], standard_[2]}) {
    if (standard != nullptr) RADDLE_LIBC(fflush, standard);
  }
  const std::lock_guard lock(guard_);
  for (FILE* const stream : others_) {
    if (__fwriting(stream) != 0) RADDLE_LIBC(fflush, stream);  // of one that is read it would go back in the file
  }
}

namespace {

FILE* in() { return current == nullptr ? stdin : current->variables.in(); }
FILE* out() { return current == nullptr ? stdout : current->variables.out(); }
FILE* error() { return current == nullptr ? stderr : current->variables.error(); }

/// A stream that a program opens, which is its rank's.
FILE* kept(FILE* stream, const void* caller) {
  if (stream != nullptr && current != nullptr && is_in_a_copy(caller)) current->streams.opened(stream);
  return stream;
}

}  // namespace
}  // namespace raddle::ranks

// Functions that do not say which stream they mean.

using raddle::ranks::current;
using raddle::ranks::error;
using raddle::ranks::in;
using raddle::ranks::kept;
using raddle::ranks::out;

// The same work on a stream, of functions whose last arguments vary.
#define RADDLE_VARYING(call) \
  va_list rest;              \
  va_start(rest, format);    \
  const int done = call;     \
  va_end(rest);              \
  return done

extern "C" {
int __vfprintf_chk(FILE* stream, int flag, const char* format, va_list rest);
int __vfwprintf_chk(FILE* stream, int flag, const wchar_t* format, va_list rest);
}

RADDLE_OWN int printf(const char* format, ...) { RADDLE_VARYING(vfprintf(out(), format, rest)); }
RADDLE_OWN int vprintf(const char* format, va_list rest) { return vfprintf(out(), format, rest); }
RADDLE_OWN int __printf_chk(int flag, const char* format, ...) {
  RADDLE_VARYING(__vfprintf_chk(out(), flag, format, rest));
}
RADDLE_OWN int __vprintf_chk(int flag, const char* format, va_list rest) {
  return __vfprintf_chk(out(), flag, format, rest);
}
RADDLE_OWN int puts(const char* text) {
  if (current == nullptr) return RADDLE_LIBC(puts, text);
  FILE* const stream = out();
  flockfile(stream);
  const bool done = fputs_unlocked(text, stream) >= 0 && putc_unlocked('\n', stream) != EOF;
  funlockfile(stream);
  return done ? static_cast<int>(std::strlen(text)) + 1 : EOF;
}
RADDLE_OWN int putchar(int letter) { return putc(letter, out()); }
RADDLE_OWN int putchar_unlocked(int letter) { return putc_unlocked(letter, out()); }
RADDLE_OWN int wprintf(const wchar_t* format, ...) { RADDLE_VARYING(vfwprintf(out(), format, rest)); }
RADDLE_OWN int vwprintf(const wchar_t* format, va_list rest) { return vfwprintf(out(), format, rest); }
RADDLE_OWN int __wprintf_chk(int flag, const wchar_t* format, ...) {
  RADDLE_VARYING(__vfwprintf_chk(out(), flag, format, rest));
}
RADDLE_OWN int __vwprintf_chk(int flag, const wchar_t* format, va_list rest) {
  return __vfwprintf_chk(out(), flag, format, rest);
}
RADDLE_OWN wint_t putwchar(wchar_t letter) { return fputwc(letter, out()); }

RADDLE_OWN void perror(const char* what) {
  if (current == nullptr) return RADDLE_LIBC(perror, what);
  const bool named = what != nullptr && *what != '\0';
  std::fprintf(error(), "%s%s%s\n", named ? what : "", named ? ": " : "", strerror(errno));
}
RADDLE_OWN void psignal(int number, const char* what) {
  if (current == nullptr) return RADDLE_LIBC(psignal, number, what);
  const bool named = what != nullptr && *what != '\0';
  std::fprintf(error(), "%s%s%s\n", named ? what : "", named ? ": " : "", strsignal(number));
}

RADDLE_OWN int getchar() { return getc(in()); }
RADDLE_OWN int getchar_unlocked() { return getc_unlocked(in()); }
RADDLE_OWN wint_t getwchar() { return fgetwc(in()); }
extern "C" {
int own_scanf(const char* format, ...) __asm__("scanf");
int own_isoc99_scanf(const char* format, ...) __asm__("__isoc99_scanf");
int own_isoc23_scanf(const char* format, ...) __asm__("__isoc23_scanf");
int own_isoc99_wscanf(const wchar_t* format, ...) __asm__("__isoc99_wscanf");
int own_isoc23_wscanf(const wchar_t* format, ...) __asm__("__isoc23_wscanf");
int own_vscanf(const char* format, va_list rest) __asm__("vscanf");
int own_isoc99_vscanf(const char* format, va_list rest) __asm__("__isoc99_vscanf");
int own_isoc23_vscanf(const char* format, va_list rest) __asm__("__isoc23_vscanf");
int __isoc89_vfscanf(FILE* stream, const char* format, va_list rest) __asm__("vfscanf");
}

// Headers give scanf the name of the standard that a program is written for.
#define RADDLE_SCANF(prefix, reads, letter)                                             \
  extern "C" [[gnu::weak]] int reads(FILE* stream, const letter* format, va_list rest); \
  RADDLE_OWN int prefix(const letter* format, ...) { RADDLE_VARYING(reads(in(), format, rest)); }
#define RADDLE_VSCANF(prefix, reads, letter) \
  RADDLE_OWN int prefix(const letter* format, va_list rest) { return reads(in(), format, rest); }

RADDLE_SCANF(own_scanf, __isoc89_vfscanf, char)
RADDLE_SCANF(own_isoc99_scanf, __isoc99_vfscanf, char)
RADDLE_SCANF(own_isoc23_scanf, __isoc23_vfscanf, char)
RADDLE_SCANF(own_isoc99_wscanf, __isoc99_vfwscanf, wchar_t)
RADDLE_SCANF(own_isoc23_wscanf, __isoc23_vfwscanf, wchar_t)
RADDLE_VSCANF(own_vscanf, __isoc89_vfscanf, char)
RADDLE_VSCANF(own_isoc99_vscanf, __isoc99_vfscanf, char)
RADDLE_VSCANF(own_isoc23_vscanf, __isoc23_vfscanf, char)

// Streams that a program opens.

#define RADDLE_OPENS(function, ...) return kept(RADDLE_LIBC(function, __VA_ARGS__), __builtin_return_address(0))

RADDLE_OWN FILE* fopen(const char* path, const char* mode) { RADDLE_OPENS(fopen, path, mode); }
RADDLE_OWN FILE* fopen64(const char* path, const char* mode) { RADDLE_OPENS(fopen64, path, mode); }
RADDLE_OWN FILE* tmpfile() { return kept(RADDLE_LIBC(tmpfile), __builtin_return_address(0)); }
RADDLE_OWN FILE* tmpfile64() { return kept(RADDLE_LIBC(tmpfile64), __builtin_return_address(0)); }
RADDLE_OWN FILE* fmemopen(void* data, std::size_t bytes, const char* mode) noexcept {
  RADDLE_OPENS(fmemopen, data, bytes, mode);
}
RADDLE_OWN FILE* open_memstream(char** data, std::size_t* bytes) noexcept { RADDLE_OPENS(open_memstream, data, bytes); }
RADDLE_OWN FILE* open_wmemstream(wchar_t** data, std::size_t* count) noexcept {
  RADDLE_OPENS(open_wmemstream, data, count);
}
RADDLE_OWN FILE* fdopen(int descriptor, const char* mode) noexcept {
  const int own = current == nullptr ? descriptor : current->streams.descriptor(descriptor);
  RADDLE_OPENS(fdopen, own, mode);
}

RADDLE_OWN int fclose(FILE* stream) {
  if (current != nullptr) current->streams.forget(stream);
  return RADDLE_LIBC(fclose, stream);
}

// Of all streams it is those of the rank that are written: another rank that reads keeps its own for itself.
RADDLE_OWN int fflush(FILE* stream) {
  if (stream != nullptr || current == nullptr) return RADDLE_LIBC(fflush, stream);
  current->streams.flush();
  return 0;
}
