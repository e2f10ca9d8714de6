// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/loaded_files.hpp"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>

namespace raddle::ranks {

const link_map* loaded_files() {
  void* const main = dlopen(nullptr, RTLD_NOW);
  link_map* first = nullptr;
  dlinfo(main, RTLD_DI_LINKMAP, static_cast<void*>(&first));
  return first;
}

const link_map* loaded_as(const std::string& path) {
  const link_map* file = loaded_files();
  while (file != nullptr && path != file->l_name) file = file->l_next;
  return file;
}

std::vector<std::pair<FileId, const link_map*>> loaded_by_id() {
  std::vector<std::pair<FileId, const link_map*>> all;
  for (const link_map* loaded = loaded_files(); loaded != nullptr; loaded = loaded->l_next) {
    if (loaded->l_name[0] == '\0') continue;
    if (const auto id = id_of(loaded->l_name)) all.emplace_back(*id, loaded);
  }
  return all;
}

std::uintptr_t bytes_of(std::uintptr_t base) {
  const auto* const header = reinterpret_cast<const Elf64_Ehdr*>(base);
  const auto* const segments = reinterpret_cast<const Elf64_Phdr*>(base + header->e_phoff);
  std::uintptr_t end = 0;
  for (int i = 0; i < header->e_phnum; ++i) {
    if (segments[i].p_type == PT_LOAD) end = std::max<std::uintptr_t>(end, segments[i].p_vaddr + segments[i].p_memsz);
  }
  return end;
}

}  // namespace raddle::ranks
