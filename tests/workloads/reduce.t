#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Reductions are forced in both libraries, checked and proved to have run; a library that lies about them is caught.
. tests/workloads/lib.sh
quick=(--min-reps 2 --max-reps 5 --budget 0.05 --warmup 1)
export COLLECTIVE=reduce

if have mpirun.openmpi; then
    points openmpi 1 5 >"$dir/points.csv" <<END
time 5 0 100001 openmpi:binomial 8192 0 0
time 5 1 100001 openmpi:rabenseifner 0 0 0
time 5 1 3 openmpi:rabenseifner 0 0 0
time 5 0 20001 openmpi:default 0 0 0
time 5 0 20001 openmpi:in-order_binary 8192 0 0
time 5 0 20001 openmpi:chain 8192 2 0
gather 5 3 20001 openmpi:pipeline 8192 0 2048
gather 5 3 20001 portable:in-order_binary 8192 0 1024
END
    measure openmpi 5 1 5 "${quick[@]}"
    ok $? "openmpi: measured"
    expect 1 '^ok,,interposed,openmpi:binomial,8192,0,.*,1,[0-9.e+-]+,[0-9.e+-]+,[a-z]*,[0-9]*,[0-9.e+-]*,[0-9a-f]*$' "openmpi: binomial was seen, the data is right"
    expect 2 '^ok,,interposed,openmpi:rabenseifner,0,0,' "openmpi: Rabenseifner's, of five ranks, to a rank that it folds"
    expect 3 '^substituted,rabenseifner runs as linear for these arguments,interposed,openmpi:linear' \
        "openmpi: of fewer bytes than ranks: linear was seen"
    expect 4 '^ok,,interposed,openmpi:[a-z_-]+,' "openmpi: the default is named with evidence"
    expect 5 '^ok,,interposed,openmpi:in-order_binary,8192,0,' "openmpi: in-order binary was seen"
    expect 6 '^ok,,interposed,openmpi:chain,8192,2,' "openmpi: chain of fan-out 2 was seen"
    expect 7 '^ok,,interposed,openmpi:pipeline,8192,' "openmpi: a reduction, then a gather that the root calls for"
    expect 8 '^ok,,executed,portable:in-order_binary,8192,' "openmpi: the same of our own, both results right"
    COLLSEL_LIE=coll_tuned_reduce_algorithm PRELOAD=$(fake openmpi lying) measure openmpi 5 1 5 "${quick[@]}"
    expect 2 '^substituted,"?forced rabenseifner, but [a-z_-]+ ran: the write had no effect' \
        "openmpi: writes without effect are seen"
else
    skip "no mpirun.openmpi here" "openmpi"
fi

if have mpirun.mpich; then
    points mpich 1 3 >"$dir/points.csv" <<END
time 3 0 100001 mpich:binomial 0 0 0
time 3 1 100001 mpich:reduce_scatter_gather 0 0 0
time 3 0 100001 mpich:default 0 0 0
gather 3 1 20001 portable:chain 8192 0 1024
time 3 0 100001 mpich:smp 0 0 0
END
    measure mpich 3 1 3 "${quick[@]}"
    ok $? "mpich: measured"
    expect 1 "^ok,,$(by_messages),mpich:binomial" "mpich: binomial ran"
    expect 2 "^ok,,$(by_messages),mpich:reduce_scatter_gather" "mpich: and reduce-scatter-gather, to a rank that it folds"
    ! counts_messages || expect 3 '^ok,,counted,mpich:[a-z_]+,' "mpich: the default is named with evidence"
    expect 4 '^ok,,executed,portable:chain,8192,4,' "mpich: our own, closed by a gather"
    expect 5 '^failed,.*not usable for the provided arguments' "mpich: an algorithm that cannot run fails"
    COLLSEL_LIE=MPIR_CVAR_REDUCE_INTRA_ALGORITHM PRELOAD=$(fake mpich lying) measure mpich 3 1 3 "${quick[@]}"
    expect 1 '^invalid,"?writing .MPIR_CVAR_REDUCE_INTRA_ALGORITHM. has no effect' "mpich: writes without effect are seen"
    if counts_messages; then
        COLLSEL_LIE=MPIR_CVAR_REDUCE_INTRA_ALGORITHM COLLSEL_LIE_FROM=4 COLLSEL_LIE_TO=1 \
            PRELOAD=$(fake mpich lying) measure mpich 3 1 3 "${quick[@]}"
        expect 2 '^substituted,"?forced reduce_scatter_gather, but the messages are those of mpich:binomial' \
            "mpich: a lie about one algorithm is seen by the messages"
    else
        skip "the messages of this MPICH cannot be counted" "a lie about one algorithm"
    fi
else
    skip "no mpirun.mpich here" "mpich"
fi
tap_done
