// SPDX-License-Identifier: BSD-3-Clause
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <string>

#include "ranks/own/libc.hpp"
#include "ranks/process.hpp"

namespace {

using raddle::ranks::current;

/// The C library reads the zone of time from the process's environment, into variables that all threads share: while it
/// does a rank's work the process has the rank's zone.
class Zone {
 public:
  Zone() : lock_(guard_) {
    const char* const own = current->environment.value("TZ");
    const char* const set = RADDLE_LIBC(getenv, "TZ");
    if (own == nullptr && set != nullptr) RADDLE_LIBC(unsetenv, "TZ");
    if (own != nullptr && (set == nullptr || std::strcmp(own, set) != 0)) RADDLE_LIBC(setenv, "TZ", own, 1);
    RADDLE_LIBC(tzset);
  }

 private:
  static inline std::mutex guard_;
  std::lock_guard<std::mutex> lock_;
};

/// What a function with an `_r` finds, which asks for more room as long as there is not enough.
template <typename Found, typename Ask>
Found* found_in(std::vector<char>& texts, Ask&& ask) {
  if (texts.empty()) texts.resize(1024);
  for (;;) {
    Found* found = nullptr;
    const int error = ask(texts.data(), texts.size(), &found);
    if (error != ERANGE) {
      if (error != 0) errno = error;
      return found;
    }
    texts.resize(2 * texts.size());
  }
}

}  // namespace

RADDLE_OWN char* strtok(char* text, const char* between) noexcept {
  if (current == nullptr) return RADDLE_LIBC(strtok, text, between);
  return strtok_r(text, between, &current->results.rest_of_words);
}

RADDLE_OWN std::tm* gmtime(const std::time_t* when) noexcept {
  if (current == nullptr) return RADDLE_LIBC(gmtime, when);
  return gmtime_r(when, &current->results.time);
}

RADDLE_OWN std::tm* localtime_r(const std::time_t* when, std::tm* result) noexcept {
  if (current == nullptr) return RADDLE_LIBC(localtime_r, when, result);
  const Zone zone;
  return RADDLE_LIBC(localtime_r, when, result);
}

RADDLE_OWN std::tm* localtime(const std::time_t* when) noexcept {
  if (current == nullptr) return RADDLE_LIBC(localtime, when);
  return localtime_r(when, &current->results.time);
}

RADDLE_OWN std::time_t mktime(std::tm* time) noexcept {
  if (current == nullptr) return RADDLE_LIBC(mktime, time);
  const Zone zone;
  return RADDLE_LIBC(mktime, time);
}

RADDLE_OWN void tzset() noexcept {
  if (current == nullptr) return RADDLE_LIBC(tzset);
  const Zone zone;
}

RADDLE_OWN char* asctime(const std::tm* time) noexcept {
  if (current == nullptr) return RADDLE_LIBC(asctime, time);
  return asctime_r(time, current->results.time_text);
}

RADDLE_OWN char* ctime(const std::time_t* when) noexcept {
  if (current == nullptr) return RADDLE_LIBC(ctime, when);
  const std::tm* const time = localtime(when);
  return time == nullptr ? nullptr : asctime(time);
}

RADDLE_OWN char* ctime_r(const std::time_t* when, char* text) noexcept {
  if (current == nullptr) return RADDLE_LIBC(ctime_r, when, text);
  std::tm time{};
  return localtime_r(when, &time) == nullptr ? nullptr : asctime_r(&time, text);
}

RADDLE_OWN char* tmpnam(char* name) noexcept {
  if (current == nullptr) return RADDLE_LIBC(tmpnam, name);
  char* const own = name == nullptr ? current->results.file_name : name;
  return RADDLE_LIBC(tmpnam, own);
}

RADDLE_OWN char* ecvt(double value, int digits, int* point, int* sign) noexcept {
  if (current == nullptr) return RADDLE_LIBC(ecvt, value, digits, point, sign);
  char* const text = current->results.number;
  return ecvt_r(value, digits, point, sign, text, sizeof current->results.number) < 0 ? nullptr : text;
}

RADDLE_OWN char* fcvt(double value, int digits, int* point, int* sign) noexcept {
  if (current == nullptr) return RADDLE_LIBC(fcvt, value, digits, point, sign);
  char* const text = current->results.number;
  return fcvt_r(value, digits, point, sign, text, sizeof current->results.number) < 0 ? nullptr : text;
}

RADDLE_OWN passwd* getpwnam(const char* name) {
  if (current == nullptr) return RADDLE_LIBC(getpwnam, name);
  auto& own = current->results;
  return found_in<passwd>(own.user_texts, [&](char* texts, std::size_t bytes, passwd** found) {
    return getpwnam_r(name, &own.user, texts, bytes, found);
  });
}

RADDLE_OWN passwd* getpwuid(uid_t user) {
  if (current == nullptr) return RADDLE_LIBC(getpwuid, user);
  auto& own = current->results;
  return found_in<passwd>(own.user_texts, [&](char* texts, std::size_t bytes, passwd** found) {
    return getpwuid_r(user, &own.user, texts, bytes, found);
  });
}

RADDLE_OWN group* getgrnam(const char* name) {
  if (current == nullptr) return RADDLE_LIBC(getgrnam, name);
  auto& own = current->results;
  return found_in<group>(own.group_texts, [&](char* texts, std::size_t bytes, group** found) {
    return getgrnam_r(name, &own.users, texts, bytes, found);
  });
}

RADDLE_OWN group* getgrgid(gid_t users) {
  if (current == nullptr) return RADDLE_LIBC(getgrgid, users);
  auto& own = current->results;
  return found_in<group>(own.group_texts, [&](char* texts, std::size_t bytes, group** found) {
    return getgrgid_r(users, &own.users, texts, bytes, found);
  });
}

RADDLE_OWN hostent* gethostbyname(const char* name) {
  if (current == nullptr) return RADDLE_LIBC(gethostbyname, name);
  auto& own = current->results;
  return found_in<hostent>(own.host_texts, [&](char* texts, std::size_t bytes, hostent** found) {
    return gethostbyname_r(name, &own.host, texts, bytes, found, &h_errno);
  });
}

// The sign of the gamma function goes into a variable.

RADDLE_OWN double lgamma(double x) noexcept {
  return current == nullptr ? RADDLE_LIBC(lgamma, x) : lgamma_r(x, &current->variables.signgam());
}

RADDLE_OWN float lgammaf(float x) noexcept {
  return current == nullptr ? RADDLE_LIBC(lgammaf, x) : lgammaf_r(x, &current->variables.signgam());
}

RADDLE_OWN long double lgammal(long double x) noexcept {
  return current == nullptr ? RADDLE_LIBC(lgammal, x) : lgammal_r(x, &current->variables.signgam());
}

RADDLE_OWN double gamma(double x) noexcept { return lgamma(x); }
