#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel report as a person uses it: makes what it lacks, a page that loads nothing, drawings that can
# be drawn again; and a report that stays when the next one fails.
. tests/cli/run.sh
for tool in gnuplot pandoc; do
    command -v $tool > /dev/null || skip_all "$tool is not installed"
done

[ -x "$build/null/measure" ] || make -s OUT="$build" "$build/null/measure" > /dev/null 2>&1

cat > "$dir/study.ini" <<'END'
[study]
name = small
collectives = bcast
mappings = core
seed = 5
[grid]
procs = 8 16
bytes_from = 8K
bytes_to = 1M
bytes_count = 8
[candidates]
portable = basic_linear chain pipeline binary_tree binomial
segment_bytes = 8K
END
cat > "$dir/table.csv" <<'END'
algorithm,alpha_s,beta_s_per_byte
portable:basic_linear,30e-6,1.1e-9
portable:chain,42e-6,1.3e-9
portable:pipeline,18e-6,1.6e-9
portable:binary_tree,26e-6,1.2e-9
portable:binomial,24e-6,1.5e-9
portable:pingpong,20e-6,0.9e-9
END
export COLLSEL_NULL_TABLE="$dir/table.csv" COLLSEL_NULL_NOISE=0.02 COLLSEL_NULL_SEED=3
# report ARGUMENT...: the command for this study.
report() {
    run report -q -b null -c gros -s "$dir/study.ini" --results "$dir/results" "$@"
}
at=$dir/results/gros/small
page=$at/report/index.html

# ---- the command line
run report --cluster nowhere
is 2 "$status" "a cluster that there is not is wrong usage"
run report again
is 2 "$status" "so is an argument"
run report --no-such-option
is 2 "$status" "and an option that there is not"
report --as-is
is 1 "$status" "with --as-is and nothing measured there is no report"
says "points.csv' does not exist (run collsel fit)" "$dir/err" "and the message says what is not there"
[ ! -e "$at/report" ]
ok $? "nor a directory of one"

# ---- the chain
report
is 0 "$status" "a report is made of nothing but a cluster and a study"
is "$page" "$(cat "$dir/out")" "its path is all that is printed"
for file in points.csv fit/gamma.csv fit/hockney.csv predictions.csv selection.csv degradation.csv; do
    [ -s "$at/$file" ] || { echo "# missing: $file"; false; } || break
done
ok $? "what it lacked was made: points, fits, predictions, selections"
is "" "$(find "$at" -maxdepth 1 -name '*report?*')" "nothing half-made is left beside it"

# ---- the page
bad=0
for id in summary winners selection selectors gamma parameters models heldout quality platform provenance; do
    grep -q "id=\"$id\"" "$page" || { echo "# no section $id"; bad=1; }
done
ok $bad "the page has every section that applies"
says "planted, not measured" "$page" "a planted study is called planted"
! grep -oiE '(src|href|xlink:href|data|poster|srcset)=["'\''](https?:)?//[^"'\'']*' "$page"
ok $? "the page loads nothing from elsewhere"
! grep -niE '<script|<link|<iframe|@import|url\((["'\'']?)(https?:)?//' "$page"
ok $? "nor by scripts, style sheets or frames"
bad=0
grep -oE 'href="(figures|tables)/[^"]*"' "$page" | cut -d'"' -f2 | sort -u > "$dir/links"
while read -r link; do
    [ -s "$at/report/$link" ] || { echo "# dead link: $link"; bad=1; }
done < "$dir/links"
ok $bad "every file that it links to is there"
bad=0
grep -oE 'href="#[^"]*"' "$page" | cut -d'"' -f2 | sort -u > "$dir/anchors"
while read -r anchor; do
    grep -q "id=\"${anchor#\#}\"" "$page" || { echo "# dead anchor: $anchor"; bad=1; }
done < "$dir/anchors"
ok $bad "every place in itself that it points to is there"
grep -oE ' id="[^"]*"' "$page" | sort | uniq -d > "$dir/twice"
is "" "$(cat "$dir/twice")" "no id stands twice, though all drawings are inside"

# ---- figures and tables
bad=0
for gp in "$at"/report/figures/*.gp; do
    for ending in svg pdf csv; do
        [ -s "${gp%.gp}.$ending" ] || { echo "# missing: ${gp%.gp}.$ending"; bad=1; }
    done
done
ok $bad "every figure is there as SVG, PDF, script and data"
is "$(find "$at/report/figures" -name '*.svg' | wc -l)" "$(grep -o '<svg' "$page" | wc -l)" "and in the page, once"
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
if command -v pdflatex > /dev/null && kpsewhich booktabs.sty > /dev/null; then
    {
        printf '%s\n' '\documentclass{article}\usepackage[a1paper]{geometry}' \
            '\usepackage{booktabs,textcomp}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}' \
            '\begin{document}'
        for tex in "$at"/report/tables/*.tex; do printf '%s\n' "\input{${tex%.tex}}\clearpage"; done
        printf '%s\n' '\end{document}'
    } > "$dir/all.tex"
    (cd "$dir" && pdflatex -interaction=nonstopmode -halt-on-error all.tex > all.out)
    ok $? "LaTeX sets every table" && grep -A3 "^!" "$dir/all.out" | sed "s/^/# /"
else
    skip "no pdflatex with booktabs here" "LaTeX sets every table"
fi

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
grep -q '<h1>small</h1>' "$page"
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
before=$(cksum < "$page")
cp "$at/points.csv" "$dir/points.csv"
awk -F, -v OFS=, 'NR == 3 { for (i = 1; i <= NF; i++) if ($i == "time" || $i == "gather" || $i == "gamma" ||
    $i == "barrier" || $i == "pingpong") $(i + 1 + 7) = "many" } { print }' "$dir/points.csv" > "$at/points.csv"
report --as-is
is 1 "$status" "a field that is no number fails the report"
says "points.csv:3: " "$dir/err" "and the message has file and line"
is "$before" "$(cksum < "$page")" "the report of before is as it was"
cp "$dir/points.csv" "$at/points.csv"
mkdir "$dir/bin"
ln -s "$(command -v pandoc)" "$dir/bin/pandoc"
(
    PATH=$dir/bin
    "$collsel" report -q -b null -c gros -s "$dir/study.ini" --results "$dir/results" --as-is 2> "$dir/err" > "$dir/out"
)
status=$?
is 1 "$status" "without gnuplot there is no report"
says "'gnuplot' is not there (make setup installs it)" "$dir/err" "and the message says how to get it"
is "$before" "$(cksum < "$page")" "the report of before is as it was"
report --as-is --assets "$dir/nowhere"
is 1 "$status" "assets that are not there fail it too"
is "$before" "$(cksum < "$page")" "the report of before is as it was"
rm "$at/selection.csv" "$at/degradation.csv"
report --as-is
is 0 "$status" "a study without selections has a report"
says "selection.csv" "$page" "which says what it lacks"
tap_done
