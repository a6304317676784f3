#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Algorithms that know where ranks are get the seats of the plan: on every rank, in plans, in predictions and in
# the command that shows schedules.
. tests/cli/run.sh

# Four ranks on two nodes, consecutive ranks on different ones: in rank order each step of a ring crosses the
# network four times, in the order of nodes twice.
"$collsel" schedule allgather topology_ring -p 4 -m 8 --mapping node --ppn 2 --traffic > "$dir/out"
is "0,2,3,24 1,3,3,24 2,1,3,24 3,0,3,24" "$(sed 1d "$dir/out" | tr '\n' ' ' | sed 's/ $//')" \
    "in the order of nodes"
"$collsel" schedule allgather topology_ring -p 4 -m 8 --mapping core --ppn 2 --traffic > "$dir/out"
is "0,1,3,24 1,2,3,24 2,3,3,24 3,0,3,24" "$(sed 1d "$dir/out" | tr '\n' ' ' | sed 's/ $//')" \
    "of consecutive ranks on a node: the same as that of ranks"
"$collsel" schedule alltoall topology_light_barrier -p 4 -m 8 --mapping node --ppn 2 --prove > /dev/null
ok $? "phases of two nodes are proved"
run schedule allgather topology_ring -p 4 -m 8 --mapping nods --ppn 2 --traffic
says "'nods' is not a mapping" "$dir/err" "an unknown mapping"
run schedule allgather topology_ring -p 40 -m 8 --cluster mini --ppn 2 --traffic
says "want at most 4 nodes" "$dir/err" "more nodes than there are"
run schedule allgather topology_ring -p 4 -m 8 --ppn 0 --traffic
says "want at least 1" "$dir/err" "no rank on a node"
run schedule allgather topology_ring -p 4 -m 8 --cluster mini --links star-a
says "choose one" "$dir/err" "two clusters"

if ! command -v smpirun > /dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip "no SimGrid here" "measured in the order of nodes"
    tap_done
    exit
fi

# Messages within a node take next to nothing, between nodes 1 us a kilobyte; a node has one link.
printf '%s\n' '[cluster]' 'name = pairs' 'nodes = 2' 'sockets = 1' 'cores = 2' '[network]' 'link_rate = 8Gbps' \
    'link_latency = 0' 'switch_latency = 0' '[messages]' 'send_cost = 0:0:0' 'isend_cost = 0:0:0' \
    'recv_cost = 0:0:0' 'eager_bytes = 0' 'rendezvous_bytes = 0' '[node]' 'loopback_rate = 800Gbps' \
    'loopback_latency = 0' 'copy_cost = 0:0:0' 'reduce_cost = 0:0:0' > "$dir/pairs.ini"
printf '%s\n' '[study]' 'name = rings' 'collectives = allgather' 'mappings = node' '[grid]' 'procs = 4' \
    'bytes = 1000000' 'spread = packed' '[candidates]' 'portable = topology_ring direct_ring ring' \
    'default = no' '[fit]' 'pingpong_bytes = 1 1000 1000000 2000000' > "$dir/rings.ini"
run sweep -q -c "$dir/pairs.ini" -s "$dir/rings.ini" -b sim --results "$dir/results"
is 0 "$status" "a study is simulated"
run fit -q -c "$dir/pairs.ini" -s "$dir/rings.ini" --results "$dir/results"
run predict -q -c "$dir/pairs.ini" -s "$dir/rings.ini" --results "$dir/results"
study=$dir/results/pairs/rings

# seconds ALGORITHM: of its row of points.csv.
seconds() {
    awk -F, -v a="portable:$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["experiment"] == "time" && $at["algorithm"] == a { print $at["median_s"] }' "$study/points.csv"
}
holds "$(seconds ring) > 1.9 * $(seconds topology_ring)" "a ring in the order of nodes takes half the time of one of ranks"

# The walk over links counts, of a ring in the order of nodes, one message on a link at a time.
collisions() {
    awk -F, -v a="portable:$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["algorithm"] == a { print $at["collisions"] }' "$study/fit/links.csv"
}
is 1 "$(collisions topology_ring)" "its walk over links: no two messages meet"
is 2 "$(collisions ring)" "... of the other's, two do"
tap_done
