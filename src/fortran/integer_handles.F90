! SPDX-License-Identifier: BSD-3-Clause
! For programs that use mpi, or include mpif.h: handles are integers.
module raddle_integer_handles
  use mpi, only: MPI_COMM_NULL, MPI_COUNT_KIND, MPI_Is_thread_main, MPI_SUCCESS
  use raddle_calls
  use raddle_messages, only: Raddle_Sparse_messages, show_messages
  implicit none
  private
  public :: create_endpoints, lanes_create, lanes_free, sparse_algorithm, sparse_attach, sparse_exchange

contains

  !> Whether a call of this program passes libraddle; if not, an error is raised on the communicator. Endpoints would be
  !> processes that talk to themselves, and nobody would see it.
  logical function seen(comm, code)
    integer, intent(in) :: comm
    integer, intent(out) :: code
    logical :: flag

    call c_call_awaited()
    call MPI_Is_thread_main(flag, code)
    seen = c_call_seen() /= 0
    if (.not. seen) code = c_not_seen(comm)
  end function seen

  subroutine create_endpoints(parent, my_num_ep, info, newcomm, ierror)
    integer, intent(in) :: parent, my_num_ep, info
    integer, intent(out) :: newcomm(*)
    integer, intent(out), optional :: ierror
    integer :: code

    if (seen(parent, code)) then
      code = c_create_endpoints(parent, my_num_ep, info, newcomm)
    else if (my_num_ep > 0) then
      newcomm(:my_num_ep) = MPI_COMM_NULL
    end if
    if (present(ierror)) ierror = code
  end subroutine create_endpoints

  subroutine lanes_create(comm, nlanes, info, lanes, ierror)
    integer, intent(in) :: comm, nlanes, info
    integer, intent(out) :: lanes(*)
    integer, intent(out), optional :: ierror
    integer :: code

    code = c_lanes_create(comm, nlanes, info, lanes)
    if (present(ierror)) ierror = code
  end subroutine lanes_create

  subroutine lanes_free(nlanes, lanes, ierror)
    integer, intent(in) :: nlanes
    integer, intent(inout) :: lanes(*)
    integer, intent(out), optional :: ierror
    integer :: code

    code = c_lanes_free(nlanes, lanes)
    if (present(ierror)) ierror = code
  end subroutine lanes_free

  subroutine sparse_exchange(data, count, dests, offsets, sendtype, recvtype, info, comm, received, ierror)
    type(*), dimension(*), intent(in) :: data
    integer, intent(in) :: count, dests(*), sendtype, recvtype, info, comm
    integer(MPI_COUNT_KIND), intent(in) :: offsets(*)
    type(Raddle_Sparse_messages), intent(out) :: received
    integer, intent(out), optional :: ierror
    type(c_messages) :: own
    integer :: code

    if (seen(comm, code)) then
      code = c_sparse_exchange(data, count, dests, offsets, sendtype, recvtype, info, comm, own)
      if (code == MPI_SUCCESS) call show_messages(own, received)
    end if
    if (present(ierror)) ierror = code
  end subroutine sparse_exchange

  subroutine sparse_attach(comm, ierror)
    integer, intent(in) :: comm
    integer, intent(out), optional :: ierror
    integer :: code

    if (seen(comm, code)) code = c_sparse_attach(comm)
    if (present(ierror)) ierror = code
  end subroutine sparse_attach

  subroutine sparse_algorithm(comm, name, ierror)
    integer, intent(in) :: comm
    character(*), intent(out) :: name
    integer, intent(out), optional :: ierror
    integer :: code

    code = c_sparse_algorithm(comm, name, len(name))
    if (present(ierror)) ierror = code
  end subroutine sparse_algorithm

end module raddle_integer_handles
