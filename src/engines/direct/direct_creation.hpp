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
#include "engines/direct/node_peers.hpp"
#include "engines/direct/port.hpp"

namespace raddle::direct {

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
