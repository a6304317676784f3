#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2317
# Whole studies through submit, tasks and collect on the fakes of tests/fake/slurm, one mishap after
# the other: each is in events.jsonl, submit again completes, nothing is measured twice or lost.
. tests/cli/run.sh
. tests/cli/slurm.sh
fake=$PWD/tests/fake/slurm
program=$(readlink -f "$collsel")
slurm_build openmpi
ln -s "$program" "$dir/build/collsel"
slurm_cluster 4 1 4 >"$dir/two.ini"
printf 'extra = --no-requeue\nthrottle = 1\n' | cat "$dir/two.ini" - | sed 's/^name = .*/name = once/' >"$dir/once.ini"
cat >"$dir/few.ini" <<'END'
[study]
name = few
collectives = bcast
mpi = openmpi
mappings = core
[grid]
ranks_per = core
procs = 4 8
bytes = 8K 64K
[candidates]
portable = binomial chain binary_tree
default = no
[fit]
gamma_procs = 2 3
[measure]
repeats = 1
budget = 20ms
min_reps = 3
max_reps = 10
point_limit = 30s
END
PATH=$fake:$PATH
cluster=two
here=none

# fresh NAME [SETTING...]: a new Slurm, and new results. Every launch stays at its fourth point until
# go_on: none ends before what shall happen to it has happened.
fresh() {
    here=$dir/$1
    export COLLSEL_NULL_STAY="$here/stay" COLLSEL_NULL_STAY_AT=3
    unset COLLSEL_NULL_SLEEP
    export FAKE_SLURM="$here/slurm"
    mkdir -p "$FAKE_SLURM/do"
    shift
    for setting; do echo "$setting"; done >"$FAKE_SLURM/config"
    : >"$COLLSEL_NULL_STAY"
}

go_on() { rm "$COLLSEL_NULL_STAY"; }

# steady: no launch stays, but each takes about a second.
steady() {
    go_on
    export COLLSEL_NULL_SLEEP=0.06
}

c() { # c VERB OPTION...
    verb=$1
    shift
    run "$verb" --clusters "$dir" -c "$cluster" -s "$dir/few.ini" --build "$dir/build" --results "$here" "$@"
}

until_true() {
    soon "$@" && return
    ok 1 "waited in vain: $*"
    [ "$(squeue -h -r -o %i)" ] || tap_done # no use to wait for the rest
}

