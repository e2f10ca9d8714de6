// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/requests/completion.hpp"

#include "interpose/on_endpoint.hpp"

namespace raddle::interpose::on_endpoint {
namespace {

using endpoints::Requests;

/// Where an endpoint's request has been found, the count is not negative.
Requests listed(MPI_Request* requests, int count) { return {requests, static_cast<std::size_t>(count)}; }

/// Nothing is written, but not every mpi.h says so.
Requests listed(const MPI_Request* requests, int count) {
  return listed(const_cast<MPI_Request*>(requests), count);  // NOLINT(cppcoreguidelines-pro-type-const-cast)
}

}  // namespace

int Wait(Request& found, MPI_Request* request, MPI_Status* status) { return endpoints::wait(found, *request, status); }

int Waitall(Request&, int count, MPI_Request* requests, MPI_Status* statuses) {
  return endpoints::wait_all(listed(requests, count), statuses);
}

int Waitany(Request&, int count, MPI_Request* requests, int* index, MPI_Status* status) {
  return endpoints::wait_any(listed(requests, count), *index, status);
}

int Waitsome(Request&, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return endpoints::wait_some(listed(requests, count), *outcount, indices, statuses);
}

int Test(Request& found, MPI_Request* request, int* flag, MPI_Status* status) {
  return endpoints::test(found, *request, *flag, status);
}

int Testall(Request&, int count, MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return endpoints::test_all(listed(requests, count), *flag, statuses);
}

int Testany(Request&, int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  return endpoints::test_any(listed(requests, count), *index, *flag, status);
}

int Testsome(Request&, int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  return endpoints::test_some(listed(requests, count), *outcount, indices, statuses);
}

int Request_get_status(Request& found, int* flag, MPI_Status* status) { return endpoints::look(found, *flag, status); }

int Request_get_status_all(Request&, int count, const MPI_Request* requests, int* flag, MPI_Status* statuses) {
  return endpoints::look_all(listed(requests, count), *flag, statuses);
}

int Request_get_status_any(Request&, int count, const MPI_Request* requests, int* index, int* flag,
                           MPI_Status* status) {
  return endpoints::look_any(listed(requests, count), *index, *flag, status);
}

int Request_get_status_some(Request&, int count, const MPI_Request* requests, int* outcount, int* indices,
                            MPI_Status* statuses) {
  return endpoints::look_some(listed(requests, count), *outcount, indices, statuses);
}

int Request_free(Request& found, MPI_Request* request) {
  *request = MPI_REQUEST_NULL;
  found.abandon();
  return MPI_SUCCESS;
}

int Cancel(Request& found, MPI_Request*) { return endpoints::cancel(found); }

int Start(Request& found, MPI_Request*) { return endpoints::start(found); }

int Startall(Request&, int count, MPI_Request* requests) { return endpoints::start_all(listed(requests, count)); }

}  // namespace raddle::interpose::on_endpoint
