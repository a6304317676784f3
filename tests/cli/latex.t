#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables of the studies that come with the program, walked, as LaTeX sets them: COLLSEL_LONG=1. (report.t has those of a small study.)
. tests/cli/run.sh
. tests/cli/latex.sh
[ "${COLLSEL_LONG:-}" ] || skip_all "without COLLSEL_LONG=1"
for tool in gnuplot pandoc pdflatex; do
    command -v $tool >/dev/null || skip_all "$tool is not installed"
done
mkdir "$dir/clusters"
ln -s "$PWD/clusters/presets" "$dir/clusters"
run new-cluster mine --nodes 16 --sockets 2 --cores 8 --link edr --clusters "$dir/clusters"
is 0 $status "a cluster of 16 nodes"
# (a name and the cluster that it is walked on; what no file has is a collective, by any.ini)
while read -r study cluster; do
    [ "$COLLSEL_LONG" != short ] || [ "$study" = bcast ] || continue
    [ "$cluster" != mine ] || cluster=$dir/clusters/mine.ini
    run report -q -b walk -c "$cluster" -s "$study" --results "$dir/results"
    is 0 $status "a page of $study"
    if [ $status -ne 0 ]; then
        sed 's/^/# /' "$dir/err"
        continue
    fi
    latex_sets "$(dirname "$(cat "$dir/out")")" " of $study"
done <<END
tune mine
guidelines star-a
bcast gros
nuriyev grisou
reduce gros
allreduce gros
reduce_scatter gros
alltoall gros
scan gros
allgather fx10
beyond mine
mapping orfeo-epyc
mapping-reduce orfeo-epyc
END
tap_done
