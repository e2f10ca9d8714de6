// SPDX-License-Identifier: BSD-3-Clause
// What libraddle has beside the functions of MPI, where it is behind this library: endpoints, and threads that become
// ranks.
#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "profile/wrapper.hpp"
#include "raddle/raddle.h"

namespace profile = raddle::profile;

namespace {

template <typename Function>
Function* next(Function* /*like*/, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

void name_engine() {
  profile::ProcessArea* const area = profile::process;
  if (area == nullptr || area->engine[0] != '\0') return;
  const char* const engine = std::getenv("RADDLE_ENGINE");  // NOLINT(concurrency-mt-unsafe)
  std::snprintf(area->engine, sizeof area->engine, "%s", engine != nullptr ? engine : "direct");
}

}  // namespace

extern "C" {

RADDLE_ENTRY int MPIX_Comm_create_endpoints(MPI_Comm parent, int count, MPI_Info info, MPI_Comm newcomm[]) {
  const auto real = next(&MPIX_Comm_create_endpoints, __func__);
  if (real == nullptr) {
    std::fprintf(stderr, "raddle: %s is called, and libraddle is not in this process\n", __func__);
    std::abort();
  }
  profile::Call call(profile::create_endpoints, profile::bits(parent), __builtin_return_address(0));
  const int code = real(parent, count, info, newcomm);
  if (call.ends() && code == MPI_SUCCESS) {
    const auto number = static_cast<std::int64_t>(call.collectives());
    call.collective(-1);
    for (int i = 0; i < count; ++i) call.made(newcomm[i], number, profile::Made::endpoint);
    name_engine();
  }
  return code;
}

// What it calls meanwhile are no calls of the program.
RADDLE_ENTRY int Raddle_Ranks_create(int count, Raddle_Rank ranks[]) {
  const auto real = next(&Raddle_Ranks_create, __func__);
  if (real == nullptr) std::abort();
  profile::Local* const local = profile::mine;
  if (local != nullptr) ++local->depth;
  const int code = real(count, ranks);
  if (local != nullptr) --local->depth;
  return code;
}

RADDLE_ENTRY int Raddle_Rank_adopt(Raddle_Rank rank) {
  const auto real = next(&Raddle_Rank_adopt, __func__);
  if (real == nullptr) std::abort();
  const int code = real(rank);
  // The handles of this thread mean something else now.
  if (profile::mine != nullptr) --profile::mine->epoch;
  name_engine();
  return code;
}

}  // extern "C"
