// SPDX-License-Identifier: BSD-3-Clause
#include "engines/proxy/proxy_endpoint.hpp"

#include <cstring>
#include <mutex>
#include <utility>

#include "endpoints/mover.hpp"
#include "endpoints/requests/polling.hpp"
#include "engines/proxy/proxy_creation.hpp"

namespace raddle::proxy {
namespace {

using endpoints::Layout;
using endpoints::Mode;
using endpoints::Probed;
using endpoints::Request;
using endpoints::Result;

/// A message that the proxy has taken, by its number there.
class ProxyProbed final : public Probed {
 public:
  ProxyProbed(ProxyEndpoint& endpoint, std::int32_t number) : Probed(endpoint), number_(number) {}
  [[nodiscard]] std::int32_t number() const { return number_; }

 private:
  std::int32_t number_;
};

}  // namespace

ProxyEndpoint::ProxyEndpoint(MPI_Comm own_comm, int rank, ProxyCreation& creation, Proxies& proxies, int proxy,
                             std::uint32_t number)
    : Endpoint(own_comm, rank, creation.communicator()),
      creation_(creation),
      proxies_(proxies),
      proxy_(proxy),
      number_(number),
      requests_([this] { return std::make_unique<ProxyRequest>(*this); }) {}

Command ProxyEndpoint::message(Op op, int peer, int tag) const {
  Command command;
  command.op = op;
  command.comm = number_;
  command.peer = peer;
  command.tag = tag;
  if (tag <= endpoints::greatest_own_tag) {
    command.flags |= hidden;
    // Longer numbers: the greatest tag may be the greatest int.
    command.tag =
        static_cast<int>((std::int64_t{endpoints::greatest_own_tag} - tag) % (std::int64_t{greatest_tag()} + 1));
  }
  return command;
}

ProxyRequest& ProxyEndpoint::take_request() {
  const std::lock_guard lock(taking_);
  return requests_.take();
}

void ProxyEndpoint::wait(const char* call, const Request& request) {
  endpoints::progress_until(*this, call, [&] { return request.complete(); });
}

bool ProxyEndpoint::prepare_communicator(std::span<const std::int32_t> ranks) {
  creating_ = &take_request();
  create_ = message(Op::create, 0, 0);
  create_data_ = std::as_bytes(ranks);
  create_.bytes = create_data_.size();
  return creating_->room_to_ask(create_, create_data_);
}

int ProxyEndpoint::give_up_communicator() {
  if (!creating_->complete()) creating_->fail(MPI_ERR_NO_MEM);
  return finish_communicator();
}

void ProxyEndpoint::start_communicator() { creating_->post_asked(create_, create_data_); }

int ProxyEndpoint::finish_communicator() {
  wait("the making of a communicator", *creating_);
  const int code = creating_->result().error;
  creating_->retire();
  return code;
}

void ProxyEndpoint::free_communicator(std::uint32_t number) {
  Command command = message(Op::free, 0, 0);
  command.comm = number;
  proxies_.post(proxy_, command);
}

int ProxyEndpoint::ask(const char* call, const Command& command) {
  ProxyRequest& request = take_request();
  request.ask_proxy(command);
  wait(call, request);
  const int code = request.result().error;
  request.retire();
  return code;
}

void ProxyEndpoint::make_endpoints(std::unique_ptr<endpoints::Communicator> communicator,
                                   const std::vector<MPI_Comm>& handles) {
  ProxyCreation::make(std::move(communicator), handles);
}

bool ProxyEndpoint::send_now(std::span<const std::byte> message, int to, int tag) {
  if (message.size() > Proxies::most_following) return false;
  Command command = this->message(Op::send, rank_of(to), tag);
  command.flags |= follows;
  command.bytes = message.size();
  proxies_.post(proxy_, command, message.size(), [&](std::byte* at) {
    if (!message.empty()) std::memcpy(at, message.data(), message.size());
  });
  return true;
}

int ProxyEndpoint::send(const Layout& message, int to, int tag, Mode mode) {
  const endpoints::Body& body = message.body();
  if (body.scattered == nullptr && mode == Mode::standard && send_now({body.data, body.bytes}, to, tag))
    return MPI_SUCCESS;
  ProxyRequest& request = take_request();
  request.send(message.body(), to, tag, mode);
  wait("a blocking send", request);
  const int code = request.result().error;
  request.retire();
  return code;
}

Result ProxyEndpoint::receive(const Layout& room, int source, int tag) {
  ProxyRequest& request = take_request();
  request.receive(room.body(), source, tag);
  wait("a blocking receive", request);
  const Result result = request.result();
  request.retire();
  return result;
}

Request& ProxyEndpoint::start_send(Layout&& message, int to, int tag, Mode mode) {
  ProxyRequest& request = take_request();
  request.send(request.keep(std::move(message)), to, tag, mode);
  return request;
}

Request& ProxyEndpoint::start_receive(std::span<std::byte> room, int source, int tag) {
  ProxyRequest& request = take_request();
  request.receive({room.data(), room.size(), nullptr}, source, tag);
  return request;
}

Request& ProxyEndpoint::start_receive(Layout&& room, int source, int tag) {
  ProxyRequest& request = take_request();
  request.receive(request.keep(std::move(room)), source, tag);
  return request;
}

void ProxyEndpoint::send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int to, int tag) {
  ProxyRequest& request = take_request();
  request.send_copy(std::move(copy), bytes, to, tag);
  request.abandon();
}

