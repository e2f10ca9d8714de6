// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/command.hpp"

namespace raddle::proxy {
namespace {

constexpr std::int64_t most_count = 0x7fff'ffff;  ///< what the MPI's arguments hold

bool is_place_of_answer(std::uint64_t place, const Bounds& bounds) {
  return place % alignof(Answer) == 0 && bounds.contain(place, sizeof(Answer));
}

/// Those who do nothing that the endpoint would not wait for.
bool needs_answer(const Command& command) {
  return command.op != Op::send && command.op != Op::free && command.op != Op::cancel;
}

bool has_data(Op op) {
  return op == Op::create || op == Op::send || op == Op::receive || op == Op::receive_taken || op == Op::collective;
}

/// Room for what is short is in the answer.
bool fits_in_answer(const Command& command) {
  return (command.op == Op::receive || command.op == Op::receive_taken) && command.place == 0 &&
         command.bytes <= Answer::room;
}

/// Lengths, then displacements, of `pieces` pieces that lie in `bytes` bytes of elements of `each` bytes.
const char* refusal_of_pieces(std::span<const std::int64_t> numbers, std::uint32_t pieces, std::uint64_t bytes,
                              int copies) {
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const std::int64_t length = numbers[i];
    const std::int64_t at = numbers[pieces + i];
    if (length < 0 || at < 0 || length > most_count || at > most_count) return "a length that the MPI cannot take";
    const std::uint64_t whole = pieces == 1 ? static_cast<std::uint64_t>(length) * static_cast<std::uint64_t>(copies)
                                            : static_cast<std::uint64_t>(length);
    if (static_cast<std::uint64_t>(at) + whole > bytes) return "a piece outside its buffer";
  }
  return nullptr;
}

}  // namespace

const char* refusal(const Command& command, std::size_t following, const Bounds& bounds) {
  if (static_cast<std::uint16_t>(command.op) >= ops) return "an unknown command";
  if ((command.flags & ~flags) != 0) return "unknown flags";
  if (command.answer == 0 ? needs_answer(command) : !is_place_of_answer(command.answer, bounds))
    return "an answer outside the shared memory";
  if (command.op == Op::cancel && !is_place_of_answer(command.place, bounds))
    return "an answer outside the shared memory";
  if (!has_data(command.op)) return (command.flags & follows) == 0 ? nullptr : "data that it does not take";
  if ((command.flags & follows) != 0)
    return command.bytes <= following && command.op != Op::receive && command.op != Op::receive_taken
               ? nullptr
               : "more data than follow";
  return fits_in_answer(command) || bounds.contain(command.place, command.bytes) ? nullptr
                                                                                 : "data outside the shared memory";
}

const char* refusal(const Collective& collective, std::span<const std::int64_t> numbers, int size,
                    const Bounds& bounds) {
  if (static_cast<std::uint32_t>(collective.kind) >= kinds) return "an unknown collective";
  if (collective.root < 0 || collective.root >= size) return "a root that is no rank";
  const auto ranks = static_cast<std::uint32_t>(size);
  for (const std::uint32_t pieces : {collective.out_pieces, collective.in_pieces}) {
    if (pieces > 1 && pieces != ranks) return "pieces for another number of ranks";
  }
  if (numbers.size() != 2 * (std::size_t{collective.out_pieces} + collective.in_pieces))
    return "another number of lengths than it says";
  if (!bounds.contain(collective.out, collective.out_bytes) || !bounds.contain(collective.in, collective.in_bytes))
    return "data outside the shared memory";
  const bool combines = collective.kind >= Kind::reduce;
  // What one length says of several pieces.
  const bool from_each =
      collective.kind == Kind::gather || collective.kind == Kind::allgather || collective.kind == Kind::alltoall;
  const bool to_each = collective.kind == Kind::scatter || collective.kind == Kind::alltoall;
  const std::size_t out = 2 * std::size_t{collective.out_pieces};
  // Reductions are checked in elements by who knows their size.
  constexpr std::uint64_t unknown = ~std::uint64_t{0};
  if (const char* why = refusal_of_pieces(numbers.first(out), collective.out_pieces,
                                          combines ? unknown : collective.out_bytes, to_each ? size : 1))
    return why;
  return refusal_of_pieces(numbers.subspan(out), collective.in_pieces, combines ? unknown : collective.in_bytes,
                           from_each ? size : 1);
}

}  // namespace raddle::proxy
