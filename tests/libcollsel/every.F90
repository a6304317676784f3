! SPDX-License-Identifier: BSD-3-Clause
! every.F90 - what every.c does, in Fortran: BINDING 1: mpif.h, 2: use mpi, 3: use mpi_f08.
module ranks
#if BINDING == 3
  use mpi_f08
#elif BINDING == 2
  use mpi
#endif
  implicit none
#if BINDING == 1
  include 'mpif.h'
#endif
#if BINDING == 3
#define HANDLE(KIND) type(KIND)
#else
#define HANDLE(KIND) integer
#endif
  integer, parameter :: n = 3, most = 64
  integer :: rank, procs, last, e
  integer, asynchronous :: give(most * n), get(most * n)
  HANDLE(MPI_Comm) :: ring
  HANDLE(MPI_Request) :: r
contains
  subroutine begin()
    integer :: i
    do i = 1, most * n
      give(i) = 100 * rank + i - 1
      get(i) = i - 1
    end do
  end subroutine
  subroutine say(name)
    character(*), intent(in) :: name
    integer(8) :: total
    integer :: i
    total = 0
    do i = 1, most * n
      total = total + int(get(i), 8) * i
    end do
    if (rank == last) print '(a, 1x, i0)', name, total
  end subroutine
  subroutine complete(name)
    character(*), intent(in) :: name
    if (e /= MPI_SUCCESS) stop 1
    call MPI_Wait(r, MPI_STATUS_IGNORE, e)
    call say(name)
  end subroutine
end module


