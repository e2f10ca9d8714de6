// SPDX-License-Identifier: BSD-3-Clause
// What a proxy does: carries out the commands of its endpoints, in their order, and tells what became of them. It never
// blocks in its MPI but where a communicator is made; all its endpoints' operations go on beside each other.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engines/inbox.hpp"
#include "engines/proxy/area.hpp"
#include "engines/proxy/command.hpp"
#include "engines/proxy/server/underway.hpp"

namespace raddle::proxy {

// The dictionary of communicators: the endpoints' side has numbers, this side the MPI's handles.

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
  struct CommPair {
    MPI_Comm program = MPI_COMM_NULL;
    MPI_Comm hidden = MPI_COMM_NULL;
    int size = 0;
  };
  [[nodiscard]] bool can_be_made(std::uint32_t number) const;
  CommPair& pair(std::uint32_t number);

  std::vector<std::unique_ptr<CommPair>> all_;  ///< they stay where they are
};

class Server {
 public:
  struct Options {
    int proxy = 0;         ///< which of the process's
    int process = 0;       ///< rank in the program's MPI_COMM_WORLD
    bool async = false;    ///< makes progress always, and not only while somebody waits
    bool crowded = false;  ///< others need the CPU
  };
  Server(const Area& area, const Options& options);

  /// Until the process's MPI_Finalize.
  void serve();
  /// The process has ended without. Any thread.
  void orphaned();

 private:
  [[nodiscard]] bool take_commands();
  void carry_out(const Command& command, std::span<const std::byte> following);
  void refuse(const Command& command, const char* why);
  void send(const Command& command, std::span<const std::byte> following, MPI_Comm comm);
  void receive(const Command& command, MPI_Comm comm);
  /// A message that has been matched, into a receive's room.
  void take_in(const Command& command, MPI_Message message, const MPI_Status& status);
  [[nodiscard]] bool match_receives();
  void cancel(const Command& command);
  Operation& begin_receive(const Command& command, std::byte*& room);
  void probe(const Command& command, MPI_Comm comm);
  void create(const Command& command, std::span<const std::byte> data);
  void duplicate(const Command& command);
  void collective(const Command& command, std::span<const std::byte> data, MPI_Comm comm);
  int start(const Collective& call, std::span<const std::int64_t> numbers, int size, MPI_Comm comm,
            Operation& operation, MPI_Request& request) const;
  [[nodiscard]] Answer* answer_of(const Command& command) const;
  void rest();

  Area area_;
  Options options_;
  engines::Inbox::Reader reader_;
  Communicators communicators_;
  Underway underway_;
  struct Taken {
    MPI_Message message;
    MPI_Status status;
  };
  Receives receives_;  ///< where the MPI does not match them itself
  const bool matches_itself_;
  std::map<std::int32_t, Taken> taken_;
  std::int32_t next_taken_ = 0;
  std::uint64_t idle_ = 0;  ///< turns since there was something to do
  bool finished_ = false;
  std::atomic<bool> orphaned_{false};  ///< the process has ended
};

}  // namespace raddle::proxy
