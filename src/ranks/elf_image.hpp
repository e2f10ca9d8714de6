// SPDX-License-Identifier: BSD-3-Clause
// What has to be known, and changed, in an ELF file before it can be loaded as a library, once more for each rank.
#pragma once

#include <elf.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace raddle::ranks {

/// Functions that a file wants to be called, the addresses of which are in an array.
struct FunctionArray {
  std::uint64_t address = 0;  ///< of the array, from where the file is loaded
  std::uint64_t count = 0;
};

/// What the loader would call of a file: before main and when the process ends.
struct Hooks {
  FunctionArray before_libraries;  ///< of executables alone
  std::uint64_t first = 0;         ///< one function, before the constructors; 0: none
  FunctionArray constructors;
  FunctionArray destructors;
  std::uint64_t last = 0;  ///< one function, after the destructors; 0: none
};

/// Whole pages of a loaded file that hold code or constants: nobody changes them, nor does the loader look at them.
struct ConstantPages {
  std::uint64_t offset;   ///< in the file
  std::uint64_t address;  ///< from where the file is loaded
  std::uint64_t bytes;
  int protection;  ///< as mmap(2) takes it
};

/// Names behind the end of a file, and where in it those are that are still to be written.
struct AddedNames {
  std::uint64_t offset = 0;  ///< of the bytes
  std::vector<char> bytes;
  std::vector<std::uint64_t> places;  ///< in the file
};

class ElfImage {
 public:
  /// @param file  whole; stays the caller's. What points out of it is taken for not there.
  explicit ElfImage(std::span<char> file);

  /// How many bytes of the file count.
  [[nodiscard]] std::uint64_t bytes() const { return file_.size(); }

  /// How many bytes of memory it takes.
  [[nodiscard]] std::uint64_t memory() const;
  /// Whether this machine's loader takes it at any address.
  [[nodiscard]] bool position_independent() const { return type_ == ET_DYN; }
  /// Whether it is an ELF file of this machine's kind at all.
  [[nodiscard]] bool readable() const { return type_ != ET_NONE; }
  /// Whether it is an ELF file, perhaps of another machine.
  [[nodiscard]] bool is_elf() const { return elf_; }
  /// Whether nothing can be loaded into it: it has no table for the loader.
  [[nodiscard]] bool is_static() const { return readable() && dynamics_ == 0; }

  /// The names by which it asks for libraries.
  [[nodiscard]] std::vector<std::string> needed() const;
  /// Where those are looked for, as written: directories with colons between them. @param last  whether after those of
  /// the environment
  [[nodiscard]] std::string search_path(bool last) const;

  /// Names of variables of libraries of which the file has a place for the only copy.
  [[nodiscard]] std::vector<std::string> copied_variables() const;
  /// What others find of this name in it; nullopt: nothing.
  struct Symbol {
    std::uint64_t offset;  ///< from where the file begins in memory
    std::uint64_t bytes;
  };
  [[nodiscard]] std::optional<Symbol> symbol(std::string_view name) const;
  /// A function or a variable that others find in it, whichever version of it they ask for.
  struct Exported {
    std::string name;
    std::uint64_t offset;  ///< as that of a Symbol
    bool is_variable;
  };
  [[nodiscard]] std::vector<Exported> exported() const;
  /// Names of what it takes from libraries.
  [[nodiscard]] std::vector<std::string> undefined() const;

  /// Whether it is an executable with variables of threads. Their places are then counted from the thread's pointer,
  /// which is right for the first program of a process and no other.
  [[nodiscard]] bool fixes_thread_variables() const;

  /// Bytes of variables of threads that it wants at a fixed distance from the thread's pointer, with what may be lost
  /// where they are aligned.
  [[nodiscard]] std::uint64_t static_tls() const;

  /// Where a function is, from where the file is loaded; also one that is not exported. Nothing if its symbols are
  /// gone.
  [[nodiscard]] std::optional<std::uint64_t> function(const std::string& name) const;

  /// The main of an executable whose symbols are gone: what the code at its entry, which the C library has linked into
  /// it, gives to __libc_start_main. Nothing if that is not the code that it is known to be on this kind of machine.
  [[nodiscard]] std::optional<std::uint64_t> main_of_start() const;

  /// What the copies of the file need not have copies of. Empty if the loader runs functions of it to bind its names
  /// (IFUNC), or writes addresses into its code.
  [[nodiscard]] std::vector<ConstantPages> constant_pages() const;

  // Changes. Each leaves the file one that the loader takes.

