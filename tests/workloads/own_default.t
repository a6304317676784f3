#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2046,SC2154
# The default is what the library does with nothing left out: a launch names who serves it, dynamic rules change nothing of it,
# and what is forced runs beside it though another component comes first.
. tests/workloads/lib.sh
quick=(--min-reps 3 --max-reps 4 --budget 0.02)

# of MPI RANKS NODES PPN: measures "collective bytes candidate" lines on stdin.
of() {
    local mpi=$1 ranks=$2 nodes=$3 ppn=$4 c b a
    while read -r c b a; do
        echo "time $ranks 0 $b $mpi:$a 0 0 0" | COLLECTIVE=$c points "$mpi" "$nodes" "$ppn"
    done | awk 'NR == 1 || !/^point,/' >"$dir/points.csv"
    measure "$mpi" "$ranks" "$nodes" "$ppn" "${quick[@]}"
}

# seen: of each point who served it and what ran, "status component algorithm".
seen() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        /^[^#]/ { print $at["status"], $at["ran_component"] ? $at["ran_component"] : "-", $at["ran_algorithm"] }' "$dir/outcomes.csv"
}

collectives="bcast reduce allreduce allgather allgatherv alltoall alltoallv gather scatter reduce_scatter reduce_scatter_block barrier scan exscan"
defaults() {
    for c in $collectives; do
        for b in 8 1000 100000; do
            [ $c = barrier ] && b=0
            echo "$c $b default"
            [ $c = barrier ] && break
        done
    done
}

two_nodes() {
    local n=$1; shift
    timeout $patience tests/fake/two-nodes $((n / 2)) "$@"
}

if have mpirun.openmpi; then
    openmpi=$(mpirun.openmpi --version | sed -n '1s/[^0-9]*\([0-9]*\).*/\1/p')
    defaults | of openmpi 4 1 4
    ok $? "Open MPI $openmpi: the default of all collectives"
    seen >"$dir/with"
    defaults | OMPI_MCA_coll_tuned_use_dynamic_rules=0 of openmpi 4 1 4
    ok $? "... and where dynamic rules are off"
    seen >"$dir/off"
    is "$(defaults | wc -l)" "$(grep -c '^ok [a-z]' "$dir/with")" "who serves it is named in each cell"
    is "" "$(diff "$dir/with" "$dir/off")" "they run the same in all of them: dynamic rules without a file change no default"

    # A component that comes before tuned, as han does on several nodes from 5.0 on. In 6.0.0rc2 xhc's allreduce ends the program.
    first=sm
    [ "$openmpi" -lt 6 ] || { first=acoll; export OMPI_MCA_coll_acoll_comm_size_thresh=2; }
    export OMPI_MCA_coll_${first}_priority=90
    of openmpi 4 1 4 <<'END'
allreduce 5000 default
allreduce 5000 ring
allreduce 5000 tuned
allreduce 5000 default
bcast 5000 binomial
bcast 5000 basic
END
    is "ok $first openmpi:$first
ok tuned openmpi:ring
ok tuned openmpi:tuned
ok $first openmpi:$first
ok tuned openmpi:binomial
ok basic openmpi:basic" "$(seen)" "a component that comes first serves the default, and neither what is forced nor what tuned decides"
    unset OMPI_MCA_coll_${first}_priority OMPI_MCA_coll_acoll_comm_size_thresh

    if tests/fake/node one true 2>/dev/null; then
        under_openmpi() { two_nodes "$@"; }
        [ "$openmpi" -ge 5 ] || export OMPI_MCA_coll_han_priority=35 # as later releases have it
        of openmpi 4 2 2 <<'END'
allreduce 5000 default
allreduce 5000 recursive_doubling
bcast 100 default
bcast 100 tuned
bcast 100 binomial
reduce 100 default
bcast 100 han
alltoallv 100 tuned
END
        is "ok han openmpi:han
ok tuned openmpi:recursive_doubling
ok han openmpi:han
ok tuned openmpi:tuned
ok tuned openmpi:binomial
ok han openmpi:han
ok han openmpi:han
ok tuned openmpi:tuned" "$(seen)" "two nodes of two ranks, han in place: it is the default, and what is forced is not its own"
        unset OMPI_MCA_coll_han_priority
    else
        skip "no nodes of other names can be made here: that wants root" "Open MPI on two nodes"
    fi
else
    skip "no mpirun.openmpi here" "Open MPI"
fi
if have mpirun.mpich; then
    of mpich 4 1 4 <<'END'
bcast 5000 default
bcast 5000 binomial
bcast 5000 mpir
bcast 5000 default
allreduce 4000 device
barrier 0 default
END
    is 0 $? "MPICH: the default beside what is forced"
    is "device - - device - device" "$(seen | awk '{ print $2 }' | xargs)" "its defaults go to the device first, also after another point has been forced"
    is 6 "$(seen | grep -c '^ok ')" "... and all others run as they were asked for"
    MPIR_CVAR_DEVICE_COLLECTIVES=none of mpich 4 1 4 <<<"bcast 5000 default"
    is "mpir" "$(seen | cut -d' ' -f2)" "of a site that leaves the device out the default does, too"
else
    skip "no mpirun.mpich here" "MPICH"
fi
tap_done
