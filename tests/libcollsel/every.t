#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Every collective of the installed MPI stands in the summary: in a row, or among those that are counted. From C, the three bindings of
# Fortran, and Python.
. tests/libcollsel/lib.sh

# functions MPI: the collectives that its headers declare, by themselves: persistent ones of Open MPI 4.1 as MPI names them.
functions() {
    printf '#include <mpi.h>\n#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 5\n#include <mpi-ext.h>\n#endif\n' | "mpicc.$1" -E -P -x c - | grep -oE '\bMPIX?_\w+ *\(' | tr -d '( ' | sed 's/^MPIX_/MPI_/' |
        grep -E '^MPI_(I?([Nn]eighbor_)?([Aa]ll(gatherv?|toall[vw]?)|[Aa]llto(all[vw]?)|[Aa]llreduce)|I?([Bb]arrier|[Bb]cast|[Ee]xscan|[Gg]atherv?|[Rr]educe(_scatter(_block)?)?|[Ss]can|[Ss]catterv?))(_init)?(_c)?$' | sort -u
}

# told: the functions of the summary in $dir/err, with the calls of a rank, or of all where they are counted alone.
told() {
    sed -n '/^collective /,/^collsel:/p' "$dir/err" | awk '$1 ~ /^[a-z_]+$/ && $1 != "collective" { n["MPI_" toupper(substr($1, 1, 1)) substr($1, 2)] += $8 } END { for (f in n) print f, n[f] }' | sort
    sed -n 's/^collsel: counted, not looked at, as sums over ranks: //p' "$dir/err" | tr ';' '\n' | sed -E 's/^ *([0-9]+) (MPI_[A-Za-z_]+) (\(.*\)) in .*/\2 \1 \3/' | sort
}

# same MPI RANKS WORD PROGRAM [WHAT]: it ends well, and prints what it prints without.
same() {
    local mpi=$1 n=$2 word=$3 program=$4; shift 4
    "under_$mpi" "$n" "$dir/$program-$mpi" "$@" >"$dir/without" 2>/dev/null
    program=$program through "$mpi" "$n" --report "$dir/every.json" -- "$@"
    is "0 " "$? $(diff "$dir/without" "$dir/out" | head -n 3)" "$mpi, $word: the program ends well, with the results of before"
}

# persistent MPI BINDING: each start of persistent collectives of Fortran; of Open MPI 4.1 they have another name.
persistent() {
    local mpi=$1 b=$2
    for prefix in MPI MPIX; do
        "mpifort.$mpi" -w -fallow-argument-mismatch -J "$dir" -DBINDING="$b" -DMPI_Allreduce_init=${prefix}_Allreduce_init -DMPI_Bcast_init=${prefix}_Bcast_init \
            -o "$dir/persistent-$mpi" tests/libcollsel/persistent.F90 2>"$dir/no" && break
    done || { skip "not in this binding: $(grep -m 1 -i 'error\|undefined' "$dir/no")" "$mpi, ${bindings[b]}, persistent"; return; }
    program=persistent through "$mpi" 2 --
    is "0 sum 3 MPI_Allreduce_init 6 (persistent) MPI_Bcast_init 2 (persistent)" "$? $(cat "$dir/out") $(told | xargs)" "$mpi, ${bindings[b]}: each start of persistent ones is told of"
}

