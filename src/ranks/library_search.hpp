// SPDX-License-Identifier: BSD-3-Clause
// Where the loader finds a library that a file asks for (ld.so(8)): the file's own paths, the environment's, the
// system's index and directories.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/elf_image.hpp"

namespace raddle::ranks {

/// A path of directories with `$ORIGIN` replaced by the directory that `file` is in.
[[nodiscard]] std::string with_origin(std::string_view path, const std::string& file);

/// @param name  as the file asks for it. @param image  of the file. @param file  its path
/// @returns nothing if it is nowhere: the loader then says so
[[nodiscard]] std::optional<std::string> find_library(const std::string& name, const ElfImage& image,
                                                      const std::string& file);

/// The whole file. @throws NotLoadable
[[nodiscard]] std::vector<char> read_file(const std::string& path);

}  // namespace raddle::ranks
