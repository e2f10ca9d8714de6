// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/completion_result.hpp"

#include "endpoints/errors.hpp"

namespace raddle::endpoints {

void Errors::fail(std::size_t place, int code, MPI_Comm comm) {
  if (codes_.size() <= place) codes_.resize(place + 1, MPI_SUCCESS);
  codes_[place] = code;
  if (comm == MPI_COMM_NULL || comm_ != MPI_COMM_NULL) return;
  comm_ = comm;
  first_ = code;
}

int Errors::report(std::size_t count) {
  codes_.resize(count, MPI_SUCCESS);
  for (std::size_t i = 0; statuses_ != MPI_STATUSES_IGNORE && i < count; ++i) statuses_[i].MPI_ERROR = codes_[i];
  // A handler is given the code of the request and not MPI_ERR_IN_STATUS (MPI-4.1 section 9.3).
  if (comm_ != MPI_COMM_NULL) raise(comm_, first_);
  return MPI_ERR_IN_STATUS;
}

}  // namespace raddle::endpoints
