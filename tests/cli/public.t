#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# What people met elsewhere, each with an input of our own: limits of requests in rules, a barrier that takes longer than an allreduce, times of
# nccl-tests and rccl-tests, decimal commas, an algorithm whose name has dashes, two environments of one library.
. tests/cli/run.sh
results=$dir/results

# ---- a limit of requests ----
printf 'rule-file-version-2\n1\n3\n1\n8\n2\n0 1 0 0 0\n4096 4 0 0 6\n' >"$dir/limit.rules"
run rules "$dir/limit.rules" --library openmpi-6 --collective alltoall -p 8 -m 64,8K
is 0 $status "a classic file of version 2, as Open MPI 6.0 reads it"
says "linear_sync (4), requests at a time 6" "$dir/out" "an alltoall with a limit of requests"
cat >"$dir/limit.json" <<'END'
{ "rule_file_version": 3, "module": "tuned", "collectives": { "alltoall": [ { "comm_size_min": 2, "rules": [
    { "msg_size_min": 0, "alg": "linear_sync", "reqs": 6 } ] } ] } }
END
run rules "$dir/limit.json" --library openmpi-6 --collective alltoall -p 8 -m 8K
says "requests at a time 6" "$dir/out" "the same as JSON"
sed 's/"reqs"/"max_requests"/' "$dir/limit.json" >"$dir/other.json"
run rules "$dir/other.json" --library openmpi-6
says "other.json:2: warning: the reader does not know 'max_requests' (it wants reqs): it is ignored" "$dir/out" "a key that the reader does not know is named with the one it wants"

# ---- a barrier ----
imb() { # imb FACTOR: IMB's four benchmarks at 180 ranks
    awk -v f="$1" 'BEGIN {
        split("Reduce Bcast Allreduce", name); split("7.3 11.2 39.2", us)
        print "#    Intel(R) MPI Benchmarks 2021.3, MPI-1 part"
        for (i = 1; i <= 3; i++) {
            printf "# Benchmarking %s\n# #processes = 180\n#bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n", name[i]
            printf "4 1000 %.2f %.2f %.2f\n\n", us[i] * f * 0.9, us[i] * f, us[i] * f * 0.95
        }
        printf "# Benchmarking Barrier\n# #processes = 180\n#repetitions t_min[usec] t_max[usec] t_avg[usec]\n1000 %.2f %.2f %.2f\n", 63.5 * f * 0.9, 63.5 * f, 63.5 * f * 0.95
    }'
}
imb 1 >"$dir/one.txt"
told="-c big --machine 5x2x18 --mpi openmpi --mpi-version 4.1.4 --set mapping=core,algorithm=default --results $results"
# shellcheck disable=SC2086
run import -q $told --name one "$dir/one.txt" && run fit -q --results "$results" --dataset one
run guidelines -q --results "$results" --dataset one
is 0 $status "one run proves nothing"
says "barrier <= allreduce, openmpi, core, P = 180 on 5, 0 B: 63.5 us against 39.2 us, 1.62 times slower" "$dir/out" "but a barrier is set against an allreduce"
says "allreduce <= reduce + bcast, openmpi, core, P = 180 on 5, 4 B: 39.2 us against 18.5 us, 2.12 times slower" "$dir/out" "and that against its two parts"
says "verdict on openmpi: open: in 2 of " "$dir/out" "the verdict is open"
says "up to 2.12 times, in one launch alone; to be sure take three launches or more" "$dir/out" "and says what would make it sure"
set --
for i in 1 2 3 4 5 6; do
    imb "1.0$i" >"$dir/run$i.txt"
    set -- "$@" "$dir/run$i.txt"
done
# shellcheck disable=SC2086
run import -q $told --name six "$@" && run fit -q --results "$results" --dataset six
run guidelines -q --results "$results" --dataset six
is 1 $status "six runs tell"
says "verdict on openmpi: its defaults violate guidelines in 2 of " "$dir/out" "for sure"

