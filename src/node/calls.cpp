// SPDX-License-Identifier: BSD-3-Clause
#include "node/calls.hpp"

#include "platform/errors.hpp"
#include "platform/must.hpp"

namespace raddle::node {

const Calls of_processes{
    .comm_split_type = PMPI_Comm_split_type,
    .comm_split = PMPI_Comm_split,
    .comm_set_errhandler = PMPI_Comm_set_errhandler,
    .comm_rank = PMPI_Comm_rank,
    .comm_size = PMPI_Comm_size,
    .comm_free = PMPI_Comm_free,
    .allgather = PMPI_Allgather,
    .allreduce = PMPI_Allreduce,
    .barrier = PMPI_Barrier,
    .bcast = PMPI_Bcast,
    .expect = platform::must,
};

const Calls of_ranks{
    .comm_split_type = MPI_Comm_split_type,
    .comm_split = MPI_Comm_split,
    .comm_set_errhandler = MPI_Comm_set_errhandler,
    .comm_rank = MPI_Comm_rank,
    .comm_size = MPI_Comm_size,
    .comm_free = MPI_Comm_free,
    .allgather = MPI_Allgather,
    .allreduce = MPI_Allreduce,
    .barrier = MPI_Barrier,
    .bcast = MPI_Bcast,
    .expect = [](const char*, int code) { platform::check(code); },
};

}  // namespace raddle::node
