#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Tori, meshes and fat trees, simulated: hops, routes and the sharing of links are what docs/simulation.md says, by hand.
. tests/tap.sh

if ! command -v smpirun > /dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip_all "no SimGrid here"
fi

# study NAME PROCS [LINE]...
study() {
    printf '%s\n' '[study]' "name = $1" 'collectives = allgather' 'mappings = core' '[grid]' "procs = $2" \
        'bytes = 1000' '[candidates]' 'portable = ring' 'default = no' '[fit]' 'copy_bytes = 1000' > "$dir/$1.ini"
}
study all 24
study few 16
m=1000000

# cluster NAME STUDY NODES [LINE]...: simulates it; more lines about the network. A hop lasts 12 us, a megabyte 80 ms.
cluster() {
    name=$1 study=$2 nodes=$3
    shift 3
    {
        printf '%s\n' '[cluster]' "name = $name" "nodes = $nodes" 'sockets = 1' 'cores = 1' '[network]' \
            'link_latency = 10us' 'switch_latency = 2us'
        case "$*" in *link_rate*) ;; *) printf 'link_rate = 100Mbps\n' ;; esac
        for line in "$@"; do printf '%s\n' "$line"; done
        printf '%s\n' '[messages]' 'eager_bytes = 0' 'rendezvous_bytes = 0' \
            'send_cost = 0:0:0' 'isend_cost = 0:0:0' 'recv_cost = 0:0:0' \
            '[node]' 'loopback_rate = 40Gbps' 'loopback_latency = 500ns' 'copy_cost = 0:0:0' 'reduce_cost = 0:0:0'
    } > "$dir/$name.ini"
    "$collsel" sweep -q -b sim -c "$dir/$name.ini" -s "$dir/$study.ini" --results "$dir/results" > /dev/null
    ok $? "$name is simulated"
    sed -n 's/^# launcher: //p' "$dir/results/$name/$study/samples"/*[0-9a-f].csv | sed 's/_--/\n--/g' |
        grep "^--cfg" | sort -u > "$dir/$name.cfg"
}

# flows NAME STUDY PROCS FROM TO BYTES ...: each message's arrival.
flows() {
    at=$dir/results/$1/$2/platform
    options=$(cat "$dir/$1.cfg") procs=$3
    shift 3
    # shellcheck disable=SC2086
    smpirun -np "$procs" -platform "$at/cluster.xml" -hostfile "$at"/*-p"$procs"-*.hosts -no-privatize $options \
        --log=root.thresh:warning "$build/smpi/tests/flows" "$@" > "$dir/flows" 2> "$dir/flows.err"
    sed 's/^/# /' "$dir/flows.err"
}

# arrives FROM TO SECONDS MESSAGE: within a promille
arrives() {
    seconds=$(awk -v f="$1" -v t="$2" '$1 == f && $2 == t { print $4; exit }' "$dir/flows")
    holds "${seconds:-0} > ($3) * 0.999 && ${seconds:-0} < ($3) * 1.001" "$4 (${seconds:-never}, by hand $3)"
}

# The torus in awk: coordinates with the first dimension fastest; dimension by dimension the shorter way around, of
# two equally long ones upwards, but from n/2 to 0 downwards; a mesh never around. route(a, b) fills link[1 .. hops].
rules='
function split_extents(text) { dims = split(text, extent, "x") }
function upwards(s, t, n, around) {
    if (!around) return t > s
    up = (t - s + n) % n
    return up < n - up || (up == n - up && !(s == n / 2 && t == 0))
}
function route(a, b, around,    d, at, to, size, here, next_one, stride) {
    hops = 0
    stride = 1
    here = a
    for (d = 1; d <= dims; d++) {
        size = extent[d]
        to = int(b / stride) % size
        up_way = upwards(int(a / stride) % size, to, size, around)
        while ((at = int(here / stride) % size) != to) {
            next_one = here + ((at + (up_way ? 1 : size - 1)) % size - at) * stride
            link[++hops] = here ">" next_one
            here = next_one
        }
        stride *= size
    }
}'

# every_pair NODES: all pairs of nodes, one message after the other.
every_pair() {
    awk -v n="$1" 'BEGIN { for (a = 0; a < n; a++) for (b = 0; b < n; b++) if (a != b) printf "%s%d %d 1", k++ ? " then " : "", a, b }'
}

# hops_hold EXTENTS AROUND NODES TEXT: every message took its hops' latencies.
hops_hold() {
    awk -v e="$1" -v around="$2" -v n="$3" "$rules"'
        BEGIN { split_extents(e) }
        { route($1, $2, around); wanted = hops * 12e-6; seen++
          if ($4 < wanted * 0.999 || $4 > wanted * 1.001 + 1e-9) { bad++; print "# " $0 ", wanted " wanted } }
        END { exit !(seen == n * (n - 1) && !bad) }' "$dir/flows"
    ok $? "$4"
}

# some_pairs EXTENTS AROUND NODES SEED: 120 times two long messages at once.
some_pairs() {
    awk -v n="$3" -v seed="$4" -v m="$m" 'BEGIN { srand(seed)
        for (k = 0; k < 120; k++) {
            do { a = int(rand() * n); b = int(rand() * n); c = int(rand() * n); d = int(rand() * n)
            } while (a == b || c == d || (a == c && b == d))
            printf "%s%d %d %d %d %d %d", k ? " then " : "", a, b, m, c, d, m } }'
}

# sharing_holds EXTENTS AROUND TEXT: where two messages have a link in common the later one takes twice the wire.
sharing_holds() {
    sort -n -k5,5 -s "$dir/flows" | awk -v e="$1" -v around="$2" "$rules"'
        BEGIN { split_extents(e) }
        function judge(    i, j, common, wanted) {
            route(from[1], to[1], around); n1 = hops
            for (i = 1; i <= n1; i++) first[i] = link[i]
            route(from[2], to[2], around)
            for (i = 1; i <= n1; i++) for (j = 1; j <= hops; j++) common = common || first[i] == link[j]
            wanted = common ? 0.16 : 0.08
            shared += common
            if (last < wanted * 0.998 || last > wanted * 1.002) { bad++; print "# " from[1] ">" to[1] ", " from[2] ">" to[2] ": " last ", wanted " wanted }
        }
        { k = $5 == round && NR > 1 ? 2 : 1; round = $5; from[k] = $1; to[k] = $2
          last = k == 2 && last > $4 ? last : $4
          if (k == 2) judge() }
        END { print "# " NR / 2 " pairs, " shared " share a link"; exit !(NR == 240 && shared > 5 && shared < 115 && !bad) }'
    ok $? "$3"
}

cluster torus all 24 'topology = torus' 'torus = 4x3x2'
flows torus all 24 0 1 $m
arrives 0 1 "12e-6 + 0.08" "a message to the next node: one hop and its bytes"
flows torus all 24 0 18 $m
arrives 0 18 "48e-6 + 0.08" "over four hops, in three dimensions"
flows torus all 24 0 1 $m 0 1 $m
arrives 0 1 "12e-6 + 0.16" "two on one link take twice as long"
flows torus all 24 0 1 $m 1 0 $m
arrives 0 1 "12e-6 + 0.08" "both ways at once, no longer"
flows torus all 24 0 1 $m 0 4 $m 0 12 $m
arrives 0 12 "12e-6 + 0.08" "a node sends in all directions at once"
flows torus all 24 0 2 $m 1 2 $m 1 6 $m
arrives 0 2 "12e-6 + 0.24" "three on one link, from two nodes to two, take three times as long"
flows torus all 24 2 0 $m 1 0 $m
arrives 2 0 "12e-6 + 0.16" "half the way around a message from n/2 to 0 goes downwards"
flows torus all 24 0 2 $m 1 2 $m
arrives 0 2 "12e-6 + 0.16" "from 0 to n/2 upwards"
flows torus all 24 3 1 $m 0 1 $m
arrives 3 1 "12e-6 + 0.16" "and so the others"
# shellcheck disable=SC2046
flows torus all 24 $(some_pairs 4x3x2 1 24 7)
sharing_holds 4x3x2 1 "torus: two messages take twice as long exactly where their routes have a link in common"

cluster fast all 24 'topology = torus' 'torus = 4x3x2' 'link_rate = 10000Gbps'
# shellcheck disable=SC2046
flows fast all 24 $(every_pair 24)
hops_hold 4x3x2 1 24 "torus: every message takes the shorter way around in each dimension"

cluster mesh all 24 'topology = mesh' 'torus = 4x3x2' 'link_rate = 10000Gbps'
# shellcheck disable=SC2046
flows mesh all 24 $(every_pair 24)
hops_hold 4x3x2 0 24 "mesh: none takes a way around"
cluster slowmesh all 24 'topology = mesh' 'torus = 4x3x2'
# shellcheck disable=SC2046
flows slowmesh all 24 $(some_pairs 4x3x2 0 24 11)
sharing_holds 4x3x2 0 "mesh: and they share the links of their routes"

# Two levels: four leaves of four nodes, two switches above, one cable to each.
cluster fat few 16 'topology = fat_tree' 'fat_tree_down = 4x4' 'fat_tree_up = 1x2' 'fat_tree_cables = 1x1'
flows fat few 16 0 3 $m
arrives 0 3 "24e-6 + 0.08" "fat tree: two links within a leaf"
flows fat few 16 0 4 $m 1 6 $m
arrives 0 4 "48e-6 + 0.16" "four between leaves; to even nodes the same way up"
flows fat few 16 0 4 $m 1 5 $m
arrives 1 5 "48e-6 + 0.08" "to even and odd ones over different switches"

# Several cables. Extents: children, parents and cables, level by level. label[]: where the message is; a port up to
# each parent by each cable, a port down to each child by each.
rules='
function split_extents(text,    part) {
    split(text, part, " ")
    levels = split(part[1], down, "x"); split(part[2], up, "x"); split(part[3], cables, "x")
}
function labels(text,    l) {
    for (l = 1; l <= levels; l++) text = text "," label[l]
    return text
}
function same_above(l) {
    for (; l <= levels; l++) if (label[l] != goal[l]) return 0
    return 1
}
function route(a, b, around,    l, sender, choice, port, next_port) {
    hops = 0
    sender = a
    choice = b
    for (l = 1; l <= levels; l++) { label[l] = a % down[l]; a = int(a / down[l]); goal[l] = b % down[l]; b = int(b / down[l]) }
    for (l = 1; !same_above(l); l++) {
        port = choice % (up[l] * cables[l])
        choice = int(choice / up[l])
        link[++hops] = labels("up" l) ":" port
        label[l] = port % up[l]
    }
    next_port = -1
    while (--l >= 1) {
        for (port = next_port; port >= 0 && port < down[l] * cables[l] && port % down[l] != goal[l]; port++) ;
        if (port < 0 || port >= down[l] * cables[l]) port = (sender % cables[l]) * down[l] + goal[l]
        link[++hops] = labels("down" l) ":" port
        label[l] = goal[l]
        next_port = port + 1
    }
}'
for cables in 1x2 2x1 2x2; do
    cluster "fat$cables" few 16 'topology = fat_tree' 'fat_tree_down = 4x4' 'fat_tree_up = 1x2' "fat_tree_cables = $cables"
    # shellcheck disable=SC2046
    flows "fat$cables" few 16 $(some_pairs 4x4 0 16 5)
    sharing_holds "4x4 1x2 $cables" 0 "fat tree, cables $cables: and they share the links of their routes"
done
cluster fat3 all 24 'topology = fat_tree' 'fat_tree_down = 2x3x4' 'fat_tree_up = 2x2x2' 'fat_tree_cables = 2x3x2'
# shellcheck disable=SC2046
flows fat3 all 24 $(some_pairs 2x3x4 0 24 3)
sharing_holds "2x3x4 2x2x2 2x3x2" 0 "fat tree of three levels"

# Which node is the k-th.
hosts() { tr '\n' ' ' < "$dir/results/$1/all/platform/24x1-p24-core.hosts" | sed 's/n//g; s/ $//'; }
is "$(seq -s ' ' 0 23)" "$(hosts torus)" "nodes are taken in order"
cluster turned all 24 'topology = torus' 'torus = 4x3x2' 'order = dims:2,1,0'
is "0 12 4 16 8 20 1 13" "$(hosts turned | cut -d ' ' -f 1-8)" "or by dimension, the last one first"
cluster mixed all 24 'topology = torus' 'torus = 4x3x2' 'order = random:5'
is "$(seq -s ' ' 0 23)" "$(hosts mixed | tr ' ' '\n' | sort -n | tr '\n' ' ' | sed 's/ $//')" "or at random, each once"
is "" "$(hosts mixed | grep "^$(seq -s ' ' 0 23)\$")" "in another order"
is "0 1 2 3 35 36 37 38" "$(tr -d n < "$dir/results/mesh/all/platform/24x1-p24-core.hosts" | sort -n |
    awk '$1 < 4 || $1 > 34 && $1 < 40' | tr '\n' ' ' | sed 's/ $//')" "a mesh is the corner of a torus of 7x5x3"

# What a copy costs: a ring of two is one message each way, then the rank's own block is copied.
sed 's/^topology = .*/topology = torus\ntorus = 2/; s/^name = .*/name = free/; s/^nodes = .*/nodes = 2/' \
    "$dir/torus.ini" | sed '/^torus = 4x3x2/d' > "$dir/free.ini"
