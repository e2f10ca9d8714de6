// SPDX-License-Identifier: BSD-3-Clause

#include "engines/proxy/proxies.hpp"

#include <unistd.h>

#include <new>
#include <string>
#include <utility>

#include "engines/engine.hpp"
#include "engines/proxy/proxy_creation.hpp"
#include "platform/last_words.hpp"
#include "platform/must.hpp"
#include "platform/waiting.hpp"

namespace raddle::proxy {

Proxies::Proxies(int each, const Numbering& numbering, node::SharedSegment memory)
    : each_(each),
      numbering_(numbering),
      memory_(std::move(memory)),
      area_(memory_.bytes(), each),
      heap_(area_.heap_bytes()) {
  area_.construct();
  alive_.emplace(area_.life());
  for (int i = 0; i < each; ++i) senders_.push_back(std::make_unique<engines::Inbox::Sender>());
}

engines::Inbox::Claim Proxies::claim_room(int proxy, std::size_t bytes) {
  engines::Inbox::Sender& sender = *senders_[static_cast<std::size_t>(proxy)];
  engines::Inbox::Claim claim = area_.inbox(proxy).claim(bytes, sender);
  if (claim.place != nullptr) [[likely]]
    return claim;
  platform::Waiting waiting(crowded_);
  while (true) {
    claim = area_.inbox(proxy).claim(bytes, sender);
    if (claim.place != nullptr) return claim;
    wake(proxy);
    waiting.turn();
  }
}

Answer* Proxies::take_answer() {
  {
    const std::lock_guard lock(guard_);
    if (!answers_.empty()) {
      Answer* const answer = answers_.back();
      answers_.pop_back();
      return answer;
    }
  }
  void* const room = heap_.allocate(sizeof(Answer), alignof(Answer));
  if (room == nullptr) return nullptr;
  return new (room) Answer;
}

void Proxies::give_back(Answer* answer) {
  const std::lock_guard lock(guard_);
  answers_.push_back(answer);
}

std::uint32_t Proxies::take_number() {
  const std::lock_guard lock(guard_);
  if (numbers_.empty()) return next_number_++;
  const std::uint32_t number = numbers_.back();
  numbers_.pop_back();
  return number;
}

void Proxies::give_back(std::uint32_t number) {
  const std::lock_guard lock(guard_);
  numbers_.push_back(number);
}

void Proxies::begin(int process) {
  memory_.all_have_it();
  for (int proxy = 0; proxy < each_; ++proxy)
    watchers_.push_back(
        std::make_unique<node::Watcher>(area_.life(proxy), [process, proxy] { end_the_job(process, proxy); }));
}

void Proxies::end() {
  watchers_.clear();
  alive_.reset();
}

void Proxies::end_the_job(int process, int proxy) {
  platform::last_words("raddle: the proxy of endpoint " + std::to_string(proxy) + " of process " +
                       std::to_string(process) + " has ended before MPI_Finalize. Ending the job.\n");
  platform::regardless(PMPI_Abort(MPI_COMM_WORLD, 1));
  _exit(1);
}

// The proxy engine: processes of its own call the MPI for the endpoints.
namespace {

class ProxyEngine final : public engines::Engine {
 public:
  void before_main(const void* library) override { become_proxy_if_it_is_one(library); }
  void begin() override { join(); }
  void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) override {
    ProxyCreation::make(std::move(communicator), handles);
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
