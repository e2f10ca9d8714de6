// SPDX-License-Identifier: BSD-3-Clause
#include "ranks/program.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "ranks/bind.hpp"
#include "ranks/libraries.hpp"

namespace raddle::ranks {
namespace {

/// How the names of the libraries begin that are the MPI.
constexpr std::string_view mpi_names[] = {"libmpi.so", "libmpich.so", "libmpi_abi.so"};

constexpr const char* how = "Build it with -fPIC -shared.";

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

Program::Program(Closure files) {
  const std::string& path = files.files.front().path;
  const ElfImage image = files.files.front().image();
  refuse_what_cannot_be(path, image);
  refuse_another_mpi(path, files.shared);
  for (const std::string& name : image.copied_variables()) {
    if (is_own_variable(name.c_str())) continue;
    for (std::size_t i = 1; i < files.files.size() && !copied_.contains(name); ++i) {
      if (const auto symbol = files.files[i].image().symbol(name)) copied_[name] = {i, *symbol};
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
  load_for_all(files.shared);
  preferred_ = std::make_shared<const Definitions>(preferred_names(files));
  copies_.emplace(std::move(files), Copies::Of::program);
}

void Program::refuse_what_cannot_be(const std::string& path, const ElfImage& image) {
  if (!image.is_elf()) throw NotLoadable(path + " is no program but a script or data. Name the program itself.");
  if (!image.readable()) throw NotLoadable(path + " is a program for another kind of machine. Build it for this one.");
  if (image.is_static()) throw NotLoadable(path + " is linked statically, so it has an MPI of its own. " + how);
  if (!image.position_independent()) throw NotLoadable(path + " has a fixed address. " + how);
  if (image.fixes_thread_variables())
    throw NotLoadable(path + " has variables of threads where only an executable can have them. " + how);
}

Loaded Program::load(Variables& variables, std::span<const OwnFunction> functions) const {
  Loaded made;
  LoadedCopies copies = copies_->load(RTLD_NOW | RTLD_LOCAL);
  Bindings bindings{.variables = variables,
                    .twins = copies.twins,
                    .copies = {},
                    .preferred = *preferred_,
                    .bases = copies.bases,
                    .functions = functions,
                    .of_program = {}};
  for (const auto& [name, variable] : copied_)
    bindings.copies[name] = {copies.bases[variable.file] + variable.symbol.offset, variable.symbol.bytes, 0};
  find_copies(*copies.maps.front(), bindings);
  copies_->bind_all(copies, bindings);
  fill_copies(*copies.maps.front(), bindings);
  CalledHooks hooks = copies_->hooks(copies);
  made.main = reinterpret_cast<Main>(copies.bases.front() + main_);
  made.flush_units = reinterpret_cast<void (*)(int*)>(dlsym(copies.handle, "_gfortran_flush_i4"));
  made.constructors = std::move(hooks.constructors);
  made.destructors = std::move(hooks.destructors);
  made.copies = std::move(copies);
  made.preferred = preferred_;
  return made;
}

}  // namespace raddle::ranks
