#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each schedule of a native algorithm sends exactly the messages that Open MPI's own sends, P = 2 … 16.
. "$(dirname "$0")/lib.sh"
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
if ! have mpirun.openmpi; then echo "1..0 # SKIP no mpirun.openmpi here"; exit 0; fi
under_openmpi 16 "$BUILD/openmpi/tests/traffic" >"$dir/tap" 2>"$dir/err"
status=$?
fold "Open MPI" <"$dir/tap"
claim $status "the program ends well"
[ $status = 0 ] || remark "$(tail -20 "$dir/err")"
done_testing
