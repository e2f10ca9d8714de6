// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/node_meeting.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "node/cross_memory.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/pause.hpp"

namespace raddle::endpoints::collectives {
namespace {

using Kind = Call::Kind;

constexpr std::array kinds{"no collective", "MPI_Barrier",        "MPI_Bcast",    "MPI_Gather",
                           "MPI_Scatter",   "MPI_Allgather",      "MPI_Alltoall", "MPI_Reduce",
                           "MPI_Allreduce", "MPI_Reduce_scatter", "MPI_Scan",     "MPI_Exscan"};
constexpr std::array operators{"",           "MPI_MAX",     "MPI_MIN",   "MPI_SUM",
                               "MPI_PROD",   "MPI_LAND",    "MPI_BAND",  "MPI_LOR",
                               "MPI_BOR",    "MPI_LXOR",    "MPI_BXOR",  "MPI_MINLOC",
                               "MPI_MAXLOC", "MPI_REPLACE", "MPI_NO_OP", "an operator of the program"};

bool rooted(const Call& call) {
  return call.root != Call::no_root && (call.kind == Kind::bcast || call.kind == Kind::gather ||
                                        call.kind == Kind::scatter || call.kind == Kind::reduce);
}

std::uint64_t without_length(std::uint64_t word) {
  Call call = Call::of(word);
  if (call.kind == Kind::bcast) call.bytes = 0;
  return call.word();
}

std::string text(const Call& call) {
  const auto kind = static_cast<std::size_t>(call.kind);
  std::string all = kind < kinds.size() ? kinds[kind] : "another collective";
  if (call.bytes > 0) all += " of " + std::to_string(call.bytes) + " bytes";
  if (rooted(call)) all += " with root " + std::to_string(call.root);
  if (call.op > 0) all += std::string(rooted(call) ? " and " : " with ") + operators[call.op & 15U];
  return all;
}

}  // namespace

Unlike difference(const Call& mine, const Call& other) {
  if (mine.kind != other.kind) return Unlike::call;
  if (mine.root != other.root) return Unlike::root;
  if (mine.op != other.op) return Unlike::op;
  if (mine.bytes != other.bytes) return mine.bytes < other.bytes ? Unlike::less_here : Unlike::more_here;
  return Unlike::call;
}

bool alike_but_length(std::uint64_t word, std::uint64_t other) {
  return word == other || without_length(word) == without_length(other);
}

bool in_step(const Call& mine, const Call& other) {
  if (mine.apart || other.apart) return false;
  if (!mine.rounds && !other.rounds) return true;
  return mine.rounds && other.rounds && mine.kind == other.kind && mine.bytes == other.bytes;
}

std::string unlike_calls(int rank, const Call& mine, int other_rank, const Call& other) {
  return "rank " + std::to_string(rank) + " calls " + text(mine) + ", rank " + std::to_string(other_rank) + " " +
         text(other);
}

namespace {

/// What all ranks together may put into a slot: each rank reads all of it, which beyond this costs more than the calls
/// of the system that follow references.
constexpr std::size_t room_of_all = std::size_t{256} * 1024;

std::size_t room_of_each(int ranks) {
  const std::size_t each = room_of_all / static_cast<std::size_t>(ranks);
  return std::max<std::size_t>(each - each % alignof(MeetingSeat), alignof(MeetingSeat));
}

// Of a message of two ranks; shorter rounds cost more in seats than they bring, and so do more than eight.
constexpr std::size_t least_round = std::size_t{16} * 1024;
constexpr std::size_t rounds_of_long = 8;

/// Of one rank, what is put one after the other has more memory than a core keeps of it: 2 MiB for two ranks.
constexpr std::size_t stretch = 2;

static_assert(sizeof(Reference) <= MeetingSeat::room);
static_assert(NodeMeeting::most_ranks * sizeof(std::span<const std::byte>) <= room_of_all / NodeMeeting::most_ranks);
static_assert(sizeof(Discord) % alignof(RoundProbe) == 0 && sizeof(RoundProbe) % alignof(MeetingSeat) == 0);

}  // namespace

std::size_t NodeMeeting::memory(int ranks) {
  return Meeting::room(ranks) * (sizeof(MeetingSeat) + stretch * room_of_each(ranks)) +
         Meeting::slots * sizeof(Shares) + sizeof(Discord) + sizeof(RoundProbe);
}

NodeMeeting::NodeMeeting(int ranks, std::byte* memory, std::vector<pid_t> processes)
    : ranks_(ranks),
      room_(room_of_each(ranks)),
      seats_(reinterpret_cast<MeetingSeat*>(memory), Meeting::room(ranks)),
      shares_(reinterpret_cast<Shares*>(memory + seats_.size_bytes()), Meeting::slots),
      discord_(reinterpret_cast<Discord*>(memory + seats_.size_bytes() + shares_.size_bytes())),
      probe_(reinterpret_cast<RoundProbe*>(memory + seats_.size_bytes() + shares_.size_bytes() + sizeof(Discord))),
      rooms_(reinterpret_cast<std::byte*>(probe_) + sizeof(RoundProbe)),
      meeting_(ranks, seats_, shares_, *discord_),
      processes_(std::move(processes)) {}

void NodeMeeting::make_place(int rank) {
  if (rank == 0) new (discord_) Discord;
  for (std::uint64_t number = 0; number < Meeting::slots; ++number) {
    new (&meeting_.seat(number, rank)) MeetingSeat;
    if (rank == 0) new (&meeting_.shares(number)) Shares;
  }
}

namespace {

/// Of the machine, once a process has heard of it: RoundProbe::word(); 0: not yet.
std::atomic<std::uint64_t> known_way{0};

}  // namespace

void NodeMeeting::find_way(Part part, int other, bool may_try) {
  const RoundProbe::Rooms rooms{.first = rooms_,
                                .stride = static_cast<std::size_t>(ranks_) * stretch * room_,
                                .bytes = room_,
                                .count = Meeting::slots};
  const auto process_of = [&](int rank) {
    return reaches() ? std::optional(processes_[static_cast<std::size_t>(rank)]) : std::nullopt;
  };
  if (part == Part::follows) return probe_->follow(rooms, process_of(other));
  if (part != Part::leads) return;
  if (const auto known = RoundProbe::choice_of(known_way.load(std::memory_order_relaxed))) return probe_->tell(*known);
  if (!may_try || room_ <= RoundProbe::least_round) return probe_->tell({});
  probe_->lead(rooms, process_of(other));
  known_way.store(RoundProbe::word(probe_->chosen().value_or(RoundProbe::Choice())), std::memory_order_relaxed);
}

std::size_t NodeMeeting::round(std::size_t bytes) const {
  const std::size_t most = std::min(room_, rounds().bytes);
  return std::clamp(std::bit_floor(bytes / rounds_of_long), std::min(least_round, most), most);
}

/// Whether what a rank puts there lies at the same place for each number of a slot. Where lines come faster once they
/// have left a core's caches, that is not so of rounds, which take one part of a room after the other.
bool NodeMeeting::has_one_place(std::size_t bytes) const {
  return rounds().bytes == RoundProbe::least_round || (ranks_ == 2 && bytes <= RoundProbe::least_round);
}

std::byte* NodeMeeting::place(std::uint64_t number, int rank, std::size_t bytes) {
  if (bytes <= MeetingSeat::room) return meeting_.seat(number, rank).little;
  const std::size_t all = stretch * room_;
  std::byte* const first =
      rooms_ + (number % Meeting::slots * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(rank)) * all;
  if (has_one_place(bytes)) return first;
  const std::size_t part = std::bit_ceil(bytes);
  return part > all / 2 ? first : first + number / Meeting::slots % (all / part) * part;
}

/// Where so much will be put next.
void NodeMeeting::expect_next(std::uint64_t number, int rank, std::size_t bytes) {
  if (bytes > MeetingSeat::room) platform::prefetch_lines_to_write(place(number + 1, rank, bytes), bytes);
}

void NodeMeeting::put(std::uint64_t number, int rank, std::span<const std::byte> bytes) {
  meeting_.seat(number, rank).bytes = static_cast<std::uint32_t>(bytes.size());
  if (bytes.empty()) return;
  platform::copy_beyond_caches(place(number, rank, bytes.size()), bytes.data(), bytes.size());
  expect_next(number, rank, bytes.size());
}

bool NodeMeeting::put_pieces(std::uint64_t number, int rank, std::span<const std::span<const std::byte>> pieces) {
  std::size_t plain = bytes_of_ends(pieces.size());
  for (const auto& piece : pieces) plain += piece.size();
  const bool aligned = is_aligned(plain);
  std::size_t bytes = bytes_of_ends(pieces.size());
  for (const auto& piece : pieces) bytes = begin_after(bytes, aligned) + piece.size();
  if (bytes > room_) return false;
  meeting_.seat(number, rank).bytes = static_cast<std::uint32_t>(bytes);
  std::byte* const all = place(number, rank, bytes);
  auto end = static_cast<std::uint32_t>(bytes_of_ends(pieces.size()));
  std::memcpy(all, &end, sizeof end);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const std::size_t begin = begin_after(end, aligned);
    if (!pieces[i].empty()) platform::copy_beyond_caches(all + begin, pieces[i].data(), pieces[i].size());
    end = static_cast<std::uint32_t>(begin + pieces[i].size());
    std::memcpy(all + (i + 1) * sizeof end, &end, sizeof end);
  }
  expect_next(number, rank, bytes);
  return true;
}

