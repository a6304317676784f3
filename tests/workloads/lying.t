#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A library that lies is caught: writes without effect, fallbacks that nobody announced, wrong data, ranks
# that are not where they were asked to be.
. tests/workloads/lib.sh
quick=(--max-reps 20 --budget 0.2)

# every_row PATTERN TEXT: each outcome matches.
every_row() {
    local wrong; wrong=$(sed 1d "$dir/outcomes.csv" | cut -d, -f2- | grep -vE "$1")
    [ -z "$wrong" ] && [ "$(wc -l <"$dir/outcomes.csv")" -gt 1 ]
    ok $? "$2"
    [ -z "$wrong" ] || remark "wanted: $1" "seen: $wrong"
}

placement() { # MPI: of the wrong machine, or the right one
    points "$1" 2 1 >"$dir/points.csv" <<END
time 2 0 8192 portable:binomial 0 0 0
time 2 0 8192 $1:default 0 0 0
barrier 2 0 0 portable:central 0 0 0
END
    measure "$1" 2 2 1 "${quick[@]}"
    ok $? "$1: two nodes asked, one given: the launch ends with an outcome for every point"
    every_row '^invalid,placement: ranks 0 and 1 are both on ' "$1: each point is invalid"
    [ "$(grep -vc '^#' "$dir/samples.csv")" = 1 ]
    ok $? "$1: and nothing was measured"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=ab measure "$1" 2 2 1 "${quick[@]}"
    every_row '^ok,' "$1: two nodes asked, two given: measured"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=ab measure "$1" 2 1 2 "${quick[@]}"
    every_row "^invalid,\"?placement: ranks 0 and 1 are on 'host-a' and 'host-b'" \
        "$1: one node asked, two given: invalid"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=aab measure "$1" 3 2 2 "${quick[@]}"
    every_row '^ok,' "$1: nodes are filled one after the other with mapping core"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=aba measure "$1" 3 2 2 "${quick[@]}"
    every_row '^invalid,' "$1: not in turns"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=aba measure "$1" 3 2 2 "${quick[@]}" --mapping node
    every_row '^ok,' "$1: with mapping node, in turns"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=ba measure "$1" 2 2 1 "${quick[@]}" --hosts host-a,host-b
    every_row "^invalid,\"?placement: rank 0 is on 'host-b' \\(want 'host-a', node 0\\)" \
        "$1: nodes in another order than the allocation's: invalid"
    PRELOAD=$(fake "$1" hosts) COLLSEL_HOSTS=ab measure "$1" 2 2 1 "${quick[@]}" --hosts host-a,host-b
    every_row '^ok,' "$1: in its order"
    has "# judged: hosts (ranks are not bound)" "$(cat "$dir/placement.csv")" "$1: the file says what was judged"
    has "# placement: as asked" "$(cat "$dir/placement.csv")" "$1: and what came of it"
    # of the launcher, whose name for it is another one from Open MPI 5.0 on
    PRTE_MCA_hwloc_default_binding_policy=none OMPI_MCA_hwloc_base_binding_policy=none measure "$1" 2 1 2 "${quick[@]}" --bound
    if [ -r /sys/devices/system/cpu/cpu0/topology/core_id ]; then
        every_row '^invalid,"?placement: ranks? [0-9]' "$1: ranks that should be bound and are not: invalid"
        grep -q '^# placement: rank' "$dir/placement.csv"
        ok $? "$1: which is in the file too"
    else
        skip "no topology in /sys" "$1: ranks that are not bound"
    fi
}

