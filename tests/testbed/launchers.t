#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each row of the table of launchers that claims to work on an emulated cluster is really used there:
# the ranks are on the nodes that they shall be on, a broadcast arrives, and its bytes crossed the
# links: nodes that share a kernel do not talk through its memory. COLLSEL_LONG=1: all mappings and shapes.
. tests/cli/run.sh

[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc nsenter unshare munged slurmctld slurmd sbatch; do
    PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || skip_all "$tool is not installed"
done
name=seats$$
times=3 bytes=1048576
sed "s/= mini\$/= $name/; s/^cores = 1/cores = 2/; s/^link_rate = .*/link_rate = 400Mbps/" clusters/mini.ini \
    >"$dir/mpirun.ini"
sed -i '/^\[slurm\]/a launcher = mpirun' "$dir/mpirun.ini"
sed 's/^launcher = mpirun/launcher = srun/' "$dir/mpirun.ini" >"$dir/srun.ini"
take_down() { "$collsel" testbed down -q "$name"; tap_clean; }
trap take_down EXIT
"$collsel" testbed up -q "$dir/mpirun.ini" 2>"$dir/err" || skip_all "$(tail -1 "$dir/err")"
export SLURM_CONF=/run/collsel/$name/slurm.conf
k=$(awk '$1 == "index" { print $2 }' "/run/collsel/$name/net")

# received: bytes that each of the nodes got from its switch so far.
received() { cat /sys/class/net/cs"$k"n[0-3]/statistics/tx_bytes; }

# batch NODES RANKS FILE: runs a script in an allocation and waits (sbatch -W looks every ten seconds).
batch() {
    local job _
    job=$(sbatch --parsable -N "$1" --ntasks-per-node="$2" -p "$name" -t 2 -o "$dir/job.out" "$3") || return 1
    for _ in $(seq 600); do
        case $(squeue -h -o %T -t all -j "$job") in
        COMPLETED) return 0 ;;
        PENDING | RUNNING | COMPLETING) sleep 0.1 ;;
        *) break ;;
        esac
    done
    scancel "$job"
    return 1
}

launch() { # launch LAUNCHER MPI MAPPING NODESxPPN RANKS
    local what="$2 by $1, $3, $4, $5 ranks" started nodes=${4%x*} ppn=${4#*x} before after few
    "$collsel" plan --cluster "$dir/$1.ini" --backend slurm --placement "$2-$3-$4-p$5-r1" >"$dir/seats" 2>"$dir/err"
    case $(cat "$dir/err") in
    *"does not work for"* | *"srun has no "*)
        skip "$(sed 's/.*launcher: //' "$dir/err")" "$what"
        return
        ;;
    esac
    is "" "$(cat "$dir/err")" "$what: the table knows how"
    { echo '#!/bin/bash'; sed -n 's/^# started: //p' "$dir/seats" | sed "s|/$2/measure\$|/$2/tests/whereabouts $times $bytes|"; } >"$dir/job"
    before=$(received)
    batch "$nodes" "$ppn" "$dir/job"
    started=$?
    ok $started "$what: started"
    [ $started = 0 ] || sed 's/^/# /' "$dir/job.out"
    after=$(received)
    is "$(awk -F, -v n="$name" '/^[0-9]/ { print $1, n "-" $2, "right" }' "$dir/seats")" \
        "$(grep -E '^[0-9]+ [^ ]+ (right|wrong)$' "$dir/job.out" | sort -n)" \
        "$what: each rank is where it shall be and got the broadcast"
    few=$(paste <(echo "$before") <(echo "$after") | awk -v want=$((times * bytes)) -v n="$nodes" \
        'NR > 1 && NR <= n && $2 - $1 < want { print "node " NR - 1 ": " $2 - $1 }')
    is "" "$few" "$what: every node but the root's received $((times * bytes)) bytes over its link"
}

both() { # both MPI: the library and its test program are here
    command -v "mpirun.$1" >/dev/null && [ -x "$build/$1/tests/whereabouts" ]
}
shapes=(4x2/8)
[ -z "$COLLSEL_LONG" ] || shapes=(4x1/4 4x2/8 3x2/5 2x2/4)
for shape in "${shapes[@]}"; do
    for row in mpirun/openmpi/node mpirun/mpich/core srun/mpich/node \
        srun/openmpi/node ${COLLSEL_LONG:+mpirun/openmpi/core mpirun/openmpi/socket mpirun/mpich/socket mpirun/mpich/node \
            srun/mpich/core srun/mpich/socket srun/openmpi/core srun/openmpi/socket}; do
        IFS=/ read -r launcher mpi mapping <<<"$row"
        if ! both "$mpi"; then skip "not installed, or not built" "$mpi by $launcher"; continue; fi
        [ "$launcher/$shape" = srun/3x2/5 ] && [ "$mapping" != node ] && continue # refused: launchers-t
        launch "$launcher" "$mpi" "$mapping" "${shape%/*}" "${shape#*/}"
    done
done
tap_done
