#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel sweep --probe, on walked times: what is measured between the cells, and that export goes by it. How far rules then speak: tests/analysis/advise/rule_interval-t.c.
. tests/cli/run.sh

cat >"$dir/s.ini" <<'END'
[study]
name = s
collectives = bcast
[grid]
procs = 4 8 16
bytes = 1K 4K 16K 64K 256K
[candidates]
portable = chain pipeline binary_tree binomial basic_linear
segment_bytes = 8K
sim_default = openmpi41
[fit]
experiments = no
END
do_it() {
    verb=$1
    shift
    run "$verb" -b walk -c gros -s "$dir/s.ini" --results "$dir/r" "$@"
}
do_it sweep -q && do_it fit -q
do_it export --library openmpi-4.1 --output "$dir/before"
says "nothing was measured inside them" "$dir/before" "without probes the file's head says so"
do_it sweep --probe=15 --dry-run
is 0 $status "what would be probed"
says "bcast          walk          5" "$dir/out" "... is one process more than a cell, too"
do_it sweep --probe
is 0 $status "probes are measured"
[ "$(sed -n 's/.*probes took \([0-9.]*\) %.*/\1/p' "$dir/err" | awk '{ print ($1 > 0 && $1 <= 15) }')" = 1 ]
ok $? "for at most 15 % of the core time ($(tail -n 1 "$dir/err"))"
rm -r "$dir/r/gros/s-walk/probe"
mkdir -p "$dir/build/walk"
printf '#!/bin/sh\ncase "$*" in *-p7-*) kill -9 $$ ;; esac\nexec %s/walk/measure "$@"\n' "$(realpath "$build")" >"$dir/build/walk/measure"
chmod +x "$dir/build/walk/measure"
do_it sweep --probe -q --build "$dir/build"
is 1 $status "probes whose launches are killed: status 1"
says "points failed or timed out (see $dir/r/gros/s-walk/probe/walk/events.jsonl" "$dir/err" "and where they are told"
rm -r "$dir/r/gros/s-walk/probe"
do_it sweep --probe -q
do_it export --library openmpi-4.1 --output "$dir/after"
says "were probed by measurement" "$dir/after" "the file's head says how many intervals were probed"
grep -v '^#' "$dir/before" >"$dir/b"
grep -v '^#' "$dir/after" | cmp -s - "$dir/b"
is 1 $? "and rules end elsewhere than without"
do_it sweep --probe --confirm
is 2 $status "with --confirm it is refused"
do_it sweep --unsure
is 2 $status "--unsure without --probe is refused"
mv "$dir/r/gros/s-walk/points.csv" "$dir/points"
do_it sweep --probe
is 1 $status "a study without a table of points: status 1"
says "run \`collsel fit" "$dir/err" "and the command that makes one"
mv "$dir/points" "$dir/r/gros/s-walk/points.csv"
run task -c gros -s "$dir/s.ini" --launch x --probe=15
is 2 $status "a task of probes wants the name of its MPI"
tap_done
