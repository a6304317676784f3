#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# Times that no call can take, and means over ranks of a collective with a root: never the best, no rule, unless --unsure.
# Of published times: judged.t. COLLSEL_LONG=1: more clusters.
. tests/cli/run.sh
results=$dir/results

# columns FILE NAME...: these columns of its rows, by their names
columns() {
    file=$1
    shift
    awk -F, -v want="$*" '/^#/ { next } !n { n = split(want, w, " "); for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[w[i]], i < n ? " " : "\n" }' "$file"
}
count() { columns "$1" doubt | grep -c "${2:-.}"; }

# ---- planted: four nodes of four ranks, links of 1 GB/s ----
cat >"$dir/four.ini" <<'END'
[cluster]
name = four
nodes = 4
sockets = 1
cores = 4

[network]
link_rate = 8Gbps
END
# osu FILE TIME MAX: what OSU prints of one size, 64 KiB: 12 ranks of others send 786 kB into the root's node, 786 us
osu() {
    mkdir -p "${1%/*}"
    printf '# OSU MPI Gather Latency Test v5.6.2\n# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n65536 %s %s %s 100\n' "$2" "$2" "$3" >"$1"
}
for run in 0 1 2; do
    osu "$dir/set/gather/0_16ranks_run$run.out" 500 1000
    osu "$dir/set/gather/1_16ranks_run$run.out" 20 80
    osu "$dir/set/gather/2_16ranks_run$run.out" 450 900
done
set="-c $dir/four.ini --results $results --dataset set"
run import -q -c "$dir/four.ini" --name set --mpi openmpi --mpi-version 4.1.4 --set mapping=core --results "$results" \
    --pattern '{collective}/{algorithm}_{procs}ranks_run{run}.out' "$dir/set"
is 0 $status "a planted gather"
# shellcheck disable=SC2086
run fit -q $set
points=$results/four/set/points.csv
is "links" "$(columns "$points" doubt | grep .)" "of three times one is less than the links of the root's node need"
is "0.000786432" "$(columns "$points" bound_s | sort -u)" "which is 12 x 64 KiB over 1 GB/s"
says "1 links: less than the bytes over the links of a node take" "$dir/out" "fit names it"
# shellcheck disable=SC2086
run explain $set --collective gather -p 16 -m 64K
says "doubted, does not count: less than the bytes over the links of a node take (at least 786 us)" "$dir/out" "explain, too"
# shellcheck disable=SC2086
run recommend $set --collective gather -p 16 -m 64K
says "64 KiB: openmpi:binomial;" "$dir/out" "the best is one that can be"
# shellcheck disable=SC2086
run export -q $set --collective gather --library openmpi-4.1 --unsure --build "$dir" --output "$dir/unsure.rules"
is "0" $status "rules of all times"
# shellcheck disable=SC2086
run export -q $set --collective gather --library openmpi-4.1 --build "$dir" --output "$dir/sure.rules"
is "0" $status "rules of what is believed"
rule() { run rules "$dir/$1.rules" --library openmpi-4.1 --collective gather -p 16 -m 64K; grep -o 'linear_sync\|basic_linear\|binomial' "$dir/out" | head -1; }
is "basic_linear" "$(rule unsure)" "with --unsure the impossible one is a rule"
[ "$(rule sure)" != basic_linear ]
ok $? "else it is none"
for word in doubted no-interval; do # the two things that --unsure says at once
    # shellcheck disable=SC2086
    run export -q $set --collective gather --library openmpi-4.1 --$word --build "$dir" --output "$dir/$word.rules"
    is "0" $status "rules with --$word"
done
is "basic_linear" "$(rule doubted)" "with --doubted alone it is one as well"
is "$(rule sure)" "$(rule no-interval)" "with --no-interval alone it is none"

# ---- means alone ----
mean() { # mean FILE COLLECTIVE TIME
    mkdir -p "${1%/*}"
    printf '# OSU MPI %s Latency Test v5.6.2\n# Size       Avg Latency(us)\n8 %s\n' "$2" "$3" >"$1"
}
for c in Gather Allgather; do
    for run in 0 1 2; do
        mean "$dir/means/$(echo $c | tr GA ga)/0_16ranks_run$run.out" $c 30
        mean "$dir/means/$(echo $c | tr GA ga)/1_16ranks_run$run.out" $c 10
    done
