// SPDX-License-Identifier: BSD-3-Clause
// Where all ranks share a node: messages lie in memory that they share, O(P) of it for each; larger ones are the MPI's.
#pragma once

#include <memory>
#include <span>
#include <utility>

#include "node/node_comm.hpp"
#include "node/shared_segment.hpp"
#include "sparse/message.hpp"
#include "sparse/receiver.hpp"
#include "sparse/round.hpp"
#include "sparse/sender.hpp"
#include "sparse/shared_board.hpp"
#include "sparse/sink.hpp"
#include "sparse/way.hpp"

namespace raddle::sparse {

/// A board, and the memory it lies in.
struct SharedMemory {
  SharedMemory(node::SharedSegment shared, int members, int member)
      : segment(std::move(shared)),
        board(segment.bytes(), static_cast<std::size_t>(members), static_cast<std::size_t>(member)) {}

  /// Collective over the ranks of a node: that of all of them; nullptr: they cannot have one.
  static std::unique_ptr<SharedMemory> make(const node::NodeComm& here);

  node::SharedSegment segment;
  SharedBoard board;
};

class Shared final : public Way {
 public:
  Shared(const Round& round, SharedBoard& board, std::span<const Message> messages, Sink& sink);
  Step step() override;
  [[nodiscard]] bool asks_mpi() const override { return false; }

 private:
  Round round_;
  SharedBoard& board_;
  Sink& sink_;
  Sender sender_;
  Receiver receiver_;
  bool taken_ = false;
  unsigned looks_ = 0;
};

}  // namespace raddle::sparse
