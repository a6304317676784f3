#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel rules: what a library makes of a file of rules. The readers themselves: tests/harness/rules/rules-t.c.
. tests/cli/run.sh

cat >"$dir/some.rules" <<'END'
2            # collectives
2            # allreduce
1
2
2
0 3 0 0
8192 4 0 0   # ring
0            # allgather
1
2
2
0 2 0 0
262144 4 0 0
END
run rules "$dir/some.rules" --library openmpi-4.1
is 0 $status "a file that is fine"
says "some.rules: loaded by openmpi-4.1; 0 errors, 0 warnings" "$dir/out" "is said to be"
if command -v mpirun.openmpi >/dev/null; then
    run rules "$dir/some.rules" --library openmpi
    says "loaded by openmpi-$(mpirun.openmpi --version | sed -nE '1s/.* (4\.[0-9]+|[0-9]+)\..*/\1/p')" "$dir/out" "a library's name is its release that is installed"
else
    skip "no Open MPI here" "the release that is installed"
fi
if command -v mpirun.mpich >/dev/null; then
    release=$(mpirun.mpich --version | sed -nE 's/.*Version: *([0-9.]+).*/\1/p')
    echo '{ "collective=bcast": { "algorithm=MPIR_Bcast_intra_binomial": {} } }' >"$dir/tree.json"
    run rules "$dir/tree.json" --library mpich
    says "by mpich-$(echo "$release" | cut -d. -f1,2) (mpich $release is installed here)" "$dir/out" "MPICH's is asked for, and named"
    # A release that nobody has read is taken for no other. Without a compiler the launcher's word is taken.
    mkdir "$dir/later"
    ln -s "$(command -v env)" "$(command -v sh)" "$dir/later"
    printf '#!/bin/sh\necho "HYDRA build details:\n    Version: 4.7.1"\n' >"$dir/later/mpirun.mpich"
    chmod +x "$dir/later/mpirun.mpich"
    PATH=$dir/later "$PWD/$collsel" rules "$dir/tree.json" --library mpich >"$dir/out" 2>"$dir/err"
    status=$?
    is 2 $status "a release that nobody has read is refused"
    says "by name)" "$dir/err" "with that word"
else
    skip "no MPICH here" "the release that is installed"
fi
PATH=$dir "$PWD/$collsel" rules "$dir/some.rules" --library openmpi >"$dir/out" 2>"$dir/err"
is 2 $? "where none is, its release is wanted"
run rules "$dir/some.rules" --library openmpi-6
is 1 $status "under 6.0"
says "bruck-k-fanout with a radix (fan-out) of 0 never returns" "$dir/out" "its allgather hangs"
says "warning: 6.0 reads the numbers of processes of this form another way" "$dir/out" "and its blocks mean something else"
run rules "$dir/some.rules" --library openmpi-4.1 --collective allgather -p 4,64 -m 4K,64K
is 0 $status "a question"
is "bruck (2) ring (4) ring (4) ring (4)" "$(sed -n 's/^allgather.*B: //p' "$dir/out" | xargs)" "sizes are totals: 4 KiB of 64 processes are as many bytes as 64 KiB of 4"
says "line 13, for 262144 and more (bytes x processes), of the block of line 10" "$dir/out" "and the line is named"
run rules "$dir/some.rules" --library openmpi-5 --collective allgather -p 64 -m 4K --ppn 16
says "component han takes the call" "$dir/out" "on several nodes another component decides"
run rules "$dir/some.rules" --library openmpi-4.1 --collective bcast -p 64 -m 4K
says "openmpi's own decision, which is" "$dir/out" "without a rule it is the library's own decision"
says "the file has no rules of bcast, only of allgather, allreduce" "$dir/out" "and it is said of what there are rules"
run rules "$dir/some.rules" --library openmpi-4.1 --collective allreduce -p 4 -m 8K --json
is '7 rule 7 ring' "$(sed -n 's/^ *"\(outcome\|line\|algorithm\)": "*\([a-z0-9]*\)"*,*$/\2/p' "$dir/out" | xargs)" "the same as JSON, behind a note on line 7"
says '"loaded": true' "$dir/out" "which says that the file is loaded"

