// SPDX-License-Identifier: BSD-3-Clause
// How the blocks of a part reach the other parts: the only thing that differs between versions.
#pragma once

#include <mpi.h>

#include "slab.hpp"

namespace fft {

class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Sends each block that leaves to its part and receives one from each. By one thread for the part.
  virtual void move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) = 0;
};

/// Where parts are ranks: processes, or threads with an endpoint each.
class AllToAll final : public Exchange {
 public:
  /// @param row  datatype of n2 cells
  AllToAll(MPI_Comm comm, MPI_Datatype row) : comm_(comm), row_(row) {}
  void move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) override;

 private:
  MPI_Comm comm_;
  MPI_Datatype row_;
};

/// Where parts are threads that share a communicator, on which they cannot all be in a collective: messages, which tags
/// keep apart. Part p is thread p % threads of process p / threads.
class Messages final : public Exchange {
 public:
  Messages(MPI_Comm comm, MPI_Datatype row, int thread, int threads, std::size_t cells_of_row)
      : comm_(comm), row_(row), thread_(thread), threads_(threads), length_(cells_of_row) {}
  void move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) override;

 private:
  MPI_Comm comm_;
  MPI_Datatype row_;
  int thread_;
  int threads_;
  std::size_t length_;
};

/// A fault to try the check on: in one exchange the blocks of the first and the last part change places.
class SwappedBlocks final : public Exchange {
 public:
  /// @param number  of the exchange, from 1
  SwappedBlocks(Exchange& right, int number, std::size_t cells_of_row)
      : right_(right), left_(number), length_(cells_of_row) {}
  void move(const Complex* out, const Blocks& leaving, Complex* in, const Blocks& arriving) override;

 private:
  Exchange& right_;
  int left_;
  std::size_t length_;
};

}  // namespace fft
