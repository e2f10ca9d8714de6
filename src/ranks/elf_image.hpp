// SPDX-License-Identifier: BSD-3-Clause
// What has to be known, and changed, in an ELF file before it can be loaded as a library.
#pragma once

#include <elf.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace raddle::ranks {

/// Functions that are called when a file is no longer needed.
struct Destructors {
  std::uint64_t address = 0;  ///< of their addresses, from where the file is loaded
  std::uint64_t count = 0;
};

class ElfImage {
 public:
  /// @param file  whole; stays the caller's. What points out of it is taken for not there.
  explicit ElfImage(std::vector<char>& file);

  /// Whether this machine's loader takes it at any address.
  [[nodiscard]] bool position_independent() const { return type_ == ET_DYN; }
  /// Whether it is an ELF file of this machine's kind at all.
  [[nodiscard]] bool readable() const { return type_ != ET_NONE; }

  /// Names of variables of libraries of which the file has a place for the only copy: nobody else would use that one.
  [[nodiscard]] std::vector<std::string> copied_variables() const;

  /// Whether it is an executable with variables of threads. Their places are then counted from the thread's pointer,
  /// which is right for the first program of a process and no other.
  [[nodiscard]] bool fixes_thread_variables() const;

  /// Takes the mark away by which the loader tells executables, which it refuses.
  void unmark_executable();

  /// Takes them away from the loader.
  Destructors take_destructors();

  /// Where a function is, from where the file is loaded; also one that is not exported. Nothing if its symbols are
  /// gone.
  [[nodiscard]] std::optional<std::uint64_t> function(const std::string& name) const;

 private:
  template <typename Entry>
  [[nodiscard]] Entry* at(std::uint64_t offset, std::uint64_t count = 1) const;
  /// Where in the file an address of the loaded program is.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  [[nodiscard]] std::string text(std::uint64_t offset) const;
  [[nodiscard]] Elf64_Dyn* dynamic(Elf64_Sxword tag) const;
  [[nodiscard]] std::optional<std::uint64_t> dynamic_offset(Elf64_Sxword tag) const;

  std::vector<char>& file_;
  std::uint16_t type_ = ET_NONE;
  std::vector<Elf64_Phdr> segments_;
  std::uint64_t dynamic_at_ = 0;
  std::uint64_t dynamics_ = 0;
};

}  // namespace raddle::ranks
