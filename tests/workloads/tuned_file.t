#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A file of rules that collsel export writes, loaded by the Open MPI that is here: in every cell the algorithm runs that was meant.
. tests/workloads/lib.sh
have mpirun.openmpi || skip_all "no mpirun.openmpi here"

library=$(openmpi_reader) bruck=bruck
[ "$library" != openmpi-6 ] || bruck=sparbit
planted openmpi $library "$dir/now" 2 4 "1 7 64 1000 4096" <<END
bcast basic_linear binomial binary_tree pipeline chain knomial
allgather $bruck ring linear
allreduce basic_linear recursive_doubling nonoverlapping
alltoall linear pairwise modified_bruck
gather basic_linear binomial
reduce linear binomial in-order_binary pipeline
scatter basic_linear binomial linear_nb
reduce_scatter non-overlapping recursive_halving ring butterfly
END

# loaded FILE: what runs in each cell where the library finds it as it starts, in the form of $dir/meant.
loaded() {
    OMPI_MCA_coll_tuned_dynamic_rules_filename=$1 under_openmpi 4 "$BUILD/openmpi/tests/rules" "$dir" 0 >"$dir/out" 2>&1 || return
    awk '$1 == -2 && NR == FNR { meant[$2, $3, $4] = 1 } $1 == -2 { print $2, $3, $4, $5 ? "failed" : $6 }' "$dir/seen" |
        grep -wE "$(cut -d' ' -f1 "$dir/meant" | sort -u | paste -sd'|')" | grep -vE '^(allgatherv|alltoallv|reduce_scatter_block) ' | sort
}
loaded "$dir/now" >"$dir/ran"
is 120 "$(wc -l <"$dir/ran")" "120 cells are called"
is "" "$(diff "$dir/meant" "$dir/ran")" "in each of them the algorithm runs that was meant"
loaded "$dir/nothing" >"$dir/usual"
holds "$(diff "$dir/meant" "$dir/usual" | grep -c '^<') > 60" "which is not what runs without the file"

# Cells that are no sure gain are left to the library.
"$collsel" export -q -c peak --results "$dir/results" --dataset planted --library $library --output "$dir/sure" 2>"$dir/err"
ok $? "without --unsure"
has "is not known: --no-interval); no file is written" "$(cat "$dir/err")" "times of single runs make no rules"
"$collsel" export -q -c peak --results "$dir/results" --dataset planted --library $library --doubted --output "$dir/sure" 2>"$dir/err"
has "is not known: --no-interval); no file is written" "$(cat "$dir/err")" "nor with --doubted, which is of other times"
"$collsel" export -q -c peak --results "$dir/results" --dataset planted --library $library --no-interval --output "$dir/sure" 2>"$dir/err"
[ -s "$dir/sure" ]
ok $? "with --no-interval they do"
tap_done
