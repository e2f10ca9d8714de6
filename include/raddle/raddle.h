/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file raddle.h
 * The public C interface of Raddle, whole, on one page.
 *
 * All functions return an MPI error code (MPI_SUCCESS or an error of the class named) and raise errors through the
 * error handler of the communicator they were given, as MPI functions do (MPI-4.1 section 9.3).
 *
 * Settings. Environment variables, read once at the first call into Raddle; an unknown `RADDLE_` name or value is an
 * error that lists the valid ones:
 *
 *   RADDLE_COUNT_CALLS  0 (default) or 1: each process tells on stderr, when it ends, how often each MPI function was
 * called through libraddle
 *   RADDLE_LANES_MAX   positive integer, default 1024: lanes one communicator's pool may hold before
 * Raddle_Lanes_create fails with RADDLE_ERR_LANES (communicators are few: MPICH has 2048 a process)
 *
 * Info keys of Raddle_Lanes_create:
 *
 *   raddle_lanes_reuse  "true" (default): take idle lanes from the pool; "false": make new ones
 *   any other key       is handed to the MPI with each lane, after the hints Raddle sets itself
 */
#ifndef RADDLE_H
#define RADDLE_H

#include <mpi.h>

#define RADDLE_VERSION_MAJOR 0
#define RADDLE_VERSION_MINOR 1
#define RADDLE_VERSION_PATCH 0

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the library in use, which may differ from the header's. Any pointer may be NULL. Callable at any time. */
int Raddle_Get_version(int* major, int* minor, int* patch);

/**
 * The error class of failures to provide lanes (no communicators left, pool limit reached); its string says which.
 * @param[out] errorclass  class as MPI_Error_class returns it
 * @pre MPI is initialised and not finalised
 */
int Raddle_Err_lanes(int* errorclass);

/**
 * Makes lanes: communicators over the group of `comm`, each mapped to its own communication context (VCI, thread split,
 * worker) as far as this MPI can be told to, so that threads which keep to a lane each do not meet inside MPI.
 *
 * Lanes are ordinary communicators. Lane i of all processes belongs together. Lanes that were freed are kept in a pool
 * on `comm` and handed out again, so that creating and freeing in a loop does not use up the MPI's communicators. A
 * lane from the pool has the error handler of `comm` and the hints asked for; attributes that its last user cached on
 * it stay.
 *
 * Collective over `comm`, which must be an intracommunicator; not to be called by several threads on one `comm` at the
 * same time. With MPICH, `MPIR_CVAR_CH4_NUM_VCIS` must be at least nlanes in the environment before MPI_Init; with
 * Intel MPI, `I_MPI_THREAD_SPLIT=1`: then lane i must be used by one thread only. `raddle run` and `raddle doctor`
 * tell.
 *
 * @param[in]  comm    whose processes the lanes connect; its error handler is used and inherited
 * @param[in]  nlanes  number of lanes, >= 0, the same on all processes
 * @param[in]  info    hints, or MPI_INFO_NULL
 * @param[out] lanes   array of nlanes communicators; all MPI_COMM_NULL on error, and then no lane exists on any process
 * @return MPI_SUCCESS; MPI_ERR_COMM; MPI_ERR_ARG (nlanes negative or not equal everywhere, bad value of a raddle_ key);
 *         RADDLE_ERR_LANES
 * Source: DESIGN of Raddle, "lane"; hints: MPI-4.1 section 7.4.4.
 */
int Raddle_Lanes_create(MPI_Comm comm, int nlanes, MPI_Info info, MPI_Comm lanes[]);

/**
 * Returns lanes to their pool. Collective over the lanes' processes, as MPI_Comm_free is, but does not wait for them;
 * all operations on the lanes must be complete. Idle lanes are freed with the communicator they were made from or by
 * MPI_Finalize; a lane that outlives its communicator is freed here.
 *
 * @param[in]    nlanes  length of the array
 * @param[inout] lanes   handles from Raddle_Lanes_create, MPI_COMM_NULL is skipped; set to MPI_COMM_NULL
 * @return MPI_SUCCESS; MPI_ERR_COMM if a handle is not a lane in use
 */
int Raddle_Lanes_free(int nlanes, MPI_Comm lanes[]);

#ifdef __cplusplus
}
#endif

#endif /* RADDLE_H */
