// SPDX-License-Identifier: BSD-3-Clause
#include "lanes/errors.hpp"

#include <algorithm>
#include <array>

#include "platform/errors.hpp"

namespace raddle::lanes {
namespace {

struct Entry {
  Error error;
  int mpi_class;  ///< MPI_ERR_LASTCODE stands for lanes_class(), which exists only at run time
  const char* text;
};

const std::array entries{
    Entry{Error::no_communicators, MPI_ERR_LASTCODE,
          "Raddle: the MPI has no communicators left for more lanes; free lanes or communicators, or ask for fewer"},
    Entry{Error::pool_limit, MPI_ERR_LASTCODE,
          "Raddle: more lanes asked for than RADDLE_LANES_MAX allows on one communicator"},
    Entry{Error::unequal_counts, MPI_ERR_ARG,
          "Raddle: nlanes differs between processes; it must be the same on all of them"},
    Entry{Error::negative_count, MPI_ERR_ARG, "Raddle: nlanes is negative"},
};

}  // namespace

int lanes_class() {
  static const int made = platform::add_error_class("Raddle: lanes could not be provided");
  return made;
}

int error_code(Error error) {
  const Entry& entry = *std::ranges::find(entries, error, &Entry::error);
  return platform::error_with(entry.mpi_class == MPI_ERR_LASTCODE ? lanes_class() : entry.mpi_class, entry.text);
}

}  // namespace raddle::lanes
