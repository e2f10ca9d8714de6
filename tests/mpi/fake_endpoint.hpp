// SPDX-License-Identifier: BSD-3-Clause
// An endpoint without an engine: it moves no messages, and its requests complete when the test says.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "endpoints/endpoint.hpp"
#include "endpoints/handles/handles.hpp"

namespace raddle::endpoints {

constexpr int never = -1;

class FakeRequest : public Request {
 public:
  /// @param after how many steps of its endpoint after its start it is complete, or never
  FakeRequest(Endpoint& owner, const Result& end, int after, bool stays)
      : Request(nullptr), result_(end), after_(after), left_(after) {
    persistent_ = stays;
    active_ = !stays;
    belong_to(owner);
  }
  FakeRequest(const FakeRequest&) = delete;
  FakeRequest& operator=(const FakeRequest&) = delete;
  ~FakeRequest() override = default;

  [[nodiscard]] Result result() const override { return result_; }
  int start() override {
    ++started;
    active_ = true;
    left_ = after_;
    return start_error;
  }
  void cancel() override {
    ++cancelled;
    result_ = {.cancelled = true};
    left_ = 0;
  }
  void retire() override {
    ++retired;
    active_ = false;
  }
  void abandon() override { ++abandoned; }

  void finish() { left_ = 0; }
  void step() {
    if (active_ && left_ > 0) --left_;
  }

  int start_error = MPI_SUCCESS;
  int started = 0;
  int cancelled = 0;
  int retired = 0;
  int abandoned = 0;

 private:
  [[nodiscard]] Ended ask() const override {
    if (left_ != 0) return Ended::no;
    return result_.error == MPI_SUCCESS && !result_.cancelled ? Ended::well : Ended::otherwise;
  }

  Result result_;
  int after_;
  int left_;
};

/// A probed message that nobody receives.
class FakeProbed final : public Probed {
 public:
  explicit FakeProbed(Endpoint& owner) : Probed(owner) {}
};

class FakeEndpoint final : public Endpoint {
 public:
  FakeEndpoint(MPI_Comm own_comm, int rank, int size) : FakeEndpoint(own_comm, rank, alone(size)) {}

  FakeRequest& request(const Result& end, int after, bool stays = false) {
    return *requests_.emplace_back(std::make_unique<FakeRequest>(*this, end, after, stays));
  }
  void forget_requests() { requests_.clear(); }

  void make_endpoints(std::unique_ptr<Communicator>, const std::vector<MPI_Comm>&) override { no_messages(); }
  int send(const Layout&, int, int, Mode) override { no_messages(); }
  Result receive(const Layout&, int, int) override { no_messages(); }
  bool send_now(std::span<const std::byte>, int, int) override { no_messages(); }
  Request& start_send(Layout&&, int, int, Mode) override { no_messages(); }
  Request& start_receive(std::span<std::byte>, int, int) override { no_messages(); }
  Request& start_receive(Layout&&, int, int) override { no_messages(); }
  void send_copy(std::shared_ptr<std::byte[]>, std::size_t, int, int) override { no_messages(); }
  Request& make_persistent(Layout&&, const Persistent&) override { no_messages(); }
  bool probe(int, int, Result&) override { no_messages(); }
  Probed* take(int, int, Result&) override { no_messages(); }
  Result receive(const Layout&, Probed&) override { no_messages(); }
  Request& start_receive(Layout&&, Probed&) override { no_messages(); }
  void freed() override { ++frees; }
  [[nodiscard]] bool owes_nothing() override { return true; }
  [[nodiscard]] bool unused() override { return true; }

  [[nodiscard]] bool crowded() const override { return true; }
  void meanwhile() override {}
  void blocked(const char* call) override { blocked_in = call; }

  std::function<void()> at_step;
  int steps = 0;
  int frees = 0;
  const char* blocked_in = nullptr;

 private:
  void progress_messages() override {
    ++steps;
    if (at_step) at_step();
    for (const auto& request : requests_) request->step();
  }

  FakeEndpoint(MPI_Comm own_comm, int rank, std::unique_ptr<Communicator> communicator)
      : Endpoint(own_comm, rank, *communicator), communicator_(std::move(communicator)) {}

  /// All ranks are of this process.
  static std::unique_ptr<Communicator> alone(int size) {
    std::vector<Place> places;
    for (int rank = 0; rank < size; ++rank) places.push_back({0, rank});
    return std::make_unique<Communicator>(MPI_COMM_NULL, std::move(places), std::vector<Member>{});
  }

  [[noreturn]] static void no_messages() { throw std::logic_error("a fake endpoint moves no messages"); }

  std::unique_ptr<Communicator> communicator_;
  std::vector<std::unique_ptr<FakeRequest>> requests_;
};

}  // namespace raddle::endpoints
