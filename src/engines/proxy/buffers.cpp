// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/buffers.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/errors.hpp"
#include "engines/proxy/proxy_request.hpp"

namespace raddle::proxy {

using endpoints::Layout;
using endpoints::collectives::extent_of;

/// Lengths and, one behind the other, displacements. Pieces of one length are told by one.
int Buffer::measure(const Pieces& pieces, int count) {
  constexpr std::size_t most = std::numeric_limits<int>::max();
  std::size_t all = 0;
  lengths_.clear();
  places_.clear();
  for (int i = 0; i < count; ++i) {
    const std::size_t length = pieces.bytes(i);
    if (length > most || all + length > most) {
      return endpoints::error_with(
          MPI_ERR_COUNT, "Raddle: collectives of the proxy engine take up to 2^31 - 1 bytes to or from a rank");
    }
    if (i == 0 || !pieces.alike()) {
      lengths_.push_back(static_cast<std::int64_t>(length));
      places_.push_back(static_cast<std::int64_t>(all));
    }
    all += length;
  }
  bytes_ = all;
  return MPI_SUCCESS;
}

/// Whether the proxy can take them where they are; then says where that is.
bool Buffer::lies_in_heap(const Pieces& pieces, int count) {
  Heap& heap = proxies_.heap();
  std::vector<const std::byte*> addresses;
  for (int i = 0; i < count; ++i) {
    Layout layout;
    if (pieces.describe(i, layout) != MPI_SUCCESS) return false;
    const endpoints::Body& body = layout.body();
    if (body.scattered != nullptr || !heap.contains(body.data, body.bytes)) return false;
    // How pieces of one length are told, on all ranks.
    if (pieces.alike() && i > 0 && body.data != addresses.front() + static_cast<std::size_t>(i) * body.bytes)
      return false;
    addresses.push_back(body.data);
  }
  if (addresses.empty()) return false;
  const std::byte* const first = *std::ranges::min_element(addresses);
  std::vector<std::int64_t> places(places_.size());
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const auto at = static_cast<std::uint64_t>(addresses[i] - first);
    end = std::max(end, at + pieces.bytes(static_cast<int>(i)));
    if (end > std::numeric_limits<int>::max()) return false;
    if (i < places.size()) places[i] = static_cast<std::int64_t>(at);
  }
  places_ = std::move(places);
  place_ = proxies_.area().place_of(first);
  bytes_ = end;
  return true;
}

int Buffer::stage(std::size_t bytes) {
  staged_ = proxies_.heap().allocate(bytes);
  if (staged_ == nullptr) return no_room(proxies_.heap(), bytes);
  place_ = proxies_.area().place_of(staged_);
  bytes_ = bytes;
  return MPI_SUCCESS;
}

int Buffer::send(const Pieces& pieces, int count, bool copy) {
  if (const int code = pieces.check(count); code != MPI_SUCCESS) return code;
  if (const int code = measure(pieces, count); code != MPI_SUCCESS) return code;
  if (!copy && lies_in_heap(pieces, count)) return MPI_SUCCESS;
  if (const int code = stage(bytes_); code != MPI_SUCCESS) return code;
  auto* to = static_cast<std::byte*>(staged_);
  for (int i = 0; i < count; ++i) {
    Layout layout;
    if (const int code = pieces.describe(i, layout); code != MPI_SUCCESS) return code;
    endpoints::copy_out(layout.body(), to);
    to += layout.body().bytes;
  }
  return MPI_SUCCESS;
}

int Buffer::send_one(const Pieces& pieces, int piece) {
  return send(Pieces::uniform(pieces.address(piece), pieces.count(piece), pieces.type(piece)), 1, true);
}

int Buffer::receive(const Pieces& pieces, int count, int except) {
  if (const int code = pieces.check(count); code != MPI_SUCCESS) return code;
  if (const int code = measure(pieces, count); code != MPI_SUCCESS) return code;
  if (except < 0 && lies_in_heap(pieces, count)) return MPI_SUCCESS;
  pieces_ = pieces;
  except_ = except;
  count_ = count;
  receives_ = true;
  return stage(bytes_);
}

int Buffer::receive_nowhere(std::size_t bytes, std::size_t length) {
  lengths_ = {static_cast<std::int64_t>(length)};
  places_ = {0};
  return stage(bytes);
}

int Buffer::send(const void* elements, MPI_Datatype type, std::int64_t count, bool copy) {
  const std::size_t bytes = static_cast<std::size_t>(count) * static_cast<std::size_t>(extent_of(type));
  lengths_ = {count};
  places_ = {0};
  if (!copy && proxies_.heap().contains(elements, bytes)) {
    place_ = proxies_.area().place_of(elements);
    bytes_ = bytes;
    return MPI_SUCCESS;
  }
  if (const int code = stage(bytes); code != MPI_SUCCESS) return code;
  if (bytes > 0) std::memcpy(staged_, elements, bytes);
  return MPI_SUCCESS;
}

int Buffer::receive(void* elements, MPI_Datatype type, std::int64_t count) {
  const auto extent = static_cast<std::size_t>(extent_of(type));
  const std::size_t bytes = static_cast<std::size_t>(count) * extent;
  lengths_ = {count};
  places_ = {0};
  // The gaps of pairs stay as they are.
  packed_ = extent == endpoints::collectives::size_of(type);
  if (packed_ && proxies_.heap().contains(elements, bytes)) {
    place_ = proxies_.area().place_of(elements);
    bytes_ = bytes;
    return MPI_SUCCESS;
  }
  pieces_ = Pieces::uniform(elements, count, type);
  receives_ = true;
  return stage(bytes);
}

int Buffer::deliver() {
  if (!receives_) return MPI_SUCCESS;
  const auto* from = static_cast<const std::byte*>(staged_);
  if (!packed_) {
    Layout layout;
    if (const int code = layout.describe(from, pieces_.count(0), pieces_.type(0)); code != MPI_SUCCESS) return code;
    std::vector<std::byte> packed(layout.body().bytes);
    endpoints::copy_out(layout.body(), packed.data());
    return endpoints::collectives::put(packed, pieces_, 0);
  }
  for (int i = 0; i < count_; ++i) {
    const std::size_t length = pieces_.bytes(i);
    if (i != except_) {
      if (const int code = endpoints::collectives::put({from, length}, pieces_, i); code != MPI_SUCCESS) return code;
    }
    from += length;
  }
  return MPI_SUCCESS;
}

void Buffer::release() {
  if (staged_ != nullptr) proxies_.heap().free(std::exchange(staged_, nullptr));
  receives_ = false;
}

}  // namespace raddle::proxy
