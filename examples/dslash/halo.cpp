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

Halo::Halo(int rank, const Domain& domain, FaceBuffers& out, FaceBuffers& in, const Directory& directory, int part,
           int parts) {
  for (int d = 0; d < dimensions; ++d) {
    for (const End end : {lower, upper}) {
      const auto sites = static_cast<long>(out[d][end].size());
      const long first = sites * part / parts;
      const long count = sites * (part + 1) / parts - first;
      if (count == 0) continue;
      const int peer = domain.neighbour[d][end];
      Message message{&out[d][end][first], &in[d][end][first], static_cast<int>(count * sizeof(HalfSpinor)),
                      directory(rank, peer, peer), directory(peer, rank, peer)};
      message.to.tag += way(d, end == upper);
      message.from.tag += way(d, end == lower);
      messages_.push_back(message);
    }
  }
  requests_.assign(2 * messages_.size(), MPI_REQUEST_NULL);
}

void Halo::post_receives() {
  MPI_Request* request = requests_.data();
  for (const Message& each : messages_)
    check(MPI_Irecv(each.in, each.bytes, MPI_BYTE, each.from.rank, each.from.tag, each.from.comm, request++),
          "MPI_Irecv");
}

void Halo::send() {
  MPI_Request* request = requests_.data() + messages_.size();
  for (const Message& each : messages_)
    check(MPI_Isend(each.out, each.bytes, MPI_BYTE, each.to.rank, each.to.tag, each.to.comm, request++), "MPI_Isend");
}

void Halo::finish() {
  check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
}

}  // namespace dslash
