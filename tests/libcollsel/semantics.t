#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The test of the collectives' semantics once more, where the library's calls are run by schedules of a table: results are MPI's.
long=${COLLSEL_LONG:-}
. tests/libcollsel/lib.sh

# try MPI RANKS COUNTS...
try() {
    local mpi=$1 ranks=$2; shift 2
    if [ ! -x "$BUILD/$mpi/tests/semantics" ] || [ ! -f "$BUILD/$mpi/libcollsel-$mpi.so" ] || ! have "mpirun.$mpi"; then
        skip "no mpirun.$mpi here" "semantics through libcollsel on $mpi"
        return
    fi
    OUT=$dir/$mpi.tap launch "$mpi" "$ranks" "$BUILD/$mpi/tests/semantics" "$@"
    timeout $patience "$collsel" run --table tests/libcollsel/table.csv --report "$dir/$mpi.json" -- "${line[@]}" >"$dir/$mpi.tap" 2>"$dir/$mpi.err"
    local status=$?
    fold "$mpi" <"$dir/$mpi.tap"
    ok $status "$mpi: the program ends well"
    [ $status = 0 ] || remark "$(tail -20 "$dir/$mpi.err")"
    for collective in bcast gather scatter allgather allgatherv alltoall reduce allreduce reduce_scatter reduce_scatter_block scan exscan; do
        holds "$(grep -F "\"collective\": \"$collective\"" "$dir/$mpi.json" | grep -vc '"scheduled": 0,') > 0" "$mpi: its calls of $collective were run by schedules"
    done
}
try openmpi 3 3
if [ -n "$long" ]; then
    try openmpi 5 2 4 5
    try mpich 4 2 4
fi
tap_done
