#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An application whose collectives tune themselves: ranks agree though they come at different times and from different lines; the summary tells.
. tests/libcollsel/lib.sh

# field ROW NAME: of the JSON's row that has the text.
field() { grep -F "$1" "$dir/star.json" | sed -n "s/.*\"$2\": \"\{0,1\}\([^\",]*\).*/\1/p"; }

# calls_of ROW: of how many calls each candidate's time was made.
calls_of() { grep -F "$1" "$dir/star.json" | sed 's/.*"tried": \[\(.*\)\], "sites".*/\1/; s/\], \[/\n/g; s/[][]//g' | sed 's/.*, //'; }

# counted ROW: its calls, and those that star measured or watched.
counted() { echo "$(field "$1" calls) $(($(field "$1" measured) + $(field "$1" monitored)))"; }

# What one run has learnt the next one begins with. The ranks wait for each other, so that half of the time in collectives is
# more than the library's start: Open MPI's MPI_T alone takes 0.2 s of it.
learnt() {
    local mpi=$1 file=$dir/learnt.csv head
    rm -f "$file"
    for run in first second; do
        through "$mpi" 2 --mode star --cost 50% --learnt "$file" --report "$dir/star.json" -- waiting 3000
        is "0 3000 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: within a bound, $run run: results are right"
        is "0.5 1" "$(sed -n 's/.*"cost": \([^,]*\),.*/\1/p' "$dir/star.json") $(grep -c 'where 50 % of each kind' "$dir/err")" "... the bound is in the report and in the summary"
        holds "$(field '"collective": "alltoall"' measured) + $(field '"collective": "alltoall"' monitored) == 2990" "... all calls but the first ten are counted"
        [ $run = first ] || holds "$(field '"collective": "alltoall"' measured) <= 30" "... one call in a hundred is a trial, at most"
        is "1 0" "$(grep -c '^alltoall,-,2,1,.*,default,0,0,' "$file") $(awk -F, '/^alltoall/ { n += $9 } END { print n - 1 }' "$file")" "... what was learnt has the library's own call and one choice"
        is "" "$(grep LEARNT "$dir/err")" "... without a word"
    done
    head=$(head -n 1 "$file")
    sed -i '1s/program [0-9a-f]*/program 0123/' "$file"
    through "$mpi" 2 --mode star --cost 50% --learnt "$file" -- waiting 3000
    is "0 1 $head" "$? $(grep -c 'line 1: of another program, library or machine (found .*: it becomes .*\.old. at the end, and a new one is written' "$dir/err") $(head -n 1 "$file")" "$mpi: what another program has learnt gives way"
    is 1 "$(grep -c 'program 0123' "$file.old")" "... and is kept beside"
    mv "$file.old" "$file"
    mkdir -p "$file.old/full"
    through "$mpi" 2 --mode star --cost 50% --learnt "$file" -- waiting 3000
    is "0 1 1" "$? $(grep -c "'$file' stays, as it cannot become '$file.old'" "$dir/err") $(grep -c 'program 0123' "$file")" "... or stays, where it cannot be"
    rm -r "$file.old" "$file"
    through "$mpi" 2 --mode star --cost 50% --learnt "$file" -- waiting 3000
    sed -i '$s/,[^,]*$/,nan/' "$file"
    through "$mpi" 2 --mode star --cost 50% --learnt "$file" -- waiting 3000
    is "0 1 0" "$? $(grep -c 'line [0-9]*: damaged (found ' "$dir/err") $(grep -c nan "$file")" "... and so is a damaged file"
    rm "$file"
    through "$mpi" 3 --mode star --cost 50% --learnt "$file" -- pairs 5000
    is "0 5000 times, 0 wrong" "$? $(cat "$dir/out")" "... ranks that have learnt in different communicators agree"
    : >"$file"
    through "$mpi" 2 --mode star --learnt "$file" -- often 3
    is "0 0" "$? $(grep -c LEARNT "$dir/err")" "... an empty file is none"
    echo "my thesis" >"$file"
    through "$mpi" 2 --mode star --learnt "$file" -- often 3
    is "1 my thesis" "$(grep -c "line 1: not written by collsel (want '# collsel learnt 1" "$dir/err") $(cat "$file")" "... a file of something else is refused, and stays"
}

try() {
    local mpi=$1 most=$2
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "star on $mpi"
        return
    fi
    for repository in paper native full; do
        through "$mpi" "$most" --mode star --repository $repository --judge fastest --report "$dir/star.json" -- often 800
        is 0 $? "$mpi, $repository: the application ends well"
        is "800 times, 0 wrong" "$(cat "$dir/out")" "... with right results"
        bcast='"collective": "bcast"' alltoall='"collective": "alltoall"'
        if [ $repository = paper ]; then
            is "null" "$(field "$alltoall" default_s)" "... the paper's repository has no default"
            is "0" "$(field "$bcast" measured | head -n 1)" "... and no broadcasts"
        else
            holds "$(field "$alltoall" default_s) > 0" "... the library's own call is a candidate"
            is "" "$(calls_of "$bcast" | grep -vxE '[0-9]+0')" "... broadcasts from two roots together are known by ten calls each, or those of periods"
        fi
        holds "$(field "$alltoall" measured) % 10 == 0 && $(field "$alltoall" measured) >= 40" "... each measured candidate ran ten times"
        holds "$(field "$alltoall" measured) + $(field "$alltoall" monitored) == 800" "... the rest was watched"
        holds "$(field "$alltoall" agreements) >= 3" "... and agreed on"
        holds "$(field "$alltoall" o_ms_c_s) > 0 && $(field "$alltoall" o_ms_a_s) > 0 && $(field "$alltoall" o_ma_s) > 0" "... with its overheads"
    done
    through "$mpi" 2 --mode star --judge fastest --report "$dir/star.json" -- often 6
    is "still trying still trying" "$(echo $(field '"alltoall"' algorithm) $(grep -m 1 '^alltoall ' "$dir/err" | grep -o 'still trying'))" "$mpi: before anything is chosen no candidate is named"
    is 1 "$(grep '^collsel: star: alltoall ' "$dir/err" | grep -c ' 0 watched the choice; .*, O_MA -; ')" "... what was never done has no time, not one of 0.00"
    holds "$(sed -n 's/.*"saved": "\([^"]*\)".*/\1/p' "$dir/star.json" | grep -cvx 'not settled') == 0" "... nor is anything settled"
    is "0 0" "$(grep -c ': gained: \|: lost: \|; gained\|; lost' "$dir/err") $(grep -c 'instead of' "$dir/err")" "... and nothing is said to be gained"
    through "$mpi" 2 --mode star --report "$dir/star.json" -- often 800
    awk '/^collsel: star: alltoall/ && match($0, /; (gained|lost|not settled): /) { word = substr($0, RSTART + 2, RLENGTH - 4)
        if (match($0, /: [0-9.]+ s; all by the default: [0-9.]+ to [0-9.]+ s/)) {
            split(substr($0, RSTART + 2, RLENGTH), v, " ")
            bad = (word == "gained" && !(v[1] < v[7])) || (word == "lost" && !(v[1] > v[9])) || !(v[7] <= v[9])
        } else bad = word != "not settled"
        n++ } END { exit !(n == 1 && !bad) }' "$dir/err"
    ok $? "$mpi: the word follows from the interval of what the default had taken"
    # MPICH's launcher ends with 0 now and then, though a rank was killed.
    local with=0 without=0
    for _ in 1 2 3; do [ $with != 0 ] || { through "$mpi" 2 --mode star -- killed 2000; with=$?; }; done
    cp "$dir/err" "$dir/err.killed"
    for _ in 1 2 3; do [ $without != 0 ] || { app "$mpi" 2 killed 2000; without=$?; }; done
    is "$without 0" "$with $(grep -c 'gained' "$dir/err.killed")" "$mpi: where a rank is killed the status is the launcher's, and nothing is said to be gained"
    through "$mpi" 2 --mode star -- all
    cp "$dir/out" "$dir/with"
    app "$mpi" 2 all
    cmp -s "$dir/with" "$dir/out"
    ok $? "$mpi: few calls of many kinds have their results"
    export COLLSEL_GROUPS=0 COLLSEL_SITES=1 COLLSEL_SIZES=1
    through "$mpi" 2 --mode star -- often 300
    is "0 300 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: without groups, by place, one size of each"
    unset COLLSEL_GROUPS COLLSEL_SITES COLLSEL_SIZES
    through "$mpi" 2 --mode star --report "$dir/star.json" -- places 600
    is "600 [200, 400]" "$(field '"allreduce"' calls) $(sed -n 's/.*"site_calls": \(\[[^]]*\]\).*/\1/p' "$dir/star.json")" \
        "$mpi: a call from two places is one kind, and the report has how often from each"
    is 1 "$(grep -c 'collsel: from: allreduce of 4 bytes: .* 200 calls, .* 400 calls,' "$dir/err")" "... as has the summary"
    COLLSEL_SITES=1 through "$mpi" 2 --mode star --report "$dir/star.json" -- places 600
    is "200 400" "$(echo $(field '"allreduce"' calls | sort -n))" "$mpi: told apart by their place they are two"
    is "190 390" "$(echo $(paste <(field '"allreduce"' measured) <(field '"allreduce"' monitored) | awk '{ print $1 + $2 }' | sort -n))" "... and tuned apart, behind the first ten calls"
    local odd=$'a\e[31m\nx"q'
    cp "$dir/app-$mpi" "$dir/$odd-$mpi"
    program=$odd through "$mpi" 2 --report "$dir/odd.json" -- places 6
    is "0 0 1" "$? $(grep -c $'\e' "$dir/err") $(grep -cF 'a?[31m?x"q-' <(grep -m 1 '^allreduce' "$dir/err"))" "$mpi: the name of a program reaches no terminal unescaped"
    is 'a?[31m?x"q-' "$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["rows"][0]["sites"][0][:11])' "$dir/odd.json")" "... and its report is JSON"
    through "$mpi" 2 --report /dev/full -- places 6
    has "collsel: COLLSEL_REPORT: cannot write '/dev/full': No space left on device" "$(cat "$dir/err")" "$mpi: a report that cannot be written is told"
    is 0 "$(rm -f "$dir/old.json"; echo old >"$dir/old.json"; ln -f "$dir/old.json" "$dir/older.json"; through "$mpi" 2 --report "$dir/old.json" -- places 6; echo $?)" "$mpi: a report over one that is there"
    is old "$(cat "$dir/older.json")" "... replaces it when it is whole"
    COLLSEL_JUDGE=best through "$mpi" 2 --mode star -- often 3
    has "COLLSEL_JUDGE: 'best' (want sure or fastest)" "$(cat "$dir/err")" "$mpi: a judge that is none is refused"
    through "$mpi" 2 --mode star --judge fastest --report "$dir/star.json" -- often 300
    is "" "$(calls_of '"collective": "alltoall"' | grep -vxE '10|[2468]+0|160')" "$mpi: by the paper's judge, ten calls of each"
    learnt "$mpi"
    COLLSEL_SIZES=0 through "$mpi" 2 --mode star -- often 3
    has "COLLSEL_SIZES: '0' (want 1 to 64)" "$(cat "$dir/err")" "$mpi: a number that is out of range is refused"
    through "$mpi" 3 --mode star -- many 500
    has "500 communicators, no more memory" "$(cat "$dir/out")" "$mpi: communicators that come and go leave nothing"
    build_made "$mpi"
    for n in "20 1" "20 10" "3 11" "3 150"; do
        local comms=${n% *} calls=${n#* }
        # shellcheck disable=SC2086 # two words
        made "$mpi" 3 --mode star --judge fastest --report "$dir/star.json" -- $n
        is "$((calls > 10 ? comms : 0)) made, 0 wrong" "$(cat "$dir/out")" "$mpi: of $comms communicators, $calls calls of a kind on each, $((calls > 10 ? comms : 0)) get one of ours; results are right"
        is "$((comms * calls)) $((calls > 10 ? comms * (calls - 10) : 0))" "$(counted '"collective": "allreduce"')" "... and the first ten calls of a kind are neither measured nor watched"
    done
}
try openmpi 4
try mpich 3
tap_done
