#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# slurmctld.sh - the fake controller: starts the tasks when nodes are free, watches limits, does what
# $FAKE_SLURM/do asks for. sbatch starts one each time; one at a time works, and ends when nothing is
# left to do.
# shellcheck disable=SC1090,SC2154 # the options of a job are read from its file
. "${0%/*}/lib.sh"
exec 3>&- # what outlives its test must not hold the pipe of who runs the tests
exec 8>"$S/ctld.lock"
flock 8
exec 9<> <(:) # never anything to read: to wait without a process

node_task() { # node_task NODE: sets $value to who has it: "", a task, or "down reason"
    value=
    [ -f "$S/node/$1" ] && read -r value <"$S/node/$1"
    return 0
}

free_nodes() { # of a task
    for n in $NODES; do
        get "$1" nodes
        case ",$value," in *",$n,"*)
            node_task "$n"
            [ "$value" = "$1" ] && rm -f "$S/node/$n"
            ;;
        esac
    done
}

# over TASK STATE EXIT: ended.
over() {
    free_nodes "$1"
    put "$1" exit "$3"
    now_ms
    put "$1" end "$now"
    put "$1" state "$2"
}

kill_task() { # kill_task TASK SIGNAL: the batch script's process group; one that has just begun says its number in a moment
    for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
        get "$1" pid
        [ "$value" ] || [ ! -d "$S/task/$1" ] && break
        sleep 0.1
    done
    [ "$value" ] && kill "-$2" "-$value" 2>/dev/null
    return 0
}

# rc_of TASK: sets $value to the file of its exit status; each start has its own, as one that was
# orphaned may end after the next has begun.
rc_of() {
    get "$1" restarts
    value=$S/task/$1/rc.${value:-0}
}

# Waits for the task's end for half a second.
grant() {
    rc_of "$1"
    for _ in 1 2 3 4 5 6 7 8 9 10; do
        [ -f "$value" ] && break
        sleep 0.05
    done
}

# Tells the task to end, and makes it.
end_by_force() {
    kill_task "$1" TERM
    grant "$1"
    kill_task "$1" KILL
}

# Picks $nodes free nodes into $picked, comma separated; fails when there are too few.
pick_nodes() {
    picked='' n_picked=0
    for n in $NODES; do
        [ $n_picked -lt "$nodes" ] || break
        case ",$exclude," in *",$n,"*) continue ;; esac
        node_task "$n"
        [ "$value" ] && continue
        picked=$picked${picked:+,}$n n_picked=$((n_picked + 1))
    done
    [ $n_picked -eq "$nodes" ]
}

