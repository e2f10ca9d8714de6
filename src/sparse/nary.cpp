// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/nary.hpp"

#include "sparse/check.hpp"

namespace raddle::sparse {

Nary::Stage::Stage(const Round& round, int partners)
    : out(static_cast<std::size_t>(partners)), sender(round, Kind::bundle), receiver(round, Kind::bundle, in) {}

Nary::Nary(const Round& round, int radix, std::span<const Message> messages, Sink& sink)
    : round_(round), radix_(radix), sink_(sink) {
  for (const Message& message : messages) held_.push_back({round.rank, message.rank, message.bytes});
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

}  // namespace raddle::sparse
