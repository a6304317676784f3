#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel report as a person uses it: makes what it lacks, a page that loads nothing, drawings that can
# be drawn again; and a report that stays when the next one fails.
. tests/cli/run.sh
. tests/cli/latex.sh
for tool in gnuplot pandoc; do
    command -v $tool > /dev/null || skip_all "$tool is not installed"
done

[ -x "$build/null/measure" ] || make -s OUT="$build" "$build/null/measure" > /dev/null 2>&1

export COLLSEL_NULL_TABLE=tests/cli/planted.csv COLLSEL_NULL_NOISE=0.02 COLLSEL_NULL_SEED=3
# report ARGUMENT...: the command for this study.
report() {
    run report -q -b null -c gros -s tests/cli/small.ini --results "$dir/results" "$@"
}
at=$dir/results/gros/small
page=$dir/here.html # all pages of a report, one after the other

# ---- the command line
run report --cluster nowhere
is 2 "$status" "a cluster that there is not is wrong usage"
mkdir "$dir/empty"
run report --cluster gros --clusters "$dir/empty"
is 2 "$status" "so is a directory without cluster files"
says "no file ends in .ini in '$dir/empty'" "$dir/err" "and the message says where they were looked for"
run report again
is 2 "$status" "so is an argument"
run report --no-such-option
is 2 "$status" "and an option that there is not"
report --as-is
is 1 "$status" "with --as-is and nothing measured there is no report"
says "points.csv' does not exist (run collsel fit)" "$dir/err" "and the message says what is not there"
is "" "$(grep drawing "$dir/err")" "before it says that it draws"
[ ! -e "$at/report" ]
ok $? "nor a directory of one"

COLLSEL_NULL_CRASH_AT=0 run report -q -b null -c gros -s tests/cli/small.ini --results "$dir/broken"
is 1 "$status" "where every point failed the report fails"
says "points has a time: 6 failed, 163 missing" "$dir/err" "and says why"
[ -s "$dir/broken/gros/small/report/index.html" ]
ok $? "though there is a page, with the reasons"

# ---- the chain
report
is 0 "$status" "a report is made of nothing but a cluster and a study"
is "$at/report/index.html" "$(cat "$dir/out")" "the path of its first page is all that is printed"
bad=0
for file in points.csv fit/gamma.csv fit/hockney.csv predictions.csv selection.csv degradation.csv; do
    [ -s "$at/$file" ] || { echo "# missing: $file"; bad=1; }
done
ok $bad "what it lacked was made: points, fits, predictions, selections"
is "" "$(find "$at" -maxdepth 1 -name '*report?*')" "nothing half-made is left beside it"

# ---- the pages
cat "$at"/report/*.html > "$page"
bad=0
for id in winners selection selectors gamma parameters textbook algorithms heldout quality cost mishaps platform provenance; do
    grep -q "id=\"$id\"" "$page" || { echo "# no section $id"; bad=1; }
done
ok $bad "the page has every section that applies"
says "planted, not measured" "$page" "a planted study is called planted"
! grep -oiE '(src|href|xlink:href|data|poster|srcset)=["'\''](https?:)?//[^"'\'']*' "$page"
ok $? "the page loads nothing from elsewhere"
! grep -niE '<script[^>]|<link|<iframe|@import|url\((["'\'']?)(https?:)?//' "$page"
ok $? "nor by scripts, style sheets or frames"
is "" "$(grep -c '<script>' "$at"/report/*.html | grep -v ":1$")" "and each has one script, inside"
bad=0
grep -oE 'href="(figures|tables)/[^"]*"' "$page" | cut -d'"' -f2 | sort -u > "$dir/links"
while read -r link; do
    [ -s "$at/report/$link" ] || { echo "# dead link: $link"; bad=1; }
done < "$dir/links"
ok $bad "every file that it links to is there"
bad=0
for of in "$at"/report/*.html; do
    grep -oE '<a href="([a-z]+\.html)?(#[^"]*)?"' "$of" | cut -d'"' -f2 | sort -u > "$dir/anchors"
    while read -r anchor; do
        file=${anchor%%#*} name=${anchor#*#}
        [ "$name" = "$anchor" ] && name=toc
        grep -q "id=\"$name\"" "$at/report/${file:-${of##*/}}" || { echo "# dead link in $of: $anchor"; bad=1; }
    done < "$dir/anchors"
    grep -oE ' id="[^"]*"' "$of" | sort | uniq -d
