#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# An application whose collectives run as a table says: right results for all kinds of calls, and the summary tells what ran.
. tests/libcollsel/lib.sh
header=collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout

# table FILE COLLECTIVE=ALGORITHM[,SEGMENT,FANOUT]...: for all ranks and sizes.
table() {
    local file=$1; shift
    echo "$header" >"$file"
    for word; do
        case $word in
        *,*) echo "${word%%=*},,,,,${word#*=}" ;;
        *) echo "${word%%=*},,,,,${word#*=},," ;;
        esac >>"$file"
    done
}
table "$dir/few.csv" bcast=portable:binomial gather=portable:binomial scatter=portable:binomial allgather=portable:ring_light_barrier \
    allgatherv=portable:direct_ring alltoall=portable:simple reduce=openmpi:in-order_binary allreduce=openmpi:recursive_doubling \
    reduce_scatter=portable:recursive_multiplying reduce_scatter_block=portable:circulant scan=openmpi:recursive_doubling \
    exscan=openmpi:recursive_doubling barrier=portable:bruck
table "$dir/others.csv" bcast=openmpi:chain,64,3 gather=portable:knomial,0,3 scatter=portable:bine allgather=openmpi:bruck allgatherv=portable:circulant \
    alltoall=portable:bruck_k,0,3 reduce=openmpi:pipeline,64,0 allreduce=portable:allgather_ring reduce_scatter=portable:bine \
    reduce_scatter_block=mpich:recursive_halving scan=mpich:recursive_doubling exscan=mpich:recursive_doubling barrier=mpich:dissemination

printf '%s\nbcast,2,,10,20,portable:binomiol,,\n' "$header" >"$dir/typo.csv"
{ cat "$dir/few.csv"; printf 'bcast,,,,,\0nothing,,\n'; } >"$dir/nul.csv"
wrong_table() { [ "$1" = endless ] && echo /dev/zero || echo "$dir/$1.csv"; }
# wrong_words TABLE: what is said of it.
wrong_words() {
    case $1 in
    typo) echo "$dir/typo.csv:2: 'portable:binomiol' is no algorithm" ;;
    none) echo "cannot open '$dir/none.csv': No such file" ;;
    nul) echo "$dir/nul.csv:$(wc -l <"$dir/nul.csv"): a NUL character" ;;
    endless) echo "'/dev/zero' is larger than 64 MiB" ;; # before memory is full
    esac
}

