// SPDX-License-Identifier: BSD-3-Clause
// Locality-aware: all that a rank has for a node goes there in one message, to the rank that corresponds to it, and is
// handed on within the node. Fewer messages between nodes, each longer; one more way within them.
// Source: Collom, Li, Bienz, "Optimizing irregular communication with neighborhood collectives and locality-aware
// parallelism" and "A more scalable sparse dynamic data exchange" (2023).
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "sparse/algorithm.hpp"
#include "sparse/exchange_lane.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse::algorithms {
namespace {

/// Who is where: the lane's.
struct Places final : Resources {
  explicit Places(const NodeMap& of) : map(of) {}
  const NodeMap& map;
};

/// An exchange of bundles, within this one.
std::unique_ptr<Way> census(const Round& round, std::span<const Message> bundles, Sink& sink) {
  return listed(SparseAlgorithm::nbx)
      .algorithm->begin({.round = round, .messages = bundles, .sink = sink, .radix = 0, .kind = Kind::bundle}, nullptr);
}

class Locality final : public Way {
 public:
  Locality(const Exchange& exchange, const NodeMap& map);
  ~Locality() override;
  Step step() override;

 private:
  class Sorter;

  void begin_within();

  Round round_;
  const NodeMap& map_;
  Sink& sink_;
  std::vector<Bundle> within_;  ///< by rank of the node
  std::unique_ptr<Sorter> sorter_;
  Unpacker unpacker_;
  std::vector<Bundle> between_;
  std::unique_ptr<Way> way_;
  bool is_within_ = false;
};

/// What comes from other nodes, for any rank of this one.
class Locality::Sorter final : public BundleSink {
 public:
  explicit Sorter(Locality& locality) : locality_(locality) {}
  void arrived(int, std::span<const std::byte> bundle) override {
    Bundle::each(bundle, [this](const Item& item) {
      const int here = locality_.map_.rank_here(item.destination);
      if (here == locality_.map_.rank()) {
        hand_over(locality_.sink_, item.source, item.bytes);
      } else {
        locality_.within_[static_cast<std::size_t>(here)].add(item);
      }
    });
  }

 private:
  Locality& locality_;
};

Locality::Locality(const Exchange& exchange, const NodeMap& map)
    : round_(exchange.round),
      map_(map),
      sink_(exchange.sink),
      within_(static_cast<std::size_t>(map.size())),
      sorter_(std::make_unique<Sorter>(*this)),
      unpacker_(sink_) {
  std::map<int, Bundle> bundles;  // by partner
  for (const Message& message : exchange.messages) {
    const bool here = map.is_here(message.rank);
    Bundle& bundle =
        here ? within_[static_cast<std::size_t>(map.rank_here(message.rank))] : bundles[map.partner_at(message.rank)];
    bundle.add({round_.rank, message.rank, message.bytes});
  }
  std::vector<Message> out;
  for (auto& [rank, bundle] : bundles) out.push_back({rank, between_.emplace_back(std::move(bundle)).bytes()});
  way_ = census(round_, out, *sorter_);
}

Locality::~Locality() = default;

void Locality::begin_within() {
  is_within_ = true;
  std::vector<Message> out;
  for (int rank = 0; rank < map_.size(); ++rank) {
    const Bundle& bundle = within_[static_cast<std::size_t>(rank)];
    if (!bundle.bytes().empty()) out.push_back({rank, bundle.bytes()});
  }
  const Round within{map_.comm(), map_.rank(), map_.size(), round_.parity};
  way_ = census(within, out, unpacker_);
}

Step Locality::step() {
  const Step step = way_->step();
  if (step != Step::over || is_within_) return step;
  begin_within();
  return Step::moved;
}

}  // namespace

const Algorithm& locality() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources* places) -> std::unique_ptr<Way> {
        return std::make_unique<Locality>(exchange, static_cast<const Places&>(*places).map);
      },
      .prepare =
          [](ExchangeLane& lane, MPI_Comm comm) {
            NodeMap& map = lane.node_map(comm);
            map.learn_all(comm);
            return Preparation{.resources = std::make_unique<Places>(map)};
          },
      // Who is where takes O(P) memory.
      .turn = [](ExchangeLane& lane) -> std::optional<int> {
        const int nodes = lane.node_map(lane.comm()).nodes();
        const bool several = nodes > 1 && nodes < lane.size();
        return several && turn_in_proportion(lane, 0) ? std::optional(102) : std::nullopt;
      },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
