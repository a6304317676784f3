#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel task: one launch of a study in a (pretended) Slurm allocation. The measuring program is the
# planted workload, mpirun a fake that starts it alone.
. tests/cli/run.sh
mkdir -p "$dir/bin" "$dir/build/openmpi"
ln -s "$(readlink -f "$build/null/measure")" "$dir/build/openmpi/measure"
cat >"$dir/bin/mpirun.openmpi" <<'EOF'
#!/bin/sh
# Open MPI's mpirun, for one purpose: --version, or the program behind the options. $FAKE_WORDS: says
# that and dies after a moment. $FAKE_STAY: does not end when the program has.
[ "$1" = --version ] && { echo "mpirun (Open MPI) 4.1.4"; exit 0; }
for last; do :; done
[ "${last##*/}" = probe ] && exec "$last" # that which asks the library
while [ "${1##*/}" != measure ]; do shift; done
[ "$FAKE_STAY" ] && { "$@"; exec sleep "$FAKE_STAY"; }
[ "$FAKE_WORDS" ] || exec "$@"
"$@" &
sleep 0.3
kill -9 $!
echo "$FAKE_WORDS" >&2
exit 1
EOF
chmod +x "$dir/bin/mpirun.openmpi"
ln -s mpirun.openmpi "$dir/bin/mpirun"
ln -s "$PWD/tests/fake/slurm/mpicc.openmpi" "$dir/bin/"
cat >"$dir/two.ini" <<'EOF'
[cluster]
name = two
nodes = 2
sockets = 1
cores = 4
cpu = none
[slurm]
partition = two
launcher = mpirun
EOF
sed 's/^mpi.*//; s/^collectives.*/&\nmpi = openmpi/' tests/cli/tiny.ini >"$dir/tiny.ini"
PATH=$dir/bin:$PATH
export COLLSEL_NULL_SLEEP=0.02

launch=openmpi-core-2x2-p4-r1
task() { # task NAME OPTION...
    name=$1
    shift
    run task --clusters "$dir" -c two -s "$dir/tiny.ini" --build "$dir/build" --results "$dir/$name" "$@"
}
events() { cat "$dir/$1/two/tiny/events.jsonl"; }

sed -i 's/^procs.*/procs = 4 6/; s/^\[grid\]/&\nranks_per = core/; s/^mpi = .*/&\nmappings = core/' "$dir/tiny.ini"
task none --launch $launch
is 1 $status "outside of an allocation it refuses"
says "not in a Slurm allocation" "$dir/err" "and says so"
task none
is 2 $status "without a launch it is wrong usage"

export SLURM_JOB_ID=17 SLURM_ARRAY_JOB_ID=12 SLURM_ARRAY_TASK_ID=3
export SLURM_JOB_NODELIST='h[1-2]' SLURM_JOB_CPUS_PER_NODE='4(x2)'
task a --launch openmpi-core-9x9-p81-r1
is 1 $status "an unknown launch is an error"
says "is not a launch of study 'tiny' on two" "$dir/err" "that names it"
task a --launch $launch --digest 00000000
is 1 $status "another digest than it was submitted with is refused"
says "submitted as digest 00000000" "$dir/err" "and the message says why"
test ! -e "$dir/a/two/tiny/samples"
ok $? "nothing was measured"

task a --launch $launch
is 0 $status "a task measures its launch"
n=$(cat "$dir"/a/two/tiny/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},ok')
says "$launch: $n of $n points finished ($n now), 0 given up" "$dir/out" "all of it"
is "$launch" "$(ls "$dir/a/two/tiny/samples" | sed 's/\.a1.*//' | sort -u)" "and no other"
test ! -e "$dir/a/two/tiny/plan.csv" && test ! -e "$dir/a/two/tiny/manifest.json"
ok $? "plan and manifest are left to the submission"
has '"job":"12_3","nodes":"h[1-2]"' "$(events a | grep started)" "the journal has task and nodes"
has '"job":"12_3","cores":8' "$(events a | grep '"done"')" "and what was allocated"
task a --launch $launch
says "($(echo 0) now)" "$dir/out" "run again it measures nothing"

: >"$dir/stay" # as long as that is there, no launch goes beyond a few points
export COLLSEL_NULL_STAY="$dir/stay"
task b --launch $launch &
first=$!
soon test -s "$dir/b/two/tiny/launches/$launch.lock"
"$collsel" task --clusters "$dir" -c two -s "$dir/tiny.ini" --build "$dir/build" --results "$dir/b" \
    --launch $launch >/dev/null 2>"$dir/second"
is 1 $? "a second task of the same launch is refused"
says "is at work on '$launch'" "$dir/second" "and told why"
rm "$dir/stay"
wait $first

: >"$dir/stay"
"$collsel" task -q --clusters "$dir" -c two -s "$dir/tiny.ini" --build "$dir/build" --results "$dir/c" \
    --launch $launch >/dev/null 2>"$dir/err" &
pid=$!
begun() { [ "$(cat "$dir"/c/two/tiny/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},')" -ge 5 ]; }
soon begun
kill -USR1 $pid
wait $pid
status=$?
unset COLLSEL_NULL_STAY
is 1 $status "told that its time is near, it ends"
has '"event":"timeout"' "$(events c)" "the journal says so"
has 'the time limit of the task was near' "$(events c)" "and why"
is 0 "$(events c | grep -c '"point"')" "and blames no point"
task c --launch $launch
is 0 $status "the next one completes it"
is "" "$(cat "$dir"/c/two/tiny/samples/*.outcomes.csv | grep '^[0-9a-f]\{16\},' | cut -d, -f1 | sort | uniq -d)" \
    "and measures nothing twice"

sed -i 's/^point_limit.*/point_limit = 5s/' "$dir/tiny.ini"
began=$(date +%s)
FAKE_STAY=1000 task e --launch $launch
is 0 $status "a launcher that does not end when all is measured is killed: nothing is missing"
holds "$(date +%s) - $began < 900" "before it would have"
is 1 "$(events e | grep -c '"started"')" "and not tried again"
has 'had not ended' "$(events e | grep '"done"')" "the journal says done, and what was the matter"

FAKE_WORDS='srun: error: Node failure on h2' task d --launch $launch
is 1 $status "a node that breaks ends the task"
says "node 'h2' failed" "$dir/err" "which names it"
has '"event":"node_failed"' "$(events d)" "the journal says so"
has '"node":"h2"' "$(events d)" "with the node"
is 0 "$(events d | grep -c '"point"')" "and blames no point"
is 1 "$(events d | grep -c started)" "it is not tried again in this allocation"
tap_done
