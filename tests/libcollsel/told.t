#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Which algorithm the library's own call is, as the summary tells it, held against what really goes over the wire: MPICH, whose device decides
# before its selection does. And what the user's own variables force is seen, under either library.
long=${COLLSEL_LONG:-}
. tests/libcollsel/lib.sh
header=collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout
program=told

# own PROCS: "COLLECTIVE BYTES NAME" of the report, bytes of a rank; NAME without the variable of a file of MPICH's.
own() {
    sed -n 's/.*"collective": "\([^"]*\)".*"bytes": \([0-9]*\),.*"default_is": "\([^"]*\)".*/\1 \2 \3/p' "$dir/own.json" |
        sed 's/\(mpich:.*\) by MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE$/\1/' | awk -v p="$1" '{ if ($1 == "allgatherv" || $1 == "reduce_scatter") $2 /= p; print }' | sort -k 1,1 -k 2n
}


# same PROCS LEAST: the library's own calls, and those that are forced by the names that are told of them, send the same messages in the same
# order: of so many kinds of calls at least, as of none all would be alike.
same() {
    local p=$1 least=$2
    through mpich "$p" --report "$dir/own.json" -- # none
    is 0 $? "P = $p: the application ends well"
    cp "$dir/out" "$dir/without"
    own "$p" >"$dir/told"
    { echo "$header"; awk '$3 ~ /^mpich:[a-z_]+$/ { printf "%s,,,%s,%s,%s,,\n", $1, $2, $2, $3 }' "$dir/told"; } >"$dir/own.csv"
    through mpich "$p" --table "$dir/own.csv" --report "$dir/own.json" -- # none
    is 0 $? "... and by the names that are told of it"
    is "" "$(grep 'not run as chosen' "$dir/err")" "... all of which can be forced"
    awk 'NR == FNR { if ($3 ~ /^mpich:[a-z_]+$/) told[$1 " " $2] = $3; next } told[$1 " " $2] != ""' "$dir/told" "$dir/without" >"$dir/a"
    awk 'NR == FNR { if ($3 ~ /^mpich:[a-z_]+$/) told[$1 " " $2] = $3; next } told[$1 " " $2] != ""' "$dir/told" "$dir/out" >"$dir/b"
    holds "$(wc -l <"$dir/a") >= $least" "P = $p: $least kinds of calls or more are told by name"
    is "$(cat "$dir/a")" "$(cat "$dir/b")" "... $(wc -l <"$dir/a") kinds of calls send the very messages of the algorithm that is told"
    is "$(tail -n 1 "$dir/without")" "$(tail -n 1 "$dir/out")" "... with the same results"
}

by_node() {
    # All on one node, and two nodes: what the device splits is not told, and the rest is right.
    for nodes in 1 2; do
        [ $nodes = 1 ] || export MPIR_CVAR_NUM_CLIQUES=2
        same 8 100
        is "device" "$(awk '$1 == "barrier" || $1 == "reduce" || $1 == "allreduce" { print $3 }' "$dir/told" | sort -u)" "8 ranks on $nodes nodes: what the device splits is not told"
        is "device 524288 524292" "$(awk '$1 == "bcast" { if ($3 == "device") device = $3; else more = more " " $2 } END { print device more }' "$dir/told")" "... nor broadcasts but long ones"
        is "" "$(awk '$1 ~ /^all(gatherv?|toall)$|scatter|^gather$|exscan/ && $3 !~ /^mpich:[a-z_]+$/' "$dir/told")" "... others are"
        unset MPIR_CVAR_NUM_CLIQUES
    done
    MPIR_CVAR_DEVICE_COLLECTIVES=none through mpich 8 --report "$dir/own.json" -- # none
    own 8 >"$dir/told"
    is "0 mpich:smp" "$(grep -c device "$dir/told") $(awk '$1 == "barrier" { print $3 }' "$dir/told")" "without the device nothing is its"
    MPIR_CVAR_BCAST_DEVICE_COLLECTIVE=0 through mpich 8 --report "$dir/own.json" -- # none
    own 8 >"$dir/told"
    is "0 14" "$(grep -c 'bcast.*device' "$dir/told") $(grep -c '^reduce .*device' "$dir/told")" "nor is one collective of which it is switched off"
}

