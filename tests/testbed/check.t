#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A study through the real Slurm of an emulated cluster, with mishaps: a node dies in the middle,
# slurmctld is restarted, a task runs out of time, another is cancelled. Submitted again, the sweep
# completes: nothing is measured twice, nothing is lost, every mishap is told, and taking the cluster
# down leaves nothing behind. `make testbed-check` runs it alone, with every line shown.
. tests/cli/run.sh

[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc nsenter unshare munged slurmctld slurmd sbatch mpirun.openmpi mpirun.mpich; do
    PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || skip_all "$tool is not installed"
done
name=check$$
sed "s/= mini\$/= $name/" clusters/mini.ini >"$dir/$name.ini"
take_down() { "$collsel" testbed down -q $name; tap_clean; }
trap take_down EXIT
"$collsel" testbed up -q "$dir/$name.ini" 2>"$dir/err" || skip_all "$(tail -1 "$dir/err")"

export SLURM_CONF=/run/collsel/$name/slurm.conf
awk '$1 == "link" { print $2 }' /run/collsel/$name/made >"$dir/links"
control=$(sed -n 's/^SlurmctldHost=.*(\(.*\))/\1/p' "$SLURM_CONF")
port=$(sed -n 's/^SlurmctldPort=//p' "$SLURM_CONF")
is "$control:$port" "$(ss -ltnH "sport = :$port" | awk '{ print $4 }')" "the controller listens on the testbed's own address alone"
at=$dir/results/$name/check
netns=collsel-$name-3
in_study() { # in_study VERB OPTION...
    verb=$1
    shift
    run "$verb" -c "$dir/$name.ini" -s tests/testbed/check.ini --results "$dir/results" "$@"
}
# until SECONDS COMMAND...: as soon as it succeeds; 1 when it does not in that time.
until_true() {
    end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ $SECONDS -lt $end ] || return 1
        sleep 0.3
    done
}
tell() { printf '# %3d s: %s\n' $SECONDS "$*"; }
state_of() { squeue -h -r -j "$1" -o %T 2>/dev/null; }
is_running() { [ "$(state_of "$1")" = RUNNING ]; }
is_over() { case $(state_of "$1") in '' | CANCELLED) ;; *) false ;; esac; }
job_of() { # job_of LAUNCH: the last it was submitted as
    grep '"submitted"' "$at/events.jsonl" | grep "\"$1\"" | tail -1 | sed 's/.*"job":"\([^"]*\)".*/\1/'
}
has_points() { [ "$(cat "$at"/samples/"$1".a*.outcomes.csv 2>/dev/null | grep -c '^[0-9a-f]\{16\},')" -ge "$2" ]; }
node_is_down() { sinfo -h -n "$name-3" -o %T | grep -q down; }
node_is_back() { sinfo -h -n "$name-3" -o %T | grep -Eq 'idle|alloc|mix'; }
told() { grep -q "\"event\":\"$1\"" "$at/events.jsonl"; }
quiet() { [ -z "$(squeue -h)" ]; }
finished() { grep -h '^[0-9a-f]\{16\},' "$at"/samples/*.outcomes.csv | cut -d, -f1; }

"$collsel" testbed status $name >"$dir/out" 2>"$dir/err"
is 0 $? "the testbed is up"
in_study submit
is 0 $status "collsel submit"
sed 's/^/# /' "$dir/out"
three=$(job_of openmpi-node-3x1-p3-r1)
four=$(job_of mpich-node-4x1-p4-r1)
late=$(job_of openmpi-node-4x1-p4-r1)
[ "$three" ] && [ "$four" ] && [ "$late" ]
ok $? "every launch has its task: $three, $four, $late"

scancel "$three"
tell "cancelled $three"
until_true 120 is_running "$four"
ok $? "the launch on all nodes is at work"
in_study status
is 0 $status "collsel status"
sed 's/^/# /' "$dir/out"
says running "$dir/out" "it shows what runs"
says pending "$dir/out" "and what waits"
until_true 60 has_points mpich-node-4x1-p4-r1 3
before=$(finished | sort)
# as a power cut: the node's daemon and all that ran there
ip netns pids "$netns" | xargs kill -9
tell "$name-3 is dead"
until_true 180 node_is_down
ok $? "Slurm sees that the node is down"
tell "down"
# Slurm ends the job a moment later. A controller that dies before it does never says that the job lost its node.
until_true 120 told node_failed
ok $? "and events.jsonl tells it"
kill -9 "$(cat /run/collsel/$name/slurmctld.pid)"
tell "killed slurmctld"
in_study status
is 0 $status "status works without slurmctld"
sed 's/^/# /' "$dir/out" "$dir/err"
"$collsel" testbed start -q $name 2>"$dir/err"
is 0 $? "what has died is started again"
until_true 180 node_is_back
ok $? "and the node is back"
tell "back"
until_true 400 has_points openmpi-node-4x1-p4-r1 3
ok $? "the other launch on all nodes is at work"
# Its ranks stop, so that it does not end before Slurm looks, twice a minute. Slurm refuses an end that is over when it reads of it.
pgrep -f "^[^ ]*measure .*$at/samples/openmpi-node-4x1-p4-r1" | xargs -r kill -STOP
until_true 60 scontrol update JobId="$late" EndTime=now+1
ok $? "Slurm takes a new end for it"
tell "no more time for $late"
until_true 400 quiet
ok $? "the queue runs empty"
tell "the queue is empty"
in_study status
sed 's/^/# /' "$dir/out"

in_study submit
is 0 $status "submitted again"
sed 's/^/# /' "$dir/out"
until_true 400 quiet
ok $? "the queue runs empty again"
tell "the queue is empty"
in_study status
sed 's/^/# /' "$dir/out"
in_study submit
says "nothing to submit" "$dir/out" "a third submission has nothing to do"

planned=$(grep -v '^#' "$at/plan.csv" | awk -F, 'NR > 1 && $1 != ""' | wc -l)
is "$planned" "$(finished | sort -u | wc -l)" "all points are finished"
is "" "$(finished | sort | uniq -d)" "none was measured twice"
finished | sort -u >"$dir/after"
is "" "$(echo "$before" | comm -23 - "$dir/after")" "none that was finished before is lost"
for event in submitted started done node_failed timeout cancelled; do
    holds "$(grep -c "\"event\":\"$event\"" "$at/events.jsonl") > 0" "events.jsonl tells: $event"
done
has "\"node\":\"$name-3\"" "$(grep '"node_failed"' "$at/events.jsonl")" "and which node it was"
grep -Ev '"(submitted|started|done)"' "$at/events.jsonl" | cut -c1-240 | sed 's/^/# /'
page=$at/report/index.html
test -s "$page"
ok $? "the collecting job has made the report"
for text in "$name-3" "time limit" cancelled emulated; do
    cat "${page%/*}"/*.html | grep -q "$text"
    ok $? "the report says: $text"
done
tell "report"

"$collsel" testbed down -q $name 2>"$dir/err"
is "0 " "$? $(cat "$dir/err")" "taken down"
is "" "$(ip netns list | grep "$name")" "no namespace is left"
while read -r link; do ip link show dev "$link" 2>/dev/null; done <"$dir/links" >"$dir/left"
is "" "$(cat "$dir/left")" "no interface"
test -s "$dir/links"
ok $? "of $(wc -l <"$dir/links") there were"
is "" "$(pgrep -fa "collsel/$name|$name-[0-9]|$dir")" "no process"
test ! -e /run/collsel/$name
ok $? "no file"
tap_done
