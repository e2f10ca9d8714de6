// SPDX-License-Identifier: BSD-3-Clause
// The changes of an ELF file; elf_image.cpp has what is read of it.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "ranks/elf_image.hpp"

namespace raddle::ranks {
namespace {

/// Of the range of those that hold addresses, and none that a loader knows.
constexpr Elf64_Sxword no_tag = DT_ADDRRNGLO + 1;

}  // namespace

void ElfImage::unmark_executable() {
  if (Elf64_Dyn* const flags = dynamic(DT_FLAGS_1)) flags->d_un.d_val &= ~marks_executable;
}

FunctionArray ElfImage::take_array(Elf64_Sxword tag, Elf64_Sxword bytes_tag) {
  const Elf64_Dyn* const array = dynamic(tag);
  Elf64_Dyn* const bytes = dynamic(bytes_tag);
  if (array == nullptr || bytes == nullptr) return {};
  return {array->d_un.d_ptr, std::exchange(bytes->d_un.d_val, 0) / sizeof(Elf64_Addr)};
}

std::uint64_t ElfImage::take_function(Elf64_Sxword tag) {
  Elf64_Dyn* const entry = dynamic(tag);
  if (entry == nullptr) return 0;
  entry->d_tag = no_tag;
  return entry->d_un.d_ptr;
}

Hooks ElfImage::take_hooks() {
  return {.before_libraries = take_array(DT_PREINIT_ARRAY, DT_PREINIT_ARRAYSZ),
          .first = take_function(DT_INIT),
          .constructors = take_array(DT_INIT_ARRAY, DT_INIT_ARRAYSZ),
          .destructors = take_array(DT_FINI_ARRAY, DT_FINI_ARRAYSZ),
          .last = take_function(DT_FINI)};
}

void ElfImage::remove_name() {
  if (Elf64_Dyn* const name = dynamic(DT_SONAME)) name->d_tag = no_tag;
}

void ElfImage::own_unique_variables() {
  each_symbol([](Elf64_Sym& symbol) {
    if (ELF64_ST_BIND(symbol.st_info) == STB_GNU_UNIQUE)
      symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(symbol.st_info));
  });
}

std::vector<std::string> ElfImage::excuse_undefined() {
  std::vector<std::string> names;
  each_symbol([&](Elf64_Sym& symbol) {
    if (symbol.st_shndx != SHN_UNDEF || ELF64_ST_BIND(symbol.st_info) != STB_GLOBAL) return;
    symbol.st_info = ELF64_ST_INFO(STB_WEAK, ELF64_ST_TYPE(symbol.st_info));
    names.push_back(name_at(symbol.st_name));
  });
  return names;
}

void ElfImage::strip() {
  auto* const header = at<Elf64_Ehdr>(0);
  if (header == nullptr) return;
  std::uint64_t end = std::max<std::uint64_t>(sizeof *header, header->e_phoff + sizeof(Elf64_Phdr) * header->e_phnum);
  for (const Elf64_Phdr& segment : segments_) end = std::max(end, segment.p_offset + segment.p_filesz);
  if (end > file_.size()) return;
  header->e_shoff = 0;
  header->e_shnum = 0;
  header->e_shstrndx = SHN_UNDEF;
  file_ = file_.first(end);
}

