#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# collsel export has the library that is installed load its file once: one that does not start is not left behind. The library is planted.
. tests/tap.sh
run() {
    "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}
says() { has "$1" "$(cat "$2")" "$3"; }
mkdir "$dir/bin" "$dir/at" "$dir/build" "$dir/build/mpich"
printf '#!/bin/sh\nexit 0\n' >"$dir/build/mpich/measure"
chmod +x "$dir/build/mpich/measure"
# library VERSION LINE...: an MPICH of that version, whose jobs do this.
library() {
    printf '#!/bin/sh\n[ "$1" = --version ] && { echo "HYDRA build details:"; echo "    Version: %s"; exit; }\n%s\n' "$1" "$2" >"$dir/bin/mpirun.mpich"
    chmod +x "$dir/bin/mpirun.mpich"
}
{
    echo collective,P,alg,bytes,us
    for p in 3 4; do for m in 1024 65536; do echo "bcast,$p,default,$m,100"; echo "bcast,$p,scatter_ring_allgather,$m,50"; done; done
} >"$dir/t.csv"
run import -q -c peak --name t --results "$dir/r" --format csv --mpi mpich --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/t.csv"
run fit -q -c peak --results "$dir/r" --dataset t
is 0 $status "times"
export PATH=$dir/bin:$PATH
# written RELEASE: exports for it.
written() { run export -c peak --results "$dir/r" --dataset t --unsure --build "$dir/build" --library "mpich-$1" --output "$dir/at/x.rules"; }

library 4.2.1 'cat "$MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE" "$MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE" >"${0%/*}/seen"; echo "tried 126 calls"'
written 4.2
is 0 $status "a file that a job loads"
says "mpich 4.2.1 has loaded it" "$dir/err" "is said to have been"
is "x.rules x.rules.ch4" "$(cd "$dir/at" && echo *)" "and is there, with the device's tree"
is "" "$(cat "$dir/at/x.rules" "$dir/at/x.rules.ch4" | diff - "$dir/bin/seen")" "as the job saw them"
says "loaded once by mpich 4.2.1" "$dir/at/x.rules" "its head says so, too"

cp "$dir/at/x.rules" "$dir/old"
library 4.2.1 'echo "unrecognized key algorithm=MPIR_Barrier_intra_dissemination" >&2; exit 14'
written 4.2
is 1 $status "a file with which no job starts"
says "mpich 4.2.1: not written: '$dir/at/x.rules': a program that loads it fails (status 14): unrecognized key algorithm=MPIR_Barrier_intra_dissemination" "$dir/err" "is an error, in the library's words"
is "x.rules x.rules.ch4" "$(cd "$dir/at" && echo *)" "nothing of it is left"
cmp -s "$dir/old" "$dir/at/x.rules"
ok $? "and what was there is as it was"
rm "$dir/at/"*
library 4.2.1 'exit 0'
written 4.2
is "1 " "$status $(cd "$dir/at" && ls)" "so is one of which a job says nothing"

library 4.0.2 'exit 1'
written 5.0
is 0 $status "under another release nothing is tried"
says "not tried: mpich 4.0.2 is installed here, of another release" "$dir/err" "which is said"
says "not tried: mpich 4.0.2 is installed here, of another release" "$dir/at/x.rules" "in the head, too"
tap_done
