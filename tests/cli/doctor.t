#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-License-Identifier: BSD-3-Clause
# collsel doctor: what is possible here; the reference of keys.
. tests/cli/run.sh

run doctor
[ $status -le 1 ]
ok $? "doctor looks around (exit status $status)"
for what in smpirun mpirun.openmpi openmpi mpich cores clock disk "backend sim" "backend local"; do
    grep -q " $what  *" "$dir/out"
    ok $? "and says about $what"
done
grep -q '^ok  *clock  *smallest step [0-9.]* ns' "$dir/out"
ok $? "the clock steps by nanoseconds"
mkdir "$dir/empty"
run doctor --build "$dir/empty"
is 1 $status "without measuring programs nothing can be measured: exit status 1"
says "is not there (want: make)" "$dir/out" "and it says what to do"
is 0 "$(grep -c " null " "$dir/out")" "the workload of the tests is not missed"
PATH=$dir/empty "$PWD/$collsel" doctor >"$dir/out" 2>"$dir/err"
is 1 $? "without tools neither"
says "missing  smpirun" "$dir/out" "they are named"

for which in cluster study; do
    run doctor --keys $which
    is 0 $status "--keys $which"
    if [ -n "$UPDATE_GOLDEN" ]; then cp "$dir/out" "docs/$which-file.md"; fi
    cmp "$dir/out" "docs/$which-file.md" >"$dir/diff" 2>&1
    ok $? "docs/$which-file.md is what the table of keys says (make golden rewrites it)"
done
# the end of the page on launchers is the table itself
marker='<!-- collsel doctor --launchers -->'
run doctor --launchers
is 0 $status "--launchers"
if [ -n "$UPDATE_GOLDEN" ]; then
    sed "/^$marker\$/q" docs/launchers.md | cat - "$dir/out" >"$dir/page"
    cp "$dir/page" docs/launchers.md
fi
sed "1,/^$marker\$/d" docs/launchers.md >"$dir/page"
cmp "$dir/out" "$dir/page" >"$dir/diff" 2>&1
ok $? "docs/launchers.md ends with the table of launchers (make golden rewrites it)"
run doctor --cluster mini
grep -q '^ok  *openmpi [0-9.]*  *on mini: mpirun' "$dir/out" || ! command -v mpirun.openmpi >/dev/null
ok $? "what starts Open MPI on a cluster of Slurm's"
sed 's/^partition.*/&\nlauncher = srun/' clusters/mini.ini >"$dir/mini.ini"
run doctor --cluster "$dir/mini.ini"
grep -q "^missing  *openmpi .*'srun' does not work for openmpi" "$dir/out" || ! command -v mpirun.openmpi >/dev/null
ok $? "and that a launcher of the cluster file does not work there"

run doctor --cluster local
is 0 "$(grep -c 'simulated local' "$dir/out")" "a cluster that is measured needs no costs of a simulation"
sed '/^link_rate/d' clusters/gros.ini >"$dir/gros.ini"
run doctor --cluster "$dir/gros.ini"
says "not set  simulated gros" "$dir/out" "one that is simulated does"
# ---- what learners look at ----
run doctor --features --memory-bandwidth 51.2
is 0 $status "--features"
says "memory_bandwidth = 51.2" "$dir/out" "has the bandwidth that was given"
says "memory_channels is not known" "$dir/out" "and says what it does not find"
{ printf '[cluster]\nname = found\nnodes = 1\n'; sed '/^\[cluster\]/d' "$dir/out"; } >"$dir/found.ini"
run doctor --cluster "$dir/found.ini"
is 0 "$(grep -c 'found.ini:' "$dir/err")" "its lines are those of a cluster file"
run doctor --features --json --memory-bandwidth none
is 0 $status "--json"
says '"memory_bandwidth": null' "$dir/out" "what is not known is null"
run doctor --features
rate=$(sed -n 's/^memory_bandwidth = //p' "$dir/out" | head -1)
awk -v rate="$rate" 'BEGIN { exit !(rate > 0.1 && rate < 100000) }'
ok $? "a short run measures the bandwidth: $rate GB/s"
run doctor --json --keys=study
is 2 $status "--json of the keys is wrong usage"
run doctor --features --memory-bandwidth 0
is 2 $status "a bandwidth of nothing, too"
# ---- a launch by the user's own words ----
export HOME="$dir" UCX_TLS=tcp
run doctor -c local --launch mpich -- mpirun -n 2
is 0 $status "--launch of words that select nothing"
is "UCX_TLS=tcp" "$(cat "$dir/out")" "prints what is set all the same"
run doctor -c local --launch mpich -- mpirun -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM ring
is 2 $status "of such that select something it is wrong usage"
says "'-genv': MPIR_CVAR_BCAST_INTRA_ALGORITHM: it selects algorithms" "$dir/err" "and says what"
run doctor --launch mpich
is 2 $status "no words are wrong usage"
run doctor --launch smpi -- mpirun
is 2 $status "and a library that nobody starts so"
run doctor --keys colour
is 2 $status "an unknown table is wrong usage"
tap_done
