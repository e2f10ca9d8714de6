// SPDX-License-Identifier: BSD-3-Clause
// A third engine, as docs/build/extending.md says: an endpoint that is alone in its communicator and sends to itself.
#include "engines/engine.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "endpoints/datatypes/layout.hpp"
#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/mover.hpp"
#include "endpoints/requests/polling.hpp"
#include "engines/creation.hpp"
#include "engines/request_pool.hpp"

namespace raddle::loopback {
namespace {

using endpoints::Body;
using endpoints::Layout;
using endpoints::Mode;
using endpoints::Result;

int messages = 0;  // of one thread, in the test

class LoopbackEndpoint;

class LoopbackRequest final : public endpoints::Request {
 public:
  explicit LoopbackRequest(LoopbackEndpoint& endpoint);

  [[nodiscard]] Result result() const override { return result_; }
  int start() override;
  void cancel() override;
  void retire() override;
  void abandon() override;
  void rest() {
    persistent_ = false;
    copy_.reset();
  }

  /// From here on it is under way.
  LoopbackRequest& begin(const Body& body, int tag) {
    body_ = body;
    tag_ = tag;
    active_ = true;
    end_.store(endpoints::Ended::no, std::memory_order_relaxed);
    return *this;
  }
  LoopbackRequest& begin(Layout&& layout, int tag) {
    layout_ = std::move(layout);
    return begin(layout_.body(), tag);
  }
  void end(const Result& result) {
    result_ = result;
    const bool well = result.error == MPI_SUCCESS && !result.cancelled;
    end_.store(well ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
  }
  void describe(Layout&& layout, const endpoints::Endpoint::Persistent& what) {
    layout_ = std::move(layout);
    what_ = what;
    persistent_ = true;
    active_ = false;
  }
  void keep(std::shared_ptr<std::byte[]> copy) { copy_ = std::move(copy); }

  [[nodiscard]] const Body& body() const { return body_; }
  [[nodiscard]] int tag() const { return tag_; }

 private:
  LoopbackEndpoint& own_;
  endpoints::End end_{endpoints::Ended::no};
  Result result_;
  Layout layout_;
  Body body_;
  int tag_ = 0;
  endpoints::Endpoint::Persistent what_{};
  std::shared_ptr<std::byte[]> copy_;
};

/// A message that no receive has been posted for.
struct Sent {
  int tag;
  std::vector<std::byte> bytes;
  LoopbackRequest* sender;  ///< waits until it is received; nullptr: nobody does
};

class LoopbackProbed final : public endpoints::Probed {
 public:
  LoopbackProbed(endpoints::Endpoint& endpoint, Sent&& taken) : Probed(endpoint), message(std::move(taken)) {}
  Sent message;
};

class LoopbackCreation final : public engines::Creation {
 public:
  LoopbackCreation(std::unique_ptr<endpoints::Communicator> communicator, MPI_Comm handle);
  [[nodiscard]] bool crowded() const override { return false; }

 protected:
  [[nodiscard]] const std::vector<endpoints::Endpoint*>& endpoints() const override { return all_; }
  void end_the_job_if_one_is_lost(const endpoints::Endpoint&, const char*) override {}  // there is no other
  [[nodiscard]] std::string describe() const override { return "  an endpoint of its own\n"; }

 private:
  std::unique_ptr<LoopbackEndpoint> endpoint_;
  std::vector<endpoints::Endpoint*> all_;
};

void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) {
  if (communicator->places().size() != 1)
    throw endpoints::Failure(endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION, "one endpoint only"));
  engines::Creation::keep(std::make_unique<LoopbackCreation>(std::move(communicator), handles.front()));
}

class LoopbackEndpoint final : public endpoints::Endpoint {
 public:
  LoopbackEndpoint(MPI_Comm handle, LoopbackCreation& creation)
      : Endpoint(handle, 0, creation.communicator()),
        creation_(creation),
        requests_([this] { return std::make_unique<LoopbackRequest>(*this); }) {}

