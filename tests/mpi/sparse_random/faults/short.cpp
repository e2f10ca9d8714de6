// SPDX-License-Identifier: BSD-3-Clause
// A library that hands messages to a function without their last element.
#include "doctored.hpp"

namespace {

struct Shortened {
  Raddle_Sparse_receiver* receiver;
  void* context;
};

int shorten(void* given, int source, const void* data, MPI_Count count) {
  const Shortened& shortened = *static_cast<const Shortened*>(given);
  return shortened.receiver(shortened.context, source, data, count > 0 ? count - 1 : 0);
}

}  // namespace

extern "C" int Raddle_Sparse_exchange_each(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                           MPI_Datatype sendtype, MPI_Datatype recvtype,
                                           Raddle_Sparse_receiver* receiver, void* context, MPI_Info info,
                                           MPI_Comm comm) {
  using raddle::sparse_random::real;
  Shortened shortened{receiver, context};
  return real(&Raddle_Sparse_exchange_each, "Raddle_Sparse_exchange_each")(data, count, dests, offsets, sendtype,
                                                                           recvtype, shorten, &shortened, info, comm);
}
