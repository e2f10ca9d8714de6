// SPDX-License-Identifier: BSD-3-Clause
// What twins share. Lines are written in one piece, so that those of several ranks do not mix.
#ifndef TWIN_H
#define TWIN_H
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static inline int rank_of(MPI_Comm comm) {
  int rank = -1;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

static inline int size_of(MPI_Comm comm) {
  int size = -1;
  MPI_Comm_size(comm, &size);
  return size;
}

// Writes "rank: text" and flushes. Only between MPI_Init and MPI_Finalize.
__attribute__((format(printf, 1, 2))) static inline void say(const char* format, ...) {
  char line[2000];
  int used = snprintf(line, sizeof line, "%d: ", rank_of(MPI_COMM_WORLD));
  va_list values;
  va_start(values, format);
  used += vsnprintf(line + used, sizeof line - (size_t)used - 1, format, values);
  va_end(values);
  if (used > (int)sizeof line - 2) used = (int)sizeof line - 2;
  line[used++] = '\n';
  fwrite(line, 1, (size_t)used, stdout);
  fflush(stdout);
}

// The class of a code that a call returned; 0 is MPI_SUCCESS.
static inline int class_of(int code) {
  int result = -1;
  MPI_Error_class(code, &result);
  return result;
}

static inline const char* outcome(int code) { return code == MPI_SUCCESS ? "MPI_SUCCESS" : "an error"; }

// Which of the predefined error handlers a communicator has.
static inline const char* handler_of(MPI_Comm comm) {
  MPI_Errhandler handler;
  MPI_Comm_get_errhandler(comm, &handler);
  const int fatal = handler == MPI_ERRORS_ARE_FATAL, returns = handler == MPI_ERRORS_RETURN;
  if (!fatal && !returns) MPI_Errhandler_free(&handler);
  return fatal ? "MPI_ERRORS_ARE_FATAL" : returns ? "MPI_ERRORS_RETURN" : "another";
}

// What a process can be started of: ranks that are threads are of a file NAME.so beside it.
static inline char* executable_of(char* program) {
  char* const end = strrchr(program, '.');
  if (end != NULL && strcmp(end, ".so") == 0) *end = 0;
  return program;
}

// All meet, and launchers read what was written: what a job wrote last before it is killed may be lost.
static inline void settle(void) {
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  usleep(200000);
}

static inline int is_arg(int argc, char** argv, const char* word) { return argc > 1 && strcmp(argv[1], word) == 0; }
#endif
