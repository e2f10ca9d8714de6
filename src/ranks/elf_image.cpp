// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/elf_image.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

namespace raddle::ranks {
namespace {

/// What the loader looks at to bind names. 36 is DT_RELR, which older elf.h lack.
constexpr Elf64_Sxword loader_tables[] = {DT_HASH, DT_GNU_HASH, DT_STRTAB, DT_SYMTAB,  DT_RELA,  DT_REL,
                                          36,      DT_JMPREL,   DT_VERSYM, DT_VERNEED, DT_VERDEF};

}  // namespace

ElfImage::ElfImage(std::span<char> file) : file_(file) {
  const auto* const header = at<Elf64_Ehdr>(0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  elf_ = true;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != elf_machine) return;
  const auto* const segments = at<Elf64_Phdr>(header->e_phoff, header->e_phnum);
  if (segments == nullptr) return;
  type_ = header->e_type;
  segments_.assign(segments, segments + header->e_phnum);
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_DYNAMIC) continue;
    dynamic_at_ = segment.p_offset;
    dynamics_ = segment.p_filesz / sizeof(Elf64_Dyn);
  }
}

std::optional<std::uint64_t> ElfImage::offset_of(std::uint64_t address) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
      return address - segment.p_vaddr + segment.p_offset;
  }
  return std::nullopt;
}

std::uint64_t ElfImage::memory() const {
  std::uint64_t end = 0;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD) end = std::max(end, segment.p_vaddr + segment.p_memsz);
  }
  return end;
}

std::string ElfImage::text(std::uint64_t offset) const {
  if (offset >= file_.size()) return {};
  const char* const begin = file_.data() + offset;
  return {begin, strnlen(begin, file_.size() - offset)};
}

Elf64_Dyn* ElfImage::dynamic(Elf64_Sxword tag) const {
  auto* const all = at<Elf64_Dyn>(dynamic_at_, dynamics_);
  for (std::uint64_t i = 0; all != nullptr && i < dynamics_ && all[i].d_tag != DT_NULL; ++i) {
    if (all[i].d_tag == tag) return all + i;
  }
  return nullptr;
}

std::optional<std::uint64_t> ElfImage::dynamic_offset(Elf64_Sxword tag) const {
  const Elf64_Dyn* const entry = dynamic(tag);
  return entry == nullptr ? std::nullopt : offset_of(entry->d_un.d_ptr);
}

std::string ElfImage::name_at(std::uint64_t place) const {
  const auto names_at = dynamic_offset(DT_STRTAB);
  return names_at ? text(*names_at + place) : std::string();
}

std::vector<std::string> ElfImage::needed() const {
  std::vector<std::string> found;
  const auto* const all = at<Elf64_Dyn>(dynamic_at_, dynamics_);
  for (std::uint64_t i = 0; all != nullptr && i < dynamics_ && all[i].d_tag != DT_NULL; ++i) {
    if (all[i].d_tag == DT_NEEDED) found.push_back(name_at(all[i].d_un.d_val));
  }
  return found;
}

std::string ElfImage::search_path(bool last) const {
  const Elf64_Dyn* const later = dynamic(DT_RUNPATH);
  const Elf64_Dyn* const path = last ? later : dynamic(DT_RPATH);
  // The one before the environment's does not count beside the other.
  return path == nullptr || (!last && later != nullptr) ? std::string() : name_at(path->d_un.d_val);
}

std::vector<std::string> ElfImage::copied_variables() const {
  std::vector<std::string> names;
  const auto relocations_at = dynamic_offset(DT_RELA);
  const auto symbols_at = dynamic_offset(DT_SYMTAB);
  const Elf64_Dyn* const bytes = dynamic(DT_RELASZ);
  if (!relocations_at || !symbols_at || bytes == nullptr) return names;
  const std::uint64_t count = bytes->d_un.d_val / sizeof(Elf64_Rela);
  const auto* const relocations = at<Elf64_Rela>(*relocations_at, count);
  for (std::uint64_t i = 0; relocations != nullptr && i < count; ++i) {
    if (ELF64_R_TYPE(relocations[i].r_info) != copy_relocation) continue;
    const auto* const symbol = at<Elf64_Sym>(*symbols_at + ELF64_R_SYM(relocations[i].r_info) * sizeof(Elf64_Sym));
    if (symbol != nullptr) names.push_back(name_at(symbol->st_name));
  }
  return names;
}

