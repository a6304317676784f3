#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Kills at random moments: of the driver, of a keeper, of a rank, of the driver and its keepers at once. After each the sweep goes on; when it
# is done, every point is finished, none twice; no process, shared memory or temporary file is left.
# COLLSEL_LONG=1: 100 of each, in simulation, too. KILLS: so many; ON: only these of null, sim, openmpi, mpich.
if [ -z "${KILLS_ALONE:-}" ] && unshare -m true 2>/dev/null; then # a /dev/shm of our own, where nobody else leaves anything
    KILLS_ALONE=1 exec unshare -m bash "$0" "$@"
fi
. tests/cli/run.sh
. tests/ranks.sh
. tests/cli/outcomes.sh
[ -z "${KILLS_ALONE:-}" ] || mount -t tmpfs tmpfs /dev/shm || KILLS_ALONE=
[ "${COLLSEL_LONG:-}" != short ] || ON=sim
on=${ON:-null openmpi mpich${COLLSEL_LONG:+ sim}}
COLLSEL_NULL_SLEEP=0.01
export COLLSEL_NULL_SLEEP
RANDOM=${SEED:-1}

sed 's/^budget = .*/budget = 5ms/; s/^repeats = .*//' tests/cli/tiny.ini >"$dir/tiny.ini"
grep -q '^repeats' "$dir/tiny.ini" || sed -i 's/^\[measure\]/[measure]\nrepeats = 1/' "$dir/tiny.ini"
for mpi in openmpi mpich; do
    sed "s/^name = .*/name = $mpi/; s/^collectives.*/&\nmpi = $mpi/; s/^procs = .*/procs = 2/; s/^portable = .*/portable = binomial chain/
         /^default = no/d; /^openmpi = /d; /^mpich = /d; s/^\[candidates\]/&\n$mpi = binomial/" "$dir/tiny.ini" >"$dir/$mpi.ini"
done
mkdir "$dir/tmp"
export TMPDIR="$dir/tmp"

# victim WHO PID: a process of the sweep PID, or nothing. A keeper is a child that does not run another program, as those do that ask a library
# for its version: if each that asks is killed, a sweep ends and says so.
victim() {
    case $1 in
    driver) echo "$2" ;;
    both) echo "$2 $(pgrep -P "$2" | xargs)" ;; # with its keepers, which cannot clear up then
    keeper) pgrep -x -P "$2" collsel-keeper | shuf -n 1 --random-source=<(yes $RANDOM) ;;
    rank) pgrep -f "^([^ ]*smpimain )?[^ ]*/measure .*--points $dir/" | shuf -n 1 --random-source=<(yes $RANDOM) ;;
    esac
}

# left: processes of ours that still live.
left() { pgrep -f "measure .*--points $dir/" | wc -l; }

# litter: what jobs have left in shared memory and for a while; but of emulated shared memory, which is everybody's.
litter() { { [ -z "${KILLS_ALONE:-}" ] || ls /dev/shm; ls "$TMPDIR"; } | xargs; }

# unclear FILE: lines of the journal that tell of a broken attempt without saying how it ended.
unclear() { grep -E '"event":"(failed|timeout)"' "$1" | grep -vE '"reason":"[^"]*(signal|exit status|hung|ended)' | head -1; }

# attack WHO CLUSTER STUDY BACKEND MOST [LIBRARY]: kills until there were enough; MOST: of a wait, in ms.
attack() {
    local who=$1 results=$dir/$1-$4 hit=0 studies=0 bad=0 twice=0 orphans=0 vague=0 pid target i left_over
    local out=$results/$2/$(basename "$3" .ini) what=$4${6:+, $6}
    while [ $hit -lt "$kills" ] && [ $studies -lt $((40 * kills)) ]; do
        "$collsel" sweep -c "$2" -s "$3" -b "$4" -q --retries 1000 --results "$results" 2>>"$dir/log" &
        pid=$!
        for i in 1 2 3 4 5; do # a driver dies once
            sleep "$(printf '0.%03d' $((RANDOM % $5)))"
            kill -0 $pid 2>/dev/null || break
            target=$(victim "$who" $pid)
            # shellcheck disable=SC2086  # of both: several
            [ -n "$target" ] && kill -9 $target 2>/dev/null && hit=$((hit + 1))
        done
        if [ "$who" = driver ] || [ "$who" = both ]; then
            wait $pid 2>/dev/null
            for i in $(seq 1200); do
                [ "$(left)" = 0 ] && break
                sleep 0.05
            done
            [ "$(left)" = 0 ] || orphans=$((orphans + 1))
            [ $((RANDOM % 8)) = 0 ] || [ $hit -ge "$kills" ] || continue
            "$collsel" sweep -c "$2" -s "$3" -b "$4" -q --retries 1000 --results "$results" 2>>"$dir/log" || bad=$((bad + 1))
        else
            wait $pid || bad=$((bad + 1))
        fi
        # whole: as many as planned, none twice; then from the beginning
        studies=$((studies + 1))
        outcomes "$out" | sort >"$dir/done"
        [ "$(sort -u "$dir/done" | wc -l)" = "$planned" ] || bad=$((bad + 1))
        [ -z "$(uniq -d "$dir/done")" ] || twice=$((twice + 1))
        [ -z "$(unclear "$out/events.jsonl")" ] || { vague=$((vague + 1)) && unclear "$out/events.jsonl" | sed 's/^/# /'; }
        rm -rf "$results"
    done
    left_over=$(litter)
    ok $((hit < kills)) "$what: $hit kills of a $who in $studies studies"
    is 0 $bad "$what, $who killed: every study ends whole"
    is 0 $twice "$what, $who killed: no point is finished twice"
    is 0 $orphans "$what, $who killed: no rank outlives its driver"
    is 0 $vague "$what, $who killed: the journal says how each broken attempt ended"
    is "" "$left_over" "$what, $who killed: no shared memory and no temporary file is left"
    tally "$what: $who killed" "$hit" $((bad + twice + orphans + vague + $(echo "$left_over" | wc -w)))
    [ $bad = 0 ] || tail -3 "$dir/log" | sed 's/^/# /'
}

count() { "$collsel" plan -c "$1" -s "$2" -b "$3" -q --results "$dir/p" | awk '/^in all/ { print $3 }'; }

for target in $on; do
    case $target in
    null) cluster=gros study=$dir/tiny.ini backend=null most=600 program=$build/null/measure ;;
    sim) cluster=gros study=$dir/tiny.ini backend=sim most=400 program=$build/smpi/measure ;;
    *) cluster=local study=$dir/$target.ini backend=local most=900 program=$build/$target/measure ;;
    esac
    [ -x "$program" ] || { skip "no $program here" "kills on $target" && continue; }
    case $target in
    *mpi*) kills=1 ;; # a launch of real ranks takes a second
    *) kills=3 ;;
    esac
    kills=${KILLS:-$([ -n "${COLLSEL_LONG:-}" ] && echo 100 || echo $kills)}
    planned=$(count $cluster "$study" $backend)
    ok $((planned < 10)) "$target: there is something to plan"
    [ $backend != local ] || set -- "$target"
    # what cannot work without a kill is not tried again and again
    "$collsel" sweep -c $cluster -s "$study" -b $backend -q --results "$dir/unharmed" 2>"$dir/log" >&2
    status=$?
    is 0 $status "$target: a sweep that nobody kills is done"
    [ $status = 0 ] || { sed 's/^/# /' "$dir/log" && continue; }
    rm -rf "$dir/unharmed"
    for who in driver keeper rank both; do
        attack $who $cluster "$study" $backend $most "$@"
    done
done
tap_done
