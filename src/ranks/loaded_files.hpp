// SPDX-License-Identifier: BSD-3-Clause
// The files that the loader has in memory. Other threads may load some meanwhile.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ranks/libraries.hpp"

struct link_map;

namespace raddle::ranks {

struct LoadedFile {
  std::string path;
  FileId id;
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// All that are loaded from a file, but the executable of the process.
[[nodiscard]] std::vector<LoadedFile> loaded_files();

/// nullptr: none is loaded by this path.
[[nodiscard]] const link_map* loaded_as(const std::string& path);

}  // namespace raddle::ranks
