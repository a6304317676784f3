#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# A name that is none is refused with the one that may be meant, wherever names are looked up.
. tests/cli/run.sh
results=$dir/results

# means WANTED ARGUMENT...: the command is refused, and asks whether that was meant.
means() {
    wanted=$1
    shift
    run "$@"
    ok $((status == 0)) "refused: collsel $*"
    says "did you mean '$wanted'?" "$dir/err" "did you mean '$wanted'?"
}

means recommend recomend
means schedule help schedul
means gros plan -c grso --dry-run
means allreduce plan -c gros -s alreduce --dry-run
means walk plan -c gros -b wlak
means bcast schedule bcst binomial -p 4 -m 8 --prove
means binomial schedule bcast binomal -p 4 -m 8 --prove
means portable:binomial schedule bcast portable:binomal -p 4 -m 8 --prove
means mpich:brucks schedule allgather mpich:bruck -p 4 -m 8 --prove
means mpich:brucks predict allgather mpich:bruck -p 4 -m 8 --alpha 1us --beta 0 --gamma 3=1
means binomial schedule bcast two_level.binomail.chain -p 4 -m 8 --prove
means bcast explain gros bcst 4 8
means bcast rules README.md --library openmpi-4.1 --collective bcas -p 4 -m 8
means openmpi-4.1 rules README.md --library openmpi-41
means openmpi-4.1 export --library openmpi4.1
means openmpi-5 export --library openmpi-5.0.3
means openmpi-4.1 export --library openmpi-4.1.10
means mpich-4.0 verify --library mpich4.0
means knn select --learner knnn --joined
sed 's/binomial/binomail/' clusters/studies/bcast.ini >"$dir/s.ini"
means binomial plan -c gros -s "$dir/s.ini" --dry-run
printf '[study]\nname = s\ncolectives = bcast\n' >"$dir/s.ini"
means collectives plan -c gros -s "$dir/s.ini" --dry-run
printf '[study]\nname = s\ncollectives = bcats\n[grid]\nprocs = 4\nbytes = 8\n' >"$dir/s.ini"
means bcast plan -c gros -s "$dir/s.ini" --dry-run

# Where something was measured, of what was.
printf 'P,alg,bytes,us\n4,chain,8,1\n4,default,8,2\n8,chain,8,3\n8,default,8,4\n' >"$dir/made.csv"
run import -q -c peak --name tallone --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/made.csv" && run fit -q -c peak --results "$results" --dataset tallone
is 0 $status "a data set"
means tallone audit --dataset talone --results "$results"
means core recommend --dataset tallone --results "$results" --collective bcast -p 4 -m 8 --mapping cor
means openmpi recommend --dataset tallone --results "$results" --collective bcast -p 4 -m 8 --mpi openmpl
means chain predict bcast chian -p 4 -m 8 --dataset tallone --results "$results"

run plan -c frobnicate --dry-run
says "\`collsel cluster new frobnicate\` writes the file of a new one" "$dir/err" "a cluster that is none: how to describe one"
run plan -c gros -s frobnicate --dry-run
is 0 "$(grep -c new-cluster "$dir/err")" "which a study does not tell"
# What is far from everything is refused as before.
run schedule bcast frobnicate -p 4 -m 8 --prove
grep -q "did you mean" "$dir/err"
is 1 $? "a word that is near nothing: no guess"
tap_done
