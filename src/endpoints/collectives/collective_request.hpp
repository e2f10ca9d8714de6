// SPDX-License-Identifier: BSD-3-Clause
// The request of a nonblocking or persistent collective (MPI-4.1 sections 6.12 and 6.13).
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "endpoints/collectives/collective.hpp"
#include "endpoints/collectives/held.hpp"
#include "endpoints/request.hpp"

namespace raddle::endpoints::collectives {

class CollectiveRequest final : public Request {
 public:
  /// @param own the context of a persistent one; nullptr: the communicator's, and it is started now
  CollectiveRequest(Endpoint& endpoint, std::unique_ptr<Held> held, std::unique_ptr<Collective> collective,
                    std::shared_ptr<Context> own);
  ~CollectiveRequest() override;

  [[nodiscard]] Result result() const override { return {.error = collective_->error()}; }
  int start() override;
  void cancel() override {}  // an error of the program: collectives cannot be cancelled
  void retire() override;
  void abandon() override;

 private:
  std::unique_ptr<Held> held_;
  std::shared_ptr<Context> own_;
  std::unique_ptr<Collective> collective_;
  std::uint64_t starts_ = 0;
};

}  // namespace raddle::endpoints::collectives