# ---- what is wrong ----
printf 'x\n' >"$dir/one.rules"
run rules "$dir/one.rules" --library openmpi-4.1
says "; 1 error, " "$dir/out" "one error is not 1 errors"
sed '1s/2/3/' "$dir/some.rules" >"$dir/short.rules"
run rules "$dir/short.rules" --library openmpi-4.1
is 1 $status "a file that is dropped"
says "short.rules:14: error: the file ends where the number of a collective is wanted" "$dir/out" "says where it ends"
says "not used by openmpi-4.1" "$dir/out" "and that it is not used"
run rules "$dir/short.rules" --library openmpi-4.1 --collective allreduce -p 4 -m 8K
is 1 $status "a question to it"
says "the file is not used: line 14: the file ends where the number of a collective is wanted: the whole file is dropped" "$dir/out" \
    "is answered: by no rule, and why"
sed 's/^0 2 0 0/0 6 0 0/' "$dir/some.rules" >"$dir/two.rules"
run rules "$dir/two.rules" --library openmpi-4.1 --json
is 1 $status "a rule that makes calls fail"
says '"kind": "fails"' "$dir/out" "has its word in JSON"

# ---- component han ----
cat >"$dir/han.rules" <<'END'
1 bcast
1 2       # level: all ranks
2
1 1 0 tuned
16 2
0 basic
64 han
END
run rules "$dir/han.rules" --library openmpi-5-han --collective bcast -p 8,16 -m 8,64 --ppn 4
is 0 $status "a question to a file of han's"
is "tuned tuned basic han" "$(sed -n 's/^bcast.*B: //p' "$dir/out" | xargs)" "components are named"
says "line 7, for 64 and more bytes of a rank, of the block of line 5, for 16 and more ranks, level global_communicator" "$dir/out" "and the line"
run rules "$dir/han.rules" --library openmpi-5-han --collective bcast -p 16 -m 64 --ppn 4 --level inter_node
says "own decision, which is tuned" "$dir/out" "between nodes the file says nothing"
says "the rules of bcast, on line 1, have none of level inter_node" "$dir/out" "which is why"
run rules "$dir/han.rules" --library openmpi-5
is 1 $status "it is no file of the other component"
says "component han reads this file: --library openmpi-5-han" "$dir/out" "which is said"
run rules "$dir/han.rules" --library openmpi-5 --collective bcast -p 4 -m 8
says "; component han reads this file: --library openmpi-5-han" "$dir/out" "also to whom asks for a call"
run rules "$dir/han.rules" --library openmpi-5-han --collective reduce -p 4 -m 8 --ppn 2
says "the file has no rules of reduce, only of bcast" "$dir/out" "a collective that is not in it is called so"
run rules "$dir/some.rules" --library openmpi-5-han
is 1 $status "nor the other way round"
says "component tuned reads this file: --library openmpi-5" "$dir/out" "which is said, too"
run rules "$dir/some.rules" --library openmpi-5 --collective bcast -p 4 -m 8 --level inter_node
is 2 $status "a level of a file that has none"
run rules "$dir/han.rules" --library openmpi-5-han --collective bcast -p 16 -m 64
is 2 $status "a question that does not say on how many nodes"
says "--nodes or --ppn is wanted" "$dir/err" "which is not taken for one"
run rules "$dir/han.rules" --library openmpi-5-han --level inter_node
is 2 $status "a level of no call"
says "want --collective, too" "$dir/err" "is not passed over"
run rules /dev/zero --library openmpi-5
is 1 $status "a file without an end"
says "is larger than 64 MiB" "$dir/err" "is not read for ever"
printf '1 bcast 1 2 1 1 1 0 \033[31mtuned\n' >"$dir/escape.rules"
run rules "$dir/escape.rules" --library openmpi-5-han
is 1 $status "a word that is no component"
says "'?[31mtuned' is no component" "$dir/out" "is told without what a terminal obeys"

# ---- why a call gets no rule ----
cat >"$dir/six.json" <<'END'
{ "collectives": { "bcast": [
  { "comm_size_min": 4, "comm_size_max": 8, "rules": [
    { "msg_size_min": 0, "msg_size_max": 63, "alg": 99 },
    { "msg_size_min": 64, "alg": 3 } ] } ] } }