corrupt() { # MPI NATIVE
    points "$1" 1 2 >"$dir/points.csv" <<END
time 2 0 4321 portable:basic_linear 0 0 0
time 2 0 4321 $1:$2 0 0 0
time 2 0 4320 $1:$2 0 0 0
END
    PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 "${quick[@]}"
    expect 1 '^failed,wrong data on rank 1: byte 4320 of 4321' "$1: wrong data of a schedule is found"
    expect 2 '^failed,wrong data on rank 1: byte 4320 of 4321' "$1: wrong data of the library is found"
    expect 3 '^ok,' "$1: and only where it is wrong"
    PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 "${quick[@]}" --no-check
    expect 2 '^ok,.*,0,[0-9.e+-]+,[0-9.e+-]+,[a-z]*,[0-9]*,[0-9.e+-]*,[0-9a-f]*$' "$1: unless nobody asked: then the row says so"
    points "$1" 1 2 >"$dir/points.csv" <<END
time 2 1 4319 $1:default 0 0 0
time 2 1 4319 $1:default 0 0 0
END
    PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 "${quick[@]}"
    expect 1 '^failed,the call failed: ' "$1: a default that fails in its first call on one rank leaves no rank waiting"
    expect 2 '^ok,' "$1: and the next point is measured"
    BUFFERS=rotated points "$1" 1 2 >"$dir/points.csv" <<END
time 2 0 4321 portable:basic_linear 0 0 0
time 2 0 4320 portable:basic_linear 0 0 0
time 2 0 4320 $1:$2 0 0 0
END
    COLLSEL_SPARED=5 PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 "${quick[@]}"
    expect 1 '^failed,.*call 5: wrong data on rank 1: byte 4320 of 4321' "$1: where buffers rotate, wrong data of a timed call is found"
    expect 2 '^ok,' "$1: and only there"
    BUFFERS=rotated points "$1" 1 2 >"$dir/points.csv" <<END
time 2 0 4321 $1:$2 0 0 0
END
    COLLSEL_SPARED=20 PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 --min-reps 20 --max-reps 20 --budget 20 # as many calls, however noisy or slow
    expect 1 '^failed,.*call 20: wrong data on rank 1: byte 4320 of 4321' "$1: of the library, too"
    COLLECTIVE=reduce points "$1" 1 2 >"$dir/points.csv" <<END
time 2 1 4321 portable:linear 0 0 0
time 2 1 4321 $1:binomial 0 0 0
time 2 1 4320 $1:binomial 0 0 0
gather 2 1 4320 portable:linear 0 0 4321
END
    PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 "${quick[@]}"
    expect 1 '^failed,wrong data on rank 1: byte 4320 of 4321 of the result' "$1: a wrong reduction of a schedule is found"
    expect 2 '^failed,wrong data on rank 1: byte 4320 of 4321 of the result' "$1: of the library"
    expect 3 '^ok,' "$1: and only where it is wrong"
    expect 4 '^failed,wrong data on rank 1: byte 4320 of 4321 of block' "$1: and a wrong gather that closes a right one"
    COLLECTIVE=allgather points "$1" 1 2 >"$dir/points.csv" <<END
time 2 0 4321 portable:ring 0 0 0
time 2 0 4321 $1:ring 0 0 0
time 2 0 4320 $1:ring 0 0 0
END
    PRELOAD=$(fake "$1" corrupt) measure "$1" 2 1 2 "${quick[@]}"
    expect 2 '^failed,wrong data on rank 1: byte 4320 of 4321 of block 1' "$1: a wrong allgather of the library is found"
    expect 3 '^ok,' "$1: and only where it is wrong"
}

if have mpirun.openmpi; then
    points openmpi 1 4 >"$dir/points.csv" <<END
time 4 0 100000 openmpi:binomial 8192 0 0
time 4 0 100000 openmpi:chain 8192 2 0
time 4 0 100000 openmpi:default 0 0 0
time 4 0 100000 portable:binomial 8192 0 0
time 4 0 8000 openmpi:split_binary_tree 8192 0 0
time 4 0 3 openmpi:scatter_allgather 0 0 0
END
    measure openmpi 4 1 4 "${quick[@]}"
    ok $? "openmpi, honest: measured"
    expect 1 '^ok,,interposed,openmpi:binomial,8192,0,' "honest: binomial ran, and was seen"
    expect 2 '^ok,,interposed,openmpi:chain,8192,2,' "honest: chain of fan-out 2 ran, and was seen"
    expect 3 '^ok,,interposed,openmpi:[a-z_]+,' "the default is named with evidence"
    expect 5 '^substituted,split_binary_tree runs as pipeline for these arguments,interposed,openmpi:pipeline' \
        "split binary tree of one segment: a pipeline was seen"
    expect 6 '^substituted,scatter_allgather runs as basic_linear for these arguments,interposed,openmpi:basic' \
        "scatter-allgather of fewer bytes than ranks: linear was seen"

    COLLSEL_LIE=coll_tuned_bcast_algorithm PRELOAD=$(fake openmpi lying) measure openmpi 4 1 4 "${quick[@]}"
    expect 1 '^substituted,"?forced binomial, but [a-z_]+ ran: the write had no effect' \
        "openmpi: writes without effect are seen"
    expect 2 '^substituted,"?forced chain, but [a-z_]+ ran: the write had no effect' \
        "openmpi: for every algorithm"
    expect 4 '^ok,,executed,portable:binomial' "openmpi: what needs no forcing is measured"

    COLLSEL_LIE=segmentsize PRELOAD=$(fake openmpi lying) measure openmpi 4 1 4 "${quick[@]}"
    expect 1 '^substituted,"?forced segments of 8192 bytes, 0 seen' \
        "openmpi: a segment size without effect is seen"
    COLLSEL_LIE=chain_fanout PRELOAD=$(fake openmpi lying) measure openmpi 4 1 4 "${quick[@]}"
    expect 2 '^substituted,"?forced fan-out 2, 4 seen' "openmpi: a fan-out without effect is seen"

    mv "$dir/points.csv" "$dir/bcast.csv"
    echo time 4 0 100000 openmpi:binary 8192 3 0 | COLLECTIVE=reduce points openmpi 1 4 >"$dir/points.csv"
    COLLSEL_LIE=max_requests PRELOAD=$(fake openmpi lying) measure openmpi 4 1 4 "${quick[@]}"
    expect 1 '^substituted,"?forced fan-out 3, 0 seen' "openmpi: a number of requests without effect is seen"
    mv "$dir/bcast.csv" "$dir/points.csv"

    PRELOAD=$(fake openmpi fallback) measure openmpi 4 1 4 "${quick[@]}"
    expect 1 "^invalid,\"?ompi_coll_base_bcast_intra_binomial is that of .*fallback.so', not of the library" "openmpi: a fallback that is not the library's own is seen"
    expect 2 '^ok,,interposed,openmpi:chain' "openmpi: and only that"

    OMPI_MCA_coll_tuned_use_dynamic_rules=0 measure openmpi 4 1 4 "${quick[@]}"
    expect 1 '^invalid,"?coll_tuned_use_dynamic_rules is off' "openmpi: without dynamic rules, refused"
    expect 3 '^ok,' "openmpi: the default is still measured"
    OMPI_MCA_coll=^tuned,han,hcoll,sm,adapt measure openmpi 4 1 4 "${quick[@]}"
    expect 1 '^invalid,' "openmpi: without coll/tuned, refused"
    expect 4 '^ok,,executed' "openmpi: and the portable one measured"
    points openmpi 1 3 >"$dir/points.csv" <<END
