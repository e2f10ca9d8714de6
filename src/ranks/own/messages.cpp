// SPDX-License-Identifier: BSD-3-Clause
// Messages of a program to its stderr that may end it (err(3), error(3)): the C library would end the process.
#include <err.h>
#include <error.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace {

using raddle::ranks::current;
using raddle::ranks::exit_program;

/// A line that is written in one piece, though its stream keeps nothing back.
class Line {
 public:
  Line() : line_(open_memstream(&text_, &bytes_)) {}
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (line_ == nullptr) return;  // no memory
    std::fputc('\n', line_);
    std::fclose(line_);
    std::fwrite(text_, 1, bytes_, current == nullptr ? stderr : current->variables.error());
    std::free(text_);
  }

  [[gnu::format(printf, 2, 3)]] void add(const char* format, ...) {
    va_list rest;
    va_start(rest, format);
    add(format, rest);
    va_end(rest);
  }
  [[gnu::format(printf, 2, 0)]] void add(const char* format, va_list rest) {
    if (line_ != nullptr) std::vfprintf(line_, format, rest);
  }

 private:
  char* text_ = nullptr;
  std::size_t bytes_ = 0;
  FILE* line_;
};

/// @param error  of errno's; nullptr: none
void tell(const char* format, va_list rest, const int* error) {
  Line line;
  line.add("%s: ", program_invocation_short_name);
  if (format != nullptr) line.add(format, rest);
  if (error != nullptr) line.add("%s%s", format == nullptr ? "" : ": ", strerror(*error));
}

/// As error_at_line(3). @param file  nullptr: no line is named
void tell_at(const char* file, unsigned number, int error, const char* format, va_list rest) {
  std::fflush(current == nullptr ? stdout : current->variables.out());
  Line line;
  line.add("%s:", program_invocation_name);
  if (file == nullptr)
    line.add(" ");
  else
    line.add("%s:%u: ", file, number);
  line.add(format, rest);
  if (error != 0) line.add(": %s", strerror(error));
  ++std::atomic_ref(current == nullptr ? error_message_count : current->variables.error_count());
}

}  // namespace

#define RADDLE_TELL(call) \
  va_list rest;           \
  va_start(rest, format); \
  call;                   \
  va_end(rest)

RADDLE_OWN void vwarn(const char* format, va_list rest) {
  const int error = errno;
  tell(format, rest, &error);
}
RADDLE_OWN void vwarnx(const char* format, va_list rest) { tell(format, rest, nullptr); }
RADDLE_OWN void warn(const char* format, ...) { RADDLE_TELL(vwarn(format, rest)); }
RADDLE_OWN void warnx(const char* format, ...) { RADDLE_TELL(vwarnx(format, rest)); }

RADDLE_OWN void verr(int status, const char* format, va_list rest) {
  vwarn(format, rest);
  exit_program(status);
}
RADDLE_OWN void verrx(int status, const char* format, va_list rest) {
  vwarnx(format, rest);
  exit_program(status);
}
RADDLE_OWN void err(int status, const char* format, ...) {
  RADDLE_TELL(vwarn(format, rest));
  exit_program(status);
}
RADDLE_OWN void errx(int status, const char* format, ...) {
  RADDLE_TELL(vwarnx(format, rest));
  exit_program(status);
}

RADDLE_OWN void error(int status, int number, const char* format, ...) {
  RADDLE_TELL(tell_at(nullptr, 0, number, format, rest));
  if (status != 0) exit_program(status);
}
RADDLE_OWN void error_at_line(int status, int number, const char* file, unsigned line, const char* format, ...) {
  // The C library's own: of several messages about one line in a row only the first is written.
  thread_local const char* last_file = nullptr;
  thread_local unsigned last_line = 0;
  const bool again =
      line == last_line &&
      (file == last_file || (file != nullptr && last_file != nullptr && std::strcmp(file, last_file) == 0));
  last_file = file;
  last_line = line;
  if (again && (current == nullptr ? error_one_per_line : current->variables.error_one_per_line()) != 0) return;
  RADDLE_TELL(tell_at(file, line, number, format, rest));
  if (status != 0) exit_program(status);
}
