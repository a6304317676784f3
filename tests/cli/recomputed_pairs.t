#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# What `compare` and `guidelines` say of defaults is computed again, from points.csv alone, by recompute_pairs.awk, which shares no code with the
# program: medians, ratios, p-values and their corrections, verdicts; of a walk, of what is measured here, and of planted runs.
. tests/cli/run.sh
again=$PWD/tests/cli/recompute_pairs.awk
results=$dir/results

# agrees NAME P FILE...: nothing differs in 10 numbers or more, P p-values or more among them.
agrees() {
    name=$1 least=$2
    shift 2
    awk -v tie=2.5 -f "$again" "$@" >"$dir/said" 2>"$dir/wrong"
    is "0" "$(sed -n 's/^differences //p' "$dir/said")" "$name: $(xargs <"$dir/said") as recomputed"
    grep -v '^differences 0' "$dir/said" | grep ':' | head -n 8 | sed 's/^/# /'
    sed 's/^/# /' "$dir/wrong"
    holds "$(sed -n 's/^compared //p' "$dir/said") >= 10 && $(sed -n 's/^p-values //p' "$dir/said") >= $least" "$name: enough was compared"
}
# spoilt FILE PROGRAM NAME BEFORE...: the judge finds what is wrong.
spoilt() {
    awk -F, -v OFS=, "$2" "$1" >"$dir/spoilt.${1##*.}"
    name=$3
    shift 3
    awk -v tie=2.5 -f "$again" "$@" "$dir/spoilt.$kind" | grep -q '^differences [1-9]'
    ok $? "$name is found"
}

# ---- a walk: exact times ----
for verb in sweep fit guidelines; do run $verb -q -c mini -s guidelines -b walk --results "$results"; done
walk=$results/mini/guidelines-walk
agrees "guidelines of a walk" 0 "$walk/points.csv" "$walk/guidelines.csv"
says "violated" "$dir/said" "some are violated"
kind=csv
spoilt "$walk/guidelines.csv" 'NR == 9 { $15 *= 1.0001 } { print }' "a ratio that is 0.01 % off" "$walk/points.csv"
spoilt "$walk/guidelines.csv" 'NR == 5 { next } { print }' "a comparison that is missing" "$walk/points.csv"

# ---- runs of others, planted: two days of four runs, the second slower here and there ----
day() { # day NAME SEED
    awk -v seed="$2" 'function noise(    i, s) { for (i = 0; i < 12; i++) s += rand(); return 0.02 * (s - 6) }
    BEGIN {
        srand(seed); print "collective,P,bytes,run,us"
        n = split("bcast reduce allreduce gather allgather alltoall", name, " ")
        for (c = 1; c <= n; c++) for (p = 4; p <= 16; p *= 2) for (m = 64; m <= 65536; m *= 16) for (run = 1; run <= 4 + (c > 3); run++) {
            us = (10 + p + m / 100) * (1 + 0.1 * c) * (seed == 2 && c == 2 ? 1.3 : seed == 2 && c == 5 ? 0.8 : seed == 2 && c == 4 ? 1.12 : 1)
            printf "%s,%d,%d,%d,%.6g\n", name[c], p, m, run, us * (1 + noise() * (c == 4 ? 3 : 1))
        }
    }' >"$dir/$1.csv"
    run import -q -c peak --name "$1" --results "$results" --format csv --mpi openmpi --mpi-version 4.1.4 --set mapping=core,algorithm=default \
        --map collective=collective,procs=P,bytes=bytes,max_s=us:us "$dir/$1.csv"
    run fit -q -c peak --results "$results" --dataset "$1"
    run guidelines -q --results "$results" --dataset "$1"
}
day monday 1
day friday 2
agrees "guidelines of runs" 50 "$results/peak/monday/points.csv" "$results/peak/monday/guidelines.csv"
run compare "$results/peak/monday" "$results/peak/friday" --json
cp "$dir/out" "$dir/compared.json"
agrees "two days" 100 "$results/peak/monday/points.csv" "$results/peak/friday/points.csv" "$dir/compared.json"
for word in same slower faster unsure; do
    grep -q "^$word [1-9]" "$dir/said"
    ok $? "two days: some cells are $word"
done
kind=json
spoilt "$dir/compared.json" '/"p":/ && !done { sub(/[0-9]\.[0-9]*/, "0.77"); done = 1 } { print }' "a wrong p-value" "$results/peak/monday/points.csv" "$results/peak/friday/points.csv"
spoilt "$dir/compared.json" '/"verdict": "unsure"/ && !done { sub(/unsure/, "slower"); done = 1 } { print }' "a verdict that is not so" \
    "$results/peak/monday/points.csv" "$results/peak/friday/points.csv"

# ---- measured here ----
if command -v mpirun.openmpi >/dev/null; then
    for name in one two; do
        printf '%s\n' '[study]' "name = $name" 'collectives = bcast reduce allreduce' 'mpi = openmpi' '[grid]' 'procs = 2' 'bytes = 8 4K' '[candidates]' 'default = yes' \
            '[fit]' 'experiments = no' '[measure]' 'max_reps = 20' 'repeats = 3' 'repeats_max = 3' 'sentinel_every = 0' 'budget = 0.1s' >"$dir/$name.ini"
        for verb in sweep fit; do run $verb -q -c local -s "$dir/$name.ini" --results "$results"; done
        is 0 $status "three launches are measured here"
    done
    run guidelines -q -c local -s "$dir/one.ini" --results "$results"
    agrees "guidelines here" 5 "$results/local/one/points.csv" "$results/local/one/guidelines.csv"
    run compare "$results/local/one" "$results/local/two" --json
    cp "$dir/out" "$dir/compared.json"
    agrees "twice the same here" 6 "$results/local/one/points.csv" "$results/local/two/points.csv" "$dir/compared.json"
else
    skip "no mpirun.openmpi here" "launches of our own"
fi
tap_done
