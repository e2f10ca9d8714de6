// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/calls/data.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::sparse {
namespace {

using endpoints::error_with;
using endpoints::Failure;
using endpoints::Layout;
using platform::check;
using platform::must;

void check_numbers(const Given& given, int size) {
  if (given.count < 0) throw Failure(error_with(MPI_ERR_COUNT, "Raddle: the number of messages is negative"));
  if (given.count > 0 && (given.dests == nullptr || given.offsets == nullptr))
    throw Failure(error_with(MPI_ERR_ARG, "Raddle: there are messages, but no ranks or offsets"));
  for (int i = 0; i < given.count; ++i) {
    const int rank = given.dests[i];
    if (rank != MPI_PROC_NULL && (rank < 0 || rank >= size)) throw Failure(MPI_ERR_RANK);
    if (given.offsets[i] > given.offsets[i + 1])
      throw Failure(error_with(MPI_ERR_COUNT, "Raddle: the offsets of the messages of a sparse exchange descend"));
  }
}

}  // namespace

Element::Element(MPI_Datatype type) : type_(type), size_(endpoints::named_sizes.find(endpoints::bits(type))) {
  if (size_ != 0) {
    extent_ = static_cast<MPI_Aint>(size_);
    return;
  }
  if (type == MPI_DATATYPE_NULL) throw Failure(MPI_ERR_TYPE);
  Layout layout;
  check(layout.describe(nullptr, 0, type));
  MPI_Count size = 0;
  MPI_Aint lower = 0;
  MPI_Aint true_lower = 0;
  MPI_Aint true_extent = 0;
  must("MPI_Type_size_x", PMPI_Type_size_x(type, &size));
  must("MPI_Type_get_extent", PMPI_Type_get_extent(type, &lower, &extent_));
  must("MPI_Type_get_true_extent", PMPI_Type_get_true_extent(type, &true_lower, &true_extent));
  size_ = static_cast<std::size_t>(size);
  // Asks of an address that is none: nothing is read there.
  alignas(std::max_align_t) std::byte somewhere{};
  check(layout.describe(&somewhere - true_lower, 2, type));
  plain_ = size_ == 0 || (layout.body().scattered == nullptr && true_lower == 0);
  own_.copy(type);
  type_ = own_.get();
}

std::optional<MPI_Count> Element::count(std::size_t bytes) const {
  if (size_ == 0) return bytes == 0 ? std::optional<MPI_Count>(0) : std::nullopt;
  if (bytes % size_ != 0) return std::nullopt;
  return static_cast<MPI_Count>(bytes / size_);
}

Elements Element::room(MPI_Count count) const {
  if (count == 0) return {};
  MPI_Aint lower = 0;
  MPI_Aint length = 0;
  must("MPI_Type_get_true_extent", PMPI_Type_get_true_extent(type_, &lower, &length));
  const MPI_Aint last = static_cast<MPI_Aint>(count - 1) * extent_;
  const MPI_Aint first = std::min<MPI_Aint>(last, 0) + lower;
  const MPI_Aint end = std::max<MPI_Aint>(last, 0) + lower + length;
  Elements elements;
  elements.memory = std::make_unique<std::byte[]>(static_cast<std::size_t>(end - first));
  elements.data = elements.memory.get() - first;
  return elements;
}

void Element::unpack(std::span<const std::byte> bytes, void* to) const {
  if (bytes.empty()) return;
  Layout layout;
  check(layout.describe(to, static_cast<MPI_Count>(bytes.size() / size_), type_));
  const endpoints::Body& body = layout.body();
  if (body.scattered != nullptr) {
    body.scattered->scatter(bytes);
  } else {
    std::ranges::copy(bytes, body.data);
  }
}

int not_whole() {
  return error_with(MPI_ERR_TRUNCATE,
                    "Raddle: a message of a sparse exchange is not of whole elements of the receive datatype");
}

void fill_in(std::unique_ptr<Store> store, Raddle_Sparse_messages& received) {
  Store& kept = *store.release();
  received = {static_cast<int>(kept.ranks.size()), kept.ranks.data(), kept.offsets.data(), kept.elements.data, &kept};
}

int fill_in(Rows&& rows, const Element& element, Raddle_Sparse_messages& received) {
  received = nothing;
  auto store = std::make_unique<Store>();
  for (std::size_t i = 0; i + 1 < rows.offsets.size(); ++i) {
    if (!element.count(rows.offsets[i + 1] - rows.offsets[i])) return not_whole();
  }
  store->offsets.reserve(rows.offsets.size());
  for (const std::size_t offset : rows.offsets) store->offsets.push_back(*element.count(offset));
  if (element.plain()) {
    store->elements = {std::move(rows.data), nullptr};
    store->elements.data = store->elements.memory.get();
  } else {
    store->elements = element.room(store->offsets.back());
    element.unpack({rows.data.get(), rows.offsets.back()}, store->elements.data);
  }
  store->ranks = std::move(rows.ranks);
  fill_in(std::move(store), received);
  return MPI_SUCCESS;
}

OutgoingMessages::OutgoingMessages(const Given& given, int size) : type_(given.type) {
  check_numbers(given, size);
  if (type_ == MPI_DATATYPE_NULL) throw Failure(MPI_ERR_TYPE);
  Layout none;
  if (const int code = none.describe(nullptr, 0, type_); code != MPI_SUCCESS) throw Failure(code);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  must("MPI_Type_get_extent", PMPI_Type_get_extent(type_, &lower, &extent));
  const auto* const data = static_cast<const std::byte*>(given.data);
  for (int i = 0; i < given.count; ++i) {
    if (given.dests[i] == MPI_PROC_NULL) {
      numbers_.push_back(-1);
      continue;
    }
    numbers_.push_back(static_cast<int>(messages_.size()));
    const MPI_Count elements = given.offsets[i + 1] - given.offsets[i];
    add(given.dests[i], elements == 0 ? data : data + given.offsets[i] * extent, elements);
  }
  if (!copied_.empty()) kept_ = std::make_unique<Element>(type_);
}

void OutgoingMessages::add(int rank, const std::byte* from, MPI_Count elements) {
  Layout layout;
  if (const int code = layout.describe(from, elements, type_); code != MPI_SUCCESS) throw Failure(code);
  const endpoints::Body& body = layout.body();
  if (body.scattered == nullptr) {
    messages_.push_back({rank, {body.data, body.bytes}});
    return;
  }
  Copied& copy = copied_.emplace_back(from, elements, std::make_unique_for_overwrite<std::byte[]>(body.bytes));
  endpoints::copy_out(body, copy.bytes.get());
  messages_.push_back({rank, {copy.bytes.get(), body.bytes}});
}

void OutgoingMessages::refresh() {
  Layout layout;
  for (const Copied& copy : copied_) {
    check(layout.describe(copy.from, copy.elements, kept_->type()));
    endpoints::copy_out(layout.body(), copy.bytes.get());
  }
}

}  // namespace raddle::sparse
