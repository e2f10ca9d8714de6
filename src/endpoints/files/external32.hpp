// SPDX-License-Identifier: BSD-3-Clause
// The data representation external32 of files (MPI-4.1 section 14.5.2): big endian, IEEE.
//
// Not left to the MPI: of datatypes that MPI_Type_create_struct has made, MPICH 5 cannot convert any, and Intel MPI
// 2021 leaves them as they are (docs/evidence/mpi-notes.md). Supported is what is as long in external32 as in memory,
// so that a view lies in the file as it does in memory.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <vector>

#include "endpoints/datatypes/body.hpp"

namespace raddle::endpoints {

/// The words of which the bytes of one element of a datatype are, in their order.
struct Words {
  std::size_t bytes = 1;       ///< of each word, where there are no parts
  std::vector<Words> parts{};  ///< one after the other
  std::size_t turns = 1;       ///< so often the word or all parts
};

/// @returns an MPI error code that is not raised: of a datatype that is not supported, MPI_ERR_UNSUPPORTED_DATAREP
int words_of(MPI_Datatype type, Words& words);

/// From memory to external32, and back.
/// @param elements  so many, or begun; of the last one only whole words
void swap_words(const Words& words, std::span<std::byte> elements);

/// A program's buffer in external32; like Staged.
class InExternal32 {
 public:
  /// @param body   stays as long as this
  /// @param words  of an element, too
  /// @param reads  the copy has what is in the buffer
  InExternal32(const Body& body, const Words& words, bool reads) : body_(body), words_(words), copy_(body.bytes) {
    if (!reads || copy_.empty()) return;
    copy_out(body, copy_.data());
    swap_words(words_, copy_);
  }

  [[nodiscard]] std::span<std::byte> bytes() { return copy_; }
  /// The first of them have been written.
  void put_back(std::size_t bytes) {
    const std::span<std::byte> come = bytes_of(bytes);
    swap_words(words_, come);
    copy_in(body_, 0, come);
  }

 private:
  [[nodiscard]] std::span<std::byte> bytes_of(std::size_t bytes) { return std::span(copy_).first(bytes); }

  const Body& body_;
  const Words& words_;
  std::vector<std::byte> copy_;
};

}  // namespace raddle::endpoints
