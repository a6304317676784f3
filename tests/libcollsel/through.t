#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An application with libcollsel before its MPI does what it does without: results, errors, status; what it called is told.
. tests/libcollsel/lib.sh

# late MPI WHAT...: with a report whose directory is a file when it is to be written.
late() {
    local mpi=$1; shift
    rm -rf "$dir/gone"
    launch "$mpi" 2 "$dir/app-$mpi" "$@"
    # shellcheck disable=SC2016 # of the inner shell
    timeout $patience "$collsel" run --report "$dir/gone/report.json" -- sh -c 'rm -r "$0" && : >"$0" && exec "$@"' "$dir/gone" "${line[@]}" >"$dir/out" 2>"$dir/err"
}

try() {
    local mpi=$1 so=$BUILD/$1/libcollsel-$1.so most=$2
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "libcollsel on $mpi"
        return
    fi
    is "" "$(nm -D --defined-only "$so" | awk '$3 !~ /^(P?MPIX?_[A-Z]|mpi_[a-z_]*_(f08(ts)?_)?$)/ { print $3 }')" "$mpi: of the library only functions of MPI can be seen"
    is "" "$(readelf -d "$so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^lib(c|m|dl|mpi|open_mpi|mpich)\.so')" "... and it wants MPI and the C library alone"

    for p in 1 2 "$most"; do
        app "$mpi" "$p" all
        cp "$dir/out" "$dir/without"
        for mode in off trace; do
            through "$mpi" "$p" --mode $mode -- all
            is 0 $? "$mpi, P = $p, $mode: the application ends well"
            cmp -s "$dir/without" "$dir/out"
            ok $? "... and prints what it prints without"
        done
        holds "$(grep -c '^bcast ' "$dir/err") > 3" "... and its broadcasts are told of"
    done
    through "$mpi" 2 --mode off -- all
    is 0 "$(grep -c collsel "$dir/err")" "$mpi: off says nothing"

    through "$mpi" 2 -- status 7
    is 7 $? "$mpi: the application's status is the command's"
    through "$mpi" 2 -- abort 3
    is 3 $? "$mpi: and that of MPI_Abort"
    through "$mpi" 2 --report "$dir/status.json" -- status 7
    is 7 $? "$mpi: also with a report"
    late "$mpi" all
    is 1 $? "$mpi: a report that cannot be written is a failure, where the application ended well"
    has "'$dir/gone/report.json': the application ended well and left no report there" "$(cat "$dir/err")" "... which is said"
    has "collsel: COLLSEL_REPORT: " "$(cat "$dir/err")" "... with the reason before"
    late "$mpi" status 7
    is 7 $? "$mpi: its own failure counts more"
    echo old >"$dir/kept.json"
    through "$mpi" 2 --mode off --report "$dir/kept.json" -- all
    is "0 old" "$? $(cat "$dir/kept.json")" "$mpi: off writes none, and is no failure"
    app "$mpi" 2 wrong
    cp "$dir/out" "$dir/without"
    through "$mpi" 2 -- wrong
    is "$(cat "$dir/without")" "$(cat "$dir/out")" "$mpi: wrong arguments are refused as MPI refuses them"

    # What is not looked at is the last line, with its reason; or that there is nothing.
    through "$mpi" 2 -- late 1
    is "collsel: all collective calls were seen" "$(tail -n 1 "$dir/err")" "$mpi: a program of blocking calls has all of them in rows"
    through "$mpi" 3 -- all
    is "MPI_Allreduce (intercommunicator) MPI_Barrier (intercommunicator) MPI_Ibcast (does not block) MPI_Neighbor_allgather (neighbours)" \
        "$(tail -n 1 "$dir/err" | grep -oE ' 9 MPI_[A-Za-z_]* \([a-z ]*\)' | cut -c 4- | sort | xargs)" "$mpi: of one with others the last line has them"
    through "$mpi" 2 -- wrong
    has "2 MPI_Allreduce (wrong arguments) in" "$(tail -n 1 "$dir/err")" "... also those with wrong arguments"

    # Threads that call at a time: no call is lost, and the results are right.
    app "$mpi" 2 all
    cp "$dir/out" "$dir/without"
    through "$mpi" 2 -- multiple
    cmp -s "$dir/without" "$dir/out"
    ok $? "$mpi: an application of many threads runs as without"
    printf '%s\n' collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout allreduce,,,,,portable:recursive_doubling,, bcast,,,,,portable:binomial,, >"$dir/threads.csv"
    for mode in trace star table; do
        through "$mpi" 2 --mode $mode $([ $mode != table ] || echo --table "$dir/threads.csv") -- threads 300
        is "0 4 threads, 0 wrong" "$? $(cat "$dir/out")" "$mpi, $mode: four threads that call at a time have their results"
        is "allreduce 1 allreduce 1200 bcast 600 bcast 600" "$(awk '$2 == "world" { print $1, $8 }' "$dir/err" | sort | xargs)" "... and all their calls are told of"
    done
    is "portable:binomial portable:binomial portable:recursive_doubling portable:recursive_doubling" "$(awk '$2 == "world" { print $12 }' "$dir/err" | sort | xargs)" "... by schedules: nothing is forced there"

    # Which algorithm the library's own call is, told by how often an operation is called, and by running that one by its name.
    through "$mpi" 4 --report "$dir/own.json" -- op 1000
    cp "$dir/out" "$dir/without"
    own=$(sed -n '/"op": "user"/s/.*"default_is": "\([^"]*\)".*/\1/p' "$dir/own.json")
    if [ "$mpi" = mpich ] && sees_nodes; then
        has "$own" " device" "$mpi: what is split by its device is told as that, or nothing is (told.t has more)"
    elif [ "$mpi" = mpich ] || mpirun.openmpi --version 2>&1 | grep -q ' 4[.]1[.]'; then
        has "default (${own#"$mpi":})" "$(cat "$dir/err")" "$mpi: the summary tells which algorithm the library's own call is ($own)"
        holds "$(case $own in "$mpi":?*) echo 1 ;; *) echo 0 ;; esac) == 1" "... by its name"
        printf '%s\nallreduce,,,,,%s,,\n' collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout "$own" >"$dir/own.csv"
        through "$mpi" 4 --table "$dir/own.csv" -- op 1000
        is "$(cat "$dir/without")" "$(cat "$dir/out")" "... and forced by that name it does the same"
    fi

    # The command's own status is the launcher's: some value that is not 0.
    for bad in COLLSEL_MODE=sing COLLSEL_MOOD=off COLLSEL_REPORT=; do
        launch "$mpi" 2 env "$bad" LD_PRELOAD="$top/$so" "$dir/app-$mpi" all
        "${line[@]}" >"$dir/out" 2>"$dir/err"
        holds "$? != 0" "$mpi: '$bad' ends the application when MPI begins"
        has "collsel: ${bad%=*}: " "$(cat "$dir/err")" "... and is named"
        is "" "$(cat "$dir/out")" "... before it does anything"
    done
    echo 'int PMPI_Abort(void) { return 0; }' | "mpicc.$mpi" -shared -fPIC -o "$dir/returns.so" -x c -
    launch "$mpi" 2 env COLLSEL_MODE=sing LD_PRELOAD="$top/$so $dir/returns.so" "$dir/app-$mpi" all
    "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "" "$(cat "$dir/out")" "... also where MPI_Abort returns, as MPICH's does until its launcher kills the rank"

    through "$mpi" 3 -- many 500
    has "500 communicators, no more memory" "$(cat "$dir/out")" "$mpi: communicators that come and go leave nothing"
    holds "$(grep -cE '^(allreduce|bcast) ' "$dir/err") == 3" "... and are told of in three lines"

    through "$mpi" 3 --report "$dir/late.json" -- late 20
    has '"collective": "barrier", "communicator": "world", "op": "", "root": "", "procs": 3, "nodes": 1, "ppn": 3, "bytes": 0, "bytes_of_all_ranks": true, "calls": 20,' \
        "$(cat "$dir/late.json")" "$mpi: the report has the calls"
    holds "$(sed -n 's/.*"skew_longest_s": \([^,]*\),.*/\1/p' "$dir/late.json") > 0.015" "... and that a rank came 20 ms late"

    through "$mpi" 2 -- sizes 2100
    has "collsel: 104 calls of more kinds than there is room for are missing" "$(cat "$dir/err")" "$mpi: calls for which no row is left are counted"
    is 2049 "$(grep -cE '^(collective|bcast) ' "$dir/err")" "... beside 2048 that have one"
}
try openmpi 5
try mpich 4

