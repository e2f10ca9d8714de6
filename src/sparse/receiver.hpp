// SPDX-License-Identifier: BSD-3-Clause
// Messages on their way in, whose number and sizes nobody has told.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "sparse/round.hpp"
#include "sparse/sink.hpp"

namespace raddle::sparse {

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
