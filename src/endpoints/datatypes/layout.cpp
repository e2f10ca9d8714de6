// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/datatypes/layout.hpp"

#include <atomic>
#include <cstdint>
#include <mutex>

#include "endpoints/datatypes/layout_read.hpp"
#include "endpoints/handles/handle_table.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

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

namespace {

/// What is cached with a datatype.
struct KnownType {
  std::uint64_t handle;
  std::shared_ptr<const Shape> shape;
};

/// Never destroyed: MPI may be called after the destructors of a program have run.
HandleTable& known_types() {
  static std::atomic<std::uint32_t> gate{0};
  static auto& table = *new HandleTable(gate, 1);
  return table;
}

/// The MPI frees a datatype for good: its handle may be given out again from now on.
int forget(MPI_Datatype, int, void* value, void*) {
  const std::unique_ptr<KnownType> known(static_cast<KnownType*>(value));
  known_types().erase(known->handle);
  return MPI_SUCCESS;
}

int keyval() {
  static const int key = [] {
    int made = MPI_KEYVAL_INVALID;
    platform::must("MPI_Type_create_keyval", PMPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, forget, &made, nullptr));
    return made;
  }();
  return key;
}

/// What one element takes, if it is in one piece and the next one follows at once. Else 0.
std::size_t plain_size(const Shape& shape) {
  const Part& element = shape.element;
  const bool plain =
      element.loop == nullptr && element.offset == 0 && shape.extent == static_cast<std::ptrdiff_t>(element.bytes);
  return plain ? element.bytes : 0;
}

int learn(MPI_Datatype type) {
  if (!committed(type)) return MPI_ERR_TYPE;
  const auto shape = std::make_shared<Shape>();
  if (const int code = read_shape(type, *shape); code != MPI_SUCCESS) return code;
  auto known = std::make_unique<KnownType>(KnownType{bits(type), shape});
  const bool predefined = Contents(type).predefined();
  if (const std::size_t size = plain_size(*shape); predefined && size > 0) named_sizes.insert(known->handle, size);
  known_types().insert(known->handle, known.get());  // may throw, and then the datatype must have nothing of it
  if (predefined) {
    static_cast<void>(known.release());
    return MPI_SUCCESS;
  }
  if (const int code = PMPI_Type_set_attr(type, keyval(), known.get()); code != MPI_SUCCESS) {
    known_types().erase(known->handle);
    return code;
  }
  known.release();  // NOLINT(bugprone-unused-return-value): the datatype's now
  return MPI_SUCCESS;
}

}  // namespace

int shape_of(MPI_Datatype type, const std::shared_ptr<const Shape>*& shape) {
  if (type == MPI_DATATYPE_NULL) return MPI_ERR_TYPE;
  const std::uint64_t handle = bits(type);
  void* found = known_types().find(handle);
  if (found == nullptr) {
    static std::mutex guard;
    const std::lock_guard lock(guard);
    found = known_types().find(handle);
    if (found == nullptr) {
      if (const int code = learn(type); code != MPI_SUCCESS) return code;
      found = known_types().find(handle);
    }
  }
  shape = &static_cast<const KnownType*>(found)->shape;
  return MPI_SUCCESS;
}

bool committed(MPI_Datatype type) {
  char nothing = 0;
  int position = 0;
  return PMPI_Pack(&nothing, 0, type, &nothing, 1, &position, comm_to_ask()) == MPI_SUCCESS;
}

}  // namespace raddle::endpoints
