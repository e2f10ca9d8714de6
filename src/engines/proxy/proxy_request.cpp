// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/proxy_request.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "endpoints/errors.hpp"
#include "engines/proxy/proxy_endpoint.hpp"

namespace raddle::proxy {

using endpoints::Body;
using endpoints::Ended;
using endpoints::Layout;
using endpoints::Mode;

int no_room(const Heap& heap, std::size_t bytes) {
  return endpoints::error_with(MPI_ERR_NO_MEM, "Raddle: the heap that is shared with the proxies, of " +
                                                   std::to_string(heap.bytes()) + " bytes, has no room for " +
                                                   std::to_string(bytes) + " more (RADDLE_PROXY_HEAP sets its size)");
}

ProxyRequest::ProxyRequest(ProxyEndpoint& endpoint)
    : Line(endpoint.proxies()), Request(&answer().end, &endpoint.requests()), own_(endpoint) {
  belong_to(endpoint);
}

endpoints::Result ProxyRequest::result() const {
  const Answer& said = answer();
  if (error_ != MPI_SUCCESS) return {.error = error_};
  if (to_nobody_ && receives_) return {.source = MPI_PROC_NULL};
  if (!receives_ || said.cancelled) return {.cancelled = said.cancelled, .error = said.error};
  if (copies_ && !delivered_.exchange(true)) deliver();
  return {own_.peer_of(said.source), said.tag, std::min<std::size_t>(said.bytes, body_.bytes), false, said.error};
}

void ProxyRequest::deliver() const {
  const Body& body = body_;
  const auto* const from =
      stage_ != nullptr ? static_cast<const std::byte*>(stage_) : static_cast<const std::byte*>(answer().data.data());
  const std::size_t bytes = std::min<std::size_t>(answer().bytes, body.bytes);
  if (body.scattered != nullptr) {
    body.scattered->scatter({from, bytes});
  } else if (bytes > 0) {
    std::memcpy(body.data, from, bytes);
  }
}

bool ProxyRequest::begin(const Command& command, bool receives) {
  asked_ = command;
  receives_ = receives;
  active_ = true;
  error_ = MPI_SUCCESS;
  delivered_.store(false, std::memory_order_relaxed);
  expect();
  if (!shared()) fail(no_room(own_.proxies().heap(), sizeof(Answer)));
  return shared();
}

std::string ProxyRequest::describe() const {
  const std::string with = " tag " + std::to_string(asked_.tag);
  const std::string whom = asked_.peer == MPI_ANY_SOURCE ? "anyone" : std::to_string(asked_.peer);
  switch (asked_.op) {
    case Op::send:
      return "a send to " + whom + with;
    case Op::receive:
      return "a receive from " + whom + with;
    case Op::receive_taken:
      return "a receive of a probed message";
    case Op::create:
    case Op::duplicate:
      return "a communicator that is being made";
    default:
      return "a probe for " + whom + with;
  }
}

void ProxyRequest::fail(int code) {
  error_ = code;
  end(Ended::otherwise);
}

std::uint64_t ProxyRequest::stage(std::size_t bytes) {
  Proxies& proxies = own_.proxies();
  if (stage_ != nullptr) proxies.heap().free(stage_);  // of the last start of a persistent one
  stage_ = proxies.heap().allocate(bytes);
  if (stage_ != nullptr) return proxies.area().place_of(stage_);
  fail(no_room(proxies.heap(), bytes));
  return 0;
}

const Body& ProxyRequest::keep(Layout&& layout) {
  layout_ = std::move(layout);
  return layout_.body();
}

void ProxyRequest::send(const Body& body, int to, int tag, Mode mode) {
  Command command = own_.message(Op::send, own_.rank_of(to), tag);
  if (!begin(command, false)) return;
  Proxies& proxies = own_.proxies();
  command.bytes = body.bytes;
  command.answer = place();
  if (mode == Mode::synchronous) command.flags |= synchronous;
  if (body.scattered == nullptr && proxies.heap().contains(body.data, body.bytes)) {
    command.place = proxies.area().place_of(body.data);
  } else if (body.bytes <= Proxies::most_following) {
    command.flags |= follows;
    own_.proxies().post(own_.proxy(), command, body.bytes, [&](std::byte* at) { endpoints::copy_out(body, at); });
    return;
  } else {
    command.place = stage(body.bytes);
    if (command.place == 0) return;
    endpoints::copy_out(body, static_cast<std::byte*>(stage_));
  }
  proxies.post(own_.proxy(), command);
}

void ProxyRequest::receive(const Body& room, int source, int tag) {
  receive(room, own_.message(Op::receive, own_.rank_of(source), tag));
}

void ProxyRequest::receive_taken(const Body& room, std::int32_t number) {
  receive(room, own_.message(Op::receive_taken, number, 0));
}

void ProxyRequest::receive(const Body& body, Command command) {
  body_ = body;
  if (!begin(command, true)) return;
  Proxies& proxies = own_.proxies();
  command.bytes = body.bytes;
  command.answer = place();
  copies_ = body.scattered != nullptr || !proxies.heap().contains(body.data, body.bytes);
  if (!copies_) {
    command.place = proxies.area().place_of(body.data);
  } else {
    command.flags |= told;
    if (body.bytes > Answer::room) {
      command.place = stage(body.bytes);
      if (command.place == 0) return;
    }
  }
  proxies.post(own_.proxy(), command);
}

void ProxyRequest::ask_proxy(Command command, std::span<const std::byte> data) {
  if (room_to_ask(command, data)) post_asked(command, data);
}

bool ProxyRequest::room_to_ask(Command& command, std::span<const std::byte>& data) {
  if (!begin(command, false)) return false;
  command.answer = place();
  if (data.size() > Proxies::most_following) {
    command.place = stage(data.size());
    if (command.place == 0) return false;
    std::memcpy(stage_, data.data(), data.size());
    data = {};
  } else if (!data.empty()) {
    command.flags |= follows;
  }
  return true;
}

void ProxyRequest::post_asked(const Command& command, std::span<const std::byte> data) {
  own_.proxies().post(own_.proxy(), command, data.size(), [&](std::byte* at) {
    if (!data.empty()) std::memcpy(at, data.data(), data.size());
  });
}

void ProxyRequest::send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) {
  buffered_ = std::move(copy);
  endpoints::check(layout_.describe(buffered_.get(), static_cast<MPI_Count>(bytes), MPI_BYTE));
  send(layout_.body(), to, tag, Mode::standard);
}

