// SPDX-License-Identifier: BSD-3-Clause
// One endpoint's part in one collective. The parts of a process meet (node_meeting.hpp); one of them exchanges what the
// process as a whole sends and receives, if there are other processes; then each takes what is its own. Or all ranks
// meet on their node (node_meeting.hpp), and each takes what is its own from the others.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/collectives/held.hpp"
#include "endpoints/collectives/node_meeting.hpp"
#include "endpoints/requests/ended.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints::collectives {

/// An MPI error code.
[[nodiscard]] int out_of_step(const Discord& discord);
[[nodiscard]] int unlike_error(const Call& mine, const Call& other, const std::string& both);

/// Whether another rank than a broadcast's root may take a message that is shorter than its room: where the MPI's does.
[[nodiscard]] bool may_be_shorter(const Call& mine, const Call& roots);

class Collective {
 public:
  /// @param rank  the endpoint's
  Collective(Context& context, int rank);
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective() = default;

  /// Chooses the meeting, once it has brought what it brings. @returns whether it is the node's
  /// @param last_on_node  the endpoint's last number there: what it takes itself is the next one, and more for rounds
  bool choose_meeting(std::uint64_t& last_on_node) {
    last_on_node_ = context_.node_meeting() != nullptr ? &last_on_node : nullptr;
    on_node_ = last_on_node_ != nullptr && can_meet_on_node();
    if (on_node_) rounds_ = rounds_on_node();
    return on_node_;
  }

  /// One step. One thread at a time. @param number its own among those of its process, if it meets there. @returns
  /// whether the endpoint is released: all is done, and nobody reads what it brought; or it has given up
  bool advance(std::uint64_t number) {
    if (is_early_) [[unlikely]]
      is_early_ = !become_ready();
    return !is_early_ && ((on_node_ ? advance_on_node() : advance_here(number)) || gives_up());
  }

  /// Whether it has taken its place in the order of collectives.
  [[nodiscard]] bool arrived() const { return phase_ != Phase::outside; }
  [[nodiscard]] Context& context() const { return context_; }
  /// Tells those who wait that the endpoint is released; they may destroy this at once.
  void publish() { end_.store(error_ == MPI_SUCCESS ? Ended::well : Ended::otherwise, std::memory_order_release); }
  [[nodiscard]] bool complete() const { return end_.load(std::memory_order_acquire) != Ended::no; }
  /// Of one that is complete. Not raised.
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] const End& end() const { return end_; }

  /// What has to last as long as this.
  void keep_alive(std::shared_ptr<void> held, std::shared_ptr<void> context) {
    held_ = std::move(held);
    own_context_ = std::move(context);
  }

  /// Another start of a persistent one.
  virtual int again() = 0;

  // For the meeting: of the part whose endpoint has come first.
  /// Whether the endpoints of this process have brought all that is needed for the exchange.
  [[nodiscard]] virtual bool can_exchange() = 0;
  /// Begins the exchange between processes. @returns an MPI error code
  virtual int exchange(Exchanged& exchanged) = 0;
  /// Whether all of this process that have come call the same; if not, nobody of them can go on.
  [[nodiscard]] bool all_alike();
  [[nodiscard]] std::uint64_t call_word() const { return call_; }
  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] std::uint64_t number() const { return number_; }

 protected:
  /// What all ranks must give alike, but for what the base class knows.
  [[nodiscard]] virtual Call call() const = 0;
  /// Whether this part can do with another length than its own: the other one's is what counts.
  [[nodiscard]] virtual bool follows() const { return false; }
  /// In so many rounds then.
  [[nodiscard]] virtual std::uint64_t rounds_of(const Call&) const { return 1; }
  /// Whether this part looks at what `rank`, of this process, brings.
  [[nodiscard]] virtual bool looks_at(int rank) const = 0;

  /// Whether all that this endpoint takes of those of its process is there.
  [[nodiscard]] virtual bool can_take() = 0;
  /// Takes it. @returns whether it has taken all
  virtual bool take() = 0;
  /// Whether nobody needs any more what this endpoint has brought.
  [[nodiscard]] virtual bool released() = 0;
  /// Puts what is short into the seat: it can be read there when this part is gone.
  virtual void sit(MeetingSeat& seat) { seat.bytes = MeetingSeat::not_here; }
  /// What comes before this one, if is_early_. @returns whether that is done, and it can begin
  virtual bool become_ready() { return true; }
  bool is_early_ = false;
  /// What can be done before the exchange, by each part.
  virtual void prepare() {}

  // Where all ranks meet on the node, instead: in one round, or what is long in several.
  /// The same on all ranks, whatever datatypes they give.
  [[nodiscard]] virtual bool can_meet_on_node() const = 0;
  [[nodiscard]] virtual std::uint64_t rounds_on_node() const { return 1; }
  /// Puts into the seat what this endpoint brings to a round.
  virtual void sit_on_node(std::uint64_t round) = 0;
  /// Whether this endpoint needs of `rank` that it has come.
  [[nodiscard]] virtual bool awaits(int rank) const = 0;
  /// As the ones above.
  virtual bool take_on_node(std::uint64_t round) = 0;
  [[nodiscard]] virtual bool released_on_node() = 0;

  void fail(int code) {
    if (error_ == MPI_SUCCESS) error_ = code;
  }
  void restart();

  [[nodiscard]] const Communicator& communicator() const { return context_.communicator(); }
  [[nodiscard]] Meeting& meeting() const { return context_.meeting(); }
  /// @pre the communicator has one
  [[nodiscard]] NodeMeeting& node() const { return *context_.node_meeting(); }
  [[nodiscard]] bool all_have_finished_on_node() const { return node().meeting().all_have_finished(number_); }
  [[nodiscard]] Exchanged& exchanged() const { return context_.exchanged(number_); }
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }
  /// What this part goes by: its own call, or the root's where that has another length.
  [[nodiscard]] Call agreed() const { return Call::of(expected_); }
  [[nodiscard]] int size() const { return communicator().size(); }
  [[nodiscard]] int index() const { return index_; }
  [[nodiscard]] bool all_have_arrived() const { return meeting().all_have_arrived(number_); }
  [[nodiscard]] bool all_have_finished() const { return meeting().all_have_finished(number_); }
  [[nodiscard]] const Place& place(int rank) const { return communicator().places()[static_cast<std::size_t>(rank)]; }
  [[nodiscard]] bool is_local(int rank) const { return place(rank).process == communicator().process(); }
  /// @pre is_local(rank)
  [[nodiscard]] bool has_arrived(int rank) const { return meeting().has_arrived(number_, place(rank).index); }
  [[nodiscard]] bool has_finished(int rank) const { return meeting().has_finished(number_, place(rank).index); }
  /// The part of another endpoint of this process, which does the same. @pre it has arrived and is not released
  template <typename Kind>
  [[nodiscard]] Kind& part(int index) const {
    return static_cast<Kind&>(*meeting().seat(number_, index).part);
  }

 private:
  enum class Phase : std::uint8_t { outside, arrived, alike, taken, released };

  bool advance_here(std::uint64_t number);
  bool advance_on_node();
  bool sit_in_next_round();
  bool take_next_round();
  /// Once all rounds are known and sat in: the next collective may come.
  void leave_numbers();

  // Whether ranks call the same.
  /// @returns false: this part has failed, and takes nothing
  bool agrees(std::uint64_t word, int rank) { return word == expected_ || agrees_otherwise(word, rank); }
  bool agrees_otherwise(std::uint64_t word, int rank);
  /// For the user, who numbers ranks by groups.
  [[nodiscard]] std::string both_calls(int rank, const Call& mine, int other_rank, const Call& other) const;
  bool all_go_apart();
  void compare();
  bool gives_up();

  std::shared_ptr<void> own_context_;
  std::shared_ptr<void> held_;
  Context& context_;
  int rank_;
  int index_;
  Phase phase_ = Phase::outside;
  // On the node.
  bool on_node_ = false;
  bool rounds_known_ = true;
  std::uint64_t* last_on_node_ = nullptr;
  std::uint64_t apart_ = 0;  ///< number there in which it says that it goes by processes
  std::uint64_t rounds_ = 1;
  std::uint64_t sat_ = 0;    ///< rounds to which it has come
  std::uint64_t taken_ = 0;  ///< rounds of which it has taken all
  int awaited_ = 0;          ///< in the next one: the ranks before it need not be looked at any more
  std::uint64_t number_ = 0;
  std::uint64_t call_ = 0;      ///< what others read in the seat
  std::uint64_t expected_ = 0;  ///< what this part reads in theirs
  bool unlike_ = false;         ///< another one has not called the same
  unsigned looks_ = 0;          ///< in vain
  int error_ = MPI_SUCCESS;
  End end_{Ended::no};
};

