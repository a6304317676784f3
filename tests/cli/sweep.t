#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel sweep and status on each backend that can run here.
. tests/cli/run.sh
. tests/ranks.sh

cells() { # mean of a point's samples: algorithm bytes procs -> max_s, of a simulated sweep
    id=$(awk -F, -v a="$2" -v b="$3" -v p="$4" \
        '$3 == "time" && $13 == a && $12 == b && $10 == p { print $2; exit }' "$1/plan.csv")
    cat "$1"/samples/*-????????.csv | awk -F, -v id="$id" '$1 == id && $8 == 0 { print $3; exit }'
}

if [ -x "$build/smpi/measure" ] && command -v smpirun >/dev/null; then
    run sweep -c gros -s tests/cli/tiny.ini --results "$dir/s"
    is 0 $status "a simulated sweep"
    says "backend sim: 'gros' names no Slurm partition" "$dir/err" "auto says what it chose and why"
    r=$dir/s/gros/tiny
    is "" "$(cut -d, -f1,2 "$r"/samples/*.outcomes.csv | grep -v '^point' | grep -v ',ok$')" "all points are ok"
    for f in manifest.json plan.csv skipped.csv events.jsonl platform/cluster.xml; do
        [ -s "$r/$f" ]
        ok $? "$f is there"
    done
    says 'bw="3.125e+09Bps"' "$r/platform/cluster.xml" "the platform has the cluster's 25 Gb/s"
    for key in '"digest"' '"link_rate"' '"source"' '"seed"' '"commit"' '"kernel"' smpi/os smpi/bw-factor; do
        says "$key" "$r/manifest.json" "the manifest has $key"
    done
    run status -c gros -s tests/cli/tiny.ini --results "$dir/s"
    is 0 $status "status"
    is 2 "$(grep -c ' done ' "$dir/out")" "both launches are done"
    run sweep -c gros -s tests/cli/tiny.ini --results "$dir/s2" --jobs 1 --quiet
    is "" "$(cat "$dir/out" "$dir/err")" "--quiet is silent"
    is "$(cells "$r" portable:chain 1048576 8)" "$(cells "$dir/s2/gros/tiny" portable:chain 1048576 8)" \
        "a simulation gives the same time twice"
    sed 's/^link_rate = .*/link_rate = 100Mbps/; s/^name = .*/name = slow/' clusters/gros.ini >"$dir/slow.ini"
    run sweep -c "$dir/slow.ini" -s tests/cli/tiny.ini --results "$dir/s" -q
    fast=$(cells "$r" portable:chain 1048576 8) slow=$(cells "$dir/s/slow/tiny" portable:chain 1048576 8)
    awk -v f="$fast" -v s="$slow" 'BEGIN { exit !(s > 10 * f) }'
    ok $? "a broadcast of 1 MiB takes more than ten times longer at 100 Mb/s ($fast s, $slow s)"
    sed 's/^topology = .*/topology = torus/' clusters/gros.ini >"$dir/torus.ini"
    run sweep -c "$dir/torus.ini" -s tests/cli/tiny.ini --results "$dir/torus"
    is 2 $status "a torus without extents is refused"
    says "a torus of 0 dimensions" "$dir/err" "in words"
else
    skip "no smpirun or no build" "simulation"
fi

if [ -x "$build/openmpi/measure" ] && [ -x "$build/mpich/measure" ]; then
    sed 's/^procs = .*/procs = 2 3/; s/^\[candidates\]/oversubscribe = 4\n&/; s/^collectives/mpi = openmpi mpich\n&/; s/^point_limit = .*/point_limit = 60s/' \
        tests/cli/tiny.ini >"$dir/real.ini"
    run sweep -c local -s "$dir/real.ini" --results "$dir/r"
    is 0 $status "Open MPI and MPICH on this machine"
    says "backend local: the cluster is this machine" "$dir/err" "auto says so"
    sed 's/^name = local/name = mine/' clusters/local.ini >"$dir/mine.ini"
    run plan -c "$dir/mine.ini" -s "$dir/real.ini"
    is 0 $status "one node with the cores of this machine is this machine, by any name"
    sed '/^nodes/s/1/2/' "$dir/mine.ini" >"$dir/two.ini"
    run plan -c "$dir/two.ini" -s "$dir/real.ini"
    says "link_rate is not given, and a simulation needs it" "$dir/err" "two such nodes are not"
    for a in openmpi:binomial mpich:binomial portable:chain; do
        grep -hq ",$a," "$dir"/r/local/tiny/samples/*.outcomes.csv
        ok $? "$a ran"
    done
    is "" "$(cut -d, -f2 "$dir"/r/local/tiny/samples/*.outcomes.csv | grep -v 'status\|ok\|substituted')" \
        "every point is ok or substituted"
    grep -q '"[456]\.[0-9.]*"' "$dir/r/local/tiny/manifest.json"
    ok $? "the manifest has the library's version"

    mkdir "$dir/half"
    ln -s "$PWD/$build/openmpi" "$dir/half/openmpi"
    run sweep -c local -s "$dir/real.ini" --results "$dir/h" --build "$dir/half"
    is 0 $status "without MPICH the rest is measured"
    says "without mpich: the measuring program" "$dir/err" "and it is said"
    grep -q ',mpich,.*is not there' "$dir/h/local/tiny/skipped.csv"
    ok $? "MPICH's points are skipped, with the reason"

    # strike SIGNAL RESULTS: to a rank, when some points are finished.
    strike() {
        begun() { [ "$(cat "$2"/local/tiny/samples/*.outcomes.csv 2>/dev/null | wc -l)" -gt 3 ]; }
        hit() {
            victim=$(pgrep -f "^([^ ]*/)?$build/[a-z]*/measure --points $2" | tail -1)
            [ -n "$victim" ] && kill "-$1" "$victim"
        }
        soon begun "$@"
        soon hit "$@"
    }
    none() { [ "$(pgrep -fc "measure --points $1")" = 0 ]; }

    sed 's/^budget = .*/budget = 60ms\nprecision = 0.0001/; s/^max_reps = .*/max_reps = 1000000/
        s/^mpi = .*/mpi = openmpi/; s/^procs = .*/procs = 2/; s/^gamma_procs = .*/gamma_procs = 2/' \
        "$dir/real.ini" >"$dir/slow.ini"
    # a rank that hangs: it is a minute until that is seen, in which the rest is tried
    "$collsel" sweep -c local -s "$dir/slow.ini" -q --retries 0 --results "$dir/z" 2>/dev/null &
    hanging=$!
    strike STOP "$dir/z"
    hung=$victim

    # a rank killed in the middle, and the driver
    "$collsel" sweep -c local -s "$dir/slow.ini" -q --results "$dir/k" 2>/dev/null &
    pid=$!
    strike KILL "$dir/k"
    wait $pid
    is 0 $? "a rank killed in mid-sweep: the sweep goes on and completes"
    says '"event":"failed"' "$dir/k/local/tiny/events.jsonl" "and the journal tells"

    "$collsel" sweep -c local -s "$dir/slow.ini" -q --results "$dir/d" 2>/dev/null &
    pid=$!
    soon begun KILL "$dir/d"
    kill -9 $pid
    wait $pid 2>/dev/null
    soon none "$dir/d" # ranks are asked to end before they are killed
    ok $? "the driver killed: no rank is left"
    run sweep -c local -s "$dir/slow.ini" --results "$dir/d"
    is 0 $status "run again"
    for d in k d; do
        is "" "$(for o in "$dir/$d"/local/tiny/samples/*.outcomes.csv; do cut -d, -f1 "$o"; done | grep -v point | sort | uniq -d)" \
            "no point was finished twice"
    done

    wait $hanging
    is 1 $? "a rank that hangs: its point is given up, the rest is measured"
    says '"event":"timeout"' "$dir/z/local/tiny/events.jsonl" "the journal says timeout"
    is "" "$(ps -o pid= -p "${hung:-1}")" "and the hung rank is gone"
    run status -c local -s "$dir/slow.ini" --results "$dir/z"
    says ", 1 failed or timed out" "$dir/out" "one point, no more"
    run fit -c local -s "$dir/slow.ini" --results "$dir/z"
    is 1 "$(grep -c ',timeout,hung: ' "$dir/z/local/tiny/points.csv")" "whose row in points.csv says timeout"
else
    skip "Open MPI or MPICH is not built" "this machine"
fi

run sweep -c gros -s tests/cli/tiny.ini -b null --results "$dir/n" --dry-run
is 0 $status "--dry-run"
says "points to do" "$dir/out" "says what there is to do"
[ ! -e "$dir/n" ]
ok $? "and makes nothing"
mkdir "$dir/empty"
run sweep -c gros -s tests/cli/tiny.ini -b null --results "$dir/n" --build "$dir/empty"
is 1 $status "without a measuring program"
says "is not there (want: make)" "$dir/err" "it says what to do"
run sweep --retries -1
is 2 $status "--retries -1 is wrong usage"
run status -c gros -s tests/cli/tiny.ini --results "$dir/none"
is 1 $status "the status of nothing"
says "want: collsel measure first" "$dir/err" "is an error that helps"
tap_done