program every
  use ranks
  implicit none
  integer, asynchronous :: c(most), p(most), b(most)
  integer(MPI_ADDRESS_KIND), asynchronous :: f(most)
  HANDLE(MPI_Datatype), asynchronous :: t(most)
  integer :: i, beside(2)
  call MPI_Init(e)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
  call MPI_Comm_size(MPI_COMM_WORLD, procs, e)
  last = procs - 1
  beside = [modulo(rank + last, procs), modulo(rank + 1, procs)]
  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, beside, MPI_UNWEIGHTED, 2, beside, MPI_UNWEIGHTED, MPI_INFO_NULL, .false., ring, e)
  do i = 1, most
    c(i) = n
    p(i) = n * (i - 1)
    b(i) = 4 * n * (i - 1)
    f(i) = b(i)
    t(i) = MPI_INTEGER
  end do
  call begin(); call MPI_Allgather(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, e); call say('MPI_Allgather')
  call begin(); call MPI_Iallgather(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, r, e); call complete('MPI_Iallgather')
  call begin(); call MPI_Allgatherv(give, n, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, e); call say('MPI_Allgatherv')
  call begin(); call MPI_Iallgatherv(give, n, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, r, e); call complete('MPI_Iallgatherv')
  call begin(); call MPI_Allreduce(give, get, n, MPI_INTEGER, MPI_SUM, ring, e); call say('MPI_Allreduce')
  call begin(); call MPI_Iallreduce(give, get, n, MPI_INTEGER, MPI_SUM, ring, r, e); call complete('MPI_Iallreduce')
  call begin(); call MPI_Alltoall(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, e); call say('MPI_Alltoall')
  call begin(); call MPI_Ialltoall(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, r, e); call complete('MPI_Ialltoall')
  call begin(); call MPI_Alltoallv(give, c, p, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, e); call say('MPI_Alltoallv')
  call begin(); call MPI_Ialltoallv(give, c, p, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, r, e); call complete('MPI_Ialltoallv')
  call begin(); call MPI_Alltoallw(give, c, b, t, get, c, b, t, ring, e); call say('MPI_Alltoallw')
  call begin(); call MPI_Ialltoallw(give, c, b, t, get, c, b, t, ring, r, e); call complete('MPI_Ialltoallw')
  call begin(); call MPI_Bcast(get, n, MPI_INTEGER, 0, ring, e); call say('MPI_Bcast')
  call begin(); call MPI_Ibcast(get, n, MPI_INTEGER, 0, ring, r, e); call complete('MPI_Ibcast')
  call begin(); call MPI_Exscan(give, get, n, MPI_INTEGER, MPI_SUM, ring, e); call say('MPI_Exscan')
  call begin(); call MPI_Iexscan(give, get, n, MPI_INTEGER, MPI_SUM, ring, r, e); call complete('MPI_Iexscan')
  call begin(); call MPI_Gather(give, n, MPI_INTEGER, get, n, MPI_INTEGER, last, ring, e); call say('MPI_Gather')
  call begin(); call MPI_Igather(give, n, MPI_INTEGER, get, n, MPI_INTEGER, last, ring, r, e); call complete('MPI_Igather')
  call begin(); call MPI_Gatherv(give, n, MPI_INTEGER, get, c, p, MPI_INTEGER, last, ring, e); call say('MPI_Gatherv')
  call begin(); call MPI_Igatherv(give, n, MPI_INTEGER, get, c, p, MPI_INTEGER, last, ring, r, e); call complete('MPI_Igatherv')
  call begin(); call MPI_Reduce(give, get, n, MPI_INTEGER, MPI_MAX, last, ring, e); call say('MPI_Reduce')
  call begin(); call MPI_Ireduce(give, get, n, MPI_INTEGER, MPI_MAX, last, ring, r, e); call complete('MPI_Ireduce')
  call begin(); call MPI_Reduce_scatter(give, get, c, MPI_INTEGER, MPI_SUM, ring, e); call say('MPI_Reduce_scatter')
  call begin(); call MPI_Ireduce_scatter(give, get, c, MPI_INTEGER, MPI_SUM, ring, r, e); call complete('MPI_Ireduce_scatter')
  call begin(); call MPI_Reduce_scatter_block(give, get, n, MPI_INTEGER, MPI_SUM, ring, e); call say('MPI_Reduce_scatter_block')
  call begin(); call MPI_Ireduce_scatter_block(give, get, n, MPI_INTEGER, MPI_SUM, ring, r, e); call complete('MPI_Ireduce_scatter_block')
  call begin(); call MPI_Scan(give, get, n, MPI_INTEGER, MPI_SUM, ring, e); call say('MPI_Scan')
  call begin(); call MPI_Iscan(give, get, n, MPI_INTEGER, MPI_SUM, ring, r, e); call complete('MPI_Iscan')
  call begin(); call MPI_Scatter(give, n, MPI_INTEGER, get, n, MPI_INTEGER, 0, ring, e); call say('MPI_Scatter')
  call begin(); call MPI_Iscatter(give, n, MPI_INTEGER, get, n, MPI_INTEGER, 0, ring, r, e); call complete('MPI_Iscatter')
  call begin(); call MPI_Scatterv(give, c, p, MPI_INTEGER, get, n, MPI_INTEGER, 0, ring, e); call say('MPI_Scatterv')
  call begin(); call MPI_Iscatterv(give, c, p, MPI_INTEGER, get, n, MPI_INTEGER, 0, ring, r, e); call complete('MPI_Iscatterv')
  call begin(); call MPI_Neighbor_allgather(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, e); call say('MPI_Neighbor_allgather')
  call begin(); call MPI_Ineighbor_allgather(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, r, e); call complete('MPI_Ineighbor_allgather')
  call begin(); call MPI_Neighbor_allgatherv(give, n, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, e); call say('MPI_Neighbor_allgatherv')
  call begin(); call MPI_Ineighbor_allgatherv(give, n, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, r, e); call complete('MPI_Ineighbor_allgatherv')
  call begin(); call MPI_Neighbor_alltoall(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, e); call say('MPI_Neighbor_alltoall')
  call begin(); call MPI_Ineighbor_alltoall(give, n, MPI_INTEGER, get, n, MPI_INTEGER, ring, r, e); call complete('MPI_Ineighbor_alltoall')
  call begin(); call MPI_Neighbor_alltoallv(give, c, p, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, e); call say('MPI_Neighbor_alltoallv')
  call begin(); call MPI_Ineighbor_alltoallv(give, c, p, MPI_INTEGER, get, c, p, MPI_INTEGER, ring, r, e); call complete('MPI_Ineighbor_alltoallv')
  call begin(); call MPI_Neighbor_alltoallw(give, c, f, t, get, c, f, t, ring, e); call say('MPI_Neighbor_alltoallw')
  call begin(); call MPI_Ineighbor_alltoallw(give, c, f, t, get, c, f, t, ring, r, e); call complete('MPI_Ineighbor_alltoallw')
  call begin(); call MPI_Barrier(ring, e); call say('MPI_Barrier')
  call begin(); call MPI_Ibarrier(ring, r, e); call complete('MPI_Ibarrier')
  call begin()
  call MPI_Allreduce(MPI_IN_PLACE, get, n, MPI_INTEGER, MPI_MIN, ring, e)
  call say('in place')
  call MPI_Comm_free(ring, e)
  call MPI_Finalize(e)
end program
