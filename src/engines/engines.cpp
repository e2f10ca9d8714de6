// SPDX-License-Identifier: BSD-3-Clause
#include "engines/engines.hpp"

#include <utility>

#include "engines/direct/creation.hpp"
#include "engines/proxy/proxy_creation.hpp"

namespace raddle::engines {

void make(platform::Engine engine, std::unique_ptr<endpoints::Communicator> communicator,
          const std::vector<MPI_Comm>& handles) {
  switch (engine) {
    case platform::Engine::direct:
      return direct::Creation::make(std::move(communicator), handles);
    case platform::Engine::proxy:
      return proxy::Creation::make(std::move(communicator), handles);
  }
}

}  // namespace raddle::engines
