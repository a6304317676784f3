#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The measuring program: what it writes for every experiment, how it stops, what it refuses.
. tests/workloads/lib.sh

# column NAME FILE: a column of a CSV file of ours, without its header; of a text in quotes, which may have commas, no more than a word.
column() {
    grep -v '^#' "$2" | sed 's/"[^"]*"/quoted/g' | awk -F, -v name="$1" \
        'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } { print $c }'
}

# rows ID: the samples of a point.
rows() { grep "^$1," "$dir/samples.csv"; }
point_id() { sed -n "$(($1 + 1))p" "$dir/outcomes.csv" | cut -d, -f1; }
field() { sed -n "$(($1 + 1))p" "$dir/outcomes.csv" | awk -F, -v n="$2" '{ print $n }'; }

# consistent MPI: each outcome's counts are those of the samples file.
consistent() {
    local wrong=0 line id n_rows n
    while IFS=, read -r id _ _ _ _ _ _ n_rows n _; do
        [ "$(rows "$id" | wc -l)" = "$n_rows" ] || wrong=1
        [ "$(rows "$id" | awk -F, '$8 == 0 && $9 == 1' | wc -l)" = "$n" ] || wrong=1
    done < <(sed 1d "$dir/outcomes.csv")
    ok $wrong "$1: the counts of each outcome are those of its samples"
}

some_points() { # MPI RANKS
    points "$1" 1 "$2" <<END
time $2 1 10000 portable:binary_tree 1024 0 0
time 2 0 8192 $1:default 0 0 0
gather $2 1 65536 portable:pipeline 8192 0 1000
gamma 2 0 8192 portable:basic_linear 0 0 0
barrier $2 0 0 portable:central 0 0 0
pingpong 2 0 1024 portable:pingpong 0 0 0
time $2 0 8192 portable:nonsense 0 0 0
time $2 0 3000000000 portable:binomial 8192 0 0
time 1 0 8192 portable:binomial 0 0 0
time $2 0 0 portable:binomial 0 0 0
END
}

everything() { # MPI RANKS
    some_points "$1" "$2" >"$dir/points.csv"
    measure "$1" "$2" 1 "$2" --sentinel-every 4 --max-reps 40 --min-reps 10 --budget 1 \
        --provenance 'commit=abc def' --provenance empty=
    status=$?
    ok $status "$1: exit status 0"
    [ $status = 0 ] || remark "$(tail -5 "$dir/err")"
    is "$(cut -d, -f1 "$dir/points.csv" | sed 1d)" "$(cut -d, -f1 "$dir/outcomes.csv" | sed 1d)" \
        "$1: an outcome for every point, in order"
    consistent "$1"
    for n in 1 2 3 4 6 9 10; do
        expect $n '^ok,' "$1: point $n is ok"
        ok $((1 - $(field $n 11))) "$1: its data was checked"
    done
    expect 5 '^ok,,executed,,,,.*,0,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$' "$1: a barrier has no data to check"
    expect 7 "^failed,no bcast algorithm 'nonsense'" "$1: an unknown algorithm fails, with a reason"
    expect 8 '^failed,message of 3000000000 bytes' "$1: a message that MPI cannot count fails"
    holds "$(rows "$(point_id 1)" | awk -F, '$8 == 1' | wc -l) >= 3" "$1: three warm-ups or more, flagged"
    is 0 "$(rows "$(point_id 1)" | awk -F, '$8 == 0 { timed = 1 } timed && $8' | wc -l)" "$1: all before the timed calls"
    is 0 "$(grep -v '^#' "$dir/samples.csv" | sed 1d | awk -F, 'NF != 11 || $10 !~ /^[01]$/' | wc -l)" "$1: each call is marked as disturbed or not"
    is "$(seq 0 $(($(field 1 8) - 1)))" "$(rows "$(point_id 1)" | cut -d, -f2)" "$1: samples are numbered"
    holds "$(field 1 9) >= 10 && $(field 1 9) <= 40" "$1: between fewest and most calls"
    rows "$(point_id 1)" | awk -F, '!($3 >= $4 && $4 >= $5 && $5 >= 0 && $3 >= $6 && $6 >= $5) { bad++ } END { exit !(NR >= 10 && bad + 0 == 0) }'
    ok $? "$1: max >= mean >= min, the root's between them"
    is 30 "$(rows sentinel | awk -F, '$8 == 0' | wc -l)" "$1: a sentinel block before points 1, 5 and 9"
    is "$(seq 0 $(($(rows sentinel | wc -l) - 1)))" "$(rows sentinel | cut -d, -f2)" "$1: numbered through"
    grep -v '^#' "$dir/samples.csv" | sed 1d | awk -F, '$7 < last { bad++ } { last = $7 } END { exit !(NR > 33 && bad + 0 == 0) }'
    ok $? "$1: time goes on"
    is '# commit: abc def' "$(grep '^# commit' "$dir/samples.csv")" "$1: provenance is copied"
    is '# empty: unknown' "$(grep '^# empty' "$dir/samples.csv")" "$1: and says unknown"
    is "$2" "$(column host "$dir/placement.csv" | wc -l)" "$1: a line of placement per rank"
    is "progress 10 10" "$(grep progress "$dir/err" | tail -1)" "$1: progress is told"
}

