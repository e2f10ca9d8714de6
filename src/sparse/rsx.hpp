// SPDX-License-Identifier: BSD-3-Clause
// RSX: each sender adds to a counter of each receiver from afar; after a barrier everybody knows how many messages it
// gets, and these follow.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.3 (remote summation), with a barrier in place of fences, so
// that nothing waits.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sparse/counters.hpp"
#include "sparse/message.hpp"
#include "sparse/receiver.hpp"
#include "sparse/round.hpp"
#include "sparse/sender.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Rsx final : public Way {
 public:
  Rsx(const Round& round, const Counters& counters, std::span<const Message> messages, Sink& sink);
  Step step() override;

 private:
  struct Sum {
    std::int64_t number = 0;
    std::int64_t earlier = 0;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  enum class Stage : std::uint8_t { adding, barrier, known };

  [[nodiscard]] bool added();

  Round round_;
  const Counters& counters_;
  Sender sender_;
  Receiver receiver_;
  std::map<int, Sum> sums_;  ///< by rank
  std::map<int, Sum>::iterator adding_;
  MPI_Request barrier_ = MPI_REQUEST_NULL;
  Stage stage_ = Stage::adding;
  std::size_t awaited_ = 0;
  std::size_t found_ = 0;
};

}  // namespace raddle::sparse
