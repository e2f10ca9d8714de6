// SPDX-License-Identifier: BSD-3-Clause
// The endpoints of one communicator in this process, with the proxy engine. Proxies make theirs as the seed says: by
// MPI_Comm_create_group, called by the proxies of the ranks alone.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engines/creation.hpp"
#include "engines/proxy/proxy_endpoint.hpp"

namespace raddle::proxy {

class ProxyCreation final : public engines::Creation {
 public:
  /// Collective over the processes of `communicator`, by one thread of each.
  /// @param handles  of this process's endpoints, by index; the caller's again if this throws
  /// @throws endpoints::Failure, on all processes or none
  static void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles);

  ~ProxyCreation() override;

  [[nodiscard]] bool crowded() const override { return proxies_.crowded(); }

 protected:
  [[nodiscard]] const std::vector<endpoints::Endpoint*>& endpoints() const override { return all_; }
  void end_the_job_if_one_is_lost(const endpoints::Endpoint&, const char*) override {
  }  // proxies do, for all (proxies.hpp)
  [[nodiscard]] std::string describe() const override;

 private:
  ProxyCreation(std::unique_ptr<endpoints::Communicator> communicator, Proxies& proxies);
  /// Of all endpoints, by their ranks.
  [[nodiscard]] std::vector<std::int32_t> proxy_ranks();
  /// Collective: what making them needs. @param ranks  stay until they are made
  /// @throws endpoints::Failure, on all processes or none: a heap has no room
  void take_room(const std::vector<MPI_Comm>& handles, const std::vector<std::int32_t>& ranks);
  /// @returns an error class
  int make_endpoints();

  Proxies& proxies_;
  std::uint32_t number_;
  std::vector<std::unique_ptr<ProxyEndpoint>> endpoints_;
  std::vector<endpoints::Endpoint*> all_;  ///< the same
};

}  // namespace raddle::proxy
