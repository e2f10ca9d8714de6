// SPDX-License-Identifier: BSD-3-Clause
// The error handler of MPI_FILE_NULL, which hears of files that cannot be opened, and which files get when they are
// opened (MPI-4.1 section 14.7). The MPI has one for the process. A rank that threads have adopted has its own: that of
// a file of /dev/null which it opens once it needs one.
#pragma once

#include <mpi.h>

namespace raddle::endpoints {

struct Rank;

namespace null_file {

/// The file that has the rank's; MPI_FILE_NULL: its errors are returned, as they are at first.
[[nodiscard]] MPI_File of(const Rank& rank);
/// The same, opened unless it is there. @returns an MPI error code
int open(Rank& rank, MPI_File& file);
/// The rank has opened a file.
void inherit(const Rank& rank, MPI_File file);
/// The rank calls MPI no more.
void close(Rank& rank);

}  // namespace null_file
}  // namespace raddle::endpoints
