// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/locality.hpp"

#include <map>

#include "sparse/bundle_sink.hpp"
#include "sparse/nbx.hpp"

namespace raddle::sparse {

/// What comes from other nodes, for any rank of this one.
class Locality::Sorter final : public BundleSink {
 public:
  explicit Sorter(Locality& locality) : locality_(locality) {}
  void arrived(int, std::span<const std::byte> bundle) override {
    Bundle::each(bundle, [this](const Item& item) {
      const int here = locality_.node_.rank_here(item.destination);
      if (here == locality_.node_.rank()) {
        hand_over(locality_.sink_, item.source, item.bytes);
      } else {
        locality_.within_[static_cast<std::size_t>(here)].add(item);
      }
    });
  }

 private:
  Locality& locality_;
};

/// What comes from ranks of this node, for this rank.
class Locality::Unpacker final : public BundleSink {
 public:
  explicit Unpacker(Sink& sink) : sink_(sink) {}
  void arrived(int, std::span<const std::byte> bundle) override {
    Bundle::each(bundle, [this](const Item& item) { hand_over(sink_, item.source, item.bytes); });
  }

 private:
  Sink& sink_;
};

Locality::Locality(const Round& round, const Node& node, std::span<const Message> messages, Sink& sink)
    : round_(round),
      node_(node),
      sink_(sink),
      within_(static_cast<std::size_t>(node.size())),
      sorter_(std::make_unique<Sorter>(*this)),
      unpacker_(std::make_unique<Unpacker>(sink)) {
  std::map<int, Bundle> bundles;  // by partner
  for (const Message& message : messages) {
    const bool here = node.is_here(message.rank);
    Bundle& bundle =
        here ? within_[static_cast<std::size_t>(node.rank_here(message.rank))] : bundles[node.partner_at(message.rank)];
    bundle.add({round.rank, message.rank, message.bytes});
  }
  std::vector<Message> out;
  for (auto& [rank, bundle] : bundles) out.push_back({rank, between_.emplace_back(std::move(bundle)).bytes()});
  way_ = std::make_unique<Nbx>(round, Kind::bundle, out, *sorter_);
}

Locality::~Locality() = default;

void Locality::begin_within() {
  is_within_ = true;
  std::vector<Message> out;
  for (int rank = 0; rank < node_.size(); ++rank) {
    const Bundle& bundle = within_[static_cast<std::size_t>(rank)];
    if (!bundle.bytes().empty()) out.push_back({rank, bundle.bytes()});
  }
  const Round within{node_.comm(), node_.rank(), node_.size(), round_.parity};
  way_ = std::make_unique<Nbx>(within, Kind::bundle, out, *unpacker_);
}

Step Locality::step() {
  const Step step = way_->step();
  if (step != Step::over || is_within_) return step;
  begin_within();
  return Step::moved;
}

}  // namespace raddle::sparse
