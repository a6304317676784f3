#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Without --cluster: the only file of clusters, or the machine one is on; never one that nobody named.
. tests/cli/run.sh

case $collsel in /*) ;; *) collsel=$PWD/$collsel ;; esac
top=$PWD
mkdir -p "$dir/at" && cd "$dir/at" || exit 1
# site NAME: the file of a cluster of 124 nodes of 18 cores.
site() { sed "s/^name = .*/name = $1/" "$top/clusters/gros.ini" >"clusters/$1.ini"; }
# fails STATUS WORDS MESSAGE COMMAND...: no answer, and an error with the words.
fails() {
    wanted=$1 words=$2 message=$3
    shift 3
    run "$@"
    is "$wanted" "$status" "$message: $1"
    says "$words" "$dir/err" "... which says why"
}
which() { run doctor --which; }
ask="recommend --collective bcast -m 8K"

which
is "0 local" "$status $(cat "$dir/out")" "where no cluster is described, this machine is meant"
mkdir clusters
cp "$top/clusters/mpi.ini" clusters/ 2>/dev/null || echo >clusters/mpi.ini
which
is "0 local" "$status $(cat "$dir/out")" "and where the directory has none"
site site
which
is "0 site" "$status $(cat "$dir/out")" "the only file is meant"
run $ask -p 64
is 0 $status "and answers are of it"
says "for site" "$dir/out" "by its name"
run fit
says "'results/site/bcast/" "$dir/err" "and results are looked for below its name"
fails 2 "want at most 2232 processes, or another --cluster: 1000000 processes are more than the 2232 cores" "more ranks than it has cores" $ask -p 1000000
fails 2 "want at most 124 nodes, or another --cluster: 125 nodes are more than the 124" "more nodes than it has" $ask -p 200 --nodes 125
fails 2 "1000000 processes are more than the 2232 cores" "a schedule on more ranks" schedule bcast binomial --text -m 8K -p 1000000 --cluster site
fails 2 "60000 processes are more than the 2232 cores" "STAR-MPI's loop on more ranks" star -p 60000 --cluster site
fails 2 "60000 processes are more than the 2232 cores" "benchmarks on more ranks" crosscheck -p 60000 --osu /nowhere

sed -i 's/^nodes = /nodse = /' clusters/site.ini
line=$(grep -n '^nodse' clusters/site.ini | head -n 1 | cut -d: -f1)
for command in "$ask -p 2" plan doctor fit report "doctor --which" "crosscheck --osu /nowhere"; do
    # shellcheck disable=SC2086 # words
    fails 2 "clusters/site.ini:$line: 'nodse' is not a key" "an only file that is broken is not passed over" $command
done
fails 2 "did you mean 'openmpi-4.1'?" "rules want no cluster" rules --library openmpi-41 x
site site
site other
for command in "$ask -p 2" plan doctor select report "crosscheck --osu /nowhere"; do
    # shellcheck disable=SC2086 # words
    fails 2 "want --cluster NAME: none is named, and 'clusters' has several, of which none is this machine (other, site)" "of several none is guessed" $command
done
fails 2 "did you mean 'openmpi-4.1'?" "rules want no cluster" rules --library openmpi-41 x
sed '/^name/s/=.*/= desk/' "$top/clusters/local.ini" >clusters/desk.ini
which
is "0 desk" "$status $(cat "$dir/out")" "of several the one that is this machine is meant, whatever its name"
sed '/^name/s/=.*/= bench/' "$top/clusters/local.ini" >clusters/bench.ini
fails 2 "of which more than one is this machine (bench, desk, other, site)" "of two none is guessed" plan
rm clusters/desk.ini clusters/bench.ini
run $ask -p 64 --cluster other
is 0 $status "one that is named is taken"
cp "$top/clusters/local.ini" clusters/
which
is "0 local" "$status $(cat "$dir/out")" "of several this machine is meant, where it is one of them"
rm -r clusters && : >clusters
fails 1 "cannot read 'clusters'" "a directory that cannot be read is none without files" $ask -p 2
fails 1 "cannot read 'clusters'" "which doctor says, too" doctor
cd "$top" || exit 1
is "" "$(make -n sweep CLUSTER= 2>&1 | grep -- --cluster)" "make names no cluster that was not named"
tap_done