# The library's allgathers, forced: what ran is seen, and what it is for other numbers of ranks.
allgathers() { # MPI RANKS ALGORITHM...
    local mpi=$1 ranks=$2 a; shift 2
    for a; do echo "time $ranks 0 3000 $mpi:$a 0 0 0"; done | COLLECTIVE=allgather points "$mpi" 1 "$ranks" >"$dir/points.csv"
    measure "$mpi" "$ranks" 1 "$ranks" --max-reps 10
    ok $? "$mpi: allgathers among $ranks end well"
}

openmpi_allgathers() {
    local second=bruck instead=bruck # 6.0 has Bruck's with a radix alone
    mpirun.openmpi --version | grep -q ') [1-5]' || { second=sparbit && instead=bruck-k-fanout; }
    allgathers openmpi 4 linear $second recursive_doubling ring neighbor default
    expect 1 '^ok,,interposed,openmpi:linear,' "the linear allgather is seen, not the broadcast within it"
    expect 2 "^ok,,interposed,openmpi:$second," "bruck, or sparbit"
    expect 3 '^ok,,interposed,openmpi:recursive_doubling,' "recursive doubling"
    expect 4 '^ok,,interposed,openmpi:ring,' "ring"
    expect 5 '^ok,,interposed,openmpi:neighbor,' "neighbor exchange"
    expect 6 '^ok,,interposed,openmpi:[a-z_]+,' "and what the default runs"
    ok $((1 - $(field 2 11))) "their data was checked"
    allgathers openmpi 3 recursive_doubling neighbor
    expect 1 "^substituted,recursive_doubling runs as $instead .*openmpi:$instead," "among three ranks: bruck instead of recursive doubling"
    expect 2 '^substituted,neighbor runs as ring .*openmpi:ring,' "and a ring instead of the neighbor exchange"
}

# What runs in place of another algorithm is timed once, whichever of both names comes first.
timed_once() { # MPI RANKS ASKED RUNS: of allgathers, each also as other bytes
    printf 'time %d 0 3000 %s 0 0 0\n' "$2" "$3" "$2" "$4" | COLLECTIVE=allgather points "$1" 1 "$2" >"$dir/points.csv"
    measure "$1" "$2" 1 "$2" --max-reps 10
    expect 2 ",$(point_id 1)\$" "$1: $4 after $3 has the samples of that"
    is "$(field 1 8) $(field 1 9)" "$(field 2 8) $(field 2 9)" "as many"
    is 0 "$(rows "$(point_id 2)" | wc -l)" "and none of its own"
    printf 'time %d 0 3000 %s 0 0 0\n' "$2" "$4" "$2" "$3" | COLLECTIVE=allgather points "$1" 1 "$2" >"$dir/points.csv"
    measure "$1" "$2" 1 "$2" --max-reps 10
    expect 2 "^substituted,.*,$(point_id 1)\$" "and the other way round"
    printf 'time %d 0 3000 %s 0 0 0\n' "$2" "$4" "$2" "$1:default" >"$dir/plain"
    printf 'time %d 0 3000 %s 0 0 0\n' "$2" "$3" "$2" "$4" | sed '1s/ 3000 / 3001 /' |
        cat - "$dir/plain" | COLLECTIVE=allgather points "$1" 1 "$2" >"$dir/points.csv"
    measure "$1" "$2" 1 "$2" --max-reps 10
    is "" "$(column same_as "$dir/outcomes.csv" | grep .)" "$1: not of other sizes, nor what the library chooses by itself"
}

