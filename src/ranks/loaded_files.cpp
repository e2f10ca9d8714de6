// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/loaded_files.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace raddle::ranks {

std::vector<LoadedFile> loaded_files() {
  std::vector<LoadedFile> all;
  dl_iterate_phdr(
      [](dl_phdr_info* file, std::size_t, void* to) {
        const auto id = file->dlpi_name[0] == '\0' ? std::nullopt : id_of(file->dlpi_name);
        if (!id) return 0;
        std::uintptr_t bytes = 0;
        for (int i = 0; i < file->dlpi_phnum; ++i) {
          const ElfW(Phdr) & segment = file->dlpi_phdr[i];
          if (segment.p_type == PT_LOAD) bytes = std::max<std::uintptr_t>(bytes, segment.p_vaddr + segment.p_memsz);
        }
        static_cast<std::vector<LoadedFile>*>(to)->push_back(
            {file->dlpi_name, *id, file->dlpi_addr, file->dlpi_addr + bytes});
        return 0;
      },
      &all);
  return all;
}

const link_map* loaded_as(const std::string& path) {
  void* const file = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  link_map* found = nullptr;
  if (file != nullptr) dlinfo(file, RTLD_DI_LINKMAP, static_cast<void*>(&found));
  return found;
}

}  // namespace raddle::ranks
