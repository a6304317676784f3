#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A tree of conditions that collsel export writes, loaded by MPICH 4.0: where the messages tell what ran, it is what was meant.
. tests/workloads/lib.sh
have mpirun.mpich || skip_all "no mpirun.mpich here"
case $(mpichversion 2>/dev/null | sed -n 's/^MPICH Version:[^0-9]*//p') in
4.0*) ;;
*) skip_all "the MPICH here is not 4.0" ;;
esac

# Planted times: in each cell another algorithm is the fastest, 10 us, where the default takes 15 and all others 20.
awk -v OFS=, 'BEGIN {
    can["allgather"] = "brucks ring"
    can["allgatherv"] = "brucks ring"
    can["allreduce"] = "recursive_doubling reduce_scatter_allgather"
    can["alltoall"] = "brucks pairwise scattered"
    can["bcast"] = "binomial scatter_recursive_doubling_allgather scatter_ring_allgather"
    can["reduce"] = "binomial reduce_scatter_gather"
    can["reduce_scatter"] = "pairwise recursive_halving recursive_doubling"
    can["reduce_scatter_block"] = "pairwise recursive_halving recursive_doubling"
    split("16 400 4000 16000", sizes)
    print "collective,P,alg,bytes,us"
    for (c in can)
        for (p = 3; p <= 5; p++)
            for (i = 1; i <= 4; i++) {
                n = split(can[c], names, " ")
                best = 1 + (7 * i + 3 * p + length(c)) % n
                print c, p, "default", sizes[i], 15
                for (k = 1; k <= n; k++)
                    print c, p, names[k], sizes[i], k == best ? 10 : 20
            }
}' >"$dir/planted.csv"
awk -F, '$5 == 10 { print $1, "P = " $2 ", " $4 " B:", $3 }' "$dir/planted.csv" | sort >"$dir/meant"
{
    "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi mpich --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/planted.csv" &&
        "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
} >"$dir/out" 2>&1
ok $? "planted times of eight collectives"
"$collsel" export -q -c peak --results "$dir/results" --dataset planted --library mpich-4.0 --unsure --output "$dir/tree.json" >"$dir/out" 2>"$dir/err"
ok $? "a tree is written ($(cat "$dir/err"))"
"$collsel" rules "$dir/tree.json" --library mpich-4.0 >"$dir/lint"
ok $? "in which nothing is an error"
is 0 "$(grep -c ' warning: ' "$dir/lint")" "nor a warning"
holds "$(wc -c <"$dir/tree.json") % 4096" "its size is none that is read beyond"

{
    echo | points mpich 1 5
    for c in $(cut -d' ' -f1 "$dir/meant" | sort -u); do
        for p in 3 4 5; do
            for b in 16 400 4000 16000; do
                echo "time $p 0 $b mpich:default 0 0 0" | COLLECTIVE=$c points mpich 1 5 | sed 1d
            done
        done
    done
} >"$dir/points.csv"
# ran: what the messages tell of each cell, in the form of $dir/meant.
ran() {
    measure mpich 5 1 5 --min-reps 3 --max-reps 3 --budget 0.005 || { tail -3 "$dir/err" | sed 's/^/# /'; return 1; }
    paste -d, <(sed 1d "$dir/points.csv") <(sed 1d "$dir/outcomes.csv") |
        awk -F, '$22 ~ /^mpich:/ && $22 != "mpich:default" { sub("mpich:", "", $22); print $4, "P = " $9 ", " $11 " B: " $22 }' | sort
}
export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$dir/tree.json
ran >"$dir/ran"
ok $? "MPICH loads it and calls 96 cells"
unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
ran >"$dir/usual"
ok $? "and runs without it"
told=$(wc -l <"$dir/ran")
holds "$told > 40" "in $told of them the messages tell what ran"
is "" "$(comm -23 "$dir/ran" "$dir/meant")" "which is what was meant"
holds "$(comm -23 "$dir/usual" "$dir/meant" | wc -l) > 15" "without the file it is not"
tap_done
