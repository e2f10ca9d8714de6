// SPDX-License-Identifier: BSD-3-Clause
#include <mpi.h>

#include <string>

#include "endpoints/endpoint.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/files/file.hpp"
#include "endpoints/sessions/session.hpp"
#include "endpoints/windows/window.hpp"
#include "interpose/adopted.hpp"
#include "interpose/wrapper.hpp"
#include "platform/errors.hpp"
#include "platform/gpus.hpp"

namespace raddle::interpose {
namespace {

int code_of(int function) {
  return endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION,
                               std::string("Raddle: ") + names[function] + " is not supported on an endpoint");
}

/// That of the exception that is being handled. What is not Raddle's goes on. @returns the error, raised by `raise`
template <typename Raise>
int with_caught(Raise&& raise) {
  try {
    throw;
  } catch (const endpoints::Failure& failure) {
    return failure.raised ? failure.code : raise(failure.code);
  } catch (...) {
    return raise(platform::code_of_caught());
  }
}

}  // namespace

int caught(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL) return caught();
  return with_caught([&](int code) { return endpoints::raise(real(programs(comm)), code); });
}

int caught() {
  return with_caught([](int code) {
    return is_rank() ? raise_for_rank(code) : endpoints::raise(endpoints::without_communicator(), code);
  });
}

int refuse(const Object& object, int function) {
  if (endpoints::adopted != nullptr) endpoints::adopted->refused = names[function];
  return endpoints::raise(object.comm, code_of(function));
}

int refuse(endpoints::Window& window, int function) {
  if (endpoints::adopted != nullptr) endpoints::adopted->refused = names[function];
  return window.raise(code_of(function));
}

int refuse(const endpoints::File& file, int function) {
  if (endpoints::adopted != nullptr) endpoints::adopted->refused = names[function];
  return file.raise(code_of(function));
}

int refuse(const endpoints::Session& session, int function) {
  session.rank().refused = names[function];
  return session.raise(code_of(function));
}

int refuse_two_groups(const Object& object) { return endpoints::raise(object.comm, MPI_ERR_COMM); }

void end_for_call_out_of_time(int function) { adopted::end_the_job(names[function]); }

int raise_for_rank(int code) { return adopted::raise(*endpoints::adopted, code); }

int raise_for_rank(int code, MPI_Comm comm) {
  static const auto ask = the_mpis<decltype(PMPI_Comm_test_inter)>("MPI_Comm_test_inter");
  int inter = 0;
  const bool is_one = comm != MPI_COMM_NULL && ask(comm, &inter) == MPI_SUCCESS;
  const auto find = [&](MPI_Errhandler* handler) { return PMPI_Comm_get_errhandler(comm, handler); };
  return is_one && endpoints::may_be_raised(find, code) ? code : raise_for_rank(code);
}

bool may_be_raised_on_window(MPI_Win window) {
  return endpoints::may_be_raised([&](MPI_Errhandler* handler) { return PMPI_Win_get_errhandler(window, handler); });
}

namespace {

int null_address(int function, const char* parameter) {
  return endpoints::error_with(
      MPI_ERR_ARG, std::string("Raddle: ") + names[function] + ": the address of " + parameter + " is null");
}

}  // namespace

int refuse_null(const Object& object, int function, const char* parameter) {
  return endpoints::raise(object.comm, null_address(function, parameter));
}

int refuse_null(const endpoints::Request& request, int function, const char* parameter) {
  return refuse_null(Object{request.comm()}, function, parameter);
}

int refuse_null(const endpoints::Probed& message, int function, const char* parameter) {
  return refuse_null(Object{message.endpoint().raises()}, function, parameter);
}

int refuse_null(endpoints::Window& window, int function, const char* parameter) {
  return window.raise(null_address(function, parameter));
}

int refuse_null(const endpoints::File& file, int function, const char* parameter) {
  return file.raise(null_address(function, parameter));
}

int refuse_null(const endpoints::Session& session, int function, const char* parameter) {
  return session.raise(null_address(function, parameter));
}

namespace {

thread_local const char* whose = "";  ///< the memory of the buffer that was last found to be a GPU's

int gpu_buffer(int function) {
  return endpoints::error_with(MPI_ERR_UNSUPPORTED_OPERATION, std::string("Raddle: ") + names[function] +
                                                                  " of a buffer in the memory of a GPU (" + whose +
                                                                  ") is not supported on an endpoint");
}

}  // namespace

bool is_of_a_gpu(const void* buffer) {
  const char* const found = buffer == nullptr || buffer == MPI_IN_PLACE ? nullptr : platform::gpus::owner(buffer);
  if (found != nullptr) whose = found;
  return found != nullptr;
}

int refuse_gpu(const Object& object, int function) { return endpoints::raise(object.comm, gpu_buffer(function)); }

int refuse_gpu(const endpoints::Request& request, int function) { return refuse_gpu(Object{request.comm()}, function); }

int refuse_gpu(const endpoints::Probed& message, int function) {
  return refuse_gpu(Object{message.endpoint().raises()}, function);
}

int refuse_gpu(endpoints::Window& window, int function) { return window.raise(gpu_buffer(function)); }

int refuse_gpu(const endpoints::File& file, int function) { return file.raise(gpu_buffer(function)); }

int refuse_gpu(const endpoints::Session& session, int function) { return session.raise(gpu_buffer(function)); }

}  // namespace raddle::interpose
