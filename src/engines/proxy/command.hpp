// SPDX-License-Identifier: BSD-3-Clause
// What an endpoint tells its proxy and is told by it, in memory that both share. Knows no MPI: ranks, tags and error
// classes are MPI's numbers, which are the same in both, since both have the same library.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "endpoints/requests/ended.hpp"

namespace raddle::proxy {

enum class Op : std::uint16_t {
  create,         ///< a communicator of the proxies that are listed
  duplicate,      ///< MPI_Comm_idup, for collectives
  free,           ///< a communicator
  send,           ///< MPI_Isend, MPI_Issend, MPI_Irsend
  receive,        ///< MPI_Irecv
  probe,          ///< MPI_Iprobe
  take,           ///< MPI_Improbe
  receive_taken,  ///< MPI_Imrecv
  cancel,         ///< MPI_Cancel
  collective,     ///< the nonblocking one that its Collective says
  finish,         ///< the end
};
constexpr std::uint16_t ops = 11;

// Flags.
constexpr std::uint16_t follows = 1;      ///< the data follow the command
constexpr std::uint16_t hidden = 2;       ///< a message of Raddle's own: apart from the program's
constexpr std::uint16_t synchronous = 4;  ///< of a send
constexpr std::uint16_t told = 8;         ///< the endpoint has something to do when it ends: it never ends "well"
constexpr std::uint16_t flags = 15;

/// An entry of the proxy's inbox. The data of a short one follow it. Without an Answer nobody waits for it.
struct Command {
  Op op{};
  std::uint16_t flags = 0;
  std::uint32_t comm = 0;  ///< number of the communicator
  std::int32_t peer = 0;   ///< rank; of receive_taken: the message's number; of duplicate: the new one's number
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;   ///< of the data, or the room
  std::uint64_t place = 0;   ///< of the data in the memory that both share; of cancel: the Answer of what to cancel
  std::uint64_t answer = 0;  ///< place of the Answer; 0: none
};
static_assert(sizeof(Command) == 40 && std::is_trivially_copyable_v<Command>);

/// How the proxy tells what became of a command: one cache line. Written by the proxy, `end` last.
struct alignas(64) Answer {
  static constexpr std::size_t room = 40;

  endpoints::End end{endpoints::Ended::no};
  bool cancelled = false;
  bool found = false;       ///< of probes
  std::int32_t error = 0;   ///< class
  std::int32_t source = 0;  ///< of what was received or found
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::array<std::byte, room> data;  ///< what was received, where that had no place and fits; of take: the number
};
static_assert(sizeof(Answer) == 64);

enum class Kind : std::uint32_t {
  barrier,
  bcast,
  gather,
  scatter,
  allgather,
  alltoall,
  reduce,
  allreduce,
  reduce_scatter,
  scan,
  exscan
};
constexpr std::uint32_t kinds = 11;

/// What Op::collective does. Lengths of pieces follow it: of what goes out, then of what comes in, each as many 64-bit
/// numbers as it says, then as many displacements: 0 (no such buffer), 1 (a piece, or all pieces have one length and
/// lie behind each other) or one for each rank. Lengths and displacements are bytes; of reductions, elements.
struct Collective {
  Kind kind{};
  std::int32_t root = 0;
  std::int32_t type = 0;  ///< of reductions: numbers (proxy/predefined.hpp)
  std::int32_t op = 0;
  std::uint64_t out = 0;  ///< place
  std::uint64_t out_bytes = 0;
  std::uint64_t in = 0;  ///< place
  std::uint64_t in_bytes = 0;
  std::uint32_t out_pieces = 0;
  std::uint32_t in_pieces = 0;
};
static_assert(sizeof(Collective) == 56 && std::is_trivially_copyable_v<Collective>);

// Whether a command makes sense: a proxy does nothing that could hurt it, whatever lies in its inbox. Knows no MPI.

/// The part of the shared memory in which data and answers lie.
struct Bounds {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  [[nodiscard]] bool contain(std::uint64_t place, std::uint64_t bytes) const {
    return place >= begin && place <= end && bytes <= end - place;
  }
};

/// @param following  bytes that the entry has behind the command
/// @returns why the command cannot be carried out; nullptr: it can
const char* refusal(const Command& command, std::size_t following, const Bounds& bounds);

/// The same of a collective among `size` ranks. @param numbers  all that follows it
const char* refusal(const Collective& collective, std::span<const std::int64_t> numbers, int size,
                    const Bounds& bounds);

}  // namespace raddle::proxy
