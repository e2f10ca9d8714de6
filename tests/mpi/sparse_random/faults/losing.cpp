// SPDX-License-Identifier: BSD-3-Clause
// A library whose nonblocking exchanges forget the last message now and then.
#include "doctored.hpp"

extern "C" int Raddle_Sparse_iexchange(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                       MPI_Datatype sendtype, MPI_Datatype recvtype, MPI_Info info, MPI_Comm comm,
                                       Raddle_Sparse_messages* received, MPI_Request* request) {
  using raddle::sparse_random::real;
  static thread_local int calls = 0;
  if (++calls % 10 == 0 && count > 0) --count;
  return real(&Raddle_Sparse_iexchange, "Raddle_Sparse_iexchange")(data, count, dests, offsets, sendtype, recvtype,
                                                                   info, comm, received, request);
}
