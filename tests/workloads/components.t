#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A component of Open MPI, and MPICH's device, are candidates: asked for in one launch beside algorithms,
# proved to serve the call, with right data; what they hand on is named.
. tests/workloads/lib.sh
quick=(--min-reps 3 --max-reps 4 --budget 0.02)

# asked MPI RANKS: lines "collective bytes candidate wanted-outcome" on stdin, as natives.t.
asked() {
    local mpi=$1 ranks=$2 n=0 wrong=0 c b a want
    cat >"$dir/list"
    while read -r c b a want; do
        echo "time $ranks 0 $b $mpi:$a 0 0 0" | COLLECTIVE=$c points "$mpi" 1 "$ranks"
    done <"$dir/list" | awk 'NR == 1 || !/^point,/' >"$dir/points.csv"
    measure "$mpi" "$ranks" 1 "$ranks" "${quick[@]}"
    ok $? "$mpi, $ranks ranks: the launch ends well"
    while read -r c b a want; do
        n=$((n + 1))
        outcome $n | grep -qE "^$want" && continue
        wrong=1
        remark "$c $a: wanted $want" "seen: $(outcome $n)"
    done <"$dir/list"
    ok $wrong "$mpi, $ranks ranks: each of $n is served as it was asked for, or by whom it says"
}

if have mpirun.openmpi; then
    export OMPI_MCA_coll=^hcoll,ucc,cuda # as a launch with components gives it
    for c in bcast reduce allreduce allgather allgatherv alltoall alltoallv gather scatter reduce_scatter \
        reduce_scatter_block barrier scan exscan; do
        b=1000
        [ $c != barrier ] || b=0
        echo "$c $b basic ok,,served,openmpi:basic,[^,]*,[^,]*,[0-9]+,[0-9]+,[01],1,"
    done >"$dir/basic"
    asked openmpi 5 <"$dir/basic"
    # here COMPONENT: is it part of the library? sm is up to 5.0, xhc and acoll from 6.0 on.
    here() { ompi_info | grep -q "MCA coll: $1 "; }
    lines() { while read -r c b a want; do if [ "$a" != "$1" ] || here "$1"; then echo "$c $b $a $want"; fi; done; }
    asked openmpi 4 < <(lines sm <<'END' | lines xhc | lines acoll
bcast 5000 adapt ok,,served,openmpi:adapt,
bcast 5000 sm ok,,served,openmpi:sm,
bcast 5000 binomial ok,,interposed,openmpi:binomial,
bcast 5000 tuned ok,,served,openmpi:tuned,
bcast 5000 default ok,,interposed,openmpi:
reduce 5000 adapt ok,,served,openmpi:adapt,
reduce 5000 sm ok,,served,openmpi:sm,
allreduce 5000 sm ok,,served,openmpi:sm,
barrier 0 sm ok,,served,openmpi:sm,
allreduce 5000 ring ok,,interposed,openmpi:ring,
allgather 100 sm substituted,"?component sm was requested. but tuned serves allgather here"?,served,openmpi:tuned,
bcast 5000 han substituted,"?component han was requested. but tuned serves bcast here"?,served,openmpi:tuned,
bcast 0 basic substituted,the library runs no algorithm for no bytes,
barrier 0 xhc ok,,served,openmpi:xhc,
bcast 5000 xhc ok,,served,openmpi:xhc,
bcast 5000 acoll substituted,"?component acoll was requested. but tuned serves bcast here"?,served,openmpi:tuned,
END
    )
    if here acoll; then
        for c in allgather allreduce alltoall barrier bcast gather reduce; do
            echo "$c $([ $c = barrier ] && echo 0 || echo 100) acoll ok,,served,openmpi:acoll,"
        done >"$dir/acoll"
        asked openmpi 16 <"$dir/acoll"
    fi
    export OMPI_MCA_coll=^han,adapt,sm,hcoll,ucc,cuda
    asked openmpi 2 <<'END'
bcast 5000 adapt invalid,control variable 'coll_tuned_bcast_algorithm' knows no 'adapt'
bcast 5000 basic ok,,served,openmpi:basic,
END
    unset OMPI_MCA_coll
    "$BUILD/openmpi/measure" --list-natives >"$dir/listed"
    is 0 $? "what Open MPI lists of itself, without a job"
    grep -qx "bcast knomial" "$dir/listed" && ! grep -qE " (ignore|default)$" "$dir/listed"
    ok $? "... algorithms, without its own choice"
    # An algorithm that nobody here knows, in a library that lists one.
    PRELOAD=$(fake openmpi listed)
    export PRELOAD
    LD_PRELOAD=$PRELOAD "$BUILD/openmpi/measure" --list-natives | grep -qx "bcast made_up"
    ok $? "one that is not in our table is listed"
    asked openmpi 4 <<'END'
