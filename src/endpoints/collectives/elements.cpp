// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/collectives/elements.hpp"

#include <cstring>

#include "endpoints/collectives/pieces.hpp"
#include "endpoints/handles.hpp"
#include "endpoints/layout.hpp"
#include "endpoints/layout_named.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints::collectives {

Elements::Elements(MPI_Datatype type) : type_(type), size_(size_of(type)) {
  if (named_sizes.find(bits(type)) != 0) {
    extent_ = static_cast<MPI_Aint>(size_);
    greatest_ = extent_;
    return;
  }
  MPI_Aint lower = 0;
  MPI_Aint true_extent = 0;
  platform::must("MPI_Type_get_extent", PMPI_Type_get_extent(type, &lower, &extent_));
  platform::must("MPI_Type_get_true_extent", PMPI_Type_get_true_extent(type, &lowest_, &true_extent));
  greatest_ = lowest_ + true_extent;
  dense_ = lowest_ == 0 && extent_ == true_extent && static_cast<MPI_Aint>(size_) == extent_;
}

int Elements::pack(const void* from, std::byte* to, MPI_Count count) const {
  Layout layout;
  if (const int code = layout.describe(from, count, type_); code != MPI_SUCCESS) return code;
  copy_out(layout.body(), to);
  return MPI_SUCCESS;
}

int Elements::unpack(const std::byte* from, void* to, MPI_Count count) const {
  return put({from, packed(count)}, Pieces::uniform(to, count, type_), 0);
}

int Elements::copy(const void* from, void* to, MPI_Count count) const {
  if (count == 0) return MPI_SUCCESS;
  if (dense_) {
    std::memmove(to, from, bytes(count));
    return MPI_SUCCESS;
  }
  std::vector<std::byte> between(packed(count));
  if (const int code = pack(from, between.data(), count); code != MPI_SUCCESS) return code;
  return unpack(between.data(), to, count);
}

void* Elements::room(std::vector<std::byte>& storage, MPI_Count count) const {
  // Extents may be negative.
  const MPI_Aint steps = count > 0 ? static_cast<MPI_Aint>(count - 1) * extent_ : 0;
  const MPI_Aint lowest = lowest_ + (steps < 0 ? steps : 0);
  const MPI_Aint greatest = greatest_ + (steps > 0 ? steps : 0);
  storage.resize(static_cast<std::size_t>(greatest - lowest) + alignof(std::max_align_t));
  // An element is aligned as in memory of the program's: its address, not its first byte.
  const auto first = reinterpret_cast<std::uintptr_t>(storage.data()) - static_cast<std::uintptr_t>(lowest);
  const std::uintptr_t aligned =
      (first + alignof(std::max_align_t) - 1) & ~std::uintptr_t{alignof(std::max_align_t) - 1};
  return storage.data() + (aligned - reinterpret_cast<std::uintptr_t>(storage.data()));
}

}  // namespace raddle::endpoints::collectives
