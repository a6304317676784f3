#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# Both marks planted at once, on a walk: models that are the walk's own arithmetic, and models fitted to the very cells. Wherever a number of theirs stands, in
# a table, a sentence, a figure or on the terminal, it says so, and stands behind what is a test.
. tests/cli/run.sh
cat >"$dir/s.ini" <<'END'
[study]
name = s
collectives = bcast
[grid]
procs = 4 8 16
bytes = 1K 4K 16K 64K 256K
[candidates]
portable = chain pipeline binary_tree binomial basic_linear
segment_bytes = 8K
sim_default = openmpi41
END
do_it() {
    verb=$1
    shift
    run "$verb" -b walk -c gros -s "$dir/s.ini" --results "$dir/r" "$@"
}
do_it sweep -q
do_it report -q
is 0 $status "a walk is reported"
cat >"$dir/marks.py" <<'END'
import glob, re, sys
SIMULATOR = {"links_step": "links, step by step", "links_step_hops": "links, steps and hops", "links_queue": "links as queues"}
FITTED = {"regression": "regression", "regression_ls": "regression, least squares", "regression_mm": "regression, MM"}
MARK = {name: " (simulator)" for name in SIMULATOR} | {name: " (in sample)" for name in FITTED}
LABEL = {label: MARK[name] for kind in (SIMULATOR, FITTED) for name, label in kind.items()}
TEST = ("stage", "textbook", "links_free")

def text(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", html)).replace("&nbsp;", " ").strip()

def terminal(path):
    """Lines that begin with a model: (lines of marked models, what is wrong)."""
    marked, wrong, apart = 0, [], False
    for line in open(path):
        name = next((w for w in re.split(r"[\s]+", line) if w in MARK or w in TEST), None)
        if not name or not re.search(r"\d", line):
            continue
        if name in TEST:
            wrong += ["behind what is no test: " + line] if apart else []
            continue
        marked, apart = marked + 1, True
        wrong += [] if MARK[name] in line else [line]
    return marked, wrong

def page(pattern):
    """Cells, legends and sentences of all pages."""
    marked, wrong = 0, []
    for path in sorted(glob.glob(pattern)):
        html = re.sub(r"<(script|style)\b.*?</\1>", "", open(path).read(), flags=re.S)
        cells = re.findall(r"<(td|th)\b[^>]*>(.*?)(?=<t[dhr]\b|</t|<tbody)", html, flags=re.S) # which have no end tag
        for kind, inner in cells + re.findall(r"<(p|li|text)\b[^>]*>(.*?)</\1>", html, flags=re.S):
            said = text(inner)
            for label, mark in LABEL.items():
                if kind in ("td", "th", "text") and (said == label or said.startswith(label + " (") or said.startswith(label + mark)):
                    marked += 1
                    wrong += [] if said.startswith(label + mark) else [path + ": " + said]
                elif kind in ("p", "li") and re.search(re.escape(label) + r" [0-9.]+ ?%", said):
                    marked += 1
                    wrong += [] if said.startswith("No test") else [path + ": " + said[:200]]
    return marked, wrong

marked, wrong = (terminal if sys.argv[1] == "terminal" else page)(sys.argv[2])
print(marked, len(wrong))
for w in wrong:
    print("  ", w.strip())
END
marks() { # marks KIND WHAT LEAST MESSAGE: so many places at least have a mark, and none lacks one
    python3 "$dir/marks.py" "$1" "$2" >"$dir/seen"
    head -n 1 "$dir/seen" | { read -r n wrong && [ "$n" -ge "$3" ] && [ "$wrong" = 0 ]; }
    ok $? "$4 ($(cat "$dir/seen"))"
}
do_it select
marks terminal "$dir/out" 4 "select"
do_it predict bcast -p 8 -m 16K
marks terminal "$dir/out" 6 "predict"
do_it explain bcast 8 16K
sed -n '/^Models/,/^$/p' "$dir/out" >"$dir/models"
marks terminal "$dir/models" 6 "explain"
do_it explain --json bcast 8 16K
is "6 3" "$(python3 -c "import json; m = json.load(open('$dir/out'))['models']; print(sum(x['no_test'] != '' for x in m), sum(x['no_test'] == '' for x in m))")" "explain as JSON"
marks page "$dir/r/gros/s-walk/report/*.html" 4 "pages: cells, legends, sentences"
tap_done