time 3 0 600 openmpi:knomial 0 2 0
time 3 0 600 openmpi:default 0 0 0
time 3 0 600 openmpi:knomial 0 0 0
END
    measure openmpi 3 1 3 "${quick[@]}"
    expect 1 '^ok,,interposed,openmpi:knomial,0,2,' "openmpi: a forced radix is taken"
    expect 2 '^ok,,interposed,openmpi:knomial,0,4,' "openmpi: and does not stay for the library's own choice"
    expect 3 '^ok,,interposed,openmpi:knomial,0,4,' "openmpi: none given is the library's own"
    corrupt openmpi binomial
    placement openmpi
else
    skip "no mpirun.openmpi here" "openmpi"
fi

if have mpirun.mpich; then
    points mpich 1 2 >"$dir/points.csv" <<END
time 2 0 100000 mpich:binomial 0 0 0
time 2 0 100000 mpich:scatter_ring_allgather 0 0 0
time 2 0 100000 mpich:default 0 0 0
time 2 0 100000 portable:binomial 8192 0 0
time 2 0 100000 mpich:smp 0 0 0
END
    measure mpich 2 1 2 "${quick[@]}"
    ok $? "mpich, honest: measured"
    expect 1 '^ok,,counted,mpich:binomial' "mpich: the messages are those of binomial"
    expect 2 '^ok,,counted,mpich:scatter_ring_allgather' "mpich: and of scatter-ring-allgather"
    expect 3 '^ok,,counted,mpich:[a-z_]+,' "mpich: the default is named with evidence"
    expect 5 '^failed,.*not usable for the provided arguments' "mpich: an algorithm that cannot run fails"

    COLLSEL_LIE=MPIR_CVAR_BCAST_INTRA_ALGORITHM PRELOAD=$(fake mpich lying) measure mpich 2 1 2 "${quick[@]}"
    expect 1 '^invalid,"?writing .MPIR_CVAR_BCAST_INTRA_ALGORITHM. has no effect' \
        "mpich: writes without effect are seen"
    expect 4 '^ok,,executed' "mpich: what needs no forcing is measured"
    COLLSEL_LIE=MPIR_CVAR_BCAST_INTRA_ALGORITHM COLLSEL_LIE_FROM=5 COLLSEL_LIE_TO=1 \
        PRELOAD=$(fake mpich lying) measure mpich 2 1 2 "${quick[@]}"
    expect 1 '^ok,,counted,mpich:binomial' "mpich: a lie about one algorithm leaves the others"
    expect 2 '^substituted,"?forced scatter_ring_allgather, but the messages are those of mpich:binomial' \
        "mpich: and is seen by the messages"
    MPIR_CVAR_COLLECTIVE_FALLBACK=silent measure mpich 2 1 2 "${quick[@]}"
    expect 1 '^ok,,counted,mpich:binomial' "mpich: where fallbacks are silent, none is for what is forced"
    corrupt mpich binomial
    placement mpich
else
    skip "no mpirun.mpich here" "mpich"
fi
tap_done
