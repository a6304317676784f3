#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What two places say of the same cells: page, tables, terminal and files, of a walked study; and that models which are the simulator's own
# arithmetic, or were fitted to the very cells, stand apart from those that are tested.
. tests/cli/run.sh
out=$dir/out
sed 's/^procs = 80 100 124/procs = 80 100 124/' clusters/studies/nuriyev.ini >"$dir/nuriyev.ini"
run report -q -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/results"
is 0 "$status" "a walked study has a page"
made=$dir/results/gros/nuriyev-walk page=$dir/results/gros/nuriyev-walk/report/index.html
sed 's/<[^>]*>//g' "$page" >"$dir/page.txt"
run select -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/results"
is 0 "$status" "its selectors on the terminal"
cp "$out" "$dir/terminal"

cat >"$dir/apart.py" <<'END'
import csv, re, sys
made, terminal = sys.argv[1:3]
TEST = {'best', 'default', 'default_study_segment', 'stage', 'textbook', 'links_free', 'random'}
rows = list(csv.DictReader(open(made + '/report/tables/selectors.csv')))
names = [r['selector'] for r in rows if r['purpose'] == 'study']
ranked = [n in TEST for n in names]
bad = [] if ranked == sorted(ranked, reverse=True) and 'loggp' in names and 'regression' in names else ['the table: ' + ' '.join(names)]
errors = [r['model'] for r in csv.DictReader(open(made + '/report/tables/prediction-error.csv')) if r['purpose'] == 'study']
ranked = [n in TEST for n in errors]
if ranked != sorted(ranked, reverse=True) or 'loggp' not in errors:
    bad.append('the errors: ' + ' '.join(errors))
said = {}
for line in open(terminal):
    m = re.match(r'bcast +walk +socket +(\w+)( \([a-z ]+\))? +study +(\d+) +\d+ +([0-9.]+) +[0-9.]+ +[0-9.]+ +[0-9.]+ +([0-9.]+) +(\d+)', line)
    if m:
        said[m[1]] = (m[2], int(m[3]), float(m[4]), float(m[5]), int(m[6]))
if said.get('loggp', [0])[0] != ' (simulator)' or said.get('regression', [0])[0] != ' (in sample)' or said.get('stage', [0])[0]:
    bad.append('the terminal: %s' % said)
for r in csv.DictReader(open(made + '/degradation.csv')):
    if r['purpose'] == 'study' and r['selector'] in said:
        s = said[r['selector']]
        if (s[1], s[4]) != (int(r['cells']), int(r['optimal_or_tied'])) or abs(s[2] - float(r['mean_pct'])) > .0051 or abs(s[3] - float(r['worst_pct'])) > .0051:
            bad.append('%s: file and terminal' % r['selector'])
print(bad or 'apart')
END
is apart "$(python3 "$dir/apart.py" "$made" "$dir/terminal")" "no model that is no test stands among those that are; file and terminal say the same"

other=$(grep -o 'Other models lose on average[^.]*[^–]*geometric mean: .*' "$dir/page.txt" | head -n 1)
is "" "$(printf '%s' "$other" | grep -o 'LogGP\|regression')" "the sentence on other models leaves out what is no test"
ok "$(grep -q "No test, the simulator.*s own arithmetic" "$dir/page.txt"; echo $?)" "which another sentence names"

# The default is the best, or tied, in as many cells as selection.csv says: in the sentence and in the table.
tied=$(python3 - "$made" <<'END'
import csv, sys
rows = [r for r in csv.DictReader(open(sys.argv[1] + '/selection.csv')) if r['selector'] == 'default' and r['purpose'] == 'study' and r['status'] == 'ok']
table = [r for r in csv.DictReader(open(sys.argv[1] + '/report/tables/selectors.csv')) if r['selector'] == 'default' and r['purpose'] == 'study'][0]
n = sum(r['tied'] == '1' for r in rows)
print(n, len(rows), 'same' if abs(float(table['optimal_or_tied_pct']) - 100 * n / len(rows)) < .01 else table)
END
)
ok "$(grep -q "not to be told from it, in ${tied%% *} of 30 cells" "$dir/page.txt"; echo $?)" "the sentence counts ties as selection.csv does ($tied)"
is same "${tied##* }" "and as the table"

tap_done