outcomes() { cat "$here/$cluster"/few/samples/*.outcomes.csv 2>/dev/null | grep '^[0-9a-f]\{16\},'; }
begun() { [ "$(outcomes | wc -l)" -gt 2 ]; }
idle() { [ -z "$(squeue -h -r -o %i)" ]; }
events() { cat "$here/$cluster/few/events.jsonl"; }
none_runs_on_h1() { ! squeue -h -r -o '%N' | grep -q h1; }
running() { squeue -h -r -o '%i|%T' | sed -n 's/|RUNNING//p'; }
waiting() { squeue -h -r -o '%i|%T' | sed -n 's/|PENDING//p'; }
is_over() { ! running | grep -qx "$job"; }
planned() { grep -c '^openmpi-' "$here/$cluster/few/plan.csv"; }

# finish WHAT: submitted again, all is measured, once.
finish() {
    c submit --no-collect
    is 0 $status "$1: submit again"
    until_true idle
    c collect
    is 0 $status "$1: collect finds everything"
    is "$(planned)" "$(outcomes | wc -l)" "$1: nothing is lost and nothing measured twice"
    is "" "$(outcomes | cut -d, -f1 | sort | uniq -d)" "$1: no point twice"
    c submit --no-collect
    says "nothing to submit" "$dir/out" "$1: then nothing is left to submit"
}

# mishap NAME EVENT: what was asked for happens to a task at work; its event is in the journal.
mishap() {
    c submit --no-collect
    is 0 $status "$1: submit"
    until_true begun
    job=$(running | head -1)
    "do_$1"
    until_true is_over
    go_on
    until_true idle
    c collect
    is 1 $status "$1: collect says that something is missing"
    says "points are missing: \`collsel measure submit --cluster two --study " "$dir/out" "$1: and what to do"
    has "\"event\":\"$2\"" "$(events | grep "\"job\":\"$job\"")" "$1: the journal says $2 of $job"
    is 1 "$(events | grep -c "\"event\":\"$2\"")" "$1: once"
    c collect
    is 1 "$(events | grep -c "\"event\":\"$2\"")" "$1: and collecting again does not say it again"
    finish "$1"
}

# ---- all is well, with and without accounting, in any order, of several versions ----
fresh well ACCOUNTING=yes VERSION=23.11.4
: >"$FAKE_SLURM/do/reverse"
c submit --no-collect
is 0 $status "submit"
c status
is 0 $status "status at work"
has "2 launches:" "$(cat "$dir/out")" "counts the launches"
until_true begun
c status
says "h1" "$dir/out" "shows where one runs"
c submit --no-collect
says "nothing to submit" "$dir/out" "submit again, meanwhile: nothing, they are in flight"
says "2 in flight" "$dir/out" "and says so"
go_on
c collect --wait=1
is 0 $status "collect waits for the end"
is "$(planned)" "$(outcomes | wc -l)" "everything is measured once"
says '"status": "done"' "$here/two/few/manifest.json" "the manifest's run is done"
is "" "$(events | grep -E '"(failed|lost|cancelled|timeout|interrupted)"')" "no mishap"
ended=$(grep '"ended"' "$here/two/few/manifest.json")
sleep 1
c collect
is "$ended" "$(grep '"ended"' "$here/two/few/manifest.json")" "and stays as it was when it is collected again"
c status
is 0 $status "status of what is done"
is 2 "$(grep -c ' done ' "$dir/out")" "says done of both"

# ---- mishaps, one by one ----
do_kill() { echo "$job" >"$FAKE_SLURM/do/kill"; }
fresh kill
mishap kill failed
has "killed by signal 9" "$(events)" "kill: with the signal"

do_timeout() { echo "$job" >"$FAKE_SLURM/do/timeout"; }
fresh timeout VERSION=20.11.8 ACCOUNTING=yes
mishap timeout timeout
is 0 "$(events | grep '"timeout"' | grep -c '"point"')" "timeout: no point is blamed"

do_cancel() { scancel "$job"; }
fresh cancel ACCOUNTING=yes
mishap cancel cancelled

do_lose() { echo "$job" >"$FAKE_SLURM/do/lose"; }
fresh lose
mishap lose lost

cluster=once
do_nodefail() { echo h1 >"$FAKE_SLURM/do/nodefail"; }
do_repair() { scontrol update NodeName=h1 State=RESUME; }
fresh nodefail
c submit --no-collect
until_true begun
do_nodefail
until_true none_runs_on_h1
c collect
has '"event":"node_failed"' "$(events)" "a node that fails: the journal says so"
has '"node":"h1"' "$(events)" "and which"
c status
says "node h1 broke 1 attempt" "$dir/out" "status names it"
do_repair
go_on
finish "a node that fails"
cluster=two

# The hour that a requeued task waits is over.
due_again() { for when in "$FAKE_SLURM"/task/*/not_before; do echo 0 >"$when"; done; }
fresh requeue REQUEUE_DELAY=3600
c submit --no-collect
until_true begun
do_nodefail
until_true grep -q BeginTime "$FAKE_SLURM"/task/*/reason
c status
is "0 1" "$(grep -c ETA "$dir/out") $(grep -c ', about .* of launches left' "$dir/out")" "where none runs nobody knows when all have ended"
c collect
has '"node":"h1"' "$(events | grep node_failed)" "a node that fails, the task back in the queue: a strike"
do_repair
due_again
go_on
until_true idle
c collect
is 0 $status "the task that Slurm starts again completes its launch"
is "$(planned)" "$(outcomes | wc -l)" "and measures nothing twice"
is 1 "$(events | grep -c node_failed)" "the failure is told once"

# ---- a slurmd dies, and its task does not ----
let_go() { events | grep -q 'Slurm has given this start of the task up'; }
told_to_end() { grep -qs 'gets a signal to end' "$here/$cluster"/few/jobs/*.out; }
do_orphan() { echo h1 >"$FAKE_SLURM/do/slurmd"; }
fresh orphan REQUEUE_DELAY=3600
c submit --no-collect
until_true begun
for job in $(waiting); do echo 9999999999999 >"$FAKE_SLURM/task/$job/not_before"; done # it could have the repaired node before the orphan's launch
job=$(running)
do_orphan
until_true grep -q BeginTime "$FAKE_SLURM/task/$job/reason"
c collect
do_repair
echo 0 >"$FAKE_SLURM/task/$job/not_before"
until_true told_to_end
due_again
told_to_end
ok $? "a task outlives the slurmd of its node: when Slurm starts it anew, that one tells it to end"
until_true let_go
go_on
until_true idle
c collect
is 0 $status "and completes the launch"
is "$(planned)" "$(outcomes | wc -l)" "measures nothing twice"
is "" "$(outcomes | cut -d, -f1 | sort | uniq -d)" "no point twice"
let_go
ok $? "the journal says why the first one ended"
is 1 "$(events | grep node_failed | grep -c '"node":"h1"')" "and which node failed, once"
is 0 "$(events | grep -c '"event":"failed"')" "no point is blamed"

cluster=once
fresh orphaned
c submit --no-collect
until_true begun
waiting | xargs scancel # it would have the nodes before the orphan's launch comes again
do_orphan
until_true none_runs_on_h1
c collect
do_repair
c submit --no-collect
until_true let_go
let_go
ok $? "the same, not put back into the queue, but submitted again: its orphan is told to end, too"
go_on
finish "and not put back into the queue"
cluster=two

fresh words
steady
echo 'srun: error: Node failure on h3' >"$FAKE_SLURM/do/words"
c submit --no-collect
until_true [ -e "$FAKE_SLURM/job/100/done" ]
has '"node":"h3"' "$(events | grep node_failed)" "a node that the launcher blames: the journal says so"
echo '  Remote daemon: [[37183,0],2] on node h3' >"$FAKE_SLURM/do/words"
c submit --no-collect
until_true [ -e "$FAKE_SLURM/job/101/done" ]
is 2 "$(events | grep -c '"node":"h3"')" "twice"
c status
says "node h3 broke 2 attempts: excluded" "$dir/out" "status names it"
c submit --no-collect
is 1 $status "four nodes are not there without it"
says "exclud" "$dir/err" "and submit says so"

# ---- Slurm refuses, or does not answer ----
fresh reject
go_on
echo 'Invalid account or account/partition combination specified' >"$FAKE_SLURM/do/reject"
c submit --no-collect
is 1 $status "a submission that sbatch refuses"
says "Invalid account" "$dir/err" "is an error in its words"
finish "refused before"

fresh mute
steady
c submit --no-collect
: >"$FAKE_SLURM/do/noanswer"
c status
is 0 $status "status when slurmctld does not answer"
says "Slurm does not answer" "$dir/out" "says so"
says "Unable to contact slurm controller" "$dir/out" "in its words"
says "openmpi-core-" "$dir/out" "and what the files say"
c collect
is 1 $status "collect then"
says "Unable to contact slurm controller" "$dir/err" "is an error"
c submit --no-collect
is 1 $status "and so is submit"
in_background() { # in_background NAME VERB OPTION...: its words are in $dir/NAME.out and .err
    name=$1
    shift
    "$collsel" "$@" --clusters "$dir" -c two -s "$dir/few.ini" --build "$dir/build" --results "$here" \
        >"$dir/$name.out" 2>"$dir/$name.err" &
}
in_background collect collect --wait=1
collect=$!
in_background watch status --watch=1
watch=$!
until_true grep -q 'asking again' "$dir/collect.err"
until_true grep -q 'does not answer' "$dir/watch.out"
rm "$FAKE_SLURM/do/noanswer"
wait $collect
is 0 $? "collect --wait waits for Slurm's answer as well, and then for the end: nothing was lost"
says "an answer again, after" "$dir/collect.err" "and says so"
wait $watch
is 0 $? "status --watch goes on when Slurm does not answer"
says "2 done" "$dir/watch.out" "until the end"

begin_sweep() { # until its tasks are at work
    in_background sweep sweep
    sweep=$!
    until_true begun
}

fresh outage
begin_sweep
: >"$FAKE_SLURM/do/noanswer"
until_true grep -q 'asking again' "$dir/sweep.err"
says "asking again, for 1 h" "$dir/sweep.err" "a sweep whose slurmctld does not answer asks again"
run sweep --clusters "$dir" -c two -s "$dir/few.ini" --build "$dir/build" --results "$here"
is 1 $status "another sweep is not begun then"
says "slurmctld does not answer" "$dir/err" "and nothing is simulated in its place"
rm "$FAKE_SLURM/do/noanswer"
job=$(running | head -1)
do_kill
until_true is_over
go_on
wait $sweep
is 0 $? "it goes on, submits again what is missing, and completes"
says "an answer again, after" "$dir/sweep.err" "saying so"
is "$(planned)" "$(outcomes | wc -l)" "everything is measured, once"

fresh stop
begin_sweep
squeue -h -r -o %i | xargs scancel
wait $sweep
is 1 $? "a sweep ends when its tasks are cancelled"
says "cancelled, and not submitted again" "$dir/sweep.err" "and says so"
go_on
c collect
finish "the cancelled sweep"

if [ "${COLLSEL_LONG:-}" ]; then
    fresh hang
    c submit --no-collect
    : >"$FAKE_SLURM/do/hang"
    c status
    is 0 $status "status when slurmctld hangs"
    says "30 seconds" "$dir/out" "says after how long it went on without"
    rm "$FAKE_SLURM/do/hang"
    scancel 100
    until_true idle
fi

# ---- the controller has lost its state, and gives the study's number to a stranger ----
lost_or_ended() { [ ! -e "$FAKE_SLURM/do/lose" ] || ! squeue -h -r -o %i | grep -qx "$1"; }
# stranger: a job of somebody else's that stays, with as many tasks as the study's, under its number.
stranger() {
    for task in $(squeue -h -r -o %i); do
        echo "$task" >"$FAKE_SLURM/do/lose"
        until_true lost_or_ended "$task"
        rm -f "$FAKE_SLURM/do/lose"
    done
    until_true idle
    rm -rf "$FAKE_SLURM"/job/* "$FAKE_SLURM/next" # as after a start without its files
    printf '#!/bin/sh\nexec sleep 200 3>&-\n' >"$dir/stranger.sh"
    SBATCH_JOB_NAME=collsel-two-few-openmpi-1n sbatch --parsable --array=1-2 --time=60 --output=/dev/null "$dir/stranger.sh" >"$dir/number"
}
fresh stranger
c submit --no-collect
until_true begun
number=$(running | head -1)
has '"mark":"collsel-mark-' "$(events | grep '"submitted"' | head -1)" "what is submitted has a mark that Slurm shows"
stranger
go_on
is "${number%_*}" "$(cat "$dir/number")" "a stranger has the number of ours"
until_true running
c status
is 0 $status "status"
is "" "$(grep ' running ' "$dir/out")" "does not take the stranger's tasks for ours"
says "its number is another job's now" "$dir/out" "and says what became of ours"
c collect
is 1 $status "collect"
has "Slurm has given its number to another job" "$(events | grep '"lost"' | head -1)" "writes that down"
c submit --no-collect
is 0 $status "submit"
says ", 0 in flight" "$dir/out" "does not wait for the stranger"
scancel "$(cat "$dir/number")"
until_true idle
c collect
is "$(planned)" "$(outcomes | wc -l)" "nothing is lost and nothing measured twice"

# where a site's sbatch drops the mark, numbers are all there is
fresh dropped
: >"$FAKE_SLURM/do/dropwords"
c submit --no-collect
is "" "$(events | grep mark)" "a mark that Slurm does not show is not written down"
c submit --no-collect
says "nothing to submit" "$dir/out" "and what is in flight is not submitted again"
squeue -h -r -o %i | xargs scancel
until_true idle

# ---- cancelled while it waits; forgotten ----
cluster=once # one task at a time
fresh pending
c submit --no-collect
until_true begun
job=$(waiting | tail -1)
ok "$([ "$job" ]; echo $?)" "a task waits for another"
scancel "$job"
go_on
until_true idle
echo MIN_JOB_AGE=0 >"$FAKE_SLURM/config"
c collect
is 1 $status "cancelled in the queue, and Slurm has forgotten it"
has '"event":"lost"' "$(events | grep "\"job\":\"$job\"")" "is lost, as far as anybody knows"
finish "cancelled in the queue"
cluster=two

# ---- what runs in place of another algorithm is timed once, also where its launch was cut ----
sed -i 's/^portable = .*/portable = pipeline chain split_binary_tree basic_linear scatter_allgather\nfanouts = chain:1\nsegment_bytes = 8K/
    s/^bytes = .*/bytes = 3 8K 64K/' "$dir/few.ini"
