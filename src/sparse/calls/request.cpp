// SPDX-License-Identifier: BSD-3-Clause

#include <memory>
#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/pause.hpp"
#include "sparse/calls/calls.hpp"
#include "sparse/calls/data.hpp"
#include "sparse/exchange.hpp"

namespace raddle::sparse {

ExchangeRequest::ExchangeRequest(std::shared_ptr<Attachment> attachment, MPI_Comm raises, bool persistent)
    : Request(&end_), attachment_(std::move(attachment)), courier_(*attachment_, raises) {
  raises_ = raises;
  mover_ = &courier_;
  persistent_ = persistent;
  active_ = !persistent;
}

void ExchangeRequest::Courier::meanwhile() {
  if (surroundings.meanwhile != nullptr) surroundings.meanwhile();
}

void ExchangeRequest::Courier::blocked(const char*) {
  if (surroundings.blocked != nullptr) surroundings.blocked(attachment_.comm());
}

void ExchangeRequest::go() {
  active_ = true;
  error_ = MPI_SUCCESS;
  fate_.store(under_way, std::memory_order_relaxed);
  end_.store(endpoints::Ended::no, std::memory_order_relaxed);
  platform::relied_on("a nonblocking sparse exchange", [&] {
    attachment_->enter(*this);
    go_on_in_background();
  });
}

/// The program may be blocked in a call that does not come to Raddle, and others wait for what this process owes them
/// (MPI-4.1 section 3.5, progress).
void ExchangeRequest::go_on_in_background() {
  int level = MPI_THREAD_SINGLE;
  platform::must("MPI_Query_thread", PMPI_Query_thread(&level));
  if (level != MPI_THREAD_MULTIPLE || !attachment_->watch()) return;
  platform::Background::get().add([weak = std::weak_ptr(attachment_)] {
    const std::shared_ptr<Attachment> alive = weak.lock();
    if (!alive) return false;
    alive->progress();
    return alive->still_watched();
  });
}

bool ExchangeRequest::advance() {
  bool over = true;
  try {
    over = step();
  } catch (const endpoints::Failure& failure) {
    fail(failure.code);
  }
  if (!over) return false;
  const bool well = error_ == MPI_SUCCESS;
  if (fate_.exchange(ended, std::memory_order_acq_rel) == given_up) {
    delete this;
  } else {
    end_.store(well ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
  }
  return true;
}

void ExchangeRequest::retire() {
  active_ = false;
  if (!persistent()) delete this;
}

void ExchangeRequest::abandon() {
  if (active() && fate_.exchange(given_up, std::memory_order_acq_rel) == under_way) return;  // advance() deletes it
  while (active() && !complete()) platform::pause();
  delete this;
}

// Exchanges that do not wait.
namespace {

class StartedExchange final : public ExchangeRequest {
 public:
  StartedExchange(Prepared prepared, MPI_Datatype recvtype, ExchangeLane& lane, SparseAlgorithm algorithm,
                  MPI_Comm raises, Raddle_Sparse_messages& received)
      : ExchangeRequest(std::move(prepared.attachment), raises, false),
        options_(prepared.options),
        outgoing_(std::move(prepared.outgoing)),
        element_(recvtype),
        lane_(lane),
        ticket_(lane.take_ticket()),
        algorithm_(algorithm),
        received_(received),
        arrivals_(lane.guess()) {
    go();
  }

  int start() override { return MPI_ERR_REQUEST; }

 private:
  bool step() override {
    if (!way_) {
      if (!lane_.is_turn_of(ticket_)) return false;
      way_ = lane_.begin(algorithm_, options_.radix, false, outgoing_.messages(), arrivals_);
    }
    if (way_->step() != Step::over) return false;
    lane_.learn(arrivals_.bytes());
    lane_.served();
    if (const int code = fill_in(std::move(arrivals_).rows(options_.sorted), element_, received_); code != MPI_SUCCESS)
      fail(code);
    return true;
  }

  Options options_;
  OutgoingMessages outgoing_;
  Element element_;
  ExchangeLane& lane_;
  std::uint64_t ticket_;
  SparseAlgorithm algorithm_;
  Raddle_Sparse_messages& received_;
  Arrivals arrivals_;
  std::unique_ptr<Way> way_;
};

}  // namespace

MPI_Request start_exchange(const Given& given, MPI_Datatype recvtype, MPI_Info info, const ExchangeComm& on,
                           Raddle_Sparse_messages& received) {
  received = nothing;
  static_cast<void>(Element(recvtype));  // raises what is wrong before anything is under way
  Prepared prepared(given, info, on);
  Attachment& attachment = *prepared.attachment;
  // How long it takes says little while the program does something else: it tries nothing by itself.
  const bool automatic = prepared.options.algorithm == SparseAlgorithm::automatic;
  const SparseAlgorithm algorithm = automatic ? attachment.tuner().settled() : prepared.options.algorithm;
  return platform::relied_on("a nonblocking sparse exchange", [&] {
    attachment.make_lanes();
    ExchangeLane& lane = attachment.next();
    attachment.prepare(lane, algorithm);
    attachment.last(algorithm);
    return std::make_unique<StartedExchange>(std::move(prepared), recvtype, lane, algorithm, on.raises, received)
        .release()
        ->handle();
  });
}

}  // namespace raddle::sparse
