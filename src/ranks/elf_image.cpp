// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/elf_image.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace raddle::ranks {
namespace {

#if defined(__x86_64__)
constexpr std::uint16_t machine = EM_X86_64;
constexpr std::uint64_t copy_relocation = R_X86_64_COPY;
#elif defined(__aarch64__)
constexpr std::uint16_t machine = EM_AARCH64;
constexpr std::uint64_t copy_relocation = R_AARCH64_COPY;
#else
constexpr std::uint16_t machine = EM_NONE;  // nothing is readable
constexpr std::uint64_t copy_relocation = 0;
#endif

constexpr Elf64_Xword marks_executable = 0x08000000;  // DF_1_PIE, which older elf.h lack

}  // namespace

template <typename Entry>
Entry* ElfImage::at(std::uint64_t offset, std::uint64_t count) const {
  if (offset > file_.size() || count > (file_.size() - offset) / sizeof(Entry)) return nullptr;
  if (offset % alignof(Entry) != 0) return nullptr;  // nobody writes such files
  return reinterpret_cast<Entry*>(file_.data() + offset);
}

ElfImage::ElfImage(std::vector<char>& file) : file_(file) {
  const auto* const header = at<Elf64_Ehdr>(0);
  if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != machine) return;
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

std::string ElfImage::text(std::uint64_t offset) const {
  if (offset >= file_.size()) return {};
  const auto begin = file_.begin() + static_cast<std::ptrdiff_t>(offset);
  return {begin, std::find(begin, file_.end(), '\0')};
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

std::vector<std::string> ElfImage::copied_variables() const {
  std::vector<std::string> names;
  const auto relocations_at = dynamic_offset(DT_RELA);
  const auto symbols_at = dynamic_offset(DT_SYMTAB);
  const auto names_at = dynamic_offset(DT_STRTAB);
  const Elf64_Dyn* const bytes = dynamic(DT_RELASZ);
  if (!relocations_at || !symbols_at || !names_at || bytes == nullptr) return names;
  const std::uint64_t count = bytes->d_un.d_val / sizeof(Elf64_Rela);
  const auto* const relocations = at<Elf64_Rela>(*relocations_at, count);
  for (std::uint64_t i = 0; relocations != nullptr && i < count; ++i) {
    if (ELF64_R_TYPE(relocations[i].r_info) != copy_relocation) continue;
    const auto* const symbol = at<Elf64_Sym>(*symbols_at + ELF64_R_SYM(relocations[i].r_info) * sizeof(Elf64_Sym));
    if (symbol != nullptr) names.push_back(text(*names_at + symbol->st_name));
  }
  return names;
}

bool ElfImage::fixes_thread_variables() const {
  const Elf64_Dyn* const flags = dynamic(DT_FLAGS_1);
  return flags != nullptr && (flags->d_un.d_val & marks_executable) != 0 &&
         std::ranges::any_of(segments_, [](const Elf64_Phdr& segment) { return segment.p_type == PT_TLS; });
}

void ElfImage::unmark_executable() {
  if (Elf64_Dyn* const flags = dynamic(DT_FLAGS_1)) flags->d_un.d_val &= ~marks_executable;
}

Destructors ElfImage::take_destructors() {
  const Elf64_Dyn* const array = dynamic(DT_FINI_ARRAY);
  Elf64_Dyn* const bytes = dynamic(DT_FINI_ARRAYSZ);
  if (array == nullptr || bytes == nullptr) return {};
  return {array->d_un.d_ptr, std::exchange(bytes->d_un.d_val, 0) / sizeof(Elf64_Addr)};
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

}  // namespace raddle::ranks
