#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The first tasks of a job array start at the same moment, in a directory without samples, launches or digest: each
# measures its launch once, and nothing of the other's is lost. COLLSEL_LONG=1: 50 times. ROUNDS: so often.
. tests/cli/run.sh
. tests/cli/outcomes.sh
export FAKE_SLURM="$dir/slurm"
mkdir -p "$FAKE_SLURM" "$dir/build/openmpi" "$dir/clusters/studies"
ln -s "$(readlink -f "$build/null/measure")" "$dir/build/openmpi/measure"
PATH=$PWD/tests/fake/slurm:$PATH
printf '[cluster]\nname = two\nnodes = 4\nsockets = 1\ncores = 4\ncpu = none\n[network]\nlink_rate = 1Gbps\n[slurm]\npartition = two\nlauncher = mpirun\n' >"$dir/clusters/two.ini"
sed 's/^collectives.*/&\nmpi = openmpi\nmappings = core/; s/^procs.*/procs = 1/; s/^bytes.*/bytes = 8K/; s/^gamma_procs.*/gamma_procs = 2/
     s/^repeats.*/repeats = 4/; s/^budget.*/budget = 5ms/; s/^\[grid\]/&\nranks_per = node/; s/^mpich.*//' tests/cli/tiny.ini >"$dir/clusters/studies/tiny.ini"
sed -i 's/^procs = 1$/procs = 2/; s/^ranks_per = node/ranks_per = core/' "$dir/clusters/studies/tiny.ini"
idle() { [ -z "$(squeue -h -o %i)" ]; }

rounds=${ROUNDS:-$([ -n "${COLLSEL_LONG:-}" ] && echo 50 || echo 2)}
bad=0 twice=0 together=0
for round in $(seq "$rounds"); do
    rm -rf "$dir/r"
    run submit --clusters "$dir/clusters" -c two -s tiny --build "$dir/build" --results "$dir/r" --no-collect
    [ "$status" = 0 ] || { bad=$((bad + 1)) && echo "# round $round: $(tail -1 "$dir/err")"; }
    soon idle || bad=$((bad + 1))
    at=$dir/r/two/tiny
    planned=$("$collsel" plan --clusters "$dir/clusters" -c two -s tiny -b slurm --build "$dir/build" -q --results "$dir/p" 2>"$dir/err" | awk '/^in all/ { print $3 }')
    outcomes "$at" | sort >"$dir/done"
    [ "$(wc -l <"$dir/done")" = "${planned:-none}" ] || { bad=$((bad + 1)) && echo "# round $round: $(wc -l <"$dir/done") of ${planned:-?} points: $(tail -qn 1 "$at"/jobs/*.out | head -3)"; }
    [ -z "$(uniq -d "$dir/done")" ] || twice=$((twice + 1))
    [ "$(ls "$at/samples" | sed 's/.*-\([0-9a-f]\{8\}\)\..*/\1/' | sort -u | wc -l)" = 1 ] || { bad=$((bad + 1)) && echo "# round $round: more than one digest"; }
    [ "$(grep -c '"event":"\(failed\|lost\|interrupted\)"' "$at/events.jsonl")" = 0 ] || { bad=$((bad + 1)) && echo "# round $round: $(grep -m1 '"event":"\(failed\|lost\|interrupted\)"' "$at/events.jsonl")"; }
    # together: one began before another was done, or in the same second
    if awk '/"event":"started"/ { if (++n > 1) both = 1 } /"event":"done"/ { n-- } END { exit !both }' "$at/events.jsonl" ||
        [ "$(sed -n 's/.*"t":"\([^"]*\)".*"event":"started".*/\1/p' "$at/events.jsonl" | sort | uniq -d | wc -l)" != 0 ]; then together=$((together + 1)); fi
done
is 0 $bad "$rounds arrays whose first tasks start at one moment: every point is there, under one digest"
is 0 $twice "and none twice"
ok $((together == 0)) "in $together of them two tasks were at work together"
tally "first tasks of an array together" "$rounds" $((bad + twice))
tap_done
