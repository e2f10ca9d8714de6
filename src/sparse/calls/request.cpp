// SPDX-License-Identifier: BSD-3-Clause
#include "sparse/calls/request.hpp"

#include <utility>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "platform/background.hpp"
#include "platform/must.hpp"
#include "platform/pause.hpp"
#include "platform/relied_on.hpp"
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

}  // namespace raddle::sparse
