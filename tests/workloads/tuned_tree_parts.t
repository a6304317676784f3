#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A composition of MPICH's device, exported: it stands in the tree of the device alone, and the library that loads it splits the calls so.
. tests/workloads/lib.sh
have mpirun.mpich || skip_all "no mpirun.mpich here"
reader=$(mpich_reader)
[ -n "$reader" ] || skip_all "no MPICH here of a release whose files are known"
[ "$reader" != mpich-4.0 ] || skip_all "MPICH 4.0 has no variable that forces a composition"
sees_nodes || skip_all "this MPICH does not see that ranks share a node: it has nothing to split"

# Unless told it sends on one node as reduce_scatter_allgather does (composition_gamma); alpha is a reduce and a broadcast. The other size gets an
# algorithm of MPICH's, which the first file names.
planted mpich "$reader" "$dir/tree.json" 4 4 "4000 16000" <<'END'
allreduce composition_alpha recursive_doubling
END
is 0 "$(grep -c composition "$dir/tree.json")" "the other tree has it not"
is "rule composition_alpha" "$("$collsel" rules "$dir/tree.json.ch4" --library "$reader" --collective allreduce -p 4 -m 4000 | grep -o 'composition_alpha' | sed 's/^/rule /' | head -1)" "which is read so"

{
    echo | points mpich 1 4
    for b in 400 4000 16000; do echo "time 4 0 $b mpich:default 0 0 0" | COLLECTIVE=allreduce points mpich 1 4 | sed 1d; done
} >"$dir/points.csv"
# What the messages tell of each size; "-": those of no algorithm.
ran() {
    measure mpich 4 1 4 --min-reps 3 --max-reps 3 --budget 0.005 || { tail -3 "$dir/err" | sed 's/^/# /'; return 1; }
    sed 1d "$dir/outcomes.csv" | awk -F, '{ print $5 ~ /^mpich:/ && $5 != "mpich:default" ? $5 : "-" }' | xargs
}
if ! counts_messages; then
    skip "the memory of the node serves these calls before any algorithm of MPIR's does" "which call is split"
    tap_done
fi
usual=$(ran)
is "mpich:reduce_scatter_allgather mpich:reduce_scatter_allgather mpich:reduce_scatter_allgather" "$usual" "without the file all ranks take part at once"
export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$dir/tree.json MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$dir/tree.json.ch4
is "mpich:reduce_scatter_allgather - mpich:recursive_doubling" "$(ran)" "with it the size that has such a rule is split, and no other"
tap_done
