// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/call.hpp"

#include <array>
#include <cstddef>

namespace raddle::endpoints::collectives {
namespace {

using Kind = Call::Kind;

constexpr std::array kinds{"no collective", "MPI_Barrier",        "MPI_Bcast",    "MPI_Gather",
                           "MPI_Scatter",   "MPI_Allgather",      "MPI_Alltoall", "MPI_Reduce",
                           "MPI_Allreduce", "MPI_Reduce_scatter", "MPI_Scan",     "MPI_Exscan"};
constexpr std::array operators{"",           "MPI_MAX",     "MPI_MIN",   "MPI_SUM",
                               "MPI_PROD",   "MPI_LAND",    "MPI_BAND",  "MPI_LOR",
                               "MPI_BOR",    "MPI_LXOR",    "MPI_BXOR",  "MPI_MINLOC",
                               "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP", "an operator of the program"};

bool rooted(const Call& call) {
  return call.kind == Kind::bcast || call.kind == Kind::gather || call.kind == Kind::scatter ||
         call.kind == Kind::reduce;
}

std::uint64_t without_length(std::uint64_t word) {
  Call call = Call::of(word);
  if (call.kind == Kind::bcast) call.bytes = 0;
  return call.word();
}

std::string text(const Call& call) {
  const auto kind = static_cast<std::size_t>(call.kind);
  std::string all = kind < kinds.size() ? kinds[kind] : "another collective";
  if (call.bytes > 0) all += " of " + std::to_string(call.bytes) + " bytes";
  if (rooted(call)) all += " with root " + std::to_string(call.root);
  if (call.op > 0) all += std::string(rooted(call) ? " and " : " with ") + operators[call.op & 15U];
  return all;
}

}  // namespace

Unlike difference(const Call& mine, const Call& other) {
  if (mine.kind != other.kind) return Unlike::call;
  if (mine.root != other.root) return Unlike::root;
  if (mine.op != other.op) return Unlike::op;
  if (mine.bytes != other.bytes) return mine.bytes < other.bytes ? Unlike::less_here : Unlike::more_here;
  return Unlike::call;
}

bool alike_but_length(std::uint64_t word, std::uint64_t other) {
  return word == other || without_length(word) == without_length(other);
}

bool in_step(const Call& mine, const Call& other) {
  if (mine.apart || other.apart) return false;
  if (!mine.rounds && !other.rounds) return true;
  return mine.rounds && other.rounds && mine.kind == other.kind && mine.bytes == other.bytes;
}

std::string unlike_calls(int rank, const Call& mine, int other_rank, const Call& other) {
  return "rank " + std::to_string(rank) + " calls " + text(mine) + ", rank " + std::to_string(other_rank) + " " +
         text(other);
}

}  // namespace raddle::endpoints::collectives
