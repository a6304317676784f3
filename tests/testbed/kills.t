#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Kills at random moments under the real Slurm of an emulated cluster: of tasks (the drivers of launches), of their keepers, of ranks, of tasks
# with their keepers; of a node's slurmd; of slurmctld in the middle and while it is given jobs. A sweep goes on through all of it; at its end
# every point is finished, none twice, no process and no shared memory is left, no job is in the queue.
# COLLSEL_LONG=1, else nothing is done. KILLS: so many of each (100), DAEMONS: of each daemon (20), ON: only these.
# shellcheck disable=SC2046,SC2086,SC2317 # several words; functions that others call
. tests/cli/run.sh
. tests/cli/outcomes.sh
[ -n "${COLLSEL_LONG:-}${KILLS:-}" ] || skip_all "takes an hour (COLLSEL_LONG=1)"
[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc nsenter unshare munged slurmctld slurmd sbatch mpirun.openmpi mpirun.mpich; do
    PATH=$PATH:/usr/sbin:/sbin command -v $tool >/dev/null || skip_all "$tool is not installed"
done
name=kills$$
sed "s/= mini\$/= $name/; /^extra = /d" clusters/mini.ini >"$dir/$name.ini"
sed 's/^name = .*/name = kills/; s/^procs = .*/procs = 2/; s/^bytes = .*/bytes = 1K 8K/; s/^openmpi = .*/openmpi = chain/; s/^gamma_procs.*/gamma_procs = 2/
     s/^fit_procs = .*/fit_procs = 2/; s/^repeats = .*/repeats = 4/; s/^budget = .*/budget = 150ms/; /^gather_bytes/d; /^pingpong_bytes/d' tests/testbed/check.ini >"$dir/kills.ini"
take_down() { "$collsel" testbed down -q $name; tap_clean; }
trap take_down EXIT
"$collsel" testbed up -q "$dir/$name.ini" 2>"$dir/err" || skip_all "$(tail -1 "$dir/err")"
export SLURM_CONF=/run/collsel/$name/slurm.conf
at=$dir/results/$name/kills
RANDOM=${SEED:-1}
c() { # c VERB OPTION...
    verb=$1
    shift
    "$collsel" "$verb" -c "$dir/$name.ini" -s "$dir/kills.ini" --results "$dir/results" "$@"
}
planned=$("$collsel" plan -c "$dir/$name.ini" -s "$dir/kills.ini" -b slurm -q --results "$dir/p" | awk '/^in all/ { print $3 }')

# processes NAME: those of this test's tasks.
processes() { ps -eo pid=,comm=,args= | awk -v dir="$dir/" -v name="$1" '$2 == name && index($0, dir) { print $1 }'; }
children() { for parent; do pgrep -P "$parent"; done; }
# victims WHO: some processes, or none.
victims() {
    case $1 in
    driver) processes collsel | while read -r pid; do grep -qz '^task$' "/proc/$pid/cmdline" && echo "$pid"; done ;;
    keeper) processes collsel-keeper ;;
    rank) processes measure ;;
    slurmd) cat /run/collsel/$name/$name-[0-9].pid ;;
    slurmctld) cat /run/collsel/$name/slurmctld.pid ;;
    esac 2>/dev/null | shuf -n $((1 + RANDOM % 2)) --random-source=<(yes $RANDOM)
}
nap() { sleep "$(printf '%d.%03d' $((RANDOM % $1)) $((RANDOM % 1000)))"; }
left() { processes measure | wc -l; }
gone() { [ "$(left)" = 0 ] && [ -z "$(processes collsel-keeper)" ]; }
empty() { [ -z "$(squeue -h)" ]; }

