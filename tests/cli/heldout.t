#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel select --holdout: selectors judged on cells that were kept from all that is fitted or learns.
. tests/cli/run.sh
# A build without XGBoost teaches no boosting.
taught=boosting trees=4
! "$collsel" doctor 2>/dev/null | grep -q '^missing *XGBoost ' || taught=forest trees=2
results=$dir/results at=$dir/results/peak/made

# Times in us that cross over: a chain that grows with P, a tree that grows with its logarithm but sends every byte that often.
awk 'BEGIN {
    print "P,alg,bytes,us"
    srand(4)
    for (p = 2; p <= 40; p += 2)
        for (m = 1; m <= 1048576; m *= 16) {
            noise = 1 + (rand() - 0.5) / 50
            levels = log(p) / log(2)
            printf "%d,chain,%d,%.6g\n", p, m, (p + m * 0.001) * noise
            printf "%d,binomial,%d,%.6g\n", p, m, levels * (2 + m * 0.001) / noise
            printf "%d,linear,%d,%.6g\n", p, m, (1 + p * (0.5 + m * 0.001)) * noise
            printf "%d,default,%d,%.6g\n", p, m, levels * (2 + m * 0.001) * 1.1
        }
}' >"$dir/made.csv"
import() { # import NAME FILE
    run import -q -c peak --name "$1" --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
        --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$2" &&
        run fit -q -c peak --results "$results" --dataset "$1"
}
try() { run select -c peak --results "$results" --dataset made "$@"; }
column() { # column FILE NAME SELECTOR: of heldout.csv
    awk -F, -v name="$2" -v s="$3" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next } $at["selector"] == s { print $at[name]; exit }' "$1"
}

import made "$dir/made.csv"
is 0 $status "planted times"
try --holdout alternate-procs
is 0 $status "every other P is held out"
says "Held out: alternate-procs, 240 timed points; learnt from 240 others." "$dir/out" "half of the points"
there=$at/holdout/alternate-procs
is 60 "$(column "$there/heldout.csv" cells regression)" "the regression decides sixty cells that it has not seen"
awk -v loss="$(column "$there/heldout.csv" geomean_pct regression)" -v own="$(column "$there/heldout.csv" geomean_pct default)" \
    'BEGIN { exit !(loss < 5 && own > 20) }'
ok $? "and loses little where the default loses much"
says "(trained on)" "$there/selection.csv" "the best single candidate is found from what was trained on"
is "imported" "$(awk -F, 'NR == 2 { print $NF }' "$there/heldout.csv")" "the last column says how it was measured"

awk -v safe="$(column "$there/heldout.csv" geomean_pct safe)" -v own="$(column "$there/heldout.csv" geomean_pct default)" \
    'BEGIN { exit !(safe != "" && safe < own / 2) }'
ok $? "the safe selector keeps more than half of what is to be gained over the default"

# ---- importance, the page ----
awk -F, 'NR > 1 { sum[$1] += $6 } END { for (s in sum) { n++; if (sum[s] < 0.999 || sum[s] > 1.001) exit 1 } exit n != '$trees' }' "$there/importance.csv"
ok $? "of $trees learners of trees the importance of the features sums up to one"
if command -v gnuplot >/dev/null && command -v pandoc >/dev/null; then
    run report -q -c peak --results "$results" --dataset made
    is 0 $status "the page"
    for id in unseen importance; do
        says "id=\"$id\"" "$(pages "$at/report")" "has a section '$id'"
    done
    for file in tables/unseen1-card.csv tables/importance1.csv; do
        [ -s "$at/report/$file" ]
        ok $? "and $file"
    done
    says ",safe_pct,backend" "$at/report/tables/unseen1-card.csv" "the card sets safe beside best, default, model and learner"
else
    skip "no gnuplot or pandoc" "the page"
fi
try --holdout alternate-procs

# ---- what was held out cannot be reached ----
decisions() { # who chooses what, but for those whose choice is the measurement itself
    awk -F, '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next } $1 !~ /^(best|random)$/ {
        print $1, $at["procs"], $at["bytes"], $at["algorithm"], $at["predicted_s"] }' "$1/selection.csv"
}
# spoil FIRST: the times of P = FIRST, FIRST + 4, ... are drawn anew
spoil() {
    awk -F, -v OFS=, -v first="$1" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; srand(9); print; next }
        ($at["procs"] - first) % 4 == 0 { $at["time_s"] *= exp(3 * rand()) } { print }' "$dir/points.csv" >"$at/points.csv"
}
decisions "$there" >"$dir/before"
cp "$at/points.csv" "$dir/points.csv"
spoil 4
try -q --holdout alternate-procs
decisions "$there" >"$dir/after"
cmp -s "$dir/before" "$dir/after"
ok $? "other times of the cells held out change no choice and no prediction"
spoil 2
try -q --holdout alternate-procs
decisions "$there" >"$dir/after"
cmp -s "$dir/before" "$dir/after"
ok $((!$?)) "times that were learnt from do"
cp "$dir/points.csv" "$at/points.csv"

