// SPDX-License-Identifier: BSD-3-Clause
#include "interpose/fortran.hpp"

#include <dlfcn.h>
#include <link.h>
#include <mpi.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "interpose/wrapper.hpp"

namespace raddle::interpose::fortran {
namespace {

/// The files of all libraries that are loaded, wherever from. None may be opened meanwhile.
std::vector<std::string> libraries() {
  std::vector<std::string> names;
  const auto note = [](dl_phdr_info* info, std::size_t /*size*/, void* into) {
    static_cast<std::vector<std::string>*>(into)->emplace_back(info->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(note, &names);
  return names;
}

/// How many libraries have been loaded, ever.
std::uint64_t loads() {
  std::uint64_t number = 0;
  const auto note = [](dl_phdr_info* info, std::size_t /*size*/, void* into) {
    *static_cast<std::uint64_t*>(into) = info->dlpi_adds;
    return 1;  // any of them tells
  };
  dl_iterate_phdr(note, &number);
  return number;
}

/// Whether it, or one that it needs, is the MPI's for Fortran.
bool has_bindings(const std::string& name) {
  void* const library = dlopen(name.empty() ? nullptr : name.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  const bool found = dlsym(library, "mpi_op_create_") != nullptr;
  dlclose(library);
  return found;
}

}  // namespace

bool operators_may_differ() {
  // Where handles are integers, Fortran's are the same. (The mpi.h of the MPI-5 ABI has no MPI_Fint.)
  if constexpr (std::is_same_v<MPI_Datatype, int>) return false;
  // To look takes as long as loading a library. BLACS makes an operator for each reduction.
  static std::atomic<std::uint64_t> known{0};  // loads when it was looked last, doubled, and what was found
  const std::uint64_t now = 2 * loads();
  const std::uint64_t last = known.load(std::memory_order_relaxed);
  if ((last & ~std::uint64_t{1}) == now) return (last & 1U) != 0;
  const bool differ = std::ranges::any_of(libraries(), has_bindings);
  known.store(now + (differ ? 1U : 0U), std::memory_order_relaxed);
  return differ;
}

bool calls_from(const void* caller) {
  Dl_info who{};
  if (dladdr(caller, &who) == 0 || who.dli_fname == nullptr) return false;
  void* const library = dlopen(who.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;  // the program itself
  Dl_info bindings{};
  const void* const function = dlsym(library, "mpi_comm_create_keyval_");  // its own, or one of a library that it needs
  const bool own = function != nullptr && dladdr(function, &bindings) != 0 && bindings.dli_fbase == who.dli_fbase;
  dlclose(library);
  return own;
}

}  // namespace raddle::interpose::fortran

extern "C" {

// For src/fortran/: awaits the program's call of MPI_Is_thread_main, and tells whether it has come.
RADDLE_ENTRY void Raddle_Fortran_call_awaited() { raddle::interpose::fortran::call_awaited = true; }
RADDLE_ENTRY int Raddle_Fortran_call_seen() {
  return std::exchange(raddle::interpose::fortran::call_awaited, false) ? 0 : 1;
}

}  // extern "C"
