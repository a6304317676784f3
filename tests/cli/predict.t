#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel predict: given parameters by hand, fitted ones, what runs instead, and errors.
. tests/tap.sh

# seconds LINE OUTPUT: T of the line that begins so.
seconds() { printf '%s\n' "$2" | sed -n "s/^$1 .*T = \([0-9.e+-]*\) s.*/\1/p"; }
near() { # near WANTED SEEN MESSAGE: within a millionth
    if awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; if (d < 0) d = -d; exit !(a > 0 && b > 0 && d <= 1e-6 * a) }'; then
        ok 0 "$3"
    else
        is "$1" "$2" "$3"
    fi
}

# Chain: (P + n - 2)(alpha + m/n beta) = (100 + 128 - 2)(1e-5 + 8192e-9), for walk and closed form.
seen=$("$collsel" predict bcast pipeline -p 100 -m 1M --segment 8K --alpha 10us --beta 1e-9 --gamma 3=1.1)
is 0 $? "given parameters are enough"
near 0.004111392 "$(seconds walker "$seen")" "pipeline by the walk"
near 0.004111392 "$(seconds 'closed form' "$seen")" "and by the closed form"
has "A = 226  B = 1851392 bytes" "$seen" "with A and B"

# Binomial of 8: n gamma(4) + gamma(3) + gamma(2) = 4 * 1.2 + 1.1 + 1 = 6.9 segments of 8 KiB.
seen=$("$collsel" predict bcast binomial -p 8 -m 32K --segment 8K --alpha 1e-5 --beta 1e-9 --gamma 3=1.1,4=1.2)
near 0.0001255248 "$(seconds walker "$seen")" "binomial: (4 gamma(4) + gamma(3) + 1)(alpha + m_s beta)"
near 0.000218304 "$(seconds textbook "$seen")" "textbook: n L (alpha + m_s beta)"
seen=$("$collsel" predict bcast basic_linear -p 20 -m 8K --alpha 1e-5 --beta 0 --gamma-linear 0.8,0.1)
near 0.000028 "$(seconds walker "$seen")" "gamma on a line: 0.8 + 0.1 * 20"

# Chains of 21 ranks: 8 segments of 4 chains, 4 more up the longest: 36 segments of 8 KiB.
seen=$("$collsel" predict reduce chain -p 21 -m 64K --segment 8K --alpha 1e-5 --beta 1.5e-9 --gamma-linear 1,0)
near 0.000802368 "$(seconds walker "$seen")" "a reduction by the walk: 36 (alpha + m_s beta)"
near 0.000802368 "$(seconds 'closed form' "$seen")" "and by the closed form"
near 0.000802368 "$(seconds textbook "$seen")" "and by the textbook's"
seen=$("$collsel" predict reduce binomial -p 16 -m 0 --alpha 1e-5 --beta 0 --gamma-linear 1,0)
is "3" "$(printf '%s\n' "$seen" | grep -c 'T = 0 s  A = 0  B = 0 bytes')" "no bytes: no messages, in every model"
seen=$("$collsel" predict allgather ring -p 65536 -m 1K --alpha 1e-5 --beta 0 --gamma-linear 1,0)
has "4294901760 rounds of all ranks" "$seen" "what would be walked for minutes is left out, and says so"
near 0.65535 "$(seconds 'closed form' "$seen")" "the closed form stands"
seen=$("$collsel" predict reduce binomial -p 65536 -m 1M --segment 8K --alpha 1e-5 --beta 0 --gamma-linear 1,0)
near "$(seconds 'closed form' "$seen")" "$(seconds walker "$seen")" "65,536 ranks of a tree are walked"
seen=$("$collsel" predict bcast openmpi:split_binary_tree -p 8 -m 8K --segment 8K --alpha 1e-5 --beta 0 --gamma 3=1.1)
has "runs         pipeline" "$seen" "a substitute is named"
seen=$("$collsel" predict bcast mpich:binomial -p 8 -m 8K --alpha 1e-5 --beta 0 --gamma 3=1.1)
is 0 $? "MPICH's algorithms have schedules too"
for name in brucks portable:brucks portable:mpich_brucks mpich:brucks; do
    "$collsel" predict allgather $name -p 6 -m 1K --alpha 1e-5 --beta 0 --gamma 3=1.1 2>&1 | grep '^walker'
