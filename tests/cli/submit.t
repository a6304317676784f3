#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel submit, against fakes of Slurm's commands that run the jobs here (tests/fake/slurm): what is
# submitted, how, what is left alone the second time, and what it says when Slurm says no. The
# measuring program is the planted workload.
. tests/cli/run.sh
. tests/cli/slurm.sh
export FAKE_SLURM="$dir/slurm" COLLSEL_NULL_SLEEP=0.001
mkdir -p "$FAKE_SLURM"
slurm_build openmpi mpich
PATH=$PWD/tests/fake/slurm:$PATH

mkdir -p "$dir/clusters/studies"
slurm_cluster 4 1 4 "[network]" "link_rate = 1Gbps" >"$dir/clusters/two.ini"
sed 's/^collectives.*/&\nmpi = openmpi mpich\nmappings = core/; s/^procs.*/procs = 2 4/; s/^\[grid\]/&\nranks_per = core/' \
    tests/cli/tiny.ini >"$dir/clusters/studies/tiny.ini"
submit() { # submit RESULTS OPTION...
    results=$1
    shift
    run submit --clusters "$dir/clusters" -c two -s tiny --build "$dir/build" --results "$results" "$@"
}
# change KEY=VALUE: a cluster file that differs in one key of [slurm] or [cluster], named "other".
change() {
    grep -v "^${1%%=*} = " "$dir/clusters/two.ini" |
        sed "s/^\[$2\]/&\n${1%%=*} = ${1#*=}/" >"$dir/clusters/other.ini"
}
events() { cat "$1/two/tiny/events.jsonl"; }
jobs() { ls "$FAKE_SLURM/job" 2>/dev/null | wc -l; }
# settle: waits until no job is left.
idle() { [ -z "$(squeue -h -o %i)" ]; }
settle() { soon idle; }

# ---- a dry run ----
submit "$dir/a" --dry-run
is 0 $status "a dry run"
is "" "$(ls "$dir" | grep '^a$')$(ls -A "$FAKE_SLURM/job")" "writes nothing and submits nothing"
says "would be submitted: 4 tasks in 4 arrays" "$dir/out" "but says what would be"
grep -qE '^openmpi-2n +1 +1 +[0-9]+ +2 +0:05:00 +0\.0[0-9]$' "$dir/out"
ok $? "array, tasks, points, nodes, limit, node-hours"
submit "$dir/a" --dry-run --json
is "4 4" "$(python3 -c 'import json; o = json.load(open("'"$dir/out"'")); print(o["tasks"], o["arrays"])')" "--json has the same"
sed 's/^name = tiny/name = large/; s/^procs.*/procs = 2 64/' "$dir/clusters/studies/tiny.ini" >"$dir/clusters/studies/large.ini"
run submit --clusters "$dir/clusters" -c two -s large --build "$dir/build" --results "$dir/a" --dry-run
grep -qE '^[0-9]+ points skipped, e\.g\. 64 processes do not fit: two has 4 nodes' "$dir/out"
ok $? "what does not fit is told ($(grep skipped "$dir/out"))"
submit "$dir/a" --dry-run --verbose
says "#SBATCH --job-name=collsel-two-tiny-openmpi-2n" "$dir/out" "and prints the scripts with --verbose"

# ---- files alone ----
submit "$dir/files" --write-only
is "0 0" "$status $(jobs)" "--write-only submits nothing"
is "collect.sbatch mpich-2n.sbatch mpich-2n.tasks mpich-4n.sbatch mpich-4n.tasks openmpi-2n.sbatch openmpi-2n.tasks openmpi-4n.sbatch openmpi-4n.tasks" \
    "$(cd "$dir/files/two/tiny/jobs" && echo *)" "but writes every file"
if command -v shellcheck >/dev/null; then
    shellcheck "$dir"/files/two/tiny/jobs/*.sbatch >"$dir/out"
    ok $? "which shellcheck has nothing to say of"
    sed 's/^/# /' "$dir/out"
else
    skip "no shellcheck here" "which shellcheck has nothing to say of"
fi
sbatch "$dir/files/two/tiny/jobs/openmpi-2n.sbatch" >"$dir/out"
settle
is "openmpi" "$(ls "$dir/files/two/tiny/samples" | sed 's/-.*//' | sort -u)" "a file given to sbatch by hand measures"
submit "$dir/files" --no-collect
says "submitted: 3 tasks in 3 arrays" "$dir/out" "and what it measured is not submitted"
says "--results $dir/files" "$dir/out" "the command to run next has the options that it needs"
settle

