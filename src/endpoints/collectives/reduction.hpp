// SPDX-License-Identifier: BSD-3-Clause
// The collectives that combine: MPI_Reduce, _Allreduce, _Reduce_scatter(_block), _Scan, _Exscan (MPI-4.1 sections 6.9
// to 6.11). In the order of ranks, whether the operator commutes or not, as long as ranks lie in the order of
// processes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/held.hpp"
#include "endpoints/collectives/operators.hpp"
#include "endpoints/collectives/pieces.hpp"

namespace raddle::endpoints::collectives {

// Elements of a datatype, as operators of reductions see them: in memory as the datatype says, gaps included.

class Elements {
 public:
  Elements() = default;
  /// The datatype must live as long as this.
  explicit Elements(MPI_Datatype type);

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  /// Whether elements follow each other without gaps, from their address on.
  [[nodiscard]] bool dense() const { return dense_; }
  /// Of the memory of so many. @pre dense()
  [[nodiscard]] std::size_t bytes(MPI_Count count) const { return size_ * static_cast<std::size_t>(count); }

  [[nodiscard]] const void* at(const void* first, MPI_Count element) const {
    return static_cast<const std::byte*>(first) + element * extent_;
  }
  [[nodiscard]] void* at(void* first, MPI_Count element) const {
    return static_cast<std::byte*>(first) + element * extent_;
  }
  /// Copies elements, and no gaps. @returns an MPI error code
  int copy(const void* from, void* to, MPI_Count count) const;
  /// The same from and to their bytes in one piece.
  int pack(const void* from, std::byte* to, MPI_Count count) const;
  int unpack(const std::byte* from, void* to, MPI_Count count) const;
  [[nodiscard]] std::size_t packed(MPI_Count count) const { return size_ * static_cast<std::size_t>(count); }

  /// Makes `storage` large enough. @returns where the first element is
  void* room(std::vector<std::byte>& storage, MPI_Count count) const;

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
  std::size_t size_ = 0;
  MPI_Aint extent_ = 0;
  MPI_Aint lowest_ = 0;    ///< where the first byte of an element is
  MPI_Aint greatest_ = 0;  ///< and behind its last one
  bool dense_ = true;
};

class Reduction final : public Collective {
 public:
  enum class Kind : std::uint8_t { reduce, allreduce, reduce_scatter, scan, exscan };
  struct Arguments {
    Kind kind;
    int root;  ///< of MPI_Reduce
    const void* in;
    void* out;        ///< of MPI_Reduce, the root's
    MPI_Count count;  ///< of elements; of MPI_Reduce_scatter all together
    MPI_Datatype type;
    MPI_Op op;
    Numbers parts;  ///< of MPI_Reduce_scatter: how many elements of the result each rank gets
    bool in_place;  ///< what this rank brings lies in `out`
  };

  Reduction(Context& context, int rank, Arguments arguments);
  /// What has been brought may be read at once. @returns an MPI error code
  int bring();
  int again() override;

  [[nodiscard]] bool can_exchange() override;
  int exchange(Exchanged& exchanged) override;

 protected:
  [[nodiscard]] Call call() const override;
  [[nodiscard]] bool looks_at(int) const override { return !in_seat_ || writes(); }
  void prepare() override;
  [[nodiscard]] bool can_take() override;
  bool take() override;
  [[nodiscard]] bool released() override;
  void sit(MeetingSeat& seat) override;
  void sit_in_room(MeetingSeat& seat);

  [[nodiscard]] bool can_meet_on_node() const override;
  [[nodiscard]] std::uint64_t rounds_on_node() const override;
  void sit_on_node(std::uint64_t round) override;
  [[nodiscard]] bool awaits(int rank) const override;
  bool take_on_node(std::uint64_t round) override;
  [[nodiscard]] bool released_on_node() override;

 private:
  /// What an endpoint of this process brings, from an element on.
  [[nodiscard]] const void* brought(int index, MPI_Count first) const;
  [[nodiscard]] const void* brought_by(int rank, MPI_Count first) const;
  /// Combines what `how_many` bring, in their order, into `result`, which is none of theirs, or of two that are numbers
  /// one: `who` says what the i-th brings; of what has gaps, until it is asked again.
  template <typename Who>
  int fold(int how_many, Who&& who, void* result, MPI_Count count) const {
    int last = how_many - 2;
    int code = MPI_SUCCESS;
    if (combine_ != nullptr && how_many > 1) {
      const void* const right = who(how_many - 1);
      combine_(who(last), right, result, static_cast<std::size_t>(count));
      --last;
    } else {
      code = elements_.copy(who(how_many - 1), result, count);
    }
    for (int i = last; i >= 0 && code == MPI_SUCCESS; --i) code = combine(who(i), result, count);
    return code;
  }
  int combine(const void* left, void* right, MPI_Count count) const;
  /// The result of elements of this rank. @returns an MPI error code
  int give(const void* result, MPI_Count count) const;

  // One process.
  [[nodiscard]] bool writes() const { return kind_ != Kind::reduce || rank() == root_; }
  bool take_shares();
  int share(MPI_Count first, MPI_Count count);
  int take_alone();
  // One node.
  [[nodiscard]] bool is_long() const { return elements_.bytes(count_) > node().room(); }
  /// What is long, put there piece by piece: for few ranks, each of which reads all of it.
  [[nodiscard]] bool in_rounds() const;
  [[nodiscard]] MPI_Count per_round() const;
  int take_short(std::uint64_t round);
  int share_on_node(MPI_Count first, MPI_Count count);
  int take_part();
  int fold_on_node(void* result, MPI_Count first, MPI_Count count);
  // What of the result is for this rank, of how many ranks from the first one on.
  struct Own {
    MPI_Count first;
    MPI_Count count;
    int ranks;
  };
  [[nodiscard]] Own own() const;
  // Several processes.
  int take_exchanged();
  int exchange_all(Exchanged& exchanged);
  int exchange_combined(Exchanged& exchanged);
  /// Whether what is exchanged can be cut anywhere.
  [[nodiscard]] bool in_pieces() const { return kind_ == Kind::reduce || kind_ == Kind::allreduce; }
  template <typename Call>
  int exchange_in_pieces(Exchanged& exchanged, Call&& call) const;

  [[nodiscard]] MPI_Count per_share() const;
  [[nodiscard]] std::uint64_t shares() const;
  /// Whether the result is made in shares that any endpoint of the process makes for all.
  [[nodiscard]] bool in_shares() const;
  /// Whether processes can be combined in their order.
  [[nodiscard]] bool by_process() const;

  Kind kind_;
  int root_;
  const void* in_;
  void* out_;
  MPI_Count count_;
  MPI_Op op_;
  Numbers parts_;
  bool in_place_;
  bool commutes_ = true;
  bool in_seat_ = false;  ///< others need nothing of the program's memory
  bool in_room_ = false;  ///< what they need is too long for the seat itself
  Elements elements_;
  KnownOperator known_;
  Combine combine_;
  ProgramOperator program_operator_;
  const void* own_ = nullptr;  ///< what this rank brings
  std::vector<std::byte> copy_;
};

}  // namespace raddle::endpoints::collectives
