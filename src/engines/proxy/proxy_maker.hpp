// SPDX-License-Identifier: BSD-3-Clause
// Collectives by the proxy's MPI. Operators of the program run in the process: those reductions are made as the direct
// engine makes them.
#pragma once

#include <memory>
#include <vector>

#include "endpoints/collectives/maker.hpp"
#include "platform/spin_lock.hpp"

namespace raddle::proxy {

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
