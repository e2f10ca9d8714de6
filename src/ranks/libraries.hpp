// SPDX-License-Identifier: BSD-3-Clause
// The files of a program: itself, and the libraries that it asks for, directly or by another one. Of each it is decided
// whether each rank has a copy of its own.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ranks/elf_image.hpp"
#include "ranks/file_bytes.hpp"

namespace raddle::ranks {

/// What the user says against the list of libraries that are shared: patterns of fnmatch(3), or the beginnings of
/// names.
struct Wishes {
  std::vector<std::string> to_be_private;
  std::vector<std::string> to_be_shared;
};

/// A library that a file asks for.
struct Dependency {
  std::string name;  ///< as the file says it
  int file = -1;     ///< which of the files it is; -1: ranks share it
};

/// The file behind a path, whatever links lead to it.
struct FileId {
  std::uint64_t device = 0;
  std::uint64_t number = 0;
  friend bool operator==(const FileId&, const FileId&) = default;
};

/// @returns nullopt: there is none
[[nodiscard]] std::optional<FileId> id_of(const char* path);

/// A file of which each rank has a copy.
struct PrivateFile {
  std::string path;
  std::optional<FileId> id;
  FileBytes file;
  std::vector<Dependency> needs;
  std::string copy;  ///< by which path the loader has the rank's copy already; empty: there is none

  [[nodiscard]] ElfImage image() { return ElfImage(file.bytes()); }
};

/// A library that the ranks share.
struct SharedFile {
  std::string path;        ///< or its name, where it is not found
  std::string reason;      ///< whose it is
  std::size_t before = 0;  ///< so many private files would be loaded before it
};

inline constexpr std::string_view mpi_library = "the MPI's";  ///< such a reason
/// Whether a library is the MPI's, by the name of its file.
[[nodiscard]] bool is_of_the_mpi(const std::string& path);
[[nodiscard]] bool is_of_raddle(const std::string& path);

struct Closure {
  std::deque<PrivateFile> files;  ///< the program first, then in the order in which the loader would load them
  std::vector<SharedFile> shared;
};

/// Reads a program and all that is private of its libraries. @throws NotLoadable
[[nodiscard]] Closure closure_of(const std::string& program, const Wishes& wishes);

/// A private file as one rank has it.
struct CopiedFile {
  std::string path;  ///< of what it is a copy
  std::optional<FileId> id;
  std::string copy;  ///< by which path the loader has it
  std::uintptr_t begin;
  std::uintptr_t end;
};

/// The same of a library that a rank loads while it runs. @param known  what it has already
[[nodiscard]] Closure closure_of(const std::string& library, const Wishes& wishes,
                                 const std::vector<CopiedFile>& known);

/// Whether ranks share the library. @param name  of its file
[[nodiscard]] bool is_shared(const std::string& name, const Wishes& wishes);

// Where the loader finds a library that a file asks for (ld.so(8)): the file's own paths, the environment's, the
// system's index and directories.

/// A path of directories with `$ORIGIN` replaced by the directory that `file` is in.
[[nodiscard]] std::string with_origin(std::string_view path, const std::string& file);

/// @param name  as the file asks for it. @param image  of the file. @param file  its path
/// @returns nothing if it is nowhere: the loader then says so
[[nodiscard]] std::optional<std::string> find_library(const std::string& name, const ElfImage& image,
                                                      const std::string& file);

}  // namespace raddle::ranks
