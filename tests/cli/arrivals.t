#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Patterns of arrival as an axis of a study: measured, compared with the choices made together, on the page.
. tests/tap.sh
. tests/ranks.sh

study() { # ARRIVALS MPI PROCS [LINE...]
    printf '%s\n' '[study]' 'name = late' 'collectives = bcast' "mpi = $2" '[grid]' "procs = $3" 'bytes = 256K' "arrivals = $1" \
        '[candidates]' 'portable = basic_linear pipeline' 'default = no' '[fit]' 'gamma_procs = 2' 'pingpong_bytes = 1K' 'copy_bytes = 1K' '[measure]' "$4" "$5" "$6" "$7" "$8" "$9"
}
do_it() { # COMMAND BACKEND [OPTION...]
    verb=$1 backend=$2
    shift 2
    "$collsel" "$verb" -q -c "$cluster" -s "$dir/late.ini" -b "$backend" --results "$dir/r" "$@" >"$dir/out" 2>"$dir/err"
}
# value FILE COLUMN FILTER: of the rows that awk's FILTER takes.
value() { grep -v '^#' "$1" | awk -F, -v name="$2" -v filter="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $0 ~ filter { print $at[name] }'; }

cluster=gros
refused() { # ARRIVALS WHAT MESSAGE
    study "$1" openmpi 8 >"$dir/late.ini"
    do_it plan sim
    is 2 $? "$2: wrong usage"
    has "$3" "$(cat "$dir/err")" "with the reason"
}
refused "skew:1ms" "a study without together" "arrivals: 'skew:1ms' (want together first"
refused "together skew:1" "a delay without a unit" "late.ini:8: arrivals:"
refused "together never" "an unknown pattern" "'never' is no arrival (want together, skew:TIME, late:TIME or trace:FILE)"
refused "together trace:none.csv" "a trace that is not there" "none.csv"
printf 'rank,delay_s\n0,0\n1,-1\n' >"$dir/delays.csv"
refused "together trace:delays.csv" "a trace with a negative delay" "delays.csv:3: delay_s: -1 s (want 0 to 3600)"

if command -v smpirun >/dev/null && [ -x "${BUILD:-build}/smpi/measure" ]; then
    printf 'rank,delay_s\n0,0\n1,0.001\n2,0\n3,0\n4,0\n5,0\n6,0\n7,0\n' >"$dir/delays.csv"
    study "together late:1ms trace:delays.csv" openmpi 8 >"$dir/late.ini"
    at=$dir/r/gros/late
    do_it sweep sim && do_it fit sim && do_it select sim
    ok $? "patterns are simulated and compared"
    has "the choice made under plain ones" "$(cat "$dir/out")" "select says so"
    is 1 "$(ls "$at/arrivals" | wc -l)" "the trace is kept with the results"
    is "$(sed 1d "$dir/delays.csv")" "$(sed 1d "$at"/arrivals/*.csv)" "as it was"
    is 3 "$(value "$at/points.csv" arrival ',time,study,.*portable:pipeline' | sort -u | wc -l)" "each pattern is a point of its own"
    is 1 "$(sed 1d "$at/selection.csv" | grep -v '^#' | grep -c '^best,')" "selectors see the ranks that arrive together alone"
    is 2 "$(value "$at/conditions.csv" status ok | wc -l)" "both other patterns are set beside it"
    pipeline=$(value "$at/points.csv" time_s ',time,study,.*portable:pipeline.*,trace:')
    linear=$(value "$at/points.csv" time_s ',time,study,.*portable:basic_linear.*,trace:')
    is portable:pipeline "$(value "$at/conditions.csv" chosen_algorithm ,trace:)" "together the pipeline is best"
    is portable:basic_linear "$(value "$at/conditions.csv" best_algorithm ,trace:)" "where a rank within it is late it is not"
    is "$(awk "BEGIN { printf \"%.6g\", 100 * ($pipeline - $linear) / $linear }")" "$(value "$at/conditions.csv" loss_pct ,trace: | awk '{ printf "%.6g", $1 }')" "and loses what the points say"
    is 0 "$(value "$at/conditions.csv" tied ,trace:)" "which is no tie"
    late=$(value "$at/points.csv" time_s ',time,study,.*portable:pipeline.*,late:0.001')
    holds "0 < $late && $late < 0.001" "times count from the last rank's call on"
    do_it report sim
    ok $? "the page is made"
    has "Other conditions: late ranks, cold buffers" "$(cat "$at"/report/*.html)" "and has a section on it"
    is 1 "$(grep -v '^collective\|^#' "$at/report/tables/conditions-wrong.csv" | wc -l)" "with the cell in which the choice is wrong"
    printf 'rank,delay_s\n0,0\n1,0.002\n' >"$dir/delays.csv"
    do_it sweep sim
    is 0 $? "another trace is another pattern"
    is 2 "$(grep -c 'the trace of arrivals has 2 ranks' "$at/skipped.csv")" "and one of fewer ranks cannot be measured"
    study together openmpi 8 >"$dir/late.ini"
    do_it sweep sim && do_it fit sim && do_it select sim
    ok $? "the study without patterns"
    ok "$(test ! -e "$at/conditions.csv"; echo $?)" "does not keep what was lost under them"
else
    skip "no smpirun here, or not for this build" "SMPI"
fi

cluster=local
for mpi in openmpi mpich; do
    if ! command -v "mpirun.$mpi" >/dev/null; then skip "no mpirun.$mpi here" "$mpi"; continue; fi
    rm -rf "$dir/r"
    study "together late:5ms" "$mpi" 2 'max_reps = 10' 'warmup = 1' 'keep_ranks = yes' 'repeats = 1' 'sentinel_every = 0' 'budget = 1s' >"$dir/late.ini"
    do_it sweep local
    ok $? "$mpi: a rank that is late on this machine"
    at=$dir/r/local/late
    is "ok" "$(cut -d, -f2 "$at"/samples/*.outcomes.csv | grep -v status | sort -u)" "$mpi: all points are ok"
    id=$(value "$at/plan.csv" point ',time,study,.*portable:pipeline.*,late:0.005')
    is 0 "$(awk -F, -v id="$id" '$1 == id && $3 == 1 && $4 < 0.005' "$at"/ranks/*.csv | wc -l)" "$mpi: the last rank calls late, always"
    is 0 "$(cat "$at"/ranks/*.csv "$at"/samples/*p2*[0-9a-f].csv | awk -F, -v id="$id" '
        $1 != id { next } NF == 5 && $3 == 1 { took[$2] = $5; next } NF > 5 && !($3 >= took[$2] * 0.999999) { print }' | wc -l)" "$mpi: and the time is at least what its call took"
done
tap_done
