// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/program.hpp"

#include <dlfcn.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "ranks/bind.hpp"
#include "ranks/libraries.hpp"
#include "ranks/loaded_files.hpp"

namespace raddle::ranks {
namespace {

/// How the names of the libraries begin that are the MPI.
constexpr std::string_view mpi_names[] = {"libmpi.so", "libmpich.so", "libmpi_abi.so"};

constexpr const char* how = "Build it with -fPIC -shared.";

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

/// Two MPIs in one process do not know of each other. @throws NotLoadable  if the program is another one's
void refuse_another_mpi(const std::string& program, const std::vector<SharedFile>& files) {
  for (const SharedFile& file : files) {
    const std::string name = file.path.substr(file.path.rfind('/') + 1);
    const bool is_mpi = std::ranges::any_of(mpi_names, [&](std::string_view each) { return name.starts_with(each); });
    // By its name: where one MPI's library stands in for another's, the loader takes the one that is there.
    if (is_mpi && dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD) == nullptr)
      throw NotLoadable(program + " is linked with another MPI than its launcher's: " + file.path +
                        ". Start it by the mpiexec of that MPI.");
  }
}

/// The MPI's libraries are found before the copies are searched: constants of Fortran are addresses of its variables.
void load_for_all(const std::vector<SharedFile>& files) {
  for (const SharedFile& file : files) {
    if (file.reason == mpi_library) dlopen(file.path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  }
}

}  // namespace

Program::Program(Closure files) : closure_(std::move(files)) {
  const std::string& path = closure_.files.front().path;
  const ElfImage image = closure_.files.front().image();
  refuse_what_cannot_be(image);
  refuse_another_mpi(path, closure_.shared);
  for (const std::string& name : image.copied_variables()) {
    if (is_own_variable(name.c_str())) continue;
    for (std::size_t i = 1; i < closure_.files.size() && !copied_.contains(name); ++i) {
      if (const auto symbol = closure_.files[i].image().symbol(name)) copied_[name] = {i, *symbol};
    }
    if (copied_.contains(name)) continue;
    std::string why = path;
    why.append(" has a copy of ").append(name).append(", which is a library's that ranks share. ").append(how);
    throw NotLoadable(why);
  }
  auto main = image.function("main");
  if (!main) main = image.main_of_start();
  if (!main) throw NotLoadable(path + " has no function main, or its symbols were removed. " + how);
  main_ = *main;
  load_for_all(closure_.shared);
  preferred_ = preferred_names(closure_);
  const LoadedFiles for_all = loaded_by_id();
  for (std::size_t i = 0; i < closure_.files.size(); ++i) prepared_.push_back(prepare(i, for_all));
}

void Program::refuse_what_cannot_be(const ElfImage& image) const {
  const std::string& path = closure_.files.front().path;
  if (!image.is_elf()) throw NotLoadable(path + " is no program but a script or data. Name the program itself.");
  if (!image.readable()) throw NotLoadable(path + " is a program for another kind of machine. Build it for this one.");
  if (image.is_static()) throw NotLoadable(path + " is linked statically, so it has an MPI of its own. " + how);
  if (!image.position_independent()) throw NotLoadable(path + " has a fixed address. " + how);
  if (image.fixes_thread_variables())
    throw NotLoadable(path + " has variables of threads where only an executable can have them. " + how);
}

Program::Prepared Program::prepare(std::size_t index, const LoadedFiles& for_all) {
  PrivateFile& file = closure_.files[index];
  Prepared made;
  ElfImage image = file.image();
  made.constant = image.constant_pages();
  if (!may_be_mapped(file.file.descriptor(), made.constant)) made.constant.clear();
  made.hooks = image.take_hooks();
  image.unmark_executable();
  image.remove_name();
  image.own_unique_variables();
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
  for (const auto& [id, loaded] : for_all) {
    if (index == 0 || file.id != id) continue;
    made.twin = loaded->l_addr;
    made.twin_end = loaded->l_addr + bytes_of(loaded->l_addr);
  }
  return made;
}

std::vector<std::string> Program::copies_in_memory() const {
  std::vector<int> files;
  std::vector<std::string> paths;
  for (std::size_t i = 0; i < closure_.files.size(); ++i) {
    files.push_back(file_in_memory());
    paths.push_back(path_of(files.back()));
  }
  for (std::size_t i = 0; i < files.size(); ++i) write_copy(i, files[i], paths);
  return paths;
}

/// @param paths  of the copies of all files
void Program::write_copy(std::size_t index, int copy, const std::vector<std::string>& paths) const {
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
void Program::map_constants(std::size_t index, std::uintptr_t base) const {
  const PrivateFile& file = closure_.files[index];
  for (const ConstantPages& pages : prepared_[index].constant) {
    void* const place = reinterpret_cast<void*>(base + pages.address);
    if (map(file.file.descriptor(), pages, place, MAP_FIXED) == MAP_FAILED)
      throw NotLoadable(file.path + " cannot be mapped once more: " + message_of(errno));
  }
}

Loaded Program::load(Variables& variables) const {
  const std::vector<std::string> paths = copies_in_memory();
  const std::string& path = closure_.files.front().path;
  void* const loaded = dlopen(paths.front().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (loaded == nullptr) {
    const std::string why = dlerror();  // NOLINT(concurrency-mt-unsafe): each thread has its own
    throw NotLoadable(path + " cannot be loaded: " + why);
  }
  Bindings bindings{.variables = variables, .twins = {}, .copies = {}, .preferred = preferred_, .bases = {}};
  std::vector<const link_map*> files;
  std::vector<std::uintptr_t>& bases = bindings.bases;
  for (std::size_t i = 0; i < paths.size(); ++i) {
    files.push_back(loaded_as(paths[i]));
    if (files.back() == nullptr) throw NotLoadable(closure_.files[i].path + ": the loader has taken another file");
    bases.push_back(files.back()->l_addr);
    map_constants(i, bases.back());
    if (prepared_[i].twin != 0) bindings.twins.push_back({prepared_[i].twin, prepared_[i].twin_end, bases.back()});
  }
  for (const auto& [name, variable] : copied_)
    bindings.copies[name] = {bases[variable.file] + variable.symbol.offset, variable.symbol.bytes, 0};
  find_copies(*files.front(), bindings);
  for (const link_map* file : files) bind(*file, bindings);
  fill_copies(*files.front(), bindings);

  Loaded made;
  made.main = reinterpret_cast<Main>(bases.front() + main_);
  made.flush_units = reinterpret_cast<void (*)(int*)>(dlsym(loaded, "_gfortran_flush_i4"));
  append(made.constructors, prepared_.front().hooks.before_libraries, bases.front());
  std::vector<bool> done(files.size());
  add_hooks(made, 0, done, bases);
  std::ranges::reverse(made.destructors);
  return made;
}

/// Those of what a file needs come before its own; the destructors in the order in which they are not to be called.
void Program::add_hooks(Loaded& made, std::size_t index, std::vector<bool>& done,
                        const std::vector<std::uintptr_t>& bases) const {
  if (done[index]) return;
  done[index] = true;
  for (const int needed : prepared_[index].files) add_hooks(made, static_cast<std::size_t>(needed), done, bases);
  const Hooks& hooks = prepared_[index].hooks;
  append(made.constructors, hooks.first, bases[index]);
  append(made.constructors, hooks.constructors, bases[index]);
  append(made.destructors, hooks.last, bases[index]);
  append(made.destructors, hooks.destructors, bases[index]);
}

}  // namespace raddle::ranks
