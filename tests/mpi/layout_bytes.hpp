// SPDX-License-Identifier: BSD-3-Clause
// What tests of layouts share: datatypes that end, memory for their elements, and messages as engines move them.
#pragma once

#include <gtest/gtest.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "mpi/layout_random.hpp"

namespace raddle::endpoints {

using Bytes = std::vector<std::byte>;
using Fragment = std::function<std::size_t()>;

/// A datatype of this test, committed and freed.
class Type {
 public:
  explicit Type(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
  Type(const Type&) = delete;
  Type& operator=(const Type&) = delete;
  ~Type() { MPI_Type_free(&type_); }
  operator MPI_Datatype() const { return type_; }  // NOLINT(google-explicit-constructor): it is one

 private:
  MPI_Datatype type_;
};

template <typename Make, typename... Arguments>
MPI_Datatype made(Make&& make, const Arguments&... arguments) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  make(arguments..., &type);
  return type;
}

/// Memory that holds elements of a datatype wherever they reach, with a margin around it.
class Memory {
 public:
  Memory(int count, MPI_Datatype type) {
    MPI_Aint lower = 0;
    MPI_Aint extent = 0;
    MPI_Aint begin = 0;
    MPI_Aint length = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &begin, &length);
    const MPI_Aint last = std::max(count - 1, 0) * extent;
    origin_ = margin - begin - std::min<MPI_Aint>(last, 0);
    bytes.resize(static_cast<std::size_t>(2 * margin + length + std::abs(last)));
  }

  void fill(RandomTypes& random) {
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.number(0, 255));
  }
  void* buffer() { return bytes.data() + origin_; }

  Bytes bytes;

 private:
  static constexpr MPI_Aint margin = 64;
  MPI_Aint origin_ = 0;
};

inline Bytes pack(void* buffer, int count, MPI_Datatype type) {
  int room = 0;
  int position = 0;
  MPI_Pack_size(count, type, MPI_COMM_SELF, &room);
  Bytes packed(static_cast<std::size_t>(room) + 1);
  MPI_Pack(buffer, count, type, packed.data(), room, &position, MPI_COMM_SELF);
  packed.resize(static_cast<std::size_t>(position));
  return packed;
}

inline void unpack(Bytes packed, void* buffer, int count, MPI_Datatype type) {
  int position = 0;
  const int size = static_cast<int>(packed.size());
  packed.push_back({});  // so that there is an address
  MPI_Unpack(packed.data(), size, &position, buffer, count, type, MPI_COMM_SELF);
}

/// All bytes of a message, as an engine reads them.
inline Bytes gather(const Body& body, const Fragment& fragment) {
  Bytes stream(body.bytes);
  if (body.scattered == nullptr) {
    if (body.bytes > 0) std::memcpy(stream.data(), body.data, body.bytes);
    return stream;
  }
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t bytes = std::min(fragment(), stream.size() - at);
    body.scattered->gather({stream.data() + at, bytes});
    at += bytes;
  }
  return stream;
}

/// The first bytes of a message, as an engine writes them.
inline void scatter(const Body& body, const Bytes& stream, const Fragment& fragment) {
  if (body.scattered == nullptr) {
    if (!stream.empty()) std::memcpy(body.data, stream.data(), stream.size());
    return;
  }
  for (std::size_t at = 0; at < stream.size();) {
    const std::size_t bytes = std::min(fragment(), stream.size() - at);
    body.scattered->scatter({stream.data() + at, bytes});
    at += bytes;
  }
}

inline std::size_t whole() { return std::size_t{1} << 30U; }

inline Body describe(Layout& layout, const void* buffer, MPI_Count count, MPI_Datatype type) {
  EXPECT_EQ(layout.describe(buffer, count, type), MPI_SUCCESS);
  return layout.body();
}

inline bool in_one_piece(MPI_Datatype type, MPI_Count count = 1) {
  static std::array<std::byte, 4096> buffer;
  Layout layout;
  return describe(layout, buffer.data(), count, type).scattered == nullptr;
}

}  // namespace raddle::endpoints
