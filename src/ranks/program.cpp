// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/program.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

#include "ranks/last_calls.hpp"

namespace raddle::ranks {
namespace {

constexpr const char* how = "Build it with -fPIC -shared.";

/// Copies of these are as good as the originals: the value does not change.
constexpr std::array<std::string_view, 3> harmless{"stdin", "stdout", "stderr"};

std::string message_of(int error) { return std::generic_category().message(error); }

std::vector<char> read_all(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw NotLoadable(path + " cannot be read: " + message_of(errno));
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A file in memory. It stays open: the loader would take the next one of its number for the same.
std::string copy_in_memory(const std::string& path, const std::vector<char>& bytes) {
  const int file = memfd_create("program", MFD_CLOEXEC);  // a path may be longer than its name
  std::size_t written = 0;
  while (file >= 0 && written < bytes.size()) {
    const ssize_t part = write(file, bytes.data() + written, bytes.size() - written);
    if (part < 0) break;
    written += static_cast<std::size_t>(part);
  }
  if (file < 0 || written < bytes.size())
    throw NotLoadable("no memory for a copy of " + path + ": " + message_of(errno));
  return "/proc/self/fd/" + std::to_string(file);
}

}  // namespace

Program::Program(const std::string& path) : path_(path), file_(read_all(path)) {
  ElfImage image(file_);
  if (!image.readable())
    throw NotLoadable(path + " is no program of this machine (a script?). Name the program itself.");
  if (!image.position_independent()) throw NotLoadable(path + " has a fixed address. " + how);
  const std::vector<std::string> copied = image.copied_variables();
  const auto harmful = std::ranges::find_if(
      copied, [](const std::string& name) { return std::ranges::find(harmless, name) == harmless.end(); });
  if (harmful != copied.end())
    throw NotLoadable(path + " has a copy of " + *harmful + ", which is a library's. " + how);
  if (image.fixes_thread_variables())
    throw NotLoadable(path + " has variables of threads where only an executable can have them. " + how);
  const auto main = image.function("main");
  if (!main) throw NotLoadable(path + " has no function main, or its symbols were removed. " + how);
  main_ = *main;
  destructors_ = image.take_destructors();
  image.unmark_executable();
}

Loaded Program::load() const {
  const std::string copy = copy_in_memory(path_, file_);
  void* const loaded = dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    const char* const why = dlerror();  // NOLINT(concurrency-mt-unsafe): each thread has its own
    throw NotLoadable(path_ + " cannot be loaded: " + why + ". " + how);
  }
  link_map* map = nullptr;
  dlinfo(loaded, RTLD_DI_LINKMAP, static_cast<void*>(&map));
  Loaded made;
  made.main = reinterpret_cast<Main>(map->l_addr + main_);
  made.flush_units = reinterpret_cast<void (*)(int*)>(dlsym(loaded, "_gfortran_flush_i4"));
  made.base = copy_with(reinterpret_cast<const void*>(made.main));
  made.destructors = reinterpret_cast<const Destructor*>(map->l_addr + destructors_.address);
  made.destructors_end = made.destructors + destructors_.count;
  return made;
}

}  // namespace raddle::ranks
