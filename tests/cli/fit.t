#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel fit and select as commands: what they write, what they refuse, and which command they name.
# That planted parameters come back is planted.t's.
. tests/tap.sh
mkdir -p "$dir/clusters/studies"
cat >"$dir/clusters/four.ini" <<'END'
[cluster]
name = four
nodes = 24
sockets = 1
cores = 4
cpu = planted
[sources]
cores = planted
END
cat >"$dir/clusters/studies/planted.ini" <<'END'
[study]
name = planted
collectives = bcast
mappings = node
seed = 11
[grid]
procs = 16 24
bytes_from = 8K
bytes_to = 4M
bytes_count = 10
ranks_per = node
[candidates]
portable = basic_linear pipeline binary_tree split_binary_tree binomial scatter_allgather
segment_bytes = 8K
[fit]
fit_procs = 24
gather_bytes = 1K 4K 16K 2K
[held_out]
held_procs = 11
END
# Parameters that differ per algorithm, so that more than one wins.
cat >"$dir/table.csv" <<'END'
algorithm,alpha_s,beta_s_per_byte
portable:binomial,8e-6,1.2e-9
portable:binary_tree,1.1e-5,0.9e-9
portable:pipeline,6e-6,0.5e-9
portable:scatter_allgather,3e-5,0.4e-9
END
where="--clusters $dir/clusters --results $dir/results --cluster four --study planted"
out=$dir/results/four/planted

# plant VAR=VALUE...: measures anew.
plant() {
    rm -rf "$dir/results"
    env "$@" "$collsel" sweep -q $where --backend null 2>"$dir/err" || sed 's/^/# /' "$dir/err"
}

# Nothing measured yet: both say which command is due.
seen=$("$collsel" fit $where 2>&1)
is 1 $? "fit before anything was measured fails"
has "collsel measure" "$seen" "and names the command that measures"
seen=$("$collsel" select $where 2>&1)
is 1 $? "select likewise"
"$collsel" fit --cluster 2>/dev/null
is 2 $? "a missing value is wrong usage"
"$collsel" select $where more 2>/dev/null
is 2 $? "an argument too many is wrong usage"

plant COLLSEL_NULL_TABLE="$dir/table.csv" COLLSEL_NULL_NOISE=0.03 COLLSEL_NULL_SEED=3
seen=$("$collsel" select $where 2>&1)
has "collsel fit" "$seen" "select before fit names fit"
mkdir -p "$out/fit"
touch "$out/fit/event.csv" "$out/fit/dummy.csv" "$out/fit/loggp.csv" "$out/fit/mine.csv"
"$collsel" fit -q $where >/dev/null 2>"$dir/err"
is 0 $? "fit succeeds"
is "" "$(cat "$dir/err")" "quietly"
is mine.csv "$(cd "$out/fit" && ls event.csv dummy.csv loggp.csv mine.csv 2>/dev/null)" "files of earlier releases go, others stay"

grep -q '^send,null,node,[^,]*,[^,]*,.*,ok,null$' "$out/fit/gamma_linear.csv"
ok $? "its line is fitted"
grep -q 'portable:split_binary_tree,8192,0,24,8192,.*,0,substituted: portable:pipeline ran,null$' "$out/fit/residuals.csv"
ok $? "split binary of one segment is in the residuals, unused, with what ran"
is 0 "$(grep -c '^stage,.*portable:split_binary_tree.*,8192,.*no_fit' "$out/predictions.csv")" "and is predicted as what ran"

"$collsel" select -q $where >"$dir/select.out"
is 0 $? "select succeeds"
awk -F, '$1 == "stage" { n++; if ($23 == 1 || $20 <= 2.5) near++ } END { exit n != 30 || near < 29 }' "$out/selection.csv"
ok $? "the stage selector picks the planted winner or one within 2.5 % of it, held-out processes included"
"$collsel" select $where >"$dir/both" 2>&1
has "wrote $out/selection.csv" "$(tail -1 "$dir/both")" "where both outputs are one file, what was written is said last"
cp "$out/points.csv" "$dir/points.csv"
sed -n 2p "$dir/points.csv" >>"$out/points.csv"
has "is there twice" "$("$collsel" select -q $where 2>&1)" "a point with two rows is refused"
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "mean_s") at = i } NR == 3 { $at = -3 } 1' "$dir/points.csv" >"$out/points.csv"
has "points.csv:3: mean_s: -3 is too small (want at least 0)" "$("$collsel" select -q $where 2>&1)" "and a negative time, with file and line"
cp "$dir/points.csv" "$out/points.csv"
winners=$(awk -F, '$1 == "best" { print $11 }' "$out/selection.csv" | sort -u | wc -l)
holds "$winners >= 3" "where $winners algorithms win somewhere"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $2 == "study" { mean[$1] = $(at["mean_pct"]); geo[$1] = $(at["geomean_pct"]) }
    END { exit !(mean["stage"] < mean["textbook"] && geo["stage"] < geo["textbook"] && geo["textbook"] < mean["textbook"]) }' \
    "$out/degradation.csv"
ok $? "the stage model loses less than the textbook one in both means, of which the geometric one is the smaller"
awk 'NR == 1 { for (i = 1; i < NF; i++) if ($i == "mean") found = $(i + 2) " " $(i + 3) } END { exit found != "geomean %" }' "$dir/select.out"
ok $? "the two stand side by side on the terminal"
awk -F, '$1 == "best_single" { print $11 }' "$out/selection.csv" | sort | uniq -c | awk 'END { exit NR != 1 || $1 != 30 }'
ok $? "the best single algorithm is one in all cells"
awk -F, '$1 == "default" && $25 == "ok" { n++ } END { exit n != 30 }' "$out/selection.csv"
ok $? "the published default has its own points"

# Malformed samples: the file and the line, exit 1, and no file half written.
samples=$(find "$out/samples" -name '*-p24-*.csv' ! -name '*outcomes*' ! -name '*placement*' | head -1)
before=$(cksum <"$out/points.csv")
sed -i '20s/^\([^,]*,[^,]*\),[^,]*/\1,soon/' "$samples"
seen=$("$collsel" fit -q $where 2>&1)
is 1 $? "a malformed samples file fails"
has "$(basename "$samples"):20" "$seen" "with file and line"
is "$before" "$(cksum <"$out/points.csv")" "and leaves the last points.csv alone"
is "" "$(find "$out" -name '*.tmp')" "nothing half written lies about"

# A manifest of another digest than the samples': refused, and the good points.csv stays.
cp "$out/manifest.json" "$dir/manifest.json"
sed -i 's/"digest": "[0-9a-f]\{8\}"/"digest": "00000000"/' "$out/manifest.json"
seen=$("$collsel" fit $where 2>&1)
is 1 $? "samples that are all of another digest are refused"
has "00000000, the digest in its manifest.json" "$seen" "with the digest that was looked for"
is "$before" "$(cksum <"$out/points.csv")" "and the last points.csv stays"
printf '[]\n' >"$out/manifest.json"
has "manifest.json:1: not a JSON object" "$("$collsel" fit $where 2>&1)" "a manifest that is no object is named"

# Nothing has a time: the files are written and say why, but neither command calls it done.
cp "$dir/manifest.json" "$out/manifest.json"
rm -rf "$out/samples"
seen=$("$collsel" fit $where 2>&1)
is 1 $? "fit where nothing has a time fails"
has "points has a time: all missing" "$seen" "and says what the points are"
seen=$("$collsel" select $where 2>&1)
is 1 $? "select likewise"
has "points has a time" "$seen" "for the same reason"
tap_done