/// The loader does not need it, so the file does not say it: the highest one that a table for look-ups leads to.
std::uint64_t ElfImage::symbol_count() const {
  if (const auto table_at = dynamic_offset(DT_HASH)) {
    const auto* const table = at<std::uint32_t>(*table_at, 2);
    return table == nullptr ? 0 : table[1];
  }
  const auto table_at = dynamic_offset(DT_GNU_HASH);
  const auto* const table = table_at ? at<std::uint32_t>(*table_at, 4) : nullptr;
  if (table == nullptr) return 0;
  const std::uint64_t buckets = table[0];
  const std::uint64_t first = table[1];
  const std::uint64_t buckets_at = *table_at + 16 + 8ULL * table[2];
  const auto* const bucket = at<std::uint32_t>(buckets_at, buckets);
  std::uint64_t last = 0;
  for (std::uint64_t i = 0; bucket != nullptr && i < buckets; ++i) last = std::max<std::uint64_t>(last, bucket[i]);
  if (last < first) return first;
  // The last of a chain has an odd hash.
  for (;; ++last) {
    const auto* const hash = at<std::uint32_t>(buckets_at + 4 * (buckets + last - first));
    if (hash == nullptr) return first;
    if ((*hash & 1U) != 0) return last + 1;
  }
}

void ElfImage::each_symbol(const std::function<void(Elf64_Sym&)>& visit) const {
  const auto symbols_at = dynamic_offset(DT_SYMTAB);
  const std::uint64_t count = symbol_count();
  auto* const symbols = symbols_at ? at<Elf64_Sym>(*symbols_at, count) : nullptr;
  for (std::uint64_t i = 1; symbols != nullptr && i < count; ++i) visit(symbols[i]);
}

std::optional<ElfImage::Symbol> ElfImage::symbol(std::string_view name) const {
  std::optional<Symbol> found;
  each_symbol([&](const Elf64_Sym& one) {
    if (one.st_shndx != SHN_UNDEF && name_at(one.st_name) == name) found = {one.st_value, one.st_size};
  });
  return found;
}

std::vector<ElfImage::Exported> ElfImage::exported() const {
  constexpr Elf64_Half number = 0x7fff;  // of a version; those above 1 have names
  std::vector<Exported> found;
  const auto symbols_at = dynamic_offset(DT_SYMTAB);
  const auto versions_at = dynamic_offset(DT_VERSYM);
  const std::uint64_t count = symbol_count();
  const auto* const symbols = symbols_at ? at<Elf64_Sym>(*symbols_at, count) : nullptr;
  const auto* const versions = versions_at ? at<Elf64_Half>(*versions_at, count) : nullptr;
  for (std::uint64_t i = 1; symbols != nullptr && i < count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    const auto type = ELF64_ST_TYPE(symbol.st_info);
    const bool is_variable = type == STT_OBJECT || type == STT_COMMON;
    const auto visible = ELF64_ST_VISIBILITY(symbol.st_other);
    if (symbol.st_shndx == SHN_UNDEF || (!is_variable && type != STT_FUNC) ||
        ELF64_ST_BIND(symbol.st_info) == STB_LOCAL || (visible != STV_DEFAULT && visible != STV_PROTECTED) ||
        (versions != nullptr && (versions[i] & number) > 1))
      continue;
    found.push_back({name_at(symbol.st_name), symbol.st_value, is_variable});
  }
  return found;
}

std::vector<std::string> ElfImage::undefined() const {
  std::vector<std::string> found = copied_variables();
  each_symbol([&](const Elf64_Sym& symbol) {
    if (symbol.st_shndx == SHN_UNDEF) found.push_back(name_at(symbol.st_name));
  });
  return found;
}

bool ElfImage::fixes_thread_variables() const {
  const Elf64_Dyn* const flags = dynamic(DT_FLAGS_1);
  return flags != nullptr && (flags->d_un.d_val & marks_executable) != 0 &&
         std::ranges::any_of(segments_, [](const Elf64_Phdr& segment) { return segment.p_type == PT_TLS; });
}

std::uint64_t ElfImage::static_tls() const {
  const Elf64_Dyn* const flags = dynamic(DT_FLAGS);
  if (flags == nullptr || (flags->d_un.d_val & DF_STATIC_TLS) == 0) return 0;
  std::uint64_t bytes = 0;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_TLS) bytes += segment.p_memsz + segment.p_align;
  }
  return bytes;
}

