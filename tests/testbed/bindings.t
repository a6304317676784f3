#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Does srun put the ranks where the plan says, with the words of the table of launchers? A testbed of
# four nodes whose slurmd are told of two sockets of eight cores and of CPUs that this machine does not
# have; task/affinity binds to them, and srun prints what it bound.
. tests/cli/run.sh

[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc nsenter unshare munged slurmctld slurmd sbatch mpirun.mpich "${CC:-gcc}"; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || skip_all "$tool is not installed"
done
"${CC:-gcc}" -D_GNU_SOURCE -shared -fPIC -o "$dir/affinity.so" tests/fake/affinity.c || skip_all "no library to preload"
name=binds$$
sed "s/= mini\$/= $name/; s/^sockets = .*/sockets = 2/; s/^cores = .*/cores = 8/" clusters/mini.ini >"$dir/up.ini"
sed '/^emulated\|^interface/d; /^\[slurm\]/a launcher = srun' "$dir/up.ini" >"$dir/real.ini" # so that ranks are bound
take_down() { "$collsel" testbed down -q "$name"; tap_clean; }
trap take_down EXIT
"$collsel" testbed up -q "$dir/up.ini" 2>"$dir/err" || skip_all "$(tail -1 "$dir/err")"
state=/run/collsel/$name
export SLURM_CONF=$state/slurm.conf

# The daemons once more, with binding and with CPUs.
sed -i 's/^TaskPlugin=.*/TaskPlugin=task\/affinity/' "$SLURM_CONF"
for file in "$state"/*-[0-3].pid "$state/slurmctld.pid"; do
    pid=$(cat "$file")
    kill "$pid"
    for _ in $(seq 1200); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
done
# The address sanitizer wants to be first among the libraries, unless told that it need not.
ASAN_OPTIONS=$ASAN_OPTIONS:verify_asan_link_order=0 LD_PRELOAD=$dir/affinity.so HWLOC_SYNTHETIC='pack:2 core:8 pu:1' \
    "$collsel" testbed start -q "$name" 2>"$dir/err"
started=$?
ok $started "daemons that bind to cores"
[ $started -eq 0 ] || { sed 's/^/# /' "$dir/err"; tap_done; }
for _ in $(seq 1200); do [ "$(sinfo -h -o '%T %D')" = "idle 4" ] && break; sleep 0.1; done

shapes=(4x3-p12 4x10-p40)
[ -z "$COLLSEL_LONG" ] || shapes+=(4x1-p4 4x2-p8 4x16-p64 2x5-p10)
{
    echo '#!/bin/bash'
    for shape in "${shapes[@]}"; do
        for mapping in core socket node; do
            launch=mpich-$mapping-$shape-r1
            "$collsel" plan --cluster "$dir/real.ini" --backend slurm --placement "$launch" >"$dir/$launch" 2>>"$dir/err"
            # shellcheck disable=SC2016
            sed -n 's/^# started: //p' "$dir/$launch" |
                sed "s|[^ ]*/mpich/measure\$|true >$dir/$launch.out 2>\&1|; s/--cpu-bind=cores/&,verbose/"
        done
    done
} >"$dir/job"
job=$(sbatch --parsable -N 4 --ntasks-per-node=16 -p "$name" -t 3 -o "$dir/job.out" "$dir/job")
for _ in $(seq 3000); do
    case $(squeue -h -o %T -t all -j "$job") in PENDING | RUNNING | COMPLETING) sleep 0.1 ;; *) break ;; esac
done

# seats: "rank,node,socket,core" of srun's lines "cpu-bind=MASK - NODE, task RANK LOCAL [pid]: mask 0xBITS set".
seats() {
    perl -ne 'next unless /cpu-bind=MASK - \S+-(\d+), task +(\d+) .*: mask 0x([0-9a-f]+) set$/;
        my ($node, $rank, $bits, $cpu) = ($1, $2, hex $3, 0);
        $cpu++ while $bits >> $cpu > 1;
        print "$rank,$node,", $bits == 1 << $cpu ? int($cpu / 8) . "," . $cpu % 8 : "$bits", "\n"' "$1" | sort -n
}
for shape in "${shapes[@]}"; do
    for mapping in core socket node; do
        launch=mpich-$mapping-$shape-r1
        is "$(grep '^[0-9]' "$dir/$launch")" "$(seats "$dir/$launch.out" 2>&1)" "srun: $mapping, $shape"
    done
done
tap_done
