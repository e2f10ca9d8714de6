// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/options.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <stdexcept>
#include <string_view>

namespace dslash {

const char* const usage =
    "usage: dslash VERSION [OPTION...]\n"
    "  VERSION is process, master, lane, thread or endpoint: who communicates\n"
    "  --lattice XxYxZxT   sites (8x8x8x8)\n"
    "  --grid XxYxZxT      domains (the grid with the smallest surface)\n"
    "  --threads N         of each process (2); version process has one\n"
    "  --iterations N      that are timed (20)\n"
    "  --seed N            of the random fields (1)\n"
    "  --antiperiodic      in time\n";

namespace {

template <typename T>
T whole(std::string_view name, std::string_view text, T least) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < least)
    throw std::invalid_argument(std::string(name) + " cannot be '" + std::string(text) + "'");
  return value;
}

Site four(std::string_view name, std::string_view text) {
  Site site{};
  for (int d = 0; d < dimensions; ++d) {
    const std::size_t end = d + 1 < dimensions ? text.find('x') : text.size();
    if (end == std::string_view::npos) throw std::invalid_argument(std::string(name) + " needs four numbers, XxYxZxT");
    site[d] = whole(name, text.substr(0, end), 1);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return site;
}

}  // namespace

Options parse(int argc, char** argv) {
  Options options;
  if (argc < 2) throw std::invalid_argument("no version given");
  options.version = argv[1];
  for (int i = 2; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--antiperiodic") {
      options.lattice.antiperiodic = true;
      continue;
    }
    if (i + 1 == argc) throw std::invalid_argument("unknown option or no value: " + std::string(name));
    const std::string_view value = argv[++i];
    if (name == "--lattice") {
      options.lattice.extent = four(name, value);
    } else if (name == "--grid") {
      options.grid = four(name, value);
    } else if (name == "--threads") {
      options.threads = whole(name, value, 1);
    } else if (name == "--iterations") {
      options.iterations = whole(name, value, 1);
    } else if (name == "--seed") {
      options.seed = whole(name, value, std::uint64_t{0});
    } else {
      throw std::invalid_argument("unknown option " + std::string(name));
    }
  }
  if (volume(options.lattice.extent) > std::numeric_limits<int>::max() / dimensions)
    throw std::invalid_argument("a lattice of " + to_string(options.lattice.extent) + " is too large");
  return options;
}

}  // namespace dslash
