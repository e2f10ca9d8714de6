// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/static_tls.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace raddle::ranks {
namespace {

constexpr const char* variable = "GLIBC_TUNABLES";  // of the C library's manual, "Dynamic Linking Tunables"
constexpr std::string_view tunable = "glibc.rtld.optional_static_tls=";
/// What there is without being asked for.
constexpr std::uint64_t usual = 512;

}  // namespace

void reserve_static_tls(Closure& files, int copies, char** command) {
  std::uint64_t each = 0;
  for (PrivateFile& file : files.files) each += file.image().static_tls();
  const std::uint64_t all = each * static_cast<std::uint64_t>(copies);
  if (all <= usual) return;
  // NOLINTBEGIN(concurrency-mt-unsafe): one thread
  const char* const found = std::getenv(variable);
  std::string set = found == nullptr ? "" : found;
  const std::string own = std::string(tunable) + std::to_string(usual + all);
  if (set.ends_with(own)) {
    set.resize(set.size() - own.size());
    if (set.ends_with(':')) set.pop_back();
    if (set.empty())
      unsetenv(variable);
    else
      setenv(variable, set.c_str(), 1);
    return;
  }
  setenv(variable, (set.empty() ? own : set + ":" + own).c_str(), 1);
  execv("/proc/self/exe", command);
  // The loader says what is missing, if anything is.
  found == nullptr ? unsetenv(variable) : setenv(variable, set.c_str(), 1);
  // NOLINTEND(concurrency-mt-unsafe)
}

}  // namespace raddle::ranks