done > "$dir/twice"
ok $bad "every place in itself and on the other pages that a page points to is there"
is "" "$(cat "$dir/twice")" "no id stands twice in a page, though all drawings are inside"
for of in choices selectors models quality machine; do
    grep -q "href=\"$of.html\"" "$at/report/index.html" && grep -q 'href="index.html"' "$at/report/$of.html"
    ok $? "the first page leads to $of, and that back to it"
done

# ---- figures and tables
bad=0
for gp in "$at"/report/figures/*.gp; do # (one that matches nothing has no .svg either)
    for ending in svg pdf csv; do
        [ -s "${gp%.gp}.$ending" ] || { echo "# missing: ${gp%.gp}.$ending"; bad=1; }
    done
done
ok $bad "every figure is there as SVG, PDF, script and data"
says_labels "$at/report/figures" "and draws the labels of its axes"
is "$(find "$at/report/figures" -name '*.svg' | wc -l)" "$(cat "$at"/report/[!i]*.html | grep -oE "<(svg|img) [^>]*" | grep -vc "role=.img. aria-label=.What each selector loses")" "and in the page, once, a large one as an image"
bad=0
for csv in "$at"/report/tables/*.csv "$at"/report/figures/*.csv; do
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "backend") at = i }
        NR > 1 && !/null/ { bad = 1 } END { exit !at || bad }' "$csv" || { echo "# backend is not told: $csv"; bad=1; }
done
ok $bad "every CSV says in its column backend that the times were planted"
bad=0
for tex in "$at"/report/tables/*.tex; do
    grep -q '^\\caption{.*planted' "$tex" || { echo "# caption does not tell: $tex"; bad=1; }
done
ok $bad "every caption says it too"
# What an SVG draws: the colour in force before its first stroke is that of the figure drawn before.
drawing() {
    sed 's/color="#FFFFFF" stroke="[^"]*"//' "$1"
}
mkdir "$dir/again"
bad=0
cp "$at"/report/figures/*.gp "$at"/report/figures/*.csv "$dir/again"
for gp in "$dir"/again/*.gp; do
    (cd "$dir/again" && gnuplot "${gp##*/}" 2> /dev/null)
    drawing "${gp%.gp}.svg" > "$dir/one"
    drawing "$at/report/figures/$(basename "$gp" .gp).svg" > "$dir/other"
    cmp -s "$dir/one" "$dir/other" || { echo "# not the same by hand: ${gp##*/}"; bad=1; }
done
ok $bad "every script draws the same figure by hand"
latex_sets "$at/report" ""

# ---- the numbers are those of the files before
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[FILENAME, $i] = i; next }
    FILENAME ~ /selection.csv$/ {
        if ($(at[FILENAME, "selector"]) == "default" && $(at[FILENAME, "root"]) == 0)
            loss[$(at[FILENAME, "procs"]), $(at[FILENAME, "bytes"])] = $(at[FILENAME, "degradation_pct"])
        next
    }
    { n++; key = $(at[FILENAME, "procs"]) SUBSEP $(at[FILENAME, "bytes"]); d = $(at[FILENAME, "value"]) - loss[key]
      bad += !(key in loss) || d > 1e-6 || d < -1e-6 }
    END { exit !(n >= 16 && bad == 0) }' "$at/selection.csv" "$at/report/figures/default-loss.csv"
ok $? "the heat map of the default holds the degradations of selection.csv"
mean=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $(at["selector"]) == "default" && $(at["purpose"]) == "study" && $(at["degradation_pct"]) != "" {
        n++; sum += $(at["degradation_pct"]) } END { m = sum / n; printf(m < 9.95 && m > -9.95 ? "%.1f" : "%.0f", m) }' "$at/selection.csv")
