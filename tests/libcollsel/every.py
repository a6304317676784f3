# SPDX-License-Identifier: BSD-3-Clause
# every.py - collectives of mpi4py, of arrays and of objects.
from array import array
from mpi4py import MPI

comm = MPI.COMM_WORLD
give, get = array('i', [comm.rank] * 4), array('i', [0] * 4)
comm.Allreduce(give, get)
comm.Iallreduce(give, get).Wait()
comm.Bcast(get, root=0)
words = comm.allgather('rank %d' % comm.rank)
comm.Barrier()
if comm.rank == 0:
    print(get.tolist(), words)
