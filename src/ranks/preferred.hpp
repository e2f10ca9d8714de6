// SPDX-License-Identifier: BSD-3-Clause
// The loader searches what ranks share before their copies; a process would search the program first and its libraries
// in the order in which they are loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "ranks/libraries.hpp"

namespace raddle::ranks {

/// A function or a variable of a private file.
struct Definition {
  std::size_t file;      ///< of Closure::files
  std::uint64_t offset;  ///< from where the file begins in memory
};

/// So that names need not be copied to be looked up.
struct HashOfName : std::hash<std::string_view> {
  using is_transparent = void;
};
using Definitions = std::unordered_map<std::string, Definition, HashOfName, std::equal_to<>>;

/// Names that a process would find in a private file, and the loader finds in one that ranks share: a program may have
/// a function error() or wait(), as the C library does. Once the MPI's libraries are loaded.
[[nodiscard]] Definitions preferred_names(Closure& files);

}  // namespace raddle::ranks
