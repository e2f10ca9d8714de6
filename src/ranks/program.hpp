// SPDX-License-Identifier: BSD-3-Clause
// A program that is loaded into this process as often as one likes, each time with variables of its own, and those of
// its libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ranks/bind.hpp"
#include "ranks/copies.hpp"
#include "ranks/elf_image.hpp"
#include "ranks/libraries.hpp"
#include "ranks/preferred.hpp"

namespace raddle::ranks {

using Main = int (*)(int, char**, char**);

/// A copy of a program.
struct Loaded {
  Main main = nullptr;
  void (*flush_units)(int*) = nullptr;  ///< of its Fortran, nullptr: all of them
  // Its files': the loader does not call them. In the order in which they are to be called.
  std::vector<Hook> constructors;
  std::vector<Hook> destructors;
  LoadedCopies copies;
  std::shared_ptr<const Definitions> preferred;
};

class Program {
 public:
  /// @param files  of a shared library, or of an executable that is position-independent. @throws NotLoadable
  explicit Program(Closure files);

  /// A copy of its own, of which nothing has run; it stays until the process ends.
  /// @param variables  are bound to it, and know afterwards where they are. @throws NotLoadable
  [[nodiscard]] Loaded load(Variables& variables, std::span<const OwnFunction> functions = {}) const;

 private:
  static void refuse_what_cannot_be(const std::string& path, const ElfImage& image);

  struct Variable {
    std::size_t file;  ///< of the closure's
    ElfImage::Symbol symbol;
  };
  std::map<std::string, Variable> copied_;  ///< those of private libraries that the program has the only copies of
  std::shared_ptr<const Definitions> preferred_;
  std::optional<Copies> copies_;
  std::uint64_t main_ = 0;  ///< from where it is loaded
};

}  // namespace raddle::ranks