  void make_endpoints(std::unique_ptr<endpoints::Communicator> communicator,
                      const std::vector<MPI_Comm>& handles) override {
    make(std::move(communicator), handles);
  }

  void send(LoopbackRequest& request, Mode mode) {
    const std::lock_guard lock(guard_);
    ++messages;
    std::vector<std::byte> bytes(request.body().bytes);
    copy_out(request.body(), bytes.data());
    Sent sent{request.tag(), std::move(bytes), mode == Mode::synchronous ? &request : nullptr};
    if (mode != Mode::synchronous) request.end({});
    const auto posted = std::ranges::find_if(posted_, [&](auto* one) { return matches(one->tag(), sent.tag); });
    if (posted == posted_.end()) return sent_.push_back(std::move(sent));
    deliver(sent, **posted);
    posted_.erase(posted);
  }
  void receive(LoopbackRequest& request) {
    const std::lock_guard lock(guard_);
    if (std::optional<Sent> sent = next(request.tag())) return deliver(*sent, request);
    posted_.push_back(&request);
  }
  void cancel(LoopbackRequest& request) {
    const std::lock_guard lock(guard_);
    if (std::erase(posted_, &request) > 0) request.end({.cancelled = true});
  }

  int send(const Layout& message, int, int tag, Mode mode) override {
    LoopbackRequest& request = requests_.take().begin(message.body(), tag);
    send(request, mode);
    return finish("a blocking send", request).error;
  }
  Result receive(const Layout& room, int, int tag) override {
    LoopbackRequest& request = requests_.take().begin(room.body(), tag);
    receive(request);
    return finish("a blocking receive", request);
  }
  bool send_now(std::span<const std::byte>, int, int) override { return false; }
  endpoints::Request& start_send(Layout&& message, int, int tag, Mode mode) override {
    LoopbackRequest& request = requests_.take().begin(std::move(message), tag);
    send(request, mode);
    return request;
  }
  endpoints::Request& start_receive(std::span<std::byte> room, int, int tag) override {
    LoopbackRequest& request = requests_.take().begin(Body{room.data(), room.size(), nullptr}, tag);
    receive(request);
    return request;
  }
  endpoints::Request& start_receive(Layout&& room, int, int tag) override {
    LoopbackRequest& request = requests_.take().begin(std::move(room), tag);
    receive(request);
    return request;
  }
  void send_copy(std::shared_ptr<std::byte[]> copy, std::size_t bytes, int, int tag) override {
    LoopbackRequest& request = requests_.take().begin(Body{copy.get(), bytes, nullptr}, tag);
    request.keep(std::move(copy));
    send(request, Mode::standard);
    request.abandon();
  }
  endpoints::Request& make_persistent(Layout&& message, const Persistent& description) override {
    LoopbackRequest& request = requests_.take();
    request.describe(std::move(message), description);
    return request;
  }

  bool probe(int, int tag, Result& found) override {
    const std::lock_guard lock(guard_);
    const auto sent = std::ranges::find_if(sent_, [&](const Sent& one) { return matches(tag, one.tag); });
    if (sent != sent_.end()) found = {0, sent->tag, sent->bytes.size(), false, MPI_SUCCESS};
    return sent != sent_.end();
  }
  endpoints::Probed* take(int, int tag, Result& found) override {
    const std::lock_guard lock(guard_);
    std::optional<Sent> sent = next(tag);
    if (!sent) return nullptr;
    found = {0, sent->tag, sent->bytes.size(), false, MPI_SUCCESS};
    return std::make_unique<LoopbackProbed>(*this, std::move(*sent)).release();
  }
  Result receive(const Layout& room, endpoints::Probed& message) override {
    const std::unique_ptr<LoopbackProbed> probed(&static_cast<LoopbackProbed&>(message));
    LoopbackRequest& request = requests_.take().begin(room.body(), probed->message.tag);
    deliver(probed->message, request);
    return finish("a blocking receive", request);
  }
  endpoints::Request& start_receive(Layout&& room, endpoints::Probed& message) override {
    const std::unique_ptr<LoopbackProbed> probed(&static_cast<LoopbackProbed&>(message));
    LoopbackRequest& request = requests_.take().begin(std::move(room), probed->message.tag);
    deliver(probed->message, request);
    return request;
  }

