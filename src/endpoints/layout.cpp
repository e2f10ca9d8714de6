// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/layout.hpp"

#include <cstdint>

#include "endpoints/layout_types.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::endpoints {
namespace {

std::ptrdiff_t first_byte(const Part& part) {
  return part.offset + (part.loop == nullptr ? 0 : first_byte(part.loop->parts.front()));
}

std::byte* address(const void* buffer, std::ptrdiff_t offset) {
  const std::uintptr_t place = reinterpret_cast<std::uintptr_t>(buffer) + static_cast<std::uintptr_t>(offset);
  return reinterpret_cast<std::byte*>(place);  // NOLINT(performance-no-int-to-ptr): of MPI_BOTTOM it is all there is
}

}  // namespace

int Layout::describe_other(const void* buffer, MPI_Count count, MPI_Datatype type) {
  if (count < 0) return MPI_ERR_COUNT;
  if (count == 0 && platform::quirks().nothing_has_any_type) {
    body_ = {nullptr, 0, nullptr};
    return MPI_SUCCESS;
  }
  const std::shared_ptr<const Shape>* known = nullptr;
  if (const int code = shape_of(type, known); code != MPI_SUCCESS) return code;
  const Shape& shape = **known;
  const Part& element = shape.element;
  const auto elements = static_cast<std::size_t>(count);
  body_ = {address(buffer, first_byte(element)), element.bytes * elements, nullptr};
  if (body_.bytes == 0) return MPI_SUCCESS;
  if (body_.data == nullptr) return MPI_ERR_BUFFER;
  const bool in_one_piece =
      element.loop == nullptr && (count == 1 || shape.extent == static_cast<std::ptrdiff_t>(element.bytes));
  if (in_one_piece) return MPI_SUCCESS;
  if (!walk_) walk_ = std::make_unique<Walk>();
  walk_->start(address(buffer, 0), elements, *known);
  body_.scattered = walk_.get();
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints
