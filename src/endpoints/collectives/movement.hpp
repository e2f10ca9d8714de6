// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data and change nothing of them: MPI_Bcast, _Gather(v), _Scatter(v), _Allgather(v),
// _Alltoall(v, w) (MPI-4.1 sections 6.4 to 6.8).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/pieces.hpp"

namespace raddle::endpoints::collectives {

class Blocks;

class Movement : public Collective {
 public:
  enum class Kind : std::uint8_t { bcast, gather, scatter, allgather, alltoall };
  struct Arguments {
    Kind kind;
    int root;       ///< of the first three
    Pieces out;     ///< one, or one for each rank; of who sends nothing: anything
    Pieces in;      ///< the same of who receives
    bool in_place;  ///< nothing goes from this rank to itself; of MPI_Alltoall, `out` lies where `in` does
    /// What ranks have called, where they move pieces of all sorts to do that.
    Call::Kind called = Call::Kind::none;
  };

  /// What has been brought may be read at once. @returns an MPI error code
  Movement(Context& context, int rank, Arguments arguments);
  virtual int bring();
  int again() override;

  [[nodiscard]] bool can_exchange() override;
  int exchange(Exchanged& exchanged) override;

 protected:
  [[nodiscard]] Call call() const override;
  [[nodiscard]] bool follows() const override { return kind_ == Kind::bcast && rank() != root_; }
  [[nodiscard]] std::uint64_t rounds_of(const Call& other) const override { return rounds_of(other.bytes); }
  [[nodiscard]] bool looks_at(int rank) const override { return awaits(rank); }
  [[nodiscard]] bool can_take() override;
  bool take() override;
  [[nodiscard]] bool released() override;
  void sit(MeetingSeat& seat) override;

  [[nodiscard]] bool can_meet_on_node() const override;
  [[nodiscard]] std::uint64_t rounds_on_node() const override;
  void sit_on_node(std::uint64_t round) override;
  [[nodiscard]] bool awaits(int rank) const override;
  bool take_on_node(std::uint64_t round) override;
  [[nodiscard]] bool released_on_node() override;

 private:
  [[nodiscard]] bool from_root() const { return kind_ == Kind::bcast || kind_ == Kind::scatter; }
  [[nodiscard]] bool to_root() const { return kind_ == Kind::gather; }
  [[nodiscard]] bool sends() const { return !from_root() || rank() == root_; }
  [[nodiscard]] bool receives() const { return to_root() ? rank() == root_ : kind_ != Kind::bcast || rank() != root_; }
  /// Which of the pieces that a rank brings is for `rank`.
  [[nodiscard]] int outgoing(int rank) const { return for_each() ? rank : 0; }
  /// Whether what a rank brings is one piece for each rank.
  [[nodiscard]] bool for_each() const { return kind_ == Kind::scatter || kind_ == Kind::alltoall; }
  [[nodiscard]] int incoming(int rank) const { return from_root() ? 0 : rank; }
  [[nodiscard]] std::size_t expected(int from) const { return in_.bytes(incoming(from)); }

