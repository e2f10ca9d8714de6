// SPDX-License-Identifier: BSD-3-Clause
#include "platform/must.hpp"

#include <unistd.h>

#include <cstdlib>
#include <string>

#include "platform/errors.hpp"
#include "platform/last_words.hpp"

namespace raddle::platform {

void end_job(std::string_view why) noexcept {
  last_words("raddle: process " + std::to_string(getpid()) + ": " + std::string(why) + ". Ending the job.\n");
  regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
  std::abort();
}

void end_job(const char* call, int code) noexcept {
  const std::string text = text_of(code);
  const bool of_the_mpi = std::string_view(call).starts_with("MPI_");
  end_job(std::string(call) + (of_the_mpi ? " of the MPI has failed: " : " has failed: ") +
          (text.empty() ? "error " + std::to_string(code) : text));
}

}  // namespace raddle::platform