# ---- sets joined, other clusters, other days ----
awk -F, -v OFS=, 'NR > 1 { $4 *= 1.5 } { print }' "$dir/made.csv" >"$dir/again.csv"
import again "$dir/again.csv"
# What a file gives where it has no time is not judged by another's time.
awk 'BEGIN {
    print "P,alg,bytes,us"
    for (p = 2; p <= 40; p += 2)
        for (m = 1; m <= 1048576; m *= 16) {
            took = log(p) / log(2) * (2 + m * 0.001)
            printf "%d,chain,%d,%.6g\n%d,default,%d,%.6g\n", p, m, 3 * (p + m * 0.001), p, m, 2 * took
            if (p != 20) printf "%d,binomial,%d,%.6g\n", p, m, took
        }
}' >"$dir/gap.csv"
import gap "$dir/gap.csv"
run select -q -c peak --results "$results" --dataset gap --holdout beyond-procs=18
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["selector"] == "safe" && $c["procs"] == 20 && $c["algorithm"] ~ /binomial/ { print $c["status"] $c["chosen_s"] }' \
    "$results"/peak/gap/holdout/*/selection.csv | sort | uniq -c | awk '{ print ($1 > 0), $2 }' >"$dir/gap"
is "1 not_measured" "$(cat "$dir/gap")" "where what is given has no time, safe has none"

try --holdout cluster=peak
is 1 $status "all cells held out, and nothing to learn from"
says "nothing is left to learn from" "$dir/err" "is an error that says so"
try --holdout cluster=gros
is 1 $status "nothing held out"
says "holds out none of the cells" "$dir/err" "is another"
try --holdout beyond-procs=20 --with again
says "Held out: beyond-procs=20, 240 timed points; learnt from 480 others." "$dir/out" "of a set joined the same is held out"
awk -F, 'NR == 1 || $1 > 2' "$dir/made.csv" >"$dir/part.csv"
import part "$dir/part.csv"
try --holdout alternate-procs --with part
says "Held out: alternate-procs, 240 timed points; learnt from 240 others." "$dir/out" \
    "a joined set that would hold out other cells tells nothing of those that are judged"
