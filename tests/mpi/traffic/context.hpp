// SPDX-License-Identifier: BSD-3-Clause
// One rank of a communicator under test, or one of several threads that share it: sends, receives and completes in
// random ways until told to stop.
//
// It blocks only where MPI promises that it gets on, since an MPI need not buffer anything:
//   * in a receive or probe, when others surely send what it waits for (Inbox::choose);
//   * in a send, when the receive for it has been posted (an awaited message), or the destination only receives;
//   * for other sends, when it has sent all and posted receives for all.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "inbox.hpp"
#include "meeting.hpp"
#include "script.hpp"

namespace raddle::traffic {

/// Where a context is and what it may do.
struct Place {
  MPI_Comm comm;
  int rank;
  int process;   ///< rank in MPI_COMM_WORLD
  int thread;    ///< of its process
  int universe;  ///< contexts of one universe send to each other
  bool shared;   ///< the communicator has other users, so ANY_TAG could take their messages
};

/// When to stop, and the numbers that all is derived from.
struct Limits {
  std::uint64_t seed;
  std::uint64_t messages;  ///< on this communicator
  double seconds;
};

class Context {
 public:
  Context(const Place& place, const Traffic& traffic, const Limits& limits, Meeting& meeting);

  void run();
  [[nodiscard]] const Place& place() const noexcept { return place_; }
  [[nodiscard]] std::uint64_t messages() const noexcept { return messages_; }
  [[nodiscard]] int rounds() const noexcept { return rounds_; }
  /// How often each call was used.
  [[nodiscard]] const std::map<std::string, std::uint64_t>& used() const noexcept { return used_; }

 private:
  /// A message on its way out, whose memory stays until the round is over.
  struct Sending {
    const Message* message;
    std::shared_ptr<Parcel> parcel;
  };
  enum class Kind { receive, send, both, unmatched, native };
  struct Pending {
    Kind kind{};
    MPI_Request request = MPI_REQUEST_NULL;
    bool persistent = false;
    Receive* receive = nullptr;
    Sending* sending = nullptr;
    int* word = nullptr;  ///< of a native receive
    std::optional<Envelope> peeked{};
    bool done = false;
  };
  /// A message that a probe has taken out of the matching, and that is not received yet.
  struct Held {
    MPI_Message message;
    Receive* receive;
  };
  struct Idle {
    MPI_Request request;
    Receive* last;
  };
  struct IdleSend {
    MPI_Request request;
    Sending* sending;
  };

  // context.cpp: a round.
  void round(const Round& round);
  void step();
  [[nodiscard]] bool over() const;
  void meet(bool between_rounds);
  void nothing_is_left();
  void clear();

  // sends.cpp
  void send_next();
  void send(const Message& message);
  void send_at_once(Sending& sending);
  void send_persistent(Sending& sending);
  void exchange(Sending& sending, bool replace);
  void exchange_nonblocking(Sending& sending, bool replace);
  void attach();

  // receives.cpp
  void post_awaited();
  void post(const Pattern& pattern);
  bool post_any();
  static int mpi_source(const Pattern& pattern) { return pattern.source == any ? MPI_ANY_SOURCE : pattern.source; }
  static int mpi_tag(const Pattern& pattern) { return pattern.tag == any ? MPI_ANY_TAG : pattern.tag; }
  bool receive_now();
  void glance();
  void take_held(bool blocking);
  Pattern widen(const Envelope& envelope);
  void make_room(Receive& receive, std::size_t most, bool may_truncate);
  bool restart(const Pattern& pattern);
  void receive_probed(const Pattern& pattern, const char* way, const MPI_Status& status);
  void hold(const Pattern& pattern, const char* way, MPI_Message message, const MPI_Status& status);
  [[nodiscard]] std::size_t units_of(const MPI_Status& status);

  // completion.cpp
  void complete();
  [[nodiscard]] bool sure(const Pending& pending) const;
  void settle(Pending& pending, const MPI_Status& status, int code);
  void settle_receive(Receive& receive, const MPI_Status& status, int code);
  void peek();
  [[nodiscard]] static Envelope envelope_of(const MPI_Status& status);

  // extras.cpp: what must not disturb the rest.
  void extra();
  void post_unmatched();
  void cancel_unmatched(Pending& pending);
  void start_native(MPI_Comm comm, int rank);
  void talk_to_nobody();
  void check_nobody(const MPI_Status& status, const char* call);
  void check_empty(const MPI_Status& status, const char* call);

  void enter(const char* call, int peer = -1, int tag = 0);
  void demand(bool fine, const std::string& otherwise);
  void check(int code, const char* call) { demand(code == MPI_SUCCESS, std::string(call) + " failed"); }
  [[noreturn]] void fail(const std::string& what);
  [[nodiscard]] bool all_sent() const { return next_ == outgoing_->size(); }
  /// Up to which stage this context has sent all.
  [[nodiscard]] int stage() const { return all_sent() ? every_stage : (*outgoing_)[next_].stage - 1; }
  [[nodiscard]] Content content(const Message& message) const;

  Place place_;
  Traffic traffic_;
  Limits limits_;
  Meeting& meeting_;
  Random random_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::uint64_t messages_ = 0;
  int rounds_ = 0;
  std::map<std::string, std::uint64_t> used_;

  // Of the round.
  const Round* round_ = nullptr;
  const std::vector<Message>* outgoing_ = nullptr;
  std::size_t next_ = 0;
  std::unique_ptr<Inbox> inbox_;
  std::deque<Sending> sendings_;
  std::vector<Pending> pending_;
  std::vector<Held> held_;
  std::vector<Idle> idle_;
  std::vector<IdleSend> idle_sends_;
  std::deque<int> words_;
  std::vector<std::byte> buffer_;
};

}  // namespace raddle::traffic
