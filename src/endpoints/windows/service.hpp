// SPDX-License-Identifier: BSD-3-Clause
// What ranks of a window ask each other for by messages: accesses to memory that the origin cannot reach, locks there,
// and the beginning and the end of epochs (MPI-4.1 section 12.5.2). The target answers when it is in the MPI.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/requests/request.hpp"
#include "endpoints/windows/pieces.hpp"

namespace raddle::endpoints {

class Window;

/// Of MPI_Rget and MPI_Rget_accumulate: complete when the answer has come. Ends itself when the program has been told.
class AccessRequest final : public Request {
 public:
  explicit AccessRequest(Endpoint& endpoint) : Request(&end_) { belong_to(endpoint); }

  [[nodiscard]] Result result() const override { return {.error = error_}; }
  int start() override { return MPI_ERR_REQUEST; }
  void cancel() override {}  // not allowed (MPI-4.1 section 12.3.5)
  void retire() override { drop(); }
  void abandon() override { drop(); }

  /// The answer has come. @param error  an MPI error code
  void end(int error);

 private:
  void drop();

  End end_{Ended::no};
  int error_ = MPI_SUCCESS;
  std::atomic<int> owners_{2};  ///< the program, and who ends it
};

// MPI's own operators and datatypes as integers that mean the same in all processes: Fortran's, or where an mpi.h has
// no Fortran (the MPI-5 ABI) those of MPI_Op_toint and MPI_Type_toint. Templates only to be asked which there are.

template <typename Op>
[[nodiscard]] std::int32_t number_of_op(Op op) {
  if constexpr (requires { PMPI_Op_toint(op); })
    return PMPI_Op_toint(op);
  else
    return PMPI_Op_c2f(op);
}
template <typename Type>
[[nodiscard]] std::int32_t number_of_type(Type type) {
  if constexpr (requires { PMPI_Type_toint(type); })
    return PMPI_Type_toint(type);
  else
    return PMPI_Type_c2f(type);
}
template <typename Number>
[[nodiscard]] MPI_Op op_of(Number number) {
  if constexpr (requires { PMPI_Op_fromint(number); })
    return PMPI_Op_fromint(number);
  else
    return PMPI_Op_f2c(number);
}
template <typename Number>
[[nodiscard]] MPI_Datatype type_of(Number number) {
  if constexpr (requires { PMPI_Type_fromint(number); })
    return PMPI_Type_fromint(number);
  else
    return PMPI_Type_f2c(number);
}

class Service final : public Extension {
 public:
  enum class Ask : std::int32_t {
    put,
    get,
    accumulate,
    fetch,  ///< MPI_Get_accumulate, MPI_Fetch_and_op
    swap,   ///< MPI_Compare_and_swap
    lock,
    unlock,
    post,      ///< MPI_Win_post
    complete,  ///< MPI_Win_complete
    answer     ///< to all but the last two
  };

  /// Processes of a job have one architecture, so this travels as it is: this, the pieces, data.
  struct Header {
    Ask ask = Ask::answer;
    std::int32_t exclusive = 0;
    std::uint64_t number = 0;  ///< by which the origin knows who waits for the answer; 0: nobody wants its data
    std::uint64_t at = 0;      ///< an address of the target's process
    std::int32_t op = 0;       ///< operator and element type as integers that are the same in all processes
    std::int32_t element = 0;
    std::uint64_t pieces = 0;
    std::int64_t error = 0;  ///< of an answer: an error class
    std::uint64_t rest = 0;  ///< bytes that follow in a message of their own, where they do not fit behind this
    std::int64_t tag = 0;    ///< of that message
  };

  explicit Service(Window& window);
  ~Service() override;

  void progress() override;
  /// No message of the window comes any more, and none is answered.
  void close() override;

  /// Asks a target, which will answer. @param room  where the answer's data go; nullptr: it has none
  /// @param request  ended by the answer; nullptr: none
  void ask(int rank, Header header, const Pieces& pieces, std::span<const std::byte> data,
           std::unique_ptr<Layout> room = nullptr, AccessRequest* request = nullptr);
  /// Whether a target has answered all that it was asked for.
  [[nodiscard]] bool all_answered(int rank) const {
    return others_[static_cast<std::size_t>(rank)].unanswered.load(std::memory_order_acquire) == 0;
  }
  /// The first error that a target has answered since the last call: an MPI error code.
  int take_error();

  /// Tells a rank of an epoch: Ask::post or Ask::complete.
  void tell(int rank, Ask what);
  /// Whether a rank has told it, and that has not been taken.
  [[nodiscard]] bool told(int rank, Ask what) { return times_told(rank, what).load(std::memory_order_acquire) != 0; }
  void take(int rank, Ask what) { times_told(rank, what).fetch_sub(1, std::memory_order_relaxed); }

 private:
  struct Incoming {
    Request* rest;  ///< that is still to come; nullptr: all is here
    Header header;
    std::vector<std::byte> bytes;  ///< pieces and data
    int source;
  };
  struct Pending {
    std::unique_ptr<Layout> room;
    AccessRequest* request;
  };
  struct LockWaiter {
    int rank;
    Header header;
  };
  /// What is between this rank and another one.
  struct Other {
    std::atomic<std::uint32_t> unanswered{0};  ///< of what it was asked for
    std::atomic<std::uint32_t> posts{0};       ///< of which it has told, and that nobody has taken
    std::atomic<std::uint32_t> completes{0};   ///< the same
  };

  void send(int rank, Header header, std::span<const Piece> pieces, std::span<const std::byte> data);
  void listen();
  void take_in_messages();
  void serve(int source, const Header& header, std::span<const std::byte> message);
  void access(int source, const Header& header, const Pieces& pieces, std::span<const std::byte> data);
  void take_answer(int source, const Header& header, std::span<const std::byte> data);
  void answer(int rank, const Header& asked, std::span<const std::byte> data, int code = MPI_SUCCESS);
  void grant_locks();

  std::atomic<std::uint32_t>& times_told(int rank, Ask what) {
    Other& other = others_[static_cast<std::size_t>(rank)];
    return what == Ask::post ? other.posts : other.completes;
  }

  Window* window_;  ///< nullptr: closed
  Endpoint& endpoint_;
  std::atomic<bool> busy_{false};              ///< a thread is in progress()
  static constexpr std::size_t letter = 1024;  ///< bytes of the longest message that is one
  std::vector<std::byte> room_;                ///< for the next one
  Request* next_ = nullptr;                    ///< that is received there
  std::deque<Incoming> incoming_;
  std::list<LockWaiter> waiting_;
  std::vector<Other> others_;            ///< by rank
  std::atomic<std::uint32_t> rests_{0};  ///< sent so far
  std::mutex guard_;                     ///< of what follows
  std::unordered_map<std::uint64_t, Pending> pending_;
  std::uint64_t numbers_ = 0;
  std::atomic<int> error_{MPI_SUCCESS};
};

}  // namespace raddle::endpoints
