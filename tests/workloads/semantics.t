#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every algorithm of the table, and combinations of them on levels of invented machines, have the result of the library's own call: types, operations, in place, parts of the ranks.
. tests/workloads/lib.sh
# try MPI LAUNCHER RANKS ARGUMENTS...
try() {
    local mpi=$1 launcher=$2 ranks=$3; shift 3
    if ! have "$launcher"; then
        skip "no $launcher here" "semantics on $mpi"
        return
    fi
    "under_$mpi" "$ranks" "$BUILD/$mpi/tests/semantics" "$@" >"$dir/$mpi.tap" 2>"$dir/$mpi.err"
    local status=$?
    fold "$mpi" <"$dir/$mpi.tap"
    ok $status "$mpi: the program ends well"
    [ $status = 0 ] || remark "$(tail -20 "$dir/$mpi.err")"
}

if [ "${COLLSEL_LONG:-}" = short ]; then
    try openmpi mpirun.openmpi 2 all rabenseifner 2
    try mpich mpirun.mpich 2 all rabenseifner 2
    tap_done
fi
try openmpi mpirun.openmpi 5 1 3 5
try openmpi mpirun.openmpi 8 three_level 8
try mpich mpirun.mpich 4 2 4
if [ -n "${COLLSEL_LONG:-}" ]; then
    try openmpi mpirun.openmpi 4 all 1 2 3 4
    try mpich mpirun.mpich 4 all 1 2 3 4
    try openmpi mpirun.openmpi 16 6 7 8 9 16
    try mpich mpirun.mpich 16 5 6 7 8 9 16
fi
tap_done
