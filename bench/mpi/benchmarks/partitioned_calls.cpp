// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/benchmarks/partitioned_calls.hpp"

#include <dlfcn.h>

#include <type_traits>

#include "mpi/features.hpp"
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
bool find(Function*& function, const char* name) {
  function = reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
  return function != nullptr;
}

}  // namespace

const PartitionedCalls* native_partitioned() {
#if RADDLE_HAVE_PARTITIONED
  // By their profiling names, which are the MPI's even where libraddle is preloaded. They differ in const only.
  static const PartitionedCalls calls{
      [](const void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int dest, int tag, MPI_Comm comm,
         MPI_Info info, MPI_Request* request) {
        return PMPI_Psend_init(const_cast<void*>(buffer), partitions, count, type, dest, tag, comm, info, request);
      },
      [](void* buffer, int partitions, MPI_Count count, MPI_Datatype type, int source, int tag, MPI_Comm comm,
         MPI_Info info, MPI_Request* request) {
        return PMPI_Precv_init(buffer, partitions, count, type, source, tag, comm, info, request);
      },
      [](int partition, MPI_Request request) { return PMPI_Pready(partition, request); },
      [](MPI_Request request, int partition, int* flag) { return PMPI_Parrived(request, partition, flag); },
      nullptr,
      nullptr};
  return &calls;
#else
  return nullptr;
#endif
}

const PartitionedCalls* raddle_partitioned() {
  static const PartitionedCalls calls = [] {
    PartitionedCalls found{};
    const bool all = find(found.send_init, "Raddle_Psend_init") && find(found.recv_init, "Raddle_Precv_init") &&
                     find(found.ready, "Raddle_Pready") && find(found.arrived, "Raddle_Parrived") &&
                     find(found.attach, "Raddle_Partitioned_attach") &&
                     find(found.messages, "Raddle_Partitioned_messages");
    return all ? found : PartitionedCalls{};
  }();
  return calls.send_init != nullptr ? &calls : nullptr;
}

}  // namespace raddle::bench