tr '\n' ' ' < "$page" | sed 's/\xc2\xa0/ /g' | grep -qF "loses $mean % on average"
ok $? "the mean loss that the summary says, $mean %, is that of selection.csv"
grep -q '<h1>small</h1>' "$at/report/index.html"
ok $? "a study without a title is called by its name"

# ---- again
cat "$at"/samples/*.csv | cksum > "$dir/samples"
cp "$at/selection.csv" "$dir/selection.csv"
report
is 0 "$status" "a report of a complete study is made again"
is "$(cat "$dir/samples")" "$(cat "$at"/samples/*.csv | cksum)" "without measuring anything"
cmp -s "$dir/selection.csv" "$at/selection.csv"
ok $? "and with the same selections to the last digit"

# ---- when it fails
before=$(cat "$at"/report/*.html | cksum)
cp "$at/points.csv" "$dir/points.csv"
awk -F, -v OFS=, 'NR == 3 { for (i = 1; i <= NF; i++) if ($i == "time" || $i == "gather" || $i == "gamma" ||
    $i == "barrier" || $i == "pingpong") $(i + 1 + 7) = "many" } { print }' "$dir/points.csv" > "$at/points.csv"
report --as-is
is 1 "$status" "a field that is no number fails the report"
says "points.csv:3: " "$dir/err" "and the message has file and line"
is "$before" "$(cat "$at"/report/*.html | cksum)" "the report of before is as it was"
cp "$dir/points.csv" "$at/points.csv"
echo '{ "openmpi-4.1": ' >"$at/rules.json"
report --as-is
is 1 "$status" "what lists the files of rules and cannot be read fails it, too"
says "$at/rules.json:" "$dir/err" "and is named"
is "$before" "$(cat "$at"/report/*.html | cksum)" "the report of before is as it was"
rm "$at/rules.json"
mkdir "$dir/bin"
ln -s "$(command -v pandoc)" "$dir/bin/pandoc"
(
    PATH=$dir/bin
    "$collsel" report -q -b null -c gros -s tests/cli/small.ini --results "$dir/results" --as-is 2> "$dir/err" > "$dir/out"
)
status=$?
is 0 "$status" "without gnuplot there is a report (tests/cli/without.t)"
says "no figures: gnuplot is not here (make setup)" "$dir/err" "and the message says what it lacks"
report --as-is
is "$before" "$(cat "$at"/report/*.html | cksum)" "with it the page is what it was"
report --as-is --assets "$dir/nowhere"
is 1 "$status" "assets that are not there fail it too"
run report -q -b null -c gros -s tests/cli/small.ini --results "$dir/later" --assets "$dir/nowhere"
is 1 "$status" "and before anything is measured"
says "'$dir/nowhere/page.css' does not exist (want --assets DIR" "$dir/err" "the message says what is missing"
[ ! -e "$dir/later" ]
ok $? "nothing was"
is "$before" "$(cat "$at"/report/*.html | cksum)" "the report of before is as it was"
rm "$at/selection.csv" "$at/degradation.csv"
report --as-is
is 0 "$status" "a study without selections has a report"
says "selection.csv" "$(pages "$at/report")" "which says what it lacks"

# ---- through Slurm: the same files, as if they came from an emulated cluster, and a simulation beside
emulated=$dir/results/gros/emulated
cp -r "$at" "$emulated"
rm -rf "$emulated/report" "$emulated/selection.csv" "$emulated/degradation.csv"
sed -i 's/"name": *"null"/"name": "emulated"/' "$emulated/manifest.json"
sed 's/^name = small/name = emulated/' tests/cli/small.ini > "$dir/emulated.ini"
# analyse VERB ARGUMENT...: as report, for this study.
analyse() {
    verb=$1
    shift
    run "$verb" -q -c gros -s "$dir/emulated.ini" --results "$dir/results" "$@"
}
analyse fit
is 0 "$status" "what was emulated is fitted"
[ ! -e "$emulated/comparison.csv" ]
ok $? "without a simulation beside it there is no comparison"
cp -r "$at" "$emulated-sim"
sed -i 's/"name": *"null"/"name": "sim"/' "$emulated-sim/manifest.json"
rm "$emulated-sim/points.csv"
launch=$(sed -n 's/.*"launch":"\([^"]*-p16-[^"]*\)".*"event":"started".*/\1/p' "$emulated/events.jsonl" | head -n 1)
rm "$emulated/samples/$launch".*
cat >> "$emulated/events.jsonl" << END
{"t":"2026-01-01T10:00:00Z","launch":"$launch","attempt":2,"event":"started","job":"7_1","cores":32}
{"t":"2026-01-01T10:10:00Z","launch":"$launch","attempt":2,"event":"node_failed","job":"7_1","node":"n4","elapsed_s":600,"cores":32,"reason":"n4 is down"}
{"t":"2026-01-01T10:11:00Z","launch":"","event":"excluded","node":"n4","reason":"broke 2 attempts"}
{"t":"2026-01-01T10:12:00Z","launch":"$launch","event":"submitted","job":"8_1"}
END
for verb in fit select; do
    analyse $verb
    is 0 "$status" "$verb works while a task is in flight"