bindings=(C "mpif.h" "use mpi" "use mpi_f08")
try() {
    local mpi=$1 b
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "every call on $mpi"
        return
    fi
    "mpicc.$mpi" -w -o "$dir/every-$mpi" tests/libcollsel/every.c
    same "$mpi" 2 "all of C" every all # three ranks cannot start a scatter of MPICH 4.0.2 again
    holds "$(functions "$mpi" | wc -l) >= 66" "... and its header has collectives of three forms at least"
    # Blocking calls with large counts are in the rows of those without.
    blocking='MPI_(All(gatherv?|toallv?|reduce)|Bcast|Exscan|Gatherv?|Reduce(_scatter(_block)?)?|Scan|Scatterv?)_c'
    is "$(functions "$mpi" | grep -vxE "$blocking")" "$(told | cut -d ' ' -f 1 | sort -u)" "... and every one of them is told of, and no others"
    is "$((1 + $(functions "$mpi" | grep -cx MPI_Gather_c)))" "$(told | sed -n 's/^MPI_Gather //p')" "... and blocking ones of large counts are in the rows"
    is "" "$(told | grep -E '_init(_c)? ' | grep -v ' 4 (')" "... of the persistent ones each start of two ranks"
    is "$(told | grep -c '(')" "$(grep -o '"why": "' "$dir/every.json" | wc -l)" "... and the report has those that are counted"
    is "" "$(grep -o '"counted": .*' "$dir/every.json" | tr '{' '\n' | grep time_s | grep '"time_s": 0[,}]')" "... with their times"

    through_table "$mpi" 2 every all
    same "$mpi" 3 C every
    told >"$dir/of-c"
    has "MPI_Neighbor_alltoallw 3 (neighbours)" "$(cat "$dir/of-c")" "... and what is counted has its reason"
    for b in 1 2 3; do
        if ! have "mpifort.$mpi"; then
            skip "no mpifort.$mpi here" "$mpi, ${bindings[b]}"
        elif ! "mpifort.$mpi" -w -fallow-argument-mismatch -ffree-line-length-none -J "$dir" -DBINDING=$b -o "$dir/every$b-$mpi" tests/libcollsel/every.F90 2>"$dir/no"; then
            skip "this binding is not installed: $(grep -m 1 Error "$dir/no")" "$mpi, ${bindings[b]}"
        else
            same "$mpi" 3 "${bindings[b]}" "every$b"
            cmp -s "$dir/out" <("under_$mpi" 3 "$dir/every-$mpi" 2>/dev/null)
            ok $? "... and with those of the program in C"
            is "$(cat "$dir/of-c")" "$(told)" "... and its calls are told of like those"
            is "every$b-$mpi" "$(sed -n '/^collective /,/^collsel:/s/.* \([^ ]*\)+0x[0-9a-f]*.*/\1/p' "$dir/err" | sort -u)" "... from where it called"
            through_table "$mpi" 3 "every$b"
            persistent "$mpi" $b
        fi
    done

    if ! /usr/bin/python3 -c 'import mpi4py' 2>/dev/null; then
        skip "no mpi4py here" "$mpi, Python"
    elif ! ldd "$(/usr/bin/python3 -c 'import mpi4py; print(mpi4py.__path__[0])')"/MPI.*.so | grep -q "$([ "$mpi" = mpich ] && echo libmpich || echo 'libmpi\.so')"; then
        skip "mpi4py here is for another MPI" "$mpi, Python"
    else
        launch "$mpi" 2 /usr/bin/python3 tests/libcollsel/every.py
        timeout $patience "$collsel" run --mpi "$mpi" -- "${line[@]}" >"$dir/out" 2>"$dir/err"
        is "0 [1, 1, 1, 1] ['rank 0', 'rank 1']" "$? $(cat "$dir/out")" "$mpi: a program of Python has its results"
        is "MPI_Allgather MPI_Allgatherv MPI_Allreduce MPI_Barrier MPI_Bcast MPI_Iallreduce" "$(told | cut -d ' ' -f 1 | sed 's/_c$//' | sort | xargs)" "... and its calls are told of"
        is 5 "$(told | grep -vc '(')" "... blocking ones in rows, also where mpi4py has large counts"
    fi

    if [ "$(functions "$mpi" | grep -c _c)" -gt 0 ]; then
        program=every through "$mpi" 2 --report "$dir/session.json" -- session
        is "0 sum 1" "$? $(cat "$dir/out")" "$mpi: a program of sessions, without MPI_Init, has its results"
        is "MPI_Allreduce 1 (without MPI_Init) MPI_Barrier 1 (without MPI_Init) MPI_Ibarrier 1 (without MPI_Init)" "$(told | xargs)" "... and its calls are counted, once"
        is "sessions 3 0" "$(python3 -c 'import json, sys; o = json.load(open(sys.argv[1])); print(o["mode"], len(o["counted"]), len(o["rows"]))' "$dir/session.json")" "... also in the report"
    fi
}

# through_table MPI RANKS PROGRAM [WHAT]: its calls by schedules.
through_table() {
    local mpi=$1 n=$2 program=$3; shift 3
    printf '%s\n' collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout allreduce,,,,,portable:ring,, allgather,,,,,portable:ring,, bcast,,,,,portable:binomial,, >"$dir/every.csv"
    program=$program through "$mpi" "$n" --table "$dir/every.csv" -- "$@"
    is "0 " "$? $(diff "$dir/without" "$dir/out" | head -n 3)" "... and by schedules it has the same results"
    is "allgather portable:ring allreduce portable:ring allreduce portable:ring bcast portable:binomial" "$(awk '/portable:/ { print $1, $12 }' "$dir/err" | sort | xargs)" "... which are told"
}
try openmpi
try mpich
tap_done
