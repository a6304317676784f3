#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel schedule: views, errors, exit statuses.
. tests/tap.sh

refused() { # refused MESSAGE ARGUMENT...: exit status 2, nothing on stdout, MESSAGE on stderr
    wanted=$1
    shift
    "$collsel" schedule "$@" >"$dir/out" 2>"$dir/err"
    is 2 $? "refused: schedule $*"
    grep -qF -- "$wanted" "$dir/err" && [ ! -s "$dir/out" ]
    ok $? "... says: $wanted"
    grep -qF -- "$wanted" "$dir/err" || sed 's/^/# seen: /' "$dir/err"
}

is "src,dst,messages,bytes
0,1,3,10
0,3,3,10
1,2,3,10" "$($collsel schedule bcast chain --procs 4 --bytes 10 --segment 4 --fanout 2 --traffic)" \
    "traffic of two chains"
is "$($collsel schedule bcast chain --procs 4 --bytes 10 --segment 4 --fanout 2 --traffic)" \
    "$($collsel schedule bcast chain -p 4 -m 10 -s 4 -k 2 --traffic)" "short options are the same"
is "rank,round,phase,op,peer,buffer,offset,bytes,from_buffer,from_offset
0,0,0,send,1,send,0,5,,
1,0,0,recv,0,recv,0,5,,
1,1,0,copy,,recv,5,5,send,0" \
    "$($collsel schedule gather basic_linear -p 2 -m 5 -r 1 --rounds)" "rounds of a gather"
is "first_stage,last_stage,sends,receives,bytes,combined
1,6,0,1,8192,0
1,6,1,0,8192,0" "$($collsel schedule bcast pipeline -p 4 -m 32K -s 8K --stages)" \
    "stages of a pipeline: P + n - 2 alike"
is "first_stage,last_stage,sends,receives,bytes,combined
1,2,0,2,10,20
1,2,1,0,10,0" "$($collsel schedule reduce binary -p 3 -m 20 -s 10 --stages)" \
    "stages of a reduction: the root takes two segments in each, and combines both"
refused "'allgather' has no root" allgather ring -p 4 -m 10 -r 1 --stages
"$collsel" schedule reduce binomial -p 8 -m 100T -s 1 --stages > "$dir/out" 2> "$dir/err"
is 1 $? "more stages than a memory holds are refused"
grep -q "want at most 16777216" "$dir/err"
ok $? "with the bound"
is "" "$($collsel schedule bcast binomial -p 8 -m 0 --traffic | tail -n +2)" "no bytes, no messages"

# Around a ring of four, the root's message to the opposite rank goes by way of rank 1.
printf '%s\n' '[cluster]' 'name = ring' 'nodes = 4' 'sockets = 1' 'cores = 1' 'cpu = none' '[network]' \
    'topology = torus' 'torus = 4' >"$dir/ring.ini"
is "phase,step,link,name,from,to,messages,bytes
0,1,0,0+x,0,1,2,20
0,1,2,1+x,1,2,1,10
0,1,1,0-x,0,3,1,10" "$($collsel schedule bcast basic_linear -p 4 -m 10 --links "$dir/ring.ini")" \
    "messages and bytes on the links of a cluster"
sed -i 's/^torus = 4/torus = 5/' "$dir/ring.ini"
refused "ring.ini:$(grep -n "^torus = " "$dir/ring.ini" | cut -d: -f1): a torus of these extents has 5 nodes, not 4" bcast basic_linear -p 4 -m 10 --links "$dir/ring.ini"
refused "is not a cluster" bcast basic_linear -p 4 -m 10 --links nosuch
is "9" "$($collsel schedule --list | grep -cE '^bcast +(basic_linear|chain|pipeline|split_binary_tree|binary_tree|binomial|knomial|scatter_allgather|scatter_allgather_ring) ')" \
    "nine broadcast algorithms of Open MPI are listed"
proves() { "$collsel" schedule "$@" -p 6 -m 24 --prove 2>&1 | sed -n 's/^proved: \([a-z_]* [a-z_]*\) .*/\1/p'; }
is "bcast binomial" "$(proves bcast portable:binomial)" "an algorithm of ours may be spelled as in files"
is "bcast binomial" "$(proves bcast openmpi:binomial)" "... and one of Open MPI"
is "bcast mpich_binomial" "$(proves bcast mpich:binomial)" "... and one of MPICH, which sends in another order"
is "allgather mpich_brucks" "$(proves allgather brucks)" "a short name will do where it is unique"
refused "'bcast lam:binomial' is not an algorithm" bcast lam:binomial -p 4 -m 1 --traffic

# What an algorithm does not take is ignored, as in the library, and named.
is "$($collsel schedule bcast basic_linear -p 4 -m 16K --traffic)" \
    "$($collsel schedule bcast basic_linear -p 4 -m 16K --segment 8K --traffic 2>"$dir/err")" "no segments in a linear broadcast"
