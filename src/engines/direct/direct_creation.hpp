// SPDX-License-Identifier: BSD-3-Clause
// The endpoints of one communicator in this process, with the direct engine.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "endpoints/communicators/communicator.hpp"
#include "engines/creation.hpp"
#include "engines/direct/direct_endpoint.hpp"
#include "engines/direct/port.hpp"
#include "node/node_comm.hpp"
#include "node/process_watch.hpp"
#include "node/shared_segment.hpp"

namespace raddle::direct {

// The processes of an endpoints communicator that share memory with this one, and that memory: the inboxes of all their
// endpoints, and where these meet for collectives.

class NodePeers {
 public:
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
  void place_meeting(const endpoints::Communicator& communicator, std::byte* place);
  /// @param rings  nullptr: there is no memory for them @param self  this process's index in members_
  /// @param reachable  whether these reach each other's memory
  void place_inboxes(const endpoints::Communicator& communicator, std::byte* place, std::byte* rings, std::size_t self,
                     bool reachable);

  std::vector<node::Member> members_;  ///< the processes of this node
  std::optional<Peers> peers_;
  bool has_others_ = false;
  bool crowded_ = false;
  std::optional<node::SharedSegment> memory_;
  std::optional<node::Departures> departures_;
};

class DirectCreation final : public engines::Creation {
 public:
  /// Collective over the processes of `communicator`, by one thread of each.
  /// @param handles  of this process's endpoints, by index; the caller's again if this throws
  /// @throws endpoints::Failure, on all processes or none
  static void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles);

  ~DirectCreation() override;

  [[nodiscard]] bool crowded() const override { return node_peers_.crowded(); }

 protected:
  [[nodiscard]] const std::vector<endpoints::Endpoint*>& endpoints() const override { return all_; }
  void end_the_job_if_one_is_lost(const endpoints::Endpoint& endpoint, const char* call) override;
  [[nodiscard]] std::string describe() const override;

 private:
  explicit DirectCreation(std::unique_ptr<endpoints::Communicator> communicator);
  void make_endpoints(const std::vector<MPI_Comm>& handles);

  NodePeers node_peers_;
  std::vector<std::unique_ptr<DirectEndpoint>> endpoints_;
  std::vector<endpoints::Endpoint*> all_;  ///< the same
  std::mutex watching_;
};

}  // namespace raddle::direct
