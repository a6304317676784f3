#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The backend walk: a study without MPI and simulator, labelled as walked, and its error beside the simulation.
. tests/cli/run.sh

cat >"$dir/small.ini" <<'END'
[study]
name = small
collectives = bcast allgather
[grid]
procs = 4 12
bytes = 1K 40K 200K
[candidates]
portable = binomial pipeline basic_linear ring recursive_doubling bruck
segment_bytes = 8K
[fit]
gamma_procs = 2 3 12
gather_bytes = 1K 4K
fit_procs = 12
END

small() { # VERB OPTION...
    verb=$1
    shift
    run "$verb" --cluster grisou --study "$dir/small.ini" --results "$dir/results" "$@"
}

small plan --backend walk
is 0 "$status" "a walk is planned"
says "at 1 us a message, a guess (none was walked here before" "$dir/out" "with a walk's pace"
same=$(sed -n 's/^\([0-9]*\) of these points run the same as another one.*/\1/p' "$dir/out")
holds "${same:-0} >= 3" "which knows how many points run what another one does: ${same:-none}"
small sweep --backend walk
is 0 "$status" "and swept"
says ", a guess (a sixth to three times that was seen)" "$dir/err" "which says first how long that takes"
walked=$dir/results/grisou/small-walk
taken=$(cat "$walked"/samples/*.outcomes.csv | grep -c ',[0-9a-f]\{16\}$')
is "$same" "$taken" "these have the samples of the other one, and are not walked"
is 1 "$(grep -c '"name": "walk"' "$walked/manifest.json")" "the manifest names the backend"
is "walk" "$(awk -F, 'NR > 1 { print $6 }' "$walked/plan.csv" | sort -u)" "no point is SMPI's or a library's"
is "walked" "$(cat "$walked"/samples/*.outcomes.csv | awk -F, '/^[0-9a-f]*,(ok|substituted)/ { print $4 }' | sort -u)" \
    "what stands for proof says walked"
grep -q '^# clock: walked' "$walked"/samples/*-????????.csv
ok $? "and so do the samples"
find "$walked/samples" -type f | sort | xargs cksum >"$dir/before"
small sweep --backend walk -q
is "$(cat "$dir/before")" "$(find "$walked/samples" -type f | sort | xargs cksum)" "again: there is nothing left to walk"
small fit --backend walk
is 0 "$status" "a walked study is fitted"
is 0 "$(grep -c "^beside" "$dir/out")" "without a simulation nothing stands beside it"
small select --backend walk
is 0 "$status" "selectors choose in it"
small report --backend walk -q
is 0 "$status" "and it has a report"
says "$same points have their time from another point of their cell" "$(pages "$walked/report")" "which says how many times are another point's"
says "walked: estimated by a model of this network" "$(pages "$walked/report")" "which says that its times are walked"
if command -v pandoc >/dev/null; then
    says "All times of this report are <strong>walked</strong>" "$(pages "$walked/report")" "and what that means"
else
    skip "no pandoc here: the text is plain" "what that means"
fi
is 0 "$(grep -c "measured on this machine" "$(pages "$walked/report")")" "and never that they were measured"

# seconds EXPERIMENT BYTES: of a point in points.csv, by the plan's columns.
seconds() {
    awk -F, -v experiment="$1" -v bytes="$2" '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["experiment"] == experiment && $at["bytes"] == bytes { print $at["time_s"]; exit }' "$walked/points.csv"
}
# costs, latency with factor, wire with frames and envelope, by clusters/grisou.ini
sum=$(awk 'BEGIN { printf "%.12g", 3.8e-6 + 0.0918e-9 * 1024 + 2 * 4.7e-6 * 2.35 + 1040 * 8 / 10e9 / 0.941 + 3.64e-6 + 0.196e-9 * 1024 }')
seen=$(seconds pingpong 1024)
holds "${seen:-0} / $sum - 1 < 1e-6 && ${seen:-0} / $sum - 1 > -1e-6" "a ping-pong of 1 KiB takes ${seen:-no time}, by hand $sum"

printf '[study]\nname = late\ncollectives = bcast\n[grid]\narrivals = together late:1ms\nprocs = 4\nbytes = 8K\n[candidates]\nportable = binomial\n' >"$dir/late.ini"
run sweep -c grisou -s "$dir/late.ini" --results "$dir/results" -b walk -q
is 0 "$status" "arrivals are walked"
run fit -c grisou -s "$dir/late.ini" --results "$dir/results" -b walk
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["algorithm"] == "portable:binomial" && $at["bytes"] == 8192 && $at["purpose"] == "study" {
        print $at["arrival"] ? "late" : "together", $at["time_s"] }' "$dir/results/grisou/late-walk/points.csv" |
    sort -u >"$dir/times"
is "late together" "$(awk '{ print $1 }' "$dir/times" | xargs)" "together and with a late rank"
# rank 3 is the last in any case: one hop from rank 2, whose message waits for it
late=$(awk '$1 == "late" { print $2 }' "$dir/times") together=$(awk '$1 == "together" { print $2 }' "$dir/times")
holds "${late:-1} < 0.5 * ${together:-0}" "what the late rank waits for is there: ${late:-none} s, together ${together:-none} s"

printf '[study]\nname = few\ncollectives = bcast\n[grid]\nprocs = 64\nbytes = 8K\n[candidates]\nportable = two_level.* two_level.switch.binomial.chain two_level.cache.scatter_allgather_ring.binary_tree-s8K\n' >"$dir/few.ini"
few() { run "$1" -c orfeo-epyc -s "$dir/few.ini" --results "$dir/results" -b walk; }
run plan -c orfeo-epyc -s "$dir/few.ini" --results "$dir/results" -b walk --dry-run
says "two_level.* of bcast: 5 candidates: two_level.binomial.binomial" "$dir/out" "a dry run says what a pattern stands for"
few sweep
is 0 "$status" "combinations of a pattern are walked"
is "all ranks are on one switch: its outer algorithm has nothing to do" "$(sed -n 's/.*two_level.switch.*,\(all ranks [^,]*\),.*/\1/p' \
    "$dir/results/orfeo-epyc/few-walk/skipped.csv" | sort -u)" "one of switches on one switch is skipped, with the reason"
is 1 "$(cat "$dir"/results/orfeo-epyc/few-walk/samples/*.outcomes.csv |
    grep -o 'portable:two_level.cache[^,]*' | sort -u | grep -c ':two_level.cache.scatter_allgather_ring.binary_tree-s8K$')" \
    "the longest name is whole in what was walked"

