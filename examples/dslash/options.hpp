// SPDX-License-Identifier: BSD-3-Clause
// What the command line asks for.
#pragma once

#include <cstdint>
#include <string>

#include "dslash/lattice.hpp"

namespace dslash {

struct Options {
  std::string version;
  Lattice lattice{{8, 8, 8, 8}};
  Site grid{};  ///< of domains; zeros: the one with the smallest surface
  int threads = 2;
  int iterations = 20;
  std::uint64_t seed = 1;
};

/// @throws std::invalid_argument with a message for the user
Options parse(int argc, char** argv);

extern const char* const usage;

}  // namespace dslash
