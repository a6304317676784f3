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
release=$(mpirun.openmpi --version | sed -n '1s/.* \([0-9]*\.[0-9]*\).*/openmpi-\1/p')
[ "$release" ] || skip_all "mpirun.openmpi is not Open MPI's"
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
    # MPICH's fastest may be what its default runs by itself
    case $part in *"there is nothing to set"*) skip "nothing is faster than the default here" "$library: a file"; continue ;; esac
    [ -s "$file" ]
    ok $? "$library: a file"
    has "verified in 2 rounds" "$(cat "$file")" "$library: it says that it was verified"
    has "loaded: in " "$part" "$library: it is said in how many launches it was seen to be loaded"
    holds "$(sed 1d $at/$library-*/verify.csv | wc -l) > 0" "$library: some cell has a rule"
done
# Whether a gain is sure, other load on this machine decides: which rules stay is said of planted times (tests/cli/verify.t).
row() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["bytes"] == 65536 { print $at["proved"], $at["other"] }' $at/"$1"/verify.csv; }
is "2 0" "$(row "$release")" "Open MPI: the rule for 64 KiB was seen to run in both allocations"
is "$(find results -maxdepth 1 -name "$name-tune-*.rules" | wc -l)" "$(grep -c 'to roll back:' "$dir/out")" "with each file that is written the way back is said"
jobs=$(cat $at/"$release"/????????/with/events.jsonl | grep '"done"' | grep -o '"job":"[0-9_]*"' | sort -u | wc -l)
is 2 "$jobs" "each round had an allocation of its own"

# cancelled in the middle, and once more
rm -r results/"$name"/tune/verify/"$release"
"$collsel" verify -q --cluster "$dir/$name.ini" --study "$dir/tune.ini" --library openmpi --unsure --rounds 2 --output again.rules >"$dir/again.out" 2>"$dir/again.err" &
verify=$!
export SLURM_CONF=/run/collsel/$name/slurm.conf
at_work() { [ "$(squeue -h -t R -o %i)" ]; }
soon at_work
squeue -h -o %A | sort -u | xargs scancel
wait $verify
is 1 $? "tasks that somebody cancels are not submitted again"
has "cancelled, and not submitted again" "$(cat "$dir/again.err")" "which is said"
[ ! -e again.rules ]
ok $? "and no file is written"

# run again: it goes on; somebody else begins meanwhile; a node dies
"$collsel" verify -q --cluster "$dir/$name.ini" --study "$dir/tune.ini" --library openmpi --unsure --rounds 2 --output node.rules >"$dir/node.out" 2>"$dir/node.err" &
verify=$!
soon at_work
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
is "2 0" "$(row "$release")" "with every launch"
tap_done