// The request of a nonblocking or persistent collective (MPI-4.1 sections 6.12 and 6.13).

class CollectiveRequest final : public Request {
 public:
  /// @param own the context of a persistent one; nullptr: the communicator's, and it is started now
  CollectiveRequest(Endpoint& endpoint, std::unique_ptr<Held> held, std::unique_ptr<Collective> collective,
                    std::shared_ptr<Context> own);
  ~CollectiveRequest() override;

  [[nodiscard]] Result result() const override { return {.error = collective_->error()}; }
  int start() override;
  void cancel() override {}  // an error of the program: collectives cannot be cancelled
  void retire() override;
  void abandon() override;

 private:
  std::unique_ptr<Held> held_;
  std::shared_ptr<Context> own_;
  std::unique_ptr<Collective> collective_;
  std::uint64_t starts_ = 0;
};

// MPI_Barrier (MPI-4.1 section 6.3).

class Barrier final : public Collective {
 public:
  struct Arguments {};
  Barrier(Context& context, int rank, Arguments) : Collective(context, rank) {}
  int bring() { return MPI_SUCCESS; }
  int again() override {
    restart();
    return MPI_SUCCESS;
  }
  [[nodiscard]] bool can_exchange() override { return all_have_arrived(); }
  int exchange(Exchanged& exchanged) override { return PMPI_Ibarrier(context().processes(), exchanged.add()); }

 protected:
  [[nodiscard]] Call call() const override { return {.kind = Call::Kind::barrier}; }
  [[nodiscard]] bool looks_at(int) const override { return true; }
  [[nodiscard]] bool can_take() override { return all_have_arrived(); }
  bool take() override { return true; }
  [[nodiscard]] bool released() override { return true; }

  [[nodiscard]] bool can_meet_on_node() const override { return true; }
  void sit_on_node(std::uint64_t) override {}
  [[nodiscard]] bool awaits(int) const override { return true; }
  bool take_on_node(std::uint64_t) override { return true; }
  [[nodiscard]] bool released_on_node() override { return true; }
};

}  // namespace raddle::endpoints::collectives
