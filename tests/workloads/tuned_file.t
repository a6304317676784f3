#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A file of rules that collsel export writes, loaded by Open MPI 4.1: in every cell the algorithm runs that was meant.
. tests/workloads/lib.sh
have mpirun.openmpi || skip_all "no mpirun.openmpi here"

# Planted times: in each cell another algorithm is the fastest, 10 us, where the default takes 15 and all others 20.
awk -v OFS=, 'BEGIN {
    can["bcast"] = "basic_linear binomial binary_tree pipeline chain knomial"
    can["allgather"] = "bruck ring linear"
    can["allreduce"] = "basic_linear recursive_doubling nonoverlapping"
    can["alltoall"] = "linear pairwise modified_bruck"
    can["gather"] = "basic_linear binomial"
    can["reduce"] = "linear binomial in-order_binary pipeline"
    can["scatter"] = "basic_linear binomial linear_nb"
    can["reduce_scatter"] = "non-overlapping recursive_halving ring butterfly"
    split("1 7 64 1000 4096", sizes)
    print "collective,P,alg,bytes,us"
    for (c in can)
        for (p = 2; p <= 4; p++)
            for (i = 1; i <= 5; i++) {
                n = split(can[c], names, " ")
                best = 1 + (7 * i + 3 * p + length(c)) % n
                    print c, p, "default", sizes[i], 15
                for (k = 1; k <= n; k++)
                    print c, p, names[k], sizes[i], k == best ? 10 : 20
            }
}' >"$dir/planted.csv"
awk -F, '$5 == 10 { print $1, $2, $4, $3 }' "$dir/planted.csv" | sort >"$dir/meant"
{
    "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/planted.csv" &&
        "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
} >"$dir/out" 2>&1
ok $? "planted times of eight collectives"
"$collsel" export -q -c peak --results "$dir/results" --dataset planted --library openmpi-4.1 --unsure --output "$dir/now" >"$dir/out" 2>"$dir/err"
ok $? "a file is written ($(cat "$dir/err"))"
"$collsel" rules "$dir/now" --library openmpi-4.1 >"$dir/lint"
ok $? "in which nothing is an error"
is 0 "$(grep -c ' warning: ' "$dir/lint")" "nor a warning"

# loaded FILE: what runs in each cell where the library finds it as it starts, in the form of $dir/meant.
loaded() {
    OMPI_MCA_coll_tuned_dynamic_rules_filename=$1 under_openmpi 4 "$BUILD/openmpi/tests/rules" "$dir" 0 >"$dir/out" 2>&1 || return
    awk '$1 == -2 && NR == FNR { meant[$2, $3, $4] = 1 } $1 == -2 { print $2, $3, $4, $5 ? "failed" : $6 }' "$dir/seen" |
        grep -wE "$(cut -d' ' -f1 "$dir/meant" | sort -u | paste -sd'|')" | grep -vE '^(allgatherv|alltoallv|reduce_scatter_block) ' | sort
}
loaded "$dir/now" >"$dir/ran"
is 120 "$(wc -l <"$dir/ran")" "120 cells are called"
is "" "$(diff "$dir/meant" "$dir/ran")" "in each of them the algorithm runs that was meant"
loaded "$dir/nothing" >"$dir/usual"
holds "$(diff "$dir/meant" "$dir/usual" | grep -c '^<') > 60" "which is not what runs without the file"

# Cells that are no sure gain are left to the library, and so is what lies beyond.
"$collsel" export -q -c peak --results "$dir/results" --dataset planted --library openmpi-4.1 --output "$dir/now" 2>"$dir/err"
ok $? "without --unsure"
loaded "$dir/now" >"$dir/ran"
is "" "$(diff "$dir/usual" "$dir/ran")" "times of single runs make no rules"
tap_done
