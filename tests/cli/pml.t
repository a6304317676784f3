#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The clusters of PML-MPI's Table I: all can be walked; a model that is learnt on some answers for another, and so does the one that ships.
. tests/cli/run.sh
results=$dir/results

for file in clusters/pml/*.ini; do
    run plan --cluster "$file" --study pml --backend walk --dry-run
    is 0 $status "$file: its part of the study can be walked"
    run doctor --cluster "$file"
    says "its costs are stated" "$dir/out" "and states all costs"
done
is 18 "$(find clusters/pml -name '*.ini' | wc -l)" "eighteen clusters, as in the table"

cat >"$dir/few.ini" <<'END'
[study]
name = few
collectives = allgather
[grid]
shape_nodes = 1 2 4
shape_ppn = 1 4
bytes = 8 512 32K 1M
[candidates]
portable = recursive_doubling ring bruck
sim_default = openmpi41
[fit]
experiments = no
END
for c in ri2 ray; do
    run sweep -q --cluster clusters/pml/$c.ini --study "$dir/few.ini" --backend walk --results "$results"
    is 0 $status "$c is walked"
    run fit -q --cluster clusters/pml/$c.ini --study "$dir/few.ini" --backend walk --results "$results"
    is 0 $status "and read"
done
is 1 "$(grep -c '"link_speed_gb_s": 100' "$results/ri2/few-walk/manifest.json")" "the manifest keeps what is known of the machine"
run report -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results"
is 0 $status "a page of shapes"
says "Several numbers of nodes have the same P; one of them stands for all here." "$results/ri2/few-walk/report/page.md" "says that P is not a shape"
is 0 "$(grep -c 'lost in [0-9]*: \.' "$results/ri2/few-walk/report/page.md")" "and lists no places where there are none"
run train -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$results/ray/few-walk" \
    --pretrained --output "$dir/model.json"
is 0 $status "a model for machines that nobody measured"
says '"pretrained":true' "$dir/model.json" "says so"
says '{"cluster":"ray","backend":"walk"}' "$dir/model.json" "and of what it was learnt"
run recommend --model "$dir/model.json" --for clusters/pml/mri.ini --collective allgather --mpi walk -p 2,8,16 -m 8,1M --csv
is 0 $status "it answers for another cluster"
is 6 "$(grep -c '^allgather' "$dir/out")" "in each cell"
run recommend --model "$dir/model.json" --for clusters/pml/mri.ini --collective allgather -p 8 -m 8 --unsafe
is 0 "$(grep -c two_proc "$dir/out")" "an exchange between two is never taken among eight"
run recommend --model "$dir/model.json" --for clusters/pml/mri.ini --collective allgather -p 2,3,6,8,64 -m 1,4K,1M --unsafe --csv
is 15 "$(grep -cE ',portable:(recursive_doubling|ring|bruck),' "$dir/out")" "nor what was tried in a corner alone, as a default"
is 0 "$(grep -c ',measured,' "$dir/out")" "and no cell of another machine counts as measured"
sed 's/"pretrained":true/"pretrained":false/' "$dir/model.json" >"$dir/claims.json"
run recommend --model "$dir/claims.json" --collective allgather -p 8 -m 8
is 1 $status "without times of cells it is no other model"
says "measured cell 0" "$dir/err" "which is said"

# ---- the model that ships ----
for collective in allgather alltoall bcast reduce allreduce; do
    run recommend --model clusters/models/pml.json --for clusters/gros.ini --collective $collective -p 16,100 -m 8,64K
    is 0 $status "the model that ships answers about $collective"
done
says "backend walk" "$dir/out" "and says that it was learnt from what was walked"
run recommend --model clusters/models/pml.json --for clusters/gros.ini --collective allgather -p 4,8 -m 8
says "the default: boosting expects nothing faster" "$dir/out" "where the default is what it would take it says so"
says "no gain over it is known well enough; boosting expects" "$dir/out" "and elsewhere what it expects"
run recommend --cluster gros --results "$dir/nothing" --collective bcast -p 64 -m 1M
is 0 $status "where nothing was measured it is asked"
says "learnt from simulated machines" "$dir/err" "which is said"
run recommend --dataset "$dir/nothing" --results "$dir/nothing" --collective bcast -p 64 -m 1M
is 2 $status "a data set that is named and not there is an error all the same"
tap_done
