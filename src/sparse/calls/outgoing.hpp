// SPDX-License-Identifier: BSD-3-Clause
// The messages that a program gives, as bytes.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sparse/calls/element.hpp"
#include "sparse/message.hpp"

namespace raddle::sparse {

/// The arguments of all exchanges, as raddle.h has them.
struct Given {
  const void* data;
  int count;
  const int* dests;
  const MPI_Count* offsets;
  MPI_Datatype type;
};

class Outgoing {
 public:
  /// @param size  of the communicator @throws endpoints::Failure: bad arguments
  Outgoing(const Given& given, int size);

  /// Without those for MPI_PROC_NULL. Their bytes are the program's where its datatype allows that, and a copy of when
  /// this was made, or refresh() was called, otherwise.
  [[nodiscard]] std::span<const Message> messages() const { return messages_; }
  /// By message of the program's: its number among messages(), or -1.
  [[nodiscard]] const std::vector<int>& numbers() const { return numbers_; }

  /// Takes what is in the program's memory now.
  void refresh();

 private:
  struct Copied {
    Copied(const std::byte* place, MPI_Count number, std::unique_ptr<std::byte[]> room)
        : from(place), elements(number), bytes(std::move(room)) {}
    const std::byte* from;
    MPI_Count elements;
    std::unique_ptr<std::byte[]> bytes;
  };

  void add(int rank, const std::byte* from, MPI_Count elements);

  MPI_Datatype type_;              ///< the program's, who may free it
  std::unique_ptr<Element> kept_;  ///< the same, where it is needed again
  std::vector<Message> messages_;
  std::vector<int> numbers_;
  std::vector<Copied> copied_;
};

}  // namespace raddle::sparse
