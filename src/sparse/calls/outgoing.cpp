// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/calls/outgoing.hpp"

#include <string>

#include "endpoints/errors.hpp"
#include "endpoints/layout.hpp"
#include "platform/must.hpp"

namespace raddle::sparse {
namespace {

using endpoints::error_with;
using endpoints::Failure;

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

Outgoing::Outgoing(const Given& given, int size) : type_(given.type) {
  check_numbers(given, size);
  if (type_ == MPI_DATATYPE_NULL) throw Failure(MPI_ERR_TYPE);
  endpoints::Layout none;
  if (const int code = none.describe(nullptr, 0, type_); code != MPI_SUCCESS) throw Failure(code);
  MPI_Aint lower = 0;
  MPI_Aint extent = 0;
  platform::must("MPI_Type_get_extent", PMPI_Type_get_extent(type_, &lower, &extent));
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

void Outgoing::add(int rank, const std::byte* from, MPI_Count elements) {
  endpoints::Layout layout;
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

void Outgoing::refresh() {
  endpoints::Layout layout;
  for (const Copied& copy : copied_) {
    endpoints::check(layout.describe(copy.from, copy.elements, kept_->type()));
    endpoints::copy_out(layout.body(), copy.bytes.get());
  }
}

}  // namespace raddle::sparse
