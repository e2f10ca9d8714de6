// SPDX-License-Identifier: BSD-3-Clause
#include "platform/must.hpp"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <string>

#include "platform/last_words.hpp"

namespace raddle::platform {

void end_job(std::string_view why) noexcept {
  last_words("raddle: process " + std::to_string(getpid()) + ": " + std::string(why) + ". Ending the job.\n");
  regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
  std::abort();
}

void end_job(const char* call, int code) noexcept {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  if (PMPI_Error_string(code, text.data(), &length) != MPI_SUCCESS) length = 0;
  const bool of_the_mpi = std::string_view(call).starts_with("MPI_");
  end_job(std::string(call) + (of_the_mpi ? " of the MPI has failed: " : " has failed: ") +
          (length > 0 ? std::string(text.data(), static_cast<std::size_t>(length)) : "error " + std::to_string(code)));
}

}  // namespace raddle::platform
