#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Per-rank times on request: one sweep in five views, in views.csv and on the page.
# A short check measures with one library by each clock; COLLSEL_LONG=1 with each library by both.
. tests/tap.sh

study() { # MPI PROCS BYTES [LINE...]
    mpi=$1 procs=$2 bytes=$3
    shift 3
    printf '%s\n' '[study]' 'name = seen' 'collectives = gather' "mpi = $mpi" '[grid]' "procs = $procs" "bytes = $bytes" \
        '[candidates]' 'portable = basic_linear binomial' 'default = no' '[fit]' 'gamma_procs = 2' 'pingpong_bytes = 1K' 'copy_bytes = 1K' '[measure]' "$@" >"$dir/seen.ini"
}
do_it() { # COMMAND BACKEND [OPTION...]
    verb=$1 backend=$2
    shift 2
    "$collsel" "$verb" -c "$cluster" -s "$dir/seen.ini" -b "$backend" --results "$dir/r" "$@" >"$dir/out" 2>"$dir/err"
}
# value FILE COLUMN FILTER: of the rows that awk's FILTER takes.
value() { grep -v '^#' "$1" | awk -F, -v name="$2" -v filter="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $0 ~ filter { print $at[name] }'; }
views='slowest_s mean_s root_s last_minus_first_s fastest_s'
seen() { for column in $views; do value "$at/views.csv" $column "$1"; done | awk '{ s = s (NR > 1 ? " " : "") sprintf("%.6g", $1) } END { print s }'; }
# by_hand ID: slowest, mean, root, last minus first and fastest of a point's only call, from ranks/.
by_hand() { awk -F, -v id="$1" '$1 == id { n++; s += $5; if ($5 > most) most = $5; if (n == 1 || $5 < least) least = $5; if ($3 == 0) root = $5
    if (n == 1 || $4 < first) first = $4; if ($4 + $5 > last) last = $4 + $5 } END { printf "%.6g %.6g %.6g %.6g %.6g", most, s / n, root, last - first, least }' "$at"/ranks/*.csv; }

cluster=gros
for backend in walk sim; do
    if [ $backend = sim ] && { ! command -v smpirun >/dev/null || ! [ -x "${BUILD:-build}/smpi/measure" ]; }; then skip "no smpirun here, or not for this build" "SMPI"; continue; fi
    rm -rf "$dir/r"
    study openmpi 48 '8 16K' 'keep_ranks = yes'
    do_it sweep $backend && do_it fit $backend
    ok $? "$backend: a study that keeps ranks' times"
    at=$(dirname "$dir"/r/gros/seen*/points.csv)
    has "views.csv" "$(cat "$dir/err")" "$backend: fit says that it wrote views"
    is 4 "$(value "$at/views.csv" loss_pct ,study, | grep -c .)" "$backend: a row for each timed point"
    for algorithm in basic_linear binomial; do
        id=$(value "$at/plan.csv" point ",time,study,.*,16384,portable:$algorithm,")
        is "$(by_hand "$id")" "$(seen "$id")" "$backend: $algorithm: the views are those of the ranks' times"
        is "$(value "$at/points.csv" time_s "$id")" "$(value "$at/views.csv" slowest_s "$id")" "$backend: $algorithm: the slowest rank's is the point's time"
    done
    # Of 8 bytes the tree is quicker, but most ranks of the linear one are done at once.
    linear=$(value "$at/views.csv" slowest_s ',8,portable:basic_linear,') tree=$(value "$at/views.csv" slowest_s ',8,portable:binomial,')
    holds "$tree < $linear && $(value "$at/views.csv" mean_s ',8,portable:basic_linear,') < $(value "$at/views.csv" mean_s ',8,portable:binomial,')" "$backend: the mean over ranks takes the slower one"
    loss=$(awk "BEGIN { printf \"%.5g\", 100 * ($linear - $tree) / $tree }")
    is "$loss" "$(value "$at/views.csv" loss_pct ',8,portable:basic_linear,' | awk '{ printf "%.5g", $1 }')" "$backend: which loses what the times say"
    is "0 1" "$(value "$at/views.csv" tied ',study,.*,8,portable:' | paste -sd ' ')" "$backend: and is not tied; the best is"
    do_it select $backend && do_it report $backend
    ok $? "$backend: the page is made"
    has "takes another algorithm than by the slowest rank in 1 of 2 cells" "$(cat "$at"/report/*.html)" "$backend: and says so"
    has ",${loss%?}" "$(cat "$at/report/tables/views-mean.csv")" "$backend: with the cell and the loss"
    is 4 "$(value "$at/report/tables/views.csv" cells . | wc -l)" "$backend: and a row for each view"
    [ $backend = walk ] || [ -n "${COLLSEL_LONG:-}" ] || continue
    study openmpi 48 '8 16K'
    do_it sweep $backend && do_it fit $backend && do_it select $backend && do_it report $backend
    ok $? "$backend: the study without ranks' times"
    ok "$(test ! -e "$at/views.csv"; echo $?)" "$backend: has no views"
    is 0 "$(cat "$at"/report/*.html | grep -c 'Whose time')" "$backend: nor a section on them"
done

cluster=local
at=$dir/r/local/seen
for mpi in openmpi mpich; do
    if ! command -v "mpirun.$mpi" >/dev/null; then skip "no mpirun.$mpi here" "$mpi"; continue; fi
    for sync in window barrier; do
        [ "$mpi $sync" = "openmpi window" ] || [ "$mpi $sync" = "mpich barrier" ] || [ -n "${COLLSEL_LONG:-}" ] || continue
        rm -rf "$dir/r"
        study "$mpi" 2 16K "sync = $sync" 'keep_ranks = yes' 'max_reps = 20' 'warmup = 1' 'repeats = 2' 'sentinel_every = 0' 'budget = 1s'
        do_it sweep local && { do_it fit local || grep -q 'no model could be fitted' "$dir/err"; } # to so little
        ok $? "$mpi, $sync: measured on this machine"
        is 2 "$(value "$at/views.csv" slowest_s ,study, | grep -c .)" "$mpi, $sync: both points are seen"
        is 0 "$(for id in $(value "$at/views.csv" point ,study,); do seen "$id" | awk 'NF == 5 && !($5 <= $2 && $2 <= $1 && $3 <= $1 && ($4 == 0 || $4 >= $1 * 0.999)) { print }'; done | grep -c .)" "$mpi, $sync: fastest, mean, slowest, last minus first ascend"
        is "$([ $sync = window ] && echo 2 || echo 0)" "$(value "$at/views.csv" last_minus_first_s ,study, | grep -c .)" "$mpi, $sync: the last is known where a clock is everybody's"
    done
done
tap_done
