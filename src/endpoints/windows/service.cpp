// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/windows/service.hpp"

#include <cstring>
#include <initializer_list>
#include <thread>
#include <utility>

#include "endpoints/errors.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/windows/accumulation.hpp"
#include "endpoints/windows/window.hpp"

namespace raddle::endpoints {
namespace {

// Nobody else sends on the window's communicator.
constexpr int tag = 0;
constexpr std::uint32_t tags_of_rests = 32767;  // that every MPI has, beside this one

template <typename Value>
std::span<const std::byte> bytes_of(const Value& value) {
  return std::as_bytes(std::span(&value, 1));
}

}  // namespace

void AccessRequest::drop() {
  if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
}

void AccessRequest::end(int error) {
  error_ = error;
  end_.store(error == MPI_SUCCESS ? Ended::well : Ended::otherwise, std::memory_order_release);
  drop();
}

Service::Service(Window& window)
    : window_(&window),
      endpoint_(window.endpoint()),
      room_(letter),
      others_(static_cast<std::size_t>(endpoint_.size())) {
  endpoint_.others().fetch_add(1, std::memory_order_relaxed);
}

Service::~Service() = default;

void Service::close() {
  while (busy_.exchange(true, std::memory_order_acquire)) std::this_thread::yield();
  if (window_ != nullptr) endpoint_.others().fetch_sub(1, std::memory_order_relaxed);
  window_ = nullptr;
  if (next_ != nullptr) {
    next_->cancel();
    progress_until(endpoint_, "MPI_Win_free", [&] { return next_->complete(); });
    next_->retire();
    next_ = nullptr;
  }
  busy_.store(false, std::memory_order_release);
}

void Service::progress() {
  if (busy_.exchange(true, std::memory_order_acquire)) return;
  if (window_ != nullptr) {
    take_in_messages();
    // In the order in which they were sent: so accumulates of a rank are done in its order.
    while (!incoming_.empty() && (incoming_.front().rest == nullptr || incoming_.front().rest->complete())) {
      const Incoming first = std::move(incoming_.front());
      incoming_.pop_front();
      if (first.rest != nullptr) first.rest->retire();
      serve(first.source, first.header, first.bytes);
    }
    if (!waiting_.empty()) grant_locks();
  }
  busy_.store(false, std::memory_order_release);
}

void Service::listen() { next_ = &endpoint_.start_receive(std::span(room_), MPI_ANY_SOURCE, tag); }

void Service::take_in_messages() {
  if (next_ == nullptr) listen();
  while (next_->complete()) {
    const Result result = next_->result();
    next_->retire();
    Incoming& one = incoming_.emplace_back(Incoming{nullptr, {}, {}, result.source});
    std::memcpy(&one.header, room_.data(), sizeof one.header);
    if (one.header.rest > 0) {
      one.bytes.resize(one.header.rest);
      one.rest = &endpoint_.start_receive(std::span(one.bytes), result.source, static_cast<int>(one.header.tag));
    } else {
      one.bytes.assign(room_.begin() + sizeof one.header, room_.begin() + static_cast<std::ptrdiff_t>(result.bytes));
    }
    listen();
  }
}

void Service::send(int rank, Header header, std::span<const Piece> pieces, std::span<const std::byte> data) {
  const auto post = [&](std::initializer_list<std::span<const std::byte>> parts, int with_tag) {
    std::size_t bytes = 0;
    for (const auto part : parts) bytes += part.size();
    const std::shared_ptr<std::byte[]> message(new std::byte[bytes]);
    std::byte* to = message.get();
    for (const auto part : parts) {
      if (!part.empty()) std::memcpy(to, part.data(), part.size());
      to += part.size();
    }
    if (!endpoint_.send_now({message.get(), bytes}, rank, with_tag))
      endpoint_.send_copy(message, bytes, rank, with_tag);
  };
  const std::span<const std::byte> list = std::as_bytes(pieces);
  if (sizeof header + list.size() + data.size() <= letter) return post({bytes_of(header), list, data}, tag);
  header.rest = list.size() + data.size();
  // Several threads may send to a rank: this tells whose rest it is.
  header.tag = 1 + rests_.fetch_add(1, std::memory_order_relaxed) % tags_of_rests;
  post({bytes_of(header)}, tag);
  post({list, data}, static_cast<int>(header.tag));
}

void Service::ask(int rank, Header header, const Pieces& pieces, std::span<const std::byte> data,
                  std::unique_ptr<Layout> room, AccessRequest* request) {
  others_[static_cast<std::size_t>(rank)].unanswered.fetch_add(1, std::memory_order_relaxed);
  if (room != nullptr || request != nullptr) {
    const std::lock_guard lock(guard_);
    header.number = ++numbers_;
    pending_.emplace(header.number, Pending{std::move(room), request});
  }
  header.pieces = pieces.all().size();
  send(rank, header, pieces.all(), data);
}

void Service::tell(int rank, Ask what) { send(rank, {.ask = what}, {}, {}); }

int Service::take_error() {
  if (error_.load(std::memory_order_relaxed) == MPI_SUCCESS) return MPI_SUCCESS;
  return error_.exchange(MPI_SUCCESS, std::memory_order_relaxed);
}

void Service::serve(int source, const Header& header, std::span<const std::byte> message) {
  std::vector<Piece> list(header.pieces);
  const std::size_t listed = list.size() * sizeof(Piece);
  if (listed > 0) std::memcpy(list.data(), message.data(), listed);
  const Pieces pieces(std::move(list));
  const std::span<const std::byte> data = message.subspan(listed);
  switch (header.ask) {
    case Ask::post:
    case Ask::complete:
      times_told(source, header.ask).fetch_add(1, std::memory_order_release);
      return;
    case Ask::answer:
      return take_answer(source, header, data);
    case Ask::lock:
      waiting_.push_back({source, header});
      return;  // granted in its turn
    case Ask::unlock:
      window_->target(endpoint_.rank()).control->lock.release(header.exclusive != 0);
      return answer(source, header, {});
    default:
      break;
  }
  try {
    access(source, header, pieces, data);
  } catch (const Failure& failure) {
    answer(source, header, {}, failure.code);
  }
}

void Service::access(int source, const Header& header, const Pieces& pieces, std::span<const std::byte> data) {
  Window::Target here = window_->target(endpoint_.rank());
  here.reach = Window::Reach::mapped;
  const auto at = static_cast<std::uintptr_t>(header.at);
  const bool has_answer = header.ask != Ask::put && header.ask != Ask::accumulate;
  std::vector<std::byte> before(has_answer ? pieces.bytes() : 0);
  switch (header.ask) {
    case Ask::put:
      check(Window::copy_in(here, at, pieces, data.data()));
      break;
    case Ask::get:
      check(Window::copy_out(here, at, pieces, before.data()));
      break;
    case Ask::swap: {
      const std::size_t size = pieces.bytes();
      check(window_->swap(here, at, size, data.data(), data.data() + size, before.data()));
      break;
    }
    default: {
      const Accumulation* what = nullptr;
      check(Accumulation::find(op_of(header.op), type_of(header.element), what));
      check(window_->combine(here, at, pieces, *what, data.data(), has_answer ? before.data() : nullptr));
    }
  }
  answer(source, header, before);
}

void Service::answer(int rank, const Header& asked, std::span<const std::byte> data, int code) {
  send(rank, {.ask = Ask::answer, .number = asked.number, .error = code == MPI_SUCCESS ? 0 : platform::class_of(code)},
       {}, data);
}

void Service::take_answer(int source, const Header& header, std::span<const std::byte> data) {
  const int error = static_cast<int>(header.error);
  Pending pending{};
  if (header.number != 0) {
    const std::lock_guard lock(guard_);
    const auto found = pending_.find(header.number);
    pending = std::move(found->second);
    pending_.erase(found);
  }
  if (pending.room != nullptr && error == MPI_SUCCESS) endpoints::copy_in(pending.room->body(), 0, data);
  if (pending.request != nullptr)
    pending.request->end(error);
  else if (error != MPI_SUCCESS)
    error_.store(error, std::memory_order_relaxed);
  others_[static_cast<std::size_t>(source)].unanswered.fetch_sub(1, std::memory_order_release);
}

void Service::grant_locks() {
  WindowLock& lock = window_->target(endpoint_.rank()).control->lock;
  for (auto at = waiting_.begin(); at != waiting_.end();) {
    if (!lock.try_lock(at->header.exclusive != 0)) {
      ++at;
      continue;
    }
    answer(at->rank, at->header, {});
    at = waiting_.erase(at);
  }
}

}  // namespace raddle::endpoints
