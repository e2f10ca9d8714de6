// SPDX-License-Identifier: BSD-3-Clause
// The ranks of a communicator that share a node with this one: a communicator of them, and what they find out together.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "node/process_watch.hpp"
#include "node/shared_segment.hpp"

namespace raddle::node {

// The functions of MPI by which the processes of a node find each other, and what becomes of their errors: it depends
// on whom a communicator is of.

struct Calls {
  int (*comm_split_type)(MPI_Comm, int, int, MPI_Info, MPI_Comm*);
  int (*comm_split)(MPI_Comm, int, int, MPI_Comm*);
  int (*comm_set_errhandler)(MPI_Comm, MPI_Errhandler);
  int (*comm_rank)(MPI_Comm, int*);
  int (*comm_size)(MPI_Comm, int*);
  int (*comm_free)(MPI_Comm*);
  int (*allgather)(const void*, int, MPI_Datatype, void*, int, MPI_Datatype, MPI_Comm);
  int (*allreduce)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*barrier)(MPI_Comm);
  int (*bcast)(void*, int, MPI_Datatype, int, MPI_Comm);
  /// Does not return if a function that moves data has failed. @param call  its name
  void (*expect)(const char* call, int code);
};

/// Ranks are processes: the MPI's own functions. An error ends the job.
extern const Calls of_processes;
/// Ranks may be endpoints: the functions that programs call. An error is thrown (platform::Failure).
extern const Calls of_ranks;

/// A process of the node, as it tells the others.
struct Member {
  std::int32_t rank;        ///< that it has given
  ProcessId process;        ///< to be watched
  std::uint64_t number;     ///< own_number()
  std::uint64_t number_at;  ///< where that lies in its memory
};

struct Sharing {
  std::optional<SharedSegment> memory;  ///< all have it or nobody
  std::string problem;                  ///< why this process has none; empty: it is not the one to blame
};

/// Collective: whether it is so for all. MPI_COMM_NULL is this process alone.
[[nodiscard]] bool all_of(MPI_Comm comm, const Calls& calls, bool mine);

class NodeComm {
 public:
  /// This process alone. It has no communicator, and calls no function of the MPI.
  NodeComm() = default;
  /// Collective over `comm`. MPI_COMM_NULL: this process alone. Ranks keep their order.
  /// @param code  what the MPI returned to this rank: where that is an error, there is no communicator to be used
  NodeComm(MPI_Comm comm, const Calls& calls, int& code);
  NodeComm(NodeComm&& other) noexcept;
  NodeComm& operator=(NodeComm&& other) noexcept;
  NodeComm(const NodeComm&) = delete;
  NodeComm& operator=(const NodeComm&) = delete;
  ~NodeComm();

  /// It returns errors.
  [[nodiscard]] MPI_Comm comm() const { return comm_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  // Collective over its ranks:

  /// Leaves those in it that give the same number. @returns the MPI's code
  [[nodiscard]] int divide(int part);
  /// What each has, by rank.
  template <typename Value>
  [[nodiscard]] std::vector<Value> gather(const Value& mine) const {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::vector<Value> all(static_cast<std::size_t>(size_));
    gather(&mine, sizeof mine, all.data());
    return all;
  }
  /// Whether it is so for all.
  [[nodiscard]] bool all(bool mine) const { return all_of(comm_, *calls_, mine); }
  /// CPUs that any of them may use.
  [[nodiscard]] int count_cpus() const;
  /// Who they are, by rank. @param rank  that by which others are to know this one
  [[nodiscard]] std::vector<Member> members(int rank) const;
  /// Whether each reaches the memory of all, and RADDLE_SINGLE_COPY lets it. @param members  as members() said
  [[nodiscard]] bool reach_each_other(std::span<const Member> members) const;
  /// Returns when all have called it.
  void wait_for_all() const;
  /// Memory of `bytes` zeros for all of them, and `spare` more where what is not touched costs nothing.
  [[nodiscard]] Sharing share(std::size_t bytes, std::size_t spare = 0) const;

 private:
  void gather(const void* mine, std::size_t bytes, void* all) const;
  void take(MPI_Comm made);
  void swap(NodeComm& other) noexcept;

  const Calls* calls_ = &of_processes;
  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0;
  int size_ = 1;
};

}  // namespace raddle::node
