#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each schedule of a native algorithm sends exactly the messages that Open MPI's own sends, P = 2 … 5 and 8;
# COLLSEL_LONG: P = 2 … 16.
. tests/workloads/lib.sh
if ! have mpirun.openmpi; then skip_all "no mpirun.openmpi here"; fi
ranks=8
[ -z "${COLLSEL_LONG:-}" ] || ranks=16
under_openmpi $ranks "$BUILD/openmpi/tests/traffic" >"$dir/tap" 2>"$dir/err"
status=$?
fold "Open MPI" <"$dir/tap"
ok $status "the program ends well"
[ $status = 0 ] || remark "$(tail -20 "$dir/err")"
tap_done
