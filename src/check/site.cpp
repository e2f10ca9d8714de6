// SPDX-License-Identifier: BSD-3-Clause
#include "check/site.hpp"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>
#include <unwind.h>

#include <climits>
#include <cstring>
#include <initializer_list>

namespace raddle::check {
namespace {

enum class Whose : std::uint8_t { program, binding, library };

bool begins(const char* name, const char* with) { return std::strncmp(name, with, std::strlen(with)) == 0; }

Whose whose(const void* address) {
  Dl_info about{};
  if (dladdr(address, &about) == 0 || about.dli_fname == nullptr) return Whose::program;
  const char* const slash = std::strrchr(about.dli_fname, '/');
  const char* const name = slash != nullptr ? slash + 1 : about.dli_fname;
  if (std::strstr(name, ".so") == nullptr) return Whose::program;
  if (begins(name, "libraddle")) return Whose::library;
  // What a program's compiler calls for it: operator delete frees.
  for (const char* const language : {"libstdc++", "libc++", "libgfortran", "libc.so"}) {
    if (begins(name, language)) return Whose::binding;
  }
  for (const char* const of_mpi : {"libmpi.", "libmpi_", "libmpi1", "libmpich", "libmpicxx", "libmpifort", "libmpigf",
                                   "libmpigc", "libopen-", "libpmpi", "libmca_", "mca_", "libromio"}) {
    if (!begins(name, of_mpi)) continue;
    for (const char* const language : {"fort", "mpifh", "usempi", "cxx", "f90", "f08"}) {
      if (std::strstr(name, language) != nullptr) return Whose::binding;
    }
    return Whose::library;
  }
  return Whose::program;
}

struct Search {
  const void* found = nullptr;
  bool past_binding = false;
};

_Unwind_Reason_Code look(_Unwind_Context* context, void* given) {
  auto& search = *static_cast<Search*>(given);
  const auto address = reinterpret_cast<const void*>(_Unwind_GetIP(context));
  const Whose owner = whose(address);
  search.past_binding |= owner == Whose::binding;
  if (!search.past_binding || owner != Whose::program) return _URC_NO_REASON;
  search.found = address;
  return _URC_END_OF_STACK;
}

struct CallerOwner {
  const void* caller = nullptr;
  Whose owner = Whose::program;
};
thread_local constinit CallerOwner known[64];

}  // namespace

const void* caller_in_program(const void* caller) {
  CallerOwner& near = known[reinterpret_cast<std::uintptr_t>(caller) / 4 % 64];
  if (near.caller != caller) near = {caller, whose(caller)};
  if (near.owner == Whose::program) return caller;
  if (near.owner == Whose::library) return nullptr;
  Search search;
  _Unwind_Backtrace(look, &search);
  return search.found != nullptr ? search.found : caller;
}

ModuleOffset module_offset_of(const void* caller) {
  Dl_info about{};
  link_map* map = nullptr;
  if (caller == nullptr || dladdr1(caller, &about, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0)
    return {"", 0};
  const auto at = reinterpret_cast<std::uintptr_t>(caller);
  const std::uintptr_t base = map != nullptr ? map->l_addr : reinterpret_cast<std::uintptr_t>(about.dli_fbase);
  std::string module = map != nullptr && map->l_name != nullptr ? map->l_name : "";
  if (module.empty()) {  // the program itself
    char path[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
    module = length > 0 ? std::string(path, static_cast<std::size_t>(length)) : about.dli_fname;
  }
  return {std::move(module), at - base};
}

}  // namespace raddle::check
