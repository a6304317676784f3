#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Channels from imported measurements to predictions: made-up files in Tallone's format, with planted alpha, beta
# and fan-outs.
. tests/tap.sh

# Three channels, microseconds: core 0.5 + 0.0001 m, socket 1 + 0.00015 m, node 2 + 0.0002 m; a fan-out takes a
# tenth more with each rank. Each has three receivers, one of which is a hundred times as slow.
{
    echo mapby,size,latency,iterations,p50,p95,p99,recv
    for m in 1 256 4096 65536 1048576; do
        awk -v m=$m 'function row(channel, t, recv) {
                printf "%s,%d,%.6f,1000,%.6f,%.6f,%.6f,%d\n", channel, m, t, t, t, t, recv }
            BEGIN { 
            for (i = 0; i < 3; i++) {
                wild = i == 1 ? 100 : 1
                row("core", wild * (0.5 + m / 1e4), 4 + i)
                row("socket", wild * (1 + m * 1.5e-4), 64 + i)
                row("node", wild * (2 + m / 5e3), i)
            } }'
    done
} > "$dir/p2p.csv"
{
    echo mapby,p,comm,size,latency,min,max,iterations,p50,p95,p99
    for channel in core socket node; do
        for p in 2 3 4 5 6 7 8; do
            for m in 1 256 4096 65536 1048576; do
                awk -v c=$channel -v p=$p -v m=$m 'BEGIN {
                    t = c == "core" ? 0.5 + m / 1e4 : c == "socket" ? 1 + m * 1.5e-4 : 2 + m / 5e3
                    t *= 1 + (p - 2) / 10
                    printf "%s,%d,%d,%d,%.6f,%.6f,%.6f,1000,1,1,1\n", c, p, p - 1, m, t, t * 0.9, t * 1.1 }'
            done
        done
    done
} > "$dir/nbft.csv"
{
    echo algorithm,cores,iterations,size,latency,min,max
    for algorithm in 0 1 2 5 6; do
        for p in 2 4 6; do
            echo "$algorithm,$p,1000,4096,5.0,1.0,9.0"
        done
    done
} > "$dir/bcast_node.csv"

"$collsel" import -q -c orfeo-epyc --results "$dir/results" --name made --format tallone "$dir/p2p.csv" "$dir/nbft.csv" "$dir/bcast_node.csv" > "$dir/out" 2>&1
ok $? "the files are imported" || cat "$dir/out"
"$collsel" fit -q -c orfeo-epyc --results "$dir/results" --dataset made > "$dir/out" 2>&1
ok $? "and fitted" || cat "$dir/out"
data=$dir/results/orfeo-epyc/made

# column FILE NAME FILTER: the values of a column in the rows that match.
column() {
    awk -F, -v name="$2" -v filter="$3" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $0 ~ filter { print $at[name] }' "$1"
}
for name in channels channel_times channel_gamma channel_ratio; do
    ok "$(test -s "$data/fit/$name.csv"; echo $?)" "fit/$name.csv is there"
done
is 3 "$(column "$data/fit/channels.csv" channel . | wc -l | tr -d ' ')" "three channels were measured"
holds "$(column "$data/fit/channels.csv" alpha_s ',node,') * 1e6 > 1.999 && $(column "$data/fit/channels.csv" alpha_s ',node,') * 1e6 < 2.001" "planted alpha of channel node"
holds "$(column "$data/fit/channels.csv" beta_s_per_byte ',core,') * 1e6 > 0.0000999 && $(column "$data/fit/channels.csv" beta_s_per_byte ',core,') * 1e6 < 0.0001001" "planted beta of channel core"
is 8 "$(column "$data/fit/channels.csv" most_procs ',core,')" "gamma holds up to eight ranks"
is 1 "$(column "$data/fit/channels.csv" rendezvous_bytes ',core,')" "the sender is never done before the receiver"
is "" "$(column "$data/fit/channels.csv" reduce_rendezvous_bytes ',core,')" "... which no fan-in says of reductions"
gamma=$(column "$data/fit/channel_gamma.csv" gamma ',node,8,4096,')
holds "$gamma > 1.599 && $gamma < 1.601" "gamma(8) is 1.6, from means over ranks"
slowest=$(column "$data/fit/channel_gamma.csv" gamma_slowest ',node,8,4096,')
holds "$slowest > 1.759 && $slowest < 1.761" "... and a tenth more from the slowest rank"
ratio=$(column "$data/fit/channel_ratio.csv" ratio ',core,node,4096,')
holds "$ratio > 3.099 && $ratio < 3.1" "Q of 4 KiB is 2.8192 / 0.9096"

# Mapped by node two ranks are on two nodes: the paper's linear broadcast is the fan-out among two.
linear=$(column "$data/predictions.csv" predicted_s '^channel_stage,.*,openmpi,node,2,1,2,0,4096,openmpi:basic_linear,')
holds "${linear:-0} * 1e6 > 3.10 && ${linear:-0} * 1e6 < 3.102" "channel: 1.1 (2 + 0.8192) microseconds for two ranks on two nodes"
is 15 "$(column "$data/predictions.csv" status '^channel_walk,.*,ok,' | wc -l | tr -d ' ')" "channel_walk predicts all, the default of Open MPI 4.1 too"
is "" "$(column "$data/predictions.csv" status '^channel_stage,' | grep -v -x -e ok -e extrapolated)" "so does channel"
tap_done
