// SPDX-License-Identifier: BSD-3-Clause
#include "platform/mpi_quirks.hpp"

#include <mpi.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <string>
#include <system_error>

#include "platform/must.hpp"

namespace raddle::platform {
namespace {

constexpr std::array table{
    // Each new communicator takes the next VCI, once MPIR_CVAR_CH4_NUM_VCIS > 1: no hint needed.
    MpiQuirks{.name = "mpich",
              .library_prefix = "MPICH",
              .lookups_race = true,
              .raises = Raises::on_self_if_set,
              .raises_since = "4.2",
              .scarce_communicators = true,
              .nothing_has_any_type = true,
              .misses_any_source =
                  MpiNetwork{.version = "5.", .device = "ch4:ucx", .variable = "MPIR_CVAR_CH4_NETMOD", .name = "ucx"}},
    // Matching is locked per communicator; there are no contexts to choose.
    MpiQuirks{.name = "openmpi",
              .library_prefix = "Open MPI",
              .overruns = true,
              .yields = true,
              .raises = Raises::on_world,
              .refuses_same_buffer = false,
              .sends_without_buffer = true,
              .refuses_short_bcast = false,
              .arg_for_in_place = true,
              .swaps_any_type = true,
              .calls_no_null_file = true},
    // I_MPI_THREAD_SPLIT: the key names the thread (and so the context) a communicator belongs to.
    MpiQuirks{.name = "intel",
              .library_prefix = "Intel(R) MPI",
              .lane_thread_key = "thread_id",
              .overruns = true,
              .spawn_crashes = true,
              .open_port_crashes = true,
              .raises = Raises::on_world,
              .refuses_short_bcast = false,
              .nothing_has_any_type = true},
};
constexpr MpiQuirks plain{.name = "other", .library_prefix = ""};

/// The first two numbers of the first version that a text names; 0 where there is none.
std::array<int, 2> version_in(std::string_view text) {
  std::array<int, 2> numbers{};
  const std::size_t begin = text.find_first_of("0123456789");
  if (begin == text.npos) return numbers;
  const char* at = text.data() + begin;
  const char* const end = text.data() + text.size();
  for (int& number : numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc{} || next == end || *next != '.') break;
    at = next + 1;
  }
  return numbers;
}

}  // namespace

const MpiQuirks& quirks_of(std::string_view library_version) {
  for (const MpiQuirks& entry : table) {
    if (library_version.starts_with(entry.library_prefix)) return entry;
  }
  return plain;
}

Raises raises(std::string_view library_version) {
  const MpiQuirks& entry = quirks_of(library_version);
  return version_in(library_version) < version_in(entry.raises_since) ? Raises::on_world : entry.raises;
}

bool uses(std::string_view library_version, const MpiNetwork& network, const char* chosen) {
  const std::size_t number = library_version.find_first_of("0123456789");
  if (number == library_version.npos || !library_version.substr(number).starts_with(network.version)) return false;
  if (chosen != nullptr) return chosen == network.name;
  constexpr std::string_view word = "Device:";
  const std::size_t devices = library_version.find(word);
  if (devices == library_version.npos) return false;
  const std::size_t first = library_version.find_first_not_of(" \t", devices + word.size());
  return first != library_version.npos && library_version.substr(first).starts_with(network.device);
}

namespace {

std::string library_version() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  must("MPI_Get_library_version", MPI_Get_library_version(version.data(), &length));
  return {version.data(), static_cast<std::size_t>(length)};
}

}  // namespace

const MpiQuirks& quirks() {
  static const MpiQuirks& mine = quirks_of(library_version());
  return mine;
}

Raises raises() {
  static const Raises mine = raises(library_version());
  return mine;
}

bool misses_any_source() {
  static const bool does = [] {
    const auto& network = quirks().misses_any_source;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): once, and the MPI has read it before
    return network && uses(library_version(), *network, std::getenv(std::string(network->variable).c_str()));
  }();
  return does;
}

}  // namespace raddle::platform
