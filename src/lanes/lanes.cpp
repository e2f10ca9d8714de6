// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of lanes: arguments, error handlers, nothing else.
#include <mpi.h>

#include <new>
#include <string>

#include "lanes/errors.hpp"
#include "lanes/pool.hpp"
#include "platform/own_hints.hpp"
#include "platform/settings.hpp"
#include "raddle/raddle.h"

namespace {

using raddle::lanes::Failure;
using raddle::lanes::Pool;

int raise(MPI_Comm comm, int code) {
  MPI_Comm_call_errhandler(comm, code);
  return code;
}

}  // namespace

int Raddle_Err_lanes(int* errorclass) {
  if (errorclass == nullptr) return raise(MPI_COMM_SELF, MPI_ERR_ARG);
  *errorclass = raddle::lanes::lanes_class();
  return MPI_SUCCESS;
}

int Raddle_Lanes_create(MPI_Comm comm, int nlanes, MPI_Info info, MPI_Comm lanes[]) {
  for (int i = 0; i < nlanes; ++i) lanes[i] = MPI_COMM_NULL;
  if (comm == MPI_COMM_NULL) return raise(MPI_COMM_SELF, MPI_ERR_COMM);
  int inter = 0;
  if (const int code = MPI_Comm_test_inter(comm, &inter); code != MPI_SUCCESS) return code;
  if (inter != 0) return raise(comm, MPI_ERR_COMM);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(comm, &handler);
  int code = MPI_SUCCESS;
  try {
    const bool reuse = raddle::platform::settings_with(raddle::platform::Hints::lanes, info).lanes_reuse;
    Pool::of(comm).take(nlanes, info, reuse, handler, lanes);
  } catch (const Failure& failure) {
    code = failure.code;
  } catch (const raddle::platform::SettingsError& error) {
    code = raddle::lanes::error_code_with(MPI_ERR_OTHER, error.what());
  } catch (const raddle::platform::HintError& error) {
    const std::string text = std::string("Raddle: ") + error.what();
    code = raddle::lanes::error_code_with(error.unknown ? MPI_ERR_INFO_KEY : MPI_ERR_INFO_VALUE, text.c_str());
  } catch (const std::bad_alloc&) {
    code = MPI_ERR_NO_MEM;
  }
  MPI_Errhandler_free(&handler);
  return code == MPI_SUCCESS ? code : raise(comm, code);
}

int Raddle_Lanes_free(int nlanes, MPI_Comm lanes[]) {
  for (int i = 0; i < nlanes; ++i) {
    if (lanes[i] == MPI_COMM_NULL) continue;
    if (!Pool::give_back(lanes[i])) return raise(MPI_COMM_SELF, MPI_ERR_COMM);
    lanes[i] = MPI_COMM_NULL;
  }
  return MPI_SUCCESS;
}
