#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# --plan adaptive and --budget: what is measured, what is said of the rest, resuming, budgets that are kept, wrong usage. How points
# are eliminated: tests/harness/study/adaptive-t.c.
# COLLSEL_LONG=1: more budgets and hold-outs.
. tests/cli/run.sh
. tests/cli/slurm.sh

cat >"$dir/walked.ini" <<'END'
[study]
name = walked
collectives = bcast
mappings = node
[grid]
procs = 4 8 16 24 32
bytes_from = 1K
bytes_to = 4M
bytes_count = 7
ranks_per = node
[candidates]
portable = basic_linear chain pipeline binary_tree binomial split_binary_tree scatter_allgather scatter_allgather_ring
segment_bytes = 8K 64K
sim_default = openmpi41
[held_out]
held_procs = 12
END
w() { # w RESULTS VERB ARGUMENT...
    results=$dir/$1 verb=$2
    shift 2
    run "$verb" -b walk -c gros -s "$dir/walked.ini" --results "$results" "$@"
}
at() { echo "$dir/$1/gros/walked-walk"; }
# column FILE NAME CONDITION: how many rows hold it; columns by name in the condition: $c["status"].
rows() {
    awk -F, -v OFS=, "NR == 1 { for (i = 1; i <= NF; i++) c[\$i] = i; next } $2 { n++ } END { print n + 0 }" "$1"
}

# ---- beforehand ----
w a plan --plan adaptive --dry-run
is 0 $status "an adaptive plan"
says "adaptive plan: round 1 has " "$dir/out" "says what the first round has"
says "expected to cost" "$dir/out" "what it is expected to cost"
says "costs are those of measuring, 6 launches of 13 calls a point" "$dir/out" "where nothing is measured: if it were"
says "to choose with a mean loss of" "$dir/out" "and to lose"
says "estimated by measuring in thought" "$dir/out" "and how that was estimated"
[ ! -e "$(at a)" ]
ok $? "a dry run writes nothing"
w a sweep --plan adaptive --dry-run
is 0 $status "a dry run of the sweep"
first=$(awk '/points to do/ { n += $2 } END { print n }' "$dir/out")
is 0 "$(grep -cv -e '-r1: ' "$dir/out")" "has the first round alone ($first points)"

w a plan --plan adaptive --dry-run --json
is 0 $status "as JSON"
cat >"$dir/look.py" <<'END'
import json, sys
o = json.load(open(sys.argv[1]))
k = o["outlook"]
print(k["round"], k["points_of_round"], sum(l["points"] for l in o["launches"]) == k["points_of_round"],
      all(l["repeat"] == 1 and l["expected_core_s"] > 0 for l in o["launches"]),
      k["least_core_s"] <= k["expected_core_s"] <= k["largest_core_s"] < k["all_points_core_s"],
      k["budget_core_s"] is None and k["costs_as_if_measured"] is True and o["plan"] == "adaptive")
END
is "1 $first True True True True" "$(python3 "$dir/look.py" "$dir/out")" "has the launches of the round, and what is to be expected"
[ ! -e "$(at a)" ]
ok $? "and writes nothing either"

