#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A table that collsel export writes from planted times, and an application that goes by it: in every cell the algorithm runs that was meant.
. tests/libcollsel/lib.sh

# Three runs of each, among 2 and 4 ranks. Times of the default, and of one that is twice as fast in some cells.
for run in 0 1 2; do
    awk -v OFS=, -v e=$((1000 + run)) 'BEGIN {
        print "collective,P,alg,bytes,us"
        for (p = 2; p <= 4; p += 2)
            for (m = 16; m <= 4096; m *= 16) {
                print "bcast", p, "default", m, 100 * e
                print "bcast", p, "chain", m, (m == 16 ? 50 : 150) * e
                print "bcast", p, "portable:bine", m, (m == 256 ? 50 : 150) * e
                print "bcast", p, "binomial", m, (m == 4096 ? 99 : 150) * e
                print "allgather", p, "default", m, 100 * e
                print "allgather", p, "recursive_doubling", m, 50 * e
                print "allreduce", p, "default", m, 100 * e
                print "allreduce", p, "portable:allgather_ring", m, (p == 2 ? 150 : 50) * e
            }
    }' >"$dir/$run.csv"
done
{
    "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us --pattern '{run}.csv' "$dir"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
} >"$dir/out" 2>&1
ok $? "planted times ($(tail -n 1 "$dir/out"))"
make_table() { "$collsel" export -c peak --results "$dir/results" --dataset planted --library libcollsel "$@" >"$dir/out" 2>"$dir/err"; }
make_table --output "$dir/table.csv"
is 0 $? "a table is written ($(cat "$dir/err"))"
cat >"$dir/meant" <<'end'
collective,procs_from,procs_to,bytes_from,bytes_to,algorithm,segment_bytes,fanout
bcast,2,4,16,16,openmpi:chain,,
bcast,2,4,256,256,portable:bine,,
allgather,2,2,16,4096,openmpi:recursive_doubling,,
allgather,4,4,16,4096,openmpi:recursive_doubling,,
allreduce,4,4,16,4096,portable:allgather_ring,,
end
is "" "$(grep -v '^#' "$dir/table.csv" | diff "$dir/meant" -)" "equal neighbours are one row; what is slower in the next cell ends at its own; what is for 2^n ranks leaves out the three between; 1 % is no gain"
has "collsel run --table $dir/table.csv" "$(grep '^#' "$dir/table.csv")" "its head says how to load it"
# One chain is a pipeline, and called so; two are a chain.
mkdir "$dir/chains"
for run in 0 1 2; do
    awk -v OFS=, -v e=$((1000 + run)) 'BEGIN {
        print "collective,P,alg,fanout,bytes,us"
        for (m = 16; m <= 256; m *= 16)
            print "bcast,4,default,," m, 100 * e "\nbcast,4,chain," (m == 16 ? 1 : 2), m, 50 * e "\nreduce,4,default,," m, 100 * e "\nreduce,4,chain,1", m, 50 * e
    }' >"$dir/chains/$run.csv"
done
{
    "$collsel" import -q -c peak --name chains --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,fanout=fanout,max_s=us:us --pattern '{run}.csv' "$dir/chains"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset chains
    "$collsel" export -c peak --results "$dir/results" --dataset chains --library libcollsel --output "$dir/chains.csv"
} >"$dir/out" 2>&1
is "bcast,4,4,16,16,openmpi:pipeline,, bcast,4,4,256,256,openmpi:chain,,2 reduce,4,4,16,256,openmpi:pipeline,," \
    "$(grep '^[br].*,4,4,' "$dir/chains.csv" | xargs)" "one chain is written as the pipeline that runs ($(tail -n 1 "$dir/out"))"
"$collsel" rules "$dir/table.csv" --library libcollsel --collective bcast -p 1,3,5 -m 15,16,256,4096 >"$dir/out" 2>&1
is 0 $? "it is read ..."
is "own own own own own openmpi:chain portable:bine own" \
    "$(sed -n 's/^bcast P = [13].*: \(libcollsel.s own\|openmpi:chain\|portable:bine\).*/\1/p' "$dir/out" | sed 's/libcollsel.s //' | xargs)" "... as meant"
sed 's/bine/bone/' "$dir/table.csv" >"$dir/bad.csv"
"$collsel" rules "$dir/bad.csv" --library libcollsel >"$dir/out" 2>&1
is 1 $? "a table with a mistake is told"
has "'portable:bone' is no algorithm of bcast" "$(cat "$dir/out")" "... by what it is"
make_table --mpi mpich
is 1 $? "times of another library are none"
"$collsel" export -c peak --results "$dir/results" --dataset planted --library openmpi-4.1 --mpi mpich >"$dir/out" 2>&1
is 2 $? "a library's own rules go by no other library's times"

# ran COLLECTIVE: its bytes and what ran, of calls on all ranks.
ran() { awk -v c="$1" '$1 == c && $2 == "world" { print $7, $12 }' "$dir/err" | sort -n | xargs; }
try() {
    local mpi=$1 most=$2
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "the table on $mpi"
        return
    fi
    through "$mpi" "$most" --table "$dir/table.csv" -- cells 4096
    is 0 $? "$mpi, P = $most: the application ends well"
    local chain=portable:chain # under another library than its own
    [ "$mpi" = mpich ] || chain=openmpi:chain
    is "4 default 16 $chain 64 default 256 portable:bine 1024 default 4096 default" "$(ran bcast)" "... and broadcasts by the table"
    if [ "$most" = 4 ]; then
        is "4 default 16 openmpi:recursive_doubling 64 openmpi:recursive_doubling 256 openmpi:recursive_doubling 1024 openmpi:recursive_doubling 4096 openmpi:recursive_doubling" \
            "$(ran allgather)" "... and gathers to all"
    else
        is "4 default 16 default 64 default 256 default 1024 default 4096 default" "$(ran allgather)" "... and gathers to all by the library"
    fi
}
try openmpi 4
try mpich 3
tap_done
