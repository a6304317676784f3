#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables of the studies that come with the program, walked, as LaTeX sets them: COLLSEL_LONG=1. (report.t has those of a small study.)
. tests/cli/run.sh
. tests/cli/latex.sh
[ "${COLLSEL_LONG:-}" ] || skip_all "without COLLSEL_LONG=1"
for tool in gnuplot pandoc pdflatex; do
    command -v $tool >/dev/null || skip_all "$tool is not installed"
done
run new-cluster mine --nodes 16 --sockets 2 --cores 8 --link edr --clusters "$dir/clusters"
is 0 $status "a cluster of 16 nodes"
# (a name and the cluster that it is walked on; what no file has is a collective, by any.ini)
while read -r study cluster; do
    [ "$cluster" != mine ] || cluster=$dir/clusters/mine.ini
    run report -q -b walk -c "$cluster" -s "$study" --results "$dir/results"
    is 0 $status "a page of $study"
    [ $status -eq 0 ] || sed 's/^/# /' "$dir/err"
    latex_sets "$(dirname "$(cat "$dir/out")")" " of $study"
done <<END
tune mine
guidelines star-a
bcast gros
nuriyev grisou
reduce star-a
allreduce star-a
reduce_scatter star-a
alltoall star-a
scan mine
allgather fx10
beyond mine
mapping orfeo-epyc
mapping-reduce orfeo-epyc
END
tap_done
