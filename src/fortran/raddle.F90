! SPDX-License-Identifier: BSD-3-Clause
!> The public Fortran interface of Raddle: `use raddle`, beside `use mpi_f08` or `use mpi`.
!>
!> Handles are of the types of mpi_f08, where the MPI has that module for this compiler, or integers. As in mpi_f08
!> `ierror` may be left out. Names, errors and everything else are those of raddle.h; errors are raised through the
!> error handler of the communicator. docs/use/fortran.md tells how to build programs.
!>
!> Raddle_Get_version(major, minor, patch [, ierror])
!>   Version of the library in use.
!>
!> Raddle_Err_lanes(errorclass [, ierror]), Raddle_Err_endpoints(errorclass [, ierror])
!>   The error classes of failures to provide lanes or endpoints.
!>
!> Raddle_Lanes_create(comm, nlanes, info, lanes [, ierror])
!>   Makes lanes(1:nlanes): communicators over the group of comm, a communication context each as far as the MPI has
!>   some. Collective over comm. MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_INFO_KEY, MPI_ERR_INFO_VALUE, the class of
!>   Raddle_Err_lanes.
!> Raddle_Lanes_free(nlanes, lanes [, ierror])
!>   Returns lanes(1:nlanes) to their pool, sets them to MPI_COMM_NULL.
!>
!> MPIX_Comm_create_endpoints(parent, my_num_ep, info, newcomm [, ierror])
!>   Makes newcomm(1:my_num_ep): a rank each, for the threads of this process. Collective over parent, called by one
!>   thread of each process. Each is freed with MPI_Comm_free. MPI_ERR_COMM, MPI_ERR_ARG, MPI_ERR_INFO_KEY,
!>   MPI_ERR_INFO_VALUE, MPI_ERR_UNSUPPORTED_OPERATION, or the class of Raddle_Err_endpoints: no resources, or calls of
!>   Fortran do not pass libraddle. Source: MPI Forum ticket 56.
!>
!> Raddle_Sparse_exchange(data, count, dests, offsets, sendtype, recvtype, info, comm, received [, ierror])
!>   Sends message i of 1 to count, elements offsets(i) + 1 to offsets(i + 1) of data, to rank dests(i), and receives
!>   those that others send here. offsets(1:count + 1) are of kind MPI_COUNT_KIND and count from 0. data is an array
!>   of any type, and not MPI_BOTTOM. Collective over comm, of processes or endpoints. Errors as in raddle.h.
!> Raddle_Sparse_data(received, values)
!>   Lets a pointer to an array of integer(int32 or int64), real or complex (real32 or real64) show what has arrived.
!> Raddle_Sparse_free(received [, ierror])
!>   Gives it back. Pointers into it show nothing any more.
!> Raddle_Sparse_attach(comm [, ierror])
!>   Makes what exchanges on comm need, which otherwise the first one does. Collective.
!> Raddle_Sparse_algorithm(comm, name [, ierror])
!>   By which algorithm the last exchange on comm was made; blank: there has been none.
module raddle
  use raddle_calls, only: c_err_endpoints, c_err_lanes, c_get_version
  use raddle_integer_handles, only: create_endpoints, lanes_create, lanes_free, sparse_algorithm, sparse_attach, &
                             sparse_exchange
  use raddle_messages, only: free_messages, Raddle_Sparse_data, Raddle_Sparse_messages
#ifdef RADDLE_HAVE_MPI_F08
  use raddle_typed_handles, only: create_endpoints_f08 => create_endpoints, lanes_create_f08 => lanes_create, &
                            lanes_free_f08 => lanes_free, sparse_algorithm_f08 => sparse_algorithm, &
                            sparse_attach_f08 => sparse_attach, sparse_exchange_f08 => sparse_exchange
#define RADDLE_BOTH(name) procedure :: name, name/**/_f08
#else
#define RADDLE_BOTH(name) procedure :: name
#endif
  implicit none
  private
  public :: MPIX_Comm_create_endpoints
  public :: Raddle_Err_endpoints, Raddle_Err_lanes, Raddle_Get_version
  public :: Raddle_Lanes_create, Raddle_Lanes_free
  public :: Raddle_Sparse_algorithm, Raddle_Sparse_attach, Raddle_Sparse_data, Raddle_Sparse_exchange
  public :: Raddle_Sparse_free, Raddle_Sparse_messages

  !> Of this module; Raddle_Get_version has that of the library in use.
  integer, parameter, public :: RADDLE_VERSION_MAJOR = RADDLE_MAJOR
  integer, parameter, public :: RADDLE_VERSION_MINOR = RADDLE_MINOR
  integer, parameter, public :: RADDLE_VERSION_PATCH = RADDLE_PATCH

  interface MPIX_Comm_create_endpoints
    RADDLE_BOTH(create_endpoints)
  end interface MPIX_Comm_create_endpoints

  interface Raddle_Lanes_create
    RADDLE_BOTH(lanes_create)
  end interface Raddle_Lanes_create

  interface Raddle_Lanes_free
    RADDLE_BOTH(lanes_free)
  end interface Raddle_Lanes_free

  interface Raddle_Sparse_exchange
    RADDLE_BOTH(sparse_exchange)
  end interface Raddle_Sparse_exchange

  interface Raddle_Sparse_attach
    RADDLE_BOTH(sparse_attach)
  end interface Raddle_Sparse_attach

  interface Raddle_Sparse_algorithm
    RADDLE_BOTH(sparse_algorithm)
  end interface Raddle_Sparse_algorithm

  interface Raddle_Sparse_free
    procedure :: free_messages
  end interface Raddle_Sparse_free

contains

  subroutine Raddle_Get_version(major, minor, patch, ierror)
    integer, intent(out) :: major, minor, patch
    integer, intent(out), optional :: ierror
    integer :: code

    code = c_get_version(major, minor, patch)
    if (present(ierror)) ierror = code
  end subroutine Raddle_Get_version

  subroutine Raddle_Err_lanes(errorclass, ierror)
    integer, intent(out) :: errorclass
    integer, intent(out), optional :: ierror
    integer :: code

    code = c_err_lanes(errorclass)
    if (present(ierror)) ierror = code
  end subroutine Raddle_Err_lanes

  subroutine Raddle_Err_endpoints(errorclass, ierror)
    integer, intent(out) :: errorclass
    integer, intent(out), optional :: ierror
    integer :: code

    code = c_err_endpoints(errorclass)
    if (present(ierror)) ierror = code
  end subroutine Raddle_Err_endpoints

end module raddle
