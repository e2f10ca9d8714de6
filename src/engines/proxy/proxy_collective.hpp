// SPDX-License-Identifier: BSD-3-Clause
// The request of a collective that the proxy's MPI makes.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "endpoints/collectives/maker.hpp"
#include "endpoints/requests/request.hpp"
#include "engines/proxy/buffers.hpp"
#include "engines/proxy/proxy_request.hpp"
#include "platform/spin_lock.hpp"

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

// Collectives by the proxy's MPI. Operators of the program run in the process: those reductions are made as the direct
// engine makes them.

class ProxyCollective;
class ProxyEndpoint;

class ProxyMaker final : public endpoints::collectives::Maker {
 public:
  explicit ProxyMaker(ProxyEndpoint& endpoint);
  ~ProxyMaker();

  [[nodiscard]] bool makes(const endpoints::collectives::Reduction::Arguments& arguments) const override;
  using Maker::makes;

  int make(const endpoints::collectives::Barrier::Arguments& arguments,
           std::unique_ptr<endpoints::collectives::Held> held, Lasts lasts, endpoints::Request*& made) override;
  int make(const endpoints::collectives::Movement::Arguments& arguments,
           std::unique_ptr<endpoints::collectives::Held> held, Lasts lasts, endpoints::Request*& made) override;
  int make(const endpoints::collectives::Reduction::Arguments& arguments,
           std::unique_ptr<endpoints::collectives::Held> held, Lasts lasts, endpoints::Request*& made) override;

  /// One that the program has given up and that is not complete.
  void await(std::unique_ptr<ProxyCollective> orphan);
  /// Whether there are some.
  [[nodiscard]] bool awaits();

 private:
  template <typename Arguments>
  int begin(const Arguments& arguments, std::unique_ptr<endpoints::collectives::Held> held, Lasts lasts,
            endpoints::Request*& made);

  ProxyEndpoint& endpoint_;
  platform::SpinLock guard_;
  std::vector<std::unique_ptr<ProxyCollective>> orphans_;
};

}  // namespace raddle::proxy
