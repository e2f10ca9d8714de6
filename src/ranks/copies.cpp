// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/copies.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <system_error>
#include <utility>

namespace raddle::ranks {
namespace {

std::string message_of(int error) { return std::generic_category().message(error); }

/// A file in memory. It stays open: the loader would take the next one of its number for the same.
int file_in_memory() {
  const int file = memfd_create("program", MFD_CLOEXEC);  // a path may be longer than its name
  if (file >= 0) return file;
  const int error = errno;
  throw NotLoadable("no file in memory for another copy of the program: " + message_of(error) +
                    (error == EMFILE ? ". Raise the limit of open files (ulimit -n)." : ""));
}

std::string path_of(int file) { return "/proc/self/fd/" + std::to_string(file); }

/// @param path  of what it is a copy of
void write_all(int copy, std::span<const char> bytes, std::uint64_t offset, const std::string& path) {
  while (!bytes.empty()) {
    const ssize_t part = pwrite(copy, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (part < 0 && errno == EINTR) continue;
    if (part < 0) throw NotLoadable("no memory for a copy of " + path + ": " + message_of(errno));
    bytes = bytes.subspan(static_cast<std::size_t>(part));
    offset += static_cast<std::uint64_t>(part);
  }
}

void* map(int file, const ConstantPages& pages, void* place, int flags) {
  return mmap(place, pages.bytes, pages.protection, MAP_PRIVATE | flags, file, static_cast<off_t>(pages.offset));
}

/// Whether the system lets code of the file be mapped: it may be where no programs are to be run.
bool may_be_mapped(int file, const std::vector<ConstantPages>& constant) {
  return file >= 0 && std::ranges::all_of(constant, [&](const ConstantPages& pages) {
           void* const mapped = map(file, pages, nullptr, 0);
           return mapped != MAP_FAILED && munmap(mapped, pages.bytes) == 0;
         });
}

/// @param array  of functions, in a file that is loaded
void append(std::vector<Hook>& to, const FunctionArray& array, std::uintptr_t base) {
  const auto* const functions = reinterpret_cast<const Hook*>(base + array.address);
  std::vector<Hook> called(functions, functions + array.count);
  std::erase_if(called, [](Hook hook) { return hook == nullptr || reinterpret_cast<std::intptr_t>(hook) == -1; });
  to.insert(to.end(), called.begin(), called.end());
}

void append(std::vector<Hook>& to, std::uint64_t function, std::uintptr_t base) {
  if (function != 0) to.push_back(reinterpret_cast<Hook>(base + function));
}

}  // namespace

Copies::Copies(Closure files, Of of) : closure_(std::move(files)) {
  const std::vector<LoadedFile> for_all = loaded_files();
  for (std::size_t i = 0; i < closure_.files.size(); ++i)
    prepared_.push_back(closure_.files[i].copy.empty() ? prepare(i, of, for_all) : Prepared());
}

Copies::Prepared Copies::prepare(std::size_t index, Of of, const std::vector<LoadedFile>& for_all) {
  PrivateFile& file = closure_.files[index];
  Prepared made;
  ElfImage image = file.image();
  made.constant = image.constant_pages();
  if (!may_be_mapped(file.file.descriptor(), made.constant)) made.constant.clear();
  made.hooks = image.take_hooks();
  image.unmark_executable();
  image.remove_name();
  image.own_unique_variables();
  if (of == Of::library) made.excused = image.excuse_undefined();
  image.strip();
  std::vector<std::string> names;
  for (const Dependency& needed : file.needs) {
    if (needed.file < 0) continue;
    names.push_back(needed.name);
    made.files.push_back(needed.file);
  }
  const std::string written = image.search_path(true) + image.search_path(false);
  const std::string path = written.find("ORIGIN") == std::string::npos ? "" : with_origin(written, file.path);
  if (!names.empty() || !path.empty()) {
    auto added = image.make_room(names, path);
    if (!added) throw NotLoadable(file.path + " has no room for the names of copies of its libraries");
    made.added = std::move(*added);
  }
  made.bytes = image.bytes();
  made.memory = image.memory();
  const auto twin = std::ranges::find_if(for_all, [&](const LoadedFile& loaded) { return file.id == loaded.id; });
  if (twin != for_all.end()) made.twin = {twin->begin, twin->end, 0};
  return made;
}

std::vector<std::string> Copies::copies_in_memory() const {
  std::vector<int> files;
  std::vector<std::string> paths;
  for (const PrivateFile& file : closure_.files) {
    files.push_back(file.copy.empty() ? file_in_memory() : -1);
    paths.push_back(file.copy.empty() ? path_of(files.back()) : file.copy);
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (files[i] >= 0) write_copy(i, files[i], paths);
  }
  return paths;
}

/// @param paths  of the copies of all files
void Copies::write_copy(std::size_t index, int copy, const std::vector<std::string>& paths) const {
  const PrivateFile& file = closure_.files[index];
  const Prepared& prepared = prepared_[index];
  const std::span<const char> bytes = file.file.bytes().first(prepared.bytes);
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::uint64_t next = 0;
  for (const ConstantPages& pages : prepared.constant) {
    // The first and the last page may hold something else as well.
    const std::uint64_t end = pages.offset + pages.bytes - page;
    if (end <= pages.offset + page) continue;
    write_all(copy, bytes.subspan(next, pages.offset + page - next), next, file.path);
    next = end;
  }
  write_all(copy, bytes.subspan(next), next, file.path);
  write_all(copy, prepared.added.bytes, prepared.added.offset, file.path);
  for (std::size_t i = 0; i < prepared.added.places.size(); ++i)
    write_all(copy, paths[static_cast<std::size_t>(prepared.files[i])], prepared.added.places[i], file.path);
}

/// @param base  where the copy is loaded
void Copies::map_constants(std::size_t index, std::uintptr_t base) const {
  const PrivateFile& file = closure_.files[index];
  for (const ConstantPages& pages : prepared_[index].constant) {
    void* const place = reinterpret_cast<void*>(base + pages.address);
    if (map(file.file.descriptor(), pages, place, MAP_FIXED) == MAP_FAILED)
      throw NotLoadable(file.path + " cannot be mapped once more: " + message_of(errno));
  }
}

LoadedCopies Copies::load(int flags) const {
  const std::vector<std::string> paths = copies_in_memory();
  LoadedCopies made;
  made.handle = dlopen(paths.front().c_str(), flags);
  if (made.handle == nullptr) {
    const std::string why = dlerror();  // NOLINT(concurrency-mt-unsafe): each thread has its own
    throw NotLoadable(closure_.files.front().path + " cannot be loaded: " + why);
  }
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const PrivateFile& file = closure_.files[i];
    made.maps.push_back(loaded_as(paths[i]));
    if (made.maps.back() == nullptr) throw NotLoadable(file.path + ": the loader has taken another file");
    const std::uintptr_t base = made.maps.back()->l_addr;
    made.bases.push_back(base);
    if (!file.copy.empty()) continue;
    map_constants(i, base);
    made.files.push_back({file.path, file.id, paths[i], base, base + prepared_[i].memory});
    if (Twin twin = prepared_[i].twin; twin.begin != 0) {
      twin.copy = base;
      made.twins.push_back(twin);
    }
  }
  return made;
}

void Copies::bind_all(const LoadedCopies& loaded, const Bindings& bindings) const {
  for (std::size_t i = 0; i < loaded.maps.size(); ++i) {
    if (closure_.files[i].copy.empty()) bind(*loaded.maps[i], bindings);
  }
}

CalledHooks Copies::hooks(const LoadedCopies& loaded) const {
  CalledHooks made;
  append(made.constructors, prepared_.front().hooks.before_libraries, loaded.bases.front());
  std::vector<bool> done(closure_.files.size());
  add_hooks(made, 0, done, loaded.bases);
  std::ranges::reverse(made.destructors);
  return made;
}

std::vector<std::string> Copies::excused() const {
  std::vector<std::string> all;
  for (const Prepared& each : prepared_) all.insert(all.end(), each.excused.begin(), each.excused.end());
  return all;
}

/// Those of what a file needs come before its own; the destructors in the order in which they are not to be called.
void Copies::add_hooks(CalledHooks& made, std::size_t index, std::vector<bool>& done,
                       const std::vector<std::uintptr_t>& bases) const {
  if (done[index]) return;
  done[index] = true;
  if (!closure_.files[index].copy.empty()) return;
  for (const int needed : prepared_[index].files) add_hooks(made, static_cast<std::size_t>(needed), done, bases);
  const Hooks& hooks = prepared_[index].hooks;
  append(made.constructors, hooks.first, bases[index]);
  append(made.constructors, hooks.constructors, bases[index]);
  append(made.destructors, hooks.last, bases[index]);
  append(made.destructors, hooks.destructors, bases[index]);
}

}  // namespace raddle::ranks
