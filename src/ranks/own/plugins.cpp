// SPDX-License-Identifier: BSD-3-Clause
// Libraries that a rank loads while it runs (dlopen): it has copies of its own, which find its program as in a process.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "ranks/copies.hpp"
#include "ranks/process.hpp"

namespace raddle::ranks {

namespace {

bool is_within(const CopiedFile& file, std::uintptr_t address) { return address >= file.begin && address < file.end; }

const CopiedFile* file_of(const std::vector<CopiedFile>& files, const void* address) {
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  const auto found = std::ranges::find_if(files, [&](const CopiedFile& file) { return is_within(file, at); });
  return found == files.end() ? nullptr : &*found;
}

/// As dlopen for one that is loaded already.
void* again(const CopiedFile& file) { return dlopen(file.copy.c_str(), RTLD_LAZY | RTLD_NOLOAD); }

}  // namespace

void Plugins::begin(const Wishes& wishes, int words, char** arguments) {
  wishes_ = &wishes;
  words_ = words;
  arguments_ = arguments;
  files_ = own_.program.copies.files;
  twins_ = own_.program.copies.twins;
}

std::optional<std::string> Plugins::find(const std::string& name, const void* caller) const {
  if (name.find('/') != std::string::npos) return name;
  const CopiedFile* const of = file_of(files_, caller);
  const std::string& path = (of == nullptr ? files_.front() : *of).path;
  FileBytes bytes(path);
  return find_library(name, ElfImage(bytes.bytes()), path);
}

void* Plugins::open(const char* name, int flags, const void* caller) {
  const std::lock_guard lock(guard_);
  if (name == nullptr || *name == '\0') return again(files_.front());
  try {
    const std::optional<std::string> path = find(name, caller);
    if (!path) return dlopen(name, flags);
    if (is_shared(std::filesystem::path(*path).filename().string(), *wishes_)) {
      void* const shared = dlopen(name, flags);  // by its name, which one that is loaded may have
      return shared == nullptr ? dlopen(path->c_str(), flags) : shared;
    }
    const std::optional<FileId> id = id_of(path->c_str());
    const auto known = std::ranges::find(files_, id, &CopiedFile::id);
    void* const handle = id && known != files_.end()  ? again(*known)
                         : (flags & RTLD_NOLOAD) != 0 ? nullptr
                                                      : load(*path, flags);
    if (handle != nullptr && (flags & RTLD_GLOBAL) != 0 && std::ranges::find(global_, handle) == global_.end())
      global_.push_back(handle);
    return handle;
  } catch (const std::exception& reason) {
    void* const shared = dlopen(name, flags);  // if the loader cannot have it either, it says why
    if (shared != nullptr)
      std::fprintf(own_.variables.error(), "raddle-ranks: ranks share a library that one loads: %s\n", reason.what());
    return shared;
  }
}

void* Plugins::load(const std::string& path, int flags) {
  const Copies copies(closure_of(path, *wishes_, files_), Copies::Of::library);
  LoadedCopies loaded = copies.load(RTLD_NOW | RTLD_LOCAL | (flags & RTLD_NODELETE));
  std::vector<Twin> twins = twins_;
  twins.insert(twins.end(), loaded.twins.begin(), loaded.twins.end());
  const std::vector<std::string> needed = copies.excused();
  std::string missing;
  const Bindings bindings{
      .variables = own_.variables,
      .twins = twins,
      .copies = {},
      .preferred = *own_.program.preferred,
      .bases = own_.program.copies.bases,
      .functions = functions(),
      .of_program =
          [&](const char* symbol, std::uintptr_t bound, bool is_call) {
            const bool elsewhere = bound != 0 && file_of(loaded.files, reinterpret_cast<const void*>(bound)) == nullptr;
            const std::uintptr_t found = elsewhere ? 0 : reinterpret_cast<std::uintptr_t>(find_own(symbol));
            const bool lacks = bound == 0 && found == 0 && (!is_call || (flags & RTLD_NOW) != 0);
            if (lacks && std::ranges::find(needed, symbol) != needed.end()) missing = symbol;
            return found;
          },
  };
  copies.bind_all(loaded, bindings);
  if (!missing.empty()) {
    dlclose(loaded.handle);
    throw NotLoadable(path + ": undefined symbol: " + missing);
  }
  files_.insert(files_.end(), loaded.files.begin(), loaded.files.end());
  twins_ = std::move(twins);
  CalledHooks hooks = copies.hooks(loaded);
  for (const Hook constructor : hooks.constructors) constructor(words_, arguments_, own_.environment.table());
  std::vector<Hook>& destructors = own_.program.destructors;
  destructors.insert(destructors.begin(), hooks.destructors.begin(), hooks.destructors.end());
  return loaded.handle;
}

void* Plugins::find_own(const char* symbol) const {
  void* found = dlsym(own_.program.copies.handle, symbol);
  if (file_of(files_, found) != nullptr) return found;
  for (void* const handle : global_) {
    found = dlsym(handle, symbol);
    if (file_of(files_, found) != nullptr) return found;
  }
  return nullptr;
}

void* Plugins::symbol(void* handle, const char* name) {
  const std::lock_guard lock(guard_);
  if (handle == RTLD_DEFAULT || handle == own_.program.copies.handle) {
    if (void* const found = find_own(name)) return found;
    if (void* const found = dlsym(RTLD_DEFAULT, name)) return found;
  }
  return dlsym(handle, name);
}

bool Plugins::has(void* handle) {
  const std::lock_guard lock(guard_);
  return std::ranges::any_of(files_, [&](const CopiedFile& file) {
    void* const own = again(file);
    if (own != nullptr) dlclose(own);
    return own == handle;
  });
}

int Plugins::about(const void* address, Dl_info* info) {
  const int found = dladdr(address, info);
  const std::lock_guard lock(guard_);
  const CopiedFile* const file = file_of(files_, address);
  if (found != 0 && file != nullptr) info->dli_fname = names_.insert(file->path).first->c_str();
  return found;
}

namespace {

// In place of the C library's functions in copies alone: those depend on who calls them.

void* own_dlopen(const char* name, int flags) {
  const void* const caller = __builtin_return_address(0);
  return current == nullptr ? dlopen(name, flags) : current->plugins.open(name, flags, caller);
}

void* own_dlsym(void* handle, const char* name) {
  return current == nullptr ? dlsym(handle, name) : current->plugins.symbol(handle, name);
}

/// A rank's copies stay until it ends, as a process may keep what it has closed (dlclose of POSIX).
int own_dlclose(void* handle) { return current != nullptr && current->plugins.has(handle) ? 0 : dlclose(handle); }

int own_dladdr(const void* address, Dl_info* info) {
  return current == nullptr ? dladdr(address, info) : current->plugins.about(address, info);
}

template <typename Function>
std::uintptr_t address_of(Function* function) {
  return reinterpret_cast<std::uintptr_t>(function);
}

}  // namespace

std::span<const OwnFunction> Plugins::functions() {
  static const std::array<OwnFunction, 4> all{{{"dlopen", address_of(own_dlopen)},
                                               {"dlsym", address_of(own_dlsym)},
                                               {"dlclose", address_of(own_dlclose)},
                                               {"dladdr", address_of(own_dladdr)}}};
  return all;
}

}  // namespace raddle::ranks
