// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/announced.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

#include "sparse/check.hpp"

namespace raddle::sparse {

Announced::Announced(const Round& round, std::span<const Message> messages, Sink& sink, Data data)
    : round_(round),
      blocks_(data == Data::blocking_alltoallv),
      messages_(messages.begin(), messages.end()),
      sink_(sink),
      sender_(round, Kind::payload),
      receiver_(round, Kind::payload, sink),
      // All that come together have places that an int holds; what is larger travels by itself.
      most_together_(data == Data::messages ? -1 : INT_MAX / round.size),
      to_(static_cast<std::size_t>(round.size), 0),
      from_(static_cast<std::size_t>(round.size), 0) {
  for (const Message& message : messages_) {
    Code& code = to_[static_cast<std::size_t>(message.rank)];
    if (code != 0) {
      code = std::min(code, -1) - 1;
    } else {
      code = message.bytes.size() < INT_MAX ? static_cast<Code>(message.bytes.size() + 1) : -1;
    }
  }
  send_apart();
  if (blocks_) {
    check(MPI_Alltoall(to_.data(), 1, MPI_INT, from_.data(), 1, MPI_INT, round.comm));
  } else {
    check(MPI_Ialltoall(to_.data(), 1, MPI_INT, from_.data(), 1, MPI_INT, round.comm, &announcing_));
  }
}

void Announced::send_apart() {
  for (const Message& message : messages_) {
    if (!together(to_[static_cast<std::size_t>(message.rank)])) sender_.send(message);
  }
}

void Announced::announced() {
  std::size_t ones = 0;
  std::size_t total = 0;
  for (const Code code : from_) {
    if (!is_one(code)) continue;
    ++ones;
    total += bytes_of(code);
  }
  sink_.expect(ones, total);
  if (most_together_ >= 0) start_together();
  for (int source = 0; source < round_.size; ++source) {
    const Code code = from_[static_cast<std::size_t>(source)];
    if (is_one(code) && !together(code)) receiver_.expect(source, bytes_of(code));
    if (code < 0) receiver_.await(source, static_cast<std::size_t>(-code));
  }
}

void Announced::start_together() {
  const auto size = static_cast<std::size_t>(round_.size);
  for (Ints* ints : {&sent_, &received_}) {
    ints->counts.assign(size, 0);
    ints->places.assign(size, 0);
  }
  const auto travels = [this](const Message& message) { return together(to_[static_cast<std::size_t>(message.rank)]); };
  std::erase_if(messages_, [&](const Message& message) { return !travels(message); });

  // They lie in one buffer of the program's mostly, so that the MPI takes them from there.
  const std::byte* first = nullptr;
  const std::byte* last = nullptr;
  std::size_t total = 0;
  for (const Message& message : messages_) {
    if (message.bytes.empty()) continue;
    if (first == nullptr || message.bytes.data() < first) first = message.bytes.data();
    last = std::max(last, message.bytes.data() + message.bytes.size());
    total += message.bytes.size();
  }
  const bool pack = last - first > INT_MAX;
  if (pack) packed_.resize(total);
  std::size_t place = 0;
  for (const Message& message : messages_) {
    const auto to = static_cast<std::size_t>(message.rank);
    sent_.counts[to] = static_cast<int>(message.bytes.size());
    if (message.bytes.empty()) continue;
    if (pack) std::memcpy(packed_.data() + place, message.bytes.data(), message.bytes.size());
    sent_.places[to] = static_cast<int>(pack ? static_cast<std::ptrdiff_t>(place) : message.bytes.data() - first);
    place += message.bytes.size();
  }

  std::byte* base = nullptr;
  for (int source = 0; source < round_.size; ++source) {
    const Code code = from_[static_cast<std::size_t>(source)];
    if (!together(code)) continue;
    std::byte* const room = sink_.room(source, bytes_of(code));
    if (base == nullptr) base = room;
    received_.counts[static_cast<std::size_t>(source)] = static_cast<int>(bytes_of(code));
    received_.places[static_cast<std::size_t>(source)] = static_cast<int>(room - base);
    rooms_.push_back({source, {room, bytes_of(code)}});
  }
  const std::byte* const from = pack ? packed_.data() : first;
  if (blocks_) {
    check(MPI_Alltoallv(from, sent_.counts.data(), sent_.places.data(), MPI_BYTE, base, received_.counts.data(),
                        received_.places.data(), MPI_BYTE, round_.comm));
  } else {
    check(MPI_Ialltoallv(from, sent_.counts.data(), sent_.places.data(), MPI_BYTE, base, received_.counts.data(),
                         received_.places.data(), MPI_BYTE, round_.comm, &exchanging_));
  }
}

Step Announced::step() {
  bool moved = false;
  if (!known_) {
    if (!completed(announcing_)) return Step::idle;
    known_ = moved = true;
    announced();
  }
  moved = receiver_.settle() || moved;
  if (!exchanged_ && completed(exchanging_)) {
    exchanged_ = moved = true;
    for (const Message& message : rooms_) sink_.arrived(message.rank, message.bytes);
  }
  return receiver_.idle() && exchanged_ && sender_.done() ? Step::over : moved_if(moved);
}

}  // namespace raddle::sparse
