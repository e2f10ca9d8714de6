// SPDX-License-Identifier: BSD-3-Clause
// A library that hands out answers in the order in which they came.
#include "doctored.hpp"

extern "C" int Raddle_Sparse_ask(const void* data, int count, const int dests[], const MPI_Count offsets[],
                                 MPI_Datatype asktype, MPI_Datatype answertype, Raddle_Sparse_answerer* answerer,
                                 void* context, MPI_Info info, MPI_Comm comm, Raddle_Sparse_messages* answers) {
  using namespace raddle::sparse_random;
  const int code = real(&Raddle_Sparse_ask, "Raddle_Sparse_ask")(data, count, dests, offsets, asktype, answertype,
                                                                 answerer, context, info, comm, answers);
  if (code == MPI_SUCCESS)
    doctor(*answers, answertype, [](std::vector<Doctored>& all) { std::reverse(all.begin(), all.end()); });
  return code;
}
