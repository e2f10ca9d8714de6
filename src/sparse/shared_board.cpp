// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/shared_board.hpp"

#include <cstring>

namespace raddle::sparse {
namespace {

constexpr std::size_t line = 64;
constexpr std::size_t page = 4096;

constexpr std::size_t up_to(std::size_t multiple, std::size_t bytes) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace

std::size_t SharedBoard::memory_of_sheet(std::size_t members) {
  return up_to(page, up_to(line, members * sizeof(Slot)) + most_messages * sizeof(Descriptor) + room);
}

std::size_t SharedBoard::memory_of(std::size_t members) { return page + 2 * members * memory_of_sheet(members); }

SharedBoard::SharedBoard(std::span<std::byte> memory, std::size_t members, std::size_t member)
    : sheets_(memory.data() + page),
      posted_(reinterpret_cast<std::uint64_t*>(memory.data())),
      members_(members),
      member_(member) {}

SharedBoard::Sheet SharedBoard::sheet(std::size_t member, std::uint64_t round) const {
  std::byte* const slots = sheets_ + (2 * member + round % 2) * memory_of_sheet(members_);
  std::byte* const descriptors = slots + up_to(line, members_ * sizeof(Slot));
  return {reinterpret_cast<Slot*>(slots), reinterpret_cast<Descriptor*>(descriptors),
          descriptors + most_messages * sizeof(Descriptor)};
}

std::vector<Message> SharedBoard::post(std::span<const Message> messages) {
  ++round_;
  // What was on it two rounds ago has been taken: everybody has begun the round after it.
  const Sheet own = sheet(member_, round_);
  std::vector<std::uint32_t>& written = written_[round_ % 2];
  for (const std::uint32_t to : written) own.slots[to] = {};
  written.clear();

  std::size_t place = 0;
  std::uint32_t descriptors = 0;
  for (const Message& message : messages) {
    Slot& slot = own.slots[message.rank];
    written.push_back(static_cast<std::uint32_t>(message.rank));
    const std::size_t needed = up_to(line / 4, message.bytes.size());
    if (descriptors == most_messages || needed > room - place) {
      slot.apart = 1;
    } else {
      place += needed;
      ++descriptors;
    }
  }

  std::vector<Message> apart;
  place = 0;
  descriptors = 0;
  for (const Message& message : messages) {
    Slot& slot = own.slots[message.rank];
    if (slot.apart != 0) {
      apart.push_back(message);
      continue;
    }
    if (!message.bytes.empty()) std::memcpy(own.room + place, message.bytes.data(), message.bytes.size());
    own.descriptors[descriptors] = {0, static_cast<std::uint32_t>(place), message.bytes.size()};
    place += up_to(line / 4, message.bytes.size());
    ++descriptors;
    (slot.last == 0 ? slot.first : own.descriptors[slot.last - 1].next) = descriptors;
    slot.last = descriptors;
  }
  for (const Message& message : apart) own.slots[message.rank].apart = 0;
  for (const Message& message : apart) ++own.slots[message.rank].apart;
  std::atomic_ref(*posted_).fetch_add(1, std::memory_order_release);
  return apart;
}

std::vector<SharedBoard::Apart> SharedBoard::take(Sink& sink) {
  std::size_t messages = 0;
  std::size_t bytes = 0;
  for (std::size_t from = 0; from < members_; ++from) {
    const Sheet theirs = sheet(from, round_);
    for (std::uint32_t at = theirs.slots[member_].first; at != 0; at = theirs.descriptors[at - 1].next) {
      ++messages;
      bytes += theirs.descriptors[at - 1].bytes;
    }
  }
  if (messages > 0) sink.expect(messages, bytes);

  std::vector<Apart> apart;
  for (std::size_t from = 0; from < members_; ++from) {
    const Sheet theirs = sheet(from, round_);
    const Slot& slot = theirs.slots[member_];
    for (std::uint32_t at = slot.first; at != 0; at = theirs.descriptors[at - 1].next) {
      const Descriptor& descriptor = theirs.descriptors[at - 1];
      hand_over(sink, static_cast<int>(from), {theirs.room + descriptor.place, descriptor.bytes});
    }
    if (slot.apart != 0) apart.push_back({from, slot.apart});
  }
  return apart;
}

}  // namespace raddle::sparse
