// SPDX-License-Identifier: BSD-3-Clause
// The algorithm that docs/build/extending.md adds: each rank sends a bundle to every other one, full or empty, so that
// each knows when it has got all. O(P) messages.
#include <cstddef>
#include <vector>

#include "sparse/algorithm.hpp"
#include "sparse/message.hpp"
#include "sparse/point_to_point.hpp"

namespace raddle::sparse::algorithms {
namespace {

class Linear final : public Way {
 public:
  explicit Linear(const Exchange& exchange)
      : bundles_(static_cast<std::size_t>(exchange.round.size)),
        unpacker_(exchange.sink),
        sender_(exchange.round, Kind::bundle),
        receiver_(exchange.round, Kind::bundle, unpacker_) {
    const int own = exchange.round.rank;
    for (const Message& message : exchange.messages)
      bundles_[static_cast<std::size_t>(message.rank)].add({own, message.rank, message.bytes});
    for (int rank = 0; rank < exchange.round.size; ++rank) {
      if (rank == own) continue;
      sender_.send({rank, bundles_[static_cast<std::size_t>(rank)].bytes()});
      receiver_.await(rank, 1);
    }
  }

  Step step() override {
    const bool moved = receiver_.settle();
    return receiver_.idle() && sender_.done() ? Step::over : moved_if(moved);
  }

 private:
  std::vector<Bundle> bundles_;  ///< by rank
  Unpacker unpacker_;
  Sender sender_;
  Receiver receiver_;
};

}  // namespace

const Algorithm& linear() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources*) -> std::unique_ptr<Way> {
        return std::make_unique<Linear>(exchange);
      },
      .turn = [](ExchangeLane& lane) { return turn_in_proportion(lane, 3); },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
