#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# What ran is proved of every timed call, and by whose functions.
. tests/workloads/lib.sh
quick=(--max-reps 20 --budget 0.2)

swaps() { # MPI: an algorithm that is another from the second call on
    points "$1" 1 4 >"$dir/points.csv" <<END
time 4 0 4323 $1:binomial 0 0 0
time 4 0 4323 $1:default 0 0 0
time 4 0 4323 portable:binomial 8192 0 0
time 4 0 4324 $1:binomial 0 0 0
gamma 4 0 4324 $1:binomial 0 0 0
gather 4 0 4324 $1:binomial 0 0 1000
END
    measure "$1" 4 1 4 "${quick[@]}"
    ok $? "$1, honest: measured"
    for n in 1 2 4 5 6; do expect $n "^ok,,(interposed|counted),$1:[a-z_]+," "$1, honest: point $n is proved, all calls of it"; done
    PRELOAD=$(fake "$1" swap) measure "$1" 4 1 4 "${quick[@]}"
    ok $? "$1, swapped after the first call: the launch ends well"
    expect 1 "^failed,\"?[0-9]+ timed calls made $2" "$1: the forced algorithm is failed, with what was counted"
    for n in 4 5 6; do expect $n '^ok,' "$1: point $n, which is not swapped, is not"; done
    expect 3 '^ok,,executed' "$1: and what needs no proof is measured"
}

if have mpirun.openmpi; then
    swaps openmpi "0 entries of ompi_coll_base_bcast_intra_binomial"
    expect 4 ',tuned,' "openmpi: the component that ran it is told"
    points openmpi 1 4 >"$dir/points.csv" <<END
time 4 0 8192 openmpi:binomial 0 0 0
time 4 0 8192 openmpi:chain 1024 2 0
END
    PRELOAD=$(fake openmpi fallback) measure openmpi 4 1 4 "${quick[@]}"
    expect 1 "^invalid,\"?ompi_coll_base_bcast_intra_binomial is that of '[^']*/fallback.so', not of the library" \
        "openmpi: a function that is not the library's own is named, with its file"
    expect 2 '^ok,,interposed,openmpi:chain' "openmpi: and only the points that enter it"
else
    skip "no mpirun.openmpi here" "Open MPI"
fi
if ! have mpirun.mpich; then
    skip "no mpirun.mpich here" "MPICH"
elif ! counts_messages; then
    skip "the messages of this MPICH cannot be counted" "MPICH"
else
    swaps mpich "[0-9]+ (messages|bytes|in the sum)"
fi
tap_done