std::optional<AddedNames> ElfImage::make_room(const std::vector<std::string>& names, std::string_view path) {
  const auto old_at = dynamic_offset(DT_STRTAB);
  const Elf64_Dyn* const bytes = dynamic(DT_STRSZ);
  if (!old_at || bytes == nullptr || at<char>(*old_at, bytes->d_un.d_val) == nullptr) return std::nullopt;
  const std::uint64_t old_bytes = bytes->d_un.d_val;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto upwards = [&](std::uint64_t value) { return (value + page - 1) / page * page; };
  std::uint64_t address = 0;
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type == PT_LOAD) address = std::max(address, upwards(segment.p_vaddr + segment.p_memsz));
  }
  // All names once more, and the new ones behind them.
  AddedNames added;
  added.offset = upwards(file_.size());
  added.bytes.resize(old_bytes + room * names.size() + path.size() + 1);
  const std::uint64_t path_at = added.bytes.size() - path.size() - 1;
  std::ranges::copy(file_.subspan(*old_at, old_bytes), added.bytes.begin());
  std::ranges::copy(path, added.bytes.begin() + static_cast<std::ptrdiff_t>(path_at));
  if (!add_segment(added.offset, address, added.bytes.size())) return std::nullopt;
  replace_names(*old_at, names, old_bytes);
  if (!path.empty()) {
    for (const Elf64_Sxword tag : {DT_RPATH, DT_RUNPATH}) {
      if (Elf64_Dyn* const entry = dynamic(tag)) entry->d_un.d_val = path_at;
    }
  }
  Elf64_Dyn* const all_names = dynamic(DT_STRTAB);
  Elf64_Dyn* const all_bytes = dynamic(DT_STRSZ);
  if (all_names == nullptr || all_bytes == nullptr) return std::nullopt;
  all_names->d_un.d_ptr = address;
  all_bytes->d_un.d_val = added.bytes.size();
  for (std::size_t i = 0; i < names.size(); ++i) added.places.push_back(added.offset + old_bytes + room * i);
  return added;
}

/// In the place of one that loaders do not need, behind all others: theirs have to ascend.
bool ElfImage::add_segment(std::uint64_t offset, std::uint64_t address, std::uint64_t bytes) {
  // Of a library they find the table of segments by its header, too.
  constexpr Elf64_Word needless[] = {PT_NOTE, PT_NULL, PT_PHDR};
  auto spare = segments_.end();
  for (const Elf64_Word type : needless) {
    if (spare == segments_.end()) spare = std::ranges::find(segments_, type, &Elf64_Phdr::p_type);
  }
  if (spare == segments_.end()) return false;
  auto* const header = at<Elf64_Ehdr>(0);
  auto* const table = header == nullptr ? nullptr : at<Elf64_Phdr>(header->e_phoff, segments_.size());
  if (table == nullptr) return false;
  segments_.erase(spare);
  Elf64_Phdr added{};
  added.p_type = PT_LOAD;
  added.p_flags = PF_R;
  added.p_offset = offset;
  added.p_vaddr = added.p_paddr = address;
  added.p_filesz = added.p_memsz = bytes;
  added.p_align = static_cast<Elf64_Xword>(sysconf(_SC_PAGESIZE));
  segments_.push_back(added);
  std::ranges::copy(segments_, table);
  return true;
}

/// In the table of what is needed, and in that of the versions of symbols. @param names_at  all names, in the file
/// @param first  where among them the first new one goes
void ElfImage::replace_names(std::uint64_t names_at, const std::vector<std::string>& names, std::uint64_t first) {
  const auto replacement = [&](std::uint64_t place) -> std::optional<std::uint64_t> {
    const auto found = std::ranges::find(names, text(names_at + place));
    if (found == names.end()) return std::nullopt;
    return first + room * static_cast<std::uint64_t>(found - names.begin());
  };
  auto* const all = at<Elf64_Dyn>(dynamic_at_, dynamics_);
  for (std::uint64_t i = 0; all != nullptr && i < dynamics_ && all[i].d_tag != DT_NULL; ++i) {
    if (all[i].d_tag != DT_NEEDED) continue;
    if (const auto place = replacement(all[i].d_un.d_val)) all[i].d_un.d_val = *place;
  }
  const Elf64_Dyn* const count = dynamic(DT_VERNEEDNUM);
  auto place = dynamic_offset(DT_VERNEED);
  for (std::uint64_t i = 0; count != nullptr && place && i < count->d_un.d_val; ++i) {
    auto* const version = at<Elf64_Verneed>(*place);
    if (version == nullptr) return;
    if (const auto found = replacement(version->vn_file)) version->vn_file = static_cast<Elf64_Word>(*found);
    if (version->vn_next == 0) return;
    *place += version->vn_next;
  }
}

}  // namespace raddle::ranks
