// SPDX-License-Identifier: BSD-3-Clause
// Which way messages between processes took, judged by what came in over the network meanwhile.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

namespace raddle::bench {

/// Bytes received, by network interface. What two processes of one network namespace say to each other comes over its
/// loopback, whichever of its addresses they use.
using Traffic = std::map<std::string, std::uint64_t>;

/// What this process has received over its open TCP connections, with an entry for each interface there is; empty where
/// the kernel does not tell. The interfaces' own counters would not do: launchers talk over them as well.
Traffic traffic_so_far();

/// What came in between two looks; nothing by an interface whose connections were closed meanwhile.
Traffic traffic_between(const Traffic& before, const Traffic& after);

/// For processes to exchange.
std::string to_text(const Traffic& traffic);
Traffic sum_of(std::span<const std::string> texts);

/// How messages between processes travelled: the interface that carried them ("lo", "veth0", "eth0+eth1" for shared
/// work), `unseen` when none did, "memory+lo" when one carried a part of them, "unknown" when nothing is known.
///
/// Every message costs an interface its payload and at least 20 bytes (an MPI's envelope). Devices that pass the
/// kernel's TCP by (RDMA) are not seen here, and what they carry on one node looks like memory.
/// @param moved    what all processes received while the messages travelled
/// @param payload  bytes that moved between processes in all of these messages, or fewer
/// @param unseen   what else there is: "memory" on one node, "fabric" between nodes
std::string path_taken(const Traffic& moved, std::uint64_t payload, std::uint64_t messages,
                       const std::string& unseen = "memory");

}  // namespace raddle::bench