done >"$dir/spelt"
is "4 1" "$(wc -l <"$dir/spelt") $(sort -u "$dir/spelt" | wc -l)" "whatever the spelling, the time is the same"

seen=$("$collsel" predict bcast binomial -p 8 -m 32K --fanout 3 --alpha 1e-5 --beta 0 --gamma 3=1.1,4=1.2 2>&1)
has "--fanout is ignored: bcast binomial has no fan-out" "$seen" "a fan-out that the algorithm does not have is said to be ignored"

# From a planted study: what predictions.csv says of the same cells, model by model.
[ -x "$build/null/measure" ] || make -s OUT="$build" "$build/null/measure" > /dev/null 2>&1
cat > "$dir/study.ini" <<'END'
[study]
name = planted
collectives = bcast
mappings = core
[grid]
procs = 8 16
bytes_from = 8K
bytes_to = 512K
bytes_count = 7
[candidates]
portable = basic_linear chain pipeline binomial
segment_bytes = 8K
END
study=$dir/results/gros/planted
COLLSEL_NULL_TABLE=tests/cli/planted.csv "$collsel" sweep -q -b null -c gros -s "$dir/study.ini" --results "$dir/results" > /dev/null
"$collsel" fit -q -c gros -s "$dir/study.ini" --results "$dir/results" > /dev/null
is 0 $? "a planted study is fitted"
# file MODEL ALGORITHM: predicted_s at 16 processes and 64 KiB in predictions.csv.
file() {
    awk -F, -v model="$1" -v algorithm="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $(at["model"]) == model && $(at["algorithm"]) == algorithm && $(at["procs"]) == 16 &&
        $(at["bytes"]) == 65536 && $(at["status"]) == "ok" { print $(at["predicted_s"]); exit }' "$study/predictions.csv"
}
for algorithm in portable:binomial portable:chain portable:pipeline; do
    seen=$("$collsel" predict bcast $algorithm -p 16 -m 64K --dataset "$study")
    near "$(file stage $algorithm)" "$(seconds stage "$seen")" "$algorithm by the walk: as in predictions.csv"
    near "$(file textbook $algorithm)" "$(seconds textbook "$seen")" "and by the textbook"
done
seen=$("$collsel" predict bcast portable:binomial -p 16 -m 64K --dataset "$study")
# The place among all algorithms is that in predictions.csv; the measured times have one, too.
place() { # place MODEL ALGORITHM: "K of N"
    awk -F, -v model="$1" -v algorithm="$2" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $(at["model"]) == model && $(at["procs"]) == 16 && $(at["bytes"]) == 65536 && $(at["status"]) == "ok" &&
            $(at["purpose"]) == "study" {
            who = $(at["algorithm"]) " " $(at["segment_bytes"]) " " $(at["fanout"])
            t[who] = $(at["predicted_s"]) + 0
            if ($(at["algorithm"]) == algorithm) mine = who }
        END { for (who in t) { n++; k += t[who] < t[mine] } print k + 1 " of " n }' "$study/predictions.csv"
}
line() { printf '%s\n' "$2" | grep "^$1 .*T = "; }
for model in stage textbook; do
    has "  $(place $model portable:binomial)" "$(line $model "$seen")" "$model: its place among all algorithms"
done
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $(at["algorithm"]) == "portable:binomial" && $(at["experiment"]) == "time" && $(at["procs"]) == 16 &&
    $(at["bytes"]) == 65536 { printf "T = %.9g s  planted", $(at["mean_s"]); exit }' "$study/points.csv" > "$dir/measured"
has "$(cat "$dir/measured")" "$(line planted "$seen")" "with the planted time"
all=$("$collsel" predict bcast -p 16 -m 64K --dataset "$study")
is 0 $? "no algorithm is needed"
least=$(line stage "$all" | sed 's/.*least of [0-9]*: \([a-z:_]*\).*/\1/')
has "  1 of " "$(line stage "$("$collsel" predict bcast "$least" -p 16 -m 64K --dataset "$study")")" "then the least one is named"

while IFS=';' read -r asked part; do
    # shellcheck disable=SC2086
    seen=$("$collsel" predict $asked -p 16 -m 64K --dataset "$study" 2>&1 </dev/null)
    is 1 $? "not there: $asked"
    has " of $part" "$seen" "the first part that there is not is named, and what there is"