try --holdout planned
is 1 $status "a data set was not planned"
try --holdout random=30% --on again
is 0 $status "judged by another day's times"
[ -f "$at/on/again/holdout/random-30/heldout.csv" ]
ok $? "in a place of its own"
# ---- sets joined, learners alone ----
joined() { awk -F, -v who="$2" -v cluster="$3" -v name="$4" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["selector"] == who && $at["cluster"] == cluster && $at["collective"] == "bcast" { print $at[name] }' "$1"; }
try --holdout alternate-procs --joined --learner $taught --learner nearest --with again
is 0 $status "learners of two sets joined"
there=$at/holdout/alternate-procs/joined.csv
is 120 "$(joined "$there" $taught peak cells)" "are judged on the cells held out of both"
awk -v loss="$(joined "$there" $taught all geomean_pct)" -v own="$(joined "$there" default all geomean_pct)" \
    'BEGIN { exit !(loss != "" && loss < 5 && own > 10) }'
ok $? "and lose less than the default there"
is "" "$(joined "$there" svm all cells)" "who was not named did not learn"
cost() { awk -F, -v way="$1" -v who="$2" -v cluster="$3" -v name="$4" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["way"] == way && $at["selector"] == who && $at["cluster"] == cluster && $at["collective"] == "bcast" && $at["nodes"] == "" {
        print $at[name] == "" ? "none" : $at[name]; exit }' "$at/holdout/alternate-procs/overhead.csv"; }
is none "$(cost measure "" peak core_s)" "what others spent on measuring is not known, and not nothing"
awk -v once="$(cost measure "" peak once_core_s)" -v learn="$(cost learn $taught all core_s)" -v ask="$(cost ask $taught peak core_s)" \
    'BEGIN { exit !(once > 0 && learn > 0 && ask > 0 && ask < learn) }'
ok $? "a call of each point is, and what learning and asking took"
is 120 "$(cost ask $taught peak cells)" "it was asked about the cells that were held out"
is 120 "$(joined "$there" safe peak cells)" "safe decides in all of them, too"
awk -v loss="$(joined "$there" safe all geomean_pct)" -v own="$(joined "$there" default all geomean_pct)" \
    'BEGIN { exit !(loss != "" && loss < own / 2) }'
ok $? "and keeps more than half of what is to be gained over the default"
run import -q -c star-a --name far --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/again.csv"
run fit -q -c star-a --results "$results" --dataset far
far=$results/star-a/far
# The forest is ours. Boosting may tell the clusters apart, and then chooses the same whatever the other's times are (XGBoost 3.0 does).
try_far() { try -q --holdout alternate-procs --joined --learner $taught --learner forest --with "$far"; }
try_far
grep ',peak,' "$there" >"$dir/before"
mv "$far/points.csv" "$dir/far.csv"
spoil_far() { # as spoil, of the other cluster's times
    awk -F, -v OFS=, -v first="$1" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; srand(9); print; next }
        ($at["procs"] - first) % 4 == 0 { $at["time_s"] *= exp(3 * rand()) } { print }' "$dir/far.csv" >"$far/points.csv"
    try_far
    grep ',peak,' "$there" >"$dir/after"
    cmp -s "$dir/before" "$dir/after"
}
spoil_far 4
ok $? "other times of cells held out of another cluster change nothing here"
spoil_far 2
ok $((!$?)) "times that are learnt from do"
try --holdout cluster=each --joined --learner nearest --with "$far" --unsure # times that star-a's links forbid
is 0 $status "each cluster in turn"
is "120 48" "$(joined "$at/holdout/cluster-each/joined.csv" nearest peak cells) $(joined "$at/holdout/cluster-each/joined.csv" nearest star-a cells)" \
    "is judged by what was learnt from the other"
is "" "$(joined "$at/holdout/cluster-each/joined.csv" safe all cells)" "no file is made of a learner that predicts no time: no safe is judged"
awk -F, -v OFS=, 'NR > 1 && $2 != "default" { $4 *= 100 } { print }' "$dir/again.csv" >"$dir/slow.csv"
run import -q -c star-a --name slow --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/slow.csv"
run fit -q -c star-a --results "$results" --dataset slow
run import -q -c star-b --name third --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/again.csv"
run fit -q -c star-b --results "$results" --dataset third
try -q --holdout cluster=star-b --joined --learner $taught --with "$results/star-a/slow" --with "$results/star-b/third"
there=$at/holdout/cluster-star-b/joined.csv
is "$(joined "$there" default star-b geomean_pct)" "$(joined "$there" safe star-b geomean_pct)" \
    "safe stays with the default where another machine lost by what gained on the first"
try --holdout cluster=each --joined --learner nearest
is 1 $status "one cluster alone has none to learn from"
says "nothing is left to learn from" "$dir/err" "which is said"
try --joined
is 2 $status "--joined wants --holdout"
try --holdout nodes=1 --learner forest
is 2 $status "--learner wants --joined"
try --holdout nodes=1 --part again
is 2 $status "so does --part"
try --holdout nodes=1 --joined --part missing
is 2 $status "whose set has to be there"
try --holdout nodes=1 --joined --learner hybrid
is 2 $status "who wants models' predictions does not learn so"

# A default that was timed in half of the cells, and nothing beside a default.
awk -v into="$dir/" 'BEGIN { split("some alone", set, " ")
    for (k = 1; k <= 2; k++) {
        file = into set[k] ".csv"
        print "P,alg,bytes,us" >file
        for (p = 2; p <= 16; p *= 2)
            for (m = 8; m <= 32768; m *= 16) {
                if (k == 2 || p < 16) printf "%d,default,%d,7\n", p, m >file
                if (k == 1) printf "%d,linear,%d,%g\n%d,binomial,%d,4\n", p, m, 2 * p, p, m >file
            }
    }
}'
for set in some alone; do import $set "$dir/$set.csv"; done
run select -c peak --results "$results" --dataset some --holdout beyond-procs=4 --joined --learner knn
says "default, safe: not counted in 4 of these 8 cells, in which the library's default is not known or was not timed." "$dir/out" "whose cells are fewer is said"
run select -c peak --results "$results" --dataset alone
is "0 Nothing is compared: no cell has a candidate beside the library's default." "$status $(head -n 1 "$dir/out")" "and that a default alone is compared with nothing"

try --with again
is 2 $status "--with alone is wrong usage"
try --holdout sometimes
is 2 $status "so is an unknown holdout"
says "want planned, alternate-procs" "$dir/err" "with what there is"
try --holdout nodes=1 --with missing
is 2 $status "a set that is not there is refused"
tap_done
