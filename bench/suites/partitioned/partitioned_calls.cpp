// SPDX-License-Identifier: BSD-3-Clause
#include "suites/partitioned/partitioned_calls.hpp"

#include <dlfcn.h>
#include <link.h>

#include <type_traits>

#include "raddle/raddle.h"

namespace raddle::bench {
namespace {

static_assert(std::is_same_v<decltype(&Raddle_Psend_init), decltype(PartitionedCalls::send_init)>);
static_assert(std::is_same_v<decltype(&Raddle_Precv_init), decltype(PartitionedCalls::recv_init)>);
static_assert(std::is_same_v<decltype(&Raddle_Pready), decltype(PartitionedCalls::ready)>);
static_assert(std::is_same_v<decltype(&Raddle_Parrived), decltype(PartitionedCalls::arrived)>);
static_assert(std::is_same_v<decltype(&Raddle_Partitioned_attach), decltype(PartitionedCalls::attach)>);
static_assert(std::is_same_v<decltype(&Raddle_Partitioned_messages), decltype(PartitionedCalls::messages)>);

template <typename Function>
bool find_call(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

/// A function of that name in a library that is loaded and is not libraddle, which has all of the MPI's names.
void* find_beside_raddle(const char* name) {
  link_map* library = nullptr;
  void* const program = dlopen(nullptr, RTLD_LAZY);
  if (program == nullptr || dlinfo(program, RTLD_DI_LINKMAP, static_cast<void*>(&library)) != 0) return nullptr;
  for (; library != nullptr; library = library->l_next) {
    void* const loaded = *library->l_name != 0 ? dlopen(library->l_name, RTLD_LAZY | RTLD_NOLOAD) : nullptr;
    if (loaded == nullptr) continue;
    void* const function = dlsym(loaded, name);
    const bool raddle = dlsym(loaded, "Raddle_Psend_init") != nullptr;
    dlclose(loaded);
    // What is found may be that of another library which this one needs.
    Dl_info about{};
    const bool own = function != nullptr && dladdr(function, &about) != 0 &&
                     reinterpret_cast<ElfW(Addr)>(about.dli_fbase) == library->l_addr;
    if (own && !raddle) return function;
  }
  return nullptr;
}

template <typename Function>
bool find_native(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(find_beside_raddle(name));
  return function != nullptr;
}

}  // namespace

const PartitionedCalls* native_partitioned() {
  // Looked up as well: an MPI before 4.0 has none of them.
  static const PartitionedCalls calls = [] {
    PartitionedCalls found{};
    const bool all = find_native(found.send_init, "MPI_Psend_init") && find_native(found.recv_init, "MPI_Precv_init") &&
                     find_native(found.ready, "MPI_Pready") && find_native(found.arrived, "MPI_Parrived");
    return all ? found : PartitionedCalls{};
  }();
  return calls.send_init != nullptr ? &calls : nullptr;
}

const PartitionedCalls* raddle_partitioned() {
  static const PartitionedCalls calls = [] {
    PartitionedCalls found{};
    const bool all = find_call(found.send_init, "Raddle_Psend_init") &&
                     find_call(found.recv_init, "Raddle_Precv_init") && find_call(found.ready, "Raddle_Pready") &&
                     find_call(found.arrived, "Raddle_Parrived") &&
                     find_call(found.attach, "Raddle_Partitioned_attach") &&
                     find_call(found.messages, "Raddle_Partitioned_messages");
    return all ? found : PartitionedCalls{};
  }();
  return calls.send_init != nullptr ? &calls : nullptr;
}

}  // namespace raddle::bench
