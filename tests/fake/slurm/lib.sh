# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - what the fake commands share: where the state is, and how it is read (README).
S=${FAKE_SLURM:?the fake Slurm wants FAKE_SLURM, a directory}
here=$(dirname "$0")
VERSION=22.05.8 PARTITION=two NODES="h1 h2 h3 h4" CPUS=4 MAX_ARRAY=1001 MAX_TIME=infinite
ACCOUNTING=no MINUTE=60 MIN_JOB_AGE=300 REQUEUE_DELAY=1
[ -f "$S/config" ] && . "$S/config"
mkdir -p "$S/do" "$S/task" "$S/job" "$S/node" "$S/cancel"
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

now_ms() { date +%s%3N; }

# get TASK KEY: sets $value, empty where there is none.
get() {
    value=
    [ -f "$S/task/$1/$2" ] && read -r value <"$S/task/$1/$2"
    return 0
}

put() { # put TASK KEY VALUE
    echo "$3" >"$S/task/$1/$2.new" && mv "$S/task/$1/$2.new" "$S/task/$1/$2"
}

# tasks [ID,ID...]: the tasks of these jobs (all), in order.
tasks() {
    for j in $(ls "$S/job" | sort -n); do
        case ",${1:-$j}," in *",$j,"*) ;; *) continue ;; esac
        for t in $(cat "$S/job/$j/tasks"); do
            [ -d "$S/task/$t" ] && echo "$t"
        done
    done | if [ -e "$S/do/reverse" ]; then tac; else cat; fi
}

# known IDS: fails, as Slurm does, when a job that is asked for alone is not known.
known() {
    case $1 in *,*) return 0 ;; esac
    [ -n "$(tasks "$1")" ]
}

# elapsed TASK: sets $value to H:MM:SS so far or in all.
elapsed() {
    get "$1" start
    e_start=$value
    get "$1" end
    e_end=${value:-$(now_ms)}
    e=$(((e_end - ${e_start:-$e_end}) / 1000))
    value=$(printf '%02d:%02d:%02d' $((e / 3600)) $((e / 60 % 60)) $((e % 60)))
}

# command_of TASK: sets $value to the script and its words.
command_of() {
    value=$(cat "$S/job/${1%_*}/command" 2>/dev/null || echo '(null)')
}

live() { # live STATE: one that squeue lists
    case $1 in PENDING | RUNNING | COMPLETING) return 0 ;; esac
    return 1
}
