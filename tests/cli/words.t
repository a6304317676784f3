#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What two places say of the same cells: page, tables, terminal and files, of a walked study; and that models which are the simulator's own
# arithmetic, or were fitted to the very cells, stand apart from those that are tested.
. tests/cli/run.sh
out=$dir/out
sed 's/^procs = 80 100 124/procs = 80 100 124/' clusters/studies/nuriyev.ini >"$dir/nuriyev.ini"
run report -q -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/results"
is 0 "$status" "a walked study has a page"
made=$dir/results/gros/nuriyev-walk 
page=$(pages "$made/report")
sed 's/<[^>]*>//g' "$page" >"$dir/page.txt"
run select -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/results"
is 0 "$status" "its selectors on the terminal"
cp "$out" "$dir/terminal"

cat >"$dir/apart.py" <<'END'
import csv, re, sys
made, terminal = sys.argv[1:3]
TEST = {'best', 'default', 'stage', 'textbook', 'links_free', 'random'}
rows = list(csv.DictReader(open(made + '/report/tables/selectors.csv')))
names = [r['selector'] for r in rows if r['purpose'] == 'study']
ranked = [n in TEST for n in names]
bad = [] if ranked == sorted(ranked, reverse=True) and 'links_step' in names and 'regression' in names else ['the table: ' + ' '.join(names)]
errors = [r['model'] for r in csv.DictReader(open(made + '/report/tables/prediction-error.csv')) if r['purpose'] == 'study']
ranked = [n in TEST for n in errors]
if ranked != sorted(ranked, reverse=True) or 'links_step' not in errors:
    bad.append('the errors: ' + ' '.join(errors))
said = {}
for line in open(terminal):
    m = re.match(r'bcast +walk +socket +(\w+)( \([a-z ]+\))? +study +(\d+) +\d+ +([0-9.]+) +[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9.]+) +(\d+)', line)
    if m:
        said[m[1]] = (m[2], int(m[3]), float(m[4]), float(m[5]), int(m[6]))
if said.get('links_step', [0])[0] != ' (simulator)' or said.get('regression', [0])[0] != ' (in sample)' or said.get('stage', [0])[0]:
    bad.append('the terminal: %s' % said)
for r in csv.DictReader(open(made + '/degradation.csv')):
    if r['purpose'] == 'study' and r['selector'] in said:
        s = said[r['selector']]
        if (s[1], s[4]) != (int(r['cells']), int(r['optimal_or_tied'])) or abs(s[2] - float(r['mean_pct'])) > .0051 or abs(s[3] - float(r['worst_pct'])) > .0051:
            bad.append('%s: file and terminal' % r['selector'])
print(bad or 'apart')
END
is apart "$(python3 "$dir/apart.py" "$made" "$dir/terminal")" "no model that is no test stands among those that are; file and terminal say the same"

# The default is the best, or tied, in as many cells as selection.csv says: in the sentence and in the table.
tied=$(python3 - "$made" <<'END'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1] + '/selection.csv')) if r['selector'] == 'default' and r['purpose'] == 'study' and r['status'] == 'ok']
table = [r for r in csv.DictReader(open(sys.argv[1] + '/report/tables/selectors.csv')) if r['selector'] == 'default' and r['purpose'] == 'study'][0]
n = sum(r['tied'] == '1' for r in rows)
print(n, len(rows), 'same' if abs(float(table['optimal_or_tied_pct']) - 100 * n / len(rows)) < .01 else table)
END
)
ok "$(grep -q "tied with it, in ${tied%% *} of 30 cells" "$dir/page.txt"; echo $?)" "the sentence counts ties as selection.csv does ($tied)"
is same "${tied##* }" "and as the table"