std::optional<std::uint64_t> ElfImage::function(const std::string& name) const {
  const auto* const header = at<Elf64_Ehdr>(0);
  const auto* const sections = at<Elf64_Shdr>(header->e_shoff, header->e_shnum);
  for (int i = 0; sections != nullptr && i < header->e_shnum; ++i) {
    const Elf64_Shdr& table = sections[i];
    if ((table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) || table.sh_link >= header->e_shnum) continue;
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    const auto* const symbols = at<Elf64_Sym>(table.sh_offset, count);
    for (std::uint64_t k = 0; symbols != nullptr && k < count; ++k) {
      const Elf64_Sym& symbol = symbols[k];
      if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
          text(sections[table.sh_link].sh_offset + symbol.st_name) == name)
        return symbol.st_value;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> ElfImage::main_of_start() const {
  constexpr std::size_t longest = 64;
  const auto* const header = at<Elf64_Ehdr>(0);
  const auto begin = header == nullptr ? std::nullopt : offset_of(header->e_entry);
  const std::vector<std::string> taken = undefined();
  if (load_first_argument.empty() || header->e_entry == 0 || !begin || *begin >= file_.size() ||
      std::ranges::find(taken, "__libc_start_main") == taken.end())
    return std::nullopt;
  const std::string_view code(file_.data() + *begin, std::min<std::size_t>(longest, file_.size() - *begin));
  const std::size_t load = code.find(load_first_argument);
  std::int32_t offset = 0;
  const std::size_t next = load + load_first_argument.size() + sizeof(offset);
  if (load == code.npos || next > code.size() || !code.substr(next).starts_with(call_by_address)) return std::nullopt;
  std::memcpy(&offset, code.data() + load + load_first_argument.size(), sizeof(offset));
  const std::uint64_t main = header->e_entry + next + static_cast<std::uint64_t>(std::int64_t{offset});
  const bool executable = std::ranges::any_of(segments_, [&](const Elf64_Phdr& segment) {
    return segment.p_type == PT_LOAD && (segment.p_flags & PF_X) != 0 && main >= segment.p_vaddr &&
           main - segment.p_vaddr < segment.p_filesz;
  });
  return executable ? std::optional(main) : std::nullopt;
}

/// What the loader reads: its tables, and what the headers lead to.
bool ElfImage::is_constant(const Elf64_Phdr& segment) const {
  if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0 || segment.p_filesz != segment.p_memsz) return false;
  const auto holds = [&](std::uint64_t offset) {
    return offset >= segment.p_offset && offset - segment.p_offset < segment.p_filesz;
  };
  const auto* const header = at<Elf64_Ehdr>(0);
  if (header == nullptr || holds(0) || holds(header->e_phoff)) return false;
  for (const Elf64_Sxword tag : loader_tables) {
    if (const auto table = dynamic_offset(tag); table && holds(*table)) return false;
  }
  return std::ranges::none_of(segments_, [&](const Elf64_Phdr& part) {
    if (part.p_type == PT_GNU_EH_FRAME || part.p_filesz == 0 || &part == &segment) return false;
    return holds(part.p_offset) ||
           (part.p_offset <= segment.p_offset && segment.p_offset - part.p_offset < part.p_filesz);
  });
}

bool ElfImage::runs_or_changes_code_to_bind() const {
  const Elf64_Dyn* const flags = dynamic(DT_FLAGS);
  bool found = dynamic(DT_TEXTREL) != nullptr || (flags != nullptr && (flags->d_un.d_val & DF_TEXTREL) != 0);
  each_symbol([&](const Elf64_Sym& symbol) { found = found || ELF64_ST_TYPE(symbol.st_info) == STT_GNU_IFUNC; });
  constexpr std::pair<Elf64_Sxword, Elf64_Sxword> tables[] = {{DT_RELA, DT_RELASZ}, {DT_JMPREL, DT_PLTRELSZ}};
  for (const auto& [tag, bytes_tag] : tables) {
    const auto begin = dynamic_offset(tag);
    const Elf64_Dyn* const bytes = dynamic(bytes_tag);
    if (!begin || bytes == nullptr) continue;
    const std::uint64_t count = bytes->d_un.d_val / sizeof(Elf64_Rela);
    const auto* const relocations = at<Elf64_Rela>(*begin, count);
    if (relocations == nullptr) return true;
    found = found || std::any_of(relocations, relocations + count, [](const Elf64_Rela& relocation) {
              return ELF64_R_TYPE(relocation.r_info) == function_relocation;
            });
  }
  return found;
}

std::vector<ConstantPages> ElfImage::constant_pages() const {
  std::vector<ConstantPages> found;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  if (runs_or_changes_code_to_bind()) return found;
  for (const Elf64_Phdr& segment : segments_) {
    const std::uint64_t before = segment.p_offset % page;  // the loader maps whole pages as well
    if (!is_constant(segment) || segment.p_vaddr % page != before || segment.p_offset > file_.size() ||
        segment.p_filesz > file_.size() - segment.p_offset)
      continue;
    const int protection =
        ((segment.p_flags & PF_R) != 0 ? PROT_READ : 0) | ((segment.p_flags & PF_X) != 0 ? PROT_EXEC : 0);
    found.push_back({segment.p_offset - before, segment.p_vaddr - before,
                     (segment.p_filesz + before + page - 1) / page * page, protection});
  }
  std::ranges::sort(found, {}, &ConstantPages::offset);
  return found;
}

}  // namespace raddle::ranks
