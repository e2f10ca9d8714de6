// SPDX-License-Identifier: BSD-3-Clause
// The dictionary of communicators: the endpoints' side has numbers, this side the MPI's handles.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace raddle::proxy {

class Communicators {
 public:
  static constexpr std::uint32_t most = 1U << 20U;

  /// Collective over those listed. @param ranks  in the job's world, in the order of the new ranks
  /// @returns an MPI error code
  int make(std::uint32_t number, std::span<const std::int32_t> ranks);
  /// Of all ranks of another one, for collectives only. It can be used when the request is complete.
  int duplicate(std::uint32_t number, std::uint32_t made, MPI_Request& request);
  /// @returns whether there was one
  bool free(std::uint32_t number);
  /// MPI_COMM_NULL: there is none. @param unseen  the one for messages that the program does not see
  [[nodiscard]] MPI_Comm get(std::uint32_t number, bool unseen) const;
  [[nodiscard]] int size_of(std::uint32_t number) const;
  void free_all();

 private:
  struct Entry {
    MPI_Comm program = MPI_COMM_NULL;
    MPI_Comm hidden = MPI_COMM_NULL;
    int size = 0;
  };
  [[nodiscard]] bool can_be_made(std::uint32_t number) const;
  Entry& entry(std::uint32_t number);

  std::vector<std::unique_ptr<Entry>> all_;  ///< they stay where they are
};

}  // namespace raddle::proxy
