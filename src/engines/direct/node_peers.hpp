// SPDX-License-Identifier: BSD-3-Clause
// The processes of an endpoints communicator that share memory with this one, and that memory: the inboxes of all their
// endpoints, and where these meet for collectives.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "engines/direct/peers.hpp"
#include "node/process_watch.hpp"
#include "node/shared_segment.hpp"

namespace raddle::direct {

class NodePeers {
 public:
  /// A process of this node.
  struct Member {
    int rank;  ///< among the communicator's processes
    node::ProcessId process;
  };

  /// Collective over its processes. @throws endpoints::Failure, on all processes or none
  explicit NodePeers(const endpoints::Communicator& communicator);
  NodePeers(const NodePeers&) = delete;
  NodePeers& operator=(const NodePeers&) = delete;

  /// What the endpoints of each process can be reached by, by rank among all endpoints.
  [[nodiscard]] const Peers& peers() const { return *peers_; }
  /// Whether some processes are on other nodes.
  [[nodiscard]] bool has_others() const { return has_others_; }
  /// Whether endpoints on this machine exceed the CPUs that its processes may use.
  [[nodiscard]] bool crowded() const { return crowded_; }

  /// Another process of the node that has ended, though it needed its endpoints still.
  [[nodiscard]] std::optional<int> lost();
  /// This process needs its endpoints no longer: others do not take its end for a failure.
  void leave() { departures_->leave(); }

 private:
  void find_members(const endpoints::Communicator& communicator);
  bool take_memory(const endpoints::Communicator& communicator, node::SharedSegment::Kind kind, std::string& problem);
  void place_all(const endpoints::Communicator& communicator);
  void place_meeting(const endpoints::Communicator& communicator, std::byte* place);
  void place_inboxes(const endpoints::Communicator& communicator, std::byte* place);

  std::vector<Member> members_;  ///< by rank
  std::size_t self_ = 0;         ///< this process, of them
  bool reachable_ = false;       ///< they reach each other's memory
  bool has_others_ = false;
  bool crowded_ = false;
  bool processes_have_cpus_ = false;  ///< each one
  bool meets_ = false;                ///< for collectives, in this memory
  std::byte* rings_ = nullptr;        ///< in the memory; nullptr: there is none for them
  std::optional<Peers> peers_;
  std::optional<node::SharedSegment> memory_;
  std::optional<node::Departures> departures_;
};

}  // namespace raddle::direct
