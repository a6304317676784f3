#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# What commands print as a table they print as JSON, too, and it says the same as the files.
. tests/cli/run.sh
results=$dir/results
mini="-c mini -s bcast -b walk --results $results"

# json EXPRESSION: of what was printed, as o; rows(FILE) are a CSV file's, with empty fields None and numbers as numbers.
json() {
    python3 - "$dir/out" "$1" <<'END'
import csv, json, sys
o = json.load(open(sys.argv[1]))
def value(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None
def rows(path):
    return [{k: value(v) for k, v in r.items()} for r in csv.DictReader(l for l in open(path) if l[0] != '#')]
def alike(a, b):
    return len(a) == len(b) and all(r.keys() <= s.keys() and all(r[k] == s[k] or abs(r[k] - s[k]) <= 1e-6 * abs(s[k]) for k in r) for r, s in zip(a, b))
print(eval(sys.argv[2]))
END
}

# shellcheck disable=SC2086
{
    run plan $mini -n --json
    is 0 $status "plan --json"
    is "130 2 True" "$(json "o['points'], len(o['launches']), sum(l['points'] for l in o['launches']) == o['points']" | tr -d '(),')" "has the launches, and their points"
    run plan $mini -n --json --show
    is 2 $status "and nothing else beside"
    run sweep -q $mini --json
    is "0 True" "$status $(json "(o['points'], o['finished'], o['failed']) == (130, 130, 0) and o['results'] == '$results/mini/bcast-walk'")" "sweep --json says what is there"
    run fit -q $mini --json
    is 0 $status "fit --json"
    is "126 4" "$(json "o['points']['ok'], o['points']['substituted']" | tr -d '(),')" "has the points by status"
    is "True" "$(json "alike(o['errors'], rows('$results/mini/bcast-walk/errors.csv'))")" "and the rows of errors.csv"
    run select -q $mini --json
    is 0 $status "select --json"
    is "True" "$(json "len(o['degradation']) > 5 and alike(o['degradation'], rows('$results/mini/bcast-walk/degradation.csv'))")" "has the rows of degradation.csv"
    run select -q $mini --json --holdout alternate-sizes
    is "0 True" "$status $(json "alike(o['heldout'], rows('$results/mini/bcast-walk/holdout/alternate-sizes/heldout.csv'))")" "of cells held out, too"
    run audit -q $mini --json
    is "0 True" "$status $(json "alike(o, rows('$results/mini/bcast-walk/audit.csv'))")" "audit --json has the rows of audit.csv"
    run status $mini --json
    is "0 130" "$status $(json "o['points']")" "status --json"
    run predict bcast binomial -p 4 -m 32K $mini --json
    is 0 $status "predict --json"
    is "1 True" "$(json "sum(k['asked'] for k in o['candidates']), all('links_step' in k['models'] for k in o['candidates'])" | tr -d '(),')" "has every candidate, what was asked for marked, and each model"
    run recommend $mini --collective bcast -p 4 -m 32K --json
    is "0 4" "$status $(json "o[0]['procs']")" "recommend --json"
    run explain $mini --collective bcast -p 4 -m 32K --json
    is "0 4" "$status $(json "o['cell']['procs']")" "explain --json"
    run train -q $mini --output "$dir/model.json" --learner nearest --json
    is "0 bcast True" "$status $(json "o['learnt'][0]['collective']" ) $(json "o['file'] == '$dir/model.json'")" "train --json"
    run tune -q $mini --json openmpi-4.1
    is "0 True" "$status $(json "o['files']['openmpi-4.1']['file'] == '$results/mini-bcast-openmpi-4.1.rules' and 'verified' not in o['files']['openmpi-4.1']")" "tune --json has the files, and nothing else beside"
    run stale $mini --json
    is "0 False" "$status $(json "o['stale']")" "stale --json"
}
run papers -q --results "$results" --json
is "0 True" "$status $(json "len(o) > 20 and all(c['status'] in ('reproduced', 'differs', 'not made', 'not applicable', 'setting') for c in o)")" "papers --json has every claim"
run collect -c mini -s bcast -b walk --results "$results" --json
is "0 130" "$status $(json "o['points']")" "collect --json is that of status"
printf 'collective,algorithm,procs,bytes,seconds\nbcast,binomial,4,8,1e-6\nbcast,chain,4,8,0\nbcast,chain,4,8,2e-6\n' >"$dir/others.csv"
others="$dir/others.csv -q --format csv --results $results --name others --map collective=collective,bytes=bytes,max_s=seconds:s,algorithm=algorithm,procs=procs"
# shellcheck disable=SC2086
run import $others --set nodes=4,mapping=core --mpi openmpi --mpi-version 4.1.4 -c gros --json
is "0 " "$status $(cat "$dir/err")" "import --json"
is "3 2 1 2 True 3 1" "$(json "o['rows'], o['taken'], o['set_aside'], o['points'], o['written'], o['aside'][0]['first']['line'], o['sources'][0]['set_aside']" | tr -d '(),')" \
    "has what became of the rows, by source and by reason"
run doctor --json --build "$dir" # where no library is started
is "$("$collsel" doctor --build "$dir" | awk '{ print $2 }' | grep -v backend | xargs)" "$(json "' '.join(r['what'].split()[0] for r in o if 'backend' not in r['what'])")" "doctor --json has a row for each line"
run schedule --list --json
is "0 True" "$status $(json "len(o) == $("$collsel" schedule --list | wc -l)")" "schedule --list --json has as many rows as the list"
run schedule bcast binomial -p 4 -m 8 --prove --json
is 2 $status "and is of the list alone"
# What prints a table has the option; the others print what other programs do.
is "task" "$("$collsel" help all | sed -n 's/^  \([a-z-]*\( [a-z]\{1,\}\)\{0,1\}\)  .*/\1/p' | while read -r verb; do
    # shellcheck disable=SC2086 # a verb and a word
    "$collsel" $verb --help | grep -q -e '--json' || echo "$verb"; done | sort | paste -sd,)" "every other command has --json"
mkdir -p "$dir/clusters"
cp -r clusters/presets clusters/studies "$dir/clusters/"
run new-cluster two --clusters "$dir/clusters" --nodes 2 --sockets 1 --cores 2 --threads 1 --link edr --json
is "0 True 2" "$status $(json "o['output'] == '$dir/clusters/two.ini'") $(json "o['keys']['nodes']['value']")" "cluster new --json has file and keys"
run export -q --results "$results" -c mini -s bcast -b walk --library openmpi-4.1 --json
is 2 $status "rules write --json wants a file for the rules"
run export -q --results "$results" -c mini -s bcast -b walk --library openmpi-4.1 --output "$dir/x.rules" --json
is "0 True" "$status $(json "sum(o['verdicts'].values()) == o['cells'] and (o['output'] is None or o['rules'] > 0)")" "rules write --json has each verdict"
tap_done