# ---- the whole way, in a directory that has it all ----
odd="$dir/re sults \"of\" it's \$HOME 100%"
submit "$odd" --write-only
says "submit them by hand: sbatch '$dir/re sults" "$dir/out" "what to submit by hand is quoted"
rm -rf "$odd"
submit "$odd"
is 0 $status "it is submitted, below a directory with blanks, quotes, a dollar and a percent sign"
says "submitted: 4 tasks in 4 arrays" "$dir/out" "and says how much"
says "collect: job" "$dir/err" "and the job that collects"
is 4 "$(events "$odd" | grep -c '"event":"submitted"')" "each launch is in the journal"
submit "$odd"
says "nothing to submit; of 4 launches" "$dir/out" "submitted again at once, nothing is"
settle
ok $? "the jobs end"
says "points finished" "$odd/two/tiny/jobs/"mpich-4n-*_1.out "tasks print where they should"
test -s "$odd/two/tiny/report/index.html"
ok $? "the dependent job has made the report"
submit "$odd"
is 0 $status "submitted again"
says "nothing to submit; of 4 launches 4 are finished, 0 in flight" "$dir/out" "nothing is missing"
says "the report: collsel report" "$dir/out" "and it points to the report"
n=$(cat "$odd"/two/tiny/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},ok')
is "$n" "$(cat "$odd"/two/tiny/samples/*.outcomes.csv | grep '^[0-9a-f]\{16\},ok' | cut -d, -f1 | sort -u | wc -l)" \
    "no point was measured twice"
cp "$dir/clusters/studies/tiny.ini" "$dir/clusters/studies/tiny.old"
sed -i 's/^procs = .*/procs = 2 4 6/' "$dir/clusters/studies/tiny.ini"
submit "$odd" --no-collect --throttle 1
says "submitted: 2 tasks in 2 arrays" "$dir/out" "a grown study: only what is new"
says "#SBATCH --array=1%1" "$odd/two/tiny/jobs/openmpi-3n.sbatch" "throttled as asked"
settle
mv "$dir/clusters/studies/tiny.old" "$dir/clusters/studies/tiny.ini"

# ---- Slurm says no ----
refuses() { # refuses MESSAGE PART STATUS: of the submission before
    is "$3" "$status" "$1"
    says "$2" "$dir/err" "and says: $2"
}
echo "Invalid account or account/partition combination specified" >"$FAKE_SLURM/do/reject"
submit "$dir/no"
refuses "an account that Slurm does not take" "Invalid account or account/partition combination" 1
says "not submitted: mpich-2n, mpich-4n, openmpi-2n, openmpi-4n" "$dir/err" "and what is not submitted"
is 0 "$(events "$dir/no" | grep -c submitted)" "nothing is in the journal"