# sweep_on: a sweep that an administrator helps: what it says that Slurm holds or keeps closed is freed as it says.
sweep_on() {
    for _ in 1 2 3 4 5 6; do
        c sweep -q --retries 1000 >"$dir/sweep.out" 2>"$dir/sweep.err" && return
        sed -n 's/.*: \(SLURM_CONF=[^ ]* scontrol .*\)/\1/p' "$dir/sweep.err" "$dir/sweep.out" | sort -u >"$dir/free"
        cat "$dir/sweep.err" >>"$dir/log"
        [ -s "$dir/free" ] || grep -q 'answer\|contact' "$dir/sweep.err" || return 1
        freed=$((freed + $(wc -l <"$dir/free")))
        sh "$dir/free" 2>>"$dir/log"
        sleep 1
    done
    return 1
}

hit=0 bad=0 freed=0
strike() { # strike WHO: kills; daemons are started again
    set -- "$1" $(victims "$1")
    [ $# -gt 1 ] || return
    who=$1
    shift
    kill -9 "$@" 2>/dev/null && hit=$((hit + $#))
    case $who in slurm*) "$collsel" testbed start -q $name 2>>"$dir/log" || { bad=$((bad + 1)) && echo "# testbed start: $(tail -1 "$dir/log")"; } ;; esac
}
both() { # as strike: tasks with their keepers, which count as one
    set -- $(victims driver)
    [ $# -gt 0 ] || return
    kill -9 $(children "$@") "$@" 2>/dev/null && hit=$((hit + $#))
}

attack() { # attack WHO TIMES
    local studies=0 twice=0 pid soonest
    hit=0 bad=0 freed=0
    while [ $hit -lt "$2" ] && [ $studies -lt $((10 * $2)) ]; do
        sweep_on &
        pid=$! soonest=3
        [ "$1" != slurmctld ] || soonest=1 # while it is given the jobs
        while [ $hit -lt "$2" ]; do
            nap $soonest
            soonest=3
            kill -0 $pid 2>/dev/null || break
            if [ "$1" = both ]; then both; else strike "$1"; fi
        done
        wait $pid || { bad=$((bad + 1)) && sed 's/^/# the sweep: /' "$dir/sweep.err" | tap_tell; }
        studies=$((studies + 1))
        outcomes "$at" | sort >"$dir/done"
        [ "$(sort -u "$dir/done" | wc -l)" = "$planned" ] || { bad=$((bad + 1)) && echo "# $(sort -u "$dir/done" | wc -l) of $planned points" | tap_tell; }
        [ -z "$(uniq -d "$dir/done")" ] || { twice=$((twice + 1)) && uniq -d "$dir/done" | sed 's/^/# twice: /'; }
        soon gone || { bad=$((bad + 1)) && echo "# $(left) ranks are left"; }
        soon empty || { bad=$((bad + 1)) && squeue -h | sed 's/^/# still queued: /'; }
        c status >"$dir/out" 2>&1
        grep -q "^$planned of $planned points finished" "$dir/out" || { bad=$((bad + 1)) && sed 's/^/# status: /' "$dir/out"; }
        cut -d, -f1-20 "$at/events.jsonl" | grep -o '"event":"[a-z_]*"' | sort | uniq -c | sed 's/^/# /' >"$dir/events"
        rm -rf "$dir/results"
    done
    cat "$dir/events"
    ok $((hit < $2)) "Slurm: $hit kills of a $1 in $studies studies"
    is 0 $bad "$1 killed: every study ends whole, with a status that says so, and nothing outlives it"
    is 0 $twice "$1 killed: no point is finished twice"
    tally "Slurm, emulated: $1 killed" $hit $((bad + twice))
}

ok $((planned < 10)) "there is something to plan: $planned points"
[ "${COLLSEL_LONG:-}" != short ] || ON=rank
for who in ${ON:-driver keeper rank both slurmd slurmctld}; do
    case $who in
    slurm*) attack "$who" "${DAEMONS:-20}" ;;
    *) attack "$who" "${KILLS:-100}" ;;
    esac
done
litter=$(find /dev/shm -maxdepth 1 -name 'collsel.*' -newer "$dir/kills.ini" -exec sh -c 'flock -n "$1/lock" echo "$1"' sh {} \;)
is "" "$litter" "no shared memory is left that nobody holds"
tap_done
