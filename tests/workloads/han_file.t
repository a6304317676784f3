#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2046,SC2154
# A file for component han that collsel export writes, loaded by Open MPI 4.1 on two nodes, which are this machine
# under two names: in every cell the component serves that was meant.
. tests/workloads/lib.sh
have mpirun.openmpi || skip_all "no mpirun.openmpi here"
tests/fake/node one true 2>/dev/null || skip_all "no nodes of other names can be made here: that wants root"

# Of 4 and 6 ranks on two nodes another component wins in each cell; of 3, which are unequally many on the nodes, and
# of 2, one on each, han has no part.
awk -v OFS=, -v list="8 1000 10000" '
    BEGIN { m = split(list, sizes); print "collective,P,nodes,ppn,alg,bytes,us" }
    {
        for (p = 2; p <= 6; p++)
            for (i = 1; i <= m && p != 5; i++) {
                best = 2 + (7 * i + 3 * p + length($1)) % (NF - 1)
                at = p OFS 2 OFS int((p + 1) / 2)
                print $1, at, "default", sizes[i], 15
                for (k = 2; k <= NF; k++)
                    print $1, at, $k, sizes[i], k == best ? 10 : 20
            }
    }' >"$dir/planted.csv" <<'END'
bcast han tuned basic adapt
reduce adapt basic han
gather basic han tuned
scatter han basic
allgather basic han
allreduce tuned han
END
awk -F, '$7 == 10 && ($2 == 4 || $2 == 6) { print $1, $2, $6, $5 }' "$dir/planted.csv" | sort >"$dir/meant"
{
    "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi openmpi --set mapping=node \
        --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us "$dir/planted.csv" &&
        "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
} >"$dir/out" 2>&1
ok $? "planted times of components"
write() { "$collsel" export -c peak --results "$dir/results" --dataset planted --unsure "$@" >"$dir/out" 2>"$dir/err"; }
write --library openmpi-4.1-han --output "$dir/now"
ok $? "a file is written ($(tail -1 "$dir/err"))"
has "P = 3, size 8: openmpi:han: han leaves communicators of unequally many ranks a node" "$(cat "$dir/err")" "what han has no part in is left out, and told"
has "P = 2, size 8: openmpi:han: han leaves communicators of one rank a node" "$(cat "$dir/err")" "... with its reason"
"$collsel" rules "$dir/now" --library openmpi-4.1-han >"$dir/lint"
is 0 $? "in which nothing is an error"
is 0 "$(grep -c ' warning: ' "$dir/lint")" "nor a warning"
has "coll_han_priority = 35" "$(cat "$dir/now")" "its head says how to load it"
has "4 on 2 nodes" "$(cat "$dir/now")" "... and where the ranks were"
has "coll_adapt_priority 15" "$(cat "$dir/now")" "... and what adapt wants beside"

# launched VARIABLES... -- MCA...: who serves in each cell, in the form of $dir/meant; all of it is in $dir/seen.
launched() {
    local -a set=()
    while [ "$1" != -- ]; do set+=("$1"); shift; done
    shift
    env "${set[@]}" timeout $patience tests/fake/two-nodes 3 "$@" "$BUILD/openmpi/tests/han" "$dir" 0 aaabbb 8 1000 10000 >"$dir/out" 2>&1 || cat "$dir/out"
    awk '$1 == -2 && $5 > 1 && $4 * $5 == $3 { print $2, $3, $6, $7 }' "$dir/seen" | sort
}
file=(OMPI_MCA_coll_han_dynamic_rules_filename="$dir/now" OMPI_MCA_coll_han_use_dynamic_file_rules=1 OMPI_MCA_coll_han_priority=35)
launched "${file[@]}" -- --mca coll_adapt_priority 15 | grep -v '^barrier\|^[a-z]* 2 ' >"$dir/ran"
is 36 "$(wc -l <"$dir/ran")" "36 cells are called"
is "" "$(diff "$dir/meant" "$dir/ran")" "in each of them the component serves that was meant"
is "4 tuned
6 tuned" "$(awk '$1 == -2 && $2 == "barrier" && $5 > 1 && $4 > 1 && $3 != 3 { print $3, $7 }' "$dir/seen" | sort)" \
    "barriers, of which nothing is known, are given back to tuned"
is "" "$(awk '$1 == -2 && ($3 == 2 || $3 == 3) && $7 != "tuned"' "$dir/seen")" "and so are the cells that were left out"
launched OMPI_MCA_coll_han_priority=35 -- >"$dir/usual"
is 0 "$(grep -cv 'han$' <(grep -v ' 2 ' "$dir/usual"))" "without the file han serves all that it has, once it is asked"
launched OMPI_MCA_coll_han_use_dynamic_file_rules=1 -- --mca coll_han_priority 0 2>/dev/null | grep -q han
ok $((!$?)) "and nothing without its priority: the file alone does nothing"

# ---- other releases ----
for library in openmpi-5-han openmpi-6-han; do
    write --library $library --output "$dir/later"
    ok $? "a file for $library"
    "$collsel" rules "$dir/later" --library $library >"$dir/lint"
    is "0 0" "$? $(grep -c ' warning: ' "$dir/lint")" "... in which nothing is wrong"
done
is 6 "$(grep -cE '^(allgather|allreduce|bcast|gather|reduce|scatter|barrier)$' "$dir/later")" "han serves there by default: what was not measured stays with it"

# ---- what cannot be ----
write --library openmpi-4.1-han --collective gather --margin 90 --output "$dir/none"
is 0 $? "where nothing gains enough"
[ ! -e "$dir/none" ]
ok $? "... there is no file"
has "there is nothing to set: in none of" "$(cat "$dir/err")" "... which is said"
sed 's/,\(han\|adapt\|basic\|tuned\),/,binomial,/' "$dir/planted.csv" | awk -F, '!seen[$1, $2, $5, $6]++ && ($1 == "bcast" || NR == 1)' >"$dir/plain.csv"
sed -n '/^gather/p' "$dir/planted.csv" >>"$dir/plain.csv"
{
    "$collsel" import -q -c peak --name plain --results "$dir/results" --format csv --mpi openmpi --set mapping=node \
        --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us "$dir/plain.csv" &&
        "$collsel" fit -q -c peak --results "$dir/results" --dataset plain
} >"$dir/out" 2>&1
write --dataset plain --library openmpi-5-han --output "$dir/gather"
is "0 gather" "$? $(grep -xE 'bcast|gather' "$dir/gather")" "a collective of which algorithms alone were measured is left"
write --dataset plain --library openmpi-5-han --collective bcast
is 1 $? "... and cannot be asked for"
has "no times of bcast by components" "$(cat "$dir/err")" "... which is said"
write --library openmpi-4.1-han --reproducible
is 2 $? "of orders of combining it says nothing"
tap_done
