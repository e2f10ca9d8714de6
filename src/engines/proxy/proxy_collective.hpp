// SPDX-License-Identifier: BSD-3-Clause
// The request of a collective that the proxy's MPI makes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <variant>

#include "endpoints/collectives/maker.hpp"
#include "endpoints/request.hpp"
#include "engines/proxy/buffers.hpp"
#include "engines/proxy/line.hpp"

namespace raddle::proxy {

class ProxyEndpoint;

class ProxyCollective final : private Line, public endpoints::Request {
 public:
  using Barrier = endpoints::collectives::Barrier::Arguments;
  using Movement = endpoints::collectives::Movement::Arguments;
  using Reduction = endpoints::collectives::Reduction::Arguments;
  using Arguments = std::variant<Barrier, Movement, Reduction>;
  using Lasts = endpoints::collectives::Maker::Lasts;

  ProxyCollective(ProxyEndpoint& endpoint, Arguments arguments, std::unique_ptr<endpoints::collectives::Held> held,
                  Lasts lasts);
  ~ProxyCollective() override;

  /// Gives a persistent one a communicator for itself, so that several may be started in any order (MPI-4.1 section
  /// 6.13). Collective; waits in the MPI function `call`. @returns an MPI error code
  int set_apart(const char* call);

  /// What was received is put into its place when this is first asked for.
  [[nodiscard]] endpoints::Result result() const override;
  int start() override;
  void cancel() override {}  // an error of the program: collectives cannot be cancelled
  void retire() override;
  void abandon() override;

 private:
  int describe(Collective& call, const Barrier& arguments);
  int describe(Collective& call, const Movement& arguments);
  int describe(Collective& call, const Reduction& arguments);
  int post(Collective& call);

  ProxyEndpoint& own_;
  Arguments arguments_;
  std::unique_ptr<endpoints::collectives::Held> held_;
  std::optional<std::uint32_t> number_;  ///< of its own communicator
  // Of one start.
  std::optional<Buffer> out_;
  mutable std::optional<Buffer> in_;
  std::optional<Buffer> numbers_;
  mutable std::atomic<bool> delivered_{false};
  mutable int error_ = MPI_SUCCESS;
};

}  // namespace raddle::proxy
