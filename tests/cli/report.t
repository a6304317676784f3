#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel report: makes what it lacks, keeps the report before when it fails, exit statuses.
. tests/cli/run.sh

[ -x "$build/null/measure" ] || make -s OUT="$build" "$build/null/measure" > /dev/null 2>&1
at=$dir/r/gros/tiny
tiny="-q -c gros -s tests/cli/tiny.ini --results $dir/r"

run report $tiny --as-is
is 1 "$status" "nothing was measured: --as-is fails with exit status 1"
says "points.csv' does not exist (run collsel fit)" "$dir/err" "... and says what is not there"

run report $tiny -b null
is 0 "$status" "a report of a study that was never measured"
[ "$status" -eq 0 ] || sed 's/^/# /' "$dir/err"
is "$at/report/index.html" "$(cat "$dir/out")" "prints the path of the page, and nothing else"
for id in summary winners selection selectors gamma parameters models heldout quality platform provenance; do
    grep -q "id=\"$id\"" "$at/report/index.html"
    ok $? "the page has section '$id'"
done
! grep -Eq '<(script|link|img|iframe)|src=|href="https?:|@import' "$at/report/index.html"
ok $? "the page loads nothing"
says "planted, not measured" "$at/report/index.html" "a planted study is called planted"
head -1 "$at"/report/tables/*.csv | grep -v '^==' | grep -v '^$' | grep -vq ',backend'
[ $? -ne 0 ]
ok $? "every table names the backend"
missing=0
for gp in "$at"/report/figures/*.gp; do
    for end in svg pdf csv; do [ -s "${gp%gp}$end" ] || missing=$((missing + 1)); done
done
is 0 "$missing" "every figure has SVG, PDF and data beside its script"
cp -r "$at/report/figures" "$dir/again" && rm -f "$dir"/again/*.svg "$dir"/again/*.pdf
(cd "$dir/again" && for gp in *.gp; do gnuplot "$gp" || exit 1; done) 2> "$dir/err"
ok $? "every script draws again by hand"
is "$(ls "$at/report/figures" | wc -l)" "$(ls "$dir/again" | wc -l)" "... all its files"

before=$(cat "$at"/samples/*.outcomes.csv | wc -l)
run report $tiny -b null
is "$before" "$(cat "$at"/samples/*.outcomes.csv | wc -l)" "a second time measures nothing"

cp "$at/report/index.html" "$dir/kept"
cp "$at/selection.csv" "$dir/selection.csv"
sed '3s/,[^,]*,/,/' "$dir/selection.csv" > "$at/selection.csv"
run report $tiny --as-is
is 1 "$status" "a malformed file gives exit status 1"
says "selection.csv:3: " "$dir/err" "... with file and line"
cmp -s "$dir/kept" "$at/report/index.html"
ok $? "... and the report before is untouched"
cp "$dir/selection.csv" "$at/selection.csv"
mkdir "$dir/bin"
for tool in sh ls cat; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
PATH=$dir/bin "$collsel" report $tiny --as-is > "$dir/out" 2> "$dir/err"
is 1 $? "without gnuplot: exit status 1"
says "'gnuplot' is not there (make setup installs it)" "$dir/err" "... and says how to get it"
cmp -s "$dir/kept" "$at/report/index.html"
ok $? "... and the report before is untouched"
is "" "$(ls -A "$at" | grep '^\.report')" "nothing half-written stays behind"

run report --no-such-option
is 2 "$status" "an unknown option gives exit status 2"
run report -c no_such_cluster
is 2 "$status" "so does an unknown cluster"
run report $tiny --as-is --assets "$dir/nowhere"
is 1 "$status" "assets that are not there give exit status 1"
tap_done