done
analyse report --as-is
is 0 "$status" "so does report"
cat "$emulated"/report/*.html > "$page"
tr '\n' ' ' < "$page" | sed 's/\xc2\xa0/ /g' > "$dir/page"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { planned += $(at["status"]) != "skipped"; missing += $(at["status"]) == "missing" }
    END { printf "%d of %d points so far\n", planned - missing, planned; exit missing == 0 }' "$emulated/points.csv" > "$dir/sofar"
ok $? "points of the task in flight are missing"
says "<strong>$(cat "$dir/sofar")</strong>" "$page" "and the page says $(cat "$dir/sofar") on top"
says "emulated: real MPI and TCP over shaped links between namespaces of one machine" "$page" "it is called emulated"
bad=0
for csv in "$emulated"/report/tables/*.csv "$emulated"/report/figures/*.csv; do
    tail -n +2 "$csv" | grep -qv ',emulated$' && { echo "# backend is not told: $csv"; bad=1; }
done
ok $bad "also in every CSV"
bad=0
for tex in "$emulated"/report/tables/*.tex; do
    grep -q '^\\caption{.*emulated: real MPI and TCP' "$tex" || { echo "# caption does not tell: $tex"; bad=1; }
done
for gp in "$emulated"/report/figures/*.gp; do
    grep -q '^set .*title ".*emulated' "$gp" || { echo "# title does not tell: $gp"; bad=1; }
done
ok $bad "in every caption, and in every figure's title"
says "submitted again as 8_1" "$page" "what became of a mishap is told"
grep -q '^n4,' "$emulated/report/tables/excluded-nodes.csv"
ok $? "excluded nodes are named"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $(at["outcome"]) == "node_failed" { lost = $(at["core_s"]) } END { exit lost != 19200 }' "$emulated/costs.csv"
ok $? "600 s of 32 cores that a node broke are in costs.csv"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $(at["status"]) == "ok" { n++; bad += $(at["ratio"]) != 1 || $(at["against_backend"]) != "sim" }
    END { exit !(n > 40 && bad == 0) }' "$emulated/comparison.csv"
ok $? "the simulation beside it was compared with, point by point"
grep -q '^simulated,study,.*,ok,' "$emulated/selection.csv"
ok $? "and is among the selectors"
cp "$emulated-sim/plan.csv" "$dir/plan.csv"
rm "$emulated-sim/plan.csv"
analyse fit
[ "$status" -eq 1 ] && [ ! -e "$emulated/comparison.csv" ]
ok $? "a simulation beside it that cannot be read is left out"
says "plan.csv': No such file or directory: left out" "$dir/err" "and the command says why"
says "no model could be fitted to" "$dir/err" "and that without it no model predicts"
run report -q --dataset "$emulated"
is 1 "$status" "the report of it fails, too"
says "no model could be fitted to" "$dir/err" "as no model predicts"
says "$emulated/report/index.html" "$dir/out" "when its page, which says why, is written"
cp "$dir/plan.csv" "$emulated-sim/plan.csv"
analyse fit --against none
[ "$status" -eq 1 ] && [ ! -e "$emulated/comparison.csv" ]
ok $? "--against none compares with nothing"
analyse fit --against "$dir/nowhere"
is 1 "$status" "a study that is not there cannot be compared with"
says "to compare with: '$dir/nowhere/manifest.json' does not exist" "$dir/err" "and the message says so"
analyse report --as-is --against none
is 2 "$status" "--as-is makes no comparison"
sed 's/^name = .*/name = here/; /^\[cluster\]/a emulated = yes' clusters/gros.ini > "$dir/here.ini"
run report -q -c "$dir/here.ini" -s tests/cli/small.ini --results "$dir/results"
is 1 "$status" "what Slurm shall measure is not submitted by a report"
says "nothing was measured yet (run \`collsel measure --cluster $dir/here.ini" "$dir/err" "which says who does that"

