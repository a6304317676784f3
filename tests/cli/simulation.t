#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SMPI on a platform without overheads keeps to the closed forms: what we ask of the simulator is what it does.
. tests/tap.sh

if ! command -v smpirun > /dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip_all "no SimGrid here"
fi

# platform NAME RATE LATENCY EAGER COST [LINE]: a cluster file; COST is what a send costs the sender, the last
# one more line about the network.
platform() {
    cat > "$dir/$1.ini" <<END
[cluster]
name = $1
title = test
nodes = 16
sockets = 1
cores = 1
[network]
link_rate = $2
link_latency = $3
${6:-}
[messages]
send_cost = 0:$5:0
isend_cost = 0:$5:0
recv_cost = 0:0:0
eager_bytes = $4
rendezvous_bytes = $4
bandwidth_factors = 0:1
latency_factors = 0:1
[node]
loopback_rate = 40Gbps
loopback_latency = 500ns
copy_cost = 0:0:0
reduce_cost = 0:0:0
END
}
cat > "$dir/forms.ini" <<'END'
[study]
name = forms
collectives = bcast
[grid]
procs = 2 7 16
bytes = 64K 1000000
[candidates]
portable = pipeline chain scatter_allgather_ring
segment_bytes = 8K
fanouts = chain:1
default = no
END

# timed NAME: "algorithm procs bytes segment fanout seconds" of every measured call.
timed() {
    "$collsel" sweep -q -c "$dir/$1.ini" -s "$dir/forms.ini" -b sim --results "$dir/results" > /dev/null || return 1
    for outcomes in "$dir/results/$1/forms/samples"/*.outcomes.csv; do
        grep -v '^#' "${outcomes%.outcomes.csv}.csv"
    done | awk -F, 'NR == FNR { if ($4 == "study") cell[$2] = $13 " " $10 " " $12 " " $14 " " $15; next }
        $1 in cell { print cell[$1], $3 }' "$dir/results/$1/forms/plan.csv" -
}

# A rank waits for each segment's receipt (rendezvous): a stage costs alpha + m beta, both latencies and the wire.
platform stages 1Gbps 10us 0 0
timed stages > "$dir/stages"
ok $? "a platform without overheads is simulated"
is 12 "$(wc -l < "$dir/stages" | tr -d ' ')" "three algorithms, three process counts and two sizes are timed; a chain of one is the pipeline, and timed as that"
while read -r algorithm procs bytes segment fanout seconds; do
    form=$("$collsel" predict bcast "${algorithm#*:}" -p "$procs" -m "$bytes" --segment "$segment" --fanout "$fanout" \
        --alpha 20us --beta 8e-9 --gamma-linear=-1,1 | sed -n 's/^closed form.*T = \([^ ]*\) s.*/\1/p')
    holds "$seconds / ${form:-0.0} - 1 < 0.01 && $seconds / ${form:-0.0} - 1 > -0.01" \
        "$algorithm of $bytes bytes among $procs: $seconds s, closed form ${form:-none} s"
done < "$dir/stages"

# The switch is on everybody's way, and on no other's.
platform switched 1Gbps 5us 0 0 "switch_latency = 10us"
timed switched > "$dir/switched"
is "$(sort "$dir/stages")" "$(sort "$dir/switched")" "a switch of 10 us counts as 5 us more on both links"
platform backplane 1Gbps 10us 0 0 "backplane_rate = 100Gbps"
timed backplane > "$dir/backplane"
is "$(sort "$dir/stages")" "$(sort "$dir/backplane")" "a backplane of 100 times the rate hinders none of 16"

# Eager segments follow each other on a link: (P - 1) latencies once, and P + n - 2 segments of wire time. Were
# they to share the link, the first would arrive with the last and the relay would double the time.
platform stream 100Mbps 10us 64K 1us
timed stream > "$dir/stream"
awk '($1 == "portable:pipeline" || $1 == "portable:chain") && $2 > 2 { n++
    wire = (int(($3 + 8191) / 8192) + $2 - 2) * 8192 * 8e-8 + ($2 - 1) * 21e-6
    print "# " $2 " ranks, " $3 " bytes: " $6 " s, in a stream " wire " s"
    bad += $6 > 1.02 * wire || $6 < 0.97 * wire }
    END { exit !(n == 4 && bad == 0) }' "$dir/stream"
ok $? "eager segments of a pipeline follow each other on a slow link"

