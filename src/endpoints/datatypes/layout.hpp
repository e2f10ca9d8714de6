// SPDX-License-Identifier: BSD-3-Clause
// From MPI's description of a message (buffer, count, datatype) to the engines' (body.hpp).
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "endpoints/datatypes/body.hpp"
#include "endpoints/datatypes/scattered.hpp"
#include "endpoints/handles/handles.hpp"

namespace raddle::endpoints {

// The sizes of the datatypes that messages are mostly made of, for a look-up that costs next to nothing. Knows no MPI.

/// Handles that are never freed, with sizes: an open-addressing table that is only added to, and that lies in one
/// place, so that a reader loads nothing but the entry.
class NamedSizes {
 public:
  /// @returns the size in bytes of one element, 0 if the handle has not been put in
  [[nodiscard]] std::size_t find(std::uint64_t handle) const noexcept {
    for (std::size_t at = home(handle);; at = (at + 1) % capacity) {
      const NamedSize& entry = entries_[at];
      const std::uint64_t key = entry.handle.load(std::memory_order_acquire);
      if (key == handle) [[likely]] {
        const std::size_t size = entry.size.load(std::memory_order_relaxed);
        if (size == 0) __builtin_unreachable();
        return size;
      }
      if (key == 0) return 0;
    }
  }

  /// @param size  not 0
  /// One thread at a time. Leaves a handle out that does not fit any more: it is slower then, that is all.
  void insert(std::uint64_t handle, std::size_t size) {
    if (find(handle) != 0 || 2 * (used_ + 1) > capacity) return;
    ++used_;
    std::size_t at = home(handle);
    while (entries_[at].handle.load(std::memory_order_relaxed) != 0) at = (at + 1) % capacity;
    entries_[at].size.store(size, std::memory_order_relaxed);
    entries_[at].handle.store(handle, std::memory_order_release);
  }

 private:
  static constexpr std::size_t capacity = 256;  ///< MPI names about 70 datatypes

  struct NamedSize {
    std::atomic<std::uint64_t> handle{0};  ///< 0: nothing is here, and no datatype has this handle
    std::atomic<std::size_t> size{0};
  };

  static constexpr std::size_t home(std::uint64_t handle) {
    return static_cast<std::size_t>((handle * 0x9e3779b97f4a7c15U) >> 56U);
  }

  std::array<NamedSize, capacity> entries_;
  std::size_t used_ = 0;
};

inline constinit NamedSizes named_sizes;

/// The bytes of a message of elements that MPI has named, which is what most messages are: they lie in one piece.
/// Otherwise, and where anything is wrong with the arguments, nothing: Layout::describe() says what.
inline std::optional<std::span<std::byte>> in_one_piece(const void* buffer, MPI_Count count, MPI_Datatype type) {
  const std::size_t size = named_sizes.find(bits(type));
  if (size == 0 || count < 0 || (buffer == nullptr && count > 0)) [[unlikely]]
    return std::nullopt;
  // The buffer of a send is const, and is only read.
  auto* const data =
      static_cast<std::byte*>(const_cast<void*>(buffer));  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  return std::span(data, size * static_cast<std::size_t>(count));
}

/// Where one message lies. May be used again for another one, then mostly without allocating.
class Layout {
 public:
  /// `count` elements of `type` at `buffer` (MPI_BOTTOM: the datatype has addresses). The datatype may be freed
  /// afterwards. Needs no thread level, but at the first message of a datatype.
  /// @returns an MPI error code, of class MPI_ERR_COUNT (negative), MPI_ERR_TYPE (null, not committed, or of a
  ///   constructor that Raddle does not know) or MPI_ERR_BUFFER (bytes at the null address)
  [[nodiscard]] int describe(const void* buffer, MPI_Count count, MPI_Datatype type) {
    const auto piece = in_one_piece(buffer, count, type);
    if (!piece) [[unlikely]]
      return describe_other(buffer, count, type);
    body_ = {piece->data(), piece->size(), nullptr};
    return MPI_SUCCESS;
  }

  /// The same message once more (MPI-4.1 section 3.9).
  void again() {
    if (body_.scattered != nullptr) walk_->again();
  }

  /// Valid until the next describe(), and as long as this is.
  [[nodiscard]] const Body& body() const { return body_; }

 private:
  [[nodiscard, gnu::cold]] int describe_other(const void* buffer, MPI_Count count, MPI_Datatype type);

  Body body_;
  std::unique_ptr<Walk> walk_;  ///< made for the first message that needs it
};

// The shapes of the datatypes that have been used in messages: made once, forgotten when the MPI forgets the datatype.

/// The shape of `type`, in `shape`, which stays while the datatype does. Any thread may ask; the first who asks for a
/// datatype calls the MPI, others do not.
/// @returns an MPI error code: MPI_ERR_TYPE for a datatype that is null or not committed
int shape_of(MPI_Datatype type, const std::shared_ptr<const Shape>*& shape);

// MPI has no call that asks whether a datatype is committed; it can only be used, to see whether that is an error.

/// Whether the MPI lets `type` be used in messages. One thread at a time.
bool committed(MPI_Datatype type);

}  // namespace raddle::endpoints
