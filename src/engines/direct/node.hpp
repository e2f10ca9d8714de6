// SPDX-License-Identifier: BSD-3-Clause
// The processes of an endpoints communicator that share memory with this one, and that memory: the inboxes of all their
// endpoints, and where these meet for collectives.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "endpoints/communicator.hpp"
#include "engines/direct/port.hpp"
#include "node/process_watch.hpp"
#include "node/shared_segment.hpp"

namespace raddle::direct {

class Node {
 public:
  /// Collective over its processes. @throws endpoints::Failure, on all processes or none
  explicit Node(const endpoints::Communicator& communicator);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  /// What the endpoints of each process can be reached by, by rank among all endpoints; those of other nodes have no
  /// inbox.
  [[nodiscard]] const std::vector<Peer>& peers() const { return peers_; }
  /// Whether some processes are on other nodes.
  [[nodiscard]] bool has_others() const { return has_others_; }
  /// Whether endpoints on this machine exceed the CPUs that its processes may use.
  [[nodiscard]] bool crowded() const { return crowded_; }

  /// Another process of the node that has ended, though it needed its endpoints still.
  [[nodiscard]] std::optional<int> lost();
  /// This process needs its endpoints no longer: others do not take its end for a failure.
  void leave();

 private:
  /// What a process tells the others through the memory.
  struct alignas(64) Presence {
    std::atomic<std::uint64_t> left{0};
  };

  void share(MPI_Comm processes, MPI_Comm node, std::size_t bytes);
  bool reach_each_other(MPI_Comm node, const std::vector<node::Process>& processes);
  void place_meeting(const endpoints::Communicator& communicator, std::byte* place);
  void place_inboxes(const endpoints::Communicator& communicator, std::byte* place, bool reachable,
                     const std::vector<node::Process>& processes);

  std::vector<int> members_;  ///< the processes of this node
  int self_ = 0;              ///< index in members_
  std::vector<Peer> peers_;
  bool has_others_ = false;
  bool crowded_ = false;
  bool see_each_other_ = false;  ///< the processes of the node know each other's pids
  std::optional<node::SharedSegment> memory_;
  std::span<Presence> presence_;
  std::uint64_t token_ = 0;
  std::optional<node::ProcessWatch> watch_;
};

}  // namespace raddle::direct
