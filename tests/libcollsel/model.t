#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A trained model before an application: its choices run, its likeliest are what star tries. And a profile of star's times becomes a table.
long=${COLLSEL_LONG:-}
. tests/libcollsel/lib.sh

# field COLLECTIVE NAME: of the report's row of 200 or 4 bytes.
field() { grep -F "\"collective\": \"$1\"" "$dir/report" | grep -E '"bytes": (200|4),' | head -n 1 | sed -n "s/.*\"$2\": \"\{0,1\}\([^\",]*\).*/\1/p"; }

# Times of three sizes among 2, 4 and 8 ranks, of which one algorithm is far ahead: a learner has it.
awk -v OFS=, 'BEGIN {
    print "collective,P,alg,bytes,us"
    split("ring 90,portable:simple 20,portable:pairwise 60,portable:modified_bruck 70,default 100", kinds, ",")
    for (p = 2; p <= 8; p *= 2)
        for (m = 16; m <= 4096; m *= 4)
            for (k = 1; k <= 5; k++) {
                split(kinds[k], of, " ")
                if (of[1] != "ring")
                    print "alltoall", p, of[1], m, of[2] * (1 + m / 10000) * p
            }
}' >"$dir/times.csv"
{
    "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/times.csv"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
    "$collsel" train -q -c peak --results "$dir/results" --dataset planted --output "$dir/model.json"
} >"$dir/out" 2>&1
ok $? "a model is trained ($(tail -n 1 "$dir/out"))"
"$collsel" export --model "$dir/model.json" --library libcollsel -p 4 -m 64 --likely 2 >"$dir/t.csv" 2>"$dir/err"
is 0 $? "its table ($(tail -n 1 "$dir/err"))"
is "alltoall,4,4,64,64,portable:simple,," "$(grep ^alltoall "$dir/t.csv" | grep -v default | head -n 1)" "has what is fastest first"
"$collsel" export --model "$dir/model.json" --library openmpi-4.1 -p 4 -m 64 --likely 2 >"$dir/out" 2>&1
is 2 $? "libraries' own rules cannot say what is likely"
"$collsel" run --mode table --model "$dir/model.json" -- true 2>"$dir/err"
is 2 $? "a model is no table"
"$collsel" run --model "$dir/none.json" -- true 2>"$dir/err"
is 1 $? "a model that is not there"
has "none.json" "$(cat "$dir/err")" "... is told before anything is started"
"$collsel" run --model "$dir/model.json" --table "$dir/none.csv" -- true 2>"$dir/err"
is 2 $? "a model makes no file of a table"
"$collsel" run --for mini -- true 2>"$dir/err"
is 2 $? "another machine is asked about with a model alone"
"$collsel" run --model "$dir/model.json" --for none -- true 2>"$dir/err"
is 2 $? "a cluster that is not there is told, too"

# What a communicator gets, printed.
"$collsel" recommend --model "$dir/model.json" --table -p 4 --nodes 1 --ppn 4 >"$dir/t.csv" 2>"$dir/err"
is 0 $? "what a communicator gets is printed ($(head -n 1 "$dir/t.csv"))"
is "# end" "$(tail -n 1 "$dir/t.csv")" "... with its end"
"$collsel" rules "$dir/t.csv" --library libcollsel >"$dir/out"
is 0 $? "... as a table that is read"
printf '[cluster]\nname = two\nnodes = 1\nsockets = 1\ncores = 2\n' >"$dir/two.ini"
"$collsel" recommend --model "$dir/model.json" --for "$dir/two.ini" --table -p 4 --nodes 1 --ppn 4 >"$dir/t.csv" 2>"$dir/err"
is "0 # end" "$? $(tail -n 1 "$dir/t.csv")" "on a machine of two cores four ranks run, too"
is "0 left to the library: all collectives: want at most 2 processes" "$(grep -c '^[a-z]*,4,' "$dir/t.csv") $(grep -o 'left to .* processes, ' "$dir/err" | sed 's/, $//')" "... and the library decides, which is told"
"$collsel" recommend --model "$dir/model.json" --table -p 8 --nodes 2 --ppn 3 >"$dir/out" 2>"$dir/err"
is 2 $? "where so many ranks cannot be, there is none"
"$collsel" recommend --model "$dir/model.json" --table -p 8 --nodes 2 --ppn 4 -m 8 >"$dir/out" 2>"$dir/err"
is 2 $? "it is of all sizes"
"$collsel" recommend --model "$dir/model.json" --likely 2 --collective alltoall -p 8 -m 8 >"$dir/out" 2>"$dir/err"
is 2 $? "and what is likely is its alone"