sed 's/^isend_cost.*//' clusters/fx10.ini >"$dir/costless.ini"
run sweep -c "$dir/costless.ini" -s "$dir/small.ini" --results "$dir/results" -b walk
is 2 "$status" "what a simulation wants a walk wants, too"
says "isend_cost is not given" "$dir/err" "and says what"
"$build/walk/measure" clusters/grisou.ini 0 --points=x >"$dir/out" 2>"$dir/err"
is 2 $? "the measuring program refuses what makes no sense"

# ---- beside the simulation ----
if ! command -v smpirun >/dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip "no SimGrid here" "the error beside the simulation"
    tap_done
    exit
fi
small sweep --backend sim -q
is 0 "$status" "the same study is simulated"
small fit --backend walk
says "beside the simulated times of $dir/results/grisou/small " "$dir/out" "fit finds the simulation beside the walk"
sed -n 's/.*error % of \([0-9]*\) points: median \([^,]*\), p95 \([^,]*\),.*/\1 \2 \3/p' "$dir/out" >"$dir/errors"
is 2 "$(wc -l <"$dir/errors" | tr -d ' ')" "and prints the error of both collectives, with what serves parameters"
while read -r n median p95; do
    holds "$n > 4 && $median < 0.1 && $p95 < 10" "error of $n points: median $median %, p95 $p95 %"
done <"$dir/errors"
is "2 in 12 of 12 cells" "$(sed -n 's/.*agrees in \([0-9]*\) of \([0-9]*\) cells.*/\1 \2/p' "$dir/out" |
    awk '{ a += $1; n += $2; k++ } END { print k, "in", a, "of", n, "cells" }')" "the fastest agrees everywhere"
# A message of no bytes has its costs in every release of SimGrid: ten central barriers of two ranks, by clusters/grisou.ini, on the
# clock of rank 0, which does not wait for its last word.
word=$(awk 'BEGIN { printf "%.12g", 2 * 4.7e-6 + 17 * 8 / 10e9 / 0.941 + 3.54e-6 + 0.191e-9 }')
sum=$(awk -v word="$word" 'BEGIN { printf "%.12g", 2 * (3.77e-6 + 0.121e-9 + word) - word / 10 }')
seen=$(awk -F, '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["experiment"] == "barrier" && $at["procs"] == 2 { print $at["against_s"]; exit }' "$walked/comparison.csv")
holds "${seen:-0} / $sum - 1 < 1e-6 && ${seen:-0} / $sum - 1 > -1e-6" "a barrier of empty messages takes ${seen:-no time} simulated, by hand $sum"
small report --backend walk -q
says "simulated by SimGrid SMPI" "$(pages "$walked/report")" "the page has the comparison"
small fit --backend walk --against none
is 0 "$(grep -c "^beside" "$dir/out")" "--against none leaves it out"
tap_done
