#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel sweep: interrupted in every way, it goes on where it was; no finished point is measured
# twice, no sample is lost.
. tests/cli/run.sh
COLLSEL_NULL_SLEEP=0.002
export COLLSEL_NULL_SLEEP
planned=$("$collsel" plan -c gros -s tests/cli/tiny.ini -b null -q --results "$dir/p" | awk '/^in all/ { print $3 }')

sweep() { # sweep NAME OPTION...: the study of files below $dir/NAME
    name=$1
    shift
    run sweep -c gros -s tests/cli/tiny.ini -b null --results "$dir/$name" "$@"
}
samples() { echo "$dir/$1/gros/tiny/samples"; }
outcomes() { # finished points, one id a line: outcome rows with as many rows as samples
    for o in "$(samples "$1")"/*.outcomes.csv; do
        s=${o%.outcomes.csv}.csv
        awk -F, 'FILENAME == ARGV[1] { n[$1] += NF == 11; next } !/^#|^point/ && NF >= 13 && n[$1] + 0 "" == $8 { print $1 }' "$s" "$o"
    done
}
all_done() { # all_done NAME MESSAGE: all are finished, none twice
    is "$planned" "$(outcomes "$1" | sort -u | wc -l)" "$2: all points are finished"
    is "" "$(outcomes "$1" | sort | uniq -d)" "$2: none was measured twice"
}
children() { # of jobs below $dir
    pgrep -fc "measure --points $dir/$1"
}
none() { [ "$(children "$1")" = 0 ]; }
enough() { [ -d "$(samples "$1")" ] && [ "$(outcomes "$1" 2>/dev/null | wc -l)" -ge "$2" ]; }

: >"$dir/stay" # as long as that is there

# the driver killed three times, each time a few points further
for more in 1 5 9; do
    # no launch goes beyond a few points, so that it is killed before it is done, however busy the machine is
    COLLSEL_NULL_STAY=$dir/stay "$collsel" sweep -c gros -s tests/cli/tiny.ini -b null -q --results "$dir/k" &
    pid=$!
    soon enough k $more
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    [ -d "$(samples k)" ] && outcomes k | sort >"$dir/before"
done
soon none k
ok $? "the driver's death takes its jobs along"
cat "$(samples k)"/*-????????.csv 2>/dev/null | grep -v '^#' | sort >"$dir/samples.before"
[ -s "$dir/before" ]
ok $? "killed with some points finished"
run status -c gros -s tests/cli/tiny.ini -b null --results "$dir/k"
says "its sweep ended without a word (killed, or the machine went down); sweep again to go on" "$dir/out" "status says so, and what to do"
sweep k
is 0 $status "the driver killed three times: run again"
says "an earlier sweep ended without a word (killed, or the machine went down) with null-" "$dir/err" "which says it, too"
all_done k "driver killed"
outcomes k | sort | comm -23 "$dir/before" - >"$dir/lost"
is "" "$(cat "$dir/lost")" "what was finished before is still there"
awk -F, 'NF == 11' "$dir/samples.before" >"$dir/whole.before"
cat "$(samples k)"/*-????????.csv | sort | comm -23 "$dir/whole.before" - >"$dir/lost"
is "" "$(cat "$dir/lost")" "and every sample"
sweep k
says "0 now" "$dir/out" "a further run measures nothing"
some=$(ls "$(samples k)"/*-????????.csv | head -1)
mv "$some" "$some.aside"
ln -s "$some" "$some" # nobody can read it
sweep k
is 1 $status "with a file that cannot be read nothing is measured"
says "$some" "$dir/err" "and it is named"
mv "$some.aside" "$some"

# a hangup that nohup ignores, and keepers killed
: >"$dir/nohup"
dead() { ! kill -0 "$1" 2>/dev/null; }
(trap '' HUP; COLLSEL_NULL_STAY=$dir/nohup exec "$collsel" sweep -c gros -s tests/cli/tiny.ini -b null -q --results "$dir/n") &
pid=$!
for _ in 1 2 3; do
    soon pgrep -x -P $pid collsel-keeper
    kill -HUP $pid
    keeper=$(pgrep -x -P $pid collsel-keeper | head -1)
    kill -9 "$keeper"
    soon dead "$keeper"
done
rm "$dir/nohup"
wait $pid
status=$?
[ $status = 0 ] || sweep n --retries 9
is 0 $status "a hangup under nohup ends nothing, keepers that are killed are tried again"
all_done n "keepers killed"
says 'our process that watches the launcher (collsel-keeper) was killed by signal 9 (Killed), and the launch was ended' \
    "$dir/n/gros/tiny/events.jsonl" "the journal says who was killed"
is 0 "$(children n)" "and no rank is left"

# a job killed, once
COLLSEL_NULL_CRASH_AT=4 COLLSEL_NULL_ONCE=$dir/once sweep c
is 0 $status "a job killed by a signal is tried again"
all_done c "job killed"
says '"event":"failed"' "$dir/c/gros/tiny/events.jsonl" "the journal has the failure"
says 'killed by signal 9' "$dir/c/gros/tiny/events.jsonl" "and its reason"
says '; what is left is tried again' "$dir/err" "and the sweep says what it does about it"

# a point that kills its job each time
COLLSEL_NULL_CRASH_AT=0 sweep d
is 1 $status "a point that fails again and again is given up"
says "failed or timed out" "$dir/out" "and counted"

# what cannot work at all: the program itself says why, each time
COLLSEL_NULL_NONSENSE=1 sweep x --retries 1000
is 1 $status "launches that all end alike: the sweep stops, whatever --retries says"
holds "$(grep -c '"started"' "$dir/x/gros/tiny/events.jsonl") <= 2 + $(nproc)" "after a few attempts"
is 1 "$(grep -c "^failed: 'COLLSEL_NULL_NONSENSE' is not a plant (null-" "$dir/err")" "the reason is said once"
says "more attempts ended like that: 'COLLSEL_NULL_NONSENSE' is not a plant" "$dir/err" "with a count"
says "run again when this is mended: the first launches of null all ended so: 'COLLSEL_NULL_NONSENSE' is not a plant" "$dir/err" \
    "and what to do comes first"
sweep x
is 0 $status "mended, it goes on"
all_done x "all ended alike"

# a hung job
sed 's/^point_limit = .*/point_limit = 3s/' tests/cli/tiny.ini >"$dir/hang.ini"
COLLSEL_NULL_HANG_AT=2 COLLSEL_NULL_ONCE=$dir/once2 \
    run sweep -c gros -s "$dir/hang.ini" -b null --results "$dir/h" --retries 0
is 1 $status "a hung job is killed; its point is given up without retries"
says '"event":"timeout"' "$dir/h/gros/tiny/events.jsonl" "the journal says timeout"
says 'hung: no sign of progress' "$dir/h/gros/tiny/events.jsonl" "and why"
is "$((planned - 1))" "$(outcomes h | sort -u | wc -l)" "all other points are finished"
sed 's/^point_limit = .*/point_limit = 8s/; s/^procs = .*/procs = 4/; s/^bytes = .*/bytes = 8K/
    s/^portable = .*/portable = binomial/; s/^gamma_procs = .*/gamma_procs = 2/' tests/cli/tiny.ini >"$dir/short.ini"
COLLSEL_NULL_SLEEP=9 run sweep -c gros -s "$dir/short.ini" -b null --results "$dir/slow" --retries 0
is 0 $status "a point that takes longer than the limit, and goes on taking samples, is no hung one"
run status -c gros -s tests/cli/tiny.ini --results "$dir/h"
says "1 failed or timed out" "$dir/out" "status counts it"
sweep h --retries 2
is 0 $status "with retries it is tried again"
all_done h "hung once"

# a last line cut short
COLLSEL_NULL_TRUNCATE_AT=3 COLLSEL_NULL_ONCE=$dir/once3 sweep t
is 0 $status "a samples file cut short"
is "$planned" "$(outcomes t | sort -u | wc -l)" "cut short: the point is measured again"

# a study that grows, facts that change
sed 's/^bytes = 8K 64K 1M/bytes = 8K 64K/' tests/cli/tiny.ini >"$dir/less.ini"
run sweep -c gros -s "$dir/less.ini" -b null --results "$dir/g"
is 0 $status "a smaller study"
less=$(outcomes g | wc -l)
sweep g
says "($((planned - less)) now" "$dir/out" "the grown study measures what is new"
all_done g "grown study"
sed 's/^link_rate = .*/link_rate = 100Mbps/' clusters/gros.ini >"$dir/slow.ini"
run sweep -c "$dir/slow.ini" -s tests/cli/tiny.ini -b null --results "$dir/g"
says "($planned now" "$dir/out" "under other facts everything is measured again"
says "measured under other facts or settings" "$dir/err" "and the old samples are passed over, it is said"
sweep g
says "(0 now" "$dir/out" "under the first facts the first samples hold again"

# two drivers, and an interrupt
COLLSEL_NULL_STAY=$dir/stay "$collsel" sweep -c gros -s tests/cli/tiny.ini -b null --results "$dir/i" >"$dir/first" 2>&1 &
pid=$!
soon enough i 1
sweep i
is 1 $status "a second driver is refused"
says "another collsel (process $pid on $(hostname)) is at work" "$dir/err" "and told of the first"
says "since $(date -u +%Y-)" "$dir/err" "... since when"
says "end it: kill $pid, on $(hostname)" "$dir/err" "... and what to type"
run status -c gros -s tests/cli/tiny.ini --results "$dir/i"
says "a sweep is at work" "$dir/out" "status sees the first"
kill -INT $pid
wait $pid
is 1 $? "an interrupted driver says so in its exit status"
says "run again to go on" "$dir/first" "and in words"
says '"event":"interrupted"' "$dir/i/gros/tiny/events.jsonl" "and in the journal"
is 0 "$(children i)" "its jobs are gone"
sweep i
is 0 $status "run again"
all_done i "interrupted"

# a full disk
if mkdir "$dir/full" && mount -t tmpfs -o size=80m tmpfs "$dir/full" 2>/dev/null; then
    COLLSEL_NULL_STAY=$dir/stay "$collsel" sweep -c gros -s tests/cli/tiny.ini -b null --results "$dir/full" -q 2>"$dir/err" &
    pid=$!
    full() { ls "$dir"/full/gros/tiny/samples/*.csv; }
    soon full
    dd if=/dev/zero of="$dir/full/fill" bs=64k 2>/dev/null
    rm "$dir/stay"
    wait $pid
    is 1 $? "a disk that gets full ends the sweep"
    grep -qi 'no space left\|MiB left' "$dir/err"
    ok $? "and the message says so"
    sweep full
    is 1 $status "it does not start on a full disk"
    says "MiB left" "$dir/err" "and says how much there is"
    rm "$dir/full/fill"
    sweep full
    is 0 $status "with room it goes on"
    all_done full "full disk"
    umount "$dir/full"
else
    skip "no leave to mount a small file system" "a full disk"
fi
tap_done