END
six() { run rules "$dir/six.json" --library openmpi-6 --collective "$@"; }
six bcast -p 4 -m 8
says "the rule that fits, on line 3, names an algorithm that this release does not have" "$dir/out" "a rule that the reader leaves out"
six bcast -p 9 -m 8
says "the block of bcast, from line 2 on, is not for 9 processes" "$dir/out" "no block for so many processes"
six reduce -p 4 -m 8
says "the file has no rules of reduce, only of bcast" "$dir/out" "no block of the collective"
echo '{ "collectives": { "alltoallw": [ {} ] } }' >"$dir/dies.json"
run rules "$dir/dies.json" --library openmpi-6 --collective bcast -p 4 -m 8
says "line 1: the component does not serve alltoallw" "$dir/out" "a file that ends the program"
run rules "$dir/some.rules" --library mpich-4.0 --collective bcast -p 4 -m 8
says "no JSON object" "$dir/out" "and one that MPICH cannot read, with what is wrong"
printf 'collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout\nbcast,2,4,1,8,portable:chain,,\n' >"$dir/table.csv"
why() { "$collsel" rules "$1" --library libcollsel --collective "$2" -p 4 -m 64 | sed -n 's/^    //p'; }
is "no row of the collective has these processes and bytes" "$(why "$dir/table.csv" bcast)" "a table without such a row"
is "the file has no row of the collective" "$(why "$dir/table.csv" reduce)" "and without the collective"
sed 's/chain/chin/' "$dir/table.csv" >"$dir/chin.csv"
has "the file is not used: line 2: " "$(why "$dir/chin.csv" bcast)" "and one that is not read, with its line"

# ---- usage ----
run rules "$dir/some.rules"
is 2 $status "without a library"
says "whose rules they are, such as openmpi-5" "$dir/err" "and such a name is said"
run rules "$dir/some.rules" --library openmpi-3
is 2 $status "of a library that is not known"
says "want openmpi-4.0, openmpi-4.1, openmpi-5.0.0, openmpi-5, openmpi-6, openmpi-4.1-han, openmpi-5-han, openmpi-6-han, mpich-4.0, mpich-4.1, mpich-4.2, mpich-4.3, mpich-5.0" "$dir/err" "those that are known are named"
run rules "$dir/some.rules" --library openmpi-4.1 --collective bcast -p 4
is 2 $status "a question without a size"
run rules "$dir/some.rules" --library openmpi-4.1 --collective broadcast -p 4 -m 8
is 2 $status "of no collective"
run rules "$dir/some.rules" --library openmpi-4.1 --collective bcast -p 16 -m 8 --nodes 2 --ppn 2
is 2 $status "sixteen processes on two nodes of two"
says "there are no 16 processes on 2 nodes, so few on one" "$dir/err" "which is said"
run rules "$dir/some.rules" --library openmpi-4.1 --collective bcast -p 2 -m 8 --nodes 4
is 2 $status "two on four nodes, too"
run rules "$dir/some.rules" --library openmpi-4.1 --collective bcast -p 2,8 -m 8 --nodes 4
is "0 2" "$status $(grep -c '^bcast P = ' "$dir/out")" "two and eight on four nodes both get an answer"
is "collsel rules: --nodes 4: P = 2 is used with 2 nodes, one rank each" "$(cat "$dir/err")" "two of them on two nodes, which is said"
run rules "$dir/none.rules" --library openmpi-4.1
is 1 $status "a file that is not there"
says "none.rules" "$dir/err" "is named"

# ---- published files ----
data=../shared/data/ornl-peak
if [ -e $data/first/decision.file ]; then
    run rules $data/first/decision.file --library openmpi-4.1
    is 1 $status "a published file: some of its calls fail"
    is 9 "$(grep -c 'fails\]' "$dir/out")" "two_proc in blocks that also govern three processes"
    says "decision.file:4: warning: sizes of allgather are bytes x processes" "$dir/out" "it has sizes of one process"
    run rules $data/rerun/decision.file --library openmpi-4.1
    says "decision.file:244: error: the file ends where the number of a collective is wanted" "$dir/out" \
        "its second one announces more collectives than it has: nothing of it is used"
else
    skip "no shared data here" "published files"
fi
tap_done
