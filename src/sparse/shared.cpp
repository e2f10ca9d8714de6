// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/shared.hpp"

#include "sparse/check.hpp"

namespace raddle::sparse {
namespace {

/// Looks that find nothing before the MPI gets to make progress: others may wait for what this rank has sent.
constexpr unsigned patient = 64;

}  // namespace

std::unique_ptr<SharedMemory> SharedMemory::make(const node::NodeComm& here) {
  node::Sharing shared = here.share(SharedBoard::memory_of(static_cast<std::size_t>(here.size())));
  if (!shared.memory) return nullptr;
  return std::make_unique<SharedMemory>(*std::move(shared.memory), here.size(), here.rank());
}

Shared::Shared(const Round& round, SharedBoard& board, std::span<const Message> messages, Sink& sink)
    : round_(round), board_(board), sink_(sink), sender_(round, Kind::payload), receiver_(round, Kind::payload, sink) {
  for (const Message& message : board_.post(messages)) sender_.send(message);
}

Step Shared::step() {
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
    check(MPI_Iprobe(MPI_ANY_SOURCE, round_.tag(Kind::payload), round_.comm, &flag, MPI_STATUS_IGNORE));
  }
  return moved_if(moved);
}

}  // namespace raddle::sparse
