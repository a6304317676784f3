#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# run.sh LAUNCH - measures what a launch still lacks, inside an allocation that has its nodes: starts the MPI job, ends it where it
# hangs, keeps its log, and says in results/done that nothing is left. Run again, it goes on. --all: one launch after the other; --status: how
# far all are; --lacking: libraries that the plan wants and that are not built; --results: the archive to take home.
#
# Files below results/ are those of a study (docs/formats.md): samples/, launches/, ranks/, and events/LAUNCH.jsonl, which becomes part
# of events.jsonl. Status: 0 nothing is left, 1 points are missing or given up, 2 usage.
# shellcheck disable=SC1090,SC1091,SC2154,SC2034,SC2015  # what the files that it reads set
set -u
cd "$(dirname "$0")" || exit 1
. ./kit.conf

# ids FILE...: the points that whole lines of outcomes name; one that was cut short counts for nothing.
ids() {
    for f in "$@"; do
        [ ! -f "$f" ] || while IFS=, read -r id rest; do
            case $id in '' | '#'* | point) ;; *) echo "$id" ;; esac
        done <"$f"
    done
}
# built LAUNCH: the library that it wants is built here.
built() { [ -x "build/$(sed -n 's/^family=\([^ ]*\).*/\1/p' "launches/$1.sh")/measure" ]; }
status() { # status quiet|whole: what is not finished; how many are
    n=0 done=0
    for f in launches/*.sh; do
        name=${f##*/}
        name=${name%.sh}
        n=$((n + 1))
        if [ -e "results/done/$name" ]; then
            done=$((done + 1))
        elif [ "$1" = whole ] && built "$name"; then
            now=''
            [ ! -d "results/locks/$name" ] || now=', at work'
            [ -z "$(find "results/locks/$name" -prune -mmin +2 2>/dev/null)" ] || now=', broken off'
            echo "$name: $(ids results/samples/"$name".a*.outcomes.csv | sort -u | wc -l | tr -d ' ') of $(sed 1d "launches/$name.csv" | wc -l | tr -d ' ') points$now"
        fi
    done
    for family in $(sed -n 's/^family=\([^ ]*\).*/\1/p' launches/*.sh | sort -u); do
        [ -x "build/$family/measure" ] ||
            echo "$family is not built here (launches that want it: $(grep -l "^family=$family " launches/*.sh | wc -l | tr -d ' ')): make MPICC=... (a compiler of that library)"
    done
    [ "$1" = quiet ] || echo "$done of $n launches are finished"
    [ "$done" = "$n" ]
}

case ${1:-} in
--status) status whole; exit ;;
--lacking) status quiet; exit 0 ;;
--all)
    # Told to stop it stops the launch that is at work. Three in a row that end without a point more: the next ones would, too.
    in_vain=0 pid=''
    trap '[ -z "$pid" ] || { kill -TERM "$pid" 2>/dev/null; wait "$pid"; }; exit 1' HUP INT TERM USR1
    for name in $(sed -n 's/^sh run\.sh \([^ ]*\).*/\1/p' launches.txt); do
        built "$name" || continue
        before=$(ids results/samples/"$name".a*.outcomes.csv | wc -l)
        sh run.sh "$name" &
        pid=$!
        wait "$pid" || in_vain=$((in_vain + 1))
        pid=''
        [ "$(ids results/samples/"$name".a*.outcomes.csv | wc -l)" -eq "$before" ] || in_vain=0
        [ $in_vain -lt 3 ] || {
            echo "run.sh: stopped: $in_vain launches measured nothing; mend that first (their logs: results/launches/*.log)" >&2
            exit 1
        }
    done
    status whole
    exit
    ;;
--results)
    archive=collsel-results-$cluster-$study.tar.gz
    [ -d results/events ] || { echo "run.sh: nothing is measured yet" >&2; exit 1; }
    how=$(status whole | tail -n 1)
    set -- kit.conf
    for d in samples launches events ranks; do
        [ ! -d "results/$d" ] || set -- "$@" "results/$d"
    done
    tar -cf - "$@" | gzip >"$archive.new" && mv "$archive.new" "$archive" || exit 1
    echo "$archive: $how; take it home, then: collsel measure collect $archive"
    exit 0
    ;;