  /// Takes the mark away by which the loader tells executables, which it refuses.
  void unmark_executable();
  /// Takes them away from the loader.
  Hooks take_hooks();
  /// Takes away the name by which the loader would give it to others that ask for the library.
  void remove_name();
  /// Makes its variables that a process has once (inline variables and statics of templates of C++) its own.
  void own_unique_variables();
  /// Lets it be loaded though nobody has some of the functions and variables that it takes. @returns their names
  std::vector<std::string> excuse_undefined();
  /// Takes away what is not loaded: sections, symbols and lines for debuggers.
  void strip();

  /// Makes room for new texts in place of some names of libraries, and of its search path.
  /// @param names  of libraries, some of needed(). @param path  the search path; empty: it stays
  /// @returns what comes behind the file, with `room` bytes for each name; nothing if the file has no room for a
  /// segment more. The last change of all
  [[nodiscard]] std::optional<AddedNames> make_room(const std::vector<std::string>& names, std::string_view path);
  static constexpr std::size_t room = 32;

 private:
  /// So many entries at a place of the file; nullptr: they are not all in it.
  template <typename Entry>
  [[nodiscard]] Entry* at(std::uint64_t offset, std::uint64_t count = 1) const {
    if (offset > file_.size() || count > (file_.size() - offset) / sizeof(Entry)) return nullptr;
    if (offset % alignof(Entry) != 0) return nullptr;  // nobody writes such files
    return reinterpret_cast<Entry*>(file_.data() + offset);
  }
  /// Where in the file an address of the loaded program is.
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::uint64_t address) const;
  [[nodiscard]] std::string text(std::uint64_t offset) const;
  [[nodiscard]] Elf64_Dyn* dynamic(Elf64_Sxword tag) const;
  [[nodiscard]] std::optional<std::uint64_t> dynamic_offset(Elf64_Sxword tag) const;
  /// The text of an entry of the dynamic table, which gives its place among the names.
  [[nodiscard]] std::string name_at(std::uint64_t place) const;
  [[nodiscard]] std::uint64_t symbol_count() const;
  [[nodiscard]] bool is_constant(const Elf64_Phdr& segment) const;
  [[nodiscard]] bool runs_or_changes_code_to_bind() const;
  void each_symbol(const std::function<void(Elf64_Sym&)>& visit) const;
  FunctionArray take_array(Elf64_Sxword tag, Elf64_Sxword bytes_tag);
  std::uint64_t take_function(Elf64_Sxword tag);
  void replace_names(std::uint64_t names_at, const std::vector<std::string>& names, std::uint64_t first);
  bool add_segment(std::uint64_t offset, std::uint64_t address, std::uint64_t bytes);

  std::span<char> file_;
  bool elf_ = false;
  std::uint16_t type_ = ET_NONE;
  std::vector<Elf64_Phdr> segments_;
  std::uint64_t dynamic_at_ = 0;
  std::uint64_t dynamics_ = 0;
};

constexpr Elf64_Xword marks_executable = 0x08000000;  // DF_1_PIE, which older elf.h lack

// What the ELF files of this machine's kind are marked by: numbers of the processor's supplement to the format.

#if defined(__x86_64__)
constexpr std::uint16_t elf_machine = EM_X86_64;
constexpr std::uint32_t copy_relocation = R_X86_64_COPY;
constexpr std::uint32_t function_relocation = R_X86_64_IRELATIVE;
constexpr std::uint32_t call_relocation = R_X86_64_JUMP_SLOT;
constexpr std::string_view load_first_argument = "\x48\x8d\x3d";  // lea offset(%rip), %rdi
constexpr std::string_view call_by_address = "\xff\x15";          // call *offset(%rip)
constexpr std::uint32_t slot_relocations[] = {R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_64};
#elif defined(__aarch64__)
constexpr std::uint16_t elf_machine = EM_AARCH64;
constexpr std::uint32_t copy_relocation = R_AARCH64_COPY;
constexpr std::uint32_t function_relocation = R_AARCH64_IRELATIVE;
constexpr std::uint32_t call_relocation = R_AARCH64_JUMP_SLOT;
constexpr std::string_view load_first_argument;
constexpr std::string_view call_by_address;
constexpr std::uint32_t slot_relocations[] = {R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT, R_AARCH64_ABS64};
#else
constexpr std::uint16_t elf_machine = EM_NONE;  // no file is readable
constexpr std::uint32_t copy_relocation = 0;
constexpr std::uint32_t function_relocation = 0;
constexpr std::uint32_t call_relocation = 0;
constexpr std::string_view load_first_argument;
constexpr std::string_view call_by_address;
constexpr std::uint32_t slot_relocations[] = {0};
#endif

}  // namespace raddle::ranks
