// SPDX-License-Identifier: BSD-3-Clause
// Operations on windows (MPI-4.1 section 12.3). What this process reaches it does at once, and it is done when the call
// returns; the rest is asked for.
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/datatypes/layout_read.hpp"
#include "endpoints/datatypes/staged.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/requests/own_requests.hpp"
#include "endpoints/windows/order.hpp"
#include "endpoints/windows/service.hpp"
#include "endpoints/windows/window.hpp"
#include "node/cross_memory.hpp"
#include "platform/copy_bytes.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::endpoints {
namespace {

std::byte* address(std::uintptr_t at) {
  return reinterpret_cast<std::byte*>(at);  // NOLINT(performance-no-int-to-ptr): it came from a pointer
}

int not_reached() {
  return error_with(MPI_ERR_RMA_RANGE, "Raddle: an operation on memory that the target's process has not mapped");
}

int size_error() {
  return error_with(MPI_ERR_ARG, "Raddle: origin and target of an operation on a window have different sizes");
}

/// So many bytes of an accumulate are combined under the target's lock if they are of several elements. The standard
/// keeps accumulates apart by elements (MPI-4.1 section 12.7.1), MPIs by calls, and programs rely on that for what they
/// pass as one value: a structure of bytes.
constexpr std::size_t most_together = 256;

/// Which bytes `count` elements of `type` are, wherever they begin. @returns an MPI error code
int pieces_of(MPI_Count count, MPI_Datatype type, Pieces& pieces) {
  if (count < 0) return MPI_ERR_COUNT;
  if (const std::size_t size = named_sizes.find(bits(type)); size != 0) [[likely]] {
    pieces = Pieces(size * static_cast<std::size_t>(count));
    return MPI_SUCCESS;
  }
  const std::shared_ptr<const Shape>* shape = nullptr;
  if (const int code = shape_of(type, shape); code != MPI_SUCCESS) return code;
  pieces = Pieces(**shape, static_cast<std::size_t>(count));
  return MPI_SUCCESS;
}

}  // namespace

struct Window::Aim {
  int rank = MPI_PROC_NULL;
  std::uintptr_t at = 0;
  Pieces pieces;
};

int Window::aim_at(int rank, MPI_Aint displacement, Aim& aim) {
  if (rank < 0 || rank >= size()) return MPI_ERR_RANK;
  const Target& there = target(rank);
  if (!may_access(there))
    return error_with(MPI_ERR_RMA_SYNC, "Raddle: an operation on a window outside of an access epoch for its target");
  aim.rank = rank;
  if (there.control == nullptr) [[unlikely]]
    take_lock_of_all(rank);
  if (flavor_ == MPI_WIN_FLAVOR_DYNAMIC) {
    aim.at = static_cast<std::uintptr_t>(displacement);
    return MPI_SUCCESS;
  }
  if (displacement < 0) return MPI_ERR_DISP;
  std::int64_t offset = 0;
  if (__builtin_mul_overflow(displacement, there.unit, &offset) || !aim.pieces.within(offset, 0, there.bytes)) {
    return error_with(MPI_ERR_RMA_RANGE, "Raddle: an operation on a window beyond the target's memory");
  }
  aim.at = there.at + static_cast<std::uintptr_t>(offset);
  return MPI_SUCCESS;
}

int Window::aim_at(const There& there, Aim& aim) {
  if (const int code = pieces_of(there.count, there.type, aim.pieces); code != MPI_SUCCESS) return code;
  return aim_at(there.rank, there.displacement, aim);
}

int Window::copy_in(const Target& target, std::uintptr_t at, const Pieces& pieces, const std::byte* from) {
  unordered = true;
  for (const Piece& piece : pieces.all()) {
    const std::uintptr_t to = at + static_cast<std::uintptr_t>(piece.offset);
    if (target.reach == Reach::mapped)
      platform::copy_bytes(address(to), from, piece.bytes);
    else if (!node::write_memory(target.process, to, {from, piece.bytes}))
      return not_reached();
    from += piece.bytes;
  }
  return MPI_SUCCESS;
}

int Window::copy_out(const Target& target, std::uintptr_t at, const Pieces& pieces, std::byte* to) {
  for (const Piece& piece : pieces.all()) {
    const std::uintptr_t from = at + static_cast<std::uintptr_t>(piece.offset);
    if (target.reach == Reach::mapped)
      platform::copy_bytes(to, address(from), piece.bytes);
    else if (!node::read_memory(target.process, from, {to, piece.bytes}))
      return not_reached();
    to += piece.bytes;
  }
  return MPI_SUCCESS;
}

