// SPDX-License-Identifier: BSD-3-Clause
// What SimGrid's MPI (3.32) lacks, for one thread in each rank. Included before every source file, so that these stay
// as they are. Each name stands for a function of MPI; see simulated_mpi.cpp for what is wrong with it there.
#pragma once

#include <mpi.h>

namespace raddle::simulated {

int ibarrier(MPI_Comm comm, MPI_Request* request);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status);
int imrecv(void* data, int count, MPI_Datatype type, MPI_Message* message, MPI_Request* request);
int get_elements_x(const MPI_Status* status, MPI_Datatype type, MPI_Count* count);
int ialltoall(const void* send, int sendcount, MPI_Datatype sendtype, void* received, int recvcount,
              MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request);
int ialltoallv(const void* send, const int* sendcounts, const int* sendplaces, MPI_Datatype sendtype, void* received,
               const int* recvcounts, const int* recvplaces, MPI_Datatype recvtype, MPI_Comm comm,
               MPI_Request* request);
int ireduce_scatter_block(const void* send, void* received, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
                          MPI_Request* request);

}  // namespace raddle::simulated

#define MPI_Ibarrier raddle::simulated::ibarrier
#define MPI_Test raddle::simulated::test
#define MPI_Improbe raddle::simulated::improbe
#define MPI_Imrecv raddle::simulated::imrecv
#define MPI_Get_elements_x raddle::simulated::get_elements_x
#define MPI_Ialltoall raddle::simulated::ialltoall
#define MPI_Ialltoallv raddle::simulated::ialltoallv
#define MPI_Ireduce_scatter_block raddle::simulated::ireduce_scatter_block
