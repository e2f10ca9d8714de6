// SPDX-License-Identifier: BSD-3-Clause
// What a process and each of its proxies tell each other when MPI has begun, by messages of the MPI. Knows no MPI.
#pragma once

#include <sched.h>

#include <array>
#include <cstdint>
#include <type_traits>

#include "platform/settings.hpp"

namespace raddle::proxy {

constexpr int handshake_tag = 1;

/// The process to the proxy.
struct Hello {
  std::array<char, 64> address{};  ///< of the shared memory
  std::uint64_t bytes = 0;         ///< of it
  cpu_set_t cpus{};                ///< that the process may use
  // Its settings (platform/settings.hpp): of one that has been spawned the environment may be another.
  std::array<char, platform::most_cpus_characters + 1> proxy_cpus{};
  std::int32_t oversubscribe = 0;
  std::int32_t async = 0;
};

/// The answer.
struct Welcome {
  std::int32_t ready = 0;
  std::int32_t crowded = 0;         ///< busy contexts exceed the node's CPUs
  std::array<char, 512> problem{};  ///< what stands against it, if it is not
};
static_assert(std::is_trivially_copyable_v<Hello> && std::is_trivially_copyable_v<Welcome>);

}  // namespace raddle::proxy
