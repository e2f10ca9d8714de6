// SPDX-License-Identifier: BSD-3-Clause
// The lanes of one communicator: made once, handed out again. All processes hold the same lanes at the same indices,
// because lanes are only made together. And the errors of lanes.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace raddle::lanes {

// Error codes of lanes, registered with MPI so that MPI_Error_string explains them.

enum class Error { no_communicators, pool_limit, unequal_counts, negative_count };

/// The class that Raddle_Err_lanes gives. @pre MPI is initialised
int lanes_class();

/// The MPI error code of `error`. @pre MPI is initialised
int error_code(Error error);

class LaneHints;

class LanePool {
 public:
  /// The pool cached on `comm`, made if there is none yet (then collective). @throws platform::Failure
  static LanePool& of(MPI_Comm comm);

  /// Collective: `nlanes` idle or new lanes, all or none. @throws platform::Failure
  void take(int nlanes, MPI_Info info, bool reuse, MPI_Errhandler handler, MPI_Comm lanes[]);

  /// Gives a lane back to the pool it came from. @returns MPI_ERR_COMM if it is not a lane in use
  [[nodiscard]] static int give_back(MPI_Comm lane);

  LanePool(const LanePool&) = delete;
  LanePool& operator=(const LanePool&) = delete;
  ~LanePool();

 private:
  /// What is cached on each lane. Outlives the pool if the lane is still in use when its communicator is freed.
  struct Lane {
    MPI_Comm comm = MPI_COMM_NULL;
    std::uint64_t hints = 0;  ///< lanes made with the same hints have the same value, on all processes
    bool idle = false;
    LanePool* pool = nullptr;
  };

  LanePool(MPI_Comm parent, std::vector<LanePool*>& alive);

  /// What a call may need memory for: it has it before the processes count on each other.
  struct Reservation {
    std::vector<unsigned char> idle;           ///< by lane that there is
    std::vector<std::unique_ptr<Lane>> fresh;  ///< for lanes to be made
    std::vector<Lane*> chosen;
  };

  /// What all processes ask for.
  struct Agreed {
    int count;
    std::uint64_t hints;
    std::int64_t limit;  ///< to the lanes of this pool
    bool reuse;
  };

  [[nodiscard]] Reservation reserve_for(int nlanes);
  void find_idle_everywhere(std::vector<unsigned char>& idle);
  /// Finds or makes the lanes, together. @throws Failure, of this process alone if it is want of memory
  void choose(const Agreed& agreed, LaneHints& hints, Reservation& reserved);
  [[nodiscard]] int make(Lane& lane, MPI_Info info) const;
  void discard(std::size_t first);

  /// The pools that end with what the calling thread means by MPI_COMM_SELF: the process's, or that of the rank that it
  /// has adopted. MPI_Finalize deletes its attributes first, while communication still works (MPI-4.1 section 11.2.4).
  static std::vector<LanePool*>& ended_with_self();
  static int on_parent_free(MPI_Comm, int, void* pool, void*);
  static int on_finalize(MPI_Comm, int, void* alive, void*);

  MPI_Comm parent_;
  std::vector<LanePool*>* alive_;  ///< where it is listed until `parent_` is freed
  MPI_Comm agree_;  ///< private dup of the parent: what the processes tell each other never meets the user's messages
  std::vector<std::unique_ptr<Lane>> lanes_;
};

}  // namespace raddle::lanes
