#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# ci/calibrate gives back the costs, latencies and thresholds from which calibration files were made.
set -u
echo 1..5
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT

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

n=0
has() {
    n=$((n + 1))
    if grep -qxF -- "$1" "$dir/out"; then echo "ok $n - $1"; else echo "not ok $n - $1"; sed 's/^/# /' "$dir/out"; fi
}
has 'link_latency = 10us'
has 'send_cost = 0:3us:0.1ns 1000:3us:0.1ns'
has 'isend_cost = 0:2us:0ns 1000:2us:0ns 65536:2us:0ns'
has 'recv_cost = 0:4us:0.2ns 1000:4us:0.2ns'
has 'latency_factors = 0:1 1000:2.5 65536:10'
