#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The executor runs every portable algorithm rightly on Open MPI, MPICH and SMPI.
. tests/workloads/lib.sh
# try MPI LAUNCHER RANKS SIZES...
try() {
    local mpi=$1 launcher=$2 ranks=$3; shift 3
    if ! have "$launcher" || { [ "$mpi" = smpi ] && ! have_smpi; }; then
        skip "no $launcher here, or not for this build" "executor on $mpi"
        return
    fi
    "under_$mpi" "$ranks" "$BUILD/$mpi/tests/execute" "$@" >"$dir/$mpi.tap" 2>"$dir/$mpi.err"
    local status=$?
    fold "$mpi" <"$dir/$mpi.tap"
    ok $status "$mpi: the program ends well"
    [ $status = 0 ] || remark "$(tail -20 "$dir/$mpi.err")"
}

if [ "${COLLSEL_LONG:-}" = short ]; then
    try openmpi mpirun.openmpi 2 all 2
    tap_done
fi
try openmpi mpirun.openmpi 8 1 2 3 4 5 8
try mpich mpirun.mpich 4 1 2 3 4
try smpi smpirun 13 1 2 3 4 5 8 13
if [ -n "${COLLSEL_LONG:-}" ]; then
    try openmpi mpirun.openmpi 17 all 2 3 5 8 6 7 9 12 16 17
    try mpich mpirun.mpich 8 all 2 3 4 5 6 7 8
    try smpi smpirun 33 all 5 8 13 16 17 31 32 33
fi
tap_done
