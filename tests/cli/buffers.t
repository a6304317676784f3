#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Buffers as an axis of a study: reused, or others in each call; measured on a real machine, declined in a simulation.
. tests/tap.sh
. tests/ranks.sh

study() { # BUFFERS MPI [ARRIVALS]
    printf '%s\n' '[study]' 'name = cold' 'collectives = bcast allreduce' "mpi = $2" '[grid]' 'procs = 2' 'bytes = 64 64K' "buffers = $1" "arrivals = ${3:-together}" \
        '[candidates]' 'portable = basic_linear recursive_doubling' 'default = yes' '[fit]' 'gamma_procs = 2' 'pingpong_bytes = 1K' 'copy_bytes = 1K' \
        '[measure]' 'max_reps = 20' 'repeats = 2' 'repeats_max = 2' 'sentinel_every = 0' 'budget = 0.5s' >"$dir/cold.ini"
}
do_it() { # COMMAND BACKEND [OPTION...]
    verb=$1 backend=$2
    shift 2
    "$collsel" "$verb" -q -c "$cluster" -s "$dir/cold.ini" -b "$backend" --results "$dir/r" "$@" >"$dir/out" 2>"$dir/err"
}
# value FILE COLUMN FILTER: of the rows that awk's FILTER takes.
value() { grep -v '^#' "$1" | awk -F, -v name="$2" -v filter="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $0 ~ filter { print $at[name] }'; }

cluster=gros
for wrong in rotated 'rotated reused' 'reused cold' 'reused rotated rotated'; do
    study "$wrong" openmpi
    do_it plan sim
    is 2 $? "buffers = $wrong: wrong usage"
    has "cold.ini:8: buffers" "$(cat "$dir/err")" "which says where"
done
study reused openmpi
do_it plan sim
cp "$dir/r/gros/cold/plan.csv" "$dir/reused.csv"
study 'reused rotated' openmpi
do_it plan sim
is 0 $? "a simulation is planned"
is "$(sed 1d "$dir/reused.csv" | cut -d, -f2)" "$(sed 1d "$dir/r/gros/cold/plan.csv" | grep -v ',rotated$' | cut -d, -f2)" "its points are those of reused buffers"
is "$(value "$dir/reused.csv" purpose ",time,(study|default)," | wc -l)" "$(grep -c ',rotated$' "$dir/r/gros/cold/skipped.csv")" "the others are skipped"
is "$(value "$dir/reused.csv" purpose ",time,(study|default)," | wc -l)" "$(grep -c 'a simulation has no caches' "$dir/r/gros/cold/skipped.csv")" "for a reason"

cluster=local
for mpi in openmpi mpich; do
    if ! command -v "mpirun.$mpi" >/dev/null; then skip "no mpirun.$mpi here" "$mpi"; continue; fi
    rm -rf "$dir/r"
    at=$dir/r/local/cold
    study reused "$mpi"
    do_it sweep local
    before=$(cat "$at"/samples/*.outcomes.csv | cut -d, -f1 | sort -u)
    study 'reused rotated' "$mpi"
    do_it sweep local
    ok $? "$mpi: buffers that rotate, in a study that was measured without"
    is "$before" "$(cat "$at"/samples/*.outcomes.csv | cut -d, -f1 | sort -u | grep -Fx "$before")" "$mpi: what was measured stays"
    is "ok" "$(cut -d, -f2 "$at"/samples/*.outcomes.csv | grep -v 'status\|substituted' | sort -u)" "$mpi: all points are ok"
    is "$(value "$at/plan.csv" point ',time,study,.*,$' | wc -l)" "$(value "$at/plan.csv" point ',time,study,.*,rotated$' | wc -l)" "$mpi: each cell is there twice"
    value "$at/plan.csv" point ',time,.*,rotated$' | sort -u >"$dir/rotated"
    is "$(($(wc -l <"$dir/rotated") * 2))" "$(cat "$at"/samples/*.outcomes.csv | cut -d, -f1 | grep -cFxf "$dir/rotated")" "$mpi: each was measured in two launches"
    has "rotated_buffers: within" "$(cat "$at"/samples/*.csv | grep '^# rotated')" "$mpi: the samples say within how much memory"
    do_it fit local
    do_it select local
    ok $? "$mpi: it is fitted and chosen from"
    is 0 "$(grep -c rotated "$at/selection.csv" "$at/predictions.csv" | awk -F: '{ n += $2 } END { print n }')" "$mpi: models and selectors see the buffers that stay alone"
    is 4 "$(value "$at/conditions.csv" status rotated | grep -c ok)" "$mpi: the choices are set beside the best of each cell with rotated buffers"
    do_it report local
    has "Other conditions: late ranks, cold buffers" "$(cat "$at"/report/*.html)" "$mpi: the page has a section on it"
    is 2 "$(grep -c rotated "$at/report/tables/conditions.csv")" "$mpi: with a row for each collective"
done
tap_done
