#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nodes simulated from inside: ranks sit on the cores of their mapping, and messages take what channels, memory
# and network links give by hand.
. tests/tap.sh

if ! command -v smpirun > /dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip_all "no SimGrid here"
fi

# inside NAME [LINE]...: two nodes of two sockets of four cores, two on a cache. Seconds per byte: cache 1/6 ns,
# core 0.2 ns, socket 0.4 ns, a memory 0.16 ns, network 1 ns. There is one memory per socket.
inside() {
    name=$1
    shift
    {
        printf '%s\n' '[cluster]' "name = $name" 'nodes = 2' 'sockets = 2' 'cores = 4' 'cache_cores = 2'
        printf '%s\n' '[network]' 'link_rate = 8Gbps' 'link_latency = 10us' 'switch_latency = 2us'
        printf '%s\n' '[node]' 'cache_rate = 48Gbps' 'cache_latency = 100ns' 'core_rate = 40Gbps' 'core_latency = 200ns'
        printf '%s\n' 'socket_rate = 20Gbps' 'socket_latency = 400ns' 'memory_rate = 50Gbps' \
            'copy_cost = 0:0:0' 'reduce_cost = 0:0:0' '[messages]'
        case "$*" in *send_cost*) ;; *) printf '%s\n' 'send_cost = 0:0:0' 'isend_cost = 0:0:0' 'recv_cost = 0:0:0' ;; esac
        for line in "$@"; do printf '%s\n' "$line"; done
    } > "$dir/$name.ini"
}

cat > "$dir/channels.ini" <<'END'
[study]
name = channels
collectives = bcast reduce
mappings = core socket node
[grid]
procs = 16
bytes = 1000
spread = packed
[candidates]
portable = binomial
default = no
[fit]
gamma_procs = 2
channels = cache core socket node
channel_bytes = 100 1000000
END

