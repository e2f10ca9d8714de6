// SPDX-License-Identifier: BSD-3-Clause
#include "exchange.hpp"

#include <algorithm>

namespace fft {

void AllToAll::move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) {
  MPI_Alltoallv(out, leaving.counts.data(), leaving.starts.data(), row_, in, arriving.counts.data(),
                arriving.starts.data(), row_, comm_);
}

void Messages::move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) {
  const int parts = static_cast<int>(leaving.counts.size());
  std::vector<MPI_Request> requests(2 * leaving.counts.size());
  for (int part = 0; part < parts; ++part) {
    const auto p = static_cast<std::size_t>(part);
    const int process = part / threads_;
    const int its_thread = part % threads_;
    MPI_Irecv(in + static_cast<std::size_t>(arriving.starts[p]) * length_, arriving.counts[p], row_, process,
              its_thread * threads_ + thread_, comm_, &requests[2 * p]);
    MPI_Isend(out + static_cast<std::size_t>(leaving.starts[p]) * length_, leaving.counts[p], row_, process,
              thread_ * threads_ + its_thread, comm_, &requests[2 * p + 1]);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void SwappedBlocks::move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) {
  right_.move(out, leaving, in, arriving);
  if (--left_ != 0 || arriving.counts.size() < 2) return;
  const auto rows = static_cast<std::size_t>(std::min(arriving.counts.front(), arriving.counts.back()));
  Complex* const first = in + static_cast<std::size_t>(arriving.starts.front()) * length_;
  Complex* const last = in + static_cast<std::size_t>(arriving.starts.back()) * length_;
  std::swap_ranges(first, first + rows * length_, last);
}

}  // namespace fft
