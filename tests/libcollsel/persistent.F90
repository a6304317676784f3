! SPDX-License-Identifier: BSD-3-Clause
! persistent.F90 - persistent collectives: BINDING as in every.F90; of Open MPI 4.1 they are called MPIX_...
program persistent
#if BINDING == 3
  use mpi_f08
#elif BINDING == 2
  use mpi
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
  integer, parameter :: n = 4
  integer, asynchronous :: give(n), get(n)
  integer :: e, rank, i
#if BINDING == 3
  type(MPI_Request) :: r, q
#else
  integer :: r, q
#endif
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  give = rank + 1
  get = 0
  call MPI_Allreduce_init(give, get, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, r, e)
  do i = 1, 3
    call MPI_Start(r, e)
    call MPI_Wait(r, MPI_STATUS_IGNORE, e)
  end do
  call MPI_Request_free(r, e)
  call MPI_Bcast_init(get, n, MPI_INTEGER, 0, MPI_COMM_WORLD, MPI_INFO_NULL, q, e)
  call MPI_Start(q, e)
  call MPI_Wait(q, MPI_STATUS_IGNORE, e)
  call MPI_Request_free(q, e)
  if (rank == 0) print '(a, 1x, i0)', 'sum', get(1)
  call MPI_Finalize(e)
end program
