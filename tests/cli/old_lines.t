#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command lines of the README of November 2026, before there were eight verbs: each does what it did, in a directory with
# clusters of its own and a study that is small. `plan --confirm` went, and says what does its work.
. tests/cli/run.sh
old=$(readlink -f "$collsel")
mkdir "$dir/at" && cp -r clusters "$dir/at"
cat >"$dir/at/clusters/studies/bcast.ini" <<'END'
[study]
name = bcast
title = Broadcast, small
collectives = bcast
mpi = openmpi
mappings = socket
seed = 1
[grid]
procs = 4 8 64
bytes = 8K 64K 256K
ranks_per = socket
[candidates]
portable = binomial chain
openmpi = binomial chain
segment_bytes = 8K
sim_default = openmpi31
[fit]
gather_bytes = 1K 4K
END
for study in wide narrow; do sed "s/^name = .*/name = $study/" "$dir/at/clusters/studies/bcast.ini" >"$dir/at/clusters/studies/$study.ini"; done
sed -i 's/^procs = .*/procs = 4 8/; s/^bytes = .*/bytes = 8K 256K/' "$dir/at/clusters/studies/narrow.ini"
for set in first other rerun; do
    awk -v seed=$set 'BEGIN { srand(seed == "first" ? 1 : seed == "other" ? 2 : 3); print "collective,algorithm,procs,bytes,t"
        n = split("default binomial chain", a, " ")
        for (i = 1; i <= n; i++) for (p = 2; p <= 128; p *= 2) for (b = 1024; b <= 262144; b *= 4) for (k = 0; k < 3; k++)
            print "bcast," a[i] "," p "," b "," (a[i] == "chain" ? p * 3 + b / 500 : log(p) * (5 + b / 300) * (a[i] == "default" ? 1.3 : 1)) * (1 + rand() / 50) }' >"$dir/at/$set.csv"
done

# A line: the status that is due, the command.
sed "s/|/\t/" >"$dir/lines" <<'END'
0|sweep --cluster gros --backend walk
0|fit --cluster gros --backend walk
0|explain gros bcast 64 256K --backend walk
0|schedule bcast binomial --procs 16 --bytes 64K --segment 8K --svg --output binomial.svg
0|schedule allreduce openmpi:ring --procs 7 --bytes 1M --prove
0|schedule bcast binomial --procs 16 --bytes 64K --segment 8K --rounds
0|schedule reduce rabenseifner --procs 23 --bytes 999 --prove
0|schedule bcast split_binary_tree --procs 90 --bytes 512K --segment 8K --prove --traffic
0|predict bcast chain --procs 124 --bytes 1M --segment 8K --fanout 4 --alpha 12us --beta 3.5e-10 --gamma-linear 0.8,0.1
0|doctor
0|doctor --keys=study
0|doctor --features
0|new-cluster mine --nodes 16 --sockets 2 --cores 8 --link edr
0|recommend --cluster mine --collective bcast -p 64 -m 8K
0|pack --cluster mine --study tune
0|plan --cluster gros --dry-run
0|star --cluster star-a
0|import first.csv --cluster gros --name first --format csv --map collective=collective,algorithm=algorithm,procs=procs,bytes=bytes,max_s=t:us --mpi openmpi --set mapping=core
0|import other.csv --cluster gros --name other --format csv --map collective=collective,algorithm=algorithm,procs=procs,bytes=bytes,max_s=t:us --mpi openmpi --set mapping=core
0|import rerun.csv --cluster gros --name rerun --format csv --map collective=collective,algorithm=algorithm,procs=procs,bytes=bytes,max_s=t:us --mpi openmpi --set mapping=core
0|fit --cluster gros --dataset first
0|fit --cluster gros --dataset other
0|fit --cluster gros --dataset rerun
0|audit --cluster gros --dataset first
0|select --cluster gros --dataset first --holdout beyond-procs=64
0|select --cluster gros --dataset first --with other --holdout alternate-procs --on rerun
0|recommend --cluster gros --dataset first --collective bcast -p 64 -m 8K
0|train --cluster gros --dataset first --output model.json
0|recommend --cluster gros --model model.json --collective bcast -p 64 -m 8K
0|sweep --cluster gros --study wide --backend walk
0|sweep --cluster gros --study narrow --backend walk
2|plan --cluster gros --study wide --backend walk --confirm --with narrow
0|fit --cluster gros --study wide --backend walk
0|select --cluster gros --study wide --backend walk
0|report --cluster gros --study wide --backend walk
0|export --cluster gros --study wide --backend walk --library openmpi-4.1 --output site.rules
0|export --as module --from site.rules --install-path /opt/site
0|rules site.rules --library openmpi-4.1
0|stale site.rules
0|status --cluster gros --study wide --backend walk
0|papers
END
while IFS="$(printf '\t')" read -r due line; do
    # shellcheck disable=SC2086  # words on purpose
    (cd "$dir/at" && exec "$old" $line) >"$dir/out" 2>"$dir/err" </dev/null
    status=$?
    is "$due" $status "collsel $line"
    [ "$due" = $status ] || sed 's/^/# /' "$dir/err"
done <"$dir/lines"
tap_done
