#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The libraries choose what their decision functions here say, at the borders of each.
. tests/workloads/lib.sh
# try MPI VERSIONS RANKS SIZES...: where one of these releases is installed.
try() {
    local mpi=$1 version=$2 ranks=$3; shift 3
    if ! have "mpirun.$mpi" || ! "mpirun.$mpi" --version 2>&1 | grep -qE "[^0-9]($version)[.]"; then
        skip "no mpirun.$mpi of $version here" "defaults of $mpi"
        return
    fi
    "under_$mpi" "$ranks" "$BUILD/$mpi/tests/defaults" "$@" >"$dir/$mpi.tap" 2>"$dir/$mpi.err"
    local status=$?
    fold "$mpi" <"$dir/$mpi.tap"
    ok $status "$mpi: the program ends well"
    [ $status = 0 ] || remark "$(tail -20 "$dir/$mpi.err")"
}

if [ -n "${COLLSEL_LONG:-}" ]; then
    try openmpi '4[.]1|[56][.]0' 16 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
    try mpich '4[.][0-3]|5[.]0' 16 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
else
    try openmpi '4[.]1|[56][.]0' 8 2 3 4 7 8
    try mpich '4[.][0-3]|5[.]0' 9 3 4 7 8 9
fi
tap_done