  /// @returns an MPI error code: whether a side that this rank has can be meant
  [[nodiscard]] int check_side(const Pieces& side) const;
  void take_from(int source);
  [[nodiscard]] bool may_copy_with_root() const;
  [[nodiscard]] std::span<std::byte> own_room() const;
  void put_in_room(std::span<std::byte> room) const;
  /// Where a broadcast goes that both ranks copy; empty: they do not.
  [[nodiscard]] std::span<std::byte> room_of_other() const;
  bool take_with_root(std::span<std::byte> room);
  /// Puts what has come from `source`. @returns an MPI error code
  [[nodiscard]] int put_from(int source, std::span<const std::byte> bytes) const;
  [[nodiscard]] int truncated(int source, std::size_t bytes) const;
  int take_on_node_from(int source);
  // What goes in rounds on the node: pieces of which all ranks know that they have one length.
  [[nodiscard]] bool alike() const;
  /// Whether all ranks bring so little, each the same, that it lies in their seats: piece after piece.
  [[nodiscard]] bool fits_a_seat() const;
  void put_in_seat(std::span<std::byte, MeetingSeat::room> little) const;
  /// Of what a rank has put in its seat, the piece for this one.
  [[nodiscard]] std::span<const std::byte> piece_of(std::span<const std::byte> little) const;
  [[nodiscard]] std::size_t length() const;
  /// Of each piece of this length, in a round.
  [[nodiscard]] std::size_t slice(std::size_t length) const;
  /// The bytes of `piece` that go in a round.
  [[nodiscard]] std::span<const std::byte> slice_of(std::span<const std::byte> piece, std::uint64_t round) const;
  [[nodiscard]] std::uint64_t rounds_of(std::size_t length) const;
  /// Of what a rank puts there, if each piece has this length.
  [[nodiscard]] std::size_t bytes_of_all(std::size_t length) const;
  [[nodiscard]] bool one_reads() const;
  [[nodiscard]] bool refers(std::size_t bytes) const;
  [[nodiscard]] bool fits_rounds(std::size_t length) const;
  void sit_in_round(std::uint64_t round);
  int take_in_round(std::uint64_t round, int source);
  /// This rank has read what `source` has put for collective `number`, or its piece of that.
  void taken(std::uint64_t number, int source, std::span<const std::byte> bytes);
  /// Puts what lies in the node's memory behind byte `first` of an incoming piece. @returns false: it does not lie in
  /// one piece, or has no room for it
  [[nodiscard]] bool copied_straight(int which, std::size_t first, std::span<const std::byte> bytes) const;

  // Several processes.
  struct Come {
    std::span<const std::byte> bytes;
    std::size_t sent;  ///< more than `bytes` has, where more was sent than there is room for
  };
  [[nodiscard]] Come from(int source) const;
  /// Which piece of what the process has received is from `source` and for the endpoint with `index`.
  [[nodiscard]] std::size_t received(int source, int index) const;
  /// Makes room behind what has room already for what `source` sends to the endpoint with `index`.
  void make_room(Exchanged& exchanged, int source, int index) const;
  /// What goes between two processes is a block (blocks.hpp). Calls `visit(source, index)` for each piece that comes
  /// from `process`, for the endpoints with an index from `first` on and before `end`, in the order in which it is
  /// sent.
  template <typename Visit>
  void each_incoming(int process, int first, int end, Visit&& visit) const;
  [[nodiscard]] std::size_t incoming_block(int process, int first, int end) const;
  void make_block(Exchanged& exchanged, int process, int first, int end) const;

  /// Bytes by process, none of this one.
  template <typename Bytes>
  [[nodiscard]] std::vector<std::size_t> by_process(Bytes&& bytes) const;
  /// Where counts and displacements are kept, of two sets.
  [[nodiscard]] std::span<int> numbers(Exchanged& exchanged, int set) const;
  int send_beside(Exchanged& exchanged, const Blocks& out) const;
  int receive_beside(Exchanged& exchanged, const Blocks& in) const;
  int exchange_bcast(Exchanged& exchanged);
  int exchange_gather(Exchanged& exchanged);
  int exchange_scatter(Exchanged& exchanged);
  int exchange_allgather(Exchanged& exchanged);
  int exchange_alltoall(Exchanged& exchanged);

  Kind kind_;
  Call::Kind called_;
  int root_;
  Pieces out_;
  Pieces in_;
  bool in_place_;
  bool in_seat_ = false;
  std::vector<std::span<const std::byte>> parts_;  ///< what others get of what it brings
  bool alike_in_seats_ = false;                    ///< fits_a_seat()
  bool with_root_ = false;                         ///< both ranks of a broadcast copy
  std::vector<std::vector<std::byte>> landed_;     ///< by source, rounds of what does not lie in one piece here
  bool referred_ = false;                          ///< on the node others read what this rank brings where it lies
  Brought brought_;
};

}  // namespace raddle::endpoints::collectives
