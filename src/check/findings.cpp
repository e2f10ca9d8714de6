// SPDX-License-Identifier: BSD-3-Clause
#include "check/findings.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <map>
#include <system_error>
#include <tuple>

#include "check/site.hpp"
#include "profile/next.hpp"

namespace raddle::check {
namespace {

struct WrittenFinding {
  std::uint64_t number;
  std::uint64_t times;
};
using Key = std::tuple<std::string, const void*, const void*>;
auto& all = *new std::map<Key, WrittenFinding>;
int file = -1;
bool has_failed = false;

/// The directory. Not destroyed, and there before constructors of this library have run.
std::string& place() {
  static auto* const made = new std::string;
  return *made;
}

bool is_open() {
  if (file >= 0 || has_failed) return file >= 0;
  const std::string path = place() + "/" + std::to_string(process.rank) + "." + std::to_string(getpid()) + ".jsonl";
  file = open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file >= 0) return true;
  has_failed = true;
  std::fprintf(stderr, "raddle: process %ld is not checked: cannot write %s: %s\n", static_cast<long>(getpid()),
               path.c_str(), std::generic_category().message(errno).c_str());
  return false;
}

}  // namespace

void write_into(const char* directory) { place() = directory; }

void write_line(const std::string& text) {
  if (!is_open()) return;
  const std::string line = text + "\n";
  const int why = errno;
  if (write(file, line.data(), line.size()) < 0) has_failed = true;
  errno = why;
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char character : text) {
    char escaped[8];
    const auto code = static_cast<unsigned char>(character);
    if (code < 0x20 || code == '"' || code == '\\' || code >= 0x7f) {
      std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
      made += escaped;
    } else {
      made += character;
    }
  }
  return made + "\"";
}

namespace {

const char* name_of(std::uint32_t function) {
  switch (function) {
    case other_functions::free:
      return "free";
    case other_functions::realloc:
      return "realloc";
    case other_functions::munmap:
      return "munmap";
    default:
      return profile::names[function];
  }
}

}  // namespace

std::string told(const Site& site) {
  const Thread* const thread = threads()[static_cast<std::size_t>(site.thread)];
  const ModuleOffset where = module_offset_of(site.caller);
  return R"("function":)" + quoted(name_of(site.function)) + R"(,"thread":)" + std::to_string(thread->index) +
         R"(,"name":)" + quoted(thread->name) + R"(,"tid":)" + std::to_string(thread->tid) + R"(,"module":)" +
         quoted(where.module) + R"(,"offset":)" + std::to_string(where.offset);
}

void found(const Finding& one) {
  const auto [at, is_new] =
      all.try_emplace({one.rule, one.site.caller, one.other.caller}, WrittenFinding{all.size(), one.times});
  if (!is_new) {
    at->second.times += one.times;
    return;
  }
  std::string line = R"({"record":"finding","id":)" + std::to_string(at->second.number) + R"(,"rule":")" + one.rule +
                     R"(","rank":)" + std::to_string(process.rank) + "," + told(one.site) + one.detail;
  if (one.other.thread >= 0) line += R"(,"other":{)" + told(one.other) + "}";
  write_line(line + "}");
}

void write_counts() {
  for (const auto& [key, known] : all) {
    write_line(R"({"record":"count","id":)" + std::to_string(known.number) + R"(,"times":)" +
               std::to_string(known.times) + "}");
  }
}

}  // namespace raddle::check