# A fit whose r2 is below 0.75 is called poor: in the file, on the terminals, in the table and in a sentence; and what chooses by it says so.
cat >"$dir/poor.py" <<'END'
import csv, sys
fits = list(csv.DictReader(open(sys.argv[1] + '/fit/hockney.csv')))
low = [r for r in fits if r['r2'] and float(r['r2']) < .75]
print(sum(r['status'] == 'poor_fit' for r in fits if r['collective']), sum(r['status'] == 'ok' for r in low), sum(r['status'] == 'poor_fit' and r not in low for r in fits))
END
poor=$(python3 "$dir/poor.py" "$made")
is "0 0" "${poor#* }" "no fit with an r2 below 0.75 is ok, and no other is poor ($poor)"
ok "$(test "${poor%% *}" -ge 4; echo $?)" "four of the walked fits are"
ok "$(grep -q "${poor%% *} of [0-9]* fits of α and β are poor" "$dir/page.txt"; echo $?)" "the page counts them"
is "${poor%% *}" "$(grep -c poor_fit "$made"/report/tables/table2*.csv)" "its table names them"
ok "$(grep -q '^poor fit: stage of bcast chose in 30 of 30 cells' "$dir/terminal"; echo $?)" "select says that the stage model chose by them"
ok "$(grep -q 'Poor fit: in 30 of 30 cells of the study grid the stage model chose' "$dir/page.txt"; echo $?)" "and so does the page"
run predict -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/results" bcast -p 100 -m 64K
sed '1,/^walked/d' "$out" >"$dir/predicted"
ok "$(grep -q '^stage .* poor_fit' "$dir/predicted"; echo $?)" "predict says it of the stage model's time"
is "stage textbook links_free" "$(grep -v '(in sample)\|(simulator)' "$dir/predicted" | cut -d' ' -f1 | xargs)" "predict marks who is no test"
is 0 "$(sed -n '/(simulator)\|(in sample)/,$p' "$dir/predicted" | grep -c '^stage\|^textbook\|^links_free')" "who comes last"
is "links_queue links_step links_step_hops" "$(grep '^[a-z].*(simulator)' "$dir/predicted" | cut -d' ' -f1 | sort | xargs)" "the simulator's arithmetic by its name"
run predict -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/results" bcast -p 100 -m 64K --json
is "links_step: the simulator's own arithmetic;regression: in sample;stage: ;" "$(python3 - "$out" <<'END'
import json, re, sys
text = json.dumps(json.load(open(sys.argv[1])))
for model, want in (('links_step', "the simulator's own arithmetic"), ('regression', 'in sample'), ('stage', '')):
    said = re.findall('"%s": {[^}]*"no_test": "([^"]*)"' % model, text)
    print('%s: %s;' % (model, ' '.join(sorted(set(said))) if said else 'not there'), end='')
END
)" "JSON says of both why they are no test"
# Tables and legends of links: the simulator's models are marked, and are no hit and no miss.
ok "$(cat "$made"/report/figures/*links-ratio*.gp | grep -q '(simulator)'; echo $?)" "the legend of a figure marks the simulator's models"
cat >"$dir/coloured.py" <<'END'
import re, sys
for t in re.findall(r'<table.*?</table>', open(sys.argv[1]).read(), re.S):
    for row in t.split('<tr')[1:]: # rows have no end tag
        if 'links, ' in row or '(simulator)' in row:
            print('marked' if '(simulator)' in row else 'plain', *sorted(set(re.findall(r'class="?[^">]*\b(best|bad)\b', row))))
END
python3 "$dir/coloured.py" "$page" >"$dir/coloured"
ok "$(grep -qx marked "$dir/coloured" && ! grep -q 'marked .' "$dir/coloured"; echo $?)" "and so do rows of tables, which are no hit and no miss"
is "" "$(python3 "$dir/coloured.py" "$page" | grep 'marked .')" "which are neither green nor red"

