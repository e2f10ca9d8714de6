// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/costs.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "platform/must.hpp"

namespace raddle::partitioned {
namespace {

using platform::must;

// On a node most MPIs are near these.
std::atomic<double> of_message{1e-6};
std::atomic<double> of_byte{1.25e-10};
std::atomic<bool> known{false};

void set(const Costs& costs) {
  of_message.store(costs.message, std::memory_order_relaxed);
  of_byte.store(costs.byte, std::memory_order_relaxed);
  known.store(true, std::memory_order_relaxed);
}

/// Where they are kept: one file for each MPI and machine. Empty: nowhere.
std::filesystem::path place() {
  std::filesystem::path home;
  if (const char* const own = std::getenv("RADDLE_HOME")) {  // NOLINT(concurrency-mt-unsafe): nobody sets it
    home = own;
  } else if (const char* const cache = std::getenv("XDG_CACHE_HOME")) {  // NOLINT(concurrency-mt-unsafe)
    home = std::filesystem::path(cache) / "raddle";
  } else if (const char* const user = std::getenv("HOME")) {  // NOLINT(concurrency-mt-unsafe)
    home = std::filesystem::path(user) / ".cache" / "raddle";
  } else {
    return {};
  }
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> library{};
  std::array<char, 256> machine{};
  int length = 0;
  must("MPI_Get_library_version", PMPI_Get_library_version(library.data(), &length));
  gethostname(machine.data(), machine.size() - 1);
  const std::size_t which = std::hash<std::string>{}(std::string(library.data()) + '\n' + machine.data());
  return home / ("part-costs-" + std::to_string(which) + ".txt");
}

bool read(Costs& costs) {
  std::ifstream file(place());
  return file >> costs.message >> costs.byte && costs.message > 0 && costs.byte > 0;
}

/// Another process may do the same: a file is there as a whole or not at all. Without a place for it, it is not kept.
void write(const Costs& costs) {
  const std::filesystem::path path = place();
  if (path.empty()) return;
  std::error_code problem;
  std::filesystem::create_directories(path.parent_path(), problem);
  const std::filesystem::path draft = path.string() + "." + std::to_string(getpid());
  std::ofstream(draft) << costs.message << ' ' << costs.byte << '\n';
  std::filesystem::rename(draft, path, problem);
  if (problem) std::filesystem::remove(draft, problem);
}

/// Seconds of one of so many messages that follow each other from rank 0 to rank 1: the least of several tries, since
/// others can only make it longer.
double time_of(MPI_Comm comm, int rank, int bytes, int messages) {
  std::vector<std::byte> data(static_cast<std::size_t>(bytes));
  std::vector<MPI_Request> requests(static_cast<std::size_t>(messages));
  double least = 1;
  constexpr int tries = 7;
  for (int attempt = 0; attempt < tries; ++attempt) {
    int token = 0;
    const double begin = PMPI_Wtime();
    for (MPI_Request& request : requests) {
      if (rank == 0) {
        must("MPI_Isend", PMPI_Isend(data.data(), bytes, MPI_BYTE, 1, 0, comm, &request));
      } else {
        must("MPI_Irecv", PMPI_Irecv(data.data(), bytes, MPI_BYTE, 0, 0, comm, &request));
      }
    }
    must("MPI_Waitall", PMPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE));
    if (rank == 0) {
      must("MPI_Recv", PMPI_Recv(&token, 1, MPI_INT, 1, 1, comm, MPI_STATUS_IGNORE));
    } else {
      must("MPI_Send", PMPI_Send(&token, 1, MPI_INT, 0, 1, comm));
    }
    least = std::min(least, (PMPI_Wtime() - begin) / messages);
  }
  return least;
}

Costs measure(MPI_Comm comm, int rank) {
  constexpr int small = 8;
  constexpr int large = 1 << 20;
  constexpr int messages = 32;
  const double message = time_of(comm, rank, small, messages);
  const double whole = time_of(comm, rank, large, messages / 8);
  return {message, std::max((whole - message) / large, 1e-12)};
}

}  // namespace

Costs message_costs() { return {of_message.load(std::memory_order_relaxed), of_byte.load(std::memory_order_relaxed)}; }

std::size_t usual_message_bytes() {
  constexpr double share = 1.0 / 16;  // of a message's time that is not its bytes'
  constexpr double least = 16.0 * 1024;
  constexpr double most = 1024.0 * 1024;
  const Costs costs = message_costs();
  const double bytes = std::clamp(costs.message / costs.byte / share, least, most);
  return std::bit_floor(static_cast<std::size_t>(bytes));
}

void measure_costs(MPI_Comm comm) {
  int rank = 0;
  int size = 0;
  must("MPI_Comm_rank", PMPI_Comm_rank(comm, &rank));
  must("MPI_Comm_size", PMPI_Comm_size(comm, &size));
  if (size < 2) return;
  Costs costs{};
  // The first one looks, for not all may see the same files.
  std::array<double, 3> told{};
  if (rank == 0 && (known.load(std::memory_order_relaxed) || read(costs))) {
    if (known.load(std::memory_order_relaxed)) costs = message_costs();
    told = {1, costs.message, costs.byte};
  }
  must("MPI_Bcast", PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_DOUBLE, 0, comm));
  if (told[0] == 0) {
    if (rank < 2) costs = measure(comm, rank);
    told = {1, costs.message, costs.byte};
    must("MPI_Bcast", PMPI_Bcast(told.data(), static_cast<int>(told.size()), MPI_DOUBLE, 0, comm));
    if (rank == 0) write(costs);
  }
  set({told[1], told[2]});
}

}  // namespace raddle::partitioned