void ProxyRequest::describe(Layout&& message, const endpoints::Endpoint::Persistent& description) {
  layout_ = std::move(message);
  description_ = description;
  persistent_ = true;
  active_ = false;
}

int ProxyRequest::start() {
  const auto& what = description_;
  layout_.again();
  to_nobody_ = what.peer == MPI_PROC_NULL;
  if (to_nobody_) {
    if (begin({}, !what.sends)) end(Ended::well);
  } else if (what.mode == Mode::buffered) {
    const Body& body = layout_.body();
    std::shared_ptr<std::byte[]> copy = endpoint_->buffer().room(body.bytes, *endpoint_);
    if (!copy) return MPI_ERR_BUFFER;
    endpoints::copy_out(body, copy.get());
    endpoint_->send_copy(std::move(copy), body.bytes, what.peer, what.tag);
    if (begin({}, false)) end(Ended::well);
  } else if (what.sends) {
    send(layout_.body(), what.peer, what.tag, what.mode);
  } else {
    receive(layout_.body(), what.peer, what.tag);
  }
  return MPI_SUCCESS;
}

void ProxyRequest::cancel() {
  if (!active_ || complete()) return;
  Command command = own_.message(Op::cancel, 0, 0);
  command.place = place();
  own_.proxies().post(own_.proxy(), command);
}

void ProxyRequest::rest() {
  if (stage_ != nullptr) own_.proxies().heap().free(std::exchange(stage_, nullptr));
  persistent_ = false;
  to_nobody_ = false;
  buffered_.reset();
}

void ProxyRequest::retire() {
  if (persistent_) {
    active_ = false;
  } else {
    own_.requests().give_back(*this, *this);
  }
}

void ProxyRequest::abandon() {
  if (active_ && !complete()) {
    own_.requests().await(*this);
  } else {
    if (active_) static_cast<void>(result());  // puts what has come into its place
    own_.requests().give_back(*this, *this);
  }
}

}  // namespace raddle::proxy
