// SPDX-License-Identifier: BSD-3-Clause
#include "meeting.hpp"

namespace raddle::traffic {

bool Meeting::meet(int thread, bool stop, const std::function<void()>& idle) {
  const unsigned now = meetings_.load();
  if (stop) stop_.store(1);
  arrived_.fetch_add(1);
  if (thread != 0) {
    while (meetings_.load() == now) idle();
    return result_;
  }
  while (arrived_.load() < threads_) idle();
  int mine = stop_.load();
  int all = 0;
  int done = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD, &request);
  while (done == 0) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done == 0) idle();
  }
  result_ = all != 0;
  arrived_.store(0);
  stop_.store(0);
  meetings_.fetch_add(1);
  return all != 0;
}

}  // namespace raddle::traffic