# Where there is a report to look at, signals go on to the command, and it ends as that.
printf '#!/bin/sh\ntrap "echo got it; exit 9" TERM\necho up\nwhile :; do sleep 0.1; done\n' >"$dir/waits" && chmod +x "$dir/waits"
for mpi in openmpi mpich; do
    [ -f "$BUILD/$mpi/libcollsel-$mpi.so" ] || continue
    "$collsel" run --mpi $mpi --report "$dir/r.json" -- "$dir/waits" >"$dir/out" 2>"$dir/err" &
    pid=$!
    soon grep -q up "$dir/out"
    kill -TERM $pid
    wait $pid
    is "9 up got it" "$? $(xargs <"$dir/out")" "a signal goes on to the command, and its status comes back"
    break
done
printf '#!/bin/sh\necho ran\n' >"$dir/tells" && chmod +x "$dir/tells"
"$collsel" run --report "$dir" --mpi openmpi --build "$BUILD" -- "$dir/tells" >"$dir/out" 2>"$dir/err"
is "1 " "$? $(cat "$dir/out")" "a directory is no report, and nothing is run for it"
has "'$dir' is a directory (want a file)" "$(cat "$dir/err")" "... which is said"
: >"$dir/plain"
for report in /proc/none/report.json "$dir/plain/report.json" "$dir/plain/deep/report.json"; do
    "$collsel" run --report "$report" --mpi openmpi --build "$BUILD" -- "$dir/tells" >"$dir/out" 2>"$dir/err"
    is "1 " "$? $(cat "$dir/out")" "nor for one that cannot be written: $report"
    has "collsel run: --report: " "$(cat "$dir/err")" "... which is said"
