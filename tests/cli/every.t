#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every collective that has schedules, from plan to report: on the planted workload, whose alpha and beta come back,
# and simulated. Every study file that we bring can be planned on a cluster that it names. COLLSEL_LONG=1: on each of them; a page of what is simulated.
. tests/tap.sh

every=$("$collsel" schedule --list | awk '{ print $1 }' | sort -u | tr '\n' ' ')
is "allgather allgatherv allreduce alltoall alltoallv barrier bcast exscan gather reduce reduce_scatter reduce_scatter_block scan scatter" \
    "${every% }" "fourteen collectives have schedules"
{
    sed "s/^collectives.*/collectives = $every/" <<'END'
[study]
name = every
collectives = all
mpi = openmpi
mappings = node
[grid]
procs = 4
bytes = 512 8K 32K
ranks_per = node
[candidates]
portable = basic_linear linear ring
segment_bytes = 8K
[fit]
fit_procs = 4
gather_bytes = 1K 4K 2K
[held_out]
held_procs = 3
[measure]
repeats = 1
min_reps = 3
max_reps = 5
warmup = 1
inner = 3
END
} > "$dir/every.ini"

# chain BACKEND: from sweep to report.
chain() {
    study="-q -b $1 -c mini -s $dir/every.ini --results $dir/results"
    # shellcheck disable=SC2086
    "$collsel" sweep $study > "$dir/out" 2> "$dir/err" && "$collsel" fit $study > /dev/null 2> "$dir/err" &&
        "$collsel" select $study > "$dir/select.out" 2> "$dir/err" || return
    # shellcheck disable=SC2086
    [ "$1${COLLSEL_LONG:-}" = sim ] || "$collsel" report $study > "$dir/out" 2> "$dir/err"
}

chain null
ok $? "planted: all are measured, fitted, selected from and reported ($(tail -1 "$dir/err"))"
fits=$dir/results/mini/every/fit/hockney.csv
# One of each: those with basic_linear, linear or ring; alpha 20 us, beta 1 ns.
bad=$(grep -v '^#' "$fits" | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["model"] == "stage" && $at["status"] == "ok" { a = $at["alpha_s"] / 20e-6 - 1; b = $at["beta_s_per_byte"] / 1e-9 - 1
        if (a * a < 1e-12 && b * b < 1e-12) seen[$at["collective"]]++ }
    END { for (c in seen) n++; print n + 0 }')
is 14 "$bad" "alpha and beta that were planted come back for each collective"
for c in $every; do
    grep -q "^$c,null,.*,portable:" "$fits" || echo "no fit of $c"
done > "$dir/missing"
is "" "$(cat "$dir/missing")" "each has its row"
# A scan's gather is called by the last rank, which has the clock; a barrier has no bytes.
plan=$dir/results/mini/every/plan.csv
column() { grep -v '^#' "$plan" | awk -F, -v want="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    '"$1"' { print $at[want] }' | sort -u | tr '\n' ' '; }
is "3 " "$(column '$at["experiment"] == "gather" && $at["collective"] ~ /scan/' root)" "the gather behind a scan is the last rank's"
is "0 " "$(column '$at["experiment"] == "gather" && $at["collective"] !~ /scan/' root)" "others are rank 0's"
is "0 " "$(column '$at["experiment"] == "time" && $at["collective"] == "barrier"' bytes)" "a barrier has no bytes"

if command -v smpirun > /dev/null && [ -x "$build/smpi/measure" ] && ! nm -D "$build/smpi/measure" | grep -q __asan_init; then
    chain sim
    ok $? "simulated: all are measured, fitted, selected from${COLLSEL_LONG:+ and reported} ($(tail -1 "$dir/err"))"
    is 0 "$(cut -d, -f2- "$dir/results/mini/every-sim/points.csv" | grep -c ',failed,')" "… and nothing failed"
else
    skip "no smpirun here, or not for this build" "simulated"
fi

k=0
for file in clusters/studies/*.ini; do
    [ "${file##*/}" != pml.ini ] || continue # of which pml.t does it
    # shellcheck disable=SC2046
    set -- $(sed -n 's/^\[on \(.*\)\]/\1/p' "$file")
    k=$((k + 1))
    # one cluster of each file, others of the next one
    [ -n "${COLLSEL_LONG:-}" ] || [ $# = 0 ] || { shift $((k % $#)) && set -- "$1"; }
    for cluster; do
        at=$(ls clusters/"$cluster".ini clusters/*/"$cluster".ini 2>/dev/null | head -1)
        "$collsel" plan -q -b null -c "${at:-$cluster}" -s "$file" --results "$dir/plans" > /dev/null 2> "$dir/err" && continue
        # one of the libraries' algorithms alone
        grep -q "backend null runs no" "$dir/err" &&
            "$collsel" plan -q -n -b slurm -c "${at:-$cluster}" -s "$file" --results "$dir/plans" > /dev/null 2> "$dir/err" && continue
        echo "$file on $cluster: $(head -1 "$dir/err")"
    done
done > "$dir/bad"
is "" "$(cat "$dir/bad")" "every study can be planned on the clusters that it names"
for c in $every; do
    [ -n "${COLLSEL_LONG:-}" ] || [ ! -e clusters/studies/$c.ini ] || [ $c = bcast ] || continue # whose file is planned above
    "$collsel" plan -q -b null -c mini -s "$c" --results "$dir/named" >/dev/null 2>"$dir/err" && [ -s "$dir/named/mini/$c/plan.csv" ] ||
        echo "$c: $(head -1 "$dir/err")"
done >"$dir/bad"
is "" "$(cat "$dir/bad")" "every collective is a study by its name, with a file of its own or without"
# requests at a time: no limit is 0, in plan and launch alike
"$collsel" sweep -q -b null -c mini -s clusters/studies/alltoall.ini --results "$dir/unlimited" >"$dir/out" 2>&1
is 0 $? "the study of all-to-alls, unlimited requests at a time among them, is measured whole"
# Of reductions: what is fastest beside the default, and whether it combines in the same order. Among 8 processes Open
# MPI 4.1 chooses recursive doubling for 8 B; MPICH's combines in the same order, another algorithm in another one. Among 128 it chooses nonoverlapping,
# which calls what the library chooses by size.
bits_beside() { # bits_beside ALGORITHM PROCS...
    sed "s/ALGORITHM/$1/; s/PROCS/$2/" > "$dir/bits.ini" <<'END'
[study]
name = bits
collectives = allreduce
mpi = openmpi
mappings = node
[grid]
procs = PROCS
bytes = 8
[candidates]
portable = ALGORITHM
sim_default = openmpi41
[fit]
fit_procs = 8
gather_bytes = 1K
END
    "$collsel" report -q -b walk -c gros -s "$dir/bits.ini" --results "$dir/$1" > "$dir/out" 2> "$dir/err" || tail -1 "$dir/err"
    awk -F, 'NR > 1 { print $4 ": " $5 }' "$dir/$1/gros/bits-walk/report/tables/bits.csv"
}
is "portable:mpich_recursive_doubling: the same;portable:mpich_recursive_doubling: may differ" "$(bits_beside mpich_recursive_doubling "8 128" | paste -sd ';')" \
    "MPICH's recursive doubling gives the bits of Open MPI's, but not where the default calls what the library chooses by size"
is "portable:recursive_multiplying: may differ" "$(bits_beside recursive_multiplying 8)" "another algorithm may not"
tap_done
