// SPDX-License-Identifier: BSD-3-Clause
// What MPI functions do that take no handle of an endpoint and that endpoints depend on: those that
// endpoint_functions.toml lists as `always`. Each gets the MPI's own, whose prototype is the installed header's, then
// all arguments.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "endpoints/collectives/held.hpp"
#include "endpoints/errors.hpp"
#include "endpoints/files/null_file.hpp"
#include "endpoints/handles/handles.hpp"
#include "interpose/adopted.hpp"
#include "interpose/callbacks.hpp"
#include "interpose/fortran.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/parent.hpp"
#include "interpose/sessions.hpp"
#include "interpose/wrapper.hpp"
#include "platform/errors.hpp"
#include "platform/mpi_quirks.hpp"

namespace raddle::interpose::always {

/// The thread level to ask the MPI for, where the program asks for `wanted`.
int thread_level(int wanted);
/// Tells on stderr, once for all processes, that the MPI provides less than was asked for.
void tell_thread_level(int asked);

/// The MPI has begun. @returns MPI_SUCCESS, or the error, raised
int begun();
/// Memory that proxies see; nullptr: there are none, or it has no room.
void* shared_memory(std::int64_t bytes);
/// @returns false: it is none of that
bool free_shared_memory(void* address);
/// Ends what there is of Raddle in the process. The MPI is still there.
void end();
/// The program calls MPI_Finalize. Threads of Raddle's call the MPI no more: some MPIs let just one do so from here on.
/// All else ends with MPI_COMM_SELF, where the MPI sees to that.
void end_now();

/// The process's buffer of MPI_Bsend has been attached.
void attached(void* buffer, std::int64_t bytes);
/// Waits until no message is in that of the rank or process, and detaches it.
void detach(void*& buffer, std::int64_t& bytes);
/// Waits until the messages are out that are in it now.
void flush();
/// The same, without waiting. @param request  the MPI's own or MPI_REQUEST_NULL; afterwards that of both
void start_flush(MPI_Request& request);

template <typename Next>
int Init(Next next, int* argc, char*** argv) {
  if (endpoints::adopted != nullptr) return adopted::initialize();
  const int asked = thread_level(MPI_THREAD_SINGLE);
  int provided = MPI_THREAD_SINGLE;
  const int code = asked == MPI_THREAD_SINGLE ? next(argc, argv) : PMPI_Init_thread(argc, argv, asked, &provided);
  if (code != MPI_SUCCESS) return code;
  if (provided < asked) tell_thread_level(asked);
  return begun();
}

template <typename Next>
int Init_thread(Next next, int* argc, char*** argv, int required, int* provided) {
  if (endpoints::adopted != nullptr) {
    const int code = PMPI_Query_thread(provided);
    return code == MPI_SUCCESS ? adopted::initialize() : code;
  }
  const int asked = thread_level(required);
  const int code = next(argc, argv, asked, provided);
  if (code != MPI_SUCCESS) return code;
  if (*provided < asked && asked > required) tell_thread_level(asked);
  return begun();
}

/// Where there are proxies it is memory from which they send, and into which they receive, without a copy.
template <typename Next>
int Alloc_mem(Next next, MPI_Aint bytes, MPI_Info info, void* address) {
  void* const shared = shared_memory(bytes);
  if (shared == nullptr) return of_rank(next(bytes, info, address));
  *static_cast<void**>(address) = shared;
  return MPI_SUCCESS;
}

template <typename Next>
int Free_mem(Next next, void* address) {
  return free_shared_memory(address) ? MPI_SUCCESS : of_rank(next(address));
}

template <typename Next, typename Session>
int Session_init(Next next, MPI_Info info, MPI_Errhandler handler, Session* session) {
  return sessions::begin(next, info, handler, session);
}

template <typename Next, typename Session>
int Session_finalize(Next next, Session* session) {
  return sessions::end(next, session);
}

template <typename Next>
int Finalize(Next next) {
  if (endpoints::adopted != nullptr) return adopted::finalize();
  end_now();
  return next();
}

template <typename Next>
int Initialized(Next next, int* flag) {
  if (endpoints::adopted == nullptr) return next(flag);
  *flag = endpoints::adopted->initialized ? 1 : 0;
  return MPI_SUCCESS;
}

template <typename Next>
int Finalized(Next next, int* flag) {
  if (endpoints::adopted == nullptr) return next(flag);
  *flag = endpoints::adopted->finalized ? 1 : 0;
  return MPI_SUCCESS;
}

template <typename Next>
int Is_thread_main(Next next, int* flag) {
  fortran::call_awaited = false;
  if (endpoints::adopted == nullptr) return next(flag);
  *flag = endpoints::adopted->main_thread == std::this_thread::get_id() ? 1 : 0;
  return MPI_SUCCESS;
}

template <typename Next, typename Count>
int Buffer_attach(Next next, void* buffer, Count bytes) {
  if (endpoints::adopted != nullptr) return adopted::attach(buffer, bytes);
  const endpoints::Outcome outcome;
  const int code = next(buffer, bytes);
  if (outcome.of(code) == MPI_SUCCESS) attached(buffer, bytes);
  return code;
}

template <typename Next, typename Count>
int Buffer_detach(Next next, void* buffer, Count* bytes) {
  void* where = nullptr;
  std::int64_t size = 0;
  detach(where, size);
  if (endpoints::adopted == nullptr) return next(buffer, bytes);
  *static_cast<void**>(buffer) = where;
  *bytes = static_cast<Count>(size);
  return MPI_SUCCESS;
}

template <typename Next>
int Buffer_flush(Next next) {
  flush();
  return endpoints::adopted != nullptr ? MPI_SUCCESS : next();
}

template <typename Next>
int Buffer_iflush(Next next, MPI_Request* request) {
  if (endpoints::adopted == nullptr || request == nullptr) {
    const endpoints::Outcome outcome;
    const int code = next(request);
    if (outcome.of(code) != MPI_SUCCESS) return code;
  } else {
    *request = MPI_REQUEST_NULL;
  }
  start_flush(*request);
  return MPI_SUCCESS;
}

/// Where the process has been started by processes, they know it, and none of its ranks.
template <typename Next>
int Comm_get_parent(Next next, MPI_Comm* parent) {
  if (endpoints::adopted == nullptr && parent != nullptr && parent::get(parent)) return MPI_SUCCESS;
  const int code = next(parent);
  if (code != MPI_SUCCESS || endpoints::adopted == nullptr || *parent == MPI_COMM_NULL) return code;
  *parent = MPI_COMM_NULL;
  return adopted::refuse("MPI_Comm_get_parent");
}

/// Two ranks that have a socket; processes are joined by the MPI.
template <typename Next>
int Comm_join(Next next, int socket, MPI_Comm* made) {
  if (endpoints::adopted == nullptr) return next(socket, made);
  if (made == nullptr) return adopted::raise(*endpoints::adopted, MPI_ERR_ARG);
  return on_endpoint::Comm_join(*endpoints::adopted->self, socket, made);
}

/// A port of endpoints, besides the MPI's. @param name  of that, which may be empty; afterwards that of both
/// @returns MPI_SUCCESS, or the error, raised
int open_port(char* name);
/// @returns the MPI's name of a port, which is closed for endpoints
std::string close_port(const char* name);

template <typename Next>
int Open_port(Next next, MPI_Info info, char* name) {
  constexpr auto endpoint = static_cast<std::uint32_t>(endpoints::Kind::communicator);
  const bool any = (endpoints::gate.load(std::memory_order_relaxed) & endpoint) != 0 && name != nullptr;
  // Endpoints of one job need no port of the MPI's, which may have none.
  const bool skipped = any && endpoints::adopted != nullptr && platform::quirks().open_port_crashes;
  const int code = skipped ? MPI_ERR_PORT : next(info, name);
  if (code != MPI_SUCCESS && (!any || endpoints::adopted == nullptr)) return of_rank(code);
  if (code != MPI_SUCCESS) *name = '\0';
  return any ? open_port(name) : code;
}

/// Not while an error is raised: a handler of the program may wait for another rank.
template <typename Next, typename... Arguments>
int in_turn(Next next, Arguments... arguments) {
  int code = MPI_SUCCESS;
  {
    const auto turn = turn_to_look_up();
    code = next(arguments...);
  }
  return of_rank(code);
}

template <typename Next>
int Publish_name(Next next, const char* service, MPI_Info info, const char* port) {
  return in_turn(next, service, info, port);
}

template <typename Next>
int Unpublish_name(Next next, const char* service, MPI_Info info, const char* port) {
  return in_turn(next, service, info, port);
}

template <typename Next>
int Lookup_name(Next next, const char* service, MPI_Info info, char* port) {
  return in_turn(next, service, info, port);
}

template <typename Next>
int Type_create_f90_real(Next next, int precision, int range, MPI_Datatype* type) {
  return in_turn(next, precision, range, type);
}

template <typename Next>
int Type_create_f90_complex(Next next, int precision, int range, MPI_Datatype* type) {
  return in_turn(next, precision, range, type);
}

template <typename Next>
int Type_create_f90_integer(Next next, int range, MPI_Datatype* type) {
  return in_turn(next, range, type);
}

template <typename Next>
int Close_port(Next next, const char* name) {
  if (name == nullptr) return of_rank(next(name));
  const std::string of_mpi = close_port(name);
  return of_mpi.empty() ? MPI_SUCCESS : of_rank(next(of_mpi.c_str()));
}

template <typename Next>
int Type_free(Next next, MPI_Datatype* type) {
  if (type == nullptr || !endpoints::collectives::free_type_later(*type)) return of_rank(next(type));
  *type = MPI_DATATYPE_NULL;
  return MPI_SUCCESS;
}

template <typename Next, typename Count>
int Op_create(Next next, void (*function)(void*, void*, Count*, MPI_Datatype*), int commute, MPI_Op* op) {
  const endpoints::Outcome outcome;
  const int code = of_rank(next(function, commute, op));
  using endpoints::collectives::ProgramOperator;
  if (outcome.of(code) == MPI_SUCCESS && !fortran::operators_may_differ())
    ProgramOperator::created(*op, ProgramOperator(function));
  return code;
}

template <typename Next>
int Op_free(Next next, MPI_Op* op) {
  if (op != nullptr && endpoints::collectives::free_op_later(*op)) {
    *op = MPI_OP_NULL;
    return MPI_SUCCESS;
  }
  if (op != nullptr) endpoints::collectives::ProgramOperator::freed(*op);
  return of_rank(next(op));
}

template <typename Next, typename Count>
int Reduce_local(Next next, const void* in, void* inout, Count count, MPI_Datatype type, MPI_Op op) {
  constexpr auto endpoint = static_cast<std::uint32_t>(endpoints::Kind::communicator);
  const bool any = (endpoints::gate.load(std::memory_order_relaxed) & endpoint) != 0;
  if (any && in != MPI_IN_PLACE && count > 0 && type != MPI_DATATYPE_NULL &&
      endpoints::collectives::ProgramOperator::of(op).call(in, inout, count, type))
    return MPI_SUCCESS;
  return of_rank(next(in, inout, count, type, op));
}

/// The program's turn at the table to which Raddle adds the texts of its own errors.
inline constexpr auto at_table_of_errors = [](auto next, auto... arguments) -> int {
  const std::lock_guard lock(platform::table_of_errors());
  return of_rank(next(arguments...));
};
inline constexpr auto& Add_error_class = at_table_of_errors;
inline constexpr auto& Add_error_code = at_table_of_errors;
inline constexpr auto& Add_error_string = at_table_of_errors;
inline constexpr auto& Error_string = at_table_of_errors;
inline constexpr auto& Remove_error_class = at_table_of_errors;
inline constexpr auto& Remove_error_code = at_table_of_errors;
inline constexpr auto& Remove_error_string = at_table_of_errors;

template <typename Next>
int Comm_create_errhandler(Next next, MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  return of_rank(next(callbacks::error_handler(function), handler));
}

template <typename Next>
[[gnu::always_inline]] inline int File_create_errhandler(Next next, MPI_File_errhandler_function* function,
                                                         MPI_Errhandler* handler) {
  return of_rank(next(callbacks::file_error_handler(function, __builtin_return_address(0)), handler));
}

// A rank's own of MPI_FILE_NULL (endpoints/files/null_file.hpp). Nobody sets the process's, which returns errors.

template <typename Next>
int File_set_errhandler(Next next, MPI_File file, MPI_Errhandler handler) {
  if (file == MPI_FILE_NULL && endpoints::adopted != nullptr) {
    const bool as_it_is =
        endpoints::null_file::of(*endpoints::adopted) == MPI_FILE_NULL && handler == MPI_ERRORS_RETURN;
    if (as_it_is) return MPI_SUCCESS;
    if (const int code = endpoints::null_file::open(*endpoints::adopted, file); code != MPI_SUCCESS) return code;
  }
  const int code = next(file, handler);
  return handler == MPI_ERRHANDLER_NULL ? of_rank(code) : code;
}

template <typename Next>
int File_get_errhandler(Next next, MPI_File file, MPI_Errhandler* handler) {
  if (file == MPI_FILE_NULL && endpoints::adopted != nullptr) file = endpoints::null_file::of(*endpoints::adopted);
  return next(file, handler);
}

template <typename Next>
int File_call_errhandler(Next next, MPI_File file, int error) {
  if (file != MPI_FILE_NULL || endpoints::adopted == nullptr) {
    return call_handler([&](MPI_Errhandler* its) { return PMPI_File_get_errhandler(file, its); },
                        [&] { return next(file, error); });
  }
  endpoints::raise_on_file(file, error);
  return MPI_SUCCESS;
}

template <typename Next>
int Errhandler_create(Next next, MPI_Comm_errhandler_function* function, MPI_Errhandler* handler) {
  return Comm_create_errhandler(next, function, handler);
}

template <typename Next>
[[gnu::always_inline]] inline int Grequest_start(Next next, MPI_Grequest_query_function* query,
                                                 MPI_Grequest_free_function* free, MPI_Grequest_cancel_function* cancel,
                                                 void* extra, MPI_Request* request) {
  const auto mpis = callbacks::generalized({query, free, cancel, extra}, __builtin_return_address(0));
  const endpoints::Outcome outcome;
  const int code = of_rank(next(mpis.query, mpis.free, mpis.cancel, mpis.extra, request));
  if (outcome.of(code) != MPI_SUCCESS) callbacks::not_taken(mpis);
  return code;
}

/// A representation of data that a rank registers. The MPI has those of the process: for it, it is one, and `registers`
/// is called once. @returns an MPI error code, raised: MPI_ERR_DUP_DATAREP if the rank has it already
int register_datarep(const char* name, const std::function<int()>& registers);

template <typename Next, typename Conversion, typename Extent>
int Register_datarep(Next next, const char* name, Conversion* read, Conversion* write, Extent* extent, void* state) {
  const auto registers = [&] { return next(name, read, write, extent, state); };
  return is_rank() ? register_datarep(name, registers) : registers();
}

template <typename Next>
[[gnu::always_inline]] inline int Comm_create_keyval(Next next, MPI_Comm_copy_attr_function* copy,
                                                     MPI_Comm_delete_attr_function* remove, int* key, void* extra) {
  const auto mpis = callbacks::keyval({copy, remove, extra}, __builtin_return_address(0));
  return of_rank(next(mpis.copy, mpis.remove, key, mpis.extra));
}

template <typename Next>
[[gnu::always_inline]] inline int Keyval_create(Next next, MPI_Copy_function* copy, MPI_Delete_function* remove,
                                                int* key, void* extra) {
  const auto mpis = callbacks::keyval({copy, remove, extra}, __builtin_return_address(0));
  return of_rank(next(mpis.copy, mpis.remove, key, mpis.extra));
}

}  // namespace raddle::interpose::always