mkdir -p "$dir/bin"
cat >"$dir/bin/sbatch" <<EOF
#!/bin/sh
case \$* in *openmpi-2n*) echo "sbatch: error: Batch job submission failed: Job violates QOS policy" >&2 && exit 1 ;; esac
exec "$PWD/tests/fake/slurm/sbatch" "\$@"
EOF
chmod +x "$dir/bin/sbatch"
PATH=$dir/bin:$PATH
submit "$dir/half"
refuses "refused midway" "submitted: mpich-2n, mpich-4n; not submitted: openmpi-2n, openmpi-4n: sbatch refuses" 1
is "mpich-core-2x1-p2-r1 mpich-core-4x1-p4-r1" \
    "$(events "$dir/half" | sed -n 's/.*"launch":"\([^"]*\)".*"submitted".*/\1/p' | sort | xargs)" \
    "what got through is in the journal"
rm "$dir/bin/sbatch"
submit "$dir/half" --no-collect
says "submitted: 2 tasks in 2 arrays" "$dir/out" "and submit goes on with the rest"
settle

other() { run submit --clusters "$dir/clusters" -c "$dir/clusters/other.ini" -s tiny --build "$dir/build" --results "$dir/o" --dry-run; }
change partition=nosuch slurm
other
refuses "an unknown partition" "partition: 'nosuch' is not a partition here (want two)" 2
change partition=none slurm
other
refuses "no partition" "partition: none is named, so there is nothing to submit to" 2
change nodes=5 cluster
other
refuses "more nodes than there are" "other.ini:2: nodes: 5, but partition 'two' has 4" 2
change cores=6 cluster
other
refuses "more cores than a node has" "cores: 1 sockets of 6 cores, but 4 of the 4 nodes of partition 'two' have fewer CPUs" 2
echo 'MAX_TIME=30:00' >"$FAKE_SLURM/config"
change most_time=1h slurm 2>/dev/null
sed -i 's/^most_time = .*/most_time = 60min/' "$dir/clusters/other.ini"
other
refuses "more time than the partition gives" "most_time: 3600 s is more than partition 'two' allows (MaxTime, 1800 s)" 2
rm "$FAKE_SLURM/config"
: >"$FAKE_SLURM/do/noanswer"
submit "$dir/no"
refuses "slurmctld down" "slurmctld does not answer: scontrol says 'Unable to contact slurm controller (connect failure)'" 1
submit "$dir/mute" --dry-run --verbose
refuses "a dry run goes on without it" "Slurm does not answer: slurmctld does not answer" 0
says "partition two, 4 nodes; as Slurm has it by default: MaxArraySize 1001" "$dir/err" "and what it assumes"
says "#SBATCH --partition=two" "$dir/out" "it prints the scripts"
is "" "$(ls "$dir" | grep '^mute$')" "and writes nothing"
submit "$dir/mute" --dry-run --json
is False "$(python3 -c 'import json; print(json.load(open("'"$dir/out"'"))["slurm_asked"])')" "--json says that nobody was asked"
submit "$dir/mute" --write-only
is "0 collect.sbatch mpich-2n.sbatch mpich-4n.sbatch openmpi-2n.sbatch openmpi-4n.sbatch" \
    "$status $(cd "$dir/mute/two/tiny/jobs" && echo *.sbatch)" "--write-only writes them"
for script in "$dir"/mute/two/tiny/jobs/*.sbatch; do
    sed "s|$dir/files|$dir/mute|g" "$dir/files/two/tiny/jobs/${script##*/}" | diff - "$script" >>"$dir/differs"
done
is "" "$(cat "$dir/differs")" "as they are where Slurm answers"
change nodes=5 cluster
other
is 0 $status "how many nodes there are is not known then"
change partition=none slurm
other
refuses "but a partition is wanted" "other.ini:" 2
rm "$FAKE_SLURM/do/noanswer"
mkdir -p "$dir/none"
for c in env sed grep cat; do ln -sf "$(command -v $c)" "$dir/none/$c"; done
(
    # shellcheck disable=SC2123 # just what is wanted
    PATH=$dir/none
    submit "$dir/no"
    exit "$status"
)
status=$?
refuses "no sbatch" "'sbatch' is not on the PATH" 1
change emulated=yes cluster
sed -i 's/^name = .*/name = not-up-here/' "$dir/clusters/other.ini"
other
refuses "an emulated cluster that is not up" "testbed 'not-up-here' is not up" 1
submit "$dir/no" --backend sim
refuses "a backend without jobs" "--backend: 'sim' has no jobs" 2
is 0 "$(ls -A "$dir/o" 2>/dev/null | wc -l)" "none of this left a file"

# ---- nodes that break ----
change exclude=h2,h3 slurm
run submit --clusters "$dir/clusters" -c "$dir/clusters/other.ini" -s tiny --build "$dir/build" --results "$dir/few" --no-collect
refuses "fewer nodes than a launch wants" "2 launches want more nodes than are left" 1
says "mpich-core-4x1-p4-r1" "$dir/err" "names them"
says "submitted: 2 tasks in 2 arrays" "$dir/out" "but the others are submitted"
settle
is "" "$(grep -h '^# nodes' "$dir"/few/two/tiny/samples/*.csv | grep 'h[23]')$(grep -o '"nodes":"[^"]*h[23]' "$dir/few/two/tiny/events.jsonl")" \
    "and run on other nodes"
is 1 "$(grep -c '^#SBATCH --exclude=h2,h3$' "$dir/few/two/tiny/jobs/openmpi-2n.sbatch")" "that is what the script says"

for i in 1 2; do
    printf '{"t":"2026-01-01T00:0%s:00Z","launch":"mpich-core-2x1-p2-r1","attempt":%s,"event":"node_failed","reason":"gone","digest":"%s","points":0,"elapsed_s":1.0,"pid":1,"job":"1_%s","node":"h4"}\n' \
        "$i" "$i" 00000000 "$i" >>"$dir/broken"
done
mkdir -p "$dir/bad/two/tiny" && mv "$dir/broken" "$dir/bad/two/tiny/events.jsonl"
submit "$dir/bad" --no-collect
refuses "a node that broke two attempts" "node h4 is excluded: it broke 2 attempts" 1
says "2 launches want more nodes" "$dir/err" "which leaves too few for some"
is 1 "$(events "$dir/bad" | grep -c '"event":"excluded".*"node":"h4"')" "it is in the journal"
grep -q '^#SBATCH --exclude=h4$' "$dir/bad/two/tiny/jobs/openmpi-2n.sbatch"
ok $? "and in the script"
settle
submit "$dir/bad" --no-collect
is 1 "$(events "$dir/bad" | grep -c '"event":"excluded"')" "once"

# ---- launches that never get anywhere ----
cat >"$dir/bin/mpirun.openmpi" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) 4.1.4"; exit 0; }
for last; do :; done
[ "${last##*/}" = probe ] && exec "$last" # that which asks the library
echo "a library that cannot start" >&2
exit 1
EOF
chmod +x "$dir/bin/mpirun.openmpi"
ln -s mpirun.openmpi "$dir/bin/mpirun"
sed -i 's/^mpi = .*/mpi = openmpi/; s/^procs.*/procs = 2/; s/^gamma_procs.*/gamma_procs = 2/' "$dir/clusters/studies/tiny.ini"
for i in 1 2; do
    submit "$dir/vain" --no-collect
    is 0 $status "submitted for the ${i}. time"
    settle
done
submit "$dir/vain" --no-collect
refuses "a launch that was fruitless twice" "1 launch is given up after more than 1 tries in vain: openmpi-core-2x1-p2-r1" 1
submit "$dir/vain" --no-collect --retries 2
is 0 $status "--retries 2 tries again"
settle

# ---- tasks that are held, nodes that are drained: as after a controller that forgot jobs ----
rm "$dir/bin/mpirun.openmpi" "$dir/bin/mpirun"
sed -i 's/^mpi = .*/mpi = openmpi mpich/' "$dir/clusters/studies/tiny.ini"
all_held() { [ -z "$(squeue -h -a -o '%T|%r' | grep '^PENDING' | grep -v held)" ]; }
hold() { # every task that waits: the controller does it, which writes reasons, too
    : >"$FAKE_SLURM/do/hold"
    soon all_held
    rm "$FAKE_SLURM/do/hold"
}
for n in h1 h2 h3 h4; do echo "drained Duplicate jobid" >"$FAKE_SLURM/node/$n"; done
submit "$dir/held" --no-collect
says "submitted: 2 tasks in 2 arrays" "$dir/out" "tasks that no node takes are submitted"
run status --clusters "$dir/clusters" -c two -s tiny --results "$dir/held"
says "4 of 4 nodes take no jobs (drained: Duplicate jobid); when they are well: scontrol update NodeName=h1,h2,h3,h4 State=RESUME" "$dir/out" \
    "status names the nodes, and the command that frees them"
is 0 "$(grep -c 'held by Slurm' "$dir/out")" "and no task that is held"
hold
for command in status submit "collect --wait=1"; do
    # shellcheck disable=SC2086 # an option
    set -- $command --clusters "$dir/clusters" -c two -s tiny --results "$dir/held"
    [ "$command" != submit ] || set -- "$@" --build "$dir/build"
    timeout 300 "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    is "$([ "$command" = "collect --wait=1" ] && echo 1 || echo 0)" $status "$command with all tasks held: it ends"
    grep -qE '^2 tasks are held by Slurm \(launch failed requeued held\) until somebody says: scontrol release [0-9]+_1,[0-9]+_1$' "$dir/out"
    ok $? "and says so, with the command that frees them"
    says "scontrol update NodeName=h1,h2,h3,h4 State=RESUME" "$dir/out" "and the nodes"
done
timeout 300 "$collsel" sweep --clusters "$dir/clusters" -c two -s tiny --results "$dir/held" --build "$dir/build" -q >"$dir/out" 2>"$dir/err"
status=$?
refuses "a sweep does not wait for ever" "all 2 launches in the queue are held by Slurm" 1
says "scontrol release" "$dir/err" "and names the command"
grep -o 'scontrol [ru].*' "$dir/err" >"$dir/free"
sh "$dir/free"
run collect --clusters "$dir/clusters" -c two -s tiny --results "$dir/held" --wait=1
is 0 $status "after these commands, as they stand, all is measured"
is 0 "$(grep -c scontrol "$dir/out")" "and nothing is stuck"
tap_done
