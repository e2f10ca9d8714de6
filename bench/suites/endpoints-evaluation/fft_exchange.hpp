// SPDX-License-Identifier: BSD-3-Clause
// The transpose of a distributed FFT: from every context a block to every other one. What differs by variant is who
// sends which blocks for whom, with what calls.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "core/exchange.hpp"

namespace raddle::bench {

/// How a context takes part in a round, in which every context has a block for every context.
class ExchangeWay {
 public:
  virtual ~ExchangeWay() = default;

  /// The blocks that this thread sends and receives in a round, in the order in which they lie in its buffers. One that
  /// waits for another thread of its process has none.
  std::vector<ExchangeBlock> leaving;
  std::vector<ExchangeBlock> arriving;

  virtual void round(const std::byte* out, std::byte* in) = 0;

  /// Before the first round and after the last one of an exchange: for those who wait for other threads.
  virtual void begin() {}
  virtual void end() {}
};

/// What the ways of the threads of a process have in common.
class ExchangeWays {
 public:
  virtual ~ExchangeWays() = default;
  virtual void begin() {}
  virtual std::unique_ptr<ExchangeWay> join(const Seat& seat) = 0;
  virtual void quit(const Seat& /*seat*/) {}
  virtual void end() {}
};

/// Ways for a variant, over a team of one flow to which all contexts belong. @throws Unavailable
std::unique_ptr<ExchangeWays> exchange_ways(const std::string& variant, const Team& team, const Work& work);

}  // namespace raddle::bench
