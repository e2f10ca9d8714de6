// SPDX-License-Identifier: BSD-3-Clause
// A rank that threads have adopted: in their calls MPI_COMM_WORLD and MPI_COMM_SELF mean its endpoints, and what an MPI
// keeps once for a process is its own (docs/use/endpoints.md, "Threads as ranks").
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "endpoints/requests/own_requests.hpp"

namespace raddle::endpoints {

class Endpoint;

struct Rank {
  Endpoint* world = nullptr;  ///< nullptr while the rank has none: it is finalised, or its MPI_Init has to come first
  Endpoint* self = nullptr;
  // What its MPI_Init gives to a rank that runs a program as it is: before it MPI is not there (MPI-4.1
  // section 11.2.1).
  Endpoint* world_to_be = nullptr;
  Endpoint* self_to_be = nullptr;
  /// Its endpoint among all ranks, to which sessions hold on: there before the rank's MPI_Init and after its
  /// MPI_Finalize, whose handle may be gone by then.
  Endpoint* everyone = nullptr;
  std::atomic<int> sessions{0};                ///< that have not been finalised
  std::atomic<std::thread::id> main_thread{};  ///< that has called MPI_Init as this rank
  std::shared_ptr<buffered::Account> buffer = std::make_shared<buffered::Account>();  ///< of MPI_Bsend
  std::atomic<bool> initialized{false};
  std::atomic<bool> finalized{false};
  std::atomic<bool> self_handler_set{false};  ///< the error handler of its MPI_COMM_SELF, by the program
  MPI_File null_file = MPI_FILE_NULL;         ///< see endpoints/files/null_file.hpp
  // Calls that move data, by communicator: of an endpoint, and of the MPI's own.
  std::atomic<std::int64_t> on_endpoint{0};
  std::atomic<std::int64_t> past{0};
  std::atomic<const char*> refused{nullptr};  ///< the last function that is not supported and was called
};

/// Which one the calling thread has adopted; nullptr: none.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local Rank* adopted = nullptr;  // a call would cost too much

/// While it lives the calling thread is none: in Raddle's own calls MPI_COMM_WORLD and MPI_COMM_SELF are the process's.
class AsProcess {
 public:
  AsProcess() = default;
  AsProcess(const AsProcess&) = delete;
  AsProcess& operator=(const AsProcess&) = delete;
  ~AsProcess() { adopted = rank_; }

 private:
  Rank* rank_ = std::exchange(adopted, nullptr);
};

/// Bit of the gate: threads have adopted ranks.
constexpr std::uint32_t adopting = 1U << 30U;

// What the program's MPI_COMM_WORLD is where some of the job's processes are not the program's but proxies.

/// The program's processes; MPI_COMM_NULL: all processes of the job are. Set when the MPI has begun.
inline MPI_Comm program_world = MPI_COMM_NULL;

/// Bit of the gate: the program's world is not the job's.
constexpr std::uint32_t split_world = 1U << 29U;

}  // namespace raddle::endpoints
