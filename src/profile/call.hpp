// SPDX-License-Identifier: BSD-3-Clause
// One call of the MPI while it is recorded. A generated wrapper makes one, calls the next function, ends it, and says
// what the call was about. Only the outermost call of a thread counts: what the MPI, libraddle or a function of the
// program that the MPI calls do meanwhile belongs to it.
//
// What is done here costs every call: no lock, no allocation, nothing that other threads write.
#pragma once

#include <mpi.h>

#include <cstdint>

#include "profile/clock.hpp"
#include "profile/communicators.hpp"
#include "profile/local.hpp"

namespace raddle::profile {

/// Makes room for a thread that calls for the first time. @returns nullptr: its calls are not recorded
[[gnu::cold]] Local* come(const void* caller);

/// Finds where a call is counted, when it is not near. @returns the number of the communicator, plus 1
[[gnu::cold]] void find_row(Local& local, Local::CachedRow& near, std::uint64_t communicator, std::uint32_t function);

/// What is known of a sampled call before it.
struct Sample {
  std::uint64_t cpu;  ///< nanoseconds; 0: not asked for
  std::uint32_t inside;
};
[[gnu::cold]] Sample begin_sample(Local& local, std::uint64_t at);

/// As many requests of one call as are looked for.
inline constexpr int most_pending = 64;

class Call {
 public:
  [[gnu::always_inline]] Call(std::uint32_t function, std::uint64_t communicator, const void* caller)
      : local_(mine), function_(function) {
    if (local_ == nullptr) [[unlikely]] {
      if (process == nullptr) return;
      local_ = come(caller);
      if (local_ == nullptr) return;
    }
    if (local_->depth != 0) {
      local_ = nullptr;
      return;
    }
    begin(communicator);
  }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;
  /// Also when an exception passes, of a function of the program that the MPI has called.
  [[gnu::always_inline]] ~Call() {
    if (local_ != nullptr) leave();
  }

  /// Whether the call is recorded, and not part of another one.
  [[nodiscard]] explicit operator bool() const { return local_ != nullptr; }

  /// The MPI's function has returned. @returns whether there is more to say about it
  [[gnu::always_inline]] bool ends() {
    if (local_ == nullptr) return false;
    end();
    return true;
  }

  // What it was about, after it has ended.

  /// So many bytes to send, or to receive if it only receives.
  void data(std::uint64_t bytes);
  template <typename Count>
  [[nodiscard]] std::uint64_t bytes(Count count, MPI_Datatype datatype);
  template <typename Count>
  [[nodiscard]] std::uint64_t bytes(const Count* counts, MPI_Datatype datatype);
  template <typename Count>
  [[nodiscard]] std::uint64_t bytes(const Count* counts, const MPI_Datatype* datatypes);

  /// Those that have been received; `capacity` where the status does not tell.
  [[nodiscard]] std::uint64_t bytes_of(const MPI_Status* status, std::uint64_t capacity) const;

  void sent(int peer, int tag, std::uint64_t bytes);
  /// `waited`: the call may have waited for it.
  void received(int peer, int tag, std::uint64_t capacity, const MPI_Status* status, bool waited = true);
  /// It has waited for the message that is to be received next of those like it.
  void probed(const MPI_Status* status);
  void starts(MPI_Request request, bool receives, bool persistent, int peer, int tag, std::uint64_t bytes,
              bool synchronous = false);
  void started(std::uint64_t request);

  /// The requests it was given, looked for before it is called.
  struct Pending {
    Note* note[most_pending];
    int count;
    bool anybody;  ///< a receive from anybody is among them
  };
  Pending pending(int count, const MPI_Request* requests);
  /// One of them has completed; `waited`: the call may have waited for it.
  void completed(Pending& of, int which, const MPI_Status* status, bool waited);

  /// They are the program's no more, complete or not.
  void dropped(Pending& of);

  /// A collective call on the communicator; `root` is -1 if it has none. Later: it does not wait itself.
  void collective(int root);
  void collective_later();

  /// It has made a communicator; `colour` where some calls make several.
  void made(MPI_Comm communicator, std::int64_t colour, Made how);
  /// Collective calls of the communicator so far.
  [[nodiscard]] std::uint64_t collectives() const;

  void renamed(std::uint64_t handle, const char* name);
  /// Whether the communicator has one group of processes, and not two.
  [[nodiscard]] bool one_group() const;
  [[nodiscard]] int comm_size() const;
  [[nodiscard]] int comm_rank() const;

  [[nodiscard]] std::uint64_t began() const { return began_; }
  [[nodiscard]] std::uint64_t ended() const { return ended_; }
  [[nodiscard]] std::uint32_t communicator() const { return place_ - 1; }

 private:
  void begin(std::uint64_t communicator);
  void end();
  void leave();
  [[gnu::cold]] void keep_sample();
  void log(Stream& of, std::uint64_t number, std::uint64_t posted, bool waited, std::uint64_t bytes,
           std::uint8_t synchronous = 0);
  Stream* stream(std::uint32_t communicator, bool receives, int peer, int tag);
  std::int64_t size_of(MPI_Datatype datatype);

  Local* local_;
  std::uint32_t function_;
  std::uint32_t place_ = 0;
  Row* row_ = nullptr;
  std::uint64_t began_ = 0;
  std::uint64_t ended_ = 0;
  std::uint64_t bytes_ = 0;
  std::int32_t peer_ = -1;
  bool sampled_ = false;
  Sample sample_{};
};

}  // namespace raddle::profile
