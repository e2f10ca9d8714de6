// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/sender.hpp"

#include "platform/bytes_type.hpp"
#include "sparse/check.hpp"

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

}  // namespace raddle::sparse
