// SPDX-License-Identifier: BSD-3-Clause
// Completion, and what else is done with requests. `found` is the first request of an endpoint among those given.
#pragma once

#include <mpi.h>

#include "endpoints/request.hpp"

namespace raddle::interpose::on_endpoint {

using endpoints::Request;

int Wait(Request& found, MPI_Request* request, MPI_Status* status);
int Waitall(Request& found, int count, MPI_Request* requests, MPI_Status* statuses);
int Waitany(Request& found, int count, MPI_Request* requests, int* index, MPI_Status* status);
int Waitsome(Request& found, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses);

int Test(Request& found, MPI_Request* request, int* flag, MPI_Status* status);
int Testall(Request& found, int count, MPI_Request* requests, int* flag, MPI_Status* statuses);
int Testany(Request& found, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status);
int Testsome(Request& found, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses);

// Those on several came with MPI-4.1.
int Request_get_status(Request& found, int* flag, MPI_Status* status);
int Request_get_status_all(Request& found, int count, const MPI_Request* requests, int* flag, MPI_Status* statuses);
int Request_get_status_any(Request& found, int count, const MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status);
int Request_get_status_some(Request& found, int count, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* statuses);

int Request_free(Request& found, MPI_Request* request);
int Cancel(Request& found, MPI_Request* request);
int Start(Request& found, MPI_Request* request);
int Startall(Request& found, int count, MPI_Request* requests);

}  // namespace raddle::interpose::on_endpoint
