// SPDX-License-Identifier: BSD-3-Clause
// Before main: whether this process is the program's or one of its proxies, which go on as a program of their own.
#include <dlfcn.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "engines/proxy/proxies.hpp"
#include "platform/settings.hpp"

namespace raddle::proxy {
namespace {

/// Where launchers tell a process its rank: Hydra and PMI-1 or PMI-2, PRRTE, Slurm.
constexpr std::array rank_variables{"PMI_RANK", "PMIX_RANK", "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};

/// -1: no launcher has started it.
int rank_of_this_process() {
  for (const char* const name : rank_variables) {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): there is one thread
    int rank = 0;
    if (value == nullptr) continue;
    const auto [end, error] = std::from_chars(value, value + std::strlen(value), rank);
    if (error == std::errc{} && *end == '\0') return rank;
  }
  return -1;
}

/// Of what is preloaded: proxies call their MPI as it is.
void leave_out(std::string_view library) {
  constexpr const char* name = "LD_PRELOAD";
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr) return;
  std::string others;
  std::string_view rest = value;
  while (!rest.empty()) {
    const std::size_t end = rest.find_first_of(": ");
    const std::string_view one = rest.substr(0, end);
    if (one != library && !one.empty()) others.append(others.empty() ? "" : ":").append(one);
    rest = end == std::string_view::npos ? "" : rest.substr(end + 1);
  }
  if (others.empty()) {
    unsetenv(name);  // NOLINT(concurrency-mt-unsafe)
  } else {
    setenv(name, others.c_str(), 1);  // NOLINT(concurrency-mt-unsafe)
  }
}

/// bin/raddle-proxy beside the lib/ that the library is in.
std::string program_of(std::string_view library) {
  const std::size_t file = library.rfind('/');
  const std::string lib(file == std::string_view::npos ? "." : library.substr(0, file));
  return lib + "/../bin/raddle-proxy";
}

}  // namespace

std::string program_beside(const void* library) {
  Dl_info found{};
  return dladdr(library, &found) == 0 ? "raddle-proxy" : program_of(found.dli_fname);
}

void become_proxy_if_it_is_one(const void* library) {
  int proxies = 0;
  try {
    const platform::Settings& settings = platform::settings();
    proxies = settings.proxy_start == platform::ProxyStart::split ? settings.proxies : 0;
  } catch (const platform::SettingsError&) {
    return;  // said when MPI begins
  }
  if (proxies == 0) return;
  const int rank = rank_of_this_process();
  Dl_info found{};
  if (rank < 0 || rank % (1 + proxies) == 0 || dladdr(library, &found) == 0) return;
  leave_out(found.dli_fname);
  const std::string program = program_of(found.dli_fname);
  char name[] = "raddle-proxy";
  char* const arguments[] = {name, nullptr};
  execv(program.c_str(), arguments);
  std::fprintf(stderr, "raddle: %s, the program of proxies, cannot be started: %s\n", program.c_str(),
               std::strerror(errno));  // NOLINT(concurrency-mt-unsafe)
  _exit(1);
}

}  // namespace raddle::proxy