int Window::put(const Buffer& origin, const There& there) {
  if (there.rank == MPI_PROC_NULL) return MPI_SUCCESS;
  Layout message;
  if (const int code = message.describe(origin.address, origin.count, origin.type); code != MPI_SUCCESS) return code;
  Aim aim;
  if (const int code = aim_at(there, aim); code != MPI_SUCCESS) return code;
  if (message.body().bytes != aim.pieces.bytes()) return size_error();
  const Staged data(message.body(), true);
  const Target& memory = target(aim.rank);
  if (memory.reach != Reach::messages) return copy_in(memory, aim.at, aim.pieces, data.bytes().data());
  service_->ask(aim.rank, {.ask = Service::Ask::put, .at = aim.at}, aim.pieces, data.bytes());
  return MPI_SUCCESS;
}

int Window::get(const Buffer& origin, const There& there, Request** request) {
  if (there.rank == MPI_PROC_NULL) return MPI_SUCCESS;
  Layout room;
  if (const int code = room.describe(origin.address, origin.count, origin.type); code != MPI_SUCCESS) return code;
  Aim aim;
  if (const int code = aim_at(there, aim); code != MPI_SUCCESS) return code;
  if (room.body().bytes != aim.pieces.bytes()) return size_error();
  const Target& memory = target(aim.rank);
  if (memory.reach != Reach::messages) {
    const Staged result(room.body(), false);
    const int code = copy_out(memory, aim.at, aim.pieces, result.bytes().data());
    result.put_back();
    return code;
  }
  auto* const waits = request != nullptr ? new AccessRequest(endpoint_) : nullptr;  // ends itself
  if (request != nullptr) *request = waits;
  service_->ask(aim.rank, {.ask = Service::Ask::get, .at = aim.at}, aim.pieces, {},
                std::make_unique<Layout>(std::move(room)), waits);
  return MPI_SUCCESS;
}

int Window::accumulate(const Buffer& origin, const There& there, MPI_Op op) {
  if (op == MPI_NO_OP) return MPI_ERR_OP;  // only where something is fetched (section 12.3.4)
  return get_accumulate(origin, {nullptr, 0, MPI_DATATYPE_NULL}, there, op, nullptr);
}

int Window::get_accumulate(const Buffer& origin, const Buffer& result, const There& there, MPI_Op op,
                           Request** request) {
  if (there.rank == MPI_PROC_NULL) return MPI_SUCCESS;
  const bool fetches = result.type != MPI_DATATYPE_NULL;
  const bool gives = op != MPI_NO_OP;
  Layout message;
  Layout room;
  MPI_Datatype element = MPI_DATATYPE_NULL;
  const Accumulation* what = nullptr;
  Aim aim;
  int code = Accumulation::is_operator(op) ? element_type_of(there.type, element) : MPI_ERR_OP;
  // Where nothing is combined, no operator has to know how.
  if (code == MPI_SUCCESS && there.count > 0) code = Accumulation::find(op, element, what);
  if (code == MPI_SUCCESS && gives) code = message.describe(origin.address, origin.count, origin.type);
  if (code == MPI_SUCCESS && fetches) code = room.describe(result.address, result.count, result.type);
  if (code == MPI_SUCCESS) code = aim_at(there, aim);
  if (code != MPI_SUCCESS) return code;
  if (gives && message.body().bytes != aim.pieces.bytes()) return size_error();
  if (fetches && room.body().bytes != aim.pieces.bytes()) return size_error();
  if (what == nullptr || aim.pieces.bytes() == 0) return MPI_SUCCESS;
  const Staged data(message.body(), true);
  const Target& memory = target(aim.rank);
  if (memory.reach != Reach::messages) {
    if (!fetches) return combine(memory, aim.at, aim.pieces, *what, data.bytes().data(), nullptr);
    const Staged before(room.body(), false);
    code = combine(memory, aim.at, aim.pieces, *what, data.bytes().data(), before.bytes().data());
    before.put_back();
    return code;
  }
  const Service::Header header{.ask = fetches ? Service::Ask::fetch : Service::Ask::accumulate,
                               .at = aim.at,
                               .op = number_of_op(op),
                               .element = number_of_type(element)};
  auto* const waits = request != nullptr ? new AccessRequest(endpoint_) : nullptr;  // ends itself
  if (request != nullptr) *request = waits;
  service_->ask(aim.rank, header, aim.pieces, data.bytes(),
                fetches ? std::make_unique<Layout>(std::move(room)) : nullptr, waits);
  return MPI_SUCCESS;
}

