#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# analysis.sh - seconds from a million samples to selection.csv: plants them (not timed), then times
# `collsel fit` and `collsel select`. Prints CSV on stdout. The aim for a whole report is 10 s.
set -eu
build=${BUILD:-build}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
mkdir -p "$dir/clusters/studies"
cat >"$dir/clusters/one.ini" <<'END'
[cluster]
name = one
nodes = 4
sockets = 1
cores = 4
cpu = planted
[sources]
cores = planted
END
cat >"$dir/clusters/studies/million.ini" <<'END'
[study]
name = million
collectives = bcast
mappings = node
seed = 7
[grid]
procs = 4
bytes_from = 1K
bytes_to = 4M
bytes_count = 20
ranks_per = node
[candidates]
portable = basic_linear chain pipeline split_binary_tree binary_tree binomial knomial
 scatter_allgather scatter_allgather_ring
segment_bytes = 8K
[fit]
fit_procs = 4
[measure]
precision = 0.0001
min_reps = 2600
max_reps = 2600
END
where="--clusters $dir/clusters --results $dir/results --cluster one --study million"
COLLSEL_NULL_NOISE=0.05 "$build/collsel" sweep -q $where --backend null
rows=$(cat "$dir"/results/one/million/samples/*-*.csv | wc -l)
now() { date +%s.%N; }
start=$(now)
"$build/collsel" fit -q $where >/dev/null
middle=$(now)
"$build/collsel" select -q $where >/dev/null
end=$(now)
echo "samples,fit_s,select_s"
awk "BEGIN { printf \"%d,%.2f,%.2f\\n\", $rows, $middle - $start, $end - $middle }"
