// SPDX-License-Identifier: BSD-3-Clause
// Store and forward along the digits of the distance between ranks: with radix r, ceil(log_r P) stages of r - 1
// messages each, whatever the pattern. Nobody waits for more than log_r P others, and what is small travels together.
// Source: Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
// IEEE TPDS 8 (1997), section 3, with only the blocks that there are; the menu of algorithms is that of libsc's
// sc_notify, whose name this has.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "sparse/bundle.hpp"
#include "sparse/bundle_sink.hpp"
#include "sparse/message.hpp"
#include "sparse/receiver.hpp"
#include "sparse/round.hpp"
#include "sparse/sender.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Nary final : public Way {
 public:
  Nary(const Round& round, int radix, std::span<const Message> messages, Sink& sink);
  Step step() override;

 private:
  /// What this rank holds for others: in bundles that have arrived, or its own.
  using Held = std::vector<Item>;

  struct Stage {
    Stage(const Round& round, int partners);
    std::vector<Bundle> out;  ///< by digit - 1
    BundleSink in;
    Sender sender;
    Receiver receiver;
  };

  void begin_stage();
  void end_stage();

  Round round_;
  int radix_;
  Sink& sink_;
  long distance_ = 1;  ///< of the stage: that of the digit 1
  Held held_;
  std::vector<std::unique_ptr<Stage>> stages_;  ///< the last one is under way; items lie in the ones before
};

}  // namespace raddle::sparse
