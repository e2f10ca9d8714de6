! SPDX-License-Identifier: BSD-3-Clause
! Raddle's functions as they are in C (handles.h). Integers of the default kind are C's int: with others this does not
! compile, or the program does not.
module raddle_calls
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_ptr
  use mpi, only: MPI_COUNT_KIND
  implicit none
  public

  type, bind(C) :: c_messages
    integer(c_int) :: count
    type(c_ptr) :: ranks
    type(c_ptr) :: offsets
    type(c_ptr) :: data
    type(c_ptr) :: store
  end type c_messages

  interface
    integer(c_int) function c_get_version(major, minor, patch) bind(C, name="Raddle_Get_version")
      import :: c_int
      integer(c_int), intent(out) :: major, minor, patch
    end function c_get_version

    integer(c_int) function c_err_lanes(errorclass) bind(C, name="Raddle_Err_lanes")
      import :: c_int
      integer(c_int), intent(out) :: errorclass
    end function c_err_lanes

    integer(c_int) function c_err_endpoints(errorclass) bind(C, name="Raddle_Err_endpoints")
      import :: c_int
      integer(c_int), intent(out) :: errorclass
    end function c_err_endpoints

    integer(c_int) function c_lanes_create(comm, nlanes, info, lanes) bind(C, name="raddle_f_lanes_create")
      import :: c_int
      integer(c_int), value :: comm, nlanes, info
      integer(c_int), intent(out) :: lanes(*)
    end function c_lanes_create

    integer(c_int) function c_lanes_free(nlanes, lanes) bind(C, name="raddle_f_lanes_free")
      import :: c_int
      integer(c_int), value :: nlanes
      integer(c_int), intent(inout) :: lanes(*)
    end function c_lanes_free

    integer(c_int) function c_create_endpoints(parent, my_num_ep, info, newcomm) &
        bind(C, name="raddle_f_create_endpoints")
      import :: c_int
      integer(c_int), value :: parent, my_num_ep, info
      integer(c_int), intent(out) :: newcomm(*)
    end function c_create_endpoints

    integer(c_int) function c_sparse_exchange(data, count, dests, offsets, sendtype, recvtype, info, comm, received) &
        bind(C, name="raddle_f_sparse_exchange")
      import :: c_int, c_messages, MPI_COUNT_KIND
      type(*), dimension(*), intent(in) :: data
      integer(c_int), value :: count, sendtype, recvtype, info, comm
      integer(c_int), intent(in) :: dests(*)
      integer(MPI_COUNT_KIND), intent(in) :: offsets(*)
      type(c_messages), intent(out) :: received
    end function c_sparse_exchange

    integer(c_int) function c_sparse_free(received) bind(C, name="Raddle_Sparse_free")
      import :: c_int, c_messages
      type(c_messages), intent(inout) :: received
    end function c_sparse_free

    integer(c_int) function c_sparse_attach(comm) bind(C, name="raddle_f_sparse_attach")
      import :: c_int
      integer(c_int), value :: comm
    end function c_sparse_attach

    integer(c_int) function c_sparse_algorithm(comm, name, length) bind(C, name="raddle_f_sparse_algorithm")
      import :: c_char, c_int
      integer(c_int), value :: comm, length
      character(kind=c_char), intent(out) :: name(*)
    end function c_sparse_algorithm

    integer(c_int) function c_not_seen(comm) bind(C, name="raddle_f_not_seen")
      import :: c_int
      integer(c_int), value :: comm
    end function c_not_seen

    subroutine c_call_awaited() bind(C, name="Raddle_Fortran_call_awaited")
    end subroutine c_call_awaited

    integer(c_int) function c_call_seen() bind(C, name="Raddle_Fortran_call_seen")
      import :: c_int
    end function c_call_seen
  end interface
end module raddle_calls
