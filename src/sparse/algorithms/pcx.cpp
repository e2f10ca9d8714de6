// SPDX-License-Identifier: BSD-3-Clause
// PCX: a reduction tells each rank how many messages it gets, and these follow. O(P) memory and volume.
// Source: Hoefler, Siebert, Lumsdaine, PPoPP '10, section 4.2 (personalized census).
#include <cstddef>
#include <vector>

#include "sparse/algorithm.hpp"
#include "sparse/point_to_point.hpp"

namespace raddle::sparse::algorithms {
namespace {

class Pcx final : public Way {
 public:
  explicit Pcx(const Exchange& exchange)
      : sender_(exchange.round, exchange.kind),
        receiver_(exchange.round, exchange.kind, exchange.sink),
        counts_(static_cast<std::size_t>(exchange.round.size), 0) {
    for (const Message& message : exchange.messages) ++counts_[static_cast<std::size_t>(message.rank)];
    check(MPI_Ireduce_scatter_block(counts_.data(), &awaited_, 1, MPI_INT, MPI_SUM, exchange.round.comm, &counting_));
    for (const Message& message : exchange.messages) sender_.send(message);
  }

  Step step() override {
    bool moved = false;
    if (!counted_) moved = counted_ = completed(counting_);
    // What comes before its number is known is as good.
    const std::size_t most = counted_ ? static_cast<std::size_t>(awaited_) - found_ : Receiver::some;
    if (most > 0) {
      const std::size_t found = receiver_.look(most);
      found_ += found;
      moved = moved || found > 0;
    }
    moved = receiver_.settle() || moved;
    const bool over = counted_ && found_ == static_cast<std::size_t>(awaited_) && receiver_.idle() && sender_.done();
    return over ? Step::over : moved_if(moved);
  }

 private:
  Sender sender_;
  Receiver receiver_;
  std::vector<int> counts_;  ///< to each rank
  int awaited_ = 0;
  MPI_Request counting_ = MPI_REQUEST_NULL;
  bool counted_ = false;
  std::size_t found_ = 0;
};

}  // namespace

const Algorithm& pcx() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources*) -> std::unique_ptr<Way> {
        return std::make_unique<Pcx>(exchange);
      },
      .turn = [](ExchangeLane& lane) { return turn_in_proportion(lane, 0); },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
