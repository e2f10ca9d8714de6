// SPDX-License-Identifier: BSD-3-Clause
// An MPI that flips one bit of every message of 1000 bytes, and whose barrier lets everybody go at once: validation
// must notice in every benchmark. Messages of other sizes, such as the launch's own, are left alone.
#include <mpi.h>

#include <atomic>
#include <cstddef>
#include <cstring>
#include <deque>
#include <mutex>
#include <vector>

namespace {

constexpr std::size_t marked = 1000;

/// A damaged copy that lives as long as the program: nonblocking calls still need it after they return.
const void* damaged(const void* buffer, std::size_t bytes) {
  static std::mutex guard;
  static std::deque<std::vector<std::byte>> copies;
  if (bytes != marked) return buffer;
  const std::lock_guard lock(guard);
  auto& copy = copies.emplace_back(bytes);
  std::memcpy(copy.data(), buffer, bytes);
  copy[bytes / 2] ^= std::byte{4};
  return copy.data();
}

std::size_t size_of(int count, MPI_Datatype type) {
  int size = 0;
  MPI_Type_size(type, &size);
  return static_cast<std::size_t>(count) * static_cast<std::size_t>(size);
}

}  // namespace

extern "C" {

int MPI_Send(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return PMPI_Send(damaged(buffer, size_of(count, type)), count, type, peer, tag, comm);
}

int MPI_Ssend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm) {
  return PMPI_Ssend(damaged(buffer, size_of(count, type)), count, type, peer, tag, comm);
}

int MPI_Issend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
               MPI_Request* request) {
  return PMPI_Issend(damaged(buffer, size_of(count, type)), count, type, peer, tag, comm, request);
}

int MPI_Isend(const void* buffer, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
  return PMPI_Isend(damaged(buffer, size_of(count, type)), count, type, peer, tag, comm, request);
}

int MPI_Put(const void* buffer, int count, MPI_Datatype type, int target, MPI_Aint at, int count_there,
            MPI_Datatype type_there, MPI_Win window) {
  return PMPI_Put(damaged(buffer, size_of(count, type)), count, type, target, at, count_there, type_there, window);
}

int MPI_Get(void* buffer, int count, MPI_Datatype type, int target, MPI_Aint at, int count_there,
            MPI_Datatype type_there, MPI_Win window) {
  const int result = PMPI_Get(buffer, count, type, target, at, count_there, type_there, window);
  if (size_of(count, type) == marked) {
    PMPI_Win_flush(target, window);  // what is damaged has come
    static_cast<std::byte*>(buffer)[marked / 2] ^= std::byte{4};
  }
  return result;
}

/// Each tenth adds nothing.
int MPI_Fetch_and_op(const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint at, MPI_Op op,
                     MPI_Win window) {
  static std::atomic<unsigned> calls{0};
  return PMPI_Fetch_and_op(origin, result, type, target, at, ++calls % 10 == 0 ? MPI_NO_OP : op, window);
}

int MPI_File_write_at_all(MPI_File file, MPI_Offset at, const void* buffer, int count, MPI_Datatype type,
                          MPI_Status* status) {
  return PMPI_File_write_at_all(file, at, damaged(buffer, size_of(count, type)), count, type, status);
}

/// Each tenth says that it has swapped, and has not.
int MPI_Compare_and_swap(const void* origin, const void* compare, void* result, MPI_Datatype type, int target,
                         MPI_Aint at, MPI_Win window) {
  static std::atomic<unsigned> calls{0};
  if (++calls % 10 != 0) return PMPI_Compare_and_swap(origin, compare, result, type, target, at, window);
  std::memcpy(result, compare, size_of(1, type));
  return MPI_SUCCESS;
}

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  return PMPI_Allreduce(damaged(in, size_of(count, type)), out, count, type, op, comm);
}

int MPI_Iallreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                   MPI_Request* request) {
  return PMPI_Iallreduce(damaged(in, size_of(count, type)), out, count, type, op, comm, request);
}

int MPI_Alltoall(const void* in, int in_count, MPI_Datatype in_type, void* out, int out_count, MPI_Datatype out_type,
                 MPI_Comm comm) {
  const int result = PMPI_Alltoall(in, in_count, in_type, out, out_count, out_type, comm);
  if (size_of(out_count, out_type) == marked) static_cast<std::byte*>(out)[marked / 2] ^= std::byte{4};
  return result;
}

int MPI_Alltoallv(const void* in, const int* in_counts, const int* in_places, MPI_Datatype in_type, void* out,
                  const int* out_counts, const int* out_places, MPI_Datatype out_type, MPI_Comm comm) {
  const int result = PMPI_Alltoallv(in, in_counts, in_places, in_type, out, out_counts, out_places, out_type, comm);
  int ranks = 0;
  MPI_Comm_size(comm, &ranks);
  for (int rank = 0; rank < ranks; ++rank) {
    if (size_of(out_counts[rank], out_type) == marked)
      static_cast<std::byte*>(out)[static_cast<std::size_t>(out_places[rank]) + marked / 2] ^= std::byte{4};
  }
  return result;
}

int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  const int result = PMPI_Bcast(buffer, count, type, root, comm);
  if (size_of(count, type) == marked) static_cast<std::byte*>(buffer)[marked / 2] ^= std::byte{4};
  return result;
}

int MPI_Barrier(MPI_Comm) { return MPI_SUCCESS; }
}
