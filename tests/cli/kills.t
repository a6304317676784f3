#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Kills at random moments: of the driver, of a keeper, of a rank, of the driver and its keepers at once. After each the sweep goes on; when it
# is done, every point is finished, none twice, no process is left.
# COLLSEL_LONG=1: 100 of each, in simulation and with real Open MPI, too. KILLS: so many.
. tests/cli/run.sh
. tests/cli/outcomes.sh
kills=${KILLS:-$([ -n "${COLLSEL_LONG:-}" ] && echo 100 || echo 3)}
COLLSEL_NULL_SLEEP=0.01
export COLLSEL_NULL_SLEEP
RANDOM=${SEED:-1}

sed 's/^budget = .*/budget = 5ms/; s/^repeats = .*//' tests/cli/tiny.ini >"$dir/tiny.ini"
sed 's/^name = .*/name = real/; s/^procs = .*/procs = 2/; s/^mpich = .*//; s/^portable = .*/portable = binomial chain/' "$dir/tiny.ini" >"$dir/real.ini"
grep -q '^repeats' "$dir/tiny.ini" || sed -i 's/^\[measure\]/[measure]\nrepeats = 1/' "$dir/tiny.ini" "$dir/real.ini"

# victim WHO PID: a process of the sweep PID, or nothing.
victim() {
    case $1 in
    driver) echo "$2" ;;
    both) echo "$2 $(pgrep -P "$2" | xargs)" ;; # with its keepers, which cannot clear up then
    keeper) pgrep -P "$2" | shuf -n 1 --random-source=<(yes $RANDOM) ;;
    rank) pgrep -f "measure --points $dir/" | shuf -n 1 --random-source=<(yes $RANDOM) ;;
    esac
}

# left: processes of ours that still live.
left() { pgrep -f "measure --points $dir/" | wc -l; }

# attack WHO CLUSTER STUDY BACKEND MOST: kills until there were enough; MOST: of a wait, in ms.
attack() {
    local who=$1 results=$dir/$1-$4 hit=0 studies=0 bad=0 twice=0 orphans=0 pid target i
    local out=$results/$2/$(basename "$3" .ini)
    while [ $hit -lt "$kills" ] && [ $studies -lt $((10 * kills)) ]; do
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
            for i in $(seq 100); do
                [ "$(left)" = 0 ] && break
                sleep 0.05
            done
            [ "$(left)" = 0 ] || orphans=$((orphans + 1))
            [ $((RANDOM % 8)) = 0 ] || continue
            "$collsel" sweep -c "$2" -s "$3" -b "$4" -q --retries 1000 --results "$results" 2>>"$dir/log" || bad=$((bad + 1))
        else
            wait $pid || bad=$((bad + 1))
        fi
        # whole: as many as planned, none twice; then from the beginning
        studies=$((studies + 1))
        outcomes "$out" | sort >"$dir/done"
        [ "$(sort -u "$dir/done" | wc -l)" = "$planned" ] || bad=$((bad + 1))
        [ -z "$(uniq -d "$dir/done")" ] || twice=$((twice + 1))
        rm -rf "$results"
    done
    ok $((hit < kills)) "$4: $hit kills of a $who in $studies studies"
    tally "$4, $who killed $hit times in $studies studies: $bad not whole, $twice with a point twice, $orphans with ranks left"
    is 0 $bad "$4, $who killed: every study ends whole"
    is 0 $twice "$4, $who killed: no point is finished twice"
    is 0 $orphans "$4, $who killed: no rank outlives its driver"
    [ $bad = 0 ] || tail -3 "$dir/log" | sed 's/^/# /'
}

count() { "$collsel" plan -c "$1" -s "$2" -b "$3" -q --results "$dir/p" | awk '/^in all/ { print $3 }'; }

planned=$(count gros "$dir/tiny.ini" null)
ok $((planned < 10)) "there is something to plan"
for who in driver keeper rank both; do
    attack $who gros "$dir/tiny.ini" null 600
done
if [ -n "${COLLSEL_LONG:-}" ]; then
    if [ -x "$build/smpi/measure" ]; then
        planned=$(count gros "$dir/tiny.ini" sim)
        for who in driver keeper rank both; do
            attack $who gros "$dir/tiny.ini" sim 400
        done
    else
        skip "no simulator here" "kills in simulation"
    fi
    if [ -x "$build/openmpi/measure" ]; then
        planned=$(count local "$dir/real.ini" local)
        segments=$(ls /dev/shm | wc -l)
        for who in driver keeper rank both; do
            attack $who local "$dir/real.ini" local 900
        done
        ok $(($(ls /dev/shm | wc -l) > segments)) "no shared memory is left behind"
    else
        skip "no Open MPI here" "kills of real launches"
    fi
fi
tap_done
