// SPDX-License-Identifier: BSD-3-Clause
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {
namespace {

bool names(const char* entry, std::string_view name) {
  return entry[0] == name[0] && std::strncmp(entry, name.data(), name.size()) == 0 && entry[name.size()] == '=';
}

/// Stays, as in the C library: the program may still have a pointer to what it replaces.
char* entry_of(std::string_view name, std::string_view value) {
  auto* const entry = new char[name.size() + value.size() + 2];
  char* end = std::ranges::copy(name, entry).out;
  *end++ = '=';
  end = std::ranges::copy(value, end).out;
  *end = '\0';
  return entry;
}

}  // namespace

void Environment::begin(char** process) {
  // Programs take apart what getenv gives them.
  for (char** entry = process; *entry != nullptr; ++entry) own_.push_back(copies_.emplace_back(*entry).data());
  own_.push_back(nullptr);
  variables_.environment() = own_.data();
}

char** Environment::find(std::string_view name) const {
  if (name.empty()) return nullptr;
  for (char** entry = table(); entry != nullptr && *entry != nullptr; ++entry) {
    if (names(*entry, name)) return entry;
  }
  return nullptr;
}

char* Environment::value(std::string_view name) {
  const std::lock_guard lock(guard_);
  char** const found = find(name);
  return found == nullptr ? nullptr : *found + name.size() + 1;
}

/// Somebody may be going through the table: it grows at its end, and one that is too short stays.
void Environment::append(char* entry) {
  std::size_t count = 0;
  while (table() != nullptr && table()[count] != nullptr) ++count;
  if (table() != own_.data() || count + 2 > own_.capacity()) {
    std::vector<char*> longer;
    longer.reserve(2 * (count + 2));
    longer.assign(table(), table() + count);
    new std::vector<char*>(std::exchange(own_, std::move(longer)));
  }
  own_.resize(count + 2);
  own_[count + 1] = nullptr;
  own_[count] = entry;
  variables_.environment() = own_.data();
}

void Environment::put(char* entry) {
  const std::string_view name(entry, std::strcspn(entry, "="));
  const std::lock_guard lock(guard_);
  if (char** const found = find(name))
    *found = entry;
  else
    append(entry);
}

void Environment::set(std::string_view name, std::string_view value, bool overwrite) {
  const std::lock_guard lock(guard_);
  char** const found = find(name);
  if (found != nullptr && !overwrite) return;
  if (found != nullptr)
    *found = entry_of(name, value);
  else
    append(entry_of(name, value));
}

void Environment::unset(std::string_view name) {
  const std::lock_guard lock(guard_);
  while (char** const found = find(name)) {
    char** entry = found;
    do entry[0] = entry[1];
    while (*entry++ != nullptr);
  }
}

void Environment::clear() {
  const std::lock_guard lock(guard_);
  variables_.environment() = nullptr;
}

std::string found_command(const std::string& file) {
  const char* const path = current->environment.value("PATH");
  if (file.empty() || file.find('/') != std::string::npos) return file;
  std::string_view rest = path == nullptr ? "/bin:/usr/bin" : path;
  for (;;) {
    const std::size_t end = rest.find(':');
    const std::string directory(rest.substr(0, end));
    std::string candidate = directory.empty() ? file : directory + "/" + file;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    if (end == std::string_view::npos) return file;
    rest.remove_prefix(end + 1);
  }
}

namespace {

/// @returns whether it can be the name of a variable; errno says that not
bool right(const char* name) {
  const bool good = name != nullptr && *name != '\0' && std::strchr(name, '=') == nullptr;
  if (!good) errno = EINVAL;
  return good;
}

/// The arguments after the first one, as exec's forms with an `l` have them.
std::vector<char*> words_of(const char* first, va_list rest) {
  std::vector<char*> words{const_cast<char*>(first)};
  while (words.back() != nullptr) words.push_back(va_arg(rest, char*));
  return words;
}

/// As execvpe, by the rank's own PATH. What the system cannot run is a script for the shell.
int execute(const char* file, char* const words[], char** environment) {
  const std::string path = current == nullptr ? file : found_command(file);
  execve(path.c_str(), words, environment);
  if (errno != ENOEXEC) return -1;
  std::vector<char*> of_shell{const_cast<char*>("sh"), const_cast<char*>(path.c_str())};
  for (char* const* word = words; *word != nullptr && *++word != nullptr;) of_shell.push_back(*word);
  of_shell.push_back(nullptr);
  return execve("/bin/sh", of_shell.data(), environment);
}

char** environment_of_caller() { return current == nullptr ? environ : current->environment.table(); }

}  // namespace
}  // namespace raddle::ranks

using raddle::ranks::current;

RADDLE_OWN char* getenv(const char* name) noexcept {
  return current == nullptr ? RADDLE_LIBC(getenv, name) : current->environment.value(name);
}

RADDLE_OWN char* secure_getenv(const char* name) noexcept { return getauxval(AT_SECURE) != 0 ? nullptr : getenv(name); }

RADDLE_OWN int setenv(const char* name, const char* value, int overwrite) noexcept {
  if (current == nullptr) return RADDLE_LIBC(setenv, name, value, overwrite);
  if (!raddle::ranks::right(name)) return -1;
  current->environment.set(name, value, overwrite != 0);
  return 0;
}

RADDLE_OWN int unsetenv(const char* name) noexcept {
  if (current == nullptr) return RADDLE_LIBC(unsetenv, name);
  if (!raddle::ranks::right(name)) return -1;
  current->environment.unset(name);
  return 0;
}

RADDLE_OWN int putenv(char* entry) noexcept {
  if (current == nullptr) return RADDLE_LIBC(putenv, entry);
  if (std::strchr(entry, '=') == nullptr)
    current->environment.unset(entry);
  else
    current->environment.put(entry);
  return 0;
}

RADDLE_OWN int clearenv() noexcept {
  if (current == nullptr) return RADDLE_LIBC(clearenv);
  current->environment.clear();
  return 0;
}

// Programs that are started get the environment of the rank.

RADDLE_OWN int execv(const char* path, char* const words[]) noexcept {
  return execve(path, words, raddle::ranks::environment_of_caller());
}

RADDLE_OWN int execvp(const char* file, char* const words[]) noexcept {
  return raddle::ranks::execute(file, words, raddle::ranks::environment_of_caller());
}

RADDLE_OWN int execvpe(const char* file, char* const words[], char* const environment[]) noexcept {
  return raddle::ranks::execute(file, words, const_cast<char**>(environment));
}

RADDLE_OWN int execl(const char* path, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> words = raddle::ranks::words_of(first, rest);
  va_end(rest);
  return execve(path, words.data(), raddle::ranks::environment_of_caller());
}

RADDLE_OWN int execlp(const char* file, const char* first, ...) noexcept {
  va_list rest;
  va_start(rest, first);
  const std::vector<char*> words = raddle::ranks::words_of(first, rest);
  va_end(rest);
  return raddle::ranks::execute(file, words.data(), raddle::ranks::environment_of_caller());
}