# ---- nccl-tests and rccl-tests ----
seeds=tests/fuzz/seeds/import_nccl
taken() { awk -F, '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["status"] == "ok" {
    print $at["collective"], $at["mpi"], $at["mapping"], $at["nodes"], $at["procs"], $at["bytes"], $at["algorithm"], $at["mean_s"] }' "$results/gpus/$1/imported.csv"; }
run import -q -c gpus --machine 2x1x8 --results "$results" --name text $seeds/text.txt
is 0 $status "text of nccl-tests"
is "allgather nccl core 2 4 16 nccl:default 1.234e-05" "$(taken text)" "is of a library of its own, by one rank's block, out of place; ranks and nodes are told"
is 1 "$(grep -c "own check says '3' wrong" "$results/gpus/text/imported.csv")" "a row of wrong data is set aside"
run import -q -c gpus --machine 2x1x8 --results "$results" --name within --where buffers=in-place $seeds/text.txt
is "1.15e-05 1.16e-05" "$(taken within | awk '{ print $8 }' | xargs)" "in place where that is asked for"
run import -q -c gpus --machine 2x1x8 --results "$results" --name object --set mapping=core $seeds/object.json
is "allreduce nccl core 1 2 8192 nccl:default 7.5e-06" "$(taken object)" "its JSON"
is 1 "$(grep -c 'nccl: SendRecv' "$results/gpus/object/imported.csv")" "what is no collective of ours is set aside"
run import -q -c gpus --machine 2x1x8 --results "$results" --name lines --set mapping=core $seeds/lines.json
is "allreduce rccl core 1 2 1024 rccl:default 1.25e-05" "$(taken lines)" "JSON of rccl-tests, an object a line"
run import -q -c gpus --machine 2x1x8 --results "$results" --name forced --mpi nccl-2.18 --set algorithm=ring $seeds/text.txt
is "nccl-2.18 nccl:ring" "$(taken forced | awk '{ print $2, $7 }' | sort -u)" "what --mpi and --set say of library and algorithm counts"
{
    echo collective,nodes,procs,bytes,algorithm,mean_s
    for a in ring:10 tree:14 default:12; do
        for b in 1024 8192; do echo "allreduce,1,4,$b,${a%:*},${a#*:}e-6"; done
    done
} >"$dir/two.csv"
run import -q -c gpus --machine 2x1x8 --results "$results" --name two --format csv --mpi nccl --set mapping=core \
    --map collective=collective,nodes=nodes,procs=procs,bytes=bytes,algorithm=algorithm,mean_s=mean_s:s "$dir/two.csv"
run report -q --results "$results" --dataset two
is "0 0" "$(grep -c MPI_ "$results/gpus/two/report/page.md") $(cat "$results"/gpus/two/report/*.html | grep -q 'data-raw="allreduce"\|>allreduce<'; echo $?)" \
    "a page of a library that is no MPI says allreduce, not MPI_Allreduce"
