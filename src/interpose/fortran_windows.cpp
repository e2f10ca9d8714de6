// SPDX-License-Identifier: BSD-3-Clause
// MPI_Win_get_attr of Fortran, whose way into the MPI leads past the C function: it is given integers where C is given
// addresses (MPI-4.1 sections 12.2.6 and 19.3.7). On the windows of endpoints Raddle answers it.
#include <dlfcn.h>
#include <mpi.h>

#include <type_traits>

#include "endpoints/handles/handles.hpp"
#include "endpoints/windows/window.hpp"
#include "interpose/on_endpoint.hpp"
#include "interpose/wrapper.hpp"

#ifndef MPI_ABI_VERSION  // whose mpi.h is without Fortran
namespace {

namespace endpoints = raddle::endpoints;
namespace on_endpoint = raddle::interpose::on_endpoint;

/// The constant of C for one of Fortran, of those attributes that every window has; MPI_KEYVAL_INVALID: none of those.
int key_of(int fortrans) {
  constexpr bool follows = std::is_integral_v<MPI_Win>;  // where handles are integers Fortran's constant is the next
  const int key = follows ? fortrans - 1 : fortrans;
  for (const int one : {MPI_WIN_BASE, MPI_WIN_SIZE, MPI_WIN_DISP_UNIT, MPI_WIN_CREATE_FLAVOR, MPI_WIN_MODEL}) {
    if (one == key) return key;
  }
  return MPI_KEYVAL_INVALID;
}

/// @returns whether it is one of those, of an endpoint's window
bool answer(MPI_Win handle, int fortrans, MPI_Aint& value) {
  endpoints::Window* const window = endpoints::find<endpoints::Kind::window>(handle);
  const int key = window == nullptr ? MPI_KEYVAL_INVALID : key_of(fortrans);
  if (key == MPI_KEYVAL_INVALID) return false;
  void* found = nullptr;
  int flag = 0;
  if (on_endpoint::Win_get_attr(*window, key, static_cast<void*>(&found), &flag) != MPI_SUCCESS) return false;
  if (key == MPI_WIN_BASE)
    value = reinterpret_cast<MPI_Aint>(found);
  else
    value = key == MPI_WIN_SIZE ? *static_cast<const MPI_Aint*>(found) : *static_cast<const int*>(found);
  return true;
}

using Fortrans = void(const MPI_Fint*, const MPI_Fint*, MPI_Aint*, MPI_Fint*, MPI_Fint*);

void get_attr(Fortrans* next, const MPI_Fint* window, const MPI_Fint* key, MPI_Aint* value, MPI_Fint* flag,
              MPI_Fint* code) {
  const MPI_Win handle = PMPI_Win_f2c(*window);
  if (!answer(handle, *key, *value)) return next(window, key, value, flag, code);
  *flag = 1;
  *code = MPI_SUCCESS;
}

template <typename Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

}  // namespace

// Open MPI: that of mpi_f08 calls the second. Where nobody has such functions behind libraddle, nobody calls these.

extern "C" RADDLE_ENTRY void mpi_win_get_attr_(const MPI_Fint* window, const MPI_Fint* key, MPI_Aint* value,
                                               MPI_Fint* flag, MPI_Fint* code) {
  static Fortrans* const next = behind<Fortrans>("mpi_win_get_attr_");
  get_attr(next, window, key, value, flag, code);
}

extern "C" RADDLE_ENTRY void pmpi_win_get_attr_(const MPI_Fint* window, const MPI_Fint* key, MPI_Aint* value,
                                                MPI_Fint* flag, MPI_Fint* code) {
  static Fortrans* const next = behind<Fortrans>("pmpi_win_get_attr_");
  get_attr(next, window, key, value, flag, code);
}

/// MPICH and its relatives: all of Fortran's call this. @param type  what `value` points to
extern "C" RADDLE_ENTRY int MPII_Win_get_attr(MPI_Win window, int key, void* value, int* flag, int type) {
  static auto* const next = behind<int(MPI_Win, int, void*, int*, int)>("MPII_Win_get_attr");
  constexpr int aint = 1;
  if (type != aint || !answer(window, key, *static_cast<MPI_Aint*>(value))) return next(window, key, value, flag, type);
  *flag = 1;
  return MPI_SUCCESS;
}
#endif
