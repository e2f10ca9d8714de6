// SPDX-License-Identifier: BSD-3-Clause
// The files that the loader has in memory.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ranks/libraries.hpp"

struct link_map;

namespace raddle::ranks {

/// The first of all: the executable of the process.
[[nodiscard]] const link_map* loaded_files();

/// nullptr: none is loaded by this path.
[[nodiscard]] const link_map* loaded_as(const std::string& path);

/// All that are loaded from a file, but the executable of the process.
[[nodiscard]] std::vector<std::pair<FileId, const link_map*>> loaded_by_id();

/// How much of memory a file takes. @param base  where it is loaded
[[nodiscard]] std::uintptr_t bytes_of(std::uintptr_t base);

}  // namespace raddle::ranks
