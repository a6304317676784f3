#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The clusters of PML-MPI's Table I: all can be walked; a model that is learnt on some answers for another, and so does the one that ships.
# A short check plans for every sixth of them, COLLSEL_LONG=1 for all.
. tests/cli/run.sh
results=$dir/results

n=0
for file in $(grep -l '^name = ' clusters/pml/*.ini); do
    n=$((n + 1))
    [ $((n % 6)) = 1 ] || [ -n "${COLLSEL_LONG:-}" ] || continue
    run plan --cluster "$file" --study pml --backend walk --dry-run
    is 0 $status "$file: its part of the study can be walked"
    run doctor --cluster "$file"
    says "its costs are stated" "$dir/out" "and states all costs"
done
is 18 $n "eighteen clusters, as in the table"

cat >"$dir/few.ini" <<'END'
[study]
name = few
collectives = allgather
[grid]
shape_nodes = 1 2 4
shape_ppn = 1 4
bytes = 8 512 32K 1M
[candidates]
portable = recursive_doubling ring bruck
sim_default = openmpi41
[fit]
experiments = no
END
for c in ri2 ray; do
    run sweep -q --cluster clusters/pml/$c.ini --study "$dir/few.ini" --backend walk --results "$results"
    is 0 $status "$c is walked"
    run fit -q --cluster clusters/pml/$c.ini --study "$dir/few.ini" --backend walk --results "$results"
    is 0 $status "and read"
done
is 1 "$(grep -c '"link_speed_gb_s": 100' "$results/ri2/few-walk/manifest.json")" "the manifest keeps what is known of the machine"
run report -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results"
is 0 $status "a page of shapes"
says "Several numbers of nodes have the same P; one of them is shown here." "$results/ri2/few-walk/report/page.md" "says that P is not a shape"
is 0 "$(grep -c 'lost in [0-9]*: \.' "$results/ri2/few-walk/report/page.md")" "and lists no places where there are none"
# What walks and learners answer has a number, by which results that ship are stale.
run select -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$results/ray/few-walk" \
    --joined --holdout cluster=each --fixed --learner forest --learner forest_class --learner knn_class
is "PAPERS_ANSWERS = 1: 0.135132 85 8.23165 80 0.142774 85 40.8138" \
    "$(grep -o 'PAPERS_ANSWERS = [0-9]*' reports/papers.h): $(awk -F, '$2 == "all" && $3 == "all" && /^(forest|knn)/ { printf "%.6g %s ", $7, $5 } $2 == "all" && $3 == "all" && /^random/ { printf "%.6g", $8 }' \
        "$results/ri2/few-walk/holdout/cluster-each/joined.csv")" \
    "other numbers than these: PAPERS_ANSWERS goes up by one, as what ships is stale"
if "$collsel" doctor 2>/dev/null | grep -q '^missing *XGBoost '; then
    skip "built without XGBoost" "a model for machines that nobody measured"
    tap_done
fi
run train -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$results/ray/few-walk" \
    --pretrained --output "$dir/model.json"
is 0 $status "a model for machines that nobody measured"
says '"pretrained":true' "$dir/model.json" "says so"
says '{"cluster":"ray","backend":"walk","procs":16,"points":' "$dir/model.json" "and of what it was learnt, and how much"
run train --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$results/ray/few-walk" \
    --pretrained --output "$dir/few.json"
says "allgather walk core: too few choices on the cluster that was left out to know how far off they are: the default stays" "$dir/err" \
    "where no interval is known that is told"
cp -r "$results/ri2/few-walk" "$dir/again"
for with in "" "--with $dir/again"; do
    # shellcheck disable=SC2086
    run train -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" $with --pretrained --output "$dir/alone.json"
    is 1 $status "of one cluster ($with) there is none for machines that nobody measured: none could be left out"
    says "all times are of cluster 'ri2' (want sets of two clusters or more" "$dir/err" "which is said"
    is no "$([ -e "$dir/alone.json" ] && echo yes || echo no)" "and nothing is written"
done

# a feature that is known of one of two clusters: where it is not known rows go by that alone
mkdir -p "$dir/unknown"
cp -r "$results/ray/few-walk" "$dir/unknown/ray"
sed -i '/"link_speed_gb_s"/d' "$dir/unknown/ray/manifest.json"
for learner in forest safe; do
    run train -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$dir/unknown/ray" \
        --pretrained --learner $learner --output "$dir/unknown.json"
    is 0 $status "$learner learns where a feature is missing on one cluster"
    is yes "$(grep -q '1\.70141183e38' "$dir/unknown.json" && echo yes)" "rows are split by whether it is known"
    run recommend --model "$dir/unknown.json" --for clusters/pml/mri.ini --collective allgather -p 8 -m 8
    is 0 $status "and what was written is read"
done
sed 's/1\.70141183e38/3.40282347e38/g' "$dir/unknown.json" >"$dir/claims.json"
run recommend --model "$dir/claims.json" --for clusters/pml/mri.ini --collective allgather -p 8 -m 8
is 0 $status "so is a file with the largest float, of nine digits, in this place"
sed 's/1\.70141183e38/3.403e38/g' "$dir/unknown.json" >"$dir/claims.json"
run recommend --model "$dir/claims.json" --for clusters/pml/mri.ini --collective allgather -p 8 -m 8
is 1 $status "but not one with more"
says "a threshold of 3.403e+38 is out of range" "$dir/err" "which is said"
run recommend --model "$dir/model.json" --for clusters/pml/mri.ini --collective allgather --mpi walk -p 2,8,16 -m 8,1M --csv
is 0 $status "it answers for another cluster"
is 6 "$(grep -c '^allgather' "$dir/out")" "in each cell"
sed 's/"procs":16/"procs":-1/' "$dir/model.json" >"$dir/claims.json"
run recommend --model "$dir/claims.json" --collective allgather -p 8 -m 8
is 1 $status "less than no processes are none"
run recommend --model "$dir/model.json" --for clusters/pml/mri.ini --collective allgather -p 8 -m 8 --unsafe
is "0 yes" "$status $([ -s "$dir/out" ] && echo yes)" "without the safety there is an answer, too"
is 0 "$(grep -c two_proc "$dir/out")" "an exchange between two is never taken among eight"
run recommend --model "$dir/model.json" --for clusters/pml/mri.ini --collective allgather -p 2,3,6,8,64 -m 1,4K,1M --unsafe --csv
is 15 "$(grep -cE ',portable:(recursive_doubling|ring|bruck),' "$dir/out")" "nor what was tried in a corner alone, as a default"
is 0 "$(grep -c ',measured,' "$dir/out")" "and no cell of another machine counts as measured"
sed 's/"pretrained":true/"pretrained":false/' "$dir/model.json" >"$dir/claims.json"
run recommend --model "$dir/claims.json" --collective allgather -p 8 -m 8
is 1 $status "without times of cells it is no other model"
says "measured cell 0" "$dir/err" "which is said"

# ---- another library's default, in the same times ----
sed 's/^name = few/name = both/; s/^collectives = .*/collectives = allgather alltoall bcast reduce allreduce/
    s/^shape_ppn = .*/shape_ppn = 1 4 16/; s/^portable = .*/portable = recursive_doubling ring bruck pairwise binomial/
    s/^sim_default = .*/&\nother_defaults = mvapich2/' "$dir/few.ini" >"$dir/both.ini"
both() {
    run "$@" --cluster clusters/pml/ri2.ini --study "$dir/both.ini" --backend walk --results "$results"
}
both sweep -q
is 0 $status "a study is walked with the choices of two libraries"
both fit -q
is 0 $status "and read"
plan=$results/ri2/both-walk/plan.csv
is yes "$(grep -q ',other_default,.*mvapich2_two_level' "$plan" && echo yes)" "those of the other one say so in the plan"
cells() { # cells COLLECTIVE SELECTOR: how many were judged, and the mean loss
    awk -v c="$1" -v s="$2" '$1 == c && $4 == s { print $6, $8 }' "$dir/out"
}
both select -q
own=$(cells bcast default)
is 32 "${own% *}" "the study's default is judged in all cells of a broadcast"
both select -q --default mvapich2
is 0 "$(grep -c 'nothing was measured' "$dir/out")" "releases are not set side by side where a rule stands for the default"
is 0 $status "it is judged by the other default, too"
other=$(cells bcast default)
is 32 "${other% *}" "in as many cells"
is no "$([ "${own#* }" = "${other#* }" ] && echo yes || echo no)" "where it loses something else ($own, $other)"
unknown=$(cells allgather default)
is 28 "${unknown% *}" "where nothing is known it is not counted: 16 ranks on each of two or four nodes, two sizes"
is 4 "$(grep -c '^default,.*an order that SMPI does not have' "$results/ri2/both-walk/default/mvapich2/selection.csv")" "and selection.csv says why"
is yes "$([ -s "$results/ri2/both-walk/selection.csv" ] && echo yes)" "the tables of the study's own default are beside it"
both select -q --holdout nodes --joined --fixed --learner knn --default mvapich2
is 0 $status "those that learn are judged beside it"
says "is not known or was not timed" "$dir/out" "and where it is not known is told"
both select -q --default mvapich3
is 2 $status "a rule that there is not is refused"
says "want openmpi31, openmpi41, openmpi60, mpich40, mvapich2" "$dir/err" "with those that there are"
run select -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --default mvapich2
is 0 $status "of a study that has not timed what the rule decides"
unknown=$(cells allgather default)
holds "${unknown% *} < 20" "only the cells count in which it takes what was timed (${unknown% *} of 20)"

# ---- a part of its points ----
whole=$results results=$dir/part
both sweep -q --plan adaptive
is 0 $status "an adaptive plan of a study with another default is walked"
both fit -q
is 0 $status "... and read $(cat "$dir/err")"
measured=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $6 == "other_default" { n[$at["status"]]++ } END { for (s in n) print s }' "$results/ri2/both-walk/points.csv" | xargs)
is skipped "$measured" "... without the time of what only the other one decides"
results=$whole

# ---- what knowing costs ----
part="--cluster clusters/pml/ray.ini --study $dir/few.ini --backend walk --results $dir/part"
# shellcheck disable=SC2086
run sweep -q $part --plan adaptive
is 0 $status "a part of a cluster's points, by an adaptive plan"
# shellcheck disable=SC2086
run fit -q $part
run select -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$results/ray/few-walk" \
    --joined --fixed --holdout cluster=each --learner forest_class --part "$dir/part/ray/few-walk"
is 0 $status "each cluster by what the other taught"
there=$results/ri2/few-walk/holdout/cluster-each
cost() { awk -F, -v way="$1" -v who="$2" -v cluster="$3" -v nodes="$4" -v name="$5" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["way"] == way && $at["selector"] == who && $at["cluster"] == cluster && $at["collective"] == "allgather" && $at["nodes"] == nodes {
        print $at[name] == "" ? "none" : $at[name]; exit }' "$there/overhead.csv"; }
# What walked points take: one call; 13 calls in six launches, or two seconds where that is less. Whose core time is 0 was timed with another.
reckon() { awk -F, -v nodes="$2" '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    { gsub(/"[^"]*"/, "") }
    $at["time_s"] > 0 && $at["core_s"] > 0 && (nodes == "" || $at["nodes"] == nodes) { t = $at["time_s"]; once += $at["procs"] * t
        share = 2 / 6 > t ? 2 / 6 : t; all += $at["procs"] * 6 * (13 * t < share ? 13 * t : share) }
    END { printf "%.6e %.6e\n", once, all }' "$1/points.csv"; }
same() { # same WANT FROM TEXT: numbers to six digits
    awk -v a="$1" -v b="$2" 'BEGIN { n = split(a, x, " "); split(b, y, " "); for (i = 1; i <= n; i++) if (y[i] !~ /[0-9]/ || (x[i] / y[i] - 1) ^ 2 > 1e-10) exit 1 }'
    ok $? "$3"
}
same "$(reckon "$results/ray/few-walk" "")" "$(cost measure "" ray "" once_core_s) $(cost measure "" ray "" core_s)" "measuring counts ranks, launches and calls"
same "$(reckon "$results/ray/few-walk" 2)" "$(cost measure "" ray 2 once_core_s) $(cost measure "" ray 2 core_s)" "by number of nodes, too"
same "$(reckon "$dir/part/ray/few-walk" "")" "$(cost part "" ray "" once_core_s) $(cost part "" ray "" core_s)" "a part counts what was measured of it"
awk -v part="$(cost part "" ray "" points)" -v all="$(cost measure "" ray "" points)" 'BEGIN { exit !(part > 0 && part <= all) }'
ok $? "which is no more than all"
is "" "$(cost part "" ri2 "" core_s)" "of which nothing is said where no part was measured"
awk -v learn="$(cost learn forest_class ray "" core_s)" -v ask="$(cost ask forest_class ray "" core_s)" 'BEGIN { exit !(learn > 0 && ask > 0) }'
ok $? "learning and asking take time"
run select -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results" --with "$results/ray/few-walk" \
    --joined --fixed --holdout random=30% --learner forest_class
awk -F, 'NR > 1 { sum += $6 } END { exit !(sum > 0.999 && sum < 1.001) }' "$results/ri2/few-walk/holdout/random-30/joined/importance.csv"
ok $? "what the trees of both clusters split by is kept"
run report -q --cluster clusters/pml/ri2.ini --study "$dir/few.ini" --backend walk --results "$results"
tables=$results/ri2/few-walk/report/tables
is "84.4 88.8" "$(cat "$tables"/joined*.csv | awk -F, '$1 == "allgather" && $2 == "forest_class" && NF > 10 { print $5 }' | xargs)" "the page has PML-MPI's accuracy beside ours"
is "168 609" "$(awk -F, '$1 == "ray" || $1 == "ri2" { print $3 }' "$tables/overhead.csv" | xargs)" "and the records of its Table I"
says "What knowing costs" "$results/ri2/few-walk/report/page.md" "and what it takes to know"

# ---- the model that ships ----
for collective in allgather ${COLLSEL_LONG:+alltoall bcast reduce} allreduce; do
    run recommend --model clusters/models/pml.json --for clusters/gros.ini --collective $collective -p 16,100 -m 8,64K
    is 0 $status "the model that ships answers about $collective"
done
says "backend walk" "$dir/out" "and says that it was learnt from what was walked"
run recommend --model clusters/models/pml.json --for clusters/gros.ini --collective allgather -p 4,8,16,64 -m 8,1K,64K
says "the default: boosting expects nothing faster" "$dir/out" "where the default is what it would take it says so"
says "no gain over it is known well enough; boosting expects" "$dir/out" "and elsewhere what it expects"
interval_of() { # interval_of P: of cells where something else than the default is taken, how often the interval is said to hold
    run recommend --model clusters/models/pml.json --csv --collective bcast -p "$1" --ppn 64 -m 1M
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["default_longer_low_pct"] > 0 { print "<" $at["default_longer_holds_pct"] ">" }' "$dir/out"
}
is "<>" "$(interval_of 64)" "how often its intervals hold on machines that it did not see was not tried, and is not promised"
in_words="on those left out, at most one cell of forty fell short"
run recommend --model clusters/models/pml.json --collective bcast -p 64 --ppn 64 -m 1M
says "$in_words" "$dir/out" "which is said in words"
most=$(sed -n 's/.*"sets":\(\[[^]]*\]\).*/\1/p' clusters/models/pml.json | grep -o '"procs":[0-9]*' | cut -d: -f2 | sort -n | tail -1)
is "<>" "$(interval_of $((2 * most)))" "among more ranks than it saw nobody knows how often"
run recommend --model clusters/models/pml.json --collective bcast -p $((2 * most)) --ppn 64 -m 1M
says "how often it holds is not known: it was not tried" "$dir/out" "which is said in words, too"
says "carried on beyond the processes, nodes or sizes that were learnt" "$dir/out" "and that it is carried on"
is 0 "$(grep -c "$in_words" "$dir/out")" "and not what holds within"
nodes=$("$collsel" recommend --model clusters/models/pml.json --collective bcast -p 2048 --ppn 1 -m 1M --csv | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at["nearest_nodes"] }')
run recommend --model clusters/models/pml.json --collective allreduce -p $((4 * nodes)) --ppn 1 -m 8K
says "so far beyond the processes, nodes and sizes that were learnt" "$dir/out" "nodes count, too: as many processes as it saw, on four times as many nodes"
for far in "-p $((2 * most)) -m 1M" "-p $((2 * most + 32)) -m 1M" "-p 64 -m 2M" "-p 64 -m 2097153"; do
    # shellcheck disable=SC2086
    run recommend --model clusters/models/pml.json --collective bcast --ppn 64 $far --csv
    awk -F, 'NR == 2 { print ($8 ~ /default$/ || $11 == 0 ? "default" : "other") }' "$dir/out"
done >"$dir/far"
is "other default other default" "$(xargs <"$dir/far")" "more than a doubling beyond the most ranks, or bytes, that it saw the default stays"
run recommend --model clusters/models/pml.json --collective bcast -p $((4 * most)) --ppn 64 -m 1M
says "the default: nobody knows what gains so far beyond the processes, nodes and sizes that were learnt; boosting expects that it is" "$dir/out" "and says why"
run recommend --model clusters/models/pml.json --collective bcast -p $((4 * most)) --ppn 64 -m 1M --unsafe
is "0 yes" "$status $([ -s "$dir/out" ] && echo yes)" "with --unsafe there is an answer"
is 0 "$(grep -c 'the default: nobody' "$dir/out")" "but with --unsafe what was learnt decides"
run recommend --cluster gros --results "$dir/nothing" --collective bcast -p 64 -m 1M
is 0 $status "where nothing was measured it is asked"
says "an estimate by the model that ships (first.json), which walks this machine" "$dir/err" "which is said"
run plan -q --cluster gros --study "$dir/few.ini" --backend walk --results "$dir/planned"
run recommend --cluster gros --study "$dir/few.ini" --backend walk --results "$dir/planned" --collective allgather -p 64 -m 1M
is "0 yes" "$status $([ -e "$dir/planned/gros/few-walk/plan.csv" ] && echo yes)" "and where something was planned alone"
run sweep -q --cluster clusters/pml/ri.ini --study "$dir/few.ini" --backend walk --results "$dir/unfitted"
run recommend --cluster clusters/pml/ri.ini --study "$dir/few.ini" --backend walk --results "$dir/unfitted" --collective allgather -p 4 -m 512
is 1 $status "but not of a study that was measured and not fitted"
says 'few-walk/points.csv'"' does not exist (run \`collsel fit\` first)" "$dir/err" "which says what to do"
rm "$dir/unfitted/ri/few-walk/manifest.json"
run recommend --cluster clusters/pml/ri.ini --study "$dir/few.ini" --backend walk --results "$dir/unfitted" --collective allgather -p 4 -m 512
is 1 $status "nor of one with samples alone"
run recommend --dataset "$dir/nothing" --results "$dir/nothing" --collective bcast -p 64 -m 1M
is 2 $status "a data set that is named and not there is an error all the same"
tap_done
