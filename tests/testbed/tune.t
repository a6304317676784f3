#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154,SC2317
# make tune on an emulated cluster of four nodes with a real Slurm: from the sweep to files of rules that were verified, of Open MPI and of MPICH,
# with the lines that load them and those that roll back. A task that is cancelled is measured again, a second tune meanwhile is refused,
# and when a node dies verify goes on as soon as it is back.
. tests/cli/run.sh
[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc nsenter unshare munged slurmctld slurmd sbatch mpirun.openmpi mpirun.mpich; do
    PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || skip_all "$tool is not installed"
done
mpirun.openmpi --version | grep -q 'Open MPI\|OpenRTE' || skip_all "mpirun.openmpi is not Open MPI's"
name=tune$$
collsel=$(realpath "$collsel")
sed "s/= mini\$/= $name/" clusters/mini.ini >"$dir/$name.ini"
sed "s/^\[on mini\]/[on $name]/" clusters/studies/tune.ini >"$dir/tune.ini"
take_down() { "$collsel" testbed down -q "$name"; tap_clean; }
trap take_down EXIT
"$collsel" testbed up -q "$dir/$name.ini" 2>"$dir/err" || skip_all "$(tail -1 "$dir/err")"
cd "$dir" || exit 1

tune() { "$collsel" tune -q --cluster "$dir/$name.ini" --study "$dir/tune.ini" >"$dir/out" 2>"$dir/err"; }
tune
is 0 $? "sweep, fit, select, verify ($(tail -2 "$dir/err"))"
sed 's/^/# /' "$dir/out"
at=results/$name/tune/verify
for library in openmpi mpich; do
    file=results/$name-tune-$library.rules
    part=$(sed -n "/^$library:/,/^[a-z]*:\$/p" "$dir/out")
    # MPICH's fastest may be what its default runs by itself; and other load on this machine decides what is faster for sure.
    case $part in *"there is nothing to set"*) skip "nothing is faster than the default here" "$library: a file"; continue ;; esac
    [ -s "$file" ]
    ok $? "$library: a file"
    has "verified in 2 rounds" "$(cat "$file")" "$library: it says that it was verified"
    has "loaded: in " "$part" "$library: it is said in how many launches it was seen to be loaded"
    holds "$(sed 1d $at/$library-*/verify.csv | wc -l) > 0" "$library: some cell has a rule"
done
is "$(find results -maxdepth 1 -name "$name-tune-*.rules" | wc -l)" "$(grep -c 'to roll back:' "$dir/out")" "with each file that is written the way back is said"

# Which rules stay is said of planted times (tests/cli/verify.t). Here one algorithm's are made a hundredth: each cell has a rule of it.
rm -rf $at/openmpi-*
awk -F, -v OFS=, '/^#/ { print; next }
    !n { for (n = 1; n <= NF; n++) at[$n] = n }
    $at["algorithm"] == "openmpi:pipeline" { $at["time_s"] /= 100; $at["mean_rank_s"] /= 100 }
    { print }' results/"$name"/tune/points.csv >points.csv
mv points.csv results/"$name"/tune/points.csv
verify() { # verify NAME: in the background
    "$collsel" verify -q --cluster "$dir/$name.ini" --study "$dir/tune.ini" --library openmpi --unsure --rounds 2 --output "$1.rules" >"$dir/$1.out" 2>"$dir/$1.err" &
    verify=$!
}
# Ranks that are stopped: the launch is at work until somebody ends it.
stopped() { pgrep -f "^[^ ]*measure .*results/$name/" | xargs -r kill -STOP && pgrep -r T -f "^[^ ]*measure .*results/$name/"; }

# cancelled in the middle, and once more
verify again
export SLURM_CONF=/run/collsel/$name/slurm.conf
soon stopped
squeue -h -o %A | sort -u | xargs scancel
wait $verify
is 1 $? "tasks that somebody cancels are not submitted again"
has "cancelled, and not submitted again" "$(cat "$dir/again.err")" "which is said"
[ ! -e again.rules ]
ok $? "and no file is written"

# run again: it goes on; somebody else begins meanwhile; a node dies
verify node
soon stopped
tune
is 1 $? "a second tune of the same results"
has "another collsel (process $verify" "$(cat "$dir/err")" "is refused, and told by whom"
ip netns pids "collsel-$name-3" | xargs kill -9
node_is() { sinfo -h -n "$name-3" -o %T | grep -q "$1"; }
soon node_is down
ok $? "Slurm sees that a node is down"
"$collsel" testbed start -q "$name" 2>"$dir/err"
is 0 $? "its daemon is started again ($(cat "$dir/err"))"
wait $verify
is 0 $? "run again, verify has waited, and completes ($(cat "$dir/node.err"))"
is "8192 2 0 65536 2 0" "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["bytes"], $at["proved"], $at["other"] }' $at/openmpi-*/verify.csv | sort -n | xargs)" \
    "Open MPI: each rule was seen to run in both allocations"
is 2 "$(cat $at/openmpi-*/????????/with/events.jsonl | grep '"done"' | grep -o '"job":"[0-9_]*"' | sort -u | wc -l)" "each round had an allocation of its own"
tap_done