int Window::fetch_and_op(const void* origin, void* result, MPI_Datatype type, int rank, MPI_Aint displacement,
                         MPI_Op op) {
  const bool known = named_sizes.find(bits(type)) != 0 || platform::quirks().swaps_any_type;
  if (!known && !Contents(type).predefined()) return MPI_ERR_TYPE;  // section 12.3.4
  auto* const operand = const_cast<void*>(origin);  // NOLINT(cppcoreguidelines-pro-type-const-cast): it is only read
  return get_accumulate({operand, 1, type}, {result, 1, type}, {rank, displacement, 1, type}, op, nullptr);
}

int Window::compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int rank,
                             MPI_Aint displacement) {
  if (rank == MPI_PROC_NULL) return MPI_SUCCESS;
  Aim aim;
  int code = pieces_of(1, type, aim.pieces);
  if (code == MPI_SUCCESS) code = check_swappable(type);
  if (code == MPI_SUCCESS && (origin == nullptr || compare == nullptr)) code = MPI_ERR_BUFFER;
  if (code == MPI_SUCCESS) code = aim_at(rank, displacement, aim);
  if (code != MPI_SUCCESS) return code;
  const std::size_t size = aim.pieces.bytes();
  const auto* const expected = static_cast<const std::byte*>(compare);
  const auto* const desired = static_cast<const std::byte*>(origin);
  const Target& memory = target(aim.rank);
  if (memory.reach != Reach::messages)
    return swap(memory, aim.at, size, expected, desired, static_cast<std::byte*>(result));
  std::vector<std::byte> both(expected, expected + size);
  both.insert(both.end(), desired, desired + size);
  auto room = std::make_unique<Layout>();
  check(room->describe(result, 1, type));
  service_->ask(aim.rank, {.ask = Service::Ask::swap, .at = aim.at}, aim.pieces, both, std::move(room));
  return MPI_SUCCESS;
}

int Window::combine(const Target& target, std::uintptr_t at, const Pieces& pieces, const Accumulation& what,
                    const std::byte* operands, std::byte* before) const {
  unordered = true;
  if (target.reach == Reach::mapped && what.in_one_piece()) {
    std::unique_lock together(target.control->accumulates, std::defer_lock);
    const bool several = pieces.bytes() != what.size() && pieces.bytes() <= most_together;
    if (several && target.held != Held::exclusive) together.lock();
    for (const Piece& piece : pieces.all()) {
      std::byte* const place = address(at + static_cast<std::uintptr_t>(piece.offset));
      const std::size_t count = piece.bytes / what.size();
      if (target.held == Held::exclusive) {
        what.alone(place, operands, before, count);
      } else if (target.atomics && what.by_words(place)) {
        what.with_atomics(place, operands, before, count);
      } else {
        std::unique_lock alone(target.control->accumulates, std::defer_lock);
        if (!together.owns_lock()) alone.lock();
        what.alone(place, operands, before, count);
      }
      operands += piece.bytes;
      if (before != nullptr) before += piece.bytes;
    }
    return MPI_SUCCESS;
  }
  std::vector<std::byte> now(pieces.bytes());
  const std::lock_guard alone(target.control->accumulates);
  if (const int code = copy_out(target, at, pieces, now.data()); code != MPI_SUCCESS) return code;
  if (before != nullptr && !now.empty()) std::memcpy(before, now.data(), now.size());
  if (what.reads_only()) return MPI_SUCCESS;
  what.packed(now.data(), operands, now.size() / what.size());
  return copy_in(target, at, pieces, now.data());
}

int Window::swap(const Target& target, std::uintptr_t at, std::size_t size, const std::byte* expected,
                 const std::byte* desired, std::byte* before) const {
  unordered = true;
  if (target.reach == Reach::mapped) {
    const bool atomically = target.atomics && is_word(size) && is_aligned(address(at), size);
    const std::unique_lock alone =
        atomically ? std::unique_lock<platform::SpinLock>() : std::unique_lock(target.control->accumulates);
    endpoints::compare_and_swap(address(at), expected, desired, before, size, atomically);
    return MPI_SUCCESS;
  }
  const Pieces whole(size);
  std::vector<std::byte> now(size);
  std::vector<std::byte> was(size);
  const std::lock_guard alone(target.control->accumulates);
  if (const int code = copy_out(target, at, whole, now.data()); code != MPI_SUCCESS) return code;
  endpoints::compare_and_swap(now.data(), expected, desired, was.data(), size, false);
  std::memcpy(before, was.data(), size);
  return copy_in(target, at, whole, now.data());
}

}  // namespace raddle::endpoints