esac
name=${1:-}
case $name in
*/* | .* | -* | '') echo "usage: sh run.sh LAUNCH | --all | --status | --results (launches.txt lists the launches)" >&2; exit 2 ;;
esac
[ -f "launches/$name.sh" ] || { echo "run.sh: '$name' is no launch of this kit (want a line of launches.txt)" >&2; exit 2; }
. "./launches/$name.sh"
program=$PWD/build/$family/measure
[ -x "$program" ] || { echo "run.sh: $name wants $family, which is not built here: make MPICC=... (a compiler of that library)" >&2; exit 1; }
mpirun=$(cat "build/$family/mpirun")
version=$(cat "build/$family/version")
case $release in
unknown | "$version") ;;
*) echo "run.sh: this kit was packed for release $release, and this is $family $version: collsel measure pack --release $version, or without --release" >&2; exit 1 ;;
esac

# One at a time. Who holds the lock touches it every second; one that nobody has touched for three minutes is of somebody who is dead.
# (-mmin +2: find counts whole minutes.)
mkdir -p results/locks results/samples results/launches results/events results/done results/ranks
lock=results/locks/$name
if ! mkdir "$lock" 2>/dev/null; then
    [ -n "$(find "$lock" -prune -mmin +2 2>/dev/null)" ] || { echo "run.sh: $name is at work, or was killed less than three minutes ago ($lock)" >&2; exit 1; }
    touch "$lock"
fi
pid=''
end() { # end SIGNAL'S STATUS
    trap '' HUP INT TERM USR1
    [ -z "$pid" ] || { stop; tell interrupted "the driver was told to stop" "$(finished "$attempt")"; }
    rm -rf "$lock"
    exit "$1"
}
trap 'end 1' HUP INT TERM USR1

stop() {
    kill -TERM "$pid" 2>/dev/null
    n=0
    while kill -0 "$pid" 2>/dev/null && [ $n -lt 20 ]; do
        n=$((n + 1))
        sleep 1
        [ $n -lt 5 ] || kill -KILL "$pid" 2>/dev/null
    done
    wait "$pid" 2>/dev/null
}
# tell EVENT REASON POINTS [POINT]
tell() {
    reason=$(printf %s "$2" | tr -c 'A-Za-z0-9 .,:;()=/_+-' '?' | cut -c 1-150)
    printf '{"t":"%s","launch":"%s","attempt":%d,"event":"%s","reason":"%s","digest":"%s","points":%d,"elapsed_s":%d,"pid":%d%s}\n' \
        "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$name" "$attempt" "$1" "$reason" "$digest" "$3" "$(($(date +%s) - began))" "${pid:-0}" \
        "${4:+,\"point\":\"$4\"}${SLURM_JOB_ID:+,\"nodes\":\"${SLURM_JOB_NODELIST:-}\"}" >>"results/events/$name.jsonl"
}
finished() { ids "results/samples/$name.a$1-$digest.outcomes.csv" | wc -l | tr -d ' '; }
# The rows of the launch that are not finished and not given up.
left() {
    { ids results/samples/"$name".a*-"$digest".outcomes.csv; cat "results/launches/$name.given_up" 2>/dev/null; } >"$lock/done"
    awk -F , -v ids="$lock/done" '
        BEGIN { while ((getline id < ids) > 0) done[id] = 1 }
        !column { if (/^#/) next; for (i = 1; i <= NF; i++) if ($i == "point") column = i; print; next }
        !($column in done)' "launches/$name.csv"
}
first_left() { left | awk -F , '!column { for (i = 1; i <= NF; i++) if ($i == "point") column = i; next } { print $column; exit }'; }

attempt=$before # of an earlier kit
for f in results/launches/"$name".a*.csv; do
    n=${f##*.a}
    n=${n%.csv}
    case $n in '' | *[!0-9]*) ;; *) [ "$n" -le "$attempt" ] || attempt=$n ;; esac
done
in_vain=0
while :; do
    rm -rf "${lock:?}"/*
    points=$(left | sed 1d | wc -l | tr -d ' ')
    [ "$points" -gt 0 ] && [ "$in_vain" -le "$retries" ] || break
    attempt=$((attempt + 1)) base=$name.a$attempt began=$(date +%s)
    echo "$name: $points points to measure"
    left >"results/launches/$base.csv.new" && mv "results/launches/$base.csv.new" "results/launches/$base.csv"
    said=$lock/said log=results/launches/$base.log why=''
    : >"$said"
    # What would select algorithms is kept from the launch, as a sweep does.
    for v in $(env | grep -E '^(OMPI_MCA_coll[A-Za-z0-9_]*|MPI(R_CVAR|R_PARAM|CH)_[A-Z0-9_]*(ALGORITHM|JSON_FILE(_GPU)?))=' | cut -d = -f 1); do unset "$v"; done
    [ "$(id -u)" != 0 ] || export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # From Open MPI 5.0 on the launcher tells its ranks where components are, by a variable that would else be somebody's choice.
    unset OMPI_MCA_mca_base_component_path OMPI_MCA_mca_component_path
    {
        own=''
        if [ "$family" = openmpi ]; then # a launcher that hangs here ends with us, too
            "$mpirun" -n 1 env >"$lock/own" 2>/dev/null </dev/null &
            asked=$!
            trap 'kill -TERM "$asked" 2>/dev/null; exit 1' TERM
            wait "$asked"
            trap - TERM
            own=$(grep '^OMPI_MCA_mca_base_component_path=' "$lock/own")
        fi
        start "mpi_version=$version" "host=$(hostname 2>/dev/null || uname -n)" "started=$(date -u +%Y-%m-%dT%H:%M:%SZ)" ${own:+"exported=$own"}
    } >>"$log" 2>"$said" &
    pid=$!
    tell started '' "$points"
    seen='' since=$began
    while kill -0 "$pid" 2>/dev/null; do
        sleep 1
        touch "$lock"
        now=$(date +%s)
        progress=$(grep '^progress ' "$said" 2>/dev/null | tail -n 1)
        [ "$progress" = "$seen" ] || seen=$progress since=$now
        whole=no
        case $progress in *" $points $points") whole=yes ;; esac
        if [ $whole = yes ] && [ $((now - since)) -gt 20 ]; then
            stop # every point is measured, and the launcher does not end
        elif [ $((now - since)) -gt "$point_limit" ]; then
            why="hung: no sign of progress for $((now - since)) s"
            stop
        elif [ $((now - began)) -gt "$launch_limit" ]; then
            why="the launch had run for $((now - began)) s"
            stop
        fi
    done
    wait "$pid"
    status=$?
    grep -v '^progress ' "$said" >>"$log"
    got=$(finished "$attempt")
    if [ "$got" -ge "$points" ]; then
        tell 'done' '' "$got"
        pid=''
        continue
    fi
    event=failed
    [ -z "$why" ] || event=timeout
    [ -n "$why" ] || why="exit status $status: $(grep -v '^progress ' "$said" | grep '[A-Za-z0-9]' | tail -n 1)"
    broken=''
    if [ -f "results/samples/$base-$digest.csv" ]; then broken=$(first_left); fi
    tell $event "$why" "$got" "$broken"
    pid=''
    echo "$name: attempt $attempt: $event: $why" >&2
    [ "$got" -gt 0 ] && in_vain=0 || in_vain=$((in_vain + 1))
    if [ -n "$broken" ] && [ "$(grep -c "\"point\":\"$broken\"" "results/events/$name.jsonl")" -gt "$retries" ]; then
        echo "$broken" >>"results/launches/$name.given_up"
        in_vain=0
    fi
done
rm -rf "$lock"
total=$(sed 1d "launches/$name.csv" | wc -l | tr -d ' ')
given_up=$(sort -u "results/launches/$name.given_up" 2>/dev/null | wc -l | tr -d ' ')
echo "$name: $((total - points - given_up)) of $total points finished$([ "$given_up" = 0 ] || echo ", $given_up given up")"
[ "$points" -eq 0 ] || exit 1
: >"results/done/$name"
[ "$given_up" = 0 ]
