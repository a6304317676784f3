#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# What a study file or an import says is to be held out: select and report do it without an option, which goes before it.
. tests/cli/run.sh
results=$dir/results

# ---- a data set ----
awk 'BEGIN {
    print "P,alg,bytes,us"
    for (p = 2; p <= 24; p += 2)
        for (m = 64; m <= 16384; m *= 16) {
            printf "%d,chain,%d,%.6g\n", p, m, p + m * 0.001
            printf "%d,binomial,%d,%.6g\n", p, m, log(p) * (3 + m * 0.002)
            printf "%d,default,%d,%.6g\n", p, m, log(p) * (3 + m * 0.002) * 1.1
        }
}' >"$dir/made.csv"
import() { # import ARGUMENT...
    run import -q -c peak --name made --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
        --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$@" "$dir/made.csv"
}
at=$results/peak/made
import --holdout 'beyond-procs=16 sometimes'
is 2 $status "an import with a holdout that is none is wrong usage"
says "'sometimes' is no holdout (want planned" "$dir/err" "which says what there is"
import --holdout 'beyond-procs=16 random=25%'
is 0 $status "an import that says what is to be held out"
run fit -q -c peak --results "$results" --dataset made
run select -q -c peak --results "$results" --dataset made
is 0 $status "select asks for no option"
says "Held out: beyond-procs=16," "$dir/out" "and holds out the first"
says "Held out: random=25%," "$dir/out" "and the second"
[ -s "$at/degradation.csv" ] && [ -s "$at/holdout/beyond-procs-16/heldout.csv" ] && [ -s "$at/holdout/random-25/heldout.csv" ]
ok $? "beside the table of all cells"
rm -r "$at/holdout"
run select -q -c peak --results "$results" --dataset made --holdout alternate-procs
says "Held out: alternate-procs," "$dir/out" "the option"
is "alternate-procs" "$(ls "$at/holdout")" "goes before it"
rm -r "$at/holdout"
run select -q -c peak --results "$results" --dataset made --joined --learner nearest
is 0 $status "learners alone want no option either"
[ -s "$at/holdout/beyond-procs-16/joined.csv" ] && [ ! -e "$at/holdout/beyond-procs-16/heldout.csv" ]
ok $? "and hold out the same"
if command -v gnuplot >/dev/null && command -v pandoc >/dev/null; then
    rm -r "$at/holdout"
    run report -c peak --results "$results" --dataset made
    is 0 $status "the page"
    says "teaching selectors, without beyond-procs=16" "$dir/err" "which says what it does"
    grep -q 'Held out: <code>beyond-procs=16' "$(pages "$at/report")" && grep -q 'Held out: <code>random=25%' "$(pages "$at/report")"
    ok $? "has both, made by nobody else"
    [ -s "$at/report/tables/unseen1-card.csv" ] && [ -s "$at/report/tables/unseen2-card.csv" ]
    ok $? "a card for each"
    for drawing in $(sed -n 's/.*loading="lazy"[^>]* src="\([^"]*\)".*/\1/p' "$(pages "$at/report")"); do
        [ -s "$at/report/$drawing" ]
        ok $? "and $drawing beside it"
    done
else
    skip "no gnuplot or pandoc" "the page"
fi
line=$(grep -n '"holdout": ' "$at/manifest.json" | cut -d: -f1)
sed -i 's/"beyond-procs=16 random=25%"/"beyond-procs=0"/' "$at/manifest.json"
run select -c peak --results "$results" --dataset made
[ $status -ne 0 ]
ok $? "a bad value in the manifest is refused"
says "manifest.json:$line: import/holdout: holdout 'beyond-procs=0'" "$dir/err" "with file, line and place"
import
run fit -q -c peak --results "$results" --dataset made
run select -q -c peak --results "$results" --dataset made
is "" "$(ls "$at/holdout" 2>/dev/null)" "without it nothing is held out, and what was made of older rows is gone"
run select -c peak --results "$results" --dataset made --joined
is 2 $status "--joined then wants --holdout"

# ---- a study ----
cat >"$dir/small.ini" <<'END'
[study]
name = small
collectives = bcast
[grid]
procs = 2 4 8 16
bytes = 1K 64K
[candidates]
portable = chain binomial
[fit]
experiments = no
[compare]
holdout = beyond-procs=8
END
study() { verb=$1; shift; run "$verb" -q -b null -c gros -s "$dir/small.ini" --results "$results" "$@"; }
study sweep
is 0 $status "a study that says it"
study fit
study select
is 0 $status "is selected from"
says "Held out: beyond-procs=8," "$dir/out" "with that held out"
sed -i 's/beyond-procs=8/beyond-procs=16/' "$dir/small.ini"
study sweep
is 0 $status "another value measures nothing again"
is 1 "$(find "$results/gros/small/samples" -name '*p16*.a*.outcomes.csv' | wc -l)" "as it has nothing to do with the times"
study select
is 1 $status "and is what counts"
says "'beyond-procs=16' holds out none of the cells" "$dir/err" "from then on"
sed -i 's/beyond-procs=16/beyond-procs=no/' "$dir/small.ini"
study sweep
is 2 $status "a bad value"
says "small.ini:12: holdout: holdout 'beyond-procs=no'" "$dir/err" "is refused with file and line"
tap_done