void NodeMeeting::refer(std::uint64_t number, int rank, const Reference& reference) {
  MeetingSeat& seat = meeting_.seat(number, rank);
  seat.bytes = MeetingSeat::not_here;
  std::memcpy(seat.little, &reference, sizeof reference);
}

void NodeMeeting::refer_pieces(std::uint64_t number, int rank, std::span<const std::span<const std::byte>> pieces) {
  meeting_.seat(number, rank).bytes = MeetingSeat::not_here;
  std::memcpy(place(number, rank, pieces.size_bytes()), pieces.data(), pieces.size_bytes());
}

std::span<const std::byte> NodeMeeting::piece_reference(std::uint64_t number, int rank, int piece) {
  std::span<const std::byte> found;
  const std::size_t bytes = static_cast<std::size_t>(ranks_) * sizeof found;
  std::memcpy(&found, place(number, rank, bytes) + static_cast<std::size_t>(piece) * sizeof found, sizeof found);
  return found;
}

std::optional<std::span<const std::byte>> NodeMeeting::here(std::uint64_t number, int rank) {
  const std::size_t bytes = meeting_.seat(number, rank).bytes;
  if (bytes == MeetingSeat::not_here) return std::nullopt;
  return std::span<const std::byte>(place(number, rank, bytes), bytes);
}