done <<'END'
reduce binomial;collective 'reduce' (there is: bcast)
bcast chain --mapping node;mapping 'node' for bcast (there is: core)
bcast chain --fanout 3;fan-out '3' for bcast chain (there is: 4)
bcast --mapping node;mapping 'node' for bcast (there is: core)
END

# What was not measured is placed as the plan would place it: this study spreads over all nodes, a packed one does not.
has "16 processes on 16 nodes" "$("$collsel" predict bcast chain -p 16 -m 64K --dataset "$study")" "where so many were measured: as there"
has "15 processes on 15 nodes" "$("$collsel" predict bcast chain -p 15 -m 64K --dataset "$study")" "one less: the same layout"
has "250 processes on 84 nodes" "$("$collsel" predict bcast chain -p 250 -m 64K --dataset "$study")" "three on a node where one each does not do"
sed 's/^procs = .*/procs = 8 40\nnodes = 2\nspread = packed/; s/= planted/= packed/' "$dir/study.ini" > "$dir/packed.ini"
packed=$dir/results/gros/packed
COLLSEL_NULL_TABLE=tests/cli/planted.csv "$collsel" sweep -q -b null -c gros -s "$dir/packed.ini" --results "$dir/results" > /dev/null
"$collsel" fit -q -c gros -s "$dir/packed.ini" --results "$dir/results" > /dev/null
has "20 processes on 2 nodes" "$("$collsel" predict bcast chain -p 20 -m 64K --dataset "$packed")" "packed: no more nodes than it takes"
has "17 processes on 1 node," "$("$collsel" predict bcast chain -p 17 -m 64K --dataset "$packed")" "... and no less"
seen=$("$collsel" predict bcast chain -p 40 -m 64K --dataset "$packed" 2>&1)
is 1 $? "where the study has no room, a skipped point's nodes are not taken"
is "collsel ask predict: 40 processes on 2 nodes do not fit: the study gives a node of 'gros' 18" "$seen" "but it is said"
sed 's/= planted/= single/; s/= core/= node/; s/^procs = .*/&\nranks_per = node/' "$dir/study.ini" >"$dir/single.ini"
COLLSEL_NULL_TABLE=tests/cli/planted.csv "$collsel" sweep -q -b null -c gros -s "$dir/single.ini" --results "$dir/results" >/dev/null
"$collsel" fit -q -c gros -s "$dir/single.ini" --results "$dir/results" >/dev/null
has "200 processes on 100 nodes do not fit: the study gives a node of 'gros' 1 (--study tune gives each core one)" \
    "$("$collsel" predict bcast chain -p 200 -m 64K --dataset "$dir/results/gros/single" 2>&1)" "a study of a rank a node: which one has more"

# Without --study that of the collective's name is asked; where it was not measured, the command that measures it is said.
seen=$("$collsel" predict reduce -p 8 -m 8K -c gros -b walk --results "$dir/none" 2>&1)
is 1 $? "what nothing was measured of is not predicted"
is "collsel ask predict: nothing was measured in '$dir/none/gros/reduce-walk' (run \`collsel report --cluster gros --study reduce --backend walk --results $dir/none\`)" "$seen" "how to get it is said"
seen=$("$collsel" predict bcast -p 8 -m 8K -c gros -s reduce --results "$dir/results" 2>&1)
has "times of bcast are in '$study': to ask these: --dataset $study" "$seen" "and where there are times of that collective"

# Nothing that answers is a failure.
cp "$packed/points.csv" "$dir/points.saved"
sed -i 's/,ok,/,failed,/; s/,substituted,/,failed,/' "$packed/points.csv"
seen=$("$collsel" predict bcast chain -p 8 -m 64K --dataset "$packed" 2>&1)
is 1 $? "no model and no measurement: it fails"
has "no model says a time for it, and it has none that counts" "$seen" "and says why"
seen=$("$collsel" predict bcast -p 8 -m 64K --dataset "$packed" 2>&1)
is 1 $? "without an algorithm, too"
has "nothing to choose from: no_" "$seen" "and says so for every model"
"$collsel" predict bcast -p 8 -m 64K --dataset "$packed" --json >/dev/null 2>&1
is 1 $? "as JSON, too"

