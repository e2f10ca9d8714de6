// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/complete_request.hpp"

#include <mutex>

namespace raddle::endpoints {
namespace {

std::mutex guard;

}  // namespace

constinit CompleteRequest* CompleteRequest::sent_ = nullptr;
constinit CompleteRequest* CompleteRequest::received_from_nobody_ = nullptr;

void CompleteRequest::make_all() {
  const std::lock_guard lock(guard);
  if (sent_ != nullptr) return;
  sent_ = new CompleteRequest({});
  received_from_nobody_ = new CompleteRequest({.source = MPI_PROC_NULL});
}

void CompleteRequest::end_all() {
  const std::lock_guard lock(guard);
  for (CompleteRequest** const one : {&sent_, &received_from_nobody_}) {
    delete *one;
    *one = nullptr;
  }
}

}  // namespace raddle::endpoints
