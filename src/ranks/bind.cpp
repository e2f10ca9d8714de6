// SPDX-License-Identifier: BSD-3-Clause

#include "ranks/bind.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>

#include "ranks/elf_image.hpp"

namespace raddle::ranks {
namespace {

/// A name, and which of the places it has.
struct Named {
  std::string_view name;
  int place;
};

constexpr Named names[] = {
    {"optarg", 0},
    {"optind", 1},
    {"opterr", 2},
    {"optopt", 3},
    {"signgam", 4},
    {"__signgam", 4},
    {"environ", 5},
    {"__environ", 5},
    {"_environ", 5},
    {"stdin", 6},
    {"stdout", 7},
    {"stderr", 8},
    {"error_message_count", 9},
    {"error_one_per_line", 10},
};

}  // namespace

void** Variables::place_of(const char* name) {
  const auto* const found = std::ranges::find(names, std::string_view(name), &Named::name);
  return found == std::end(names) ? nullptr : places_ + found->place;
}

bool is_own_variable(const char* name) {
  return std::ranges::find(names, std::string_view(name), &Named::name) != std::end(names);
}

namespace {

/// The tables of a file that is loaded: their addresses are those in memory.
class Tables {
 public:
  explicit Tables(const link_map& file) : base_(file.l_addr) {
    const Elf64_Xword bytes = value(file, DT_RELASZ).value_or(0);
    const Elf64_Xword plt_bytes = value(file, DT_PLTRELSZ).value_or(0);
    tables_[0] = table(file, DT_RELA, bytes);
    tables_[1] = table(file, DT_JMPREL, plt_bytes);
    symbols_ = reinterpret_cast<const Elf64_Sym*>(address(file, DT_SYMTAB));
    names_ = reinterpret_cast<const char*>(address(file, DT_STRTAB));
  }

  /// Calls `visit(type, symbol, place, addend)` for each place that the loader has filled in because of a name.
  template <typename Visit>
  void each(Visit&& visit) const {
    for (const std::span<const Elf64_Rela>& relocations : tables_) {
      for (const Elf64_Rela& relocation : relocations) {
        const auto symbol = ELF64_R_SYM(relocation.r_info);
        if (symbol == 0) continue;
        visit(static_cast<std::uint32_t>(ELF64_R_TYPE(relocation.r_info)), symbols_[symbol],
              base_ + relocation.r_offset, relocation.r_addend);
      }
    }
  }
  [[nodiscard]] const char* name_of(const Elf64_Sym& symbol) const { return names_ + symbol.st_name; }

 private:
  static std::optional<Elf64_Xword> value(const link_map& file, Elf64_Sxword tag) {
    for (const Elf64_Dyn* entry = file.l_ld; entry->d_tag != DT_NULL; ++entry) {
      if (entry->d_tag == tag) return entry->d_un.d_val;
    }
    return std::nullopt;
  }

  /// Loaders turn what the file says into an address in memory, but not all of them do it in the file's own table.
  static std::uintptr_t address(const link_map& file, Elf64_Sxword tag) {
    const std::uintptr_t said = value(file, tag).value_or(0);
    return said < file.l_addr ? said + file.l_addr : said;
  }

  static std::span<const Elf64_Rela> table(const link_map& file, Elf64_Sxword tag, Elf64_Xword bytes) {
    if (bytes == 0) return {};
    return {reinterpret_cast<const Elf64_Rela*>(address(file, tag)), bytes / sizeof(Elf64_Rela)};
  }