bcast 5000 made_up substituted,"?forced made_up. but binomial ran: the write had no effect"?,interposed,openmpi:binomial,
bcast 5000 ring invalid,control variable 'coll_tuned_bcast_algorithm' knows no 'ring'
END
    unset PRELOAD
    # Planned by a harness that is told of it in the same way; made by no other.
    mkdir "$dir/build" && ln -s "$(realpath "$BUILD")"/* "$dir/build" && rm "$dir/build/openmpi" && mkdir "$dir/build/openmpi"
    printf '#!/bin/sh\nLD_PRELOAD=%s exec %s "$@"\n' "$(fake openmpi listed)" \
        "$(realpath "$BUILD/openmpi/measure")" >"$dir/build/openmpi/measure"
    chmod +x "$dir/build/openmpi/measure"
    sed 's/^name = .*/name = small/; s/^mpi = .*/mpi = openmpi/' clusters/studies/bcast.ini >"$dir/small.ini"
    "$collsel" plan --cluster local --study "$dir/small.ini" --build "$dir/build" --results "$dir/results" >"$dir/out" 2>&1
    is 0 $? "a study is planned with it"
    has "openmpi lists 'made_up' of its bcast, which is not known here: native, no schedule" "$(cat "$dir/out")" "... and it is said"
    grep -q ",time,study,bcast,openmpi,.*,openmpi:made_up,0,0,0," "$dir"/results/local/small/plan.csv
    ok $? "... it is a candidate like the others"
    ! grep -q ",gather,fit,.*openmpi:made_up" "$dir"/results/local/small/plan.csv
    ok $? "... without experiments for models, as none predicts it"
else
    skip "no mpirun.openmpi here" "Open MPI"
fi
if have mpirun.mpich; then
    asked mpich 4 <<'END'
bcast 5000 device ok,,(readback|counted),mpich:
bcast 5000 nb ok,,(canary.readback|counted),mpich:
bcast 5000 binomial ok,,(canary.readback|counted),mpich:binomial,
allreduce 4000 device ok,,(readback|counted),mpich:
allreduce 4000 nb ok,,(canary.readback|counted),mpich:nb,
barrier 0 device ok,,(readback|counted),mpich:
allgather 100 nb ok,,(readback|counted),mpich:nb,
scan 100 nb ok,,(canary.readback|counted),mpich:nb,
bcast 5000 default ok,,(unforced|counted),
END
    # How the device splits a call: each composition that can serve ranks of one node, or of two, is run; what cannot is refused with the reason.
    # compositions NODES: as the library sees them, of four ranks. 4.0 has no variable that forces one.
    release=$(mpichversion | sed -n 's/^MPICH Version:[^0-9]*\([0-9]*\.[0-9]*\).*/\1/p')
    since() { [ "$(printf '%s\n' "$1" "$release" | sort -V | head -1)" = "$1" ]; }
    compositions() {
        local c a of want
        while read -r c a of; do
            want='invalid,"?MPICH refuses composition '$a' for these ranks'
            case $of:$1 in all:* | parts:[12] | one:1 | several:2) want='ok,,(canary.readback|readback|counted),mpich:' ;; esac
            since 4.1 && { [ "$c$a" != bcastdelta ] || since 4.3; } || want="invalid,this MPICH has no variable for composition $a of $c,"
            echo "$c $([ "$c" = barrier ] && echo 0 || echo 1000) composition_$a $want"
        done <<'END'
barrier alpha parts
barrier beta all
bcast alpha parts
bcast beta parts
bcast gamma all
bcast delta parts
reduce alpha parts
reduce beta parts
reduce gamma all
allreduce alpha parts
allreduce beta all
allreduce gamma one
allreduce delta several
allgather alpha several
allgather beta all
alltoall alpha several
alltoall beta all
END
    }
    nodes=4
    ! sees_nodes || nodes=1
    asked mpich 4 < <(compositions $nodes)
    refuses=$(awk -F, 'NR > 1 && $4 == "canary+readback"' "$dir/outcomes.csv" | wc -l)
    since 4.1 && ok "$((refuses == 0))" "where another composition is refused, that is proof, too ($refuses)"
    if [ $nodes = 1 ]; then
        export MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_CLIQUES_BY_BLOCK=1 # ranks that follow each other share a node
        asked mpich 4 < <(compositions 2)
        unset MPIR_CVAR_NUM_CLIQUES MPIR_CVAR_CLIQUES_BY_BLOCK
        since 4.1 || skip "MPICH $release has no variable that forces a composition" "its compositions"
    else
        skip "MPICH $release does not see here that ranks share a node" "its compositions on nodes with several ranks"
    fi
    "$BUILD/mpich/measure" --list-natives >"$dir/listed"
    is 0 $? "what MPICH lists of itself"
    is "brucks nb pairwise pairwise_sendrecv_replace scattered" "$(sed -n 's/^alltoall //p' "$dir/listed" | grep -vx k_brucks | xargs)" "... with words that stand right behind a meaning"
    is "" "$(sed -n 's/^barrier //p' "$dir/listed" | grep -vxE 'nb|smp|k?_?dissemination|recexch')" "... and those of lines of their own whole"
    LD_PRELOAD=$(fake mpich listed) "$BUILD/mpich/measure" --list-natives >"$dir/listed"
    is "nb smp made_up dissemination" "$(sed -n 's/^barrier //p' "$dir/listed" | xargs)" "... a dash within a meaning makes no algorithm, and one that nobody knows is there"
else
    skip "no mpirun.mpich here" "MPICH"
fi
tap_done
