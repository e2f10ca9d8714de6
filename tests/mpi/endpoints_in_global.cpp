// SPDX-License-Identifier: BSD-3-Clause
// A global object calls MPI_Init and MPI_Finalize: what Raddle made after it is still there when it is destroyed.
#include <cstdio>

#include "raddle/raddle.h"

namespace {

struct Environment {
  Environment() { MPI_Init(nullptr, nullptr); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment() {
    MPI_Finalize();
    std::puts("endpoints_in_global: all good");
  }
};
const Environment environment;

}  // namespace

int main() {
  MPI_Comm endpoint = MPI_COMM_NULL;
  MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, &endpoint);
  for (int round = 0; round < 3; ++round) {
    constexpr int messages = 3;
    MPI_Request requests[messages];
    MPI_Message probed[messages];
    int sent = round;
    int come = 0;
    for (int i = 0; i < messages; ++i) MPI_Isend(&sent, 1, MPI_INT, 0, i, endpoint, &requests[i]);
    for (int i = 0; i < messages; ++i) MPI_Mprobe(0, i, endpoint, &probed[i], MPI_STATUS_IGNORE);
    for (MPI_Message& one : probed) MPI_Mrecv(&come, 1, MPI_INT, &one, MPI_STATUS_IGNORE);
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Comm_free(&endpoint);
  return 0;
}