mpich() {
    if ! have mpicc.mpich || [ ! -f "$BUILD/mpich/libcollsel-mpich.so" ]; then
        skip "no mpicc.mpich here, or no library" "which algorithm MPICH's own call is"
        return
    fi
    case $(mpichversion 2>/dev/null) in
    *Version:*[[:blank:]]4.[0-3].*ch4:ucx* | *Version:*[[:blank:]]5.0.*ch4:ucx*) ;;
    *) skip "not MPICH 4.0 to 5.0 with ch4:ucx" "which algorithm its own call is"; return ;;
    esac
    env -u OMPI_CC -u MPICH_CC mpicc.mpich -g -O1 -rdynamic -o "$dir/told-mpich" tests/libcollsel/told.c -ldl
    ok $? "the application is built"

    # No two ranks on a node: nothing is split.
    export MPIR_CVAR_NOLOCAL=1
    for p in 5 ${long:+8 4 9}; do
        same $p 169 # of told.c: 12 collectives in 14 sizes, and barriers
        is "169 0" "$(wc -l <"$dir/told") $(awk '$3 !~ /^mpich:[a-z_]+$/' "$dir/told" | wc -l)" "P = $p, one rank a node: all of them are told"
    done
    holds "$(awk '{ print $1 " " $3 }' "$dir/told" | sort -u | wc -l) > 15" "... in $(awk '{ print $1 " " $3 }' "$dir/told" | sort -u | wc -l) ways"
    unset MPIR_CVAR_NOLOCAL

    if sees_nodes; then
        by_node
    else
        skip "this MPICH takes each rank for one on a node of its own" "what the device splits by node"
    fi

    # The user's variables.
    MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=ring MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather through mpich 5 --report "$dir/own.json" -- # none
    own 5 >"$dir/told"
    is "mpich:ring by MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM" "$(sed -n 's/^allgather [0-9]* //p' "$dir/told" | sort -u)" "what a variable forces is told, with its name"
    ! sees_nodes || is "device, in its parts scatter_ring_allgather" "$(sed -n 's/^bcast [0-9]* //p' "$dir/told" | sort -u)" "... also in what the device splits"
    cp "$dir/out" "$dir/without"
    printf '%s\nallgather,,,,,mpich:ring,,\n' "$header" >"$dir/own.csv"
    through mpich 5 --table "$dir/own.csv" -- # none
    is "$(grep '^allgather ' "$dir/without")" "$(grep '^allgather ' "$dir/out")" "... and it is what runs"
    MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling through mpich 5 --report "$dir/own.json" -- # none
    own 5 >"$dir/told"
    is "recursive_doubling, if it can, by MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM" "$(sed -n 's/^allgather [0-9]* //p' "$dir/told" | sort -u)" "what cannot run among five ranks is not said to"
    local so; so=$(ldd "$dir/told-mpich" | sed -n 's/.*libmpich[^ ]* => \([^ ]*\).*/\1/p')
    strings -n 5000 "$so" | grep -F '"collective=neighbor_allgather"' >"$dir/rules.json" # its own selection
    by_file
}

# Files that decide otherwise than the library does: its own selection with other sizes, elements and ranks, and one for its device.
by_file() {
    sed -i 's/=12288"/=2048"/; s/<=\(8\|2048\|256\)"/<=4096"/g; s/=comm_size<=\(7\|8\)"/=comm_size<=4"/; s/count<pow2/count<=512/' "$dir/rules.json"
    export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$dir/rules.json
    MPIR_CVAR_NOLOCAL=1 same 5 169
    has "by MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE" "$(cat "$dir/own.json")" "... by a file, whose variable is named"
    ! sees_nodes || files_by_node
    MPIR_CVAR_NOLOCAL=1 through mpich 4 --report "$dir/own.json" -- # none
    cp "$dir/told" "$dir/before"
    unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
    MPIR_CVAR_NOLOCAL=1 through mpich 5 --report "$dir/own.json" -- # none
    own 5 >"$dir/told"
    holds "$(diff "$dir/told" "$dir/before" | grep -c "^[<>]") > 20" "... and decides many otherwise than the library would"
}
files_by_node() {
    strings -n 2000 "$so" | grep -F '"composition=MPIDI_Bcast_intra_' | head -n 1 |
        sed 's/_\(Bcast\|Reduce\)_intra_composition_[a-z]*/_\1_intra_composition_gamma/g; s/_\(Allreduce_intra_composition\)_[a-z]*/_\1_beta/g' >"$dir/device.json"
    same 8 100
    is "" "$(awk '$1 == "reduce" && $3 ~ /^mpich:/' "$dir/told")" "8 ranks on a node: a file of the selection does not tell what the device splits"
    export MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_CLIQUES_BY_BLOCK=1 MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$dir/device.json
    same 8 154
    is 28 "$(awk '$1 ~ /^(all)?reduce$/ && $3 ~ /^mpich:/' "$dir/told" | wc -l)" "... but where a file of the device leaves it whole, on two nodes"
    unset MPIR_CVAR_NUM_CLIQUES MPIR_CVAR_CLIQUES_BY_BLOCK MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE
}

