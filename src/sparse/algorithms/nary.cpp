// SPDX-License-Identifier: BSD-3-Clause
// Store and forward along the digits of the distance between ranks: with radix r, ceil(log_r P) stages of r - 1
// messages each, whatever the pattern. Nobody waits for more than log_r P others, and what is small travels together.
// Source: Bruck et al., "Efficient algorithms for all-to-all communications in multiport message-passing systems",
// IEEE TPDS 8 (1997), section 3, with only the blocks that there are; the menu of algorithms is that of libsc's
// sc_notify, whose name this has.
#include <cstddef>
#include <utility>
#include <vector>

#include "sparse/algorithm.hpp"
#include "sparse/message.hpp"
#include "sparse/point_to_point.hpp"

namespace raddle::sparse::algorithms {
namespace {

class Nary final : public Way {
 public:
  explicit Nary(const Exchange& exchange);
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

Nary::Stage::Stage(const Round& round, int partners)
    : out(static_cast<std::size_t>(partners)), sender(round, Kind::bundle), receiver(round, Kind::bundle, in) {}

Nary::Nary(const Exchange& exchange) : round_(exchange.round), radix_(exchange.radix), sink_(exchange.sink) {
  for (const Message& message : exchange.messages) held_.push_back({round_.rank, message.rank, message.bytes});
  if (round_.size > 1) begin_stage();
}

void Nary::begin_stage() {
  int partners = 0;
  while (partners < radix_ - 1 && (partners + 1) * distance_ < round_.size) ++partners;
  Stage& stage = *stages_.emplace_back(std::make_unique<Stage>(round_, partners));
  Held rest;
  for (const Item& item : held_) {
    const long away = (item.destination - round_.rank + round_.size) % round_.size;
    const long digit = away / distance_ % radix_;
    if (digit == 0) {
      rest.push_back(item);
    } else {
      stage.out[static_cast<std::size_t>(digit - 1)].add(item);
    }
  }
  held_ = std::move(rest);
  // A bundle goes to each partner, full or empty: so each knows when it has got all of this stage.
  for (int digit = 1; digit <= partners; ++digit) {
    const auto away = static_cast<int>(digit * distance_);
    const int to = static_cast<int>((static_cast<long>(round_.rank) + away) % round_.size);
    stage.sender.send({to, stage.out[static_cast<std::size_t>(digit - 1)].bytes()});
    // No two of a rank's partners, in whatever stage, are the same: a bundle that is found belongs to this stage.
    stage.receiver.await((round_.rank - away + round_.size) % round_.size, 1);
  }
}

void Nary::end_stage() {
  for (const std::vector<std::byte>& bundle : stages_.back()->in.all()) {
    Bundle::each(bundle, [this](const Item& item) {
      if (item.destination != round_.rank) {
        held_.push_back(item);
        return;
      }
      hand_over(sink_, item.source, item.bytes);
    });
  }
  distance_ *= radix_;
}

Step Nary::step() {
  if (stages_.empty()) return Step::over;
  Stage& stage = *stages_.back();
  const bool moved = stage.receiver.settle();
  if (!stage.receiver.idle() || !stage.sender.done()) return moved_if(moved);
  end_stage();
  if (distance_ >= round_.size) return Step::over;
  begin_stage();
  return Step::moved;
}

}  // namespace

const Algorithm& nary() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources*) -> std::unique_ptr<Way> {
        return std::make_unique<Nary>(exchange);
      },
      .turn = [](ExchangeLane&) { return std::optional(101); },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
