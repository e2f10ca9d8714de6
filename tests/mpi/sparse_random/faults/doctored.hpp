// SPDX-License-Identifier: BSD-3-Clause
// What faulty libraries do to messages that have arrived: takes them apart and puts others in their place.
#pragma once

#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "raddle/raddle.h"

namespace raddle::sparse_random {

/// The library's own function.
template <typename Function>
Function* real(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

struct Doctored {
  int rank;
  MPI_Count elements;
  std::vector<char> bytes;
};

/// Elements of the test's datatypes lie one behind the other, so those of a message can be moved together.
template <typename Change>
void doctor(Raddle_Sparse_messages& messages, MPI_Datatype type, Change&& change) {
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  MPI_Aint length = 0;
  PMPI_Type_get_extent(type, &lower, &extent);
  PMPI_Type_get_true_extent(type, &lower, &length);
  std::vector<Doctored> all;
  for (int i = 0; i < messages.count; ++i) {
    const MPI_Count elements = messages.offsets[i + 1] - messages.offsets[i];
    Doctored& one =
        all.emplace_back(messages.ranks[i], elements, std::vector<char>(static_cast<std::size_t>(elements * extent)));
    const char* const first = static_cast<const char*>(messages.data) + messages.offsets[i] * extent + lower;
    if (elements > 0) std::copy_n(first, (elements - 1) * extent + length, one.bytes.begin());
  }
  change(all);
  // Never given back: it is a faulty library.
  auto& ranks = *new std::vector<int>;
  auto& offsets = *new std::vector<MPI_Count>{0};
  auto& data = *new std::vector<char>;
  for (Doctored& one : all) {
    one.bytes.resize(static_cast<std::size_t>(one.elements * extent));  // it may be one of another datatype
    ranks.push_back(one.rank);
    offsets.push_back(offsets.back() + one.elements);
    data.insert(data.end(), one.bytes.begin(), one.bytes.end());
  }
  data.resize(data.size() + 64);
  messages.count = static_cast<int>(ranks.size());
  messages.ranks = ranks.data();
  messages.offsets = offsets.data();
  messages.data = data.data() - lower;
}

}  // namespace raddle::sparse_random

/// Raddle_Sparse_exchange, which says what then becomes of the messages: `all`, a std::vector<Doctored>&.
#define RADDLE_FAULTY_EXCHANGE(...)                                                                                 \
  extern "C" int Raddle_Sparse_exchange(const void* data, int count, const int dests[], const MPI_Count offsets[],  \
                                        MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm, \
                                        Raddle_Sparse_messages* received) {                                         \
    using namespace raddle::sparse_random;                                                                          \
    const int code = real(&Raddle_Sparse_exchange, "Raddle_Sparse_exchange")(data, count, dests, offsets, sendtype, \
                                                                             recvtype, info, comm, received);       \
    if (code == MPI_SUCCESS) doctor(*received, recvtype, [&](std::vector<Doctored>& all) { __VA_ARGS__ });          \
    return code;                                                                                                    \
  }
