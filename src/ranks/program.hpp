// SPDX-License-Identifier: BSD-3-Clause
// A program that is loaded into this process as often as one likes, each time with variables of its own, and those of
// its libraries.
//
// The loader takes a file for loaded by its name or its inode, so each time it gets copies in memory, which nobody else
// sees and which go with the process. What a copy asks for by the name of a private library it is given by the path of
// that library's copy. What the loader has bound otherwise is bound anew (bind.hpp) before any of it runs: constructors
// are the loader's to call no more, but the rank's. Code and constants are in no copy: all have them from the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ranks/bind.hpp"
#include "ranks/elf_image.hpp"
#include "ranks/libraries.hpp"
#include "ranks/preferred.hpp"

namespace raddle::ranks {

using Main = int (*)(int, char**, char**);
using Hook = void (*)(int, char**, char**);

/// A copy of a program.
struct Loaded {
  Main main = nullptr;
  void (*flush_units)(int*) = nullptr;  ///< of its Fortran, nullptr: all of them
  // Its files': the loader does not call them. In the order in which they are to be called.
  std::vector<Hook> constructors;
  std::vector<Hook> destructors;
};

class Program {
 public:
  /// @param files  of a shared library, or of an executable that is position-independent. @throws NotLoadable
  explicit Program(Closure files);

  /// A copy of its own, of which nothing has run; it stays until the process ends.
  /// @param variables  are bound to it, and know afterwards where they are. @throws NotLoadable
  [[nodiscard]] Loaded load(Variables& variables) const;

 private:
  /// What is done to a file once for all ranks.
  struct Prepared {
    Hooks hooks;
    std::uint64_t bytes = 0;              ///< of the file that count
    AddedNames added;                     ///< with places for the paths of the copies of what it needs
    std::vector<int> files;               ///< which those are
    std::vector<ConstantPages> constant;  ///< what the copies have from the file
    std::uintptr_t twin = 0;              ///< where the same file is loaded for all; 0: nowhere
    std::uintptr_t twin_end = 0;
  };

  using LoadedFiles = std::vector<std::pair<FileId, const link_map*>>;

  void refuse_what_cannot_be(const ElfImage& image) const;
  [[nodiscard]] Prepared prepare(std::size_t index, const LoadedFiles& for_all);
  [[nodiscard]] std::vector<std::string> copies_in_memory() const;
  void write_copy(std::size_t index, int copy, const std::vector<std::string>& paths) const;
  void map_constants(std::size_t index, std::uintptr_t base) const;
  void add_hooks(Loaded& made, std::size_t index, std::vector<bool>& done,
                 const std::vector<std::uintptr_t>& bases) const;

  Closure closure_;
  std::vector<Prepared> prepared_;
  struct Variable {
    std::size_t file;  ///< of closure_.files
    ElfImage::Symbol symbol;
  };
  std::map<std::string, Variable> copied_;  ///< those of private libraries that the program has the only copies of
  Definitions preferred_;
  std::uint64_t main_ = 0;  ///< from where it is loaded
};

}  // namespace raddle::ranks
