// SPDX-License-Identifier: BSD-3-Clause
// The endpoints of one communicator in this process, with the direct engine.
#pragma once

#include <mpi.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engines/creation.hpp"
#include "engines/direct/direct_endpoint.hpp"
#include "engines/direct/node.hpp"

namespace raddle::direct {

class Creation final : public engines::Creation {
 public:
  /// Collective over the processes of `communicator`, by one thread of each.
  /// @param handles  of this process's endpoints, by index; the caller's again if this throws
  /// @throws endpoints::Failure, on all processes or none
  static void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles);

  ~Creation() override;

  [[nodiscard]] bool crowded() const override { return node_.crowded(); }

 protected:
  [[nodiscard]] const std::vector<endpoints::Endpoint*>& endpoints() const override { return all_; }
  void end_the_job_if_one_is_lost(const endpoints::Endpoint& endpoint, const char* call) override;
  [[nodiscard]] std::string describe() const override;

 private:
  explicit Creation(std::unique_ptr<endpoints::Communicator> communicator);
  void make_endpoints(const std::vector<MPI_Comm>& handles);

  Node node_;
  std::vector<std::unique_ptr<DirectEndpoint>> endpoints_;
  std::vector<endpoints::Endpoint*> all_;  ///< the same
  std::mutex watching_;
};

}  // namespace raddle::direct