# A model that knows no time of the default says what is fastest, but nobody knows what that gains: a table leaves all to the library.
grep -v default "$dir/times.csv" >"$dir/undefaulted.csv"
{
    "$collsel" import -q -c peak --name undefaulted --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/undefaulted.csv"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset undefaulted
    "$collsel" train -q -c peak --results "$dir/results" --dataset undefaulted --output "$dir/undefaulted.json"
} >"$dir/out" 2>&1
ok $? "a model is trained without the default ($(tail -n 1 "$dir/out"))"
has "portable:simple" "$("$collsel" recommend --model "$dir/undefaulted.json" --portable --collective alltoall -p 4 -m 64)" "recommend says what is fastest"
"$collsel" recommend --model "$dir/undefaulted.json" --table -p 4 --nodes 1 --ppn 4 >"$dir/t.csv" 2>"$dir/err"
is "0 0" "$? $(grep -c portable "$dir/t.csv")" "in its table is nothing instead of the default"
has "the model does not know what is gained over the library's default: they are left to the library" "$(cat "$dir/err")" "... which is told"
is "# $(cat "$dir/err")" "$(sed -n 2p "$dir/t.csv")" "... and stands in its head ($(cat "$dir/err"))"
"$collsel" recommend --model "$dir/undefaulted.json" --table --likely 2 -p 4 --nodes 1 --ppn 4 2>/dev/null | grep ^alltoall >"$dir/rows"
holds "$(grep -c default "$dir/rows") > 0 && $(grep -c portable:simple "$dir/rows") > 0" "... what is likely stands behind the default"
"$collsel" recommend --model "$dir/model.json" --table -p 4 --nodes 1 --ppn 4 >"$dir/t.csv" 2>"$dir/err"
is "0 # end" "$? $(tail -n 1 "$dir/t.csv")" "a model that knows it makes one, too"
is 0 "$(cat "$dir/t.csv" "$dir/err" | grep -c 'does not know')" "... and of it nothing is told"

# A second one, of which the choice goes by where ranks are: one of three is far ahead by nodes and ranks on each, and none with long messages.
awk -v OFS=, 'BEGIN {
    print "collective,P,nodes,ppn,alg,bytes,us"
    split("portable:simple portable:pairwise portable:modified_bruck default", name, " ")
    for (nodes = 1; nodes <= 4; nodes++)
        for (ppn = 1; ppn <= 4; ppn++)
            for (m = 16; m <= 65536; m *= 4) {
                best = nodes == 1 ? 1 : ppn == 1 ? 2 : 3
                for (k = 1; k <= 4; k++)
                    if (nodes * ppn > 1)
                        print "alltoall", nodes * ppn, nodes, ppn, name[k], m, (k == 4 ? (m > 5000 ? 10 : 40) : k == best ? 20 : 60) * (1 + m / 10000) * nodes * ppn
            }
}' >"$dir/placed.csv"
{
    "$collsel" import -q -c peak --name placed --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us "$dir/placed.csv"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset placed
    "$collsel" train -q -c peak --results "$dir/results" --dataset placed --output "$dir/placed.json"
} >"$dir/out" 2>&1
ok $? "a model is trained whose choice goes by where ranks are ($(tail -n 1 "$dir/out"))"

# recommended MPI COLLECTIVE BYTES PROCS NODES PPN: what the model chooses there; where it expects no gain, "default".
recommended() {
    "$collsel" recommend -q --model "$dir/placed.json" --portable --csv --collective "$2" -m "$3" -p "$4" --nodes "$5" --ppn "$6" |
        awk -F, 'NR == 2 { print (($11 > 0 && $8 !~ /default$/) ? $8 : "default") }'
}