begin() { # begin TASK
    t=$1
    for n in ${picked//,/ }; do echo "$t" >"$S/node/$n"; done
    get "$t" restarts
    restarts=$value
    array=${t%_*} index=${t#*_}
    case $t in *_*) ;; *) array='' index='' ;; esac
    out=${output/'%A'/"$array"}
    out=${out/'%a'/"$index"}
    out=${out/'%j'/"$t"}
    out=${out//%%/%}
    rm -f "$S/task/$t/pid" "$S/task/$t/warned" "$S/task/$t/end"
    rc_of "$t"
    rc=$value
    put "$t" nodes "$picked"
    put "$t" cores $((CPUS * nodes))
    now_ms
    put "$t" start "$now"
    put "$t" reason None
    (
        exec 8>&- 9>&-
        cd "$cwd" || exit 1
        unset SLURM_JOB_ID SLURM_ARRAY_JOB_ID SLURM_ARRAY_TASK_ID
        [ "$array" ] && export SLURM_ARRAY_JOB_ID="$array" SLURM_ARRAY_TASK_ID="$index"
        export SLURM_JOB_ID="${t%_*}${index:+0$index}" SLURM_JOB_NODELIST="$picked" \
            SLURM_JOB_CPUS_PER_NODE="$CPUS(x$nodes)" SLURM_JOB_NUM_NODES="$nodes" SLURM_NNODES="$nodes" \
            SLURM_NTASKS="$ntasks" SLURM_JOB_PARTITION="$PARTITION" SLURM_RESTART_COUNT="$restarts" \
            SLURM_SUBMIT_DIR="$cwd" SLURM_CPUS_ON_NODE="$CPUS"
        # shellcheck disable=SC2016
        setsid sh -c 'echo $$ >"$1/pid"; exec /bin/bash "$2"' sh "$S/task/$t" "$S/job/$id/script" \
            </dev/null >>"$out" 2>&1
        echo $? >"$rc.new" 2>/dev/null && mv "$rc.new" "$rc"
    ) &
    put "$t" state RUNNING
}

waits() { # dependency: 1 of these is still live
    for j in ${dep//:/ }; do
        tasks "$j"
        for d in "${tasks[@]}"; do
            get "$d" state
            live "$value" && return 0
        done
    done
    return 1
}

try_start() { # try_start TASK; the job's options are set
    get "$1" not_before
    [ "${value:-0}" -le "$now" ] || return
    get "$1" reason
    case $value in *held*) return ;; esac
    if [ -e "$S/do/hold" ]; then # all that wait
        put "$1" reason "launch failed requeued held"
    elif [ "$dep" ] && waits; then
        put "$1" reason Dependency
    elif [ "$throttle" -gt 0 ] && [ $running -ge "$throttle" ]; then
        put "$1" reason JobArrayTaskLimit
    elif pick_nodes; then
        begin "$1"
        running=$((running + 1))
    else
        put "$1" reason Resources
    fi
}

requeue_task() { # requeue_task TASK [orphaned]: killed, or not, and back into the queue
    [ "${2:-}" ] || kill_task "$1" KILL
    free_nodes "$1"
    get "$1" restarts
    put "$1" restarts $((value + 1))
    put "$1" not_before $((now + REQUEUE_DELAY * 1000))
    put "$1" reason BeginTime
    rm -f "$S/task/$1/nodes" "$S/task/$1/start" "$S/task/$1/pid"
    put "$1" state PENDING
}

watch() { # watch TASK: one that runs
    t=$1
    rc_of "$t"
    if [ -f "$value" ]; then
        read -r rc <"$value"
        if [ "$rc" -eq 0 ]; then
            over "$t" COMPLETED 0:0
        elif [ "$rc" -gt 128 ]; then
            over "$t" FAILED 0:$((rc - 128))
        else
            over "$t" FAILED "$rc:0"
        fi
        return
    fi
    get "$t" start
    ran=$((now - value))
    warn=$(((${signal#*@} + 0) * MINUTE * 1000 / 60))
    if [ "$limit" -gt 0 ] && [ "$signal" ] && [ ! -e "$S/task/$t/warned" ] && [ $ran -ge $((limit - warn)) ]; then
        : >"$S/task/$t/warned"
        kill_task "$t" USR1
    fi
    if [ "$limit" -gt 0 ] && [ $ran -ge "$limit" ]; then
        end_by_force "$t"
        over "$t" TIMEOUT 0:15
    fi
}

# due WHAT TASK: sets fire when $FAKE_SLURM/do/WHAT is for this task, and takes it away.
due() {
    [ -e "$S/do/$1" ] || return 1
    value=
    read -r value <"$S/do/$1"
    [ -z "$value" ] || [ "$value" = "$2" ] || return 1
    rm -f "$S/do/$1"
}

misbehave() { # misbehave TASK: one that runs
    t=$1
    if due kill "$t"; then
        kill_task "$t" KILL
    elif due timeout "$t"; then
        if [ "$signal" ]; then
            kill_task "$t" USR1
            grant "$t"
        fi
        end_by_force "$t"
        over "$t" TIMEOUT 0:15
    elif due lose "$t"; then
        kill_task "$t" KILL
        free_nodes "$t"
        rm -rf "$S/task/$t"
    elif due requeue "$t"; then
        requeue_task "$t"
    fi
}

fail_node() { # fail_node WHAT
    [ -e "$S/do/$1" ] || return 0
    read -r node <"$S/do/$1"
    rm -f "$S/do/$1"
    orphaned=
    [ "$1" = nodefail ] || orphaned=yes
    node_task "$node"
    t=$value
    echo "down Not responding" >"$S/node/$node.new"
    if [ "$t" ] && [ -d "$S/task/$t" ]; then
        . "$S/job/${t%_*}/options"
        if [ "$requeue" = 1 ]; then
            requeue_task "$t" $orphaned
        else
            [ "$orphaned" ] || kill_task "$t" KILL
            over "$t" NODE_FAIL 1:0
        fi
    fi
    mv "$S/node/$node.new" "$S/node/$node"
}

cancel() { # cancel TASK
    rm -f "$S/cancel/$1"
    get "$1" state
    case $value in
    PENDING) over "$1" CANCELLED 0:0 ;;
    RUNNING)
        end_by_force "$1"
        over "$1" CANCELLED 0:15
        ;;
    esac
}

while [ -d "$S" ]; do
    now_ms
    left=0
    fail_node nodefail
    fail_node slurmd
    job_numbers
    for id in "${jobs[@]}"; do
        [ -f "$S/job/$id/done" ] && continue
        . "$S/job/$id/options"
        tasks_of "$id"
        running=0 alive=0
        for t in "${of[@]}"; do
            get "$t" state
            [ "$value" = RUNNING ] && running=$((running + 1))
        done
        for task in "${of[@]}"; do
            [ -d "$S/task/$task" ] || continue
            [ -e "$S/cancel/$task" ] && cancel "$task"
            get "$task" state
            case $value in
            PENDING) try_start "$task" ;;
            RUNNING)
                watch "$task"
                get "$task" state
                [ "$value" = RUNNING ] && misbehave "$task"
                ;;
            *) continue ;;
            esac
            alive=1
        done
        [ $alive = 1 ] || : >"$S/job/$id/done"
        left=$((left + alive))
    done
    [ $left -gt 0 ] || exit 0
    read -rt 0.05 -u 9
done