# A simulated call may take longer than point_limit: nothing hangs.
cat > "$dir/long.ini" <<END
[study]
name = long
collectives = bcast
[grid]
procs = 124
bytes = 8M
ranks_per = node
[candidates]
portable = chain
segment_bytes = 8K
default = no
[fit]
gather_bytes = 1K
gamma_procs = 2
pingpong_bytes = 1
[measure]
point_limit = 1s
launch_limit = 10min
END
"$collsel" sweep -q -b sim -c gros -s "$dir/long.ini" --retries 0 --results "$dir/long" > "$dir/out" 2>&1
ok $? "a simulated call longer than point_limit is no hung one"
sed 's/^/# /' "$dir/out"

# Two messages of a pair in one round, an eager one and a larger one: each finds its own receive.
cat > "$dir/mixed.ini" <<END
[study]
name = mixed
collectives = allreduce
mappings = node
[grid]
procs = 24
bytes = 64K
ranks_per = node
[candidates]
portable = bine halving_bruck
default = no
[fit]
gather_bytes = 1K
gamma_procs = 2
pingpong_bytes = 1
END
"$collsel" sweep -q -b sim -c fx10 -s "$dir/mixed.ini" --retries 0 --results "$dir/mixed" > "$dir/out" 2>&1
ok $? "an eager message and a larger one of a pair in one round arrive, each in its own place"
sed 's/^/# /' "$dir/out"

# LD_PRELOAD and smpirun split paths at blanks.
spaced="$dir/a b" here=$PWD
mkdir -p "$spaced/build/smpi"
cp "$collsel" "$spaced/build"
cp "$build/smpi/measure" "$build"/smpi/*.so "$spaced/build/smpi"
(cd "$spaced" && build/collsel sweep -q -b sim -c "$here/clusters/gros.ini" -s "$here/tests/cli/tiny.ini") > "$dir/out" 2>&1
ok $? "below a directory with a blank, simulation works from there"
sed 's/^/# /' "$dir/out"
"$spaced/build/collsel" sweep -q -b sim -c gros -s tests/cli/tiny.ini --results "$dir/blank" > "$dir/out" 2>&1
is 1 $? "from elsewhere it is refused"
has "split it at the blank" "$(cat "$dir/out")" "in words"
"$spaced/build/collsel" doctor > "$dir/out" 2>&1
has "missing  smpi               '$spaced/build'" "$(cat "$dir/out")" "and doctor says so"
"$collsel" sweep -q -b sim -c gros -s tests/cli/tiny.ini --results "$dir/b c" > "$dir/out" 2>&1
is 2 $? "so are results below one"
"$collsel" sweep -q -b sim -c gros -s tests/cli/tiny.ini --results "$dir/b:c" > "$dir/out" 2>&1
ok $? "a colon there is no matter: nothing preloads from results"
sed 's/^/# /' "$dir/out"

# cut in two anywhere, a run says the same, core-seconds too: a point knows nothing of those before it
"$collsel" sweep -q -b sim -c gros -s tests/cli/tiny.ini --results "$dir/whole" > "$dir/out" 2>&1
cp -r "$dir/whole" "$dir/cut"
for o in "$dir"/cut/gros/tiny/samples/*.outcomes.csv; do
    head -n $(($(wc -l < "$o") / 2)) "$o" > "$dir/half"
    mv "$dir/half" "$o"
done
"$collsel" sweep -q -b sim -c gros -s tests/cli/tiny.ini --results "$dir/cut" >> "$dir/out" 2>&1
is 2 "$(ls "$dir"/cut/gros/tiny/samples/*4x1*.a?-????????.csv | wc -l)" "a run cut in two goes on"
for run in whole cut; do
    "$collsel" fit -q -b sim -c gros -s tests/cli/tiny.ini --results "$dir/$run" >> "$dir/out" 2>&1
done
cmp "$dir/whole/gros/tiny/points.csv" "$dir/cut/gros/tiny/points.csv" > "$dir/out" 2>&1
ok $? "and its points are those of one that was not cut, to the byte"
sed 's/^/# /' "$dir/out"

# hours of simulation are announced, and what is shorter
"$collsel" sweep -b sim -c gros -s tune --plan full --results "$dir/hours" > "$dir/out" 2>&1 &
sweep=$!
while kill -0 $sweep 2> "$dir/none" && ! grep -q "with --backend walk$" "$dir/out"; do sleep 0.2; done
kill -INT $sweep
wait $sweep
is "1 1" "$(grep -c "^forecast: [0-9].* h .* on [0-9]* core" "$dir/out") $(grep -c "^forecast: .* with --backend walk$" "$dir/out")" \
    "a simulation of hours says so before it begins, and how long a walk takes"
sed 's/^/# /' "$dir/out"
tap_done
