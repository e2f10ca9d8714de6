! SPDX-License-Identifier: BSD-3-Clause
! For programs that use mpi_f08: handles have types of their own, with the integer inside.
module raddle_typed_handles
  use mpi_f08, only: MPI_Comm, MPI_COUNT_KIND, MPI_Datatype, MPI_Info
  use raddle_integer_handles, only: of_integers_create_endpoints => create_endpoints
  use raddle_integer_handles, only: of_integers_lanes_create => lanes_create
  use raddle_integer_handles, only: of_integers_lanes_free => lanes_free
  use raddle_integer_handles, only: of_integers_sparse_algorithm => sparse_algorithm
  use raddle_integer_handles, only: of_integers_sparse_attach => sparse_attach
  use raddle_integer_handles, only: of_integers_sparse_exchange => sparse_exchange
  use raddle_messages, only: Raddle_Sparse_messages
  implicit none
  private
  public :: create_endpoints, lanes_create, lanes_free, sparse_algorithm, sparse_attach, sparse_exchange

contains

  subroutine create_endpoints(parent, my_num_ep, info, newcomm, ierror)
    type(MPI_Comm), intent(in) :: parent
    integer, intent(in) :: my_num_ep
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: newcomm(*)
    integer, intent(out), optional :: ierror
    integer :: made(max(my_num_ep, 0))

    call of_integers_create_endpoints(parent%MPI_VAL, my_num_ep, info%MPI_VAL, made, ierror)
    newcomm(:size(made))%MPI_VAL = made
  end subroutine create_endpoints

  subroutine lanes_create(comm, nlanes, info, lanes, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: nlanes
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: lanes(*)
    integer, intent(out), optional :: ierror
    integer :: made(max(nlanes, 0))

    call of_integers_lanes_create(comm%MPI_VAL, nlanes, info%MPI_VAL, made, ierror)
    lanes(:size(made))%MPI_VAL = made
  end subroutine lanes_create

  subroutine lanes_free(nlanes, lanes, ierror)
    integer, intent(in) :: nlanes
    type(MPI_Comm), intent(inout) :: lanes(*)
    integer, intent(out), optional :: ierror
    integer :: freed(max(nlanes, 0))

    freed = lanes(:size(freed))%MPI_VAL
    call of_integers_lanes_free(nlanes, freed, ierror)
    lanes(:size(freed))%MPI_VAL = freed
  end subroutine lanes_free

  subroutine sparse_exchange(data, count, dests, offsets, sendtype, recvtype, info, comm, received, ierror)
    type(*), dimension(*), intent(in) :: data
    integer, intent(in) :: count, dests(*)
    integer(MPI_COUNT_KIND), intent(in) :: offsets(*)
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(in) :: comm
    type(Raddle_Sparse_messages), intent(out) :: received
    integer, intent(out), optional :: ierror

    call of_integers_sparse_exchange(data, count, dests, offsets, sendtype%MPI_VAL, recvtype%MPI_VAL, info%MPI_VAL, &
                                     comm%MPI_VAL, received, ierror)
  end subroutine sparse_exchange

  subroutine sparse_attach(comm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call of_integers_sparse_attach(comm%MPI_VAL, ierror)
  end subroutine sparse_attach

  subroutine sparse_algorithm(comm, name, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(*), intent(out) :: name
    integer, intent(out), optional :: ierror

    call of_integers_sparse_algorithm(comm%MPI_VAL, name, ierror)
  end subroutine sparse_algorithm

end module raddle_typed_handles
