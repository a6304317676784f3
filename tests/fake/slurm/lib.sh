# shellcheck shell=bash disable=SC2034
# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - what the fake commands share: where the state is, and how it is read (README).
S=${FAKE_SLURM:?the fake Slurm wants FAKE_SLURM, a directory}
here=${0%/*}
VERSION=22.05.8 PARTITION=two NODES="h1 h2 h3 h4" CPUS=4 MAX_ARRAY=1001 MAX_TIME=infinite
ACCOUNTING=no MINUTE=60 MIN_JOB_AGE=300 REQUEUE_DELAY=1
[ -f "$S/config" ] && . "$S/config"
[ -d "$S/cancel" ] || mkdir -p "$S/do" "$S/task" "$S/job" "$S/node" "$S/cancel"
me=${0##*/}

complain() { # complain TEXT...: as this command says it, and fails
    echo "$me: error: $*" >&2
    exit 1
}

# Every command of a user's begins with this.
contact() {
    if [ -e "$S/do/hang" ]; then exec sleep 30; fi
    [ ! -e "$S/do/noanswer" ] || complain "Unable to contact slurm controller (connect failure)"
}

# What is asked many times a second starts no process. now_ms: sets $now.
now_ms() {
    now=${EPOCHREALTIME/[.,]/}
    now=${now%???}
}

# get TASK KEY: sets $value, empty where there is none.
get() {
    value=
    [ -f "$S/task/$1/$2" ] && read -r value <"$S/task/$1/$2"
    return 0
}

put() { # put TASK KEY VALUE; one that was not there may be seen empty for a moment, which is the same
    local was=
    [ -f "$S/task/$1/$2" ] || { echo "$3" >"$S/task/$1/$2"; return; }
    read -r was <"$S/task/$1/$2"
    [ "$was" != "$3" ] || [ -z "$3" ] || return 0
    echo "$3" >"$S/task/$1/$2.new" && mv "$S/task/$1/$2.new" "$S/task/$1/$2"
}

# job_numbers: sets the array $jobs, in order.
job_numbers() {
    local j all=()
    jobs=()
    for j in "$S"/job/*/; do
        j=${j%/}
        [ "${j##*/}" = '*' ] || all[${j##*/}]=1
    done
    jobs=("${!all[@]}")
}

# tasks_of JOB: sets the array $of to its tasks.
tasks_of() {
    mapfile -t of <"$S/job/$1/tasks"
}

# tasks [ID,ID...]: sets the array $tasks to those of these jobs (all), in order.
tasks() {
    local j t
    tasks=()
    job_numbers
    for j in "${jobs[@]}"; do
        case ",${1:-$j}," in *",$j,"*) ;; *) continue ;; esac
        tasks_of "$j" 2>/dev/null || continue
        for t in "${of[@]}"; do
            [ -d "$S/task/$t" ] || continue
            if [ -e "$S/do/reverse" ]; then tasks=("$t" "${tasks[@]}"); else tasks+=("$t"); fi
        done
    done
}

# known IDS: fails, as Slurm does, when a job that is asked for alone is not known.
known() {
    case $1 in *,*) return 0 ;; esac
    tasks "$1"
    [ ${#tasks[@]} -gt 0 ]
}

# elapsed TASK: sets $value to H:MM:SS so far or in all.
elapsed() {
    get "$1" start
    e_start=$value
    get "$1" end
    now_ms
    e_end=${value:-$now}
    e=$(((e_end - ${e_start:-$e_end}) / 1000))
    printf -v value '%02d:%02d:%02d' $((e / 3600)) $((e / 60 % 60)) $((e % 60))
}

# command_of TASK: sets $value to the script and its words.
command_of() {
    value='(null)'
    [ ! -e "$S/job/${1%_*}/command" ] || value=$(<"$S/job/${1%_*}/command")
}

live() { # live STATE: one that squeue lists
    case $1 in PENDING | RUNNING | COMPLETING) return 0 ;; esac
    return 1
}