try() {
    local mpi=$1 most=$2
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "tables on $mpi"
        return
    fi
    for p in 1 2 "$most"; do
        app "$mpi" "$p" all
        cp "$dir/out" "$dir/without"
        for t in few others; do
            through "$mpi" "$p" --table "$dir/$t.csv" -- all
            is 0 $? "$mpi, P = $p, $t: the application ends well"
            cmp -s "$dir/without" "$dir/out"
            ok $? "... and prints what it prints without"
            cp "$dir/err" "$dir/$t.$p"
        done
    done
    is 0 "$(grep -c portable "$dir/few.1")" "$mpi: one rank alone calls the library"
    timeout $patience "$collsel" run --table <(cat "$dir/few.csv") -- "$dir/app-$mpi" often 3 >"$dir/out" 2>"$dir/err"
    is "0 3 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: a table that is a pipe is not read before MPI begins"
    # collective, comm, procs, nodes, op, root, bytes, calls, time, mean, skew, ran
    echo "$header
bcast,,,,,portable:pipeline,8192," >"$dir/segments.csv"
    through "$mpi" 2 --table "$dir/segments.csv" --report "$dir/segments.json" -- often 3
    is "portable:pipeline 8192" "$(sed -n 's/.*"collective": "bcast".*"algorithm": "\([^"]*\)", "segment_bytes": \([0-9]*\), .*/\1 \2/p' "$dir/segments.json" | sort -u)" \
        "$mpi: the report has the segment, without which its time would be another algorithm's"
    "$collsel" import -q -c local --name segments --set mapping=core --results "$dir/results" "$dir/segments.json" >"$dir/out" 2>"$dir/err"
    has "portable:pipeline,8192,0," "$(cat "$dir"/results/local/segments/imported.csv)" "$mpi: and so has what is imported of it"
    is "portable:binomial" "$(awk '$1 == "bcast" && $7 > 0 { print $12 }' "$dir/few.$most" | sort -u)" "$mpi: the summary tells what broadcasts ran"
    is "default" "$(awk '$1 == "bcast" && $7 == 0 { print $12 }' "$dir/few.$most" | sort -u)" "... and that those of nothing went to the library"
    is "default" "$(awk '$1 == "alltoallv" { print $12 }' "$dir/few.$most" | sort -u)" "... as did what no schedule runs"
    is "portable:bruck" "$(awk '$1 == "barrier" { print $12 }' "$dir/few.$most" | sort -u)" "... and barriers"
    has "not run as chosen: openmpi:pipeline: the operation does not commute" "$(sed 's/chosen: /chosen: openmpi:/' "$dir/others.$most")" \
        "$mpi: where the order of ranks matters, what does not keep it is not run, and told"

    table "$dir/bits.csv" allreduce=portable:bine_doubling
    app "$mpi" 3 sums 5
    cp "$dir/out" "$dir/without"
    through "$mpi" 3 --table "$dir/bits.csv" -- sums 5
    is "0 $(cut -d ' ' -f 1 "$dir/without" | xargs)" "$? $(cut -d ' ' -f 1 "$dir/out" | xargs)" "$mpi: whole numbers are summed by what combines differently on each rank"
    has "not run as chosen: portable:bine_doubling: each rank combines in another order" "$(sed 's/chosen: /chosen: portable:/' "$dir/err")" \
        "... and floating-point ones are not, which is told"
    is "$(cat "$dir/without")" "$(cat "$dir/out")" "... so that they are the library's to the bit"
    has "default, 50 %" "$(grep '^ *allreduce' "$dir/err")" "... which is one half of the calls"

    for t in typo none nul endless; do
        preloaded "$mpi" 2 COLLSEL_MODE=table "COLLSEL_TABLE=$(wrong_table $t)" -- all
        holds "$? != 0" "$mpi, $t: a wrong table ends the application when MPI begins"
        has "collsel: COLLSEL_TABLE: $(wrong_words $t)" "$(tr -d '\0' <"$dir/err")" "... by the variable's name, and says why"
    done
    preloaded "$mpi" 2 COLLSEL_MODE=table -- all
    holds "$? != 0" "$mpi: so does none"
    preloaded "$mpi" 2 COLLSEL_MODE=trace "COLLSEL_TABLE=$dir/few.csv" -- all
    has "COLLSEL_TABLE: is of mode table or star, and the mode is trace" "$(cat "$dir/err")" "$mpi: a table for another mode is not ignored"
    through "$mpi" 3 --table "$dir/few.csv" -- many 500
    has "500 communicators, no more memory" "$(cat "$dir/out")" "$mpi: communicators that come and go leave nothing"
    build_made "$mpi"
    printf '%s\nallreduce,,,,,default,,\nbcast,,,5,,portable:binomial,,\n' "$header" >"$dir/default.csv"
    made "$mpi" 2 --table "$dir/default.csv" -- 5 3
    is "0 made, 0 wrong" "$(cat "$dir/out")" "$mpi: where the table leaves all calls to the library, no communicator gets one of ours"
    made "$mpi" 2 --table "$dir/few.csv" -- 5 3
    is "5 made, 0 wrong" "$(cat "$dir/out")" "... and each gets one where schedules run"
    # Open MPI's own format, under either MPI: broadcasts, in segments from 1,000 bytes on.
    printf '%s\n' 1 7 1 4 2 "0 6 0 0" "1000 3 0 128" >"$dir/site.rules"
    app "$mpi" 4 all
    cp "$dir/out" "$dir/without"
    through "$mpi" 4 --rules "$dir/site.rules" --library openmpi-4.1 --table "$dir/of_rules.csv" -- all
    is 0 $? "$mpi: an application goes by a file of rules of Open MPI's ($(tail -n 1 "$dir/err"))"
    cmp -s "$dir/without" "$dir/out"
    ok $? "... and prints what it prints without"
    is "$([ "$mpi" = openmpi ] && echo openmpi || echo portable):binomial" "$(awk '$1 == "bcast" && $7 > 0 && $3 == 4 && $7 < 1000 { print $12 }' "$dir/err" | sort -u)" "... by the algorithm that the file says"
    is "default" "$(awk '$1 == "alltoall" { print $12 }' "$dir/err" | sort -u)" "... and where the file says nothing by its own"
    app "$mpi" 2 wrong
    cp "$dir/out" "$dir/without"
    through "$mpi" 2 --table "$dir/few.csv" -- wrong
    is "$(cat "$dir/without")" "$(cat "$dir/out")" "$mpi: wrong arguments are refused as MPI refuses them"
}

# `run` reads the table, too, before it starts anything.
for t in typo none nul endless; do
    "$collsel" run --table "$(wrong_table $t)" -- mpirun -n 2 "$dir/no-such-program" 2>"$dir/err"
    is 1 $? "run --table, $t: status 1, and nothing is started"
    has "collsel run: $(wrong_words $t)" "$(cat "$dir/err")" "... for this reason"
done
"$collsel" run --mode table -- true 2>"$dir/err"
is "2 1" "$? $(grep -c -- '--mode table wants --table or --rules' "$dir/err")" "mode table wants one"
"$collsel" run --mode trace --table "$dir/few.csv" -- true 2>"$dir/err"
is "2 1" "$? $(grep -c -- '--table wants --mode table or star' "$dir/err")" "and other modes do not take one"

# All is checked before a table is written: a command that cannot start leaves nothing behind.
printf '%s\n' 1 7 1 4 2 "0 6 0 0" "1000 3 0 128" >"$dir/good.rules"
(cd "$dir" && "$top/$collsel" run --rules good.rules --library openmpi-4.1 -- true) 2>"$dir/err"
is 1 $? "a command that is no application of MPI's is refused"
has "the command has no application linked with MPI" "$(cat "$dir/err")" "... as that"
ok "$([ ! -e "$dir/collsel-rules.csv" ]; echo $?)" "... and no table is left"
"$collsel" run --rules "$dir/good.rules" --library openmpi-4.1 --table "$dir/new/deep/t.csv" -- true 2>"$dir/err"
ok "$([ ! -e "$dir/new" ]; echo $?)" "nor are directories for one"
"$collsel" run --rules "$dir/good.rules" --library openmpi-4.1 --table "$dir/new/deep/t.csv" --mpi openmpi --build "$BUILD" -- "$dir/no-program" 2>"$dir/err"
is 1 $? "nor where the program is missing"
ok "$([ ! -e "$dir/new" ]; echo $?)" "... which leaves nothing behind either"

# Where --table does not say where it goes, nothing of the user's is replaced; a table of a run before is.
printf '#!/bin/sh\necho ran\n' >"$dir/tells" && chmod +x "$dir/tells"
unnamed() { (cd "$dir" && "$top/$collsel" run --rules good.rules --library openmpi-4.1 --mpi openmpi --build "$top/$BUILD" -- ./tells) >"$dir/out" 2>"$dir/err"; }
printf '# mine, long in the making\n%s\nbcast,,,,,default,,\n' "$header" | tee "$dir/collsel-rules.csv" >"$dir/mine.csv"
unnamed
is "1 " "$? $(cat "$dir/out")" "a file that is there already is not replaced, and nothing is started"
has "'collsel-rules.csv' is there, and collsel run --rules has not made it (want --table" "$(cat "$dir/err")" "... which is said"
cmp -s "$dir/mine.csv" "$dir/collsel-rules.csv"
ok $? "... and it is as it was"
: >"$dir/collsel-rules.csv"
unnamed
is 1 $? "nor is an empty one"
rm "$dir/collsel-rules.csv"
unnamed
is "0 ran" "$? $(cat "$dir/out")" "where there is none it is written ($(head -n 1 "$dir/err"))"
has "good.rules: read for 2 to 1024 ranks; larger communicators are left to the library" "$(cat "$dir/err")" "... which says for how many ranks"
cp "$dir/collsel-rules.csv" "$dir/first.csv"
echo "bcast,,,,,default,," >>"$dir/collsel-rules.csv"
unnamed
is "0 ran" "$? $(cat "$dir/out")" "and one of a run before is written again"
cmp -s "$dir/first.csv" "$dir/collsel-rules.csv"
ok $? "... as the file of rules has it"
rm "$dir/collsel-rules.csv"

# A file of rules is read before anything is started.
printf '%s\n' 1 6 1 2 1 "0 5 0 0" >"$dir/fails.rules"
"$collsel" run --rules "$dir/fails.rules" --library openmpi-4.1 --table "$dir/none.csv" -- true 2>"$dir/err"
is 1 $? "a file of rules by which calls fail is refused"
has "fails.rules: barrier of 0 bytes among 3 fails (line 6" "$(cat "$dir/err")" "... with the call and the line"
ok "$([ ! -e "$dir/none.csv" ]; echo $?)" "... and no table is left"
"$collsel" run --rules "$dir/fails.rules" -- true 2>"$dir/err"
is 2 $? "whose rules they are has to be said"
"$collsel" run --library openmpi-4.1 --table "$dir/none.csv" -- true 2>"$dir/err"
is 2 $? "and a table is no rules"
"$collsel" run --mode trace --rules "$dir/fails.rules" --library openmpi-4.1 -- true 2>"$dir/err"
is 2 $? "which a trace does not take"
mkfifo "$dir/pipe"
timeout 60 "$collsel" run --table "$dir/pipe" -- true 2>"$dir/err"
is 1 $? "a pipe of the file system has no end"
has "is a pipe" "$(cat "$dir/err")" "... which is said"
"$collsel" run --rules /dev/zero --library openmpi-4.1 -- true 2>"$dir/err"
is 1 $? "a file of rules has an end"
has "'/dev/zero' is larger than 64 MiB" "$(cat "$dir/err")" "... which is said"
cp "$dir/fails.rules" "$dir/kept.rules"
ln -s kept.rules "$dir/linked"
"$collsel" run --library openmpi-4.1 --rules "$dir/kept.rules" --table "$dir/linked" -- true 2>"$dir/err"
is 2 $? "the table does not replace what it is made of"
has "--table: $dir/linked is what the table is made of (want another file)" "$(cat "$dir/err")" "... which is said"
cmp -s "$dir/fails.rules" "$dir/kept.rules"
ok $? "... and it is still there"
"$collsel" run --rules "$dir/not.rules" --library openmpi-4.1 -- true 2>"$dir/err"
is 1 $? "one that is not there"
has "not.rules" "$(cat "$dir/err")" "... is named"

try openmpi 5
try mpich 4
tap_done