has "--segment is ignored: bcast basic_linear cuts no segments" "$(cat "$dir/err")" "... and it is said"
"$collsel" schedule bcast binomial -p 4 -m 16K -s 8K --fanout 7 --traffic >/dev/null 2>"$dir/err"
is "--fanout is ignored: bcast binomial has no fan-out" "$(cat "$dir/err")" "nor a fan-out in a binomial tree"
"$collsel" schedule bcast chain -p 4 -m 16K -s 8K --fanout 2 --traffic >/dev/null 2>"$dir/err"
is "" "$(cat "$dir/err")" "what it takes is not spoken of"

"$collsel" schedule bcast split_binary_tree -p 6 -m 100 -s 60 --traffic >"$dir/a" 2>"$dir/err"
"$collsel" schedule bcast pipeline -p 6 -m 100 -s 60 --traffic >"$dir/b"
cmp -s "$dir/a" "$dir/b"
ok $? "a substitute's traffic is shown"
is "for these arguments, pipeline runs in place of split_binary_tree, as in the library" \
    "$(cat "$dir/err")" "... and it is said"

PATH=/nonexistent "$collsel" schedule bcast binomial -p 16 -m 64K --svg --output "$dir/p.svg" 2>"$dir/err"
is 1 $? "a picture without Graphviz: the work failed"
grep -q "'dot' is not there (package graphviz" "$dir/err" && [ ! -e "$dir/p.svg" ]
ok $? "... says which package is missing, and leaves no file"
if command -v dot >/dev/null; then
    "$collsel" schedule bcast binomial -p 16 -m 64K -s 8K --svg --output "$dir/deep/er/p.svg"
    is 0 $? "a picture into a file, whose directory is made"
    is 16 "$(grep -c 'class="node rank"' "$dir/deep/er/p.svg")" "... of all ranks"
    is "</svg>" "$(tail -n 1 "$dir/deep/er/p.svg")" "... and whole"
else
    echo "# SKIP pictures: dot (graphviz) is not installed"
fi

"$collsel" schedule bcast scatter_allgather -p 23 -m 999 -r 7 --prove >"$dir/out"
is 0 $? "a proof"
grep -q '^proved: bcast scatter_allgather among 23 processes from root 7: ' "$dir/out"
ok $? "... says what was proved"
"$collsel" schedule reduce rabenseifner -p 5 -m 1K --prove >"$dir/out"
has "to root 0: the root ends with every rank's contribution once" "$(cat "$dir/out")" "... of a reduction what that is"
"$collsel" schedule allgather ring -p 5 -m 1K --prove >"$dir/out"
has "every rank ends with the block of every rank" "$(cat "$dir/out")" "... and of an allgather"

refused "want COLLECTIVE and ALGORITHM" --procs 4 --bytes 1 --traffic
refused "'bcast nope' is not an algorithm" bcast nope -p 4 -m 1 --traffic
refused "'gatherv' is not a collective that has schedules" gatherv binomial -p 4 -m 1 --traffic
refused "'nope' is not a collective that has schedules" nope binomial
refused "'bcast nope' is not an algorithm" bcast nope
refused "schedule: want --procs" bcast chain -m 1 --traffic
grep -q "at least 1" "$dir/err"
is 1 $? "... of which none was given"
refused "want --procs of at least 1" bcast chain -p 0 -m 1 --traffic
refused "--procs: '3000000000' is more than 2147483647" bcast chain -p 3000000000 -m 1 --traffic
refused "--procs: " bcast chain -p -4 -m 1 --traffic
refused "want --bytes" bcast chain -p 4 --traffic
refused "--bytes: '8Q'" bcast chain -p 4 -m 8Q --traffic
refused "--segment: ''" bcast chain -p 4 -m 8 -s "" --traffic
refused "root 4 is not a rank of 4 processes" bcast chain -p 4 -m 8 -r 4 --traffic
refused "knomial: fan-out 1 (want at least 2)" bcast knomial -p 4 -m 8 -k 1 --traffic
refused "want one of --traffic" bcast chain -p 4 -m 8
refused "--traffic and --svg together: choose one" bcast chain -p 4 -m 8 --traffic --svg
refused "'extra' is one argument too many" bcast chain extra -p 4 -m 8 --traffic
refused "a picture of 129 processes would not be readable" bcast chain -p 129 -m 8 --svg
refused "too much for a proof" bcast chain -p 1000 -m 1G --prove
refused "unrecognized option" bcast chain -p 4 -m 8 --colour

"$collsel" schedule bcast chain -p 4 -m 8 --traffic --output /dev/null/x 2>"$dir/err"
is 1 $? "a file that cannot be made: the work failed"
"$collsel" schedule bcast chain -p 4 -m 8 --traffic >/dev/full 2>"$dir/err"
is 1 $? "a full disk: the work failed"
if command -v dot >/dev/null; then
    "$collsel" schedule bcast chain -p 4 -m 8 --svg >/dev/full 2>"$dir/err"
    is 1 $? "... also of a drawing"
else
    skip "dot is not installed" "... also of a drawing"
fi
mkfifo "$dir/fifo"
"$collsel" schedule bcast chain -p 4 -m 8 --traffic --output "$dir/fifo" 2>"$dir/err"
is 1 $? "what is no regular file is not replaced"
[ -p "$dir/fifo" ]
ok $? "but stays"
"$collsel" schedule --help >"$dir/out"
is 0 $? "help"
tap_done