sed 's/^name = .*/name = costly/; s/^copy_cost = .*/copy_cost = 0:1us:1ns 2000:5us:1ns/' "$dir/free.ini" > "$dir/costly.ini"
study two 2
# timed CLUSTER EXPERIMENT: seconds of the study's point
timed() {
    id=$(awk -F, -v e="$2" '$3 == e && $12 == 1000 - 0 * $13 || $3 == e && $11 == 1000 { print $2; exit }' "$dir/results/$1/two/plan.csv")
    grep "^$id," "$dir/results/$1/two/samples"/*[0-9a-f].csv | awk -F, '{ print $3; exit }'
}
for name in free costly; do
    "$collsel" sweep -q -b sim -c "$dir/$name.ini" -s "$dir/two.ini" --results "$dir/results" > /dev/null
    ok $? "$name is simulated"
done
holds "$(timed costly time) - $(timed free time) > 1.999e-6 && $(timed costly time) - $(timed free time) < 2.001e-6" \
    "a copy of 1,000 bytes costs 1 us and 1 ns a byte"
holds "$(timed costly copy) > 1.999e-6 && $(timed costly copy) < 2.001e-6" "and the copy experiment measures that"
is 0.000000000 "$(timed free copy | awk '{ printf "%.9f", $1 }')" "without a cost it is free"

# refused NAME WORDS: what cannot be simulated
refused() {
    "$collsel" sweep -q -b sim -c "$dir/$1.ini" -s "$dir/all.ini" --results "$dir/results" > /dev/null 2> "$dir/err"
    is 2 $? "$1: refused"
    has "$2" "$(cat "$dir/err")" "in words"
}
sed "s/^name = .*/name = inside/; s/^\[node\]/&\ncore_rate = 10Gbps/" "$dir/torus.ini" > "$dir/inside.ini"
refused inside "cannot be simulated with rates inside nodes"
sed "s/^name = .*/name = backplane/; s/^topology = .*/&\nbackplane_rate = 1Gbps/" "$dir/torus.ini" > "$dir/backplane.ini"
refused backplane "backplane_rate: cannot be simulated in a torus"

# The files fx10-*.ini are like fx10.ini, but for their shape and order.
stray=
for file in clusters/fx10-*.ini; do
    name=$(basename "$file" .ini)
    stray="$stray$(sed '/^\[sources\]/,$d' "$file" | grep -v "^\(\[[a-z]*\]\|\|like = fx10[-0-9x]*\|name = $name\|title = .*\|nodes = [0-9]*\|torus = [0-9x]*\|topology = mesh\|order = .*\)\$")"
    is "$name" "$(sed -n "s/^name = //p" "$file")" "$name is called so"
done
is "" "$stray" "and the fx10 differ in shape and order alone"
tap_done
