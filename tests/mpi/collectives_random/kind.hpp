// SPDX-License-Identifier: BSD-3-Clause
// The collective operations and what they have in common.
#pragma once

namespace raddle::collectives {

enum class Kind {
  barrier,
  bcast,
  gather,
  gatherv,
  scatter,
  scatterv,
  allgather,
  allgatherv,
  alltoall,
  alltoallv,
  alltoallw,
  reduce,
  allreduce,
  reduce_scatter,
  reduce_scatter_block,
  scan,
  exscan,
  reduce_local,
  neighbor_allgather,
  neighbor_allgatherv,
  neighbor_alltoall,
  neighbor_alltoallv,
  neighbor_alltoallw,
};
constexpr int plain_kinds = 18;  ///< those before the neighbourhoods'
constexpr int kinds = 23;

enum class Mode { blocking, nonblocking, persistent };
constexpr int modes = 3;

constexpr bool reduces(Kind kind) noexcept { return kind >= Kind::reduce && kind <= Kind::reduce_local; }
constexpr bool neighborhood(Kind kind) noexcept { return kind >= Kind::neighbor_allgather; }
constexpr bool rooted(Kind kind) noexcept {
  return kind == Kind::reduce || (kind >= Kind::bcast && kind <= Kind::scatterv);
}
/// Whether each rank has data of its own for each other.
constexpr bool individual(Kind kind) noexcept {
  return (kind >= Kind::alltoall && kind <= Kind::alltoallw) || kind >= Kind::neighbor_alltoall;
}
/// Whether amounts differ from block to block.
constexpr bool varied(Kind kind) noexcept {
  switch (kind) {
    case Kind::gatherv:
    case Kind::scatterv:
    case Kind::allgatherv:
    case Kind::alltoallv:
    case Kind::alltoallw:
    case Kind::reduce_scatter:
    case Kind::neighbor_allgatherv:
    case Kind::neighbor_alltoallv:
    case Kind::neighbor_alltoallw:
      return true;
    default:
      return false;
  }
}
/// Whether blocks lie where the program says, in items or, with a datatype for each, in bytes.
constexpr bool displaced(Kind kind) noexcept { return varied(kind) && kind != Kind::reduce_scatter; }
constexpr bool typed(Kind kind) noexcept { return kind == Kind::alltoallw || kind == Kind::neighbor_alltoallw; }
constexpr bool can_be_in_place(Kind kind) noexcept {
  return kind != Kind::barrier && kind != Kind::bcast && kind != Kind::reduce_local && !neighborhood(kind);
}

}  // namespace raddle::collectives
