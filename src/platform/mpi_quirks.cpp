// SPDX-License-Identifier: BSD-3-Clause
#include "platform/mpi_quirks.hpp"

#include <mpi.h>

#include <array>

namespace raddle::platform {
namespace {

constexpr std::array table{
    // Each new communicator takes the next VCI, once MPIR_CVAR_CH4_NUM_VCIS > 1: no hint needed.
    MpiQuirks{"mpich", "MPICH", std::nullopt},
    // Matching is locked per communicator; there are no contexts to choose.
    MpiQuirks{"openmpi", "Open MPI", std::nullopt, true, false, true, false},
    // I_MPI_THREAD_SPLIT: the key names the thread (and so the context) a communicator belongs to.
    MpiQuirks{"intel", "Intel(R) MPI", "thread_id", true, true},
};
constexpr MpiQuirks plain{"other", "", std::nullopt};

}  // namespace

const MpiQuirks& quirks_of(std::string_view library_version) {
  for (const MpiQuirks& entry : table) {
    if (library_version.starts_with(entry.library_prefix)) return entry;
  }
  return plain;
}

const MpiQuirks& quirks() {
  static const MpiQuirks& mine = []() -> const MpiQuirks& {
    std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
    int length = 0;
    MPI_Get_library_version(version.data(), &length);
    return quirks_of({version.data(), static_cast<std::size_t>(length)});
  }();
  return mine;
}

}  // namespace raddle::platform