# ---- measured, in one go and in pieces ----
w a sweep --plan adaptive
is 0 $status "measured"
says "may still change what is chosen" "$dir/err" "round by round"
measured=$(cat "$(at a)"/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},')
w a sweep --plan adaptive
says "$measured of $measured points finished (0 now" "$dir/out" "once"
w b sweep -q --plan adaptive --budget 40core-s
[ -z "${COLLSEL_LONG:-}" ] || w b sweep -q --plan adaptive --budget 4core-min
w b sweep -q --plan adaptive
is 0 $status "one that was begun with less money is measured to its end"
w b sweep --plan adaptive
says "(0 now" "$dir/out" "and knows it"
w a fit -q
is 0 $status "fitted"
points=$(at a)/points.csv
all=$(rows "$points" 1)
ok_rows=$(rows "$points" '$c["status"] ~ /ok|substituted/')
holds "$ok_rows * 2 < $all" "$ok_rows of $all points have a time"
is "$((all - ok_rows))" "$(rows "$points" '$c["status"] == "skipped" && $c["reason"] != ""')" "all others are skipped, with a reason"
says "not measured: predicted at least" "$points" "such as that they are predicted to be slower"
says "an adaptive plan makes no experiments" "$points" "or serve no decision"
w a select -q
is 0 $status "selected"
w full sweep -q && w full fit -q
w a select -q --on "$(at full)"
is 0 $status "and judged by the times of the whole study"
w a report
is 0 $status "a page"
says "is gone on with" "$dir/err" "goes on with the plan that was measured"
is "$measured" "$(cat "$(at a)"/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},')" "and measures no more"
holds "$(sed -n 's/^all,[0-9]*,[0-9]*,\([0-9]*\),.*/\1/p' "$(at a)/report/tables/statuses.csv") > 0" "the page counts what was left out"
grep '^random,study' "$(at a)/selection.csv" | grep -qv "over the \([0-9]*\) of \1 candidates"
ok $? "nor that a draw is from all"

# ---- hold-outs ----
w a select --holdout beyond-procs=16
is 0 $status "cells can be held out from what was measured"
if [ -n "${COLLSEL_LONG:-}" ]; then
    w a select --holdout alternate-sizes
    is 0 $status "sizes, too"
fi

# ---- money ----
for money in 2core-s 20core-s; do
    w "m$money" sweep --budget "$money"
    is 0 $status "a budget of $money"
    says "budget: ${money%core-s} core-s, which leaves" "$dir/err" "is told"
    w "m$money" fit -q
    # a walked point stands for 6 launches of 13 calls, within 2 s
    awk -F, -v most="${money%core-s}" 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["status"] ~ /ok|substituted/ && $c["core_s"] > 0 { t = $c["time_s"]; x = 13 * t; y = t > 2 / 6 ? t : 2 / 6; s = 6 * $c["procs"] * (x < y ? x : y)
            sum += s; top = s > top ? s : top }
        END { printf "# spent %g core-s\n", sum; exit !(sum > 0 && sum <= most + top) }' "$(at "m$money")/points.csv"
    ok $? "is kept, but for one point at most"
done
says "not measured: the budget has no room for it" "$(at m2core-s)/points.csv" "what there is no room for says so"

# What is spent begins nothing more; and what the whole plan takes is enough for all of it.
spent() { # FILE FACTOR: what a walked plan of 6 launches of 13 calls counts, times that
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["status"] ~ /ok|substituted/ && $c["core_s"] > 0 { t = $c["time_s"]; x = 13 * t; y = t > 2 / 6 ? t : 2 / 6; s += 6 * $c["procs"] * (x < y ? x : y) } END { printf "%.12g", s * of }' of="${2:-1}" "$1"
}
finished() { cat "$(at "$1")"/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},'; }
was=$(finished m20core-s)
w m20core-s sweep -q --budget "$(spent "$(at m20core-s)/points.csv" 0.5)core-s"
is "0 $was" "$status $(finished m20core-s)" "half of what was spent already begins no point"
w exact sweep -q --budget "$(spent "$(at a)/points.csv" 1.000001)core-s"
is 0 $status "a budget of just what the whole plan takes"
w exact fit -q
holds "$(finished exact) > 0 && $(spent "$(at exact)/points.csv") <= 1.000001 * $(spent "$(at a)/points.csv")" "costs no more than that plan"

for money in ${COLLSEL_LONG:+1e18core-h} 1e300core-s; do
    w huge sweep -q --budget "$money"
    is 0 $status "a budget of $money is one"
done
is "$measured" "$(cat "$(at huge)"/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},')" "and buys all that is wanted"

