// SPDX-License-Identifier: BSD-3-Clause
// The processes of an endpoints communicator that share memory with this one, and that memory: the inboxes of all their
// endpoints, and where these meet for collectives.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "engines/direct/port.hpp"
#include "node/node_comm.hpp"
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
  void leave() { departures_->leave(); }

 private:
  void place_meeting(const endpoints::Communicator& communicator, std::byte* place);
  /// @param self  this process's index in members_ @param reachable  whether these reach each other's memory
  void place_inboxes(const endpoints::Communicator& communicator, std::byte* place, std::size_t self, bool reachable);

  std::vector<node::Member> members_;  ///< the processes of this node
  std::vector<Peer> peers_;
  bool has_others_ = false;
  bool crowded_ = false;
  std::optional<node::SharedSegment> memory_;
  std::optional<node::Departures> departures_;
};

}  // namespace raddle::direct
