// SPDX-License-Identifier: BSD-3-Clause
// The proxies of this process: one for each endpoint that it may have of a communicator.
//
// The launcher starts 1 + E processes for each of the program. Of 1 + E consecutive ranks the first is the process, the
// others become its proxies before their main (become_proxy()): a program of their own, which needs no thread level.
// The program's MPI_COMM_WORLD is what processes have left when proxies are out (endpoints/rank.hpp).
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engines/inbox.hpp"
#include "engines/proxy/area.hpp"
#include "engines/proxy/command.hpp"
#include "node/alive.hpp"
#include "node/shared_segment.hpp"

namespace raddle::proxy {

/// The program of proxies, beside the library that the address is in.
std::string program_beside(const void* library);

/// Before main. Does not return in a process that the launcher has started for a proxy.
/// @param library  an address in libraddle, beside which the program of proxies lies
void become_proxy_if_it_is_one(const void* library);

/// After MPI_Init: begins to work with the proxies, if there are any, or ends the job with a message. Collective.
void join();
/// Before MPI_Finalize: the proxies end as well. @pre no endpoint is left
void leave();

class Proxies {
 public:
  /// Data up to this length follow their command: one copy in, and one out.
  static constexpr std::size_t most_following = 1024;

  /// nullptr: this process has none.
  [[nodiscard]] static Proxies* get();

  /// How the proxies' ranks among the processes that they make communicators of follow from the process's.
  struct Numbering {
    int stride;  ///< from those of one process to those of the next
    int first;   ///< of process 0
  };
  Proxies(int each, const Numbering& numbering, node::SharedSegment memory);
  Proxies(const Proxies&) = delete;
  Proxies& operator=(const Proxies&) = delete;

  /// For each process.
  [[nodiscard]] int each() const { return each_; }
  /// Rank of a proxy in the proxies' MPI_COMM_WORLD. @param process  its rank in the program's
  [[nodiscard]] int rank_of(int process, int proxy) const {
    return process * numbering_.stride + numbering_.first + proxy;
  }
  /// Whether contexts, proxies among them, exceed CPUs.
  [[nodiscard]] bool crowded() const { return crowded_; }

  [[nodiscard]] Heap& heap() { return heap_; }
  [[nodiscard]] const Area& area() const { return area_; }

  /// Any thread. Commands of one thread are carried out in their order. Waits while the proxy's inbox is full.
  /// @param following  bytes of data that follow it, put there by `fill`
  template <typename Fill>
  void post(int proxy, const Command& command, std::size_t following, Fill&& fill) {
    const engines::Inbox::Claim claim = claim_room(proxy, sizeof(Command) + following);
    std::memcpy(claim.place, &command, sizeof command);
    fill(claim.place + sizeof(Command));
    area_.inbox(proxy).publish(claim);
    area_.doorbell(proxy).ring();
  }
  void post(int proxy, const Command& command) {
    post(proxy, command, 0, [](std::byte*) {});
  }

  /// A caller waits for the proxy: it has to make progress.
  void wake(int proxy) {
    if (area_.doorbell(proxy).sleeps()) area_.doorbell(proxy).ring();
  }

  /// A line for an answer, and its return.
  [[nodiscard]] Answer* take_answer();
  void give_back(Answer* answer);

  /// A number for a communicator, the same for all proxies of this process.
  [[nodiscard]] std::uint32_t take_number();
  void give_back(std::uint32_t number);

  // By join(): once they are there.
  void set_crowded(bool crowded) { crowded_ = crowded; }
  /// @param process  this one's rank in the program's MPI_COMM_WORLD
  void begin(int process);
  /// They have been told to end, and do.
  void end();

 private:
  [[nodiscard]] engines::Inbox::Claim claim_room(int proxy, std::size_t bytes);
  [[noreturn]] static void end_the_job(int process, int proxy);

  int each_;
  Numbering numbering_;
  bool crowded_ = false;
  node::SharedSegment memory_;
  Area area_;
  Heap heap_;
  std::vector<std::unique_ptr<engines::Inbox::Sender>> senders_;  ///< by proxy
  std::mutex guard_;
  std::vector<Answer*> answers_;  ///< that nobody uses
  std::vector<std::uint32_t> numbers_;
  std::uint32_t next_number_ = 0;
  std::optional<node::Alive> alive_;
  std::vector<std::unique_ptr<node::Watcher>> watchers_;  ///< by proxy
};

}  // namespace raddle::proxy
