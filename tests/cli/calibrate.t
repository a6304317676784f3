#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ci/calibrate gives back the costs, latencies and thresholds from which calibration files were made.
. tests/tap.sh

# 10 Gb/s, send 3 us + 0.1 ns/B, isend 2 us, recv 4 us + 0.2 ns/B, latency 20 us, 50 us from 1000 bytes, 200 us
# from 65536 bytes (nothing else there); every third round trip is an outlier of twice the time.
awk -v dir="$dir" 'BEGIN {
    wire = 8e-10 * 1538 / 1448
    for (m = 100; m <= 200000; m = int(m * 1.3)) for (i = 0; i < 9; i++) {
        late = m < 65536
        s = late ? 3e-6 + 1e-10 * m : 1e-4
        r = 4e-6 + 2e-10 * m
        l = m < 1000 ? 20e-6 : late ? 50e-6 : 200e-6
        half = l + wire * m + (late ? s + r : 0)
        total = 2 * half * (i % 3 == 2 ? 2 : 1)
        printf "MPI_Send,%d,0,%.9e\nMPI_Recv,%d,0,%.9e\n", m, s, m, total - s > (dir "/pp.csv")
        printf "MPI_Isend,%d,0,2.000e-06\n", m > (dir "/isend.csv")
        printf "MPI_Recv,%d,0,%.9e\n", m, r > (dir "/recv.csv")
    }
}'
gzip "$dir/recv.csv"
ci/calibrate "$dir/pp.csv" "$dir/isend.csv" "$dir/recv.csv.gz" 10 "0 1000 65536" > "$dir/out"

# line TEXT: one line of the output
line() {
    grep -qxF -- "$1" "$dir/out"
    ok $? "$1"
}
line 'link_latency = 10us'
line 'send_cost = 0:3us:0.1ns 1000:3us:0.1ns'
line 'isend_cost = 0:2us:0ns 1000:2us:0ns 65536:2us:0ns'
line 'recv_cost = 0:4us:0.2ns 1000:4us:0.2ns'
line 'latency_factors = 0:1 1000:2.5 65536:10'
ci/calibrate "$dir/pp.csv" > /dev/null 2> "$dir/usage"
is 2 $? "without the three files it says how it is used"

# There and back: our program, run in a simulation of known values, measures what gives them back.
if command -v smpirun > /dev/null && [ -x "$build/smpi/calibrate" ]; then
    cat > "$dir/known.ini" <<'END'
[cluster]
name = known
nodes = 2
sockets = 1
cores = 2
[network]
link_rate = 1Gbps
link_latency = 20us
[messages]
send_cost = 0:3us:0.1ns 1000:4us:0.3ns
isend_cost = 0:2us:0ns 1000:5us:0.2ns 65536:6us:0ns
recv_cost = 0:5us:0.2ns 1000:7us:0.4ns
bandwidth_factors = 0:0.94148
latency_factors = 0:1 1000:2 65536:5
[node]
loopback_rate = 20Gbps
loopback_latency = 1us
copy_cost = 0:0:0
reduce_cost = 0:0:0
END
    printf '[study]\nname = s\ncollectives = bcast\n[grid]\nprocs = 2\nranks_per = node\nbytes = 1K\n[candidates]\nportable = chain\n' > "$dir/s.ini"
    "$collsel" sweep -q -b sim -c "$dir/known.ini" -s "$dir/s.ini" --results "$dir/r" > /dev/null
    sed -n 's/^# launcher: //p' "$dir"/r/known/s/samples/*[0-9a-f].csv | sed 's/__*--/\n--/g' | sed -n '/^--cfg/{s/_*$//;s/_/;/g;p}' > "$dir/cfg"
    # shellcheck disable=SC2046
    simulated() {
        smpirun -np 2 -platform "$dir/r/known/s/platform/cluster.xml" -hostfile "$1" -no-privatize \
            $(cat "$dir/cfg") --log=root.thresh:warning "$2" "$3" 200000 60 1 2> "$dir/smpi.err"
    }
    printf 'n0\nn1\n' > "$dir/two"
    printf 'n0\nn0\n' > "$dir/one"
    simulated "$dir/one" "$build/smpi/calibrate" "$dir/within"
    is $((2 * 57)) "$(wc -l < "$dir/within/PingPong.csv" | tr -d " ")" \
        "60 sizes, of which 56 differ, and a first message, a send and a receive each"
    cat > "$dir/launcher" <<END
#!/bin/sh
smpirun -np 2 -platform $dir/r/known/s/platform/cluster.xml -hostfile $dir/two -no-privatize \\
    $(tr '\n' ' ' < "$dir/cfg" | sed 's/--[^ ]*/"&"/g') --log=root.thresh:warning "\$@"
END
    chmod +x "$dir/launcher"
    PROGRAM=$build/smpi/calibrate MEASURE="200000 60 1" GBIT_PER_S=1 BREAKS="0 1000 65536" LOOPBACK=$dir/within/PingPong.csv \
        ci/calibrate --run "$dir/between" "$dir/launcher" > "$dir/out" 2> "$dir/smpi.err"
    is 0 $? "ci/calibrate --run measures and evaluates"
    # the envelope's 16 bytes are in the latency
    line 'link_latency = 20.1us'
    line 'send_cost = 0:3us:0.1ns 1000:4us:0.3ns'
    line 'isend_cost = 0:2us:0ns 1000:5us:0.2ns 65536:6us:0ns'
    line 'recv_cost = 0:5us:0.2ns 1000:7us:0.4ns'
    line 'latency_factors = 0:1 1000:2 65536:4.99'
    line 'loopback_rate = 20Gbps'
    line 'loopback_latency = 1.02us'
    ways=$(awk '/both ways at once/ && $6 >= 65536 { n++; bad += $8 < 0.9 || $8 > 1.1 } END { print n + 0, bad + 0 }' "$dir/out")
    is "2 0" "$ways" "messages that cross on links of full duplex take as long as one"
    sed 's/^/# /' "$dir/out"
else
    skip "no SimGrid here" "there and back in a simulation"
fi

# The cluster files hold what the public data gives; of that, the ping-pong is at hand.
data=../shared/data/simgrid-p2p-calibration/taurus_26_07_2016/calibration/taurus-2016-06-09--1_PingPong.csv.gz
for cluster in gros grisou; do # which is like gros
    if [ -r "$data" ]; then
        is "$(ci/calibrate "$data" "$data" "$data" | grep '^send_cost')" "$(cat clusters/$cluster.ini clusters/gros.ini | grep '^send_cost' | head -1)" \
            "send_cost of $cluster is taurus's"
    else
        skip "no $data" "send_cost of $cluster is taurus's"
    fi
done
tap_done
