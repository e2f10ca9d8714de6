// SPDX-License-Identifier: BSD-3-Clause
// What a collective sends or receives, as the proxy's MPI is told of it: bytes in the memory that both see. Where the
// program's pieces are not there in one way, they are copied into it or out of it.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "endpoints/collectives/pieces.hpp"
#include "engines/proxy/proxies.hpp"

namespace raddle::proxy {

class Buffer {
 public:
  explicit Buffer(Proxies& proxies) : proxies_(proxies) {}
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  // Each returns an MPI error code.
  /// Pieces that are sent; `copy`: from where they lie the proxy must not send.
  int send(const endpoints::collectives::Pieces& pieces, int count, bool copy);
  /// Only one of them.
  int send_one(const endpoints::collectives::Pieces& pieces, int piece);
  /// Pieces that are received, of which `except` (or -1) is left as it is.
  int receive(const endpoints::collectives::Pieces& pieces, int count, int except);
  /// Memory that is received and not looked at. @param length  of it as the MPI is told
  int receive_nowhere(std::size_t bytes, std::size_t length);
  /// Elements as they lie in memory, of one of MPI's own datatypes.
  int send(const void* elements, MPI_Datatype type, std::int64_t count, bool copy);
  int receive(void* elements, MPI_Datatype type, std::int64_t count);

  /// Whether what was received has to be put into its place.
  [[nodiscard]] bool copies() const { return receives_; }
  /// Does that. @returns an MPI error code
  int deliver();
  void release();

  [[nodiscard]] std::uint64_t place() const { return place_; }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// As they follow the Collective: lengths, then displacements.
  [[nodiscard]] const std::vector<std::int64_t>& lengths() const { return lengths_; }
  [[nodiscard]] const std::vector<std::int64_t>& places() const { return places_; }

 private:
  using Pieces = endpoints::collectives::Pieces;
  int measure(const Pieces& pieces, int count);
  bool lies_in_heap(const Pieces& pieces, int count);
  int stage(std::size_t bytes);

  Proxies& proxies_;
  std::uint64_t place_ = 0;
  std::uint64_t bytes_ = 0;
  std::vector<std::int64_t> lengths_;
  std::vector<std::int64_t> places_;
  void* staged_ = nullptr;
  bool receives_ = false;  ///< into pieces_, which lie elsewhere
  Pieces pieces_;
  int count_ = 1;
  int except_ = -1;
  bool packed_ = true;  ///< pieces come as bytes without gaps; false: as they lie in memory
};

}  // namespace raddle::proxy
