! SPDX-License-Identifier: BSD-3-Clause
! What a sparse exchange gives.
module raddle_messages
  use, intrinsic :: iso_c_binding, only: c_associated, c_f_pointer, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64, real32, real64
  use mpi, only: MPI_COUNT_KIND
  use raddle_calls, only: c_messages, c_sparse_free
  implicit none
  private
  public :: Raddle_Sparse_messages, show_messages, free_messages, Raddle_Sparse_data

  !> Messages that have arrived, in compressed rows. Message i of 1 to count is from ranks(i); its elements are those
  !> from offsets(i) + 1 to offsets(i + 1) of the data: offsets count from 0, like the displacements of MPI_Alltoallv.
  type :: Raddle_Sparse_messages
    integer :: count = 0
    integer, pointer, contiguous :: ranks(:) => null()                     !< count sources
    integer(MPI_COUNT_KIND), pointer, contiguous :: offsets(:) => null()   !< count + 1
    type(c_ptr) :: data = c_null_ptr                                       !< offsets(count + 1) elements
    type(c_messages), private :: own = c_messages(0, c_null_ptr, c_null_ptr, c_null_ptr, c_null_ptr)
  end type Raddle_Sparse_messages

  !> Raddle_Sparse_data(received, values): lets an array pointer show the data, until the messages are freed. Its type
  !> is the program's to choose as that of MPI_Recv's buffer is: the one that recvtype describes. For others than these:
  !> c_f_pointer(received%data, values, [n]).
  interface Raddle_Sparse_data
    module procedure data_int32, data_int64, data_real32, data_real64, data_complex32, data_complex64
  end interface Raddle_Sparse_data

  integer, target :: nobody(0)
  integer(MPI_COUNT_KIND), target :: none(1) = 0

contains

  subroutine show_messages(own, received)
    type(c_messages), intent(in) :: own
    type(Raddle_Sparse_messages), intent(out) :: received

    received%own = own
    received%count = own%count
    received%data = own%data
    received%ranks => nobody
    received%offsets => none
    if (own%count == 0) return
    call c_f_pointer(own%ranks, received%ranks, [own%count])
    call c_f_pointer(own%offsets, received%offsets, [own%count + 1])
  end subroutine show_messages

  subroutine free_messages(received, ierror)
    type(Raddle_Sparse_messages), intent(inout) :: received
    integer, intent(out), optional :: ierror
    type(Raddle_Sparse_messages) :: nothing
    integer :: code

    code = c_sparse_free(received%own)
    received = nothing
    if (present(ierror)) ierror = code
  end subroutine free_messages

  !> Elements in all messages.
  pure integer(MPI_COUNT_KIND) function elements(received)
    type(Raddle_Sparse_messages), intent(in) :: received

    elements = 0
    if (received%count > 0) elements = received%offsets(received%count + 1)
  end function elements

#define RADDLE_NAME data_int32
#define RADDLE_TYPE integer(int32)
#include "show_data.inc"
#define RADDLE_NAME data_int64
#define RADDLE_TYPE integer(int64)
#include "show_data.inc"
#define RADDLE_NAME data_real32
#define RADDLE_TYPE real(real32)
#include "show_data.inc"
#define RADDLE_NAME data_real64
#define RADDLE_TYPE real(real64)
#include "show_data.inc"
#define RADDLE_NAME data_complex32
#define RADDLE_TYPE complex(real32)
#include "show_data.inc"
#define RADDLE_NAME data_complex64
#define RADDLE_TYPE complex(real64)
#include "show_data.inc"

end module raddle_messages