std::optional<std::span<const std::byte>> NodeMeeting::piece_here(std::uint64_t number, int rank, int piece) {
  const auto all = here(number, rank);
  if (!all) return std::nullopt;
  std::uint32_t ends[2];
  std::memcpy(ends, all->data() + static_cast<std::size_t>(piece) * sizeof *ends, sizeof ends);
  const std::size_t begin = begin_after(ends[0], is_aligned(all->size()));
  return all->subspan(begin, ends[1] - begin);
}

void NodeMeeting::taken(std::uint64_t number, int rank, std::span<const std::byte> bytes) {
  const std::size_t all = meeting_.seat(number, rank).bytes;
  if (!rounds().gives_back || all <= MeetingSeat::room || !has_one_place(all)) return;
  platform::keep_lines(rooms_ + (bytes.data() - rooms_), bytes.size());
}

Reference NodeMeeting::reference(std::uint64_t number, int rank) {
  Reference reference;
  std::memcpy(&reference, meeting_.seat(number, rank).little, sizeof reference);
  return reference;
}

bool NodeMeeting::read(int rank, const std::byte* from, std::span<std::byte> to) const {
  return node::copy_from(processes_[static_cast<std::size_t>(rank)], reinterpret_cast<std::uintptr_t>(from), to);
}

bool NodeMeeting::write(int rank, std::byte* to, std::span<const std::byte> from) const {
  return node::copy_to(processes_[static_cast<std::size_t>(rank)], reinterpret_cast<std::uintptr_t>(to), from);
}

}  // namespace raddle::endpoints::collectives
