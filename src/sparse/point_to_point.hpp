// SPDX-License-Identifier: BSD-3-Clause
// Messages on their way out, and on their way in, where nobody has told their number and sizes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "sparse/algorithm.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

class Sender {
 public:
  Sender(const Round& round, Kind kind) : comm_(round.comm), tag_(round.tag(kind)) {}

  /// The bytes stay where they are until done().
  void send(const Message& message);
  /// The same; it is out only when its receiver has it.
  void send_synchronously(const Message& message);

  /// Whether all are out. @returns the same from then on
  [[nodiscard]] bool done();

 private:
  MPI_Comm comm_;
  int tag_;
  std::vector<MPI_Request> requests_;
  std::size_t out_ = 0;  ///< of the first ones, so many are out
};

class Receiver {
 public:
  Receiver(const Round& round, Kind kind, Sink& sink) : comm_(round.comm), tag_(round.tag(kind)), sink_(&sink) {}

  /// Begins to receive what is there, from that rank or from any; at most so many messages.
  /// @returns how many
  std::size_t look(std::size_t most, int source = MPI_ANY_SOURCE);
  /// So many of that rank's are to come: settle() looks for them.
  void await(int source, std::size_t messages) { awaited_.push_back({source, messages}); }
  /// Begins to receive one of a known size.
  void expect(int source, std::size_t bytes);

  /// Hands on those that are all there. @returns whether something has moved
  bool settle();
  /// Whether none is half there, or awaited.
  [[nodiscard]] bool idle() const { return handed_on_ == coming_.size() && awaited_.empty(); }

  /// How many look() takes of those that it may, so that a step stays short.
  static constexpr std::size_t some = 64;

 private:
  struct Awaited {
    int source;
    std::size_t left;
  };

  struct Coming {
    Coming(MPI_Request under_way, int from, std::span<std::byte> into) : request(under_way), source(from), room(into) {}
    MPI_Request request;
    int source;
    std::span<std::byte> room;
  };

  MPI_Comm comm_;
  int tag_;
  Sink* sink_;
  std::vector<Awaited> awaited_;
  std::vector<Coming> coming_;  ///< handed on in this order
  std::size_t handed_on_ = 0;   ///< of these, so many
};

}  // namespace raddle::sparse
