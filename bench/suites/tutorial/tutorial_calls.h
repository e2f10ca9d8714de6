/* SPDX-License-Identifier: BSD-3-Clause */
/* Put before each file of examples/tutorial here: this program is not linked with libraddle, and where that is not
   preloaded these functions are null. */
#ifndef RADDLE_BENCH_TUTORIAL_CALLS_H
#define RADDLE_BENCH_TUTORIAL_CALLS_H

#include "raddle/raddle.h"

#pragma weak MPIX_Comm_create_endpoints
#pragma weak Raddle_Partitioned_attach
#pragma weak Raddle_Psend_init
#pragma weak Raddle_Precv_init
#pragma weak Raddle_Pready
#pragma weak Raddle_Pready_range
#pragma weak Raddle_Parrived
#pragma weak Raddle_Sparse_exchange
#pragma weak Raddle_Sparse_free

#endif
