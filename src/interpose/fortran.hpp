// SPDX-License-Identifier: BSD-3-Clause
// What Fortran programs need of the layer. Their calls come as those of C do: the MPI's Fortran functions call MPI_X or
// PMPI_X, and both are wrapped. That is so if libraddle stands before the MPI, which src/fortran/ makes sure of.
#pragma once

namespace raddle::interpose::fortran {

/// Of this thread: whether a call of MPI_Is_thread_main is awaited that shows that calls come here.
[[gnu::tls_model("initial-exec")]] inline constinit thread_local bool call_awaited = false;

/// Whether operators may be functions of Fortran that are not called as those of C: where handles are no integers, they
/// want an integer for the datatype, and only the MPI knows which operators these are.
bool operators_may_differ();

/// Whether a call that returns to `caller` is made by the MPI's library for Fortran.
bool calls_from(const void* caller);

}  // namespace raddle::interpose::fortran