# timed NAME: "experiment channel procs bytes seconds" of every channel experiment.
timed() {
    "$collsel" sweep -q -c "$dir/$1.ini" -s "$dir/channels.ini" -b sim --results "$dir/results" > /dev/null
    ok $? "$1 is simulated"
    for outcomes in "$dir/results/$1/channels/samples"/*.outcomes.csv; do
        grep -v '^#' "${outcomes%.outcomes.csv}.csv"
    done | awk -F, 'NR == FNR { if ($17 != "") cell[$2] = $3 " " $17 " " $10 " " $12; next }
        $1 in cell { print cell[$1], $3 }' "$dir/results/$1/channels/plan.csv" - | sort > "$dir/timed"
}

# takes EXPERIMENT CHANNEL PROCS BYTES SECONDS TEXT: within half a percent.
takes() {
    seconds=$(awk -v e="$1" -v c="$2" -v p="$3" -v m="$4" '$1 == e && $2 == c && $3 == p && $4 == m { print $5 }' "$dir/timed")
    holds "${seconds:-0} > ($5) * 0.995 && ${seconds:-0} < ($5) * 1.005" "$2, $1: $6 (${seconds:-never}, by hand $5)"
}

m=1000000
inside bare 'eager_bytes = 0' 'rendezvous_bytes = 0'
timed bare
# the envelope of a message has 16 bytes
takes pingpong cache 2 100 "100e-9 + 116 / 6 * 1e-9" "a short message has the channel's latency"
takes pingpong core 2 100 "200e-9 + 116 * 0.2e-9" "a short message has the channel's latency"
takes pingpong socket 2 100 "400e-9 + 116 * 0.4e-9" "a short message has the channel's latency"
takes pingpong node 2 100 "22e-6 + 116e-9" "a short message has that of two links and a switch"
takes pingpong cache 2 $m "100e-9 + $m / 6 * 1e-9" "a long one the channel's rate"
takes pingpong core 2 $m "200e-9 + $m * 0.2e-9" "a long one the channel's rate"
takes pingpong socket 2 $m "400e-9 + $m * 0.4e-9" "a long one the channel's rate"
takes pingpong node 2 $m "22e-6 + $m * 1e-9" "a long one the link's rate"
takes fanout core 3 $m "200e-9 + 2 * $m * 0.16e-9" "two messages share the socket's memory"
takes fanout socket 3 $m "400e-9 + $m * 0.4e-9" "two of a slow channel leave it room"
takes fanout socket 5 $m "400e-9 + 4 * $m * 0.16e-9" "four do not"
takes fanout node 9 $m "22e-6 + 8 * $m * 1e-9" "eight leave the node one after the other"
takes fanin socket 5 $m "400e-9 + 4 * $m * 0.4e-9" "a core takes four messages one after the other"
takes fanin node 9 $m "7 * 22e-6 + 8 * $m * 1e-9" "eight enter the node one after the other, asked for in turn but two"

# What follows is of channels, whose experiments are those of one mapping.
sed -i 's/^mappings.*/mappings = core/' "$dir/channels.ini"

# Costs of sender and receiver come on top, channel by channel.
inside costs 'send_cost = 0:1us:0' 'isend_cost = 0:1us:0' 'recv_cost = 0:3us:0' 'latency_factors = 0:2' \
    'bandwidth_factors = 0:0.5'
timed costs
takes pingpong cache 2 100 "4e-6 + 200e-9 + 116 / 3 * 1e-9" "costs, twice the latency, half the rate"
takes pingpong socket 2 100 "4e-6 + 800e-9 + 116 * 0.8e-9" "costs, twice the latency, half the rate"
takes pingpong node 2 100 "4e-6 + 44e-6 + 116 * 2e-9" "costs, twice the latency, half the rate"

# A bridge of 1/3 ns a byte.
inside bridged 'eager_bytes = 0' 'rendezvous_bytes = 0'
sed -i 's/^memory_rate.*/&\nbridge_rate = 24Gbps/' "$dir/bridged.ini"
timed bridged
takes pingpong socket 2 $m "400e-9 + $m * 0.4e-9" "one message has room on the bridge between sockets"
takes fanout socket 3 $m "400e-9 + 2 * $m / 3 * 1e-9" "two share it"
takes fanout core 3 $m "200e-9 + 2 * $m * 0.16e-9" "those of one socket do not take it"
takes fanout node 9 $m "22e-6 + 8 * $m * 1e-9" "nor those that leave the node"

# Every rank is on the core of its seat.
for mapping in core socket node; do
    cat "$dir/results/bare/channels/samples"/*-$mapping-*.placement.csv | grep -v '^#' | awk -F, '
        $1 == "rank" { files++; for (i = 1; i <= NF; i++) at[$i] = i; next }
        { n++; bad += $at["socket"] == "" || $at["socket"] != $at["seat_socket"] || $at["core"] != $at["seat_core"] ||
            $at["host"] != "n" $at["node"] }
        END { print "# " n " ranks in " files " launches"; exit !(n > 16 && bad == 0) }'
    ok $? "mapping $mapping: ranks are on the nodes, sockets and cores of their seats"
done

# flows FROM TO BYTES ...: each message's arrival, ranks on the cores in order of cluster $on.
on=bare
sed -n 's/^# launcher: //p' "$dir/results/bare/channels/samples"/*-core-2x8-p16*[0-9a-f].csv | sed 's/_--/\n--/g' |
    grep "^--cfg" > "$dir/cfg"
flows() {
    at=$dir/results/$on/channels/platform
    options=$(cat "$dir/cfg")
    # shellcheck disable=SC2086
    smpirun -np 16 -platform "$at/cluster.xml" -hostfile "$at/2x8-p16-core.hosts" -no-privatize $options \
        --log=root.thresh:warning "$build/smpi/tests/flows" "$@" 2> "$dir/flows.err" | LC_ALL=C sort > "$dir/flows"
    sed 's/^/# /' "$dir/flows.err" "$dir/flows"
}
arrives() {
    seconds=$(awk -v f="$1" -v t="$2" '$1 == f && $2 == t { print $4 }' "$dir/flows")
    holds "${seconds:-0} > ($3) * 0.999 && ${seconds:-0} < ($3) * 1.001" "$4 (${seconds:-never}, by hand $3)"
}
# The last one, within 1.5 %: who shares a link need not get half of it.
last_arrives() {
    last=$(awk '{ if ($4 > most) most = $4 } END { print most }' "$dir/flows")
    holds "${last:-0} > ($1) * 0.985 && ${last:-0} < ($1) * 1.015" "$2 (${last:-never}, by hand $1)"
}
flows 0 8 $m 9 1 $m
arrives 0 8 "22e-6 + $m * 1e-9" "a node sends"
arrives 9 1 "22e-6 + $m * 1e-9" "and receives at a time"
flows 0 8 $m 4 12 $m
last_arrives "2022e-6" "two sockets share the node's link"
flows 0 2 $m 4 6 $m
arrives 0 2 "200e-9 + $m * 0.2e-9" "messages of two sockets"
arrives 4 6 "200e-9 + $m * 0.2e-9" "do not meet"
flows 0 4 $m 5 1 $m
arrives 0 4 "400e-9 + $m * 0.4e-9" "one socket to another"
arrives 5 1 "400e-9 + $m * 0.4e-9" "and back at a time"
flows 0 2 $m 3 1 $m
arrives 0 2 "200e-9 + 2 * $m * 0.16e-9" "those of one socket share its memory,"
arrives 3 1 "200e-9 + 2 * $m * 0.16e-9" "whatever their cores"
flows 0 2 $m 0 8 $m
arrives 0 8 "22e-6 + $m * 1e-9" "a message that leaves the node"
arrives 0 2 "200e-9 + $m * 0.2e-9" "leaves room in the memory for one that stays"

# Memories of some cores. numa CORES: as bare, with so many on a memory; its messages are those of flows.
numa() {
    on=numa$1
    inside "$on" 'eager_bytes = 0' 'rendezvous_bytes = 0'
    sed -i "s/^cache_cores.*/&\nmemory_cores = $1/" "$dir/$on.ini"
    "$collsel" sweep -q -c "$dir/$on.ini" -s "$dir/one.ini" -b sim --results "$dir/results" > /dev/null
    ok $? "$1 cores on a memory are simulated"
}
sed '/^\[fit\]/,$d' "$dir/channels.ini" > "$dir/one.ini"
flows 0 1 $m 2 3 $m
arrives 0 1 "100e-9 + 2 * $m * 0.16e-9" "one memory: messages of two caches share it"
numa 2
flows 0 1 $m 2 3 $m
arrives 0 1 "100e-9 + $m / 6 * 1e-9" "two memories: messages that stay in one"
arrives 2 3 "100e-9 + $m / 6 * 1e-9" "do not meet those of the other"
flows 0 2 $m 3 1 $m
arrives 0 2 "200e-9 + 2 * $m * 0.16e-9" "a message from one to the other takes both"
flows 0 2 $m 1 8 $m 9 5 $m
arrives 0 2 "200e-9 + $m * 0.2e-9" "what leaves the node or comes to another socket"
arrives 9 5 "22e-6 + $m * 1e-9" "leaves room in the memory"
inside bridged2 'eager_bytes = 0' 'rendezvous_bytes = 0'
sed -i -e 's/^cache_cores.*/&\nmemory_cores = 2/' -e 's/^memory_rate.*/&\nbridge_rate = 24Gbps/' "$dir/bridged2.ini"
"$collsel" sweep -q -c "$dir/bridged2.ini" -s "$dir/one.ini" -b sim --results "$dir/results" > /dev/null
on=bridged2
flows 0 4 $m 2 6 $m
arrives 0 4 "400e-9 + $m * 0.4e-9" "messages from two memories to two others"
arrives 2 6 "400e-9 + $m * 0.4e-9" "of another socket each have a bridge"
flows 0 4 $m 1 6 $m
last_arrives "2 * $m / 3 * 1e-9" "those from one memory share it"
flows 0 4 $m 2 5 $m
last_arrives "2 * $m / 3 * 1e-9" "and those to one"
numa 1
flows 0 1 $m 2 3 $m
arrives 0 1 "100e-9 + $m / 6 * 1e-9" "a memory for each core: a message within a cache takes its channel"
flows 0 1 $m 1 2 $m
last_arrives "2 * $m * 0.16e-9" "and two share the memory that both use"
numa 3
flows 0 1 $m 2 3 $m
last_arrives "2 * $m * 0.16e-9" "three cores on a memory and one on another: two messages share the first"
flows 2 3 $m
arrives 2 3 "100e-9 + $m / 6 * 1e-9" "one between two memories of a cache is of the cache's channel"

