// SPDX-License-Identifier: BSD-3-Clause
#include "partitioned/request.hpp"

#include <mutex>
#include <utility>

#include "partitioned/office.hpp"

namespace raddle::partitioned {

PartitionedRequest::PartitionedRequest(Desk desk, const Arguments& arguments)
    : Request(&end_),
      desk_(std::move(desk)),
      content_(arguments.buffer, arguments.partitions, arguments.count, arguments.type),
      partition_count_(arguments.partitions),
      peer_(arguments.peer) {
  office().enter(*this);
  raises_ = desk_.comm;
  mover_ = desk_.mover;
  partitions_ = this;
  persistent_ = true;
  active_ = false;
}

PartitionedRequest::~PartitionedRequest() { office().leave(*this); }

int PartitionedRequest::start() {
  const std::lock_guard lock(office().guard());
  office().carrier().own();
  ++round_;
  error_.store(MPI_SUCCESS, std::memory_order_relaxed);
  end_.store(endpoints::Ended::no, std::memory_order_relaxed);
  active_ = true;
  if (const int code = begin(); code != MPI_SUCCESS) fail(code);
  if (advance()) {
    static_cast<void>(finish());
  } else {
    office().activate(*this);
  }
  return MPI_SUCCESS;
}

bool PartitionedRequest::finish() {
  const bool given_up = given_up_;
  end_.store(error() == MPI_SUCCESS ? endpoints::Ended::well : endpoints::Ended::otherwise, std::memory_order_release);
  return given_up;
}

void PartitionedRequest::abandon() {
  std::unique_ptr<PartitionedRequest> gone;
  const std::lock_guard lock(office().guard());
  if (active_ && !complete()) {
    given_up_ = true;
  } else {
    gone.reset(this);
  }
}

}  // namespace raddle::partitioned
