// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/calls/hints.hpp"

#include "endpoints/hints.hpp"

namespace raddle::sparse {

Options options_of(MPI_Info info) {
  if (info == MPI_INFO_NULL) return options_in(platform::settings());
  return options_in(endpoints::settings_with(platform::Hints::sparse, info));
}

}  // namespace raddle::sparse