# gros has 124 nodes of 18 cores.
for of in binomial ''; do
    "$collsel" predict bcast $of -p 5000 -m 64K --dataset "$study" > "$dir/out" 2> "$dir/err"
    is 2 $? "more processes than the cluster has cores are refused"
    has "5000 processes are more than the 2232 cores" "$(cat "$dir/err")" "with both numbers"
    is "" "$(cat "$dir/out")" "and nothing is predicted"
done
"$collsel" predict bcast binomial -p 200 --nodes 130 -m 64K --dataset "$study" > /dev/null 2> "$dir/err"
is 2 $? "so are more nodes than it has"
has "130 nodes are more than the 124" "$(cat "$dir/err")" "with both numbers"

cp "$study/points.csv" $dir/points.saved
sed -i '2s/,\(study\|fit\|default\),/,gift,/' "$study/points.csv"
"$collsel" predict bcast portable:binomial -p 16 -m 64K --dataset "$study" > /dev/null 2> "$dir/err"
is 1 $? "malformed points are refused"
has "points.csv:2: " "$(cat "$dir/err")" "with file and line"
cp $dir/points.saved "$study/points.csv"

# Wrong usage.
usage() { # usage MESSAGE ARGUMENT...
    what=$1
    shift
    "$collsel" predict "$@" >/dev/null 2>"$dir/err"
    is 2 $? "wrong usage: $what"
}
usage "nothing" 
usage "no processes" bcast binomial -m 8K --alpha 0 --beta 0 --gamma 3=1
usage "no bytes" bcast binomial -p 8 --alpha 0 --beta 0 --gamma 3=1
usage "alpha without beta" bcast binomial -p 8 -m 8K --alpha 1us --gamma 3=1
usage "no gamma" bcast binomial -p 8 -m 8K --alpha 1us --beta 0
usage "gamma that does not ascend" bcast binomial -p 8 -m 8K --alpha 1us --beta 0 --gamma 4=1,3=1
usage "gamma without value" bcast binomial -p 8 -m 8K --alpha 1us --beta 0 --gamma 4
usage "negative gamma" bcast binomial -p 8 -m 8K --alpha 1us --beta 0 --gamma 4=-1
usage "half a line" bcast binomial -p 8 -m 8K --alpha 1us --beta 0 --gamma-linear 4
usage "an unknown algorithm" bcast bogus -p 8 -m 8K --alpha 1us --beta 0 --gamma 3=1
usage "what Open MPI does not have" allreduce openmpi:bine -p 8 -m 8K --alpha 1us --beta 0 --gamma 3=1
usage "what MPICH does not have" allgather mpich:bruck -p 8 -m 8K --alpha 1us --beta 0 --gamma 3=1
usage "an unknown collective" bogus binomial -p 8 -m 8K --alpha 1us --beta 0 --gamma 3=1
usage "a collective with a slip" bcsat -p 8 -m 8K
has "'bcsat' is not a collective (want bcast|" "$(cat "$dir/err")" "... which is meant"
usage "a root that is no rank" bcast binomial -p 8 -m 8K --root 8 --alpha 1us --beta 0 --gamma 3=1
usage "no processes at all" bcast binomial -p 0 -m 8K --alpha 1us --beta 0 --gamma 3=1
has "--procs: 0 is out of range (want 1 to" "$(cat "$dir/err")" "... with the option's name"
usage "a size that is none" bcast binomial -p 8 -m 8Q --alpha 1us --beta 0 --gamma 3=1
usage "more nodes than processes" bcast binomial -p 8 --nodes 9 -m 8K --alpha 1us --beta 0 --gamma 3=1
usage "a negative alpha" bcast binomial -p 8 -m 8K --alpha=-1 --beta 0 --gamma 3=1
usage "a negative beta" bcast binomial -p 8 -m 8K --alpha 1us --beta=-1e-9 --gamma 3=1
usage "a gamma that falls" bcast binomial -p 8 -m 8K --alpha 1us --beta 0 --gamma-linear 1,-0.5
usage "the root of an allgather" allgather ring -p 8 -m 8K --root 1 --alpha 1us --beta 0 --gamma 3=1
usage "more bytes than 64 bits count" allgather ring -p 256 -m 15000000T --alpha 1us --beta 0 --gamma 3=1
usage "a gamma beside a fit" bcast binomial -p 8 -m 8K --dataset "$dir" --gamma 3=1
usage "one argument too many" bcast binomial more -p 8 -m 8K --alpha 1us --beta 0 --gamma 3=1
tap_done