# Colour never stands alone: of the curves that a legend names no two differ in it only. (Maps have letters in their cells.)
sed 's/^portable = .*/portable = */' tests/cli/small.ini > "$dir/all.ini"
run report -q -b walk -c gros -s "$dir/all.ini" --results "$dir/all"
is 0 "$status" "a study of all broadcasts"
is "" "$(python3 - "$at"/report/figures/*.gp "$dir"/all/gros/*/report/figures/*.gp << 'END'
import re, sys
def number(key, text, usual):
    found = re.search(key + r" ([\d.]+)", text)
    return found[1] if found else usual
for path in sys.argv[1:]:
    for line in open(path).read().replace("\\\n", " ").split("\n"):
        seen = {}
        for style, words, title in re.findall(r'with (\w+)((?:(?! with ).)*?) title "([^"]+)"', line):
            colour = re.search(r'lc rgb "([^"]*)"', words)
            look = (style, style != "lines" and number("pt", words, ""), style != "points" and number("dt", words, "1"),
                    float(number("lw", words, "1")) > 4) # a band
            if style != "boxxyerror" and colour and seen.setdefault(look, (colour[1], title))[0] != colour[1]:
                print(path.split("/")[-1] + ":", seen[look][1], "and", title)
END
)" "no two curves of a figure differ in their colour alone"

# The verdict: two collectives, of one every call of the default is tied, of the other one cell in a hundred takes 1.3 times as long.
awk -v OFS=, 'BEGIN {
    print "collective,algorithm,P,bytes,us"
    for (run = 1; run <= 5; run++) for (m = 1; m <= 100; m++) {
        print "bcast", "default", 8, m, 100.4 + run / 100; print "bcast", "chain", 8, m, 100 + run / 100
        print "reduce", "default", 8, m, (m == 50 ? 130 : 100) + run / 100; print "reduce", "chain", 8, m, 100 + run / 100
    }
}' >"$dir/tied.csv"
run import -q -c peak --name tied --results "$dir/sets" --format csv --mpi openmpi --mpi-version 4.1.4 --set mapping=core \
    --map collective=collective,algorithm=algorithm,procs=P,bytes=bytes,max_s=us:us "$dir/tied.csv"
run report -q --brief -c peak --dataset tied --results "$dir/sets"
says "reduction is less than 1.01 times slower than it could be, in the geometric mean over 100 cells, and 1.3 times at worst (8 processes, 50 B)" "$dir/out" "a verdict looks past a mean of ties"
says ", 8 processes, 1 B to 100 B" "$dir/out" "one number of processes is no range"
grep -v '^reduce,default.*,50,' "$dir/tied.csv" >"$dir/none.csv"
run import -q -c peak --name none --results "$dir/sets" --format csv --mpi openmpi --mpi-version 4.1.4 --set mapping=core \
    --map collective=collective,algorithm=algorithm,procs=P,bytes=bytes,max_s=us:us "$dir/none.csv"
run report -q --brief -c peak --dataset none --results "$dir/sets"
says "Nothing that was tried is certainly over 3 % faster than the library's default, in any of 199 cells" "$dir/out" "else it says what would have counted"
tap_done
