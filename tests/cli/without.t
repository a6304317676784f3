#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What is optional may be absent: the build says what lacks and what that takes away; a page comes without gnuplot and pandoc.
. tests/tap.sh

# ---- what the build finds ----

here=$(ci/libraries)
has "NEEDED :=
" "$here
" "this machine has what is needed"
has "-lgsl -lgslcblas -lcsv -linih -ljansson" "$here" "of libraries that are needed the names are known"
less=$(WITHOUT="xgboost svm pandoc" ci/libraries)
has "LACKING := XGBoost (nothing learns by boosting or hybrid), libsvm (nothing learns by svm)" "$less" "what is left out is said, and what one loses"
has "pandoc (pages are plain)" "$less" "programs, too"
is "" "$(echo "$less" | grep -e '-DHAVE_XGBOOST' -e -lsvm)" "and nothing is built with it"
none=$(CPPFLAGS=-nostdinc ci/libraries)
has "NEEDED := GSL, libcsv, inih, jansson: needed and not found; make setup, or: apt-get install libgsl-dev libcsv-dev libinih-dev libjansson-dev | dnf install gsl-devel" \
    "$none" "where nothing is, one line names the packages"
make -s OUT="$dir/o" CPPFLAGS=-nostdinc tool >"$dir/out" 2>&1
is 2 $? "make fails"
is "make: GSL, libcsv, inih, jansson: needed and not found" "$(sed -n '1s/; make setup.*//p' "$dir/out")" "with that line first"
is 0 "$(grep -c 'error: ' "$dir/out")" "before any compiler's error"

is "" "$(readelf -d "$collsel" | grep NEEDED | grep -F "$(echo "$here" | sed -n 's/^LATE := *//p' | grep -o 'lib[a-z]*\.so[.0-9]*' || echo none)")" \
    "and no command waits for what only training loads"

# ---- a page ----

cat >"$dir/s.ini" <<'INI'
[study]
name = s
collectives = bcast
mpi = openmpi
[grid]
procs = 4 8
bytes_from = 1K
bytes_to = 64K
bytes_count = 3
[candidates]
portable = binomial chain
openmpi = binomial
[fit]
experiments = no
INI
PATH=$dir "$collsel" report --cluster gros --study "$dir/s.ini" --backend walk --results "$dir/results" >"$dir/out" 2>"$dir/err"
is 0 $? "a report without any other program"
page=$(cat "$dir/out")
has "no figures: gnuplot is not here" "$(cat "$dir/err")" "says that it has no figures"
has "the page's text is plain: pandoc is not here" "$(cat "$dir/err")" "and that its text is plain"
[ -s "$page" ]
ok $? "the page is there"
has "made without gnuplot, so no figure is drawn, and without pandoc, so the text is plain" "$(cat "$page")" "and says so, too"
cat "${page%/*}"/*.html >"$dir/all.html"
all=$dir/all.html
has "Not drawn, as gnuplot was not there: " "$(cat "$all")" "also where a figure would be"
has '<section id=' "$(cat "$all")" "sections have their names"
has '<table' "$(cat "$all")" "tables are in it"
is "" "$(grep -o 'href="figures/[^"]*"' "$all" | sed 's/href="//; s/"//' | while read -r f; do [ -e "${page%/*}/$f" ] || echo "$f"; done)" "every figure's file that it names is there"
is "" "$(grep '@slot-' "$all")" "no mark is left"
tap_done