is 0 "$(grep -c 'itself combines' "$results/gpus/two/report/page.md")" "... and not how a default combines of which nobody knows what it runs"
says "There is no rule to write." "$results/gpus/two/report/index.html" "that no rule can be written, not that nothing gains"
sed '1d' $seeds/text.txt >"$dir/old.txt"
run import -q -c gpus --machine 2x1x8 --results "$results" --name old "$dir/old.txt"
is 2 $status "without a word of the collective"
says "--set collective=NAME" "$dir/err" "it is asked for"
# rows of one size, but of several operations and types: no runs of one point
sed '/^ *128 /d; s/all_gather/all_reduce/; s/^ *64 .*/ 64 16 float sum -1 10 0 0 0 9 0 0 0\n 64 16 float max -1 20 0 0 0 9 0 0 0\n 64 32 half max -1 30 0 0 0 9 0 0 N\/A/' $seeds/text.txt >"$dir/ops.txt"
ops() { run import -q -c gpus --machine 2x1x8 --results "$results" --name ops "$@" "$dir/ops.txt"; }
ops
is 2 $status "rows of several types are refused"
says "1 point has rows of several values of 'type', and a mean over these would be of none" "$dir/err" "which is said"
says "'float' (2 rows), 'half' (1 row)" "$dir/err" "with what there is"
ops --where type=float
says "several values of 'redop'" "$dir/err" "so are those of several operations"
ops --where redop=max --where 'type=h*'
is "allreduce nccl core 2 4 64 nccl:default 3e-05" "$(taken ops)" "those that are chosen are taken"
cat >"$dir/types.txt" <<'END'
# OSU MPI Allreduce Latency Test v7.3
# Datatype: MPI_INT.
# Size       Avg Latency(us)
4 1
# Datatype: MPI_FLOAT.
# Size       Avg Latency(us)
4 3
END
types() { run import -q -c gpus --machine 2x1x8 --mpi openmpi --set mapping=core,algorithm=ring,procs=8 --results "$results" --name types "$@" "$dir/types.txt"; }
types
says "1 point has rows of several values of 'datatype'" "$dir/err" "nor are blocks of OSU's of two types"
types --where datatype=MPI_FLOAT
is "allreduce openmpi core 1 8 4 openmpi:ring 3e-06" "$(taken types)" "... one of which is chosen"
# records of rccl-tests whose place is a text, and results of nccl-tests that lack something
cat >"$dir/list.json" <<'END'
[
{"name": "AllReduce", "nodes": 1, "ranks": 4, "size": 1024, "type": "float", "redop": "sum", "inPlace": "1", "time": 9.5, "algBw": 1},
{"name": "AllReduce", "nodes": 1, "ranks": 4, "size": 2048, "type": "float", "redop": "sum", "inPlace": "0", "time": "10.5", "algBw": 1},
{"name": "AllReduce", "nodes": 1, "ranks": 0, "size": 4096, "type": "float", "redop": "sum", "inPlace": 0, "time": 10.5, "algBw": 1}
]
END
run import -q -c gpus --machine 2x1x8 --results "$results" --name list --set mapping=core "$dir/list.json"
is "allreduce rccl core 1 4 2048 rccl:default 1.05e-05" "$(taken list)" "a place that is a text is read"
is 1 "$(grep -c 'list.json,4,.*procs is 0' "$results/gpus/list/imported.csv")" "a record's line is told"
sed 's/"size": 8192, "count": 2048, //; s/SendRecv/AllReduce/; s/fp8_x", /float", "count": 9, /; s/"time": "7"/"time": null/' $seeds/object.json >"$dir/lacks.json"
run import -q -c gpus --machine 2x1x8 --results "$results" --name lacks --set mapping=core "$dir/lacks.json"
is "1 no size, out-of-place no time, out-of-place" "$status $(grep -o 'no [a-z]*, out-of-place' "$dir/out" | xargs)" "a result without a size or a time is set aside"

# ---- decimal commas ----
{
    printf '# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations\n'
    printf '1 75,83 52,25 114,07 1000\n2 76,1 52,5 115,25 1000\n4 1,234 0,25 1,5 1000\n'
} >"$dir/comma.txt"
run import -q -c big --machine 5x2x18 --mpi openmpi --set mapping=core,algorithm=chain,procs=8 --results "$results" --name comma "$dir/comma.txt"
is "0.00011407 0.00011525" "$(awk -F, '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["status"] == "ok" { print $at["max_s"] }' "$results/big/comma/imported.csv" | xargs)" "decimal commas are read"
is 1 "$(grep -c 'a decimal comma? write a point' "$results/big/comma/imported.csv")" "three digits behind one may be thousands: asked"

# ---- a name with dashes ----
printf 'collective,P,bytes,algorithm,us\nallgather,4,64,bruck-k-fanout,10\n' >"$dir/dashes.csv"
run import -q -c big --machine 5x2x18 --mpi openmpi --mpi-version 6.0.0 --set mapping=core --results "$results" --name dashes --format csv \
    --map collective=collective,procs=P,bytes=bytes,algorithm=algorithm,max_s=us:us "$dir/dashes.csv"
is 1 "$(grep -c 'openmpi:bruck-k-fanout' "$results/big/dashes/imported.csv")" "bruck-k-fanout keeps its dashes"
tap_done
