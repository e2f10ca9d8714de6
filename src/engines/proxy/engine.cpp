// SPDX-License-Identifier: BSD-3-Clause
// The proxy engine: processes of its own call the MPI for the endpoints.
#include "engines/engine.hpp"

#include <utility>

#include "engines/proxy/proxies.hpp"
#include "engines/proxy/proxy_creation.hpp"

namespace raddle::proxy {
namespace {

class ProxyEngine final : public engines::Engine {
 public:
  void before_main(const void* library) override { become_proxy_if_it_is_one(library); }
  void begin() override { join(); }
  void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) override {
    Creation::make(std::move(communicator), handles);
  }
  [[nodiscard]] bool is_awaited() override { return Proxies::get() != nullptr; }
  void end() override { leave(); }

  [[nodiscard]] bool has_memory() override { return Proxies::get() != nullptr; }
  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment) override {
    return Proxies::get()->heap().allocate(bytes, alignment);
  }
  bool free(void* memory) override {
    Proxies* const proxies = Proxies::get();
    if (proxies == nullptr || !proxies->heap().contains(memory)) return false;
    proxies->heap().free(memory);
    return true;
  }
};

}  // namespace

engines::Engine& engine() {
  static auto& lasting = *new ProxyEngine;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace raddle::proxy
