// SPDX-License-Identifier: BSD-3-Clause
// Where all ranks share a node: messages lie in memory that they share, O(P) of it for each; larger ones are the MPI's.
#include <memory>
#include <span>
#include <utility>

#include "node/node_comm.hpp"
#include "node/shared_segment.hpp"
#include "sparse/algorithm.hpp"
#include "sparse/exchange_lane.hpp"
#include "sparse/point_to_point.hpp"
#include "sparse/shared_board.hpp"

namespace raddle::sparse::algorithms {
namespace {

/// A board, and the memory it lies in.
struct SharedMemory final : Resources {
  SharedMemory(node::SharedSegment shared, int members, int member)
      : segment(std::move(shared)),
        board(segment.bytes(), static_cast<std::size_t>(members), static_cast<std::size_t>(member)) {}

  node::SharedSegment segment;
  SharedBoard board;
};

/// Collective over the ranks of a node: that of all of them; nullptr: they cannot have one.
std::unique_ptr<SharedMemory> make_shared_memory(const node::NodeComm& here) {
  node::Sharing shared = here.share(SharedBoard::memory_of(static_cast<std::size_t>(here.size())));
  if (!shared.memory) return nullptr;
  return std::make_unique<SharedMemory>(*std::move(shared.memory), here.size(), here.rank());
}

/// Looks that find nothing before the MPI gets to make progress: others may wait for what this rank has sent.
constexpr unsigned patient = 64;

class Shared final : public Way {
 public:
  Shared(const Exchange& exchange, SharedBoard& board)
      : round_(exchange.round),
        kind_(exchange.kind),
        board_(board),
        sink_(exchange.sink),
        sender_(round_, kind_),
        receiver_(round_, kind_, sink_) {
    for (const Message& message : board_.post(exchange.messages)) sender_.send(message);
  }

  Step step() override {
    bool moved = false;
    if (!taken_ && board_.complete()) {
      for (const SharedBoard::Apart& apart : board_.take(sink_))
        receiver_.await(static_cast<int>(apart.member), apart.messages);
      taken_ = moved = true;
    }
    moved = receiver_.settle() || moved;
    if (taken_ && receiver_.idle() && sender_.done()) return Step::over;
    if (!moved && ++looks_ % patient == 0) {
      int flag = 0;
      check(MPI_Iprobe(MPI_ANY_SOURCE, round_.tag(kind_), round_.comm, &flag, MPI_STATUS_IGNORE));
    }
    return moved_if(moved);
  }

  [[nodiscard]] bool asks_mpi() const override { return false; }

 private:
  Round round_;
  Kind kind_;
  SharedBoard& board_;
  Sink& sink_;
  Sender sender_;
  Receiver receiver_;
  bool taken_ = false;
  unsigned looks_ = 0;
};

}  // namespace

const Algorithm& shared() {
  static constexpr Algorithm algorithm{
      .begin = [](const Exchange& exchange, Resources* memory) -> std::unique_ptr<Way> {
        return std::make_unique<Shared>(exchange, static_cast<SharedMemory&>(*memory).board);
      },
      .prepare =
          [](ExchangeLane& lane, MPI_Comm comm) {
            if (lane.alone()) return Preparation{};  // there is nobody to share with
            const NodeMap& map = lane.node_map(comm);
            if (map.nodes() > 1) return Preparation{.possible = false};
            auto memory = make_shared_memory(map.here());
            return Preparation{.possible = memory != nullptr, .resources = std::move(memory)};
          },
      .turn = [](ExchangeLane& lane) -> std::optional<int> {
        return lane.prepare(SparseAlgorithm::shared, lane.comm()) ? std::optional(0) : std::nullopt;
      },
  };
  return algorithm;
}

}  // namespace raddle::sparse::algorithms