# What is another algorithm in effect is timed once, too; with a limit of requests it is not.
alltoalls() {
    printf 'time 4 0 3000 openmpi:%s 0 %d 0\n' linear 0 linear_sync 0 linear_sync 3 linear_sync 2 |
        COLLECTIVE=alltoall points openmpi 1 4 >"$dir/points.csv"
    measure openmpi 4 1 4 --max-reps 10
    expect 1 '^ok,,interposed,openmpi:linear,.*,$' "the linear all-to-all is timed"
    for i in 2 3; do
        expect $i "^ok,,interposed,openmpi:linear_sync,.*,$(point_id 1)\$" "and linear_sync of as many requests as there are has its samples"
    done
    expect 4 '^ok,,interposed,openmpi:linear_sync,.*,$' "of two at a time it has its own"
}

mpich_allgathers() {
    allgathers mpich 4 brucks recursive_doubling ring
    expect 1 "^ok,,$(by_messages),mpich:brucks," "mpich: brucks, proved"
    expect 2 "^ok,,$(by_messages),mpich:recursive_doubling," "recursive doubling"
    expect 3 "^ok,,$(by_messages),mpich:ring," "ring"
    allgathers mpich 3 recursive_doubling brucks
    expect 1 '^failed,the call failed: .*not usable' "among three ranks recursive doubling is refused"
    expect 2 "^ok,,$(by_messages),mpich:brucks," "which shows that forcing works, and brucks is not"
}

# One process, or no bytes: a library runs none of its algorithms, and the row says so.
nothing_to_do() { # MPI
    local procs
    for procs in 1 2; do
        points "$1" 1 $procs >"$dir/points.csv" <<END
time $procs 0 0 $1:binomial 0 0 0
time $procs 0 0 $1:default 0 0 0
time $procs 0 0 portable:binomial 0 0 0
time $procs 0 $((2 - procs)) $1:binomial 0 0 0
END
        measure "$1" $procs 1 $procs --max-reps 10
        expect 1 '^substituted,the library runs no algorithm for (no bytes|one process),unverified,,,,' \
            "$1, $procs ranks, no bytes: forced, nothing ran"
        expect 2 '^ok,,unverified,,,,' "$1, $procs ranks: the default is measured"
        expect 3 '^ok,,executed,portable:binomial' "$1, $procs ranks: a schedule of no bytes is run"
        expect 4 '^substituted,the library runs no algorithm' "$1: one process, too"
    done
}

stopping() {
    points openmpi 1 2 >"$dir/points.csv" <<END
time 2 0 8192 portable:binomial 0 0 0
END
    measure openmpi 2 1 2 --precision 1000 --warmup 0 --max-reps 100000
    is 1 "$(field 1 10)" "a precision that is easily reached: converged"
    holds "$(field 1 9) >= 100 && $(field 1 9) < 100000" "after a hundred short calls, or some more where the machine disturbs them"
    measure openmpi 2 1 2 --precision 1e-9 --max-reps 77
    is "77 0" "$(field 1 9) $(field 1 10)" "one that is not: the most calls, not converged"
    measure openmpi 2 1 2 --precision 1e-9 --max-reps 1000000 --budget 0.3
    holds "$(field 1 9) >= 10 && $(field 1 9) < 1000000 && $(field 1 12) < 60" "or until the time is spent"
}

# Windows of the global clock, and every rank's times.
windows() {
    local mpi=$1
    "under_$mpi" 4 "$BUILD/$mpi/tests/clocks" >"$dir/clocks" 2>"$dir/err"
    fold "clocks under $mpi" <"$dir/clocks"
    points "$mpi" 1 2 >"$dir/points.csv" <<END
time 2 0 8192 portable:binomial 0 0 0
END
    measure "$mpi" 2 1 2 --sync window --budget 1
    status=$?
    ok $status "calls begin in windows"
    [ $status = 0 ] || remark "$(tail -5 "$dir/err")"
    has "windows of a global clock" "$(grep '^# synchronisation' "$dir/samples.csv")" "which is told"
    has "s between two ranks" "$(grep '^# clock_error' "$dir/samples.csv")" "with the clock's error"
    has "clock error at the end" "$(cat "$dir/err")" "which is looked at again at the end"
    is 0 "$(rows "$(point_id 1)" | awk -F, '$9 == 1 && $11 < $3' | wc -l)" "from the first begin to the last end is no less than the slowest rank's time"
    is 1 "$(column clock_error_s "$dir/outcomes.csv" | awk '$1 > 0' | wc -l)" "the outcome has the clock's error"
    rm -f "$dir/ranks.csv"
    measure "$mpi" 2 1 2 --max-reps 10 --ranks "$dir/ranks.csv"
    ok $? "every rank's times are kept"
    is "$(($(field 1 8) * 2))" "$(sed 1d "$dir/ranks.csv" | grep -vc sentinel)" "a row for each call and rank"
    is 0 "$(awk -F, 'NR > 1 && !($4 >= 0 && $5 > 0)' "$dir/ranks.csv" | wc -l)" "that begins after the ranks were together, and takes time"
    local worst
    worst=$(sed 1d "$dir/ranks.csv" | awk -F, -v id="$(point_id 1)" '$1 == id && $2 == 3 { if ($5 > m) m = $5 } END { print m }')
    is "$(rows "$(point_id 1)" | sed -n 4p | cut -d, -f3)" "$worst" "the slowest of a call is the sample's"
    measure "$mpi" 2 1 2 --sync often
    is 2 $? "another way of bringing them together is wrong usage"
}

