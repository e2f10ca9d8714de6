// SPDX-License-Identifier: BSD-3-Clause
#include "dslash/halo.hpp"

#include <stdexcept>
#include <string>

namespace dslash {
namespace {

void check(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = {};
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(call) + ": " + text);
}

/// By the way it travels. In a dimension cut in two both neighbours are the same one, and only this tells what is for
/// the lower end from what is for the upper one.
int way(int dimension, bool up) { return 2 * dimension + (up ? 1 : 0); }

}  // namespace

Directory ranks_of(MPI_Comm comm) {
  return [comm](int, int, int peer) { return Address{comm, peer, 0}; };
}

Directory threads_on(MPI_Comm comm, int threads) {
  return [=](int from, int to, int peer) {
    const int pair = from % threads * threads + to % threads;
    return Address{comm, peer / threads, pair * tags_per_pair};
  };
}

Halo::Halo(int rank, const Domain& domain, const Kernel& kernel, const Directory& directory) {
  for (int d = 0; d < dimensions; ++d) {
    for (const End end : {lower, upper}) {
      const std::size_t sites = kernel.face(d, end).size();
      if (!domain.cut[d]) continue;
      const int peer = domain.neighbour[d][end];
      Message message{d,
                      end,
                      static_cast<int>(sites * sizeof(HalfSpinor)),
                      directory(rank, peer, peer),
                      directory(peer, rank, peer),
                      std::vector<HalfSpinor>(sites),
                      std::vector<HalfSpinor>(sites)};
      message.to.tag += way(d, end == upper);
      message.from.tag += way(d, end == lower);
      messages_.push_back(std::move(message));
    }
  }
  for (const Message& message : messages_) beyond_[message.dimension][message.end] = message.in.data();
  requests_.assign(2 * messages_.size(), MPI_REQUEST_NULL);
}

HalfSpinor* Halo::outgoing(int dimension, End end) {
  for (Message& message : messages_)
    if (message.dimension == dimension && message.end == end) return message.out.data();
  return nullptr;
}

void Halo::post_receives() {
  MPI_Request* request = requests_.data();
  for (Message& each : messages_)
    check(MPI_Irecv(each.in.data(), each.bytes, MPI_BYTE, each.from.rank, each.from.tag, each.from.comm, request++),
          "MPI_Irecv");
}

void Halo::send() {
  MPI_Request* request = requests_.data() + messages_.size();
  for (const Message& each : messages_)
    check(MPI_Isend(each.out.data(), each.bytes, MPI_BYTE, each.to.rank, each.to.tag, each.to.comm, request++),
          "MPI_Isend");
}

void Halo::finish() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

}  // namespace dslash
