// SPDX-License-Identifier: BSD-3-Clause
#include "endpoints/errors.hpp"

#include <atomic>
#include <optional>
#include <string>
#include <utility>

#include "endpoints/files/null_file.hpp"
#include "endpoints/handles/handles.hpp"
#include "endpoints/handles/own_handle.hpp"
#include "endpoints/rank.hpp"
#include "platform/last_words.hpp"
#include "platform/mpi_quirks.hpp"
#include "platform/must.hpp"

namespace raddle::endpoints {
namespace {

/// Whether an error that it hears of does. @param handler  is freed
bool ends_the_job(MPI_Errhandler handler) {
  bool ends = handler == MPI_ERRORS_ARE_FATAL;
#ifdef MPI_ERRORS_ABORT
  ends = ends || handler == MPI_ERRORS_ABORT;
#endif
  platform::regardless(PMPI_Errhandler_free(&handler));
  return ends;
}

}  // namespace

int raise_by(const std::function<int(MPI_Errhandler*)>& find, const std::function<int()>& call, int code) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  std::optional<platform::Ending> ending;
  if (find(&handler) == MPI_SUCCESS && ends_the_job(handler)) ending.emplace();
  platform::regardless(call());
  return code;
}

bool may_be_raised(const std::function<int(MPI_Errhandler*)>& find, int code) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (find(&handler) != MPI_SUCCESS) return true;
  const bool returned = handler == MPI_ERRORS_RETURN;
  if (ends_the_job(handler)) return false;  // it would have ended
  return returned || code == MPI_SUCCESS || std::exchange(last_heard.last, MPI_SUCCESS) == code;
}

int endpoints_class() {
  static const int made = platform::add_error_class("Raddle: endpoints could not be provided");
  return made;
}

int endpoints_error(std::string_view what) {
  return error_with(endpoints_class(), "Raddle: endpoints could not be provided: " + std::string(what));
}

int no_communicators_left() { return endpoints_error("the MPI has no communicators left"); }

namespace {

/// Whether the program has set the error handler of MPI_COMM_SELF.
std::atomic<bool>& self_handler_set() {
  static std::atomic<bool> of_the_process{false};
  return adopted == nullptr ? of_the_process : adopted->self_handler_set;
}

}  // namespace

int handler_set(MPI_Comm comm, int code) {
  if (comm == MPI_COMM_SELF && code == MPI_SUCCESS) self_handler_set() = true;
  return code;
}

MPI_Comm without_communicator() {
  switch (platform::raises()) {
    case platform::Raises::on_world:
      return MPI_COMM_WORLD;
    case platform::Raises::on_self_if_set:
      return self_handler_set() ? MPI_COMM_SELF : MPI_COMM_WORLD;
    case platform::Raises::on_self:
      break;
  }
  return MPI_COMM_SELF;
}

int raise_without_world(int code) {
  const AsProcess process;
  MPI_Comm fatal = own_comm();
  if (fatal == MPI_COMM_NULL) return raise(without_communicator(), code);
  platform::must("MPI_Comm_set_errhandler", PMPI_Comm_set_errhandler(fatal, MPI_ERRORS_ARE_FATAL));
  raise(fatal, code);
  platform::regardless(PMPI_Comm_free(&fatal));
  return code;
}

int raise(MPI_Comm handle, int code) {
  if (handle == MPI_COMM_NULL) handle = without_communicator();
  const bool of_rank = adopted != nullptr && (handle == MPI_COMM_WORLD || handle == MPI_COMM_SELF);
  if (of_rank && meant_by(handle) == nullptr) return raise_without_world(code);
  const MPI_Comm comm = late::is(handle) ? late::to_raise_on(handle) : handle;
  return raise_by([&](MPI_Errhandler* handler) { return PMPI_Comm_get_errhandler(comm, handler); },
                  [&] { return PMPI_Comm_call_errhandler(comm, code); }, code);
}

int raise_on_window(MPI_Win window, int code) {
  return raise_by([&](MPI_Errhandler* handler) { return PMPI_Win_get_errhandler(window, handler); },
                  [&] { return PMPI_Win_call_errhandler(window, code); }, code);
}

namespace {

/// Through the error handler of MPI_FILE_NULL where the MPI does not call that: by a file that it is given to, which
/// the handler sees instead.
int raise_on_some_file(int code) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (PMPI_File_get_errhandler(MPI_FILE_NULL, &handler) != MPI_SUCCESS || handler == MPI_ERRORS_RETURN) return code;
  const AsProcess process;
  MPI_File file = MPI_FILE_NULL;
  if (PMPI_File_open(MPI_COMM_SELF, "/dev/null", MPI_MODE_RDONLY, MPI_INFO_NULL, &file) != MPI_SUCCESS) return code;
  platform::regardless(PMPI_File_set_errhandler(file, handler));
  raise_on_file(file, code);
  platform::regardless(PMPI_File_close(&file));
  platform::regardless(PMPI_Errhandler_free(&handler));
  return code;
}

}  // namespace

int raise_on_file(MPI_File file, int code) {
  if (file == MPI_FILE_NULL && adopted != nullptr) {
    file = null_file::of(*adopted);
    if (file == MPI_FILE_NULL) return code;
  }
  if (file == MPI_FILE_NULL && platform::quirks().calls_no_null_file) return raise_on_some_file(code);
  return raise_by([&](MPI_Errhandler* handler) { return PMPI_File_get_errhandler(file, handler); },
                  [&] { return PMPI_File_call_errhandler(file, code); }, code);
}

}  // namespace raddle::endpoints
