#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Choices and predictions of a program that is not ours: judged like every selector, by what awk finds in points.csv, and only
# where the program was shown no time of the cell. Wrong files are refused.
. tests/cli/run.sh

cat >"$dir/small.ini" <<'END'
[study]
name = small
collectives = bcast
[grid]
procs = 4 8 12
bytes = 1K 40K
[candidates]
portable = binomial pipeline basic_linear
[fit]
gamma_procs = 2 3 12
gather_bytes = 1K 4K
fit_procs = 12
END

small() { # VERB OPTION...
    verb=$1
    shift
    run "$verb" --cluster grisou --study "$dir/small.ini" --backend walk --results "$dir/results" "$@"
}
small sweep -q
small fit -q
is 0 "$status" "a study is walked and fitted"
study=$dir/results/grisou/small-walk
points=$study/points.csv

# rows EXPRESSION: of each timed candidate of the study's cells its cell, itself and what awk makes of its time t; P: procs
rows() {
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["experiment"] == "time" && $c["purpose"] == "study" && $c["status"] == "ok" {
            t = $c["time_s"]; P = $c["procs"]; trained = 0; '"$1"'
            print $c["collective"], $c["mpi"], $c["mapping"], $c["nodes"], $c["ppn"], P, $c["root"], $c["bytes"],
                  $c["algorithm"], $c["segment_bytes"], $c["fanout"], t, trained }' "$points"
}
cell=collective,mpi,mapping,nodes,ppn,procs,root,bytes,algorithm,segment_bytes,fanout
{ echo "$cell,seconds,trained"; rows ''; } >"$dir/oracle.csv"
{ echo "$cell,seconds,trained"; rows 't = 1 / t; trained = P == 8'; } >"$dir/wrong-way.csv"
{ echo "$cell,trained"; rows '' | awk -F, '/binomial/ { NF = 11; print $0 ",0" }' OFS=,; } >"$dir/binomial.csv"

small select --predictions "$dir/oracle.csv" --predictions "$dir/wrong-way.csv" --choices "$dir/binomial.csv"
is 0 "$status" "predictions and choices are judged"
# what each should lose, in the mean of the cells that judge it
loss() { # SELECTOR
    awk -F, -v who="$1" 'NR > 1 && $1 != "" { print }' "$dir/oracle.csv" | awk -F, -v who="$1" '
        { k = $6 "," $8; if (!(k in best) || $12 < best[k]) best[k] = $12; if (!(k in most) || $12 > most[k]) most[k] = $12
          if ($9 ~ /binomial/) binomial[k] = $12; P[k] = $6 }
        END { for (k in best) { if (who == "wrong-way" && P[k] == 8) continue
                  c = who == "oracle" ? best[k] : who == "binomial" ? binomial[k] : most[k]
                  sum += 100 * (c - best[k]) / best[k]; n++ }
              printf "%d %.2f\n", n, sum / n }'
}
said() { awk -v who="$1" '$4 == who && $5 == "study" { print $6, $8 }' "$dir/out"; }
is "6 0.00" "$(said oracle)" "who knows all times loses nothing"
is "$(loss wrong-way)" "$(said wrong-way)" "who prefers the slowest loses what awk finds, in the cells that it was not shown"
is "$(loss binomial)" "$(said binomial)" "and so does who always takes one"
is 2 "$(grep -c '^wrong-way,study,.*no_choice.*it was shown times of this cell' "$study/selection.csv")" "cells that it was shown are rows with that reason"
small report --as-is -q
is 0 "$status" "the page is made of that"
says "wrong-way" "$(pages "$study/report")" "and has it"

# refuse NAME STATUS TEXT: the file DIR/NAME.csv is refused
refuse() {
    small select --predictions "$dir/$1.csv"
    is "$2" "$status" "$1: status $2"
    says "$3" "$dir/err" "and says so"
}
cp "$dir/oracle.csv" "$dir/default.csv"
refuse default 2 "rename it: a selector of collsel has the name 'default'"
cp "$dir/oracle.csv" "$dir/a b.csv"
refuse "a b" 2 "a b.csv: rename it"
sed '2{p}' "$dir/oracle.csv" >"$dir/twice.csv"
refuse twice 1 "twice.csv:3: line 2 has a prediction for this candidate already"
sed '2s/,0$/,1/' "$dir/oracle.csv" >"$dir/differs.csv"
refuse differs 1 "trained differs from line"
sed '3s/,[^,]*,0$/,0,0/' "$dir/oracle.csv" >"$dir/zero.csv"
refuse zero 1 "zero.csv:3: seconds: want a number above 0"
sed 's/,trained$//; s/,0$//' "$dir/oracle.csv" >"$dir/undeclared.csv"
refuse undeclared 1 "trained"
sed 's/^bcast/reduce/' "$dir/oracle.csv" >"$dir/elsewhere.csv"
refuse elsewhere 1 "none of its 18 rows is of a cell of this study"
head -n 1 "$dir/oracle.csv" >"$dir/empty.csv"
refuse empty 1 "it has no row"
small select --choices "$dir/oracle.csv"
says "has a choice for this cell already" "$dir/err" "several choices of a cell are refused"
small select --predictions "$dir/oracle.csv" --holdout beyond-procs=8
is 2 "$status" "beside --holdout: the column trained says that"

if command -v python3 >/dev/null; then
    awk '/^```$/ { on = 0 } on { print } /^```python$/ { on = 1 }' docs/extending.md >"$dir/neighbour.py"
    python3 "$dir/neighbour.py" "$points" >"$dir/neighbour.csv"
    small select --predictions "$dir/neighbour.csv"
    is "0 6" "$status $(said neighbour | cut -d ' ' -f 1)" "the example of docs/extending.md is judged in all cells"
else
    skip "no python3 here" "the example of docs/extending.md"
fi
if command -v Rscript >/dev/null; then
    Rscript docs/neighbour.R "$points" >"$dir/neighbour-r.csv"
    is 0 $? "the example in R ends well"
    [ ! -s "$dir/neighbour.csv" ] || is "$(tr -d '\r' <"$dir/neighbour.csv" | sort)" "$(sort "$dir/neighbour-r.csv")" "it predicts what the one in Python predicts"
    small select --predictions "$dir/neighbour-r.csv"
    is "0 6" "$status $(said neighbour-r | cut -d ' ' -f 1)" "and is judged in all cells"
else
    skip "no Rscript here" "the example in R, docs/neighbour.R"
fi
tap_done
