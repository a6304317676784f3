#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# What a table says by the MPI library's own name is run by the library's own code, and by that alone; what it refuses is told.
long=${COLLSEL_LONG:-}
. tests/libcollsel/lib.sh
header=collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout

# row COLLECTIVE: bytes and what ran.
row() { awk -v c="$1" '$1 == c && $2 == "world" { print $7, $12 }' "$dir/err"; }
# counted COLLECTIVE: of its row in the report.
counted() { grep -F "\"collective\": \"$1\", \"communicator\": \"world\"" "$dir/report" | grep '"bytes": 4000,' | sed 's/.*"scheduled": \([^,]*\), "forced": \([^,]*\),.*/\1 \2/'; }

if build_app openmpi && mpicc.openmpi -rdynamic -o "$dir/entered" tests/libcollsel/entered.c -ldl; then
    printf '%s\nbcast,,,4000,4000,openmpi:chain,512,2\nalltoall,,,4000,4000,openmpi:modified_bruck,,\n' "$header" >"$dir/table.csv"
    OUT=$dir/out launch openmpi 4 "$dir/entered"
    timeout $patience "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "later chain 0, bruck 0; 0 wrong" "$(grep later "$dir/out")" "Open MPI would choose neither"
    timeout $patience "$collsel" run --table "$dir/table.csv" --report "$dir/report" -- "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "chain 10, bruck 10" "$(head -n 1 "$dir/out")" "its own code is entered, with segment and fan-out"
    is "later chain 10, bruck 10; 0 wrong" "$(tail -n 1 "$dir/out")" "and not by calls of which nothing is said, on communicators that were made later"
    is "0 10" "$(counted bcast)" "the report counts what was forced"
    is "4000 openmpi:chain" "$(row bcast | grep "^4000 ")" "and the summary names it"
    sed 's/openmpi:/portable:/' "$dir/table.csv" >"$dir/ours.csv"
    timeout $patience "$collsel" run --table "$dir/ours.csv" --report "$dir/report" -- "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "chain 0, bruck 0" "$(head -n 1 "$dir/out")" "as our schedule it is not entered"
    is "10 0 4000 portable:chain" "$(counted bcast) $(row bcast | grep "^4000 ")" "but run all the same"
    timeout $patience "$collsel" run --mode star --repository native --report "$dir/report" -- "${line[@]}" >"$dir/out" 2>"$dir/err"
    has "0 wrong" "$(cat "$dir/out")" "star tries the library's own algorithms"
    printf '%s\nbcast,,,,,openmpi:knomial,512,3\nallreduce,,,,,openmpi:rabenseifner,,\n' "$header" >"$dir/odd.csv"
    through openmpi 3 --table "$dir/odd.csv" --report "$dir/report" -- cells 4096
    has "not run as chosen: openmpi:knomial: its fan-out cannot be forced for single calls" "$(cat "$dir/err")" "what cannot be forced is told"
    is "portable:knomial" "$(row bcast | awk '{ print $2 }' | sort -u)" "and run by its schedule"
    through openmpi 3 --table "$dir/table.csv" -- many 300
    has "300 communicators, no more memory" "$(cat "$dir/out")" "communicators that come and go leave nothing"
else
    skip "no mpicc.openmpi here, or no library" "forcing of Open MPI"
fi

if build_app mpich; then
    printf '%s\nallgather,,,64,,mpich:recursive_doubling,,\nbcast,,,16,,mpich:scatter_ring_allgather,,\n' "$header" >"$dir/table.csv"
    through mpich 4 --table "$dir/table.csv" --report "$dir/report" -- cells 4096
    is 0 $? "MPICH, P = 4: the application ends well"
    is "mpich:recursive_doubling" "$(row allgather | awk '$1 >= 64 { print $2 }' | sort -u)" "what runs among four ranks is forced"
    is "mpich:scatter_ring_allgather" "$(row bcast | awk '$1 >= 16 { print $2 }' | sort -u)" "... as are broadcasts"
    is "default" "$(row allgather | awk '$1 < 64 { print $2 }' | sort -u)" "calls of other sizes are MPICH's to choose"
    through mpich 3 --table "$dir/table.csv" --report "$dir/report" -- cells 4096
    is 0 $? "P = 3: it ends well"
    is "portable:mpich_brucks" "$(row allgather | awk '$1 >= 64 { print $2 }' | sort -u)" "what does not run among three is not forced, and what runs instead is told"
    is "mpich:scatter_ring_allgather" "$(row bcast | awk '$1 >= 16 { print $2 }' | sort -u)" "... and forced broadcasts"
    # What MPICH refuses when it is called shows that what is written takes effect: halves of elements of one's own operation.
    printf '%s\nallreduce,,,4096,4096,mpich:reduce_scatter_allgather,,\n' "$header" >"$dir/way.csv"
    through mpich 4 --table "$dir/way.csv" -- op 1024
    is "2 calls of the operation, 512 elements at most" "$(head -n 1 "$dir/out")" "what MPICH refuses for an operation of one's own is run by its schedule"
    is "4096 portable:mpich_reduce_scatter_allgather" "$(row allreduce | grep ^4096)" "... which is named"
    has "not run as chosen: mpich:reduce_scatter_allgather: the library refuses it: run by its schedule" "$(cat "$dir/err")" "... with the reason"
    if [ -n "$long" ]; then
        printf '%s\nallreduce,,,,,openmpi:recursive_doubling,,\n' "$header" >"$dir/table.csv"
        through mpich 2 --table "$dir/table.csv" -- many 100000
        has "100000 communicators, no more memory" "$(cat "$dir/out")" "a hundred thousand communicators that come and go leave nothing"
    fi
else
    skip "no mpicc.mpich here, or no library" "forcing of MPICH"
fi
tap_done