# The first table of a page has every mapping; what it says of one is what the cells below it and the file's head say.
sed '0,/^mappings = .*/s//mappings = core node/' clusters/studies/tune.ini >"$dir/both.ini"
mkdir "$dir/clusters"
cp -r clusters/presets clusters/studies "$dir/clusters/"
run new-cluster small --clusters "$dir/clusters" --nodes 3 --sockets 2 --cores 2 --threads 1 --link edr
run report -q --clusters "$dir/clusters" -c small -s "$dir/both.ini" -b walk --results "$dir/results"
is 0 "$status" "a study of two mappings has a page"
both=$dir/results/small/tune-walk/report
is set-all.md "$(grep -o 'tables/[a-z-]*\.md' "$(pages "$both")" | head -n 1 | sed 's/.*tables.//')" "its first table"
is "5 core;5 node;" "$(awk -F, 'NR > 1 { n[$2]++ } END { printf "%s core;%s node;", n["core"], n["node"] }' "$both/tables/set-all.csv")" "has five collectives by both"
for mapping in core node; do
    first=$(awk -F, -v m=$mapping '$2 == m { n += $3; all += $4 } END { print n " of " all }' "$both/tables/set-all.csv")
    is "$first" "$(awk -F, 'FNR > 1 { n++; s += $3 == "set" } END { print s + 0 " of " n }' "$both"/tables/set-cells-*-walk-$mapping.csv)" "ranks by $mapping: as the tables of cells: $first"
    ok "$(grep -q "In $first cells something of the library.s own gains more than" "$both/page.md"; echo $?)" "and the sentence below them"
    run export --clusters "$dir/clusters" -c small -s "$dir/both.ini" -b walk --results "$dir/results" --mapping $mapping --library openmpi-4.1 --output "$dir/$mapping.rules"
    ok "$(grep -q "^# in $first cells" "$dir/$mapping.rules"; echo $?)" "and the head of its file"
done

# An imported default that takes what the best takes, to the last digit, ties with it: the sentence on who wins says so.
for a in default bruck ring; do
    awk -v f="$(case $a in ring) echo 2 ;; *) echo 1 ;; esac)" 'BEGIN {
        print "# OSU MPI Allgather Latency Test v7.4\n# Size       Avg Latency(us)"
        for (m = 8; m <= 64; m *= 2) printf "%d %.2f\n", m, f * (10 + m / 8) }' >"$dir/$a.txt"
done
run import -q -c big --machine 4x2x4 --mpi openmpi --mpi-version 4.1.4 --results "$dir/results" --name ties --pattern '{algorithm}.txt' --set mapping=core,nodes=4,procs=32,collective=allgather "$dir/default.txt" "$dir/bruck.txt" "$dir/ring.txt"
run report -q --results "$dir/results" --dataset ties
is 0 "$status" "imported times have a page"
ok "$(sed 's/<[^>]*>//g' "$(pages "$dir/results/big/ties/report")" | grep -q "In 4 of them another algorithm is equally fast"; echo $?)" "a default that takes what the best takes, to the last digit, is counted among the ties"

# What a manifest of others says is text, on a page and on a terminal.
made=$dir/results/big/ties
python3 - "$made/manifest.json" <<'END'
import json, sys
m = json.load(open(sys.argv[1]))
m['mpi']['openmpi']['version'] = '4<b>"&\x1b[31m'
m['tool']['commit'] = '<b>'
m['cluster']['settings']['cluster']['title']['value'] = "t<b>'"
json.dump(m, open(sys.argv[1], 'w'))
END
run report -q --results "$dir/results" --dataset ties --brief
is "0 1" "$status $(grep -cF '4<b>"&?[31m' "$dir/out")" "a version with marks of HTML and an escape is said on the terminal, without the escape"
is "" "$(LC_ALL=C grep -l "$(printf '\033')\|<b>" "$dir/out" "$made"/report/*.html | grep -v /out)" "no page has a mark or an escape of it"
is 0 "$(LC_ALL=C grep -c "$(printf '\033')" "$dir/out")" "nor has the terminal an escape"
is "0 true" "$("$collsel" report -q --results "$dir/results" --dataset ties --json >"$dir/out"; echo "$? $(python3 -c 'import json,sys; print(str(type(json.load(open(sys.argv[1]))) is dict).lower())' "$dir/out")")" "JSON of it can be read"

# One of a thing: counts whose noun is a plural in the format itself would say "1 cells".
is "" "$(grep -nE '%zu ((more|other) )?(cells|points|rows|rules|files|launches|losses|comparisons|tests|intervals|events|tasks)([^a-z]|$)' harness/cmd/*.c harness/run/*.c \
    harness/run/*/*.c harness/import/*.c reports/*.c reports/sections/*.c | grep -v '^reports/table.c' | cut -c1-120)" "what commands and pages count is one where it is one (harness/base/number.h: COUNTED)"
tap_done