openmpi() {
    program=app
    if ! build_app openmpi; then
        skip "no mpicc.openmpi here, or no library" "what a user's variables force under Open MPI"
        return
    fi
    # name: of the all-reductions of a number.
    name() { sed -n '/"op": "user"/s/.*"default_is": "\([^"]*\)".*/\1/p' "$dir/own.json" | sort -u; }
    local forced_first=
    case $(mpirun.openmpi --version 2>&1) in
    *' 4.1.'*) ;;
    *' 5.0.'* | *' 6.0.'*) forced_first=1 ;;
    *) skip "not Open MPI 4.1, 5.0 or 6.0" "what a user's variables force"; return ;;
    esac
    through openmpi 4 --report "$dir/own.json" -- op 1000
    local usual; usual=$(name)
    is "openmpi:" "$(grep -o '^openmpi:' <<<"$usual")" "Open MPI: what it decides is told by name ($usual)"
    export OMPI_MCA_coll_tuned_use_dynamic_rules=1
    through openmpi 4 --report "$dir/own.json" -- op 1000
    is "$usual" "$(name)" "Open MPI: where dynamic rules are on and say nothing, it is what it is without"
    cp "$dir/out" "$dir/without"
    OMPI_MCA_coll_tuned_allreduce_algorithm=2 through openmpi 4 --report "$dir/own.json" -- op 1000
    is "openmpi:nonoverlapping by coll_tuned_allreduce_algorithm" "$(name)" "... what is forced is told, with the variable"
    cp "$dir/out" "$dir/forced"
    unset OMPI_MCA_coll_tuned_use_dynamic_rules
    printf '%s\nallreduce,,,,,openmpi:nonoverlapping,,\n' "$header" >"$dir/own.csv"
    through openmpi 4 --table "$dir/own.csv" -- op 1000
    is "$(cat "$dir/forced")" "$(cat "$dir/out")" "... and is what runs"
    printf '%s\n' 1 2 1 4 1 "0 3 0 0" >"$dir/site.rules"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/site.rules through openmpi 4 --report "$dir/own.json" -- op 1000
    is "openmpi:recursive_doubling by coll_tuned_dynamic_rules_filename" "$(name)" "... where a file decides, that is said, and what it chooses"
    printf '%s\n' 1 2 1 4 2 "0 3 0 0" "3000 0 0 0" >"$dir/small.rules"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/small.rules through openmpi 4 --report "$dir/own.json" -- op 1000
    is "$usual" "$(name)" "... where it leaves a size to the library, what that decides"
    printf '%s\n' 1 2 1 4 1 "0 4 0 0" >"$dir/ring.rules"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/ring.rules through openmpi 4 --report "$dir/own.json" -- op 3
    is "openmpi:recursive_doubling by coll_tuned_dynamic_rules_filename" "$(name)" "... of fewer elements than ranks what runs in place of a ring"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/site.rules \
        preloaded openmpi 4 COLLSEL_REPORT="$dir/own.json" COLLSEL_PROGRAM="$dir/no-program" -- op 1000
    has "which algorithms '$dir/site.rules' chooses is not known: cannot run '$dir/no-program'" "$(cat "$dir/err")" "... the reason where nobody can be asked"
    cat >"$dir/sizes.c" <<'END'
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int v[64] = { 0 }, sum[2], rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allgather(v, 2, MPI_INT, v + 32, 2, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, v, 3, MPI_INT, MPI_COMM_WORLD);
    MPI_Scan(v, sum, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (argc > 1 && rank == 0)
        unlink(argv[1]);
    return MPI_Finalize();
}
END
    env -u OMPI_CC mpicc.openmpi -o "$dir/sizes-openmpi" "$dir/sizes.c"
    program=sizes through openmpi 5 --report "$dir/own.json" -- # none
    own 5 >"$dir/told"
    is "allgather 8 openmpi:bruck,allgather 12 component tuned" "$(grep allgather "$dir/told" | paste -sd,)" "... among five ranks what runs in place of recursive doubling, and in place, where the library goes by no size, nothing"
    printf '%s\n' 2 0 1 2 2 "0 3 0 0" "60 1 0 0" 14 1 2 2 "0 1 0 0" "16 2 0 0" >"$dir/two rules"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$dir/two rules" program=sizes through openmpi 5 --report "$dir/own.json" -- # none
    own 5 >"$dir/told"
    is "allgather 8 openmpi:bruck by coll_tuned_dynamic_rules_filename,scan 8 component tuned by coll_tuned_dynamic_rules_filename" \
        "$(grep " 8 " "$dir/told" | sed "s,:bruck_k ,:bruck ," | paste -sd,)" "... of scans, whose rules go by the bytes of an element, the file alone"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename="$dir/two rules" program=sizes through openmpi 5 --report "$dir/own.json" -- "$dir/two rules"
    own 5 >"$dir/told"
    is "1 3" "$(grep -c 'is not known: it is gone, or another one since MPI_Init' "$dir/err") $(grep -c ' component tuned$' "$dir/told")" "... of a file that goes meanwhile nothing"
    awk 'BEGIN { print 1, 0, 1, 2, 60; for (i = 0; i < 60; i++) print 1000 * i, i % 2 ? 1 : 4, 0, 0 }' >"$dir/long.rules"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/long.rules program=sizes through openmpi 5 --report "$dir/own.json" -- # none
    is "allgather 8 openmpi:ring by coll_tuned_dynamic_rules_filename" "$(own 5 | grep 'allgather 8')" "... of a file whose whole table takes megabytes the part that is wanted"
    is "5 5" "$("$collsel" rules "$dir/long.rules" --library openmpi-4.1 --table -p 5 | awk -F, '/^allgather/ { print $2, $3 }' | sort -u)" "rules --table --procs: no other ranks"
    sed 's|MPI_Allgather(v, 2.*|double d[2] = { 0 }, e[2]; MPI_Allreduce(v, v + 32, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD); MPI_Allreduce(d, e, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);|' "$dir/sizes.c" >"$dir/types.c"
    env -u OMPI_CC mpicc.openmpi -o "$dir/types-openmpi" "$dir/types.c"
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/ring.rules program=types through openmpi 4 --report "$dir/own.json" -- # none
    is "allreduce 16 " "$(own 4 | grep allreduce)" "... of types of several sizes, of which one alone takes the ring, none"
    launch openmpi 2 "$dir/app-openmpi" op 10
    timeout "$patience" "$collsel" run --json -- "${line[@]}" >"$dir/json" 2>"$dir/err"
    is "0 { ]}" "$? $(grep -A1 '^{' "$dir/json" | grep -o '^{') $(tail -n 1 "$dir/json")" "run --json prints the summary behind what the application prints"
    has '"format": "collsel profile 1"' "$(cat "$dir/json")" "... as --report writes it"
    is "" "$(ls -A | grep collsel-run)" "... and leaves no file"
    local both="openmpi:recursive_doubling by coll_tuned_dynamic_rules_filename"
    [ ! "$forced_first" ] || both="openmpi:nonoverlapping by coll_tuned_allreduce_algorithm"
    OMPI_MCA_coll_tuned_allreduce_algorithm=2 OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_dynamic_rules_filename=$dir/site.rules \
        through openmpi 4 --report "$dir/own.json" -- op 1000
    is "$both" "$(name)" "... and what comes first where a variable forces, too"
}
mpich
openmpi
tap_done
