// SPDX-License-Identifier: BSD-3-Clause
// One call of the MPI while it is looked at. A generated wrapper makes one, calls the next function, ends it, and says
// what the call was about. Only the outermost call of a thread counts; what the MPI calls itself is not the program's.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <vector>

#include "check/memory_in_use.hpp"
#include "check/thread.hpp"
#include "profile/local.hpp"
#include "profile/next.hpp"

namespace raddle::check {

using profile::bits;
using profile::next;
using profile::no_communicator;

class Call {
 public:
  Call(std::uint32_t function, std::uint64_t communicator, const void* caller) {
    if (on.load(std::memory_order_relaxed)) begin(function, communicator, caller);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  /// Also when an exception passes.
  ~Call();

  /// Whether it is looked at, and not part of another one.
  [[nodiscard]] explicit operator bool() const { return thread_ != nullptr; }
  /// The MPI's function has returned. @returns whether there is more to say about it
  bool ends();

  // Before the MPI's function.

  /// A collective call; `root` is -1 where it has none.
  void collective(int root);
  /// Memory that is used until the call, or what it starts, is over.
  template <typename Count>
  void buffer(const void* from, Count count, MPI_Datatype datatype, int peer, bool written);
  /// The program gives memory back that starts there.
  void frees(const void* memory);
  void receives(int source, int tag);
  using Requests = std::vector<std::uint64_t>;
  /// `waits`: no request may be in two such calls at once.
  Requests completes(int count, const MPI_Request* requests, bool waits);

  // After it.

  void starts(MPI_Request request);
  void completed(const Requests& before, const MPI_Request* requests);
  /// The operations of these have ended, and their requests are still there.
  void ended(int count, const MPI_Request* requests);
  void probed(const MPI_Status* status);
  void made(MPI_Comm communicator);
  void made_datatype(MPI_Datatype datatype);
  /// The collective call has succeeded.
  void matched() { matched_ = true; }

 private:
  void begin(std::uint32_t function, std::uint64_t communicator, const void* caller);
  void leave();

  Thread* thread_ = nullptr;
  bool ended_ = false;
  bool ordered_ = false;  ///< a collective call that has got a number on its communicator
  bool matched_ = false;
  std::uint64_t key_ = 0;  ///< of what such a call makes
  Site site_;
  std::uint64_t communicator_ = no_communicator;
  MemoryAccess access_;
};

// Also of calls that are part of others: handlers that MPI_Finalize calls free handles.
void forget_communicator(std::uint64_t handle);
void forget_datatype(std::uint64_t handle);
void forget_request(std::uint64_t handle);

}  // namespace raddle::check
