// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/files/null_file.hpp"

#include <mutex>

#include "endpoints/files/file.hpp"
#include "endpoints/rank.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::null_file {

MPI_File of(const Rank& rank) {
  const std::lock_guard lock(handles_of_files());
  return rank.null_file;
}

int open(Rank& rank, MPI_File& file) {
  const std::lock_guard lock(handles_of_files());
  const AsProcess process;
  int code = MPI_SUCCESS;
  if (rank.null_file == MPI_FILE_NULL)
    code = PMPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &rank.null_file);
  if (code != MPI_SUCCESS) rank.null_file = MPI_FILE_NULL;
  file = rank.null_file;
  return code;
}

void inherit(const Rank& rank, MPI_File file) {
  const MPI_File from = of(rank);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (from == MPI_FILE_NULL || PMPI_File_get_errhandler(from, &handler) != MPI_SUCCESS) return;
  platform::regardless(PMPI_File_set_errhandler(file, handler));
  platform::regardless(PMPI_Errhandler_free(&handler));
}

void close(Rank& rank) {
  const std::lock_guard lock(handles_of_files());
  const AsProcess process;
  if (rank.null_file != MPI_FILE_NULL) platform::regardless(PMPI_File_close(&rank.null_file));
}

}  // namespace raddle::endpoints::null_file
