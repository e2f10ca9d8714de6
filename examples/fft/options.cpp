// SPDX-License-Identifier: BSD-3-Clause
#include "options.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>
#include <string_view>
#include <system_error>

namespace fft {
namespace {

constexpr std::array<const char*, 4> names{"process", "master", "thread", "endpoint"};

/// A positive number and nothing else.
bool number_from(std::string_view word, int& number) {
  const char* const end = std::to_address(word.end());
  const auto [rest, error] = std::from_chars(std::to_address(word.begin()), end, number);
  return error == std::errc() && rest == end && number > 0;
}

bool grid_from(std::string_view word, Grid& grid) {
  const std::size_t first = std::min(word.find('x'), word.size());
  const std::size_t second = std::min(word.find('x', first + 1), word.size());
  return number_from(word.substr(0, first), grid.n0) && second < word.size() &&
         number_from(word.substr(first + 1, second - first - 1), grid.n1) &&
         number_from(word.substr(second + 1), grid.n2);
}

std::optional<Version> version_from(std::string_view word) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (word == names[i]) return static_cast<Version>(i);
  }
  return std::nullopt;
}

}  // namespace

const char* name_of(Version version) { return names[static_cast<std::size_t>(version)]; }

std::optional<Options> options_from(int argc, char** argv) {
  const auto version = argc > 1 ? version_from(argv[1]) : std::nullopt;
  if (!version) return std::nullopt;
  Options options{*version};
  options.threads = *version == Version::process ? 1 : omp_get_max_threads();
  for (int i = 2; i < argc; ++i) {
    const std::string_view word = argv[i];
    const char* const value = i + 1 < argc ? argv[++i] : "";
    const bool understood = word == "--grid"      ? grid_from(value, options.grid)
                            : word == "--threads" ? number_from(value, options.threads)
                            : word == "--repeats" ? number_from(value, options.repeats)
                            : word == "--fault"   ? number_from(value, options.fault)
                                                  : false;
    if (!understood) return std::nullopt;
  }
  if (*version == Version::process && options.threads > 1) return std::nullopt;
  return options;
}

const char* usage() {
  return "usage: fft VERSION [--grid N0xN1xN2] [--threads N] [--repeats N] [--fault N]\n"
         "  VERSION    process: one thread a process; master: threads compute, the master communicates for all;\n"
         "             thread: each thread communicates on MPI_COMM_WORLD; endpoint: each thread is a rank\n"
         "  --grid     cells of the three dimensions, 64x64x64\n"
         "  --threads  of each process, as many as OpenMP gives\n"
         "  --repeats  transforms there and back that are timed, 5\n"
         "  --fault    the exchange in which two blocks change places, 1 or more: the check must find that\n";
}

}  // namespace fft
