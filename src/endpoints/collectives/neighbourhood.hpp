// SPDX-License-Identifier: BSD-3-Clause
// One endpoint's part in a collective on neighbours (MPI-4.1 section 8.6): a message to each and from each, with a tag
// that programs have not got. Messages from one endpoint to another stay in order, so those of one collective after the
// other do.
#pragma once

#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {
class Endpoint;
class Request;
struct Neighbours;
}  // namespace raddle::endpoints

namespace raddle::endpoints::collectives {

class Neighbourhood {
 public:
  struct Arguments {
    Pieces out;
    bool to_each = false;  ///< one for each destination, or one for all
    Pieces in;             ///< one for each source
  };
  Neighbourhood() = default;
  Neighbourhood(const Neighbourhood&) = delete;
  Neighbourhood& operator=(const Neighbourhood&) = delete;
  ~Neighbourhood() = default;

  /// Begins. @pre the endpoint's communicator has a topology @returns an MPI error code; then nothing has begun
  int start(Endpoint& endpoint, const Arguments& arguments);
  /// Makes persistent messages, for again(). Collective, since they need a tag of their own: persistent collectives may
  /// be started in any order (section 6.13). @returns an MPI error code
  int make(Endpoint& endpoint, const Arguments& arguments);
  /// Starts them. @pre made, and not under way @returns an MPI error code
  int again();

  /// Any thread may ask.
  [[nodiscard]] bool complete() const;
  /// Of one that is complete: the first error.
  [[nodiscard]] int error() const;

  // The program knows of the end, or gives up; as Request's.
  void retire();
  void abandon();

 private:
  [[nodiscard]] static int check(const Neighbours& neighbours, const Arguments& arguments);
  void receive(Endpoint& endpoint, const Pieces& room, int piece, int source);
  void send(Endpoint& endpoint, const Pieces& message, int piece, int to);

  std::vector<Request*> messages_;  ///< but those that were complete at once
  mutable std::atomic<std::size_t> ended_{0};
};

}  // namespace raddle::endpoints::collectives
namespace raddle::endpoints::collectives {

// The request of a nonblocking or persistent collective on neighbours (MPI-4.1 sections 8.7 and 8.8).

/// Ends itself when the program has been told of the end, or has given it up.
class NeighbourhoodRequest final : public Request {
 public:
  /// @param messages under way, or made to be persistent
  NeighbourhoodRequest(Endpoint& endpoint, std::unique_ptr<Neighbourhood> messages, bool persistent);
  NeighbourhoodRequest(const NeighbourhoodRequest&) = delete;
  NeighbourhoodRequest& operator=(const NeighbourhoodRequest&) = delete;
  ~NeighbourhoodRequest() override;

  [[nodiscard]] Result result() const override { return {.error = messages_->error()}; }
  int start() override;
  void cancel() override {}  // an error of the program: collectives cannot be cancelled
  void retire() override;
  void abandon() override;

 private:
  [[nodiscard]] Ended ask() const override;

  std::unique_ptr<Neighbourhood> messages_;
};

}  // namespace raddle::endpoints::collectives
