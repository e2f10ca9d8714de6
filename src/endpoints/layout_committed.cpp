// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/layout_committed.hpp"

#include "endpoints/own_comm.hpp"

namespace raddle::endpoints {

bool committed(MPI_Datatype type) {
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, comm_to_ask()) == MPI_SUCCESS;
}

}  // namespace raddle::endpoints
