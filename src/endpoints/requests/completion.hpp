// SPDX-License-Identifier: BSD-3-Clause
// Completion calls (MPI-4.1 sections 3.7.3 to 3.7.6) on arrays that mix requests of any endpoints with the MPI's own,
// null and inactive ones, and all that is done with one request of an endpoint.
//
// Parameters are those of the MPI functions of like names. Errors of endpoints' requests are raised once, on the
// endpoint whose request failed first, and returned; those of the MPI's own requests have been raised by the MPI.
//
// An endpoint whose requests are waited for or tested makes progress. No heap is used unless a request has failed.
#pragma once

#include <mpi.h>

#include <span>

#include "endpoints/endpoint.hpp"
#include "endpoints/requests/request.hpp"

namespace raddle::endpoints {

using Requests = std::span<MPI_Request>;

// One request of an endpoint, behind `handle`.
int wait(Request& request, MPI_Request& handle, MPI_Status* status);
int test(Request& request, MPI_Request& handle, int& flag, MPI_Status* status);
int look(const Request& request, int& flag, MPI_Status* status);  ///< MPI_Request_get_status
int cancel(Request& request);                                     ///< MPI_ERR_REQUEST if it is inactive
int start(Request& request);                                      ///< MPI_ERR_REQUEST if it cannot be started

/// Starts one after the other, up to the first error.
int start_all(Requests requests);

/// Waits for one after the other. Once a request has failed the others are given up at the next tenth of a second that
/// goes by, with MPI_ERR_PENDING: what has gone wrong may be why they never complete.
int wait_all(Requests requests, MPI_Status* statuses);
int test_all(Requests requests, int& flag, MPI_Status* statuses);
int look_all(Requests requests, int& flag, MPI_Status* statuses);

/// Of several that are complete, takes the one with the lowest index: programs expect that, although MPI leaves it
/// open. Where that is always an endpoint's, the MPI still gets to make progress with its own.
int wait_any(Requests requests, int& index, MPI_Status* status);
int test_any(Requests requests, int& index, int& flag, MPI_Status* status);
int look_any(Requests requests, int& index, int& flag, MPI_Status* status);

int wait_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses);
int test_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses);
int look_some(Requests requests, int& outcount, int* indices, MPI_Status* statuses);

}  // namespace raddle::endpoints
