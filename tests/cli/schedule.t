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
is "bcast two_level.chain.binomial" "$("$collsel" schedule bcast two_level.chain.binomial -p 6 -m 24 --mapping core --ppn 3 --prove |
    sed -n 's/^proved: \([a-z_]* [a-z_.]*\) .*/\1/p')" "... and a combination with all that it combines"
is "allgather mpich_brucks" "$(proves allgather brucks)" "a short name will do where it is unique"
refused "'lam:binomial' is not an algorithm of bcast: 'lam' is no library" bcast lam:binomial -p 4 -m 1 --traffic
refused "'openmpi:bine' is not an algorithm of bcast" bcast openmpi:bine -p 4 -m 1 --traffic
refused "'openmpi:allgather_reduce' of allreduce is the library's own, and has no schedule" allreduce openmpi:allgather_reduce -p 4 -m 1 --traffic

# Of what a later release has alone nothing is said either: it was compared with that release.
for a in "reduce knomial" "allgather sparbit" "allgatherv sparbit" "bcast knomial"; do
    is "" "$("$collsel" schedule ${a% *} "openmpi:${a#* }" -p 8 -m 64 --traffic 2>&1 >/dev/null)" "openmpi:${a#* } of ${a% *} was compared with a running library"
done

# What runs instead follows from the number of elements, not from their bytes.
runs() { "$collsel" schedule "$@" --prove 2>/dev/null | sed -n 's/^proved: [a-z_]* \([a-z_]*\) .*/\1/p'; }
is "ring" "$(runs allreduce ring -p 8 -m 56)" "56 bytes are enough for a ring of 8 ranks"
is "recursive_doubling" "$(runs allreduce ring -p 8 -m 56 --type double --op sum)" "... and 7 numbers of 8 bytes are not"
is "ring" "$(runs allreduce openmpi:ring -p 8 -m 64 --type double --op sum)" "... but 8 are"
is "basic_linear" "$(runs allreduce rabenseifner -p 8 -m 64 --type double --op user_ordered)" "an operation that does not commute"
is "rabenseifner" "$(runs allreduce rabenseifner -p 8 -m 64 --type double --op user)" "... and one of somebody's that does"
is "mpich_reduce_scatter_allgather" "$(runs allreduce mpich:reduce_scatter_allgather -p 8 -m 800 --op sum --type int)" "MPICH halves for operations of MPI's"
is "mpich_recursive_doubling" "$(runs allreduce mpich:reduce_scatter_allgather -p 8 -m 800 --op user --type int)" "... alone, and doubles for others"
is "mpich_recursive_doubling" "$(runs allreduce mpich:reduce_scatter_allgather -p 8 -m 800 --op user_ordered --type int)" "... whether they commute or not"
is "mpich_binomial" "$(runs reduce mpich:reduce_scatter_gather -p 8 -m 800 --op user --type int)" "its reductions then go up a tree"
is "$("$collsel" schedule allreduce mpich:recursive_doubling -p 8 -m 800 --traffic)" \
    "$("$collsel" schedule allreduce mpich:reduce_scatter_allgather -p 8 -m 800 --op user --type int --traffic 2>"$dir/err")" "with the messages of what runs"
is "for these arguments, mpich_recursive_doubling runs in place of mpich_reduce_scatter_allgather, as in the library" "$(cat "$dir/err")" "... which is said"
refused "--op: MPI has no 'band' of 'double'" reduce binomial -p 4 -m 8 --type double --op band --prove
refused "--op: MPI has no 'sum' of 'byte' (--type says of what)" reduce binomial -p 4 -m 8 --op sum --prove
refused "--bytes: 16777215 TiB among 2 processes are too many to count" bcast binomial -p 2 -m 16777215T --text
is "reduce chain.8" "$("$collsel" schedule reduce openmpi:chain.8 -p 6 -m 24 -s 4 --prove | sed -n 's/^proved: \([a-z_]* [a-z_.0-9]*\) .*/\1/p')" "a chain with a limit of requests has it in its name"
refused "'chain.0': '0' requests at a time (want 1 to 1024)" reduce chain.0 -p 4 -m 8 --prove
refused "--op: 'add' is not an operation" reduce binomial -p 4 -m 8 --op add --prove
refused "--type: 'MPI_INT' is not a data type" reduce binomial -p 4 -m 8 --type MPI_INT --prove
refused "did you mean 'double'?" reduce binomial -p 4 -m 8 --type dobule --prove
for of in character:1 real8:8 integer4:4 complex32:32 cxx_bool:1 cxx_double_complex:16; do
    is "" "$("$collsel" schedule bcast binomial -p 4 -m $((${of#*:} * 3)) --type "${of%:*}" --prove 2>&1 >/dev/null)" "${of%:*} has ${of#*:} bytes"
done
refused "33 bytes are no whole number of elements of 32" bcast binomial -p 4 -m 33 --type complex32 --prove
for of in double_complex:16 2double_precision:16 logical:4; do
    is "--type: ${of%:*} has ${of#*:} bytes, the default of Fortran compilers" \
        "$("$collsel" schedule bcast binomial -p 4 -m 48 --type "${of%:*}" --prove 2>&1 >/dev/null)" "${of%:*}: the size is the compiler's, which is said"
done
is "ring" "$(runs allreduce ring -p 8 -m 128 --type 2double_precision --op maxloc)" "8 pairs of a Fortran type are enough for a ring of 8 ranks"
is "recursive_doubling" "$(runs allreduce ring -p 8 -m 112 --type 2double_precision --op maxloc)" "... and 7 are not"
refused "--op: MPI has no 'land' of 'integer4'" reduce binomial -p 4 -m 8 --type integer4 --op land --prove
refused "--op: 'bcast' combines nothing" bcast binomial -p 4 -m 8 --op sum --prove
refused "9 bytes are no whole number of elements of 4" bcast binomial -p 4 -m 9 --type int --prove

# Blocks of sizes that are listed.
is "src,dst,messages,bytes
0,1,3,12
1,2,3,17
2,3,3,8
3,0,3,14" "$($collsel schedule allgatherv openmpi:ring -p 4 --sizes 3,5,0,9 --traffic)" "sizes of blocks as listed"
is "src,dst,messages,bytes
0,1,1,8192
1,0,1,7" "$($collsel schedule alltoallv pairwise -p 2 --sizes 3,8K,7,1 --traffic)" "... of an alltoallv of all pairs"
for of in allgatherv reduce_scatter; do
    for name in $($collsel schedule --list | awk -v of=$of '$1 == of && $2 !~ "^two_proc|_level$" { print $2 }'); do
        "$collsel" schedule $of "$name" -p 5 --sizes 3,5,0,900,40K --prove >"$dir/out" 2>&1 || echo "$of $name"
    done
done >"$dir/unproved"
is "" "$(cat "$dir/unproved")" "all algorithms of blocks that differ are proved with a list"
refused "--sizes: 3 sizes (want 4)" allgatherv ring -p 4 --sizes 1,2,3 --prove
refused "--sizes and --bytes together" allgatherv ring -p 2 -m 8 --sizes 1,2 --prove
refused "--sizes: the blocks of 'allgather' are all of one size" allgather ring -p 2 --sizes 1,2 --prove
refused "whole elements of 4 bytes" allgatherv ring -p 2 --sizes 4,6 --type int --prove
refused "--sizes: fewer sizes than there are blocks (want 100000)" allgatherv ring -p 100000 --sizes 1,2 --prove
has "[2^n ranks, else direct_ring; group: steps]" "$($collsel schedule --list | grep '^allgather  *pair ')" "the list tells what a row wants, and its group"
has "sensible from 0 B to" "$($collsel schedule --list | grep '^alltoall  *2d_mesh ')" "... and for which messages it makes sense"

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
is "for these arguments, simple runs in place of 2d_mesh" "$("$collsel" schedule alltoall 2d_mesh -p 7 -m 8 --traffic 2>&1 >/dev/null)" \
    "of an algorithm that no library has, no library is named"
is "no node has more than one rank: the algorithm of that level has nothing to do" \
    "$("$collsel" schedule bcast two_level.binomial.chain -p 4 -m 8 --ppn 1 --traffic 2>&1 >/dev/null)" "a combination on nodes of one rank says so"
is "scan" "$("$collsel" schedule --list scan | awk '{ print $1 }' | sort -u)" "--list of one collective"
is "scan" "$("$collsel" schedule --list --json scan | sed -n 's/.*"collective": "\(.*\)",.*/\1/p' | sort -u)" "... as JSON"
refused "'bcst' is not a collective that has schedules (collsel schedule --list shows them); did you mean 'bcast'?" --list bcst
refused "--list: 'ring' is one argument too many" --list bcast ring

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
refused "'nope' is not an algorithm of bcast" bcast nope -p 4 -m 1 --traffic
refused "'gatherv' is not a collective that has schedules" gatherv binomial -p 4 -m 1 --traffic
refused "'nope' is not a collective that has schedules" nope binomial
refused "'nope' is not an algorithm of bcast" bcast nope
refused "schedule: want --procs" bcast chain -m 1 --traffic
grep -q "at least 1" "$dir/err"
is 1 $? "... of which none was given"
refused "want --procs of at least 1" bcast chain -p 0 -m 1 --traffic
refused "--procs: '3000000000' is more than 2147483647" bcast chain -p 3000000000 -m 1 --traffic
refused "--procs: " bcast chain -p -4 -m 1 --traffic
refused "want --bytes" bcast chain -p 4 --traffic
refused "--sizes: 'random' wants --bytes, their mean" alltoallv pairwise -p 3 --sizes random --prove
refused "--sizes: 'zero' is no list of sizes (want equal, random, zeros, one_large, or sizes)" alltoallv pairwise -p 3 -m 8 --sizes zero --prove
is "" "$("$collsel" schedule barrier tree -p 4 --prove 2>&1 >/dev/null)" "a barrier needs no bytes"
is "--bytes is ignored: barrier moves none" "$("$collsel" schedule barrier tree -p 4 -m 8 --prove 2>&1 >/dev/null)" "... and says that it takes none"
refused "--bytes: '8Q'" bcast chain -p 4 -m 8Q --traffic
refused "--segment: ''" bcast chain -p 4 -m 8 -s "" --traffic
refused "root 4 is not a rank of 4 processes" bcast chain -p 4 -m 8 -r 4 --traffic
refused "knomial: fan-out 1 (want at least 2)" bcast knomial -p 4 -m 8 -k 1 --traffic
refused "want one of --traffic" bcast chain -p 4 -m 8
# A picture as text: what each rank does in each stage, stages that are alike in one row.
"$collsel" schedule bcast pipeline -p 4 -m 32K -s 8K --text >"$dir/text"
is "$(printf '%s\n' 'bcast pipeline, 4 processes, 32 KiB in 4 segments of 8 KiB: 12 messages, 96 KiB in all, 6 stages' \
    '  stage  each message         0    1    2    3' '      1  8 KiB                >1   <0' '      2  8 KiB                >1   >2<0 <1' \
    '    3-4  8 KiB                >1   >2<0 >3<1 <2' '      5  8 KiB                     >2   >3<1 <2' '      6  8 KiB                          >3   <2' \
    '         >3: sends to rank 3; <3: receives from it; =3: both; 5>, 5<: so many')" "$(cat "$dir/text")" "--text draws a pipeline"
timeout 60 "$collsel" schedule bcast pipeline -p 4 -m 300000 -s 3 --text >"$dir/text"
is "0 100002" "$? $(tail -n 2 "$dir/text" | awk 'NR == 1 { print $1 }')" "of a hundred thousand stages, too"
refused "a drawing of 100 processes does not fit 200 columns" bcast chain -p 100 -m 8 --text
refused "--traffic and --svg together: choose one" bcast chain -p 4 -m 8 --traffic --svg
refused "'extra' is one argument too many" bcast chain extra -p 4 -m 8 --traffic
refused "a picture of 129 processes would not be readable" bcast chain -p 129 -m 8 --svg
refused "too much for a proof" bcast chain -p 1000 -m 1G --prove
refused "100000 processes are too many for a proof (at most 92681" allreduce recursive_doubling -p 100000 -m 8 --prove
refused "too many for a proof" barrier recursive_doubling -p 100000 --prove
refused "ranks may end with different last bits" allreduce bine_doubling -p 16 -m 800 --type double --op sum --prove
"$collsel" schedule allreduce bine_doubling -p 16 -m 800 --type int --op sum --prove --output "$dir/proof"
is "0 proved: allreduce bine_doubling" "$? $(cut -d ' ' -f 1-3 "$dir/proof")" "sums of whole numbers may; --output takes the proof, too"
"$collsel" schedule barrier linear -p 4 --type double --prove >/dev/null 2>"$dir/err"
has "--type is ignored" "$(cat "$dir/err")" "a barrier's data type is said to be ignored"
refused "'bin?omial' is not an algorithm of bcast" bcast "bin
omial" -p 4 -m 8 --traffic
refused "--sizes: '-1' is not a size" allgatherv ring -p 2 --sizes -1,2 --traffic
refused "--sizes: 'nan' is not a size" allgatherv ring -p 2 --sizes 1,nan --traffic
refused "'nan' is not a mapping" bcast two_level.binomial.binomial -p 8 -m 8 --ppn 2 --mapping nan --prove
is "$($collsel schedule bcast two_level.binomial.binomial -p 8 -m 8 --ppn 8 --prove 2>&1)" \
    "$($collsel schedule bcast two_level.binomial.binomial -p 8 -m 8 --ppn 2147483647 --prove 2>&1)" "a node holds no more ranks than there are"
"$collsel" schedule bcast binomial -p 1073741824 -m 8 --stages >/dev/null 2>"$dir/err" &
soon grep -q about "$dir/err"
kill $!
wait $! 2>/dev/null
has "this schedule has about" "$(cat "$dir/err")" "a walk of hours says so before it begins"
"$collsel" schedule bcast binomial -p 1000 -m 8 --stages >/dev/null 2>"$dir/err"
is "" "$(cat "$dir/err")" "... a short one says nothing"
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
