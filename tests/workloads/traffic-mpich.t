#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each schedule of MPICH's algorithms sends exactly the messages that MPICH's own sends, counted where
# they leave for the network, P = 2 … 5, 8 and 9; COLLSEL_LONG: P = 2 … 16.
. tests/workloads/lib.sh
if ! have mpirun.mpich; then skip_all "no mpirun.mpich here"; fi
ranks=9
[ -z "${COLLSEL_LONG:-}" ] || ranks=16
under_mpich $ranks "$BUILD/mpich/tests/traffic" >"$dir/tap" 2>"$dir/err"
status=$?
fold "MPICH" <"$dir/tap"
ok $status "the program ends well"
[ $status = 0 ] || remark "$(tail -20 "$dir/err")"
tap_done