# stand_ins: of all outcomes of the launches' attempts how many have the samples of another one; what is wrong with them goes to $dir/wrong.
stand_ins() {
    : >"$dir/wrong"
    for file in "$here/$cluster"/few/samples/*.outcomes.csv; do
        grep -v '^#' "${file%.outcomes.csv}.csv" | cut -d, -f1 | sort | uniq -c >"$dir/rows"
        awk -F, -v file="$file" 'FILENAME ~ /rows$/ { split($0, w, " "); rows[w[2]] = w[1]; next }
            /^#/ { next }
            !h { for (i = 1; i <= NF; i++) at[$i] = i; h = 1; next }
            { id = $at["point"]; n[id] = $at["n_rows"]; ran[id] = $at["ran_algorithm"]; same = $at["same_as"] }
            same == "" { if (rows[id] != n[id]) print id, "has not its samples" >"/dev/stderr"; next }
            { count++ }
            rows[id] { print id, "has samples of its own and those of", same >"/dev/stderr" }
            !(same in n) { print id, "has the samples of", same, "which is not before it" >"/dev/stderr"; next }
            n[id] != n[same] || ran[id] != ran[same] { print id, "is not as", same >"/dev/stderr" }
            END { print count + 0 }' "$dir/rows" "$file" 2>>"$dir/wrong"
    done | awk '{ n += $1 } END { print n + 0 }'
}
fresh whole
go_on
c submit --no-collect
until_true idle
c collect
is 0 $status "a study in which algorithms stand in for others"
whole=$(stand_ins)
is "" "$(cat "$dir/wrong")" "each outcome has its samples, or names a point before it that ran the same and has as many"
c plan
says "$whole of these points run the same" "$dir/out" "as many as the plan says: $whole"
fresh cut
c submit --no-collect
until_true begun
job=$(running | head -1)
do_kill
until_true is_over
go_on
until_true idle
c collect
is 1 $status "the same, killed in the middle of a launch"
finish "cut"
again=$(stand_ins)
is "" "$(cat "$dir/wrong")" "cut: no outcome has the samples of another attempt"
holds "$again <= $whole && $again >= $whole - 6" "cut: $again of $whole are shared: what was timed before the cut is timed once more where it is needed"
c fit -q
is 0 $status "cut: the fit takes all of them"
wanted=$(grep -v '^#' "$here/$cluster/few/plan.csv" | grep -c ',time,')
is "$wanted" "$(grep -v '^#' "$here/$cluster/few/points.csv" | grep -c ',time,.*,\(ok\|substituted\),')" "cut: and every point has a time"

tap_done