refusals() { # what is written already stays; wrong usage is told
    some_points openmpi 2 >"$dir/points.csv"
    echo "kept" >"$dir/old.csv"
    run() { timeout 60 "$BUILD/openmpi/measure" "$@" >"$dir/out" 2>"$dir/err"; } # a launch of one rank
    local given=(--points "$dir/points.csv" --samples "$dir/s" --outcomes "$dir/o" --placement "$dir/p"
        --digest 01234567 --mapping core --nodes 1 --ppn 1)
    under_openmpi 2 "$BUILD/openmpi/measure" "${given[@]}" --samples "$dir/old.csv" >"$dir/out" 2>"$dir/err"
    is 1 $? "a samples file that exists is refused"
    is kept "$(cat "$dir/old.csv")" "and left as it was"
    has "old.csv" "$(cat "$dir/err")" "and named"
    run "${given[@]}"
    is 1 $? "points for more ranks than there are: refused"
    has "points.csv:2: procs is 2 (want 1 to 1" "$(cat "$dir/err")" "with file and line"
    local wrong
    for wrong in "--colour red" "--nodes 0" "--nodes x" "--precision 0" "--precision nan" "--budget -1" \
        "--mapping sideways" "--min-reps 20 --max-reps 10" "--provenance nothing" "stray" "--inner"; do
        # shellcheck disable=SC2086
        run "${given[@]}" $wrong
        is 2 $? "'$wrong' is wrong usage"
    done
    run --points x
    is 2 $? "a missing option is wrong usage"
    run --help
    is 0 $? "help is not"
}

simulation() {
    some_points smpi 5 | grep -v nonsense >"$dir/points.csv"
    measure smpi 5 1 5 --deterministic
    ok $? "smpi: exit status 0"
    consistent smpi
    # five hosts of one core each are no single node
    expect 1 '^invalid,"?placement: ranks 0 and 1 are on' "smpi: one node asked, five given: invalid"
    measure smpi 5 5 1 --deterministic
    for n in 1 2 3 4 5 6 8 9; do
        expect $n '^ok,.*,1,1,,[01],' "smpi: point $n has one sample, convergence does not apply"
    done
    grep -v '^#' "$dir/samples.csv" | cut -d, -f1-6 >"$dir/first"
    measure smpi 5 5 1 --deterministic
    grep -v '^#' "$dir/samples.csv" | cut -d, -f1-6 >"$dir/second"
    cmp -s "$dir/first" "$dir/second"
    ok $? "smpi: a simulation repeats itself"
    # a chain of two ranks, one message: its time is that of half a round trip
    points smpi 5 1 >"$dir/points.csv" <<END
time 2 0 1024 portable:pipeline 0 0 0
pingpong 2 0 1024 portable:pingpong 0 0 0
END
    measure smpi 5 5 1 --deterministic --no-check
    holds "$(column max_s "$dir/samples.csv" | awk 'NR == 1 { a = $1 } END { d = a / $1 - 1; print (d < 0 ? -d : d) }') < 1e-3" \
        "smpi: a broadcast to one is half a ping-pong"
    expect 1 '^ok,.*,0,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$' "smpi: --no-check is in the row"
}

