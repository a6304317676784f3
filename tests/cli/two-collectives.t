#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A study of two collectives whose algorithms share names, on the planted workload: fits are not mixed, and receives
# that overlap in the reduction come back.
. tests/cli/run.sh

cat > "$dir/both.ini" <<'END'
[study]
name = both
collectives = bcast reduce
mappings = core
[grid]
procs = 8 16
bytes_from = 8K
bytes_to = 1M
bytes_count = 8
[candidates]
portable = chain pipeline binomial
segment_bytes = 8K
sim_default = openmpi31
END
COLLSEL_NULL_RECEIVE_SLOPE=0.25
export COLLSEL_NULL_RECEIVE_SLOPE
study="-q -b null -c gros -s $dir/both.ini --results $dir/results"
at=$dir/results/gros/both
# shellcheck disable=SC2086
"$collsel" sweep $study > /dev/null && "$collsel" fit $study > /dev/null && "$collsel" select $study > /dev/null
ok $? "a study of broadcasts and reductions is measured, fitted and selected from"

# rows FILE CONDITION NAME...: the columns by name, separated by blanks, where an awk condition on at() holds.
rows() {
    file=$1 condition=$2
    shift 2
    grep -v '^#' "$file" | awk -F, -v names="$*" 'NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; k = split(names, want, " "); next }
        function at(name) { return $column[name] }
        '"$condition"' { line = ""; for (j = 1; j <= k; j++) line = line (j > 1 ? " " : "") at(want[j]); print line }'
}
# near1 X: X is 1 to 1e-6.
near1() {
    awk -v x="${1:-0}" 'BEGIN { exit !(x > 1 - 1e-6 && x < 1 + 1e-6) }'
}

is "bcast portable:binomial
bcast portable:chain
bcast portable:pipeline
reduce portable:binomial
reduce portable:chain
reduce portable:pipeline" "$(rows "$at/fit/hockney.csv" 'at("model") == "stage"' collective algorithm | sort)" \
    "each algorithm is fitted once for each collective that has it"
is 6 "$(rows "$at/fit/hockney.csv" 'at("model") == "stage" && at("n") == 8 && at("status") == "ok"' n | wc -l | tr -d ' ')" \
    "from its own experiments alone"
bad=$(rows "$at/fit/hockney.csv" 'at("model") == "stage"' alpha_s beta_s_per_byte |
    awk '{ a = $1 / 20e-6 - 1; b = $2 / 1e-9 - 1; bad += a * a > 1e-12 || b * b > 1e-12 } END { print bad + 0 }')
is 0 "$bad" "what was planted comes back for all"
is "" "$(rows "$at/fit/hockney.csv" 'at("model") == "textbook"' collective)" "the ping-pong is of no collective"

for direction in send receive reduce; do
    is 8 "$(rows "$at/fit/gamma.csv" 'at("direction") == "'$direction'" && at("status") == "ok"' procs | wc -l | tr -d ' ')" \
        "gamma is measured at eight counts: $direction"
done
near1 "$(rows "$at/fit/gamma.csv" 'at("direction") == "reduce" && at("procs") == 5' gamma | awk '{ print $1 / 1.75 }')"
ok $? "four receives that overlap count as 1.75"
near1 "$(rows "$at/fit/gamma.csv" 'at("direction") == "send" && at("procs") == 5' gamma | awk '{ print $1 / 1.3 }')"
ok $? "four sends as 1.3"

# The chain: K = 4, n = 8 of 64 KiB, P = 16: (8 gamma + 4 - 1)(alpha + m_s beta), gamma(5) = 1.3 and 1.75.
for collective in bcast reduce; do
    t=$("$collsel" predict $collective chain -p 16 -m 64K --dataset "$at" | awk '$1 == "stage" { sub(/.*T = /, ""); print $1 }')
    g=1.3
    [ $collective = bcast ] || g=1.75
    near1 "$(awk -v t="${t:-0}" -v g=$g 'BEGIN { print t / ((8 * g + 3) * (20e-6 + 8192e-9)) }')"
    ok $? "predict: the chain of a $collective takes the gamma of its own direction (${t:-none})"
    near1 "$(rows "$at/predictions.csv" 'at("model") == "stage" && at("collective") == "'$collective'" && at("algorithm") == "portable:chain" &&
        at("procs") == 16 && at("bytes") == 65536' predicted_s | awk -v t="${t:-1}" 'NR == 1 { print $1 / t }')"
    ok $? "as predictions.csv has it"
done
worst=$(rows "$at/predictions.csv" 'at("model") == "stage" && at("status") == "ok"' predicted_s measured_s |
    awk '{ e = $1 / $2 - 1; e = e < 0 ? -e : e; w = e > w ? e : w; n++ } END { print n, (w < 1e-6) }')
is "96 1" "$worst" "every time of either collective is predicted"
is "" "$(rows "$at/selection.csv" 'at("selector") == "stage" && at("algorithm") != at("best_algorithm") && at("best_algorithm") ~ /:(binomial|chain|pipeline)$/' collective algorithm best_algorithm)" \
    "and the best chosen in every cell where it is not the default, which has no fit"

# shellcheck disable=SC2086
"$collsel" report $study > /dev/null
ok $? "the report of both is made"
if command -v gnuplot >/dev/null; then
    says_labels "$at/report/figures" "whose drawings have the labels of their axes"
else
    skip "no gnuplot here" "labels of axes"
fi
for collective in bcast reduce; do
    tables=$(ls "$at"/report/tables/table2*$collective*.csv 2> /dev/null)
    is 4 "$(tail -n +2 "${tables:-/dev/null}" | grep -vc '^#')" "table 2 of $collective: its three algorithms and the ping-pong"
done
ls "$at"/report/tables/gamma-receives*reduce*.csv > /dev/null 2>&1
ok $? "gamma of receives has a table where reductions are"
is 1 "$(find "$at/report/tables" -name 'gamma-receives*.csv' | wc -l | tr -d ' ')" "and none elsewhere"

grep -q 'best single algorithm .*in sample' "$at"/report/tables/selectors*bcast*.md
ok $? "the page says which selectors have seen the times"

tap_done
