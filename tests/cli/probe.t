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
do_it export --library openmpi-4.1 --mpi openmpi --output "$dir/none"
is "2 no" "$status $([ -e "$dir/none" ] && echo yes || echo no)" "an MPI whose times these are not is refused, where no MPI ran"
says "leave out --mpi openmpi: these times are those of 'walk'" "$dir/err" "with the remedy first"
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
says "were probed by computing, as the cells were" "$dir/after" "the file's head says how many intervals were probed, and that nothing was measured"
grep -v '^#' "$dir/before" >"$dir/b"
grep -v '^#' "$dir/after" | cmp -s - "$dir/b"
is 1 $? "and rules end elsewhere than without"
do_it sweep --probe --anew
is 2 $status "with --anew it is refused"
do_it sweep --unsure
is 2 $status "--unsure without --probe is refused"
mv "$dir/r/gros/s-walk/points.csv" "$dir/points"
do_it sweep --probe
is 1 $status "a study without a table of points: status 1"
says "run \`collsel fit" "$dir/err" "and the command that makes one"
mv "$dir/points" "$dir/r/gros/s-walk/points.csv"
run task -c gros -s "$dir/s.ini" --launch x --probe=15
is 2 $status "a task of probes wants the name of its MPI"

# ---- through Slurm, where calls get slow between the cells ----
. tests/cli/slurm.sh
slurm_build openmpi
ln -s "$(readlink -f "$collsel")" "$dir/build/collsel"
slurm_cluster 4 1 4 >"$dir/two.ini"
cat >"$dir/few.ini" <<'END'
[study]
name = few
collectives = bcast
mpi = openmpi
mappings = core
[grid]
ranks_per = core
procs = 2 4 8
bytes = 4K 8K 16K 32K 64K 128K 256K 512K
[candidates]
openmpi = binomial pipeline binary_tree
segment_bytes = 8K
[fit]
experiments = no
[measure]
repeats = 3
budget = 1s
min_reps = 10
max_reps = 30
END
printf 'algorithm,alpha_s,beta_s_per_byte\nportable:chain,400e-6,1e-8\n' >"$dir/slow.csv"
export FAKE_SLURM="$dir/slurm" COLLSEL_NULL_DEFAULT=chain COLLSEL_NULL_READER=openmpi-4.1 COLLSEL_NULL_TABLE="$dir/slow.csv" COLLSEL_NULL_NOISE=0.01
mkdir -p "$FAKE_SLURM/do"
PATH=$PWD/tests/fake/slurm:$PATH
q() { # q VERB OPTION...
    verb=$1
    shift
    run "$verb" --clusters "$dir" -c two -s "$dir/few.ini" --build "$dir/build" --results "$dir/q" "$@"
}
at=$dir/q/two/few
q sweep -q && q fit -q
COLLSEL_NULL_SLOWDOWN_AFTER=0 COLLSEL_NULL_SLOWDOWN_FACTOR=30 q sweep --probe -q --unsure
is 0 $status "probes of calls that are thirty times as slow ($(cat "$dir/err"))"
grep -q 'skipped,not measured: the budget is spent' "$at"/probe/openmpi/samples/*.outcomes.csv
ok $? "are begun no more when their launch's part of the share is spent"
# core_s FILE...: core-seconds of all points, and without the dearest of each file
core_s() {
    awk -F, '/^point,/ { dearest = 0; for (i = 1; i <= NF; i++) if ($i == "core_s") at = i; next }
        /^[0-9a-f]*,/ { sum += $at; if ($at > dearest) { over += $at - dearest; dearest = $at } }
        END { print sum, sum - over }' "$@"
}
study_s=$(core_s "$at"/samples/*.outcomes.csv | cut -d' ' -f1)
before_last_s=$(core_s "$at"/probe/openmpi/samples/*.outcomes.csv | cut -d' ' -f2)
awk "BEGIN { exit !($before_last_s <= 0.15 * $study_s) }"
ok $? "so that each launch goes beyond it by one point at most: $before_last_s core-s without the dearest ones, of $study_s of the study"
tap_done