# Teams of chosen ranks: two sockets of two cores are claimed, so ranks 2 and 3 are on the other one. Each team's
# data is checked, so a message that went elsewhere would show.
channels() {
    points openmpi 1 4 >"$dir/points.csv" <<END
pingpong 2 0 1024 portable:pingpong 0 0 0 core
pingpong 2 0 1024 portable:pingpong 0 0 0 socket
fanout 3 0 65536 portable:basic_linear 0 0 0 socket
fanin 3 0 65536 portable:linear 0 0 0 socket
fanin 2 0 100 portable:linear 0 0 0 core
time 4 0 1024 portable:binomial 0 0 0
END
    measure openmpi 4 1 4 --max-reps 10 --sockets 2 --cores 2
    ok $? "channels: exit status 0"
    consistent channels
    for n in 1 2 3 4 5 6; do
        expect $n '^ok,,executed,.*,1,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$' "channels: point $n is measured, and its data was right"
    done
    rows "$(point_id 3)" | awk -F, '$3 > $4 { more++ } END { exit !more }'
    ok $? "channels: a fan-out lasts as long as its slowest rank"
    points openmpi 1 4 >"$dir/points.csv" <<END
fanout 3 0 1024 portable:basic_linear 0 0 0 core
END
    measure openmpi 4 1 4 --max-reps 10 --sockets 2 --cores 2
    is 1 $? "a team that the launch has not: refused"
    has "the launch has not 3 ranks on channel 'core'" "$(cat "$dir/err")" "in words"
}

# A launch that is told to end: what it has measured is whole, the rest is not claimed. Calls of some microseconds may
# all take the same number of nanoseconds, which is as precise as asked for; calls of milliseconds last to the budget.
termination() {
    points openmpi 1 2 >"$dir/points.csv" <<END
time 2 0 8 portable:binomial 0 0 0
time 2 0 33554432 portable:binomial 0 0 0
END
    rm -f "$dir"/samples.csv "$dir"/outcomes.csv "$dir"/placement.csv
    : >"$dir/err" # what was there tells of other progress
    timeout 400 mpirun.openmpi $(as_root) --oversubscribe -n 2 "$BUILD/openmpi/measure" --points "$dir/points.csv" \
        --samples "$dir/samples.csv" --outcomes "$dir/outcomes.csv" --placement "$dir/placement.csv" \
        --digest 01234567 --mapping core --nodes 1 --ppn 2 --precision 1e-9 --max-reps 20000 --budget 300 \
        >"$dir/out" 2>"$dir/err" &
    local launcher=$!
    soon grep -q 'progress 1 ' "$dir/err"
    sleep 0.2
    # timeout's child is mpirun, whose children are the ranks
    local mpirun ranks
    mpirun=$(ps -o pid= --ppid "$launcher")
    ranks=$(ps -o pid= --ppid "${mpirun// /}")
    # shellcheck disable=SC2086
    kill -TERM $ranks
    wait "$launcher"
    is 1 $? "SIGTERM: exit status 1"
    is 1 "$(sed 1d "$dir/outcomes.csv" | wc -l)" "SIGTERM: the finished point has its outcome, the other none"
    consistent SIGTERM
    is "" "$(tail -c 1 "$dir/samples.csv")" "SIGTERM: the last line of samples is whole"
    has "1 of 2 points have no outcome" "$(cat "$dir/err")" "SIGTERM: and that is told"
}

# Copies in memory: by one rank, whatever the launch has.
copies() { # MPI
    local small large
    points "$1" 1 2 >"$dir/points.csv" <<END
copy 1 0 64 portable:memcpy 0 0 0
copy 1 0 8388608 portable:memcpy 0 0 0
END
    measure "$1" 2 1 2 --max-reps 20
    ok $? "$1: copies are measured"
    for n in 1 2; do expect $n '^ok,,executed,,.*,0,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*,[^,]*$' "$1: copy $n is ok"; done
    small=$(rows "$(point_id 1)" | awk -F, '$8 == 0 { s += $6; n++ } END { printf "%.6f", 1e6 * s / n }')
    large=$(rows "$(point_id 2)" | awk -F, '$8 == 0 { s += $6; n++ } END { printf "%.6f", 1e6 * s / n }')
    holds "0 < $small && $small < $large" "$1: 64 bytes take $small us, 8 MiB $large us"
}

if have mpirun.openmpi; then
    everything openmpi 4
    copies openmpi
    openmpi_allgathers
    alltoalls
    timed_once openmpi 3 openmpi:neighbor openmpi:ring
    timed_once openmpi 3 portable:neighbor portable:ring
    nothing_to_do openmpi
    stopping
    windows openmpi
    refusals
    channels
    termination
else
    skip "no mpirun.openmpi here" "Open MPI"
fi
if have mpirun.mpich; then everything mpich 2; nothing_to_do mpich; windows mpich; mpich_allgathers; else skip "no mpirun.mpich here" "MPICH"; fi
if have_smpi; then simulation; else skip "no smpirun here, or not for this build" "SMPI"; fi
tap_done
