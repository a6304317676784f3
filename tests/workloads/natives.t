#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every algorithm of both libraries is forced inside one launch, runs with right data, and is proved;
# what a library runs instead is named.
. tests/workloads/lib.sh
quick=(--min-reps 3 --max-reps 4 --budget 0.02)

# forced MPI RANKS: lines "collective bytes algorithm segment fanout [what runs instead]" on stdin.
forced() {
    local mpi=$1 ranks=$2 n=0 wrong=0 c b a s f instead
    cat >"$dir/list"
    while read -r c b a s f instead; do
        echo "time $ranks 0 $b $mpi:$a $s $f 0" | COLLECTIVE=$c points "$mpi" 1 "$ranks"
    done <"$dir/list" | awk 'NR == 1 || !/^point,/' >"$dir/points.csv"
    measure "$mpi" "$ranks" 1 "$ranks" "${quick[@]}"
    ok $? "$mpi, $ranks ranks: the launch ends well"
    while read -r c b a s f instead; do
        n=$((n + 1))
        if [ -n "$instead" ]; then
            want="^substituted,$a runs as $instead for these arguments,interposed,$mpi:$instead,"
        elif [ "$mpi" = openmpi ]; then
            want="^ok,,interposed,openmpi:$a,$s,$f,[0-9]+,[0-9]+,[01],1,"
        else
            want="^ok,,(counted|canary.readback|readback),mpich:$a,$s,$f,"
        fi
        outcome $n | grep -qE "$want" && continue
        wrong=1
        remark "$c $a: wanted $want" "seen: $(outcome $n)"
    done <"$dir/list"
    ok $wrong "$mpi, $ranks ranks: each of $n is what was forced, or what the library runs instead"
}

# Those of a list of Open MPI's that the release which is here has. What a short message runs instead of Rabenseifner's, and what Bruck's is called, is
# another from 6.0 on.
openmpi() {
    "$BUILD/openmpi/measure" --list-natives >"$dir/listed"
    while read -r c b a s f instead; do
        if grep -qx "allgather bruck-k-fanout" "$dir/listed"; then
            [ "$instead" != bruck ] || instead=bruck-k-fanout
            [ "$c $a $instead" != "allreduce rabenseifner basic_linear" ] || instead=
        fi
        if [ "$a" = gatherv_bcast ] || grep -qx "$c ${a%%.*}" "$dir/listed"; then echo "$c $b $a $s $f $instead"; fi
    done
}

if have mpirun.openmpi; then
    forced openmpi 5 < <(openmpi <<'END'
bcast 5000 basic_linear 0 0
bcast 5000 chain 1024 2
bcast 5000 chain 1024 1 pipeline
bcast 5000 pipeline 1024 0
bcast 5000 split_binary_tree 1024 0
bcast 5000 binary_tree 1024 0
bcast 5000 binomial 1024 0
bcast 5000 knomial 1024 3
bcast 5000 scatter_allgather 0 0
bcast 5000 scatter_allgather_ring 0 0
reduce 5000 linear 0 0
reduce 5000 chain 1024 2
reduce 5000 chain 1024 1 pipeline
reduce 5000 chain.3 1024 2
reduce 5000 chain.3 1024 1 pipeline
reduce 5000 pipeline 1024 0
reduce 5000 pipeline 1024 2
reduce 5000 binary 1024 0
reduce 5000 binary 1024 3
reduce 5000 binomial 1024 0
reduce 5000 binomial 1024 1
reduce 5000 in-order_binary 1024 0
reduce 5000 in-order_binary 1024 4
reduce 5000 rabenseifner 0 0
reduce 5000 knomial 0 2
reduce 5000 knomial 0 4
allreduce 4000 basic_linear 0 0
allreduce 4000 nonoverlapping 0 0
allreduce 4000 recursive_doubling 0 0
allreduce 4000 ring 0 0
allreduce 4000 segmented_ring 128 0
allreduce 4000 rabenseifner 0 0
allreduce 4 ring 0 0 recursive_doubling
allreduce 639 segmented_ring 128 0 ring
allreduce 640 segmented_ring 128 0
allreduce 3 rabenseifner 0 0 basic_linear
allreduce 4 rabenseifner 0 0
allreduce 4000 allgather_reduce 0 0
alltoall 100 linear 0 0
alltoall 100 pairwise 0 0
alltoall 100 modified_bruck 0 0
alltoall 100 linear_sync 0 0
alltoall 100 linear_sync 0 2
alltoallv 100 basic_linear 0 0
alltoallv 100 pairwise 0 0
allgather 100 linear 0 0
allgather 100 bruck 0 0
allgather 100 bruck-k-fanout 0 2
allgather 100 bruck-k-fanout 0 3
allgather 100 bruck-k-fanout 0 4
allgather 100 sparbit 0 0
allgather 100 direct-messaging 0 0
allgather 100 recursive_doubling 0 0 bruck
allgather 100 ring 0 0
allgather 100 neighbor 0 0 ring
allgatherv 100 gatherv_bcast 0 0
allgatherv 100 bruck 0 0
allgatherv 100 ring 0 0
allgatherv 100 neighbor 0 0 ring
allgatherv 100 sparbit 0 0
gather 100 basic_linear 0 0
gather 100 binomial 0 0
gather 100 linear_sync 16 0
scatter 100 basic_linear 0 0
scatter 100 binomial 0 0
scatter 100 linear_nb 0 0
scatter 100 linear_nb 0 2
reduce_scatter 100 non-overlapping 0 0
reduce_scatter 100 recursive_halving 0 0
reduce_scatter 100 ring 0 0
reduce_scatter 100 butterfly 0 0
reduce_scatter_block 100 basic_linear 0 0
reduce_scatter_block 100 recursive_doubling 0 0
reduce_scatter_block 100 recursive_halving 0 0
reduce_scatter_block 100 butterfly 0 0
barrier 0 linear 0 0
barrier 0 double_ring 0 0
barrier 0 recursive_doubling 0 0
barrier 0 bruck 0 0
barrier 0 tree 0 0
scan 100 linear 0 0
scan 100 recursive_doubling 0 0
exscan 100 linear 0 0
exscan 100 recursive_doubling 0 0
END
    )
    # All that the library lists is forced here, or below among two.
    is "" "$(awk 'NR == FNR { seen[$1 " " $3] = 1; next } !seen[$1 " " $2] && $2 != "two_proc"' "$dir/list" "$dir/listed" | xargs)" "openmpi: nothing that it lists is left out"
    forced openmpi 2 <<'END'
