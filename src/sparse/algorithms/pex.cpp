// SPDX-License-Identifier: BSD-3-Clause
// PEX: an all-to-all of sizes, then point-to-point messages, each of which goes straight to its place.
#include "sparse/algorithms/announced.hpp"

namespace raddle::sparse::algorithms {
namespace {

class Pex final : public Announced {
 public:
  explicit Pex(const Exchange& exchange) : Announced(exchange, -1) {}
};

}  // namespace

const Algorithm& pex() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources*) -> std::unique_ptr<Way> {
        return std::make_unique<Pex>(exchange);
      },
      .turn = [](ExchangeLane& lane) { return turn_in_proportion(lane, 1); },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
