// SPDX-License-Identifier: BSD-3-Clause
// The functions of raddle.h's section on sparse exchange, without error handlers: they throw endpoints::Failure, and
// what the program's functions throw.
#pragma once

#include <mpi.h>

#include "raddle/raddle.h"
#include "sparse/calls/data.hpp"

namespace raddle::sparse {

/// Where an exchange is made.
struct Place {
  MPI_Comm comm;    ///< as the program has given it
  MPI_Comm raises;  ///< errors of requests are raised there
  bool endpoint;    ///< it is one's
};

void exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const Place& place,
              Raddle_Sparse_messages& received);
[[nodiscard]] MPI_Request start_exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const Place& place,
                                         Raddle_Sparse_messages& received);
[[nodiscard]] MPI_Request make_plan(const Given& given, MPI_Datatype recvtype, MPI_Info info, const Place& place,
                                    Raddle_Sparse_messages& received);
/// @returns the code of the receiver
int exchange_each(const Given& given, MPI_Datatype recvtype, Raddle_Sparse_receiver* receiver, void* context,
                  MPI_Info info, const Place& place);
/// @returns the code of the answerer
int ask(const Given& given, MPI_Datatype answertype, Raddle_Sparse_answerer* answerer, void* context, MPI_Info info,
        const Place& place, Raddle_Sparse_messages& answers);
void reply(Raddle_Sparse_answer answer, const void* data, MPI_Count count);

}  // namespace raddle::sparse
