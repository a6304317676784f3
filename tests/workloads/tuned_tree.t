#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A tree of conditions that collsel export writes, loaded by MPICH: where the messages tell what ran, it is what was meant.
. tests/workloads/lib.sh
have mpirun.mpich || skip_all "no mpirun.mpich here"
reader=$(mpich_reader)
[ -n "$reader" ] || skip_all "no MPICH here of a release whose files are known"

# Rules of several ranks on a node hold where the library knows that ranks share one.
place=core
sees_nodes || place=node
MAPPING=$place planted mpich "$reader" "$dir/tree.json" 3 5 "16 400 4000 16000" <<'END'
allgather brucks ring
allgatherv brucks ring
allreduce recursive_doubling reduce_scatter_allgather
alltoall brucks pairwise scattered
bcast binomial scatter_recursive_doubling_allgather scatter_ring_allgather
reduce binomial reduce_scatter_gather
reduce_scatter pairwise recursive_halving recursive_doubling
reduce_scatter_block pairwise recursive_halving recursive_doubling
END
is "$([ $place = core ] || echo 1)" "$(grep -o 'treats each rank here as alone on its node' "$dir/err" | sed 's/.*/1/')" "it says whether the library knows that ranks share a node"
sed -i 's/^\([^ ]*\) \([^ ]*\) \([^ ]*\) /\1 P = \2, \3 B: /' "$dir/meant"
sort -o "$dir/meant" "$dir/meant"
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
export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$dir/tree.json MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$dir/tree.json.ch4
ran >"$dir/ran"
ok $? "MPICH loads it and calls 96 cells"
# As a site runs it, with the device on: both trees are read, and every call does what MPI promises. What the device has for the memory of a
# node waits without giving up the core: off, as there are more ranks than cores. Other tests make network devices that go again.
device() {
    env MPIR_CVAR_DEVICE_COLLECTIVES=percoll MPIR_CVAR_{BARRIER,BCAST,REDUCE,ALLREDUCE}_POSIX_INTRA_ALGORITHM=mpir MPIR_CVAR_NUM_CLIQUES="$2" \
        UCX_NET_DEVICES=lo MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE="$1" timeout 300 mpirun.mpich -n 4 "$BUILD/mpich/measure" --try 2>&1
}
for nodes in 1 2 4; do
    has "tried " "$(device "$dir/tree.json.ch4" $nodes)" "with its device on, ranks of $nodes node$([ $nodes = 1 ] || echo s): it loads both trees, and every call is right"
done
holds "$(device "$dir/not-there" 1 | grep -c '^tried') == 0" "a tree of the device that is not there ends the program: so it is read"
unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE
ran >"$dir/usual"
ok $? "and runs without it"
if ! counts_messages; then
    skip "the messages of this MPICH cannot be counted" "what ran"
    tap_done
fi
told=$(wc -l <"$dir/ran")
holds "$told > 40" "in $told of them the messages tell what ran"
is "" "$(comm -23 "$dir/ran" "$dir/meant")" "which is what was meant"
holds "$(comm -23 "$dir/usual" "$dir/meant" | wc -l) > 15" "without the file it is not"
tap_done