allgather 100 two_proc 0 0
allgather 100 neighbor 0 0
allgatherv 100 two_proc 0 0
alltoall 100 two_proc 0 0
barrier 0 two_proc 0 0
END
else
    skip "no mpirun.openmpi here" "Open MPI"
fi

mpich() { # those of the release that is here that run among any number of ranks
    "$BUILD/mpich/measure" --list-natives >"$dir/listed"
    while read -r c b a s f; do
        if grep -qx "$c $a" "$dir/listed"; then echo "$c $b $a $s $f"; fi
    done <<'END'
bcast 5000 binomial 0 0
bcast 5000 scatter_recursive_doubling_allgather 0 0
bcast 5000 scatter_ring_allgather 0 0
reduce 4000 binomial 0 0
reduce 4000 reduce_scatter_gather 0 0
allreduce 4000 recursive_doubling 0 0
allreduce 4000 reduce_scatter_allgather 0 0
allgather 100 brucks 0 0
allgather 100 ring 0 0
allgatherv 100 brucks 0 0
allgatherv 100 ring 0 0
alltoall 100 brucks 0 0
alltoall 100 pairwise 0 0
alltoall 100 scattered 0 0
alltoallv 100 scattered 0 0
gather 100 binomial 0 0
gather 4000 binomial 0 0
scatter 100 binomial 0 0
reduce_scatter 100 pairwise 0 0
reduce_scatter 100 recursive_halving 0 0
reduce_scatter 100 recursive_doubling 0 0
reduce_scatter_block 100 pairwise 0 0
reduce_scatter_block 100 recursive_halving 0 0
reduce_scatter_block 100 recursive_doubling 0 0
barrier 0 dissemination 0 0
barrier 0 k_dissemination 0 2
barrier 0 k_dissemination 0 3
barrier 0 recexch 0 2
barrier 0 recexch 0 3
scan 100 recursive_doubling 0 0
exscan 100 recursive_doubling 0 0
bcast 5000 tree 0 2
bcast 5000 tree 0 3
bcast 5000 pipelined_tree 0 2
bcast 5000 pipelined_tree 1024 3
allreduce 4000 recursive_multiplying 0 2
allreduce 4000 recursive_multiplying 0 3
allreduce 4000 tree 0 2
allreduce 4000 tree 1024 3
allreduce 4000 recexch 0 2
allreduce 4000 recexch 0 3
allreduce 4000 ring 0 0
allreduce 4000 k_reduce_scatter_allgather 0 2
allreduce 4000 k_reduce_scatter_allgather 0 3
allgather 100 k_brucks 0 2
allgather 100 k_brucks 0 4
allgather 100 recexch_doubling 0 2
allgather 100 recexch_doubling 0 3
allgather 100 recexch_halving 0 2
allgather 100 recexch_halving 0 3
alltoall 100 k_brucks 0 2
alltoall 100 k_brucks 0 3
END
}
if have mpirun.mpich; then
    forced mpich 5 < <(mpich)
    forced mpich 4 < <(
        mpich
        for c in allgather allgatherv; do echo "$c 100 recursive_doubling 0 0"; done
        for c in reduce_scatter reduce_scatter_block; do echo "$c 100 noncommutative 0 0"; done
    )
else
    skip "no mpirun.mpich here" "MPICH"
fi
tap_done
