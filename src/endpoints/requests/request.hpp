// SPDX-License-Identifier: BSD-3-Clause
// What stands behind the handle of an endpoint's request. The handle is a real one, an inactive persistent request of
// the MPI's, which lies in a pool with its request and is given out again and again.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "endpoints/requests/ended.hpp"

namespace raddle::endpoints {

class Endpoint;
class Mover;
class Partitions;
class Request;

/// Where requests come from and go back to.
class Pool {
 public:
  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Several at once, from `first` over those behind it to `last`. Any thread, at any time.
  virtual void give_back(Request& first, Request& last) = 0;
  /// The same of some that lie in it (Request::lies_in).
  virtual void give_back_as_they_are(Request& first, Request& last) { give_back(first, last); }

  /// One that is no request's.
  [[nodiscard]] static Pool& none();

 protected:
  ~Pool() = default;
};

/// How a request ended, in MPI's terms.
struct Result {
  int source = MPI_ANY_SOURCE;  ///< rank, or MPI_PROC_NULL
  int tag = MPI_ANY_TAG;
  std::size_t bytes = 0;
  bool cancelled = false;
  int error = MPI_SUCCESS;  ///< code of the error, which is not raised yet
};

/// An operation that the program waits for. Engines derive theirs.
class Request {
 public:
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;
  virtual ~Request();

  [[nodiscard]] MPI_Request handle() const { return handle_; }
  /// What makes progress with it; nullptr: it was complete when it began.
  [[nodiscard]] Mover* mover() const { return mover_; }
  /// Where its errors are raised.
  [[nodiscard]] MPI_Comm comm() const;

  /// Made by MPI_*_init: stays after its completion, inactive (MPI-4.1 section 3.9).
  [[nodiscard]] bool persistent() const { return persistent_; }
  /// Always true but for persistent requests.
  [[nodiscard]] bool active() const { return active_; }
  /// What a partitioned one can be asked; nullptr: it is none.
  [[nodiscard]] Partitions* partitions() const { return partitions_; }
  /// To where it may be given back instead of being retired; nullptr: it may not.
  [[nodiscard]] Pool* pool() const { return persistent_ ? nullptr : pool_; }
  /// The same where nothing has to be done to it besides, so that no more has to be asked of it; nullptr: that may be.
  [[nodiscard]] Pool* lies_in() const { return lies_in_; }

  Request* behind = nullptr;  ///< the next one of those that lie in the pool, or are given back together

  /// Whether an active request is complete. Makes no progress: Endpoint::progress() does. Any thread may ask.
  [[nodiscard]] bool complete() const { return ended() != Ended::no; }
  /// Whether it is complete without error, and was not cancelled.
  [[nodiscard]] bool ended_well() const { return ended() == Ended::well; }
  /// The same without asking a request that has to be asked: then false says nothing.
  [[nodiscard]] bool known_to_have_ended_well() const { return end_->load(std::memory_order_acquire) == Ended::well; }
  /// Of a complete one.
  [[nodiscard]] virtual Result result() const = 0;

  /// Starts a persistent request that is inactive. @returns an MPI error code, not raised
  virtual int start() = 0;
  /// Marks an active request for cancellation (MPI-4.1 section 3.8.4); it completes one way or the other.
  virtual void cancel() = 0;

  /// The program has been told of the completion: a persistent request becomes inactive, any other goes back to its
  /// pool, and its handle is no longer the program's.
  virtual void retire() = 0;
  /// The program gives up the request (MPI_Request_free): goes back to its pool when it is complete or inactive.
  virtual void abandon() = 0;

 protected:
  /// @param end  how far it is; nullptr: ask() says
  explicit Request(const End* end, Pool* pool = nullptr);

  [[nodiscard]] virtual Ended ask() const { return Ended::no; }

  /// @param pool  its own if it is always active, and not persistent, and its use leaves nothing behind; nullptr
  ///   otherwise, as at first
  void lie_in(Pool* pool) { lies_in_ = pool; }

  /// It is an operation of an endpoint.
  void belong_to(Endpoint& endpoint);

  Endpoint* endpoint_ = nullptr;     ///< nullptr: it is none of an endpoint
  MPI_Comm raises_ = MPI_COMM_SELF;  ///< then its errors are raised here
  Mover* mover_ = nullptr;
  Partitions* partitions_ = nullptr;
  bool persistent_ = false;
  bool active_ = true;

 private:
  [[nodiscard]] Ended ended() const {
    const Ended end = end_->load(std::memory_order_acquire);
    return end == Ended::ask ? ask() : end;
  }

  static const End asks;

  // Requests are looked at more often than anything else: without a virtual call.
  const End* end_;
  Pool* lies_in_ = nullptr;
  MPI_Request handle_;
  Pool* pool_;
};

// What a partitioned request can be asked besides what any request can (MPI-4.1 section 4.2).

class Partitions {
 public:
  Partitions(const Partitions&) = delete;
  Partitions& operator=(const Partitions&) = delete;

  /// MPI_Pready. Any threads at once, each partition once a round. @returns an MPI error code, not raised
  virtual int ready(int partition) = 0;
  /// MPI_Parrived. Any threads at once. @returns an MPI error code, not raised
  virtual int arrived(int partition, bool& flag) = 0;
  /// Of how many messages the last round that was started is made; 0: of none, or that is not known yet.
  [[nodiscard]] virtual int messages() const = 0;

 protected:
  Partitions() = default;
  ~Partitions() = default;
};

// Statuses of messages that the MPI knows nothing of, such that its own MPI_Get_count & co. read them.

/// What MPI calls return for a message that was received or sent. MPI_STATUS_IGNORE is accepted. MPI_ERROR is left as
/// it is, as calls that return one status do (MPI-4.1, section 3.2.5).
void write_status(MPI_Status* status, int source, int tag, std::size_t bytes, bool cancelled);

/// What they return for a null or inactive request (MPI-4.1, section 3.7.3).
void write_empty_status(MPI_Status* status);

}  // namespace raddle::endpoints