  std::uintptr_t base_;
  std::span<const Elf64_Rela> tables_[2];
  const Elf64_Sym* symbols_;
  const char* names_;
};

/// What the loader has made unwritable after it had filled it in, made writable for a while.
class Unlocked {
 public:
  explicit Unlocked(const link_map& file) {
    const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(file.l_addr);
    const auto* const segments = reinterpret_cast<const Elf64_Phdr*>(file.l_addr + header->e_phoff);
    for (int i = 0; i < header->e_phnum; ++i) {
      if (segments[i].p_type != PT_GNU_RELRO) continue;
      begin_ = (file.l_addr + segments[i].p_vaddr) / page * page;
      bytes_ = (file.l_addr + segments[i].p_vaddr + segments[i].p_memsz) / page * page - begin_;
    }
    set(PROT_READ | PROT_WRITE);
  }
  Unlocked(const Unlocked&) = delete;
  Unlocked& operator=(const Unlocked&) = delete;
  ~Unlocked() { set(PROT_READ); }

 private:
  void set(int protection) const {
    if (bytes_ != 0) mprotect(reinterpret_cast<void*>(begin_), bytes_, protection);
  }

  std::uintptr_t begin_ = 0;
  std::uintptr_t bytes_ = 0;
};

std::uintptr_t read(std::uintptr_t place) {
  std::uintptr_t value = 0;
  std::memcpy(&value, reinterpret_cast<const void*>(place), sizeof value);
  return value;
}

void write(std::uintptr_t place, std::uintptr_t value) {
  std::memcpy(reinterpret_cast<void*>(place), &value, sizeof value);
}

bool is_slot(std::uint32_t type) { return std::ranges::find(slot_relocations, type) != std::end(slot_relocations); }

}  // namespace

void find_copies(const link_map& program, Bindings& bindings) {
  const Tables tables(program);
  tables.each([&](std::uint32_t type, const Elf64_Sym& symbol, std::uintptr_t place, Elf64_Sxword) {
    if (type != copy_relocation) return;
    const char* const name = tables.name_of(symbol);
    if (void** const own = bindings.variables.place_of(name)) {
      *own = reinterpret_cast<void*>(place);
    } else if (const auto copy = bindings.copies.find(std::string_view(name)); copy != bindings.copies.end()) {
      copy->second.place = place;
      copy->second.bytes = std::min<std::size_t>(copy->second.bytes, symbol.st_size);  // one may be of another version
    }
  });
}

void fill_copies(const link_map& program, const Bindings& bindings) {
  const Unlocked unlocked(program);
  for (const auto& [name, copy] : bindings.copies)
    std::memcpy(reinterpret_cast<void*>(copy.place), reinterpret_cast<const void*>(copy.variable), copy.bytes);
}

void bind(const link_map& file, const Bindings& bindings) {
  const Unlocked unlocked(file);
  const Tables tables(file);
  tables.each([&](std::uint32_t type, const Elf64_Sym& symbol, std::uintptr_t place, Elf64_Sxword addend) {
    if (!is_slot(type)) return;
    const char* const name = tables.name_of(symbol);
    if (void* const* const own = bindings.variables.place_of(name)) {
      write(place, reinterpret_cast<std::uintptr_t>(*own) + static_cast<std::uintptr_t>(addend));
      return;
    }
    if (const auto copy = bindings.copies.find(std::string_view(name)); copy != bindings.copies.end()) {
      write(place, copy->second.place + static_cast<std::uintptr_t>(addend));
      return;
    }
    if (const auto own = bindings.preferred.find(std::string_view(name)); own != bindings.preferred.end()) {
      write(place, bindings.bases[own->second.file] + own->second.offset + static_cast<std::uintptr_t>(addend));
      return;
    }
    if (const auto own = std::ranges::find(bindings.functions, std::string_view(name), &OwnFunction::name);
        own != bindings.functions.end()) {
      write(place, own->address);
      return;
    }
    const std::uintptr_t bound = read(place);
    for (const Twin& twin : bindings.twins) {
      if (bound < twin.begin || bound >= twin.end) continue;
      write(place, bound - twin.begin + twin.copy);
      return;
    }
    if (!bindings.of_program) return;
    if (const std::uintptr_t own = bindings.of_program(name, bound, type == call_relocation))
      write(place, own + (type == call_relocation ? 0 : static_cast<std::uintptr_t>(addend)));
  });
}

}  // namespace raddle::ranks
