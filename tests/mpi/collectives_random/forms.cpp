// SPDX-License-Identifier: BSD-3-Clause
#include "forms.hpp"

#include <array>
#include <type_traits>

#include "undeclared.hpp"

namespace raddle::collectives {
namespace {

using namespace undeclared;

template <typename Function>
constexpr Form made(const char* name, Function function) {
  if constexpr (std::is_same_v<std::invoke_result_t<Function, const Arguments&, MPI_Request*>, Undeclared>) {
    return {name, nullptr};
  } else {
    return {name, function};
  }
}

using Forms = std::array<Form, 6>;  // modes, each with int and with MPI_Count

// The arguments are written once: `n` has the numbers of the right type.
#define RADDLE_FORM(function, numbers, ...)                                                  \
  made(#function, []([[maybe_unused]] const Arguments& a, [[maybe_unused]] MPI_Request* r) { \
    [[maybe_unused]] const auto& n = a.numbers;                                              \
    return function(__VA_ARGS__);                                                            \
  })
#define RADDLE_FORMS(Name, name, ...)                                                                             \
  Forms {                                                                                                         \
    RADDLE_FORM(MPI_##Name, small, __VA_ARGS__, a.comm), RADDLE_FORM(MPI_##Name##_c, large, __VA_ARGS__, a.comm), \
        RADDLE_FORM(MPI_I##name, small, __VA_ARGS__, a.comm, r),                                                  \
        RADDLE_FORM(MPI_I##name##_c, large, __VA_ARGS__, a.comm, r),                                              \
        RADDLE_FORM(MPI_##Name##_init, small, __VA_ARGS__, a.comm, MPI_INFO_NULL, r),                             \
        RADDLE_FORM(MPI_##Name##_init_c, large, __VA_ARGS__, a.comm, MPI_INFO_NULL, r)                            \
  }

// What a function is told of a side: a number, an array of them, those with places, or with a datatype for each as
// well.
#define RADDLE_SEND a.send, n.send_counts[0], a.send_types[0]
#define RADDLE_RECV a.recv, n.recv_counts[0], a.recv_types[0]
#define RADDLE_SENDV a.send, n.send_counts.data(), n.send_at.data(), a.send_types[0]
#define RADDLE_RECVV a.recv, n.recv_counts.data(), n.recv_at.data(), a.recv_types[0]
#define RADDLE_SENDW(at) a.send, n.send_counts.data(), (at).send_at.data(), a.send_types.data()
#define RADDLE_RECVW(at) a.recv, n.recv_counts.data(), (at).recv_at.data(), a.recv_types.data()
#define RADDLE_REDUCE a.send, a.recv, n.recv_counts[0], a.recv_types[0], a.op

const std::array<Forms, kinds> table{
    Forms{RADDLE_FORM(MPI_Barrier, small, a.comm), Form{"MPI_Barrier_c", nullptr},
          RADDLE_FORM(MPI_Ibarrier, small, a.comm, r), Form{"MPI_Ibarrier_c", nullptr},
          RADDLE_FORM(MPI_Barrier_init, small, a.comm, MPI_INFO_NULL, r), Form{"MPI_Barrier_init_c", nullptr}},
    RADDLE_FORMS(Bcast, bcast, RADDLE_RECV, a.root),
    RADDLE_FORMS(Gather, gather, RADDLE_SEND, RADDLE_RECV, a.root),
    RADDLE_FORMS(Gatherv, gatherv, RADDLE_SEND, RADDLE_RECVV, a.root),
    RADDLE_FORMS(Scatter, scatter, RADDLE_SEND, RADDLE_RECV, a.root),
    RADDLE_FORMS(Scatterv, scatterv, RADDLE_SENDV, RADDLE_RECV, a.root),
    RADDLE_FORMS(Allgather, allgather, RADDLE_SEND, RADDLE_RECV),
    RADDLE_FORMS(Allgatherv, allgatherv, RADDLE_SEND, RADDLE_RECVV),
    RADDLE_FORMS(Alltoall, alltoall, RADDLE_SEND, RADDLE_RECV),
    RADDLE_FORMS(Alltoallv, alltoallv, RADDLE_SENDV, RADDLE_RECVV),
    RADDLE_FORMS(Alltoallw, alltoallw, RADDLE_SENDW(n), RADDLE_RECVW(n)),
    RADDLE_FORMS(Reduce, reduce, RADDLE_REDUCE, a.root),
    RADDLE_FORMS(Allreduce, allreduce, RADDLE_REDUCE),
    RADDLE_FORMS(Reduce_scatter, reduce_scatter, a.send, a.recv, n.recv_counts.data(), a.recv_types[0], a.op),
    RADDLE_FORMS(Reduce_scatter_block, reduce_scatter_block, RADDLE_REDUCE),
    RADDLE_FORMS(Scan, scan, RADDLE_REDUCE),
    RADDLE_FORMS(Exscan, exscan, RADDLE_REDUCE),
    Forms{RADDLE_FORM(MPI_Reduce_local, small, RADDLE_REDUCE), RADDLE_FORM(MPI_Reduce_local_c, large, RADDLE_REDUCE),
          Form{"none", nullptr}, Form{"none", nullptr}, Form{"none", nullptr}, Form{"none", nullptr}},
    RADDLE_FORMS(Neighbor_allgather, neighbor_allgather, RADDLE_SEND, RADDLE_RECV),
    RADDLE_FORMS(Neighbor_allgatherv, neighbor_allgatherv, RADDLE_SEND, RADDLE_RECVV),
    RADDLE_FORMS(Neighbor_alltoall, neighbor_alltoall, RADDLE_SEND, RADDLE_RECV),
    RADDLE_FORMS(Neighbor_alltoallv, neighbor_alltoallv, RADDLE_SENDV, RADDLE_RECVV),
    RADDLE_FORMS(Neighbor_alltoallw, neighbor_alltoallw, RADDLE_SENDW(a.large), RADDLE_RECVW(a.large)),
};

}  // namespace

const Form& form(Kind kind, Mode mode, bool large) {
  return table[static_cast<std::size_t>(kind)][2 * static_cast<std::size_t>(mode) + (large ? 1 : 0)];
}

}  // namespace raddle::collectives
