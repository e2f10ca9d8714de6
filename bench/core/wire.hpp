// SPDX-License-Identifier: BSD-3-Clause
// Which way messages between processes took, judged by what the network interfaces counted meanwhile.
#pragma once

#include <cstdint>
#include <istream>
#include <map>
#include <string>

namespace raddle::bench {

/// Bytes by network interface: sent and received together, so that it does not matter on which side one looks; on the
/// loopback, where each byte is counted as both, received alone.
using Traffic = std::map<std::string, std::uint64_t>;

/// The kernel's table of interfaces (proc_net_dev(5)).
Traffic parse_traffic(std::istream& table);

/// What has passed so far in the network namespace of this process; empty where the kernel does not tell.
Traffic traffic_so_far();

/// What has passed between two looks. An interface whose counter was reset passed nothing.
Traffic traffic_between(const Traffic& before, const Traffic& after);

/// How messages between processes travelled: the interface that carried them ("lo", "veth0", "eth0+eth1" for shared
/// work), "memory" when none did, "memory+lo" when one carried a part of them, "unknown" when nothing is known.
///
/// Every message costs an interface its payload and at least 20 bytes (an MPI's envelope; headers of packets are
/// shared by messages that are sent together). Devices that pass the kernel by (RDMA) are not counted here, and what
/// they carry looks like memory.
/// @param moved    what passed while the messages did, with an entry for each interface
/// @param payload  bytes that moved between processes, in all messages and both directions
std::string path_taken(const Traffic& moved, std::uint64_t payload, std::uint64_t messages);

}  // namespace raddle::bench
