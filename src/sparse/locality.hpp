// SPDX-License-Identifier: BSD-3-Clause
// Locality-aware: all that a rank has for a node goes there in one message, to the rank that corresponds to it, and is
// handed on within the node. Fewer messages between nodes, each longer; one more way within them.
// Source: Collom, Li, Bienz, "Optimizing irregular communication with neighborhood collectives and locality-aware
// parallelism" and "A more scalable sparse dynamic data exchange" (2023).
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sparse/bundle.hpp"
#include "sparse/message.hpp"
#include "sparse/node.hpp"
#include "sparse/round.hpp"
#include "sparse/sink.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

class Locality final : public Way {
 public:
  Locality(const Round& round, const Node& node, std::span<const Message> messages, Sink& sink);
  ~Locality() override;
  Step step() override;

 private:
  class Sorter;
  class Unpacker;

  void begin_within();

  Round round_;
  const Node& node_;
  Sink& sink_;
  std::vector<Bundle> within_;  ///< by rank of the node
  std::unique_ptr<Sorter> sorter_;
  std::unique_ptr<Unpacker> unpacker_;
  std::vector<Bundle> between_;
  std::unique_ptr<Way> way_;
  bool is_within_ = false;
};

}  // namespace raddle::sparse