done
(cd "$dir" && "$top/$collsel" run --report new/deep/r.json --mpi openmpi --build "$top/$BUILD" -- "$dir/tells") >"$dir/out" 2>"$dir/err"
ok "$([ -s "$dir/out" ] && [ -d "$dir/new/deep" ]; echo $?)" "directories that are not there are made"
"$collsel" run --report "$dir/r.json" --mpi openmpi --build "$BUILD" -- "$dir/none" 2>"$dir/err"
is 1 $? "with a report, too, a command that is not there is told"

# What is wrong with a command is said before anything is started.
"$collsel" run -- mpirun -n 2 true >"$dir/out" 2>"$dir/err"
is 1 $? "a command without an application of MPI is refused"
has "'true' is not linked with MPI" "$(cat "$dir/err")" "... and told why"
"$collsel" run -- env -i "$dir/missing" --size 4 >"$dir/out" 2>"$dir/err"
is 1 $? "so is one whose application is missing"
has "'$dir/missing' does not exist" "$(cat "$dir/err")" "... which is named"
"$collsel" run -- env -i missing-application >"$dir/out" 2>"$dir/err"
has "no word behind 'env' is a program" "$(cat "$dir/err")" "... or, without a path, said to be no program"
printf '#!/bin/sh\nexit 5\n' >"$dir/script" && chmod +x "$dir/script"
"$collsel" run -- "$dir/script" >"$dir/out" 2>"$dir/err"
is 1 $? "so is a script"
has "name its MPI: --mpi openmpi or mpich" "$(cat "$dir/err")" "... and what to say then"
"$collsel" run --mode sing -- true >"$dir/out" 2>"$dir/err"
is 2 $? "an unknown mode is wrong usage"
"$collsel" run >"$dir/out" 2>"$dir/err"
is 2 $? "so is no command"
"$collsel" run --build "$dir" --mpi openmpi -- "$dir/script" 2>"$dir/err"
is 1 $? "a library that was not built is missed"
has "libcollsel-openmpi.so" "$(cat "$dir/err")" "... by its name"
if [ -f "$BUILD/openmpi/libcollsel-openmpi.so" ]; then
    "$collsel" run --mpi openmpi -- "$dir/script"
    is 5 $? "with --mpi a script is run, and its status is ours"
fi
tap_done
