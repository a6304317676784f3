#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Through the real Slurm of an emulated cluster, as job arrays: what runs in place of another algorithm is measured once, and
# both names have it. One chain is a pipeline, and a split binary tree of one segment is one, too, of ours and of Open MPI's.
. tests/cli/run.sh

[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc nsenter unshare munged slurmctld slurmd sbatch mpirun.openmpi; do
    PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || skip_all "$tool is not installed"
done
[ -x "$build/openmpi/measure" ] || skip_all "no build for Open MPI"
name=same$$
sed "s/= mini\$/= $name/" clusters/mini.ini >"$dir/$name.ini"
take_down() { "$collsel" testbed down -q $name; tap_clean; }
trap take_down EXIT
"$collsel" testbed up -q "$dir/$name.ini" 2>"$dir/err" || skip_all "$(tail -1 "$dir/err")"
export SLURM_CONF=/run/collsel/$name/slurm.conf
cat >"$dir/few.ini" <<'END'
[study]
name = few
collectives = bcast
mpi = openmpi
mappings = node
[grid]
procs = 3 4
bytes = 1K
ranks_per = node
[candidates]
portable = chain pipeline split_binary_tree
openmpi = chain pipeline split_binary_tree
fanouts = chain:1
segment_bytes = 8K
[fit]
experiments = no
[measure]
repeats = 2
budget = 200ms
min_reps = 3
max_reps = 10
END
at=$dir/results/$name/few
in_study() { # in_study VERB OPTION...
    verb=$1
    shift
    run "$verb" -c "$dir/$name.ini" -s "$dir/few.ini" --results "$dir/results" "$@"
}
in_study submit
is 0 $status "collsel submit"
sed 's/^/# /' "$dir/out"
empty() { [ -z "$(squeue -h)" ]; }
soon empty
is "" "$(squeue -h)" "the queue runs empty"
in_study collect
is 0 $status "collsel collect"
is 4 "$(grep -o '"job":"[0-9]*_[0-9]*"' "$at/events.jsonl" | sort -u | wc -l)" "two launches of 3 and of 4 ranks were tasks of job arrays"

# Of every launch: names of a library that have samples, and those that have another's; table FILE COLUMN...
table() {
    file=$1
    shift
    grep -v '^#' "$file" | awk -F, -v want="$*" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(want, w, " "); next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]] == "" ? "-" : $at[w[i]], i < n ? " " : "\n" }'
}
table "$at/plan.csv" point algorithm | sort -u >"$dir/names"
for outcomes in "$at"/samples/*.outcomes.csv; do
    table "$outcomes" point same_as status >"$dir/outcomes"
    table "${outcomes%.outcomes.csv}.csv" point | sort -u >"$dir/sampled"
    awk 'FILENAME ~ /names$/ { name[$1] = $2; next }
        FILENAME ~ /sampled$/ { sampled[$1] = 1; next }
        name[$1] !~ /pipeline|chain|split/ { next }
        { split(name[$1], w, ":"); n[w[1]]++ }
        ($3 != "ok" && $3 != "substituted") || sampled[$1] == ($2 != "-") || ($2 != "-" && (!sampled[$2] || name[$2] !~ "^" w[1])) { print "wrong:", name[$1], $2, $3 }
        $2 != "-" { same[w[1]]++ }
        END { for (l in n) print l, n[l], same[l] + 0 }' "$dir/names" "$dir/sampled" "$dir/outcomes" | sort
done >"$dir/seen"
is "$(for _ in 1 2 3 4; do printf 'openmpi 3 2\nportable 3 2\n'; done)" "$(cat "$dir/seen")" \
    "in each of four launches three names of ours and three of the library's have one series of samples"
in_study fit
is 0 $status "collsel fit"
table "$at/points.csv" procs algorithm time_s | grep -E 'chain|pipeline|split' | sed 's/:[a-z_]*//' | sort | uniq -c | awk '{ print $1, $2, $3 }' >"$dir/times"
is "3 3 openmpi 3 3 portable 3 4 openmpi 3 4 portable" "$(xargs <"$dir/times")" "all three have the same time, among 3 and among 4 ranks"
tap_done
