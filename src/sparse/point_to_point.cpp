// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/point_to_point.hpp"

#include "platform/own_copy.hpp"
#include "sparse/algorithm.hpp"

namespace raddle::sparse {

void Sender::send(const Message& message) {
  const platform::BytesType type(message.bytes.size());
  check(MPI_Isend(message.bytes.data(), type.count(), type.type(), message.rank, tag_, comm_,
                  &requests_.emplace_back(MPI_REQUEST_NULL)));
}

void Sender::send_synchronously(const Message& message) {
  const platform::BytesType type(message.bytes.size());
  check(MPI_Issend(message.bytes.data(), type.count(), type.type(), message.rank, tag_, comm_,
                   &requests_.emplace_back(MPI_REQUEST_NULL)));
}

bool Sender::done() {
  // Each is asked until it is out, and then no more: a step does not become longer with their number.
  for (; out_ < requests_.size(); ++out_) {
    if (!completed(requests_[out_])) return false;
  }
  return true;
}

std::size_t Receiver::look(std::size_t most, int source) {
  std::size_t found = 0;
  for (; found < most; ++found) {
    // Matched: another thread or exchange cannot take what has been found (MPI-4.1 section 3.8.2).
    int flag = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(source, tag_, comm_, &flag, &message, &status));
    if (flag == 0) break;
    MPI_Count bytes = 0;
    check(MPI_Get_elements_x(&status, MPI_BYTE, &bytes));
    const std::span room{sink_->room(status.MPI_SOURCE, static_cast<std::size_t>(bytes)),
                         static_cast<std::size_t>(bytes)};
    const platform::BytesType type(room.size());
    Coming& coming = coming_.emplace_back(MPI_REQUEST_NULL, status.MPI_SOURCE, room);
    check(MPI_Imrecv(room.data(), type.count(), type.type(), &message, &coming.request));
  }
  return found;
}

void Receiver::expect(int source, std::size_t bytes) {
  const std::span room{sink_->room(source, bytes), bytes};
  const platform::BytesType type(bytes);
  Coming& coming = coming_.emplace_back(MPI_REQUEST_NULL, source, room);
  check(MPI_Irecv(room.data(), type.count(), type.type(), source, tag_, comm_, &coming.request));
}

bool Receiver::settle() {
  bool any = false;
  std::erase_if(awaited_, [&](Awaited& awaited) {
    const std::size_t found = look(awaited.left, awaited.source);
    awaited.left -= found;
    any = any || found > 0;
    return awaited.left == 0;
  });
  while (handed_on_ < coming_.size()) {
    Coming& first = coming_[handed_on_];
    if (!completed(first.request)) return any;
    const Coming there = first;
    ++handed_on_;
    any = true;
    sink_->arrived(there.source, there.room);
  }
  coming_.clear();
  handed_on_ = 0;
  return any;
}

}  // namespace raddle::sparse
