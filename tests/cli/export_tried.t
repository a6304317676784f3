#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# collsel export has the library that is installed load its file once: one that does not start is not left behind. What its jobs do is planted.
. tests/workloads/lib.sh
reader=$(mpich_reader)
[ -n "$reader" ] && [ -x "$BUILD/mpich/measure" ] || skip_all "no MPICH here of a release whose files are known"
release=${reader#mpich-} real=$(command -v mpirun.mpich)
run() {
    "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}
says() { has "$1" "$(cat "$2")" "$3"; }
mkdir "$dir/bin" "$dir/at"
# library LINE: where a file is tried, jobs do this.
library() {
    printf '#!/bin/sh\ncase "$*" in *--try*) ;; *) exec %s "$@" ;; esac\n%s\n' "$real" "$1" >"$dir/bin/mpirun.mpich"
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
written() { run export -c peak --results "$dir/r" --dataset t --unsure --library "mpich-$1" --output "$dir/at/x.rules"; }

library 'cat "$MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE" "$MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE" >"${0%/*}/seen"; echo "tried 126 calls"'
written "$release"
is 0 $status "a file that a job loads"
says "has loaded it, in a job of four ranks" "$dir/err" "is said to have been"
is "x.rules x.rules.ch4" "$(cd "$dir/at" && echo *)" "and is there, with the device's tree"
is "" "$(cat "$dir/at/x.rules" "$dir/at/x.rules.ch4" | diff - "$dir/bin/seen")" "as the job saw them"
says "loaded once by mpich $release" "$dir/at/x.rules" "its head says so, too"

cp "$dir/at/x.rules" "$dir/old"
library 'echo "unrecognized key algorithm=MPIR_Barrier_intra_dissemination" >&2; exit 14'
written "$release"
is 1 $status "a file with which no job starts"
says "not written: '$dir/at/x.rules': a program that loads it fails (status 14): unrecognized key algorithm=MPIR_Barrier_intra_dissemination" "$dir/err" "is an error, in the library's words"
is "x.rules x.rules.ch4" "$(cd "$dir/at" && echo *)" "nothing of it is left"
cmp -s "$dir/old" "$dir/at/x.rules"
ok $? "and what was there is as it was"
rm "$dir/at/"*
library 'exit 0'
written "$release"
is "1 " "$status $(cd "$dir/at" && ls)" "so is one of which a job says nothing ($(cat "$dir/err"))"

library 'exit 1'
other=5.0
[ "$release" != 5.0 ] || other=4.2
written $other
is 0 $status "under another release nothing is tried"
says "not tried: " "$dir/err" "which is said"
says "not tried: " "$dir/at/x.rules" "in the head, too"
tap_done
