// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/reduction.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/handles/handles.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/must.hpp"
#include "platform/pause.hpp"

namespace raddle::endpoints::collectives {

Elements::Elements(MPI_Datatype type) : type_(type), size_(size_of(type)) {
  if (named_sizes.find(bits(type)) != 0) {
    extent_ = static_cast<MPI_Aint>(size_);
    greatest_ = extent_;
    return;
  }
  MPI_Aint lower = 0;
  MPI_Aint true_extent = 0;
  platform::must("MPI_Type_get_extent", PMPI_Type_get_extent(type, &lower, &extent_));
  platform::must("MPI_Type_get_true_extent", PMPI_Type_get_true_extent(type, &lowest_, &true_extent));
  greatest_ = lowest_ + true_extent;
  dense_ = lowest_ == 0 && extent_ == true_extent && static_cast<MPI_Aint>(size_) == extent_;
}

int Elements::pack(const void* from, std::byte* to, MPI_Count count) const {
  Layout layout;
  if (const int code = layout.describe(from, count, type_); code != MPI_SUCCESS) return code;
  copy_out(layout.body(), to);
  return MPI_SUCCESS;
}

int Elements::unpack(const std::byte* from, void* to, MPI_Count count) const {
  return put({from, packed(count)}, Pieces::uniform(to, count, type_), 0);
}

int Elements::copy(const void* from, void* to, MPI_Count count) const {
  if (count == 0) return MPI_SUCCESS;
  if (dense_) {
    std::memmove(to, from, bytes(count));
    return MPI_SUCCESS;
  }
  std::vector<std::byte> between(packed(count));
  if (const int code = pack(from, between.data(), count); code != MPI_SUCCESS) return code;
  return unpack(between.data(), to, count);
}

void* Elements::room(std::vector<std::byte>& storage, MPI_Count count) const {
  // Extents may be negative.
  const MPI_Aint steps = count > 0 ? static_cast<MPI_Aint>(count - 1) * extent_ : 0;
  const MPI_Aint lowest = lowest_ + (steps < 0 ? steps : 0);
  const MPI_Aint greatest = greatest_ + (steps > 0 ? steps : 0);
  storage.resize(static_cast<std::size_t>(greatest - lowest) + alignof(std::max_align_t));
  // An element is aligned as in memory of the program's: its address, not its first byte.
  const auto first = reinterpret_cast<std::uintptr_t>(storage.data()) - static_cast<std::uintptr_t>(lowest);
  const std::uintptr_t aligned =
      (first + alignof(std::max_align_t) - 1) & ~std::uintptr_t{alignof(std::max_align_t) - 1};
  return storage.data() + (aligned - reinterpret_cast<std::uintptr_t>(storage.data()));
}

namespace {

// What each rank brings to a share: several stay in a core's cache together, and taking it costs little beside it.
constexpr std::size_t most_share_bytes = std::size_t{64} * 1024;
/// What each of so many endpoints of a process may leave in a room, where all read it: 8 KiB together. Whole lines, as
/// elements of any type need.
constexpr std::size_t most_in_room(int endpoints) {
  constexpr std::size_t line = 64;
  return std::size_t{8} * 1024 / static_cast<std::size_t>(endpoints) / line * line;
}
static_assert(most_in_room(2) == 4096 && most_in_room(3) % 64 == 0 && most_in_room(200) == 0);
constexpr std::size_t least_share_bytes = std::size_t{4} * 1024;
constexpr MPI_Count most_shares = MPI_Count{1} << 20U;
constexpr MPI_Count most_at_once = MPI_Count{1} << 30U;  // PMPI_Reduce_local takes an int

/// Elements for a moment. The room is kept for the thread's next ones; an operator of the program may make progress,
/// and begin another reduction while its own has the room.
class Scratch {
 public:
  Scratch() : bytes(std::exchange(kept(), {})) {}
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { kept() = std::move(bytes); }

 private:
  static std::vector<std::byte>& kept() {
    thread_local std::vector<std::byte> of_thread;
    return of_thread;
  }

