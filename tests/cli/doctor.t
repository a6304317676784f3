#!/bin/sh
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
run doctor --launchers
is 0 $status "--launchers"
says "| openmpi | below 5 | here |" "$dir/out" "is the table of launchers"
run doctor --cluster mini
grep -q '^ok  *openmpi [0-9.]*  *on mini: mpirun' "$dir/out" || ! command -v mpirun.openmpi >/dev/null
ok $? "what starts Open MPI on a cluster of Slurm's"
sed 's/^partition.*/&\nlauncher = srun/' clusters/mini.ini >"$dir/mini.ini"
run doctor --cluster "$dir/mini.ini"
case $(mpirun.openmpi --version 2>/dev/null) in
*" 4.1."*) grep -q "^missing  *openmpi .*'srun' does not work for openmpi" "$dir/out" ;;
esac
ok $? "and that a launcher of the cluster file does not work there"

run doctor --cluster local
is 0 "$(grep -c 'simulated local' "$dir/out")" "a cluster that is measured needs no costs of a simulation"
is "$(grep -cE '^ok +(openmpi|mpich) +version' "$dir/out")" "$(grep -c '^starts   .* a sweep of two ranks measured' "$dir/out")" "each MPI that is there is started once ($(grep -E '^(starts|refused)' "$dir/out" | xargs))"
mkdir -p "$dir/site/.openmpi"
echo 'coll_tuned_bcast_algorithm = 3' >"$dir/site/.openmpi/mca-params.conf"
HOME=$dir/site run doctor --cluster local
grep -q "^refused  openmpi .*take the line out.*$dir/site/.openmpi/mca-params.conf:1" "$dir/out" || ! command -v mpirun.openmpi >/dev/null
ok $? "what a sweep would refuse is told, with the reason and what to do"
is "$(grep -c '^ok  *mpich  *version' "$dir/out")" "$(grep -c '^starts   mpich' "$dir/out")" "which holds for the one library alone"
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
unset COLLSEL_LONG # such a launch may have no variable of libcollsel's
export HOME="$dir" UCX_TLS=tcp
run doctor -c local --launch mpich -- mpirun -n 2
is 0 $status "--launch of words that select nothing"
is "UCX_TLS=tcp" "$(cat "$dir/out")" "prints what is set all the same"
run doctor -c local --launch mpich -- mpirun -genv MPIR_CVAR_BCAST_INTRA_ALGORITHM ring
is 2 $status "of such that select something it is wrong usage"
says "'-genv': MPIR_CVAR_BCAST_INTRA_ALGORITHM: it selects algorithms" "$dir/err" "and says what"
PBS_JOBID=1 SLURM_JOBID=2 SLURM_JOB_ID=2 run doctor -c local --launch mpich -- mpirun -n 2
is 2 $status "variables of a batch system are wrong usage, too"
says "; 2 more may not be exported, either (want: unset " "$dir/err" "and all of them are told at once"
is 3 "$(sed 's/.*want: unset //' "$dir/err" | grep -oE 'PBS_JOBID|SLURM_JOBID|SLURM_JOB_ID' | sort -u | grep -c .)" "by name"
(for i in $(seq 40); do export "UCC_CL_NUMBER_$i=x"; done; "$collsel" doctor -c local --launch mpich -- mpirun) 2>"$dir/err" >"$dir/out"
is 2 $? "so are very many"
grep -q 'want: unset UCC_CL_NUMBER_.* + [0-9]* more)$' "$dir/err"
ok $? "of which some are named"
HYDRA_BOOTSTRAP=fork UCC_DIR=/opt/ucc HCOLL_HOME=/opt/hcoll HCOLL_MAIN_IB=mlx5_0 run doctor -c local --launch mpich -- mpirun -n 2
is "0 HCOLL_MAIN_IB=mlx5_0 UCX_TLS=tcp" "$status $(paste -sd ' ' "$dir/out")" "paths, a device, and ranks that are started here pass"
HYDRA_BOOTSTRAP=ssh run doctor -c local --launch mpich -- mpirun -n 2
is 2 $status "ranks that may be started elsewhere do not"
OMPI_MCA_coll_hcoll_enable=0 OMPI_MCA_coll=^hcoll,ucc run doctor -c local --launch openmpi -- mpirun --mca coll_ucc_enable 0 -mca coll ^ucc
is "0 OMPI_MCA_coll=^hcoll,ucc OMPI_MCA_coll_hcoll_enable=0 UCX_TLS=tcp" "$status $(grep -v ^/ "$dir/out" | paste -sd ' ')" "to leave out what sweeps leave out passes, and is printed"
for list in "^hcoll,tuned" "^" hcoll "^hcoll,"; do
    run doctor -c local --launch openmpi -- mpirun --mca coll "$list"
    is 2 $status "another list, '$list', does not"
done
mkdir "$dir/.openmpi"
printf 'coll_hcoll_enable = 0\ncoll = ^hcoll\n' >"$dir/.openmpi/mca-params.conf"
run doctor -c local --launch openmpi -- mpirun
is 0 $status "in a file it passes, too"
says "mca-params.conf: coll=^hcoll" "$dir/out" "and is printed"
echo 'coll_tuned_use_dynamic_rules = 1' >"$dir/.openmpi/mca-params.conf"
run doctor -c local --launch openmpi -- mpirun --mca mca_base_param_files none
is 0 $status "a file that selects does no harm where words say that none is read"
run doctor -c local --launch openmpi -- env OMPI_MCA_mca_base_param_files=none mpirun
is 0 $status "as an option or as a variable"
run doctor -c local --launch openmpi -- mpirun env OMPI_MCA_mca_base_param_files=none
is 2 $status "but not as one that the ranks alone have"
run doctor -c local --launch mpich -- mpirun env OMPI_MCA_mca_base_param_files=mine
is 0 $status "MPICH reads no such files"
run doctor --json -c local --launch mpich -- mpirun
is 2 $status "--json is wrong usage there"
run doctor --launch mpich
is 2 $status "no words are wrong usage"
run doctor --launch smpi -- mpirun
is 2 $status "and a library that nobody starts so"
run doctor --keys colour
is 2 $status "an unknown table is wrong usage"
says "'colour' is not known (want cluster, study, or a file" "$dir/err" "and the message says what is known"
run doctor --keys points.csv
is 0 $status "a file of results has its columns printed"
says '| `time_s` | s |' "$dir/out" "with unit and meaning"
tap_done