  [[nodiscard]] bool crowded() const override { return false; }
  void meanwhile() override { endpoints::Everything::progress(); }
  void blocked(const char* call) override { creation_.blocked(*this, call); }
  void freed() override { creation_.freed(); }
  [[nodiscard]] bool owes_nothing() override { return !requests_.awaits() && !collectives().any(); }
  [[nodiscard]] bool unused() override { return owes_nothing() && requests_.all_idle(); }
  [[nodiscard]] engines::RequestPool<LoopbackRequest>& requests() { return requests_; }

 private:
  void progress_messages() override {}

  /// No wildcard finds what Raddle sends for itself.
  static bool matches(int wanted, int tag) { return wanted == tag || (wanted == MPI_ANY_TAG && tag >= 0); }

  std::optional<Sent> next(int tag) {
    const auto found = std::ranges::find_if(sent_, [&](const Sent& one) { return matches(tag, one.tag); });
    if (found == sent_.end()) return std::nullopt;
    Sent sent = std::move(*found);
    sent_.erase(found);
    return sent;
  }

  static void deliver(Sent& sent, LoopbackRequest& to) {
    const Body& room = to.body();
    const std::size_t bytes = std::min(sent.bytes.size(), room.bytes);
    if (room.scattered != nullptr) {
      room.scattered->scatter({sent.bytes.data(), bytes});
    } else if (bytes > 0) {
      std::memcpy(room.data, sent.bytes.data(), bytes);
    }
    if (sent.sender != nullptr) sent.sender->end({});
    to.end({0, sent.tag, bytes, false, sent.bytes.size() > room.bytes ? MPI_ERR_TRUNCATE : MPI_SUCCESS});
  }

  Result finish(const char* call, LoopbackRequest& request) {
    endpoints::progress_until(*this, call, [&] { return request.complete(); });
    const Result result = request.result();
    request.retire();
    return result;
  }

  LoopbackCreation& creation_;
  std::mutex guard_;
  std::deque<Sent> sent_;
  std::deque<LoopbackRequest*> posted_;
  engines::RequestPool<LoopbackRequest> requests_;
};

LoopbackRequest::LoopbackRequest(LoopbackEndpoint& endpoint) : Request(&end_, &endpoint.requests()), own_(endpoint) {
  belong_to(endpoint);
}

int LoopbackRequest::start() {
  layout_.again();
  begin(layout_.body(), what_.tag);
  if (what_.peer == MPI_PROC_NULL) {
    end({.source = MPI_PROC_NULL});
  } else if (what_.sends) {
    own_.send(*this, what_.mode);
  } else {
    own_.receive(*this);
  }
  return MPI_SUCCESS;
}

void LoopbackRequest::cancel() { own_.cancel(*this); }

void LoopbackRequest::retire() {
  active_ = false;
  if (!persistent_) own_.requests().give_back(*this, *this);
}

void LoopbackRequest::abandon() {
  if (active_ && !complete()) return own_.requests().await(*this);
  own_.requests().give_back(*this, *this);
}

LoopbackCreation::LoopbackCreation(std::unique_ptr<endpoints::Communicator> communicator, MPI_Comm handle)
    : engines::Creation(std::move(communicator)), endpoint_(std::make_unique<LoopbackEndpoint>(handle, *this)) {
  all_.push_back(endpoint_.get());
  endpoints::insert<endpoints::Kind::communicator>(handle, *endpoint_);
}

class LoopbackEngine final : public engines::Engine {
 public:
  void make(std::unique_ptr<endpoints::Communicator> communicator, const std::vector<MPI_Comm>& handles) override {
    loopback::make(std::move(communicator), handles);
  }
  void end() override { std::printf("loopback: %d messages\n", messages); }
};

}  // namespace

engines::Engine& engine() {
  static auto& lasting = *new LoopbackEngine;  // calls may come after the destructors of a program
  return lasting;
}

}  // namespace raddle::loopback
