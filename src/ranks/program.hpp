// SPDX-License-Identifier: BSD-3-Clause
// A program that is loaded into this process as often as one likes, each time with globals of its own.
//
// The loader takes a file for loaded by its name or its inode, so each time it gets a copy in memory, which nobody else
// sees and which goes with the process. Only what lies in the program's file is private: the libraries that it uses are
// there once, and so are C++ variables that the linker makes unique (static members of templates, inline variables).
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "ranks/elf_image.hpp"

namespace raddle::ranks {

/// Why a program cannot be loaded, and how it has to be built.
class NotLoadable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

using Main = int (*)(int, char**, char**);
using Destructor = void (*)();

/// A copy of a program.
struct Loaded {
  Main main = nullptr;
  const void* base = nullptr;           ///< where it is
  void (*flush_units)(int*) = nullptr;  ///< of its Fortran, nullptr: all of them
  // Of the file: the loader does not call them, for it would when the process ends.
  const Destructor* destructors = nullptr;
  const Destructor* destructors_end = nullptr;
};

class Program {
 public:
  /// @param path a shared library, or an executable that is position-independent. @throws NotLoadable
  explicit Program(const std::string& path);

  /// A copy of its own, constructors run; it stays until the process ends. @throws NotLoadable
  [[nodiscard]] Loaded load() const;

 private:
  std::string path_;
  std::vector<char> file_;
  // From where it is loaded.
  std::uint64_t main_ = 0;
  Destructors destructors_;
};

}  // namespace raddle::ranks