# ---- planted noise, as on a machine: intervals over launches decide ----
cat >"$dir/noisy.ini" <<'END'
[study]
name = noisy
collectives = bcast
[grid]
procs = 2 4 8 16
bytes_from = 1K
bytes_to = 1M
bytes_count = 5
[candidates]
portable = chain pipeline binary_tree binomial basic_linear
segment_bytes = 8K
[measure]
repeats = 3
repeats_max = 5
budget = 50ms
END
n() {
    verb=$1
    shift
    COLLSEL_NULL_NOISE=0.05 run "$verb" -b null -c gros -s "$dir/noisy.ini" --results "$dir/n" "$@"
}
n sweep -q --plan adaptive
is 0 $status "a machine with noise"
cp -r "$dir/n" "$dir/cut"
rm -f "$dir"/cut/gros/noisy/samples/*-r[2-9]* "$dir"/cut/gros/noisy/samples/*-r1[0-9]* "$(ls "$dir"/cut/gros/noisy/samples/*-r1.*outcomes.csv | head -1)"
COLLSEL_NULL_NOISE=0.05 run fit -q -b null -c gros -s "$dir/noisy.ini" --results "$dir/cut"
holds "$(rows "$dir/cut/gros/noisy/points.csv" '$c["status"] == "missing"') > 0" "what an interrupted one waits for is missing, not left out"
n fit -q
says "eliminated after " "$dir/n/gros/noisy/points.csv" "what was measured and is slower is eliminated"
n select -q
is 0 $status "and selectors go on"

# ---- killed in each round, resumed: the same points, each once ----
launched() { awk -F, '/^[0-9a-f]+,/ { split(FILENAME, f, "-r"); split(f[2], r, "."); print $1, r[1] }' "$1"/gros/noisy/samples/*.outcomes.csv | sort; }
launched "$dir/n" >"$dir/whole"
rounds=$(awk '{ print $2 }' "$dir/whole" | sort -nu | tail -1)
holds "$rounds > 2" "of a plan of $rounds rounds"
killed=0
for round in $(seq 1 "$rounds"); do
    COLLSEL_NULL_NOISE=0.05 COLLSEL_NULL_SLEEP=0.02 "$collsel" sweep -q -b null -c gros -s "$dir/noisy.ini" --results "$dir/k" --plan adaptive >/dev/null 2>&1 &
    pid=$!
    while kill -0 $pid 2>/dev/null && ! ls "$dir"/k/gros/noisy/samples/*-r"$round".* >/dev/null 2>&1; do
        sleep 0.02
    done
    kill -9 $pid 2>/dev/null && killed=$((killed + 1))
    wait $pid 2>/dev/null
done
holds "$killed > 2" "killed $killed times, each in another round"
k() {
    COLLSEL_NULL_NOISE=0.05 run "$@" -b null -c gros -s "$dir/noisy.ini" --results "$dir/k"
}
k sweep -q --plan adaptive
is 0 $status "it is gone on with to its end"
is "" "$(launched "$dir/k" | uniq -d)" "no launch of a point is there twice"
launched "$dir/k" | sed -n 's/ 1$//p' >"$dir/first.k"
sed -n 's/ 1$//p' "$dir/whole" | cmp -s - "$dir/first.k"
ok $? "the first round is that of a plan that was not killed"
k sweep --plan adaptive
says "(0 now" "$dir/out" "and nothing is left of it"

# ---- through Slurm: a round is an array ----
PATH=$PWD/tests/fake/slurm:$PATH
export FAKE_SLURM="$dir/slurm"
mkdir -p "$FAKE_SLURM/do"
slurm_build openmpi
echo CPUS=8 >"$FAKE_SLURM/config"
slurm_cluster 2 2 4 >"$dir/two.ini"
sed 's/^procs.*/procs = 4 8\nranks_per = core/; s/^portable = .*/&\nopenmpi = binomial chain\nmpich = binomial/; s/^\[study\]/&\nmpi = openmpi/; s/^segment_bytes.*/&\ndefault = no/' "$dir/noisy.ini" >"$dir/queued.ini"
c() { # c VERB OPTION...
    verb=$1
    shift
    run "$verb" --clusters "$dir" -c two -s "$dir/queued.ini" --results "$dir/r" "$@"
}
quiet() { [ -z "$(squeue -h -o %i)" ]; }
files() { ls "$dir"/r/two/noisy/samples/*"$1".a*.outcomes.csv 2>/dev/null | wc -l; }
c submit --build "$dir/build" --no-collect --budget 60core-s
is 0 $status "submitted"
says "--plan adaptive --budget 60core-s" "$(ls "$dir"/r/two/noisy/jobs/*.sbatch | head -1)" "tasks are told of the plan and of the budget"
soon quiet
is 0 "$(files r2)" "the first round comes first"
holds "$(files r1) > 0" "and is measured"
i=0
while [ $i -lt 12 ] && c submit --build "$dir/build" --no-collect --budget 60core-s && ! grep -q 'nothing to submit' "$dir/out"; do
    soon quiet
    i=$((i + 1))
done
says "nothing to submit" "$dir/out" "further rounds are submitted one by one, until nothing is in doubt"
holds "$(files r2) > 0" "the second is measured"
spent=$(cat "$dir"/r/two/noisy/samples/*.outcomes.csv | awk -F, '/^point/ { for (i = 1; i <= NF; i++) c[$i] = i } /^[0-9a-f]+,/ { n += $c["core_s"] } END { print n }')
holds "$spent > 0 && $spent < 70" "and the budget is kept ($spent core-s)"
c fit --build "$dir/build"
is 0 $status "fitted"

# ---- what cannot be ----
for bad in "3 apples" 3 2s 0min 1e3min 90sec 0 0core-h -2core-h "" core-h nancore-h infcore-h 1e400core-h 0x1core-h; do
    n sweep "--budget=$bad"
    is 2 $status "--budget '$bad' is wrong usage"
done
says "want a number above 0, then core-s" "$dir/err" "which says what is wanted"
n sweep --budget=2s
says "'2s' is a duration, and this is core time (want a number above 0, then core-s, core-min or core-h; how long a point is measured is the study's budget)" \
    "$dir/err" "seconds are told from core time, with the key that is meant"
sed 's/^budget = .*/budget = 30core-h/' "$dir/noisy.ini" >"$dir/bad.ini"
run plan -n -b null -c gros -s "$dir/bad.ini"
is 2 $status "core time in the key of seconds"
says "budget: '30core-h' is core time, and this is a duration" "$dir/err" "is told, too"
says "core time is for --budget and the study's core_budget" "$dir/err" "with what is meant"
n plan --dry-run --json --budget=2min
is 267840.0 "$(sed -n 's/.*"budget_core_s": \([0-9.]*\).*/\1/p' "$dir/out")" "minutes are those of all cores of the cluster: 124 nodes of 18"
n sweep --plan some
is 2 $status "so is a plan that there is not"
n sweep --plan full --budget 3core-h
is 2 $status "and a full plan with a budget"
says "want --plan adaptive" "$dir/err" "which says so"
sed 's/^\[measure\]/&\ncore_budget = 3 apples/' "$dir/noisy.ini" >"$dir/bad.ini"
run plan -n -b null -c gros -s "$dir/bad.ini"
is 2 $status "in the study file, too"
says "core_budget: '3 apples' is not a budget" "$dir/err" "with its line and key"
sed 's/^\[measure\]/&\ncore_budget = 3core-h/' "$dir/noisy.ini" >"$dir/bad.ini"
run plan -n -b null -c gros -s "$dir/bad.ini"
says "want plan = adaptive" "$dir/err" "a budget wants an adaptive plan"
sed 's/^\[measure\]/&\nplan = adaptive\ncore_budget = 3core-h/' "$dir/noisy.ini" >"$dir/good.ini"
run plan -n -b null -c gros -s "$dir/good.ini"
says "adaptive plan: round 1" "$dir/out" "the study file can ask for one"

# ---- prior.csv that is not the plan's ----
prior=$dir/n/gros/noisy/prior.csv
cp "$prior" "$dir/prior.csv"
head -20 "$dir/prior.csv" >"$prior"
n fit
is 1 $status "a prior that was cut at the end of a line"
says "prior.csv has no row for point" "$dir/err" "is told"
cp "$(at a)/prior.csv" "$prior"
n fit
is 1 $status "that of another study"
says "of another plan" "$dir/err" "is told"
for bad in 'head -c 1000' 'sed 5s/,/;/' 'sed 1s/predicted/guessed/' 'sed 5s/,[0-9.e-]*,/,fast,/' 'sed 5s/.$/2/' 'head -c 0'; do
    $bad "$dir/prior.csv" >"$prior"
    n fit
    is 1 $status "prior.csv after $bad"
    says "noisy/prior.csv" "$dir/err" "is an error with its name"
done
cp "$dir/prior.csv" "$prior"
n fit -q
is 0 $status "put back it is read again"
rm "$prior"
n fit
is 1 $status "without its prior an adaptive study is not judged"
says "prior.csv' does not exist" "$dir/err" "which is said"
n sweep -q --plan adaptive
cmp -s "$dir/prior.csv" "$prior"
ok $? "a sweep makes it anew, the same"

# ---- where the calls of an application spend their time ----
printf '%s\n' '[study]' 'name = weighed' 'collectives = bcast allreduce' '[grid]' 'procs = 8 16 32' 'bytes = 8 64 512 4K 32K 256K 2M' \
    '[candidates]' 'portable = binomial chain binary_tree recursive_doubling ring' '[fit]' 'experiments = no' >"$dir/weighed.ini"
calls() { echo "{\"format\": \"collsel profile 1\", \"rows\": [{\"collective\": \"$1\", \"procs\": $2, \"bytes\": 300000, \"calls\": 9, \"time_s\": 5}]}"; }
calls bcast 16 >"$dir/profile.json"
weighed() { # weighed RESULTS ARGUMENT...: the points that are measured where the profile's calls are
    to=$dir/$1
    shift
    run sweep -q -b walk -c gros -s "$dir/weighed.ini" --results "$to" --budget 5core-s "$@"
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } $c["collective"] == "bcast" && $c["procs"] == 16 && $c["bytes"] == 262144 { print $c["point"] }' \
        "$to/gros/weighed-walk/plan.csv" >"$dir/there"
    cat "$to"/gros/weighed-walk/samples/*.outcomes.csv | grep ',ok,' | grep -c -F -f "$dir/there"
}
without=$(weighed without)
with=$(weighed with --profile "$dir/profile.json")
holds "$with > $without" "a budget is spent where the calls of a profile take their time ($with launches of points, else $without)"
is "0.001 1" "$(awk -F, 'NR > 1 { print $4 }' "$dir/with/gros/weighed-walk/prior.csv" | sort -u | xargs)" "their cell weighs a thousand times as much as others"
calls bcast 17 >"$dir/profile.json"
weighed other --profile "$dir/profile.json" >"$dir/count"
is "0 $without" "$status $(cat "$dir/count")" "calls of other ranks weigh nothing"
says "no call of --profile has a cell in this study" "$dir/err" "which is said"
run sweep -b walk -c gros -s "$dir/weighed.ini" --results "$dir/x" --profile "$dir/profile.json"
is 2 $status "a profile without a budget"
says "want --budget, too" "$dir/err" "is refused"
run tune -b walk -c gros -s "$dir/weighed.ini" --results "$dir/x" --budget 5core-s --profile "$dir/none.json"
is "1 no" "$status $([ -e "$dir/x/gros/weighed-walk/plan.csv" ] || echo no)" "nothing is measured where it cannot be read"
says "none.json: no such file" "$dir/err" "which is said"

# ---- what the shell exports does not reach make ----
is "" "$(PLAN=adaptive BUDGET=3core-h make -n sweep 2>/dev/null | grep -o -e '--plan .*' -e '--budget .*' | xargs)" "exported PLAN and BUDGET reach no sweep"
is "--plan adaptive --budget 3core-h" "$(make -n sweep PLAN=adaptive BUDGET=3core-h 2>/dev/null | grep -o -e '--plan .*' | xargs)" "those of its command line do"
tap_done