# Where a row begins and ends in a table is where the choice changes, to the byte.
"$collsel" recommend --model "$dir/placed.json" --table -p 6 --nodes 2 --ppn 3 | grep ^alltoall, | while IFS=, read -r _ _ _ from to algorithm _; do
    for bytes in "$((from - 1))" "$from" "$to" "$((to + 1))"; do
        [ "$bytes" -gt 0 ] && [ "$bytes" -le 1073741824 ] && echo "$bytes $([ "$bytes" -ge "$from" ] && [ "$bytes" -le "$to" ] && echo "$algorithm" || echo default) $(recommended openmpi alltoall "$bytes" 6 2 3)"
    done
done >"$dir/ends"
holds "$(wc -l <"$dir/ends") >= 2" "a table has ends: $(awk '{ print $1 }' "$dir/ends" | xargs)"
is "" "$(awk '$2 != $3' "$dir/ends")" "... and there the choice changes, to the byte"

# ran_on REPORT NODES: what ran as all-to-all on communicators with these nodes.
ran_on() { sed -n "s/.*\"collective\": \"alltoall\".*\"nodes\": $2,.*\"algorithm\": \"\([^\"]*\)\".*/\1/p" "$1" | sort -u | xargs; }

try() {
    local mpi=$1
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "the model on $mpi"
        return
    fi
    through "$mpi" 4 --model "$dir/model.json" --report "$dir/report" -- often 60
    is "0 60 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: an application by the model's choices"
    has "collsel: model, $mpi" "$(cat "$dir/err")" "... says so"
    through "$mpi" 4 --mode star --judge fastest --model "$dir/model.json" --report "$dir/report" -- often 250
    is "0 250 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: star with the model's likeliest"
    holds "$(field alltoall measured) <= 40" "... tries three beside the default"
    holds "$(field allreduce measured) > 40" "... of what the model does not know all that there is"
    is 4 "$(grep -F '"alltoall"' "$dir/report" | sed 's/.*"tried": \[\(.*\)\], "sites".*/\1/' | grep -o '\["' | wc -l)" "... and tells what each took"

    # Each communicator runs what the model chooses for its own ranks and nodes.
    env -u OMPI_CC -u MPICH_CC "mpicc.$mpi" -g -rdynamic -o "$dir/shapes-$mpi" tests/libcollsel/shapes.c
    export SHAPES_PPN=3
    program=shapes through "$mpi" 8 --model "$dir/placed.json" --report "$dir/shapes" -- 5
    is "0 0 wrong" "$? $(grep wrong "$dir/out")" "$mpi: an application with communicators of many shapes"
    grep -v wrong "$dir/out" | sort -u >"$dir/cells"
    holds "$(cut -d ' ' -f 2- "$dir/cells" | sort -u | wc -l) > 8" "... of which $(cut -d ' ' -f 2- "$dir/cells" | sort -u | wc -l) are different"
    # Of them every third is asked for again; with COLLSEL_LONG all.
    [ -n "$long" ] || { sed -n '1~3p' "$dir/cells" >"$dir/some" && mv "$dir/some" "$dir/cells"; }
    while read -r bytes procs nodes ppn; do
        recommended "$mpi" alltoall "$bytes" "$procs" "$nodes" "$ppn"
    done <"$dir/cells" >"$dir/wanted"
    while read -r bytes procs _; do
        sed -n "s/.*\"collective\": \"alltoall\".*\"procs\": $procs,.*\"bytes\": $bytes,.*\"algorithm\": \"\([^\"]*\)\".*/\1/p" "$dir/shapes" | sort -u | xargs
    done <"$dir/cells" >"$dir/ran"
    is "" "$(paste -d ' ' "$dir/cells" "$dir/wanted" "$dir/ran" | awk '$5 != $6')" "... each of them runs what \`collsel recommend --model\` says of its ranks, nodes and bytes"
    is "" "$(while read -r bytes procs nodes ppn; do grep -qF "\"procs\": $procs, \"nodes\": $nodes, \"ppn\": $ppn, \"bytes\": $bytes," "$dir/shapes" || echo "$procs on $nodes, $ppn"; done <"$dir/cells")" "... the profile tells the nodes of each, and the most ranks on one"
    holds "$(sort -u "$dir/wanted" | wc -l) >= 4" "... which are $(sort "$dir/wanted" | uniq -c | xargs)"
    is "default" "$(sed -n 's/.*"collective": "bcast".*"algorithm": "\([^"]*\)".*/\1/p' "$dir/shapes" | sort -u)" "... and what the model does not know is left to the library"
    SHAPES_PPN=8 program=shapes through "$mpi" 8 --model "$dir/placed.json" --report "$dir/other" -- 5
    is "0 0 wrong" "$? $(grep wrong "$dir/out")" "... and with all ranks on one node"
    grep -v wrong "$dir/out" | sort -u >"$dir/cells"
    is "1" "$(cut -d ' ' -f 3 "$dir/cells" | sort -u)" "$mpi: all on one node"
    is "default portable:simple" "$(sed -n 's/.*"collective": "alltoall".*"procs": 8,.*"algorithm": "\([^"]*\)".*/\1/p' "$dir/other" | sort -u | xargs)" "... the model chooses otherwise"
    # A table's row can be for communicators on one node, or for those with one rank on each.
    printf '%s\n' collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout,nodes,ppn alltoall,,,,,portable:simple,,,1, alltoall,,,,,portable:pairwise,,,,1 >"$dir/placed.kinds"
    program=shapes through "$mpi" 8 --table "$dir/placed.kinds" --report "$dir/kinds" -- 5
    is "0 0 wrong" "$? $(grep wrong "$dir/out")" "$mpi: by a table that goes by nodes"
    is "default portable:pairwise portable:simple" "$(ran_on "$dir/kinds" '[2-9], "ppn": [2-9]') $(ran_on "$dir/kinds" '[2-9], "ppn": 1') $(ran_on "$dir/kinds" '1, "ppn": [2-9]')" "... each kind of communicator runs its row"
    unset SHAPES_PPN

    # Who answers for the world and then no more is asked eight times by a rank, not for every communicator.
    printf '#!/bin/sh\necho $PPID >>%s\ncase "$*" in *"-p 8 "*"--nodes 3 "*) exec %s "$@" ;; esac\nexit 1\n' "$dir/asked" "$(realpath "$collsel")" >"$dir/once" && chmod +x "$dir/once"
    rm -f "$dir/asked"
    OUT=$dir/out launch "$mpi" 8 env SHAPES_PPN=3 LD_PRELOAD="$top/$BUILD/$mpi/libcollsel-$mpi.so" COLLSEL_MODE=model COLLSEL_MODEL="$dir/placed.json" COLLSEL_PROGRAM="$dir/once" "$dir/shapes-$mpi" 5
    timeout $patience "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "0 0 wrong" "$? $(grep wrong "$dir/out")" "$mpi: where collsel fails later, the library's own calls run"
    has "ask --table' failed" "$(cat "$dir/err")" "... which is told"
    is "9" "$(sort "$dir/asked" | uniq -c | sort -rn | awk 'NR == 1 { print $1 }')" "... and after eight failures nobody is asked again"

    # The application's handler is told of the ends of its own children, and of no other.
    env -u OMPI_CC -u MPICH_CC "mpicc.$mpi" -g -o "$dir/children-$mpi" tests/libcollsel/children.c
    program=children through "$mpi" 4 --model "$dir/model.json" --report "$dir/children.json" --
    is "0 told 0, collected 0" "$? $(cat "$dir/out")" "$mpi: a handler for ends of children is not told of who answers"
    is "yes" "$(grep -q '"collective": "alltoall".*"procs": 2,' "$dir/children.json" && echo yes)" "... who was asked for two communicators at least"
    program=children through "$mpi" 4 --model "$dir/model.json" --report "$dir/children.json" -- old
    is "0 told 0, collected 4" "$? $(cat "$dir/out")" "... nor once more of a child that ended before, and waits to be collected"
    printf '#!/bin/sh\n: >%s\nsleep 1\nexec %s "$@"\n' "$dir/ends-now" "$(realpath "$collsel")" >"$dir/waits" && chmod +x "$dir/waits"
    rm -f "$dir/ends-now"
    OUT=$dir/out launch "$mpi" 4 env LD_PRELOAD="$top/$BUILD/$mpi/libcollsel-$mpi.so" COLLSEL_MODE=model COLLSEL_MODEL="$dir/model.json" COLLSEL_PROGRAM="$dir/waits" "$dir/children-$mpi" "$dir/ends-now"
    timeout $patience "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "0 4" "$? $(sed 's/.*collected //' "$dir/out")" "... and of its own it is, also where they end while somebody is asked"

    # Who closes its output and hangs is ended, and its answer counts.
    printf '#!/bin/sh\n%s "$@"\necho $$ >%s\nexec sleep 3000 >&-\n' "$(realpath "$collsel")" "$dir/hangs-pid" >"$dir/hangs" && chmod +x "$dir/hangs"
    OUT=$dir/out launch "$mpi" 2 env LD_PRELOAD="$top/$BUILD/$mpi/libcollsel-$mpi.so" COLLSEL_MODE=model COLLSEL_MODEL="$dir/model.json" COLLSEL_PROGRAM="$dir/hangs" "$dir/app-$mpi" often 3
    timeout 300 "${line[@]}" >"$dir/out" 2>"$dir/err"
    is "0 3 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: who answers and does not end is believed"
    is 1 "$(grep -cF "'$dir/hangs ask --table' closed its output, and did not end within 10 s; its answer is used" "$dir/err")" "... which is told once"
    is "gone" "$(kill -0 "$(cat "$dir/hangs-pid")" 2>/dev/null || echo gone)" "... and is ended"

    # What cannot be asked is an error at the beginning, and told.
    OUT=$dir/out launch "$mpi" 2 env LD_PRELOAD="$top/$BUILD/$mpi/libcollsel-$mpi.so" COLLSEL_MODE=model COLLSEL_MODEL="$dir/placed.json" COLLSEL_PROGRAM="$dir/none" "$dir/app-$mpi" often 3
    timeout $patience "${line[@]}" >"$dir/out" 2>"$dir/err"
    holds "$? != 0" "$mpi: where collsel is not there, MPI_Init ends the application"
    has "COLLSEL_MODEL: cannot run '$dir/none'" "$(cat "$dir/err")" "... with the reason"
    OUT=$dir/out launch "$mpi" 2 env LD_PRELOAD="$top/$BUILD/$mpi/libcollsel-$mpi.so" COLLSEL_MODE=model COLLSEL_MODEL="$dir/none.json" COLLSEL_PROGRAM="$(realpath "$collsel")" "$dir/app-$mpi" often 3
    timeout $patience "${line[@]}" >"$dir/out" 2>"$dir/err"
    holds "$? != 0" "$mpi: and where the model is not"
    has "none.json" "$(cat "$dir/err")" "... which is named"
    OUT=$dir/out launch "$mpi" 2 env LD_PRELOAD="$top/$BUILD/$mpi/libcollsel-$mpi.so" COLLSEL_MODE=model COLLSEL_MODEL="$dir/placed.json" "$dir/app-$mpi" often 3
    timeout $patience "${line[@]}" >"$dir/out" 2>"$dir/err"
    holds "$? != 0" "$mpi: who is to be asked has to be said"
    has "COLLSEL_PROGRAM: not set" "$(cat "$dir/err")" "... by the variable's name"
}
try openmpi
try mpich

# Back again: of star's times a data set, and of that a table.
if [ -s "$dir/report" ]; then
    sed -i 's/"mpi": "mpich"/"mpi": "openmpi"/' "$dir/report"
    "$collsel" import -q -c peak --name app --results "$dir/results" --set mapping=core "$dir/report" >"$dir/out" 2>&1
    is 0 $? "a profile is imported ($(tail -n 1 "$dir/out"))"
    rows=$dir/results/peak/app/imported.csv
    is 4 "$(grep -cE ',alltoall,.*,[1-9][0-9]*,ok,' "$rows")" "a row for each candidate that was tried"
    holds "$(grep -cE ',[1-9][0-9]*,ok,' "$rows") > 20" "... of each kind of call"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset app >"$dir/out" 2>&1 &&
        "$collsel" export -q -c peak --results "$dir/results" --dataset app --library libcollsel --unsure --output "$dir/app.csv" >"$dir/out" 2>&1
    is 0 $? "and a table is made of it"
    "$collsel" rules "$dir/app.csv" --library libcollsel >"$dir/out"
    is 0 $? "which is read"
fi
tap_done