# All cores of a socket on one cache: their channel is the cache's.
inside one
sed -i 's/^cache_cores.*/cache_cores = 4/; s/^\[messages\]/&\neager_bytes = 0\nrendezvous_bytes = 0/' "$dir/one.ini"
sed 's/^channels = .*/channels = cache socket node/' "$dir/channels.ini" > "$dir/caches.ini"
mv "$dir/channels.ini" "$dir/four.ini"
mv "$dir/caches.ini" "$dir/channels.ini"
timed one
takes pingpong cache 2 100 "100e-9 + 116 / 6 * 1e-9" "one cache of a whole socket has its own latency"
takes pingpong cache 2 $m "100e-9 + $m / 6 * 1e-9" "and its own rate"
mv "$dir/four.ini" "$dir/channels.ini"

# Bad keys are told.
inside shared_by_nobody
sed -i '/^cache_cores/d' "$dir/shared_by_nobody.ini"
"$collsel" plan -c "$dir/shared_by_nobody.ini" -s "$dir/channels.ini" -b sim --dry-run > "$dir/out" 2> "$dir/err"
is 2 $? "a cache that no cores share is refused"
has "cache_rate: the file does not say which cores share a cache" "$(cat "$dir/err")" "by name"
inside crossed
sed -i 's/^switch_latency.*/&\nbackplane_rate = 100Gbps/' "$dir/crossed.ini"
"$collsel" sweep -q -c "$dir/crossed.ini" -s "$dir/channels.ini" -b sim --results "$dir/results" > "$dir/out" 2> "$dir/err"
is 2 $? "a backplane with rates inside nodes is refused"
has "backplane_rate: cannot be simulated with rates inside nodes" "$(cat "$dir/err")" "by name"
"$collsel" plan -c "$dir/bare.ini" -s "$dir/channels.ini" -b sim --placement smpi-node-2x8-p16-r1 > "$dir/out"
has "15,1,1,3" "$(cat "$dir/out")" "the plan shows the seat of the last rank"
tap_done