 public:
  std::vector<std::byte> bytes;
};

}  // namespace

Reduction::Reduction(Context& context, int rank, Arguments arguments)
    : Collective(context, rank),
      kind_(arguments.kind),
      root_(arguments.root),
      in_(arguments.in),
      out_(arguments.out),
      count_(arguments.count),
      op_(arguments.op),
      parts_(arguments.parts),
      in_place_(arguments.in_place),
      elements_(arguments.type),
      known_(known_operator(op_, arguments.type)),
      combine_(known_.combine),
      program_operator_(combine_ == nullptr ? ProgramOperator::of(op_) : ProgramOperator()) {
  int commutes = 1;
  if (!communicator().in_order()) platform::must("MPI_Op_commutative", PMPI_Op_commutative(op_, &commutes));
  commutes_ = commutes != 0;
}

int Reduction::bring() {
  own_ = in_place_ ? out_ : in_;
  if (!in_one_piece(own_, count_, elements_.type())) {
    Layout layout;
    if (const int code = layout.describe(own_, count_, elements_.type()); code != MPI_SUCCESS) return code;
  }
  const std::size_t bytes = elements_.dense() ? elements_.bytes(count_) : 0;
  in_room_ = context().alone() && combine_ != nullptr && bytes > MeetingSeat::room && bytes <= most_in_room(size());
  in_seat_ = elements_.dense() && (in_room_ || bytes <= MeetingSeat::room);
  const bool others_read_on = kind_ == Kind::scan || kind_ == Kind::exscan ||
                              (context().alone() && !in_shares() && kind_ != Kind::reduce) ||
                              (context().node_meeting() != nullptr && kind_ == Kind::reduce_scatter);
  if (in_place_ && !in_seat_ && others_read_on && count_ > 0) {
    void* const copy = elements_.room(copy_, count_);
    if (const int code = elements_.copy(own_, copy, count_); code != MPI_SUCCESS) return code;
    own_ = copy;
  }
  return MPI_SUCCESS;
}

int Reduction::again() {
  restart();
  return bring();
}

void Reduction::sit(MeetingSeat& seat) {
  if (in_room_) return sit_in_room(seat);
  seat.bytes = in_seat_ ? static_cast<std::uint32_t>(elements_.bytes(count_)) : MeetingSeat::not_here;
  if (in_seat_ && seat.bytes > 0) std::memcpy(seat.little, own_, seat.bytes);
}

/// What is too long for a seat and still short is copied once more: then nobody waits until the others have read it.
void Reduction::sit_in_room(MeetingSeat& seat) {
  const std::size_t bytes = elements_.bytes(count_);
  const std::size_t place = static_cast<std::size_t>(index()) * most_in_room(size());
  std::byte* const room = context().room(number()) + place;
  platform::copy_bytes(room, static_cast<const std::byte*>(own_), bytes);
  platform::prefetch_lines_to_write(context().room(number() + 1) + place, bytes);
  const Reference there{.data = room, .bytes = bytes};
  std::memcpy(seat.little, &there, sizeof there);
  seat.bytes = MeetingSeat::in_room;
}

Call Reduction::call() const {
  constexpr std::array kinds{Call::Kind::reduce, Call::Kind::allreduce, Call::Kind::reduce_scatter, Call::Kind::scan,
                             Call::Kind::exscan};
  return {.kind = kinds[static_cast<std::size_t>(kind_)],
          .op = known_.number,
          .root = kind_ == Kind::reduce ? root_ : 0,
          .rounds = rounds() > 1,
          .bytes = elements_.packed(count_)};
}

bool Reduction::in_shares() const {
  return context().alone() && !in_seat_ && elements_.dense() && (kind_ == Kind::reduce || kind_ == Kind::allreduce);
}

/// What has gaps is left out: MPICH 5.0.2 and Intel MPI 2021.18.1 combine such elements wrongly in nonblocking
/// reductions.
bool Reduction::by_process() const {
  if (!elements_.dense()) return false;
  const bool in_any_order = kind_ == Kind::reduce || kind_ == Kind::allreduce || kind_ == Kind::reduce_scatter;
  return communicator().in_order() || (in_any_order && commutes_);
}

MPI_Count Reduction::per_share() const {
  const std::size_t for_each = elements_.packed(count_) / static_cast<std::size_t>(size());
  const std::size_t bytes = std::clamp(for_each, least_share_bytes, most_share_bytes);
  const auto fit = static_cast<MPI_Count>(bytes / std::max<std::size_t>(elements_.packed(1), 1));
  return std::max({MPI_Count{1}, fit, count_ / most_shares});
}

std::uint64_t Reduction::shares() const { return static_cast<std::uint64_t>((count_ + per_share() - 1) / per_share()); }

const void* Reduction::brought(int index, MPI_Count first) const {
  const MeetingSeat& seat = meeting().seat(number(), index);
  const void* all = seat.bytes != MeetingSeat::not_here ? seat.little : part<Reduction>(index).own_;
  if (seat.bytes == MeetingSeat::in_room) {
    Reference there;
    std::memcpy(&there, seat.little, sizeof there);
    all = there.data;
  }
  return elements_.at(all, first);
}

const void* Reduction::brought_by(int rank, MPI_Count first) const { return brought(place(rank).index, first); }

int Reduction::combine(const void* left, void* right, MPI_Count count) const {
  if (combine_ != nullptr) {
    combine_(left, right, right, static_cast<std::size_t>(count));
    return MPI_SUCCESS;
  }
  if (program_operator_.call(left, right, count, elements_.type())) return MPI_SUCCESS;
  for (MPI_Count done = 0; done < count; done += most_at_once) {
    const int now = static_cast<int>(std::min(most_at_once, count - done));
    const int code = PMPI_Reduce_local(elements_.at(left, done), elements_.at(right, done), now, elements_.type(), op_);
    if (code != MPI_SUCCESS) return code;
  }
  return MPI_SUCCESS;
}

int Reduction::give(const void* result, MPI_Count count) const { return elements_.copy(result, out_, count); }

void Reduction::prepare() {
  if (context().alone() || context().is_exchanged(number()) || !all_have_arrived()) return;
  if (exchanged().open.load(std::memory_order_acquire) != number()) return;
  meeting().shares(number()).help(number(), shares(), [&](std::uint64_t share) {
    const MPI_Count first = static_cast<MPI_Count>(share) * per_share();
    const auto who = [&](int index) { return brought(index, first); };
    void* const result = elements_.at(exchanged().combined, first);
    const int code = fold(meeting().seats(), who, result, std::min(per_share(), count_ - first));
    if (code != MPI_SUCCESS) fail(code);
  });
}

bool Reduction::can_take() {
  if (in_seat_ && !writes()) return true;
  return all_have_arrived();
}

bool Reduction::take() {
  if (in_shares()) return take_shares();
  if (!writes()) return true;
  if (const int code = context().alone() ? take_alone() : take_exchanged(); code != MPI_SUCCESS) fail(code);
  return true;
}

bool Reduction::take_shares() {
  Shares& work = meeting().shares(number());
  work.help(number(), shares(), [&](std::uint64_t taken) {
    const MPI_Count first = static_cast<MPI_Count>(taken) * per_share();
    if (const int code = share(first, std::min(per_share(), count_ - first)); code != MPI_SUCCESS) fail(code);
  });
  return work.complete(number(), shares());
}

int Reduction::share(MPI_Count first, MPI_Count count) {
  std::vector<void*> rooms;
  for (int index = 0; index < meeting().seats(); ++index) {
    const Reduction& other = part<Reduction>(index);
    if (other.writes()) rooms.push_back(elements_.at(other.out_, first));
  }
  const bool straight = size() <= 2 && combine_ != nullptr;  // one look at each operand is all there is
  Scratch scratch;
  void* const result = straight ? rooms.front() : elements_.room(scratch.bytes, count);
  const int code = fold(size(), [&](int rank) { return brought_by(rank, first); }, result, count);
  if (code != MPI_SUCCESS) return code;
  for (void* const room : rooms) {
    if (room != result) std::memcpy(room, result, elements_.bytes(count));
  }
  return MPI_SUCCESS;
}

Reduction::Own Reduction::own() const {
  if (kind_ == Kind::scan || kind_ == Kind::exscan) return {0, count_, rank() + (kind_ == Kind::scan ? 1 : 0)};
  if (kind_ != Kind::reduce_scatter) return {0, count_, size()};
  MPI_Count first = 0;
  for (int before = 0; before < rank(); ++before) first += parts_[before];
  return {first, parts_[rank()], size()};
}

int Reduction::take_alone() {
  const auto [first, count, ranks] = own();
  if (ranks == 0 || count == 0) return MPI_SUCCESS;
  const auto who = [&, from = first](int rank) { return brought_by(rank, from); };
  if (in_room_) return fold(ranks, who, out_, count);
  if (in_seat_ && combine_ != nullptr && ranks > 1) {
    alignas(16) std::byte result[MeetingSeat::room];
    fold(ranks, who, result, count);
    std::memcpy(out_, result, elements_.bytes(count));
    return MPI_SUCCESS;
  }
  Scratch scratch;
  void* const result = elements_.room(scratch.bytes, count);
  const int code = fold(ranks, who, result, count);
  return code == MPI_SUCCESS ? give(result, count) : code;
}

bool Reduction::released() {
  if (in_seat_ || in_shares()) return true;
  if (context().alone() && kind_ == Kind::reduce) return has_finished(root_);
  // Of several processes, all has been combined before the exchange, or been packed for it.
  const bool read_on = context().alone() || (by_process() && (kind_ == Kind::scan || kind_ == Kind::exscan));
  return !read_on || all_have_finished();
}

}  // namespace raddle::endpoints::collectives
