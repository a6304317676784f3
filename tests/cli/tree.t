#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A tree of switches, simulated: messages take what links, trunks and their sharing give by hand.
. tests/tap.sh

if ! command -v smpirun > /dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip_all "no SimGrid here"
fi

cat > "$dir/one.ini" <<'END'
[study]
name = one
collectives = bcast
mappings = core
[grid]
procs = 10
bytes = 1000
[candidates]
portable = basic_linear
default = no
END

# tree NAME [LINE]...: a cluster file of ten nodes at 100 Mb/s, four on a switch; more lines about the network.
# Latencies: 22 us within a leaf (two links, a switch), 86 us between leaves (two trunks and two switches more).
tree() {
    name=$1
    shift
    {
        printf '%s\n' '[cluster]' "name = $name" 'nodes = 10' 'sockets = 1' 'cores = 1' '[network]' 'topology = tree'
        printf '%s\n' 'link_rate = 100Mbps' 'link_latency = 10us' 'trunk_latency = 30us' 'switch_latency = 2us'
        for line in "$@"; do printf '%s\n' "$line"; done
        printf '%s\n' '[messages]' 'eager_bytes = 0' 'rendezvous_bytes = 0' \
            'send_cost = 0:0:0' 'isend_cost = 0:0:0' 'recv_cost = 0:0:0' \
            '[node]' 'loopback_rate = 40Gbps' 'loopback_latency = 500ns' 'copy_cost = 0:0:0' 'reduce_cost = 0:0:0'
    } > "$dir/$name.ini"
    "$collsel" sweep -q -b sim -c "$dir/$name.ini" -s "$dir/one.ini" --results "$dir/results" > /dev/null
    ok $? "$name is simulated"
    # the simulator's options as the sweep gave them
    sed -n 's/^# launcher: //p' "$dir/results/$name/one/samples"/*[0-9a-f].csv | sed 's/_--/\n--/g' |
        grep "^--cfg" > "$dir/$name.cfg"
}

# flows NAME FROM TO BYTES ...: each message's arrival.
flows() {
    at=$dir/results/$1/one/platform
    options=$(cat "$dir/$1.cfg")
    shift
    # shellcheck disable=SC2086
    smpirun -np 10 -platform "$at/cluster.xml" -hostfile "$at"/*.hosts -no-privatize $options --log=root.thresh:warning \
        "$build/smpi/tests/flows" "$@" 2> "$dir/flows.err" | LC_ALL=C sort > "$dir/flows"
    sed 's/^/# /' "$dir/flows.err" "$dir/flows"
}

# arrives FROM TO SECONDS MESSAGE: within a promille (the envelope has 16 bytes) that message took so long.
arrives() {
    seconds=$(awk -v f="$1" -v t="$2" '$1 == f && $2 == t { print $4 }' "$dir/flows")
    holds "${seconds:-0} > ($3) * 0.999 && ${seconds:-0} < ($3) * 1.001" "$4 (${seconds:-never}, by hand $3)"
}

m=1000000
wire=0.08 # of a megabyte at 100 Mb/s
near=22e-6
far=86e-6
tree equal 'switch_ports = 4' 'trunk_rate = 100Mbps'
flows equal 0 3 100
arrives 0 3 "$near + 116 * 8e-8" "a short message within a leaf: two links and a switch"
flows equal 0 4 100
arrives 0 4 "$far + 116 * 8e-8" "to another leaf: two links, two trunks, three switches"
flows equal 9 1 100
arrives 9 1 "$far + 116 * 8e-8" "from the last leaf, which has two nodes, too"
flows equal 0 4 $m
arrives 0 4 "$far + $wire" "alone, a long message has the whole rate"
flows equal 0 4 $m 1 5 $m
arrives 1 5 "$far + 2 * $wire" "two from one leaf to another share the trunk"
flows equal 0 4 $m 1 5 $m 2 6 $m 3 7 $m 4 0 $m 5 1 $m 6 2 $m 7 3 $m
for i in 0 1 2 3; do
    arrives $i $((i + 4)) "$far + 4 * $wire" "four share it, message $i, while as many come the other way"
    arrives $((i + 4)) $i "$far + 4 * $wire" "and message $i of those, as trunk and links are full duplex"
done
flows equal 0 4 $m 1 8 $m 2 3 $m
arrives 0 4 "$far + 2 * $wire" "two to different leaves share the trunk that they leave by"
arrives 1 8 "$far + 2 * $wire" "both of them"
arrives 2 3 "$near + $wire" "what stays in the leaf does not touch it"
flows equal 0 4 $m 8 5 $m
arrives 0 4 "$far + 2 * $wire" "two from different leaves share the trunk that they arrive by"
flows equal 4 1 $m 0 8 $m
arrives 4 1 "$far + $wire" "one that comes and one that goes do not"
flows equal 0 4 $m 0 8 $m
arrives 0 4 "$far + $wire" "of two from one node the first goes first, as with one switch"
arrives 0 8 "$far + 2 * $wire" "and then the second"

tree fast 'switch_ports = 4' 'trunk_rate = 400Mbps'
flows fast 0 4 $m 1 5 $m 2 6 $m 3 7 $m
arrives 3 7 "$far + $wire" "a trunk of four times the rate carries four messages side by side"
tree slow 'switch_ports = 4' 'trunk_rate = 50Mbps'
flows slow 0 4 $m 2 3 $m
arrives 0 4 "$far + 2 * $wire" "a slower trunk is the bottleneck of a message alone"
arrives 2 3 "$near + $wire" "but not within a leaf"
tree free 'switch_ports = 4'
flows free 0 4 $m 1 5 $m 2 6 $m 3 7 $m
arrives 3 7 "$far + $wire" "without trunk_rate the trunk never is"

# A leaf with all nodes is a star.
tree whole
sed 's/^topology = .*/topology = star/; s/^name = .*/name = star/' "$dir/whole.ini" > "$dir/star.ini"
"$collsel" sweep -q -b sim -c "$dir/star.ini" -s "$dir/one.ini" --results "$dir/results" > /dev/null
for name in whole star; do
    grep -v '^#' "$dir/results/$name/one/samples"/*[0-9a-f].csv > "$dir/$name.samples"
done
is "$(cat "$dir/star.samples")" "$(cat "$dir/whole.samples")" "one leaf with all nodes gives the times of a star"

# refused CLUSTER PART MESSAGE
refused() {
    "$collsel" sweep -q -b sim -c "$dir/$1.ini" -s "$dir/one.ini" --results "$dir/results" > /dev/null 2> "$dir/err"
    is 2 $? "$3"
    has "$2" "$(cat "$dir/err")" "in words"
}
sed 's/^topology = .*/&\nbackplane_rate = 1Gbps/; s/^name = .*/name = inside/' "$dir/equal.ini" > "$dir/inside.ini"
refused inside "backplane_rate: cannot be simulated in a tree" "and the switches' inside in a tree"
tap_done