done
run import -q -c "$dir/four.ini" --name means --mpi openmpi --mpi-version 4.1.4 --set mapping=core --results "$results" \
    --pattern '{collective}/{algorithm}_{procs}ranks_run{run}.out' "$dir/means"
means="-c $dir/four.ini --results $results --dataset means"
# shellcheck disable=SC2086
run fit -q $means
is "2 mean" "$(columns "$results/four/means/points.csv" doubt | grep . | sort | uniq -c | xargs)" "means over ranks of a gather are doubted, of an allgather not"
# shellcheck disable=SC2086
run recommend $means --collective gather -p 16 -m 8
is 1 $status "nothing is recommended by them"
says "--doubted takes them" "$dir/err" "and how to is said"
# shellcheck disable=SC2086
run predict gather $means -p 16 -m 8
is 1 $status "nor has it a measured time"
says "doubted, does not count (--doubted takes it)" "$dir/out" "which is said where the time would stand"
says "2 times are doubted" "$dir/err" "and in the error: it was measured"
run predict gather $means -p 16 -m 8 --json
is 2 "$(grep -c '"doubted": true' "$dir/out")" "in JSON, too"
run recommend $means --collective gather -p 16 -m 8 --doubted
is 0 $status "with --doubted it is"
# shellcheck disable=SC2086
run export -q $means --collective gather --library openmpi-4.1 --output "$dir/none.rules"
is "1" $status "no rule is written of them"
says "--doubted takes them" "$dir/err" "nor is that kept quiet"

# shellcheck disable=SC2086
run select -q $means
is 0 "$(grep -c '^gather ' "$dir/out")" "select has no row of a collective in which nothing is judged"
is 1 "$(grep -c '^left out: gather, openmpi, by core, study: none of 1 cell has a best: of 2 candidates the time is doubted (--doubted takes it)$' "$dir/out")" "what is left out is said once, and why"
# shellcheck disable=SC2086
run select -q $means --doubted
is 0 "$(grep -c '^left out' "$dir/out")" "with --doubted nothing is"
holds "$(grep -c '^gather .* 1 *0 .*P = 16, 8 B$' "$dir/out") > 1" "and its cell is judged"

# shellcheck disable=SC2086
run report --brief -q $means
says "; 2 more times are doubted, and do not count" "$dir/out" "the report in short counts them"

# Nothing but such times.
run import -q -c "$dir/four.ini" --name all --mpi openmpi --mpi-version 4.1.4 --set mapping=core,collective=gather --results "$results" \
    --pattern '{algorithm}_{procs}ranks_run{run}.out' "$dir/means/gather"
run report -q -c "$dir/four.ini" --results "$results" --dataset all
is 1 $status "a report of doubted times alone"
says "none of 2 points has a time that counts; 2 times are doubted (points.csv; --doubted takes them)" "$dir/err" "says why it has no numbers"
says "(points.csv; --doubted takes them)" "$(pages "$results/four/all/report")" "and its page, with the option as it is typed"
says "fewer than two algorithms have a time that counts" "$(pages "$results/four/all/report")" "not that they were not measured"

# ---- what is walked is never doubted ----
for cluster in fx10-2x3x4 orfeo-epyc ${COLLSEL_LONG:+gros star-b}; do
    cat >"$dir/walk.ini" <<'END'
[study]
name = walk
collectives = bcast reduce allgather gather scatter allreduce alltoall reduce_scatter_block barrier scan

[grid]
procs = 4 7
bytes = 8 4096 262144 4194304

[candidates]
portable = *
segment_bytes = 64K

[fit]
experiments = no
END
    run sweep -q -c "$cluster" -b walk -s "$dir/walk.ini" --results "$results"
    run fit -q -c "$cluster" -b walk -s "$dir/walk.ini" --results "$results"
    walked=$results/$cluster/walk-walk/points.csv
    holds "$(columns "$walked" bound_s | grep -c .) > 100" "$cluster: times are bounded"
    is 0 "$(count "$walked")" "  and none of the walked ones is below"
done
tap_done
