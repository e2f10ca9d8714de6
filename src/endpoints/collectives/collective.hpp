// SPDX-License-Identifier: BSD-3-Clause
// One endpoint's part in one collective. The parts of a process meet (meeting.hpp); one of them exchanges what the
// process as a whole sends and receives, if there are other processes; then each takes what is its own. Or all ranks
// meet on their node (node_meeting.hpp), and each takes what is its own from the others.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "endpoints/collectives/context.hpp"
#include "endpoints/ended.hpp"

namespace raddle::endpoints::collectives {

class Collective {
 public:
  /// @param rank  the endpoint's
  Collective(Context& context, int rank);
  Collective(const Collective&) = delete;
  Collective& operator=(const Collective&) = delete;
  virtual ~Collective() = default;

  /// Chooses the meeting, once it has brought what it brings. @returns whether it is the node's
  bool choose_meeting() {
    on_node_ = context_.node_meeting() != nullptr && can_meet_on_node();
    if (on_node_) rounds_ = rounds_on_node();
    return on_node_;
  }
  /// How many numbers it takes.
  [[nodiscard]] std::uint64_t rounds() const { return rounds_; }

  /// One step. One thread at a time. @param number its first among those of its meeting. @returns whether the endpoint
  /// is released: all is done, and nobody reads what it brought
  bool advance(std::uint64_t number);

  /// Whether it has taken its place in the order of collectives.
  [[nodiscard]] bool arrived() const { return stage_ != Stage::outside; }
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

 protected:
  /// Whether all that this endpoint takes of those of its process is there.
  [[nodiscard]] virtual bool can_take() = 0;
  /// Takes it. @returns whether it has taken all
  virtual bool take() = 0;
  /// Whether nobody needs any more what this endpoint has brought.
  [[nodiscard]] virtual bool released() = 0;
  /// Puts what is short into the seat: it can be read there when this part is gone.
  virtual void sit(Seat& seat) { seat.bytes = Seat::not_here; }
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
  [[nodiscard]] std::uint64_t number() const { return number_; }
  [[nodiscard]] int rank() const { return rank_; }
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
  enum class Stage : std::uint8_t { outside, arrived, taken, released };

  bool advance_on_node(std::uint64_t number);
  bool sit_in_next_round();
  bool take_next_round();

  std::shared_ptr<void> own_context_;
  std::shared_ptr<void> held_;
  Context& context_;
  int rank_;
  int index_;
  Stage stage_ = Stage::outside;
  // On the node.
  bool on_node_ = false;
  std::uint64_t rounds_ = 1;
  std::uint64_t sat_ = 0;    ///< rounds to which it has come
  std::uint64_t taken_ = 0;  ///< rounds of which it has taken all
  int awaited_ = 0;          ///< in the next one: the ranks before it need not be looked at any more
  std::uint64_t number_ = 0;
  int error_ = MPI_SUCCESS;
  End end_{Ended::no};
};

}  // namespace raddle::endpoints::collectives