Request& ProxyEndpoint::make_persistent(Layout&& message, const Persistent& description) {
  ProxyRequest& request = take_request();
  request.describe(std::move(message), description);
  return request;
}

bool ProxyEndpoint::look(Op op, int source, int tag, Result& found, std::int32_t& number) {
  ProxyRequest& request = take_request();
  request.ask_proxy(message(op, rank_of(source), tag));
  wait("a probe", request);
  const Answer& answer = request.answer();
  const bool is_there = answer.found && answer.error == MPI_SUCCESS;
  if (is_there) {
    found = {peer_of(answer.source), answer.tag, answer.bytes, false, MPI_SUCCESS};
    std::memcpy(&number, answer.data.data(), sizeof number);
  }
  request.retire();
  return is_there;
}

bool ProxyEndpoint::probe(int source, int tag, Result& found) {
  std::int32_t none = 0;
  return look(Op::probe, source, tag, found, none);
}

Probed* ProxyEndpoint::take(int source, int tag, Result& found) {
  std::int32_t number = 0;
  if (!look(Op::take, source, tag, found, number)) return nullptr;
  return std::make_unique<ProxyProbed>(*this, number).release();
}

Result ProxyEndpoint::receive(const Layout& room, Probed& message) {
  const std::unique_ptr<ProxyProbed> probed(&static_cast<ProxyProbed&>(message));
  ProxyRequest& request = take_request();
  request.receive_taken(room.body(), probed->number());
  wait("a blocking receive", request);
  const Result result = request.result();
  request.retire();
  return result;
}

Request& ProxyEndpoint::start_receive(Layout&& room, Probed& message) {
  const std::unique_ptr<ProxyProbed> probed(&static_cast<ProxyProbed&>(message));
  ProxyRequest& request = take_request();
  request.receive_taken(request.keep(std::move(room)), probed->number());
  return request;
}

std::string ProxyEndpoint::describe() {
  const std::lock_guard lock(taking_);
  std::string text = "  endpoint " + std::to_string(rank()) + ":";
  requests_.for_each([&](const ProxyRequest& request) {
    if (!request.complete()) text += " " + request.describe() + ",";
  });
  text.back() = text.back() == ',' ? ' ' : text.back();
  return text + (text.back() == ':' ? " nothing of its messages is under way at its proxy" : "at its proxy");
}

void ProxyEndpoint::meanwhile() { endpoints::Everything::progress(); }

void ProxyEndpoint::blocked(const char* call) { creation_.blocked(*this, call); }

void ProxyEndpoint::freed() { creation_.freed(); }

bool ProxyEndpoint::owes_nothing() { return !requests_.awaits() && !maker_.awaits() && !collectives().any(); }

bool ProxyEndpoint::unused() { return owes_nothing() && requests_.all_idle(); }

}  // namespace raddle::proxy
