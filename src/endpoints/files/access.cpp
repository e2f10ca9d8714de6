// SPDX-License-Identifier: BSD-3-Clause
// Data access (MPI-4.1 section 14.4). What is moved has been moved when a call returns, also one that does not have to
// wait.
#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>

#include "endpoints/communicators/communicator.hpp"
#include "endpoints/datatypes/layout.hpp"
#include "endpoints/datatypes/staged.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/files/external32.hpp"
#include "endpoints/files/file.hpp"
#include "endpoints/files/transfer.hpp"

namespace raddle::endpoints {
namespace {

int split_is_open() {
  return error_with(MPI_ERR_IO, "Raddle: a split collective operation on the file has begun and not ended");
}

}  // namespace

int File::allowed(const Transfer& transfer) const {
  const bool by_shared = transfer.where == Where::shared || transfer.where == Where::ordered;
  if (sequential() && !by_shared) return MPI_ERR_UNSUPPORTED_OPERATION;
  if (transfer.writes && (mode_ & MPI_MODE_RDONLY) != 0) return MPI_ERR_READ_ONLY;
  if (!transfer.writes && (mode_ & MPI_MODE_WRONLY) != 0) return MPI_ERR_ACCESS;
  return transfer.together && split_ ? split_is_open() : MPI_SUCCESS;
}

int File::place(const Transfer& transfer, MPI_Offset offset, std::int64_t etypes, std::int64_t& found) {
  switch (transfer.where) {
    case Where::given:
      found = offset;
      return MPI_SUCCESS;
    case Where::individual:
      found = pointer_.fetch_add(etypes);
      return MPI_SUCCESS;
    case Where::shared:
      return add_to_shared(etypes, found);
    case Where::ordered:
      break;
  }
  // One rank moves the pointer for all.
  std::int64_t before = 0;
  check(PMPI_Exscan(&etypes, &before, 1, MPI_INT64_T, MPI_SUM, comm()));
  if (rank() == 0) before = 0;  // MPI_Exscan says nothing of it
  const int last = endpoint().size() - 1;
  int code = rank() == last ? add_to_shared(before + etypes, found) : MPI_SUCCESS;
  check(PMPI_Bcast(&found, 1, MPI_INT64_T, last, comm()));
  found += before;
  return code;
}

int File::transfer_at(const Transfer& transfer, std::int64_t position, std::span<std::byte> data, std::size_t& done) {
  const bool waits = transfer.together && !transfer.at_once;
  std::optional<Disk::Lock> lock;
  if (atomic_ && !data.empty()) {
    const std::int64_t first = view_.offset(position);
    const std::int64_t last = view_.offset(position + static_cast<std::int64_t>(data.size()) - 1);
    lock.emplace(disk_, first, view_.ascends() ? last - first + 1 : 0, transfer.writes);
    if (lock->error() != 0) return file_error(lock->error());
  }
  if (waits && !atomic_) {
    Merging::Part part{&view_, position, data, transfer.writes, 0};
    if (!transfer.writes) static_cast<void>(disk_.size(part.size));
    return file_error(merging_->run(endpoint(), transfer.call, member_, part, disk_, done));
  }
  done = data.size();
  return file_error(transfer.writes ? write_seen(disk_, view_, position, data)
                                    : read_seen(disk_, view_, position, data, done));
}

int File::move(const Transfer& transfer, MPI_Offset offset, const Buffer& buffer, std::size_t& bytes) {
  bytes = 0;
  Layout layout;
  int code = allowed(transfer);
  if (code == MPI_SUCCESS && transfer.where == Where::given && offset < 0) code = MPI_ERR_ARG;
  if (code == MPI_SUCCESS) code = layout.describe(buffer.address, buffer.count, buffer.type);
  Words words;
  if (code == MPI_SUCCESS && converts()) code = words_of(buffer.type, words);
  std::int64_t etypes = 0;
  if (code == MPI_SUCCESS) {
    const auto all = static_cast<std::int64_t>(layout.body().bytes);
    etypes = all / etype_bytes_;
    if (all % etype_bytes_ != 0)
      code = error_with(MPI_ERR_IO, "Raddle: what is moved to or from a file is not made of whole etypes");
    else if (all > 0 && view_.empty())
      code = error_with(MPI_ERR_IO, "Raddle: a rank that sees nothing of a file moves something");
  }
  // Who has an error still does what others wait for.
  const bool others_wait = transfer.where == Where::ordered || (transfer.together && !transfer.at_once);
  if (code != MPI_SUCCESS && !others_wait) return code;
  if (code != MPI_SUCCESS) etypes = 0;
  std::int64_t at = 0;
  const int placed = place(transfer, offset, etypes, at);
  const Body nothing;
  const Body& body = code == MPI_SUCCESS && placed == MPI_SUCCESS ? layout.body() : nothing;
  const auto move_in = [&](auto&& memory) {
    const int result = transfer_at(transfer, at * etype_bytes_, memory.bytes(), bytes);
    if (!transfer.writes) memory.put_back(bytes);
    return result;
  };
  const int moved =
      converts() ? move_in(InExternal32(body, words, transfer.writes)) : move_in(Staged(body, transfer.writes));
  if (transfer.where == Where::individual && code == MPI_SUCCESS)
    pointer_ -= etypes - static_cast<std::int64_t>(bytes) / etype_bytes_;
  return code != MPI_SUCCESS ? code : placed != MPI_SUCCESS ? placed : moved;
}

int File::begin(const Transfer& transfer, MPI_Offset offset, const Buffer& buffer) {
  std::size_t bytes = 0;
  const int code = move(transfer, offset, buffer, bytes);
  if (code == MPI_SUCCESS) split_ = Split{transfer.writes, transfer.where, bytes};
  return code;
}

int File::end(bool writes, Where where, std::size_t& bytes) {
  bytes = 0;
  if (!split_ || split_->writes != writes || split_->where != where)
    return error_with(MPI_ERR_IO, "Raddle: no such split collective operation on the file has begun");
  bytes = split_->bytes;
  split_.reset();
  return MPI_SUCCESS;
}

}  // namespace raddle::endpoints
