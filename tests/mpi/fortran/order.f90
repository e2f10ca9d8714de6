! SPDX-License-Identifier: BSD-3-Clause
! Linked so that its calls do not pass libraddle. That has to be found out, and nothing made.
program order
  use mpi
  use raddle
  implicit none

  integer :: endpoints(1), provided, code, error_class, wanted, length, ierror
  character(MPI_MAX_ERROR_STRING) :: text

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, ierror)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
  call MPIX_Comm_create_endpoints(MPI_COMM_WORLD, 1, MPI_INFO_NULL, endpoints, code)
  call MPI_Error_class(code, error_class, ierror)
  call Raddle_Err_endpoints(wanted)
  call MPI_Error_string(code, text, length, ierror)
  if (error_class == wanted .and. endpoints(1) == MPI_COMM_NULL) print '(a)', text(:length)
  call MPI_Finalize(ierror)
end program order
