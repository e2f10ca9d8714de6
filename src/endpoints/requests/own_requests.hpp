// SPDX-License-Identifier: BSD-3-Clause
// Requests that no engine makes: those of operations that are complete when they begin, of a send and a receive
// together, and of a flush of the buffers of MPI_Bsend.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {
class Endpoint;
}

namespace raddle::endpoints::buffered {

/// The room of a process, of a rank that threads have adopted, or of an endpoint. Messages may outlive whose it was.
class Account : public std::enable_shared_from_this<Account> {
 public:
  /// @returns false if a buffer is attached already, or the size is none
  bool attach(void* where, std::int64_t bytes);
  /// @param where  nullptr if none was attached. @returns false, and does nothing, while a message is in it
  [[nodiscard]] bool detach(void*& where, std::int64_t& bytes);
  [[nodiscard]] bool attached() const { return bytes_.load(std::memory_order_relaxed) != none; }

  /// Whether a message of so many bytes has room in it when no other one is there.
  [[nodiscard]] bool may_have(std::size_t bytes) const {
    return static_cast<std::int64_t>(bytes) + MPI_BSEND_OVERHEAD <= most_.load(std::memory_order_relaxed);
  }
  /// Memory for a message of `from`, which counts until it is given up; nullptr if there is no room for it.
  std::shared_ptr<std::byte[]> room(std::size_t bytes, Endpoint& from);

  /// The number of the next message: those before it have entered.
  [[nodiscard]] std::uint64_t entered();
  /// Whether all messages before this one are out.
  [[nodiscard]] bool out(std::uint64_t before);
  /// Calls `act` with the endpoint of a message that is not out, which lives until `act` returns.
  /// @returns whether there was one
  template <typename Act>
  bool with_sender(Act&& act) {
    const std::lock_guard lock(guard_);
    if (messages_.empty()) return false;
    act(*messages_.begin()->second);
    return true;
  }

 private:
  static constexpr std::int64_t none = -1;

  void leave(std::uint64_t number, std::int64_t needed);

  std::mutex guard_;
  std::atomic<std::int64_t> bytes_{none};
  std::atomic<std::int64_t> most_{0};  ///< room that there is without messages
  std::int64_t room_ = 0;              ///< that is left
  void* where_ = nullptr;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, Endpoint*> messages_;
};

/// That of the rank that the calling thread has adopted, or else of the process.
[[nodiscard]] Account& account();

}  // namespace raddle::endpoints::buffered

namespace raddle::endpoints {

// The requests of operations that are complete when they begin. There is one for all of a kind, which nobody uses up
// and which belongs to no endpoint: a program may ask for it when its communicator is long gone (MPI-4.1
// section 7.4.3).

class CompleteRequest final : public Request {
 public:
  /// Of a send that is complete, or goes to MPI_PROC_NULL. @pre make_all()
  [[nodiscard]] static Request& sent() { return *sent_; }
  /// Its handle.
  [[nodiscard]] static MPI_Request sent_handle() { return sent_handle_; }
  /// Of a receive from MPI_PROC_NULL. @pre make_all()
  [[nodiscard]] static Request& received_from_nobody() { return *received_from_nobody_; }

  /// Unless there are some.
  static void make_all();
  /// Before the MPI ends.
  static void end_all();

  [[nodiscard]] Result result() const override { return result_; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}
  void retire() override {}
  void abandon() override {}

 private:
  explicit CompleteRequest(const Result& result) : Request(&end_), result_(result) {}

  static inline constinit MPI_Request sent_handle_{};
  static CompleteRequest* sent_;
  static CompleteRequest* received_from_nobody_;

  End end_{Ended::well};
  Result result_;
};

// The request of an operation that is complete when it begins and has a result of its own.

/// Ends itself when the program has been told of it.
class DoneRequest final : public Request {
 public:
  explicit DoneRequest(const Result& result) : Request(&end_), result_(result) {}

  [[nodiscard]] Result result() const override { return result_; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}
  void retire() override { delete this; }
  void abandon() override { delete this; }

 private:
  End end_{Ended::well};
  Result result_;
};

// The request of MPI_Isendrecv (MPI-4.1 section 3.10): complete when a send and a receive are.

/// Made for one operation; ends itself when the program has been told of it.
class PairRequest final : public Request {
 public:
  PairRequest(Endpoint& endpoint, Request& send, Request& receive);

  /// What was received; the error is that of the receive, or else of the send (MPI-4.1 section 3.10).
  [[nodiscard]] Result result() const override;
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // an error of the program: there is no cancelling of both at once
  void retire() override;
  void abandon() override;

 private:
  [[nodiscard]] Ended ask() const override;

  Request& send_;
  Request& receive_;
};

// The request of MPI_Buffer_iflush and MPI_Comm_iflush_buffer (MPI-4.1 section 3.6): complete when the messages are out
// that have entered a buffer before.

/// Ends itself when the program has been told of it.
class FlushRequest final : public Request {
 public:
  /// @param endpoint  whose communicator is held
  /// @param native    the MPI's own for messages that are no endpoint's, or MPI_REQUEST_NULL
  FlushRequest(Endpoint& endpoint, buffered::Account& account, MPI_Request native = MPI_REQUEST_NULL);
  ~FlushRequest() override;

  [[nodiscard]] Result result() const override { return {}; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // not allowed (MPI-4.1 section 3.8.4)
  void retire() override { delete this; }
  void abandon() override;

 private:
  [[nodiscard]] Ended ask() const override;

  std::shared_ptr<buffered::Account> account_;
  std::uint64_t before_;
  mutable MPI_Request native_;
};

}  // namespace raddle::endpoints
