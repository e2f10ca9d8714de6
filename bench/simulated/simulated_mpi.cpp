// SPDX-License-Identifier: BSD-3-Clause
#include "simulated_mpi.hpp"

#include <algorithm>
#include <memory>
#include <vector>

#include "endpoints/errors.hpp"

namespace raddle::simulated {
namespace {

/// MPI_Ibarrier of SimGrid lets a rank go as soon as rank 0 has entered, and rank 0 talks to each one in turn. This is
/// the barrier that MPIs have: in round i to the rank 2^i further on, from the one 2^i before (Hensgen, Finkel,
/// Manber: Two algorithms for barrier synchronization, 1988).
class Barrier {
 public:
  explicit Barrier(MPI_Comm comm) : comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    MPI_Comm_size(comm, &size_);
    begin_round();
  }

  bool over() {
    while (distance_ < size_) {
      int flag = 0;
      PMPI_Test(&receive_, &flag, MPI_STATUS_IGNORE);
      if (flag != 0) PMPI_Test(&send_, &flag, MPI_STATUS_IGNORE);
      if (flag == 0) return false;
      distance_ *= 2;
      begin_round();
    }
    return true;
  }

 private:
  /// No other message of this communicator has it.
  static constexpr int tag = 1 << 20;

  void begin_round() {
    if (distance_ >= size_) return;
    PMPI_Irecv(nullptr, 0, MPI_BYTE, (rank_ - distance_ + size_) % size_, tag, comm_, &receive_);
    PMPI_Isend(nullptr, 0, MPI_BYTE, (rank_ + distance_) % size_, tag, comm_, &send_);
  }

  MPI_Comm comm_;
  int rank_ = 0;
  int size_ = 0;
  int distance_ = 1;
  MPI_Request send_ = MPI_REQUEST_NULL;
  MPI_Request receive_ = MPI_REQUEST_NULL;
};

/// What a probe has found. Nobody else takes it, for a rank is one thread, which receives it next.
struct Found {
  int source;
  int tag;
  MPI_Comm comm;
};

std::vector<std::unique_ptr<Barrier>>& barriers() {
  static std::vector<std::unique_ptr<Barrier>> all;  // SimGrid gives each rank its own
  return all;
}

}  // namespace

int ibarrier(MPI_Comm comm, MPI_Request* request) {
  const auto& made = barriers().emplace_back(std::make_unique<Barrier>(comm));
  // A handle is a pointer, and this one is nobody else's.
  *request = reinterpret_cast<MPI_Request>(made.get());
  return MPI_SUCCESS;
}

int test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (*request == MPI_REQUEST_NULL) {  // exchanges did not end where SimGrid was asked
    *flag = 1;
    return MPI_SUCCESS;
  }
  const auto found = std::ranges::find_if(
      barriers(), [request](const auto& one) { return reinterpret_cast<MPI_Request>(one.get()) == *request; });
  if (found == barriers().end()) return PMPI_Test(request, flag, status);
  *flag = (*found)->over() ? 1 : 0;
  if (*flag != 0) {
    barriers().erase(found);
    *request = MPI_REQUEST_NULL;
  }
  return MPI_SUCCESS;
}

int improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  const int code = PMPI_Iprobe(source, tag, comm, flag, status);
  if (*flag != 0) *message = new Found{status->MPI_SOURCE, status->MPI_TAG, comm};
  return code;
}

int imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request) {
  const std::unique_ptr<Found> found(static_cast<Found*>(*message));
  *message = MPI_MESSAGE_NULL;
  return PMPI_Irecv(data, count, type, found->source, found->tag, found->comm, request);
}

int get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count) {
  int elements = 0;
  const int code = PMPI_Get_count(status, type, &elements);
  *count = elements;
  return code;
}

// As its MPI_Ibarrier, other nonblocking collectives may be linear. What MPIs do is among the blocking ones, and each
// algorithm waits for the result before it goes on.

int ialltoall(const void* send, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Alltoall(send, sendcount, sendtype, received, recvcount, recvtype, comm);
}

int ialltoallv(const void* send, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype, void* received,
               const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype, MPI_Comm comm,
               MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Alltoallv(send, sendcounts, sendplaces, sendtype, received, recvcounts, recvplaces, recvtype, comm);
}

int ireduce_scatter_block(const void* send, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                          MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  return PMPI_Reduce_scatter_block(send, received, count, type, op, comm);
}

}  // namespace raddle::simulated

// The library registers a text for it. SimGrid registers none, and has no limit that would be reached.
int raddle::endpoints::no_communicators_left() { return MPI_ERR_OTHER; }
int raddle::platform::class_of(int) { return MPI_ERR_OTHER; }
