// SPDX-License-Identifier: BSD-3-Clause
// Copies of a file and of the private libraries that it needs, of which nothing has run.
//
// The loader takes a file for loaded by its name or its inode, so each time it gets copies in memory, which nobody else
// sees and which go with the process. What a copy asks for by the name of a private library it is given by the path of
// that library's copy. What the loader has bound otherwise is bound anew (bind.hpp) before any of it runs: constructors
// are the loader's to call no more, but the rank's. Code and constants are in no copy: all have them from the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ranks/bind.hpp"
#include "ranks/elf_image.hpp"
#include "ranks/libraries.hpp"
#include "ranks/loaded_files.hpp"

namespace raddle::ranks {

using Hook = void (*)(int, char**, char**);

/// What the loader does not call of copies. In the order in which it is to be called.
struct CalledHooks {
  std::vector<Hook> constructors;
  std::vector<Hook> destructors;
};

/// One rank's.
struct LoadedCopies {
  void* handle = nullptr;             ///< of the first file (dlopen)
  std::vector<CopiedFile> files;      ///< without those that the rank had already
  std::vector<const link_map*> maps;  ///< of all files of the closure
  std::vector<std::uintptr_t> bases;  ///< the same
  std::vector<Twin> twins;
};

class Copies {
 public:
  /// Of what: a library that is loaded later may take from the program what the loader does not find.
  enum class Of { program, library };

  /// @throws NotLoadable
  Copies(Closure files, Of of);

  /// They stay until the process ends. @param flags  of dlopen(3). @throws NotLoadable
  [[nodiscard]] LoadedCopies load(int flags) const;
  /// Of all new ones. Before their hooks are asked for.
  void bind_all(const LoadedCopies& loaded, const Bindings& bindings) const;
  [[nodiscard]] CalledHooks hooks(const LoadedCopies& loaded) const;
  /// Names that the loader need not find, and somebody should have.
  [[nodiscard]] std::vector<std::string> excused() const;

 private:
  /// What is done to a file once for all ranks.
  struct Prepared {
    Hooks hooks;
    std::uint64_t bytes = 0;              ///< of the file that count
    std::uint64_t memory = 0;             ///< bytes that it takes
    AddedNames added;                     ///< with places for the paths of the copies of what it needs
    std::vector<int> files;               ///< which those are
    std::vector<ConstantPages> constant;  ///< what the copies have from the file
    Twin twin{};                          ///< where the same file is loaded for all; from 0: nowhere
    std::vector<std::string> excused;
  };

  [[nodiscard]] Prepared prepare(std::size_t index, Of of, const std::vector<LoadedFile>& for_all);
  [[nodiscard]] std::vector<std::string> copies_in_memory() const;
  void write_copy(std::size_t index, int copy, const std::vector<std::string>& paths) const;
  void map_constants(std::size_t index, std::uintptr_t base) const;
  void add_hooks(CalledHooks& made, std::size_t index, std::vector<bool>& done,
                 const std::vector<std::uintptr_t>& bases) const;

  Closure closure_;
  std::vector<Prepared> prepared_;
};

}  // namespace raddle::ranks
