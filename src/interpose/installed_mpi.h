// SPDX-License-Identifier: BSD-3-Clause
// All that the installed MPI declares: some have their extensions in a header of their own.
#pragma once

#include <mpi.h>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
