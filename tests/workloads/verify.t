#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# collsel verify: rules are measured with and without the file, it is proved that it was loaded, and what does not gain is dropped.
. tests/workloads/lib.sh
have mpirun.openmpi || skip_all "no mpirun.openmpi here"
library=$(openmpi_reader)
mkdir -p "$dir/clusters/studies"
sed 's/^sockets = auto/sockets = 1/; s/^cores = auto/cores = 4/' clusters/local.ini >"$dir/clusters/local.ini"
cat >"$dir/clusters/studies/small.ini" <<'END'
[study]
name = small
collectives = bcast allreduce
mpi = openmpi mpich
mappings = core
[grid]
procs = 3
bytes = 64 64K
ranks_per = core
oversubscribe = 3
[candidates]
openmpi = binomial
[fit]
experiments = no
[measure]
min_reps = 8
max_reps = 20
budget = 20ms
END
# What somebody else measured: in every cell something else than the default is three thousand times as fast. Here it is not.
cat >"$dir/planted.csv" <<'END'
collective,P,alg,bytes,us
bcast,3,default,64,30000
bcast,3,basic_linear,64,10
bcast,3,default,65536,30000
bcast,3,pipeline,65536,10
allreduce,3,default,64,30000
allreduce,3,nonoverlapping,64,10
allreduce,3,default,65536,30000
allreduce,3,basic_linear,65536,10
END
"$collsel" import -q --clusters "$dir/clusters" -c local --name planted --results "$dir/r" --format csv --mpi openmpi --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/planted.csv" >"$dir/out" 2>&1 &&
    "$collsel" fit -q --clusters "$dir/clusters" -c local --results "$dir/r" --dataset planted >>"$dir/out" 2>&1
ok $? "planted times ($(tail -1 "$dir/out"))"
verify() {
    "$collsel" verify -q --clusters "$dir/clusters" -c local --study small --dataset planted --results "$dir/r" --library "$library" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}
verify --unsure --rounds 2 --margin 100000 --output "$dir/kept.rules"
is 0 $status "four rules are tried ($(cat "$dir/err"))"
table=$dir/r/local/planted/verify/$library/verify.csv
is 4 "$(sed 1d "$table" | wc -l)" "a row for each"
is "2 2 2 2" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { print $at["rounds"] }' "$table" | xargs)" "each measured in two launches without the file and with it"
ran() { awk -F, -v c="$1" -v b="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["collective"] == c && $at["bytes"] == b { print $at["ran"], $at["proved"], $at["other"] }' "$table"; }
is "openmpi:basic_linear 2 0" "$(ran bcast 64)" "in either launch that was seen to run which the rule says"
is "openmpi:pipeline 2 0" "$(ran bcast 65536)" "in the next cell another one"
is "openmpi:nonoverlapping 2 0" "$(ran allreduce 64)" "of another collective"
has "0 of 4 rules stay" "$(cat "$dir/out")" "what does not gain so much in two launches is dropped"
[ ! -e "$dir/kept.rules" ]
ok $? "of no rule that stays no file is made"
has "no rule stays: there is nothing to set; no file is written" "$(cat "$dir/out")" "which is said"
# The same launches with another margin: nothing is measured again.
before=$(find "$dir"/r/local/planted/verify/*/???????? -name '*.outcomes.csv' | wc -l)
verify --unsure --rounds 2 --margin 0 --output "$dir/some.rules"
is "0 $before" "$status $(find "$dir"/r/local/planted/verify/*/???????? -name '*.outcomes.csv' | wc -l)" "what was measured is not measured again"
holds "$(sed 1d "$table" | wc -l) == 4" "and judged anew"

# A rule that gains: the site has told the library to cut broadcasts into single bytes along a chain: 65,536 messages for 64 KiB, so that
# no other load on this machine hides the gain. In 4.1 a rule comes before that setting.
if mpirun.openmpi --version | grep -q " 4[.]"; then
    cp -r "$dir/r" "$dir/slow"
    rm -r "$dir/slow/local/planted/verify"
    export OMPI_MCA_coll_tuned_bcast_algorithm=2 OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=1
    verify --unsure --rounds 2 --results "$dir/slow" --output "$dir/gains.rules"
    unset OMPI_MCA_coll_tuned_bcast_algorithm OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize
    is 0 $status "beside a default that is slow ($(cat "$dir/err"))"
    table=$dir/slow/local/planted/verify/$library/verify.csv
    gain() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["collective"] == "bcast" && $at["bytes"] == 65536 { print $at["gain_pct"] }' "$table"; }
    holds "$(gain) > 100" "a rule gains ($(gain) %)"
    is "openmpi:pipeline 2 0" "$(ran bcast 65536)" "and was seen to run"
else
    skip "from Open MPI 5.0 on what is forced comes before a file" "a rule that gains over a default that is slow"
fi

verify --rounds 2
has "there is nothing to set" "$(cat "$dir/out")" "choices that are not sure are not tried"
verify --library mpich-4.0 --unsure
is 1 $((status > 0)) "for a library without times there are no rules"
verify --library libcollsel
is 2 $status "nor are there where no library loads a file"
tap_done
