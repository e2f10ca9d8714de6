// SPDX-License-Identifier: BSD-3-Clause
// Endpoints of libraddle. This program is not linked with it, so that the other variants call the MPI as it is: where
// it is preloaded, its functions are found by name. With the proxy engine the launcher has started a process for each
// endpoint as well, which never comes to main: MPI_COMM_WORLD has none of them.
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

#include "core/buffer.hpp"
#include "mpi/check.hpp"
#include "mpi/variant.hpp"
#include "raddle/raddle.h"

namespace raddle::bench {
namespace {

using CreateEndpoints = decltype(&MPIX_Comm_create_endpoints);

/// Of what an endpoints communicator is made: the engine, named so that no setting of the user's makes it another.
class EngineInfo {
 public:
  explicit EngineInfo(const std::string& engine) {
    check(MPI_Info_create(&info_), "MPI_Info_create");
    check(MPI_Info_set(info_, "raddle_engine", engine.c_str()), "MPI_Info_set");
  }
  ~EngineInfo() { MPI_Info_free(&info_); }
  EngineInfo(const EngineInfo&) = delete;
  EngineInfo& operator=(const EngineInfo&) = delete;
  [[nodiscard]] MPI_Info info() const noexcept { return info_; }

 private:
  MPI_Info info_ = MPI_INFO_NULL;
};

/// An endpoint for each context. Their ranks and the numbers of contexts both run process by process, thread by thread.
template <typename Connection>
class EndpointLinks final : public Links<Connection> {
 public:
  EndpointLinks(const Team& team, CreateEndpoints create, std::string engine)
      : team_(team), create_(create), engine_(std::move(engine)) {}

  void begin() override {
    int process = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    const int threads = team_.threads[static_cast<std::size_t>(process)];
    handles_.assign(static_cast<std::size_t>(threads), MPI_COMM_NULL);
    flows_ = handles_;
    const EngineInfo engine(engine_);
    check(create_(MPI_COMM_WORLD, threads, engine.info(), handles_.data()), "MPIX_Comm_create_endpoints");
  }

  Connection open(const Seat& seat) override {
    const MPI_Comm all = handles_[static_cast<std::size_t>(seat.thread)];
    if constexpr (std::is_same_v<Connection, Channel>) {
      Channel channel = channel_on(all, team_, seat);
      channel.peer = team_.partner_of(seat);
      return channel;
    } else {
      MPI_Comm& flow = flows_[static_cast<std::size_t>(seat.thread)];
      check(MPI_Comm_split(all, seat.flow, seat.party, &flow), "MPI_Comm_split");
      return flow;
    }
  }

  void close(const Seat& seat) override {
    if constexpr (!std::is_same_v<Connection, Channel>)
      check(MPI_Comm_free(&flows_[static_cast<std::size_t>(seat.thread)]), "MPI_Comm_free");
  }

  void end() override {
    for (MPI_Comm& handle : handles_) check(MPI_Comm_free(&handle), "MPI_Comm_free");
  }

 private:
  Team team_;
  CreateEndpoints create_;
  std::string engine_;
  std::vector<MPI_Comm> handles_;  ///< by thread of this process
  std::vector<MPI_Comm> flows_;    ///< the flow's communicator, by thread
};

template <typename Connection>
std::unique_ptr<Links<Connection>> make(const Team& team, const char* engine) {
  const auto create = reinterpret_cast<CreateEndpoints>(dlsym(RTLD_DEFAULT, "MPIX_Comm_create_endpoints"));
  if (create == nullptr) {
    throw Unavailable("libraddle, which makes endpoints, is not preloaded (docs/use/exec.md)");
  }
  return std::make_unique<EndpointLinks<Connection>>(team, create, engine);
}

/// Messages of this launch lie where its proxies see them, and so need no copy.
void share_messages() {
  message_memory = {[](std::size_t bytes) {
                      static const auto allocate =
                          reinterpret_cast<decltype(&Raddle_memalign)>(dlsym(RTLD_DEFAULT, "Raddle_memalign"));
                      auto* const memory = static_cast<std::byte*>(allocate(page, bytes));
                      if (memory == nullptr)
                        throw std::runtime_error("the memory that proxies see has no room for messages of " +
                                                 std::to_string(bytes) + " bytes in all (RADDLE_PROXY_HEAP)");
                      return memory;
                    },
                    [](std::byte* memory) {
                      static const auto give_back =
                          reinterpret_cast<decltype(&Raddle_free)>(dlsym(RTLD_DEFAULT, "Raddle_free"));
                      give_back(memory);
                    }};
}

template <typename Connection>
std::unique_ptr<Links<Connection>> make_proxied(const Team& team) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment
  if (std::getenv("RADDLE_PROXIES") == nullptr) {
    throw Unavailable("this launch has no proxies: the launcher starts them, and RADDLE_PROXIES says how many");
  }
  auto links = make<Connection>(team, "proxy");
  share_messages();
  return links;
}

const RegisterVariant direct(
    {"endpoint-direct", "endpoints of libraddle, a rank per thread (MPIX_Comm_create_endpoints), direct engine",
     Contexts::threads},
    [](const Team& team) { return make<Channel>(team, "direct"); },
    [](const Team& team) { return make<MPI_Comm>(team, "direct"); });

const RegisterVariant proxy({"endpoint-proxy",
                             "endpoints of libraddle, proxy engine: beside each thread a process that communicates",
                             Contexts::threads, true},
                            make_proxied<Channel>, make_proxied<MPI_Comm>);

}  // namespace
}  // namespace raddle::bench
