#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel select --profile: the calls of an application, each at the time of what a selector chose in the nearest cell.
. tests/cli/run.sh
results=$dir/results
on() { verb=$1; shift; run "$verb" -q -c star-a -s star -b walk --results "$results" "$@"; }

kind='"op": "", "root": "", "procs": 16, "bytes_of_all_ranks": true'
printf '%s\n' '{"format": "collsel profile 1", "mpi": "openmpi", "mode": "trace", "procs": 16, "lost_calls": 0, "rows": [' \
    "{\"collective\": \"alltoall\", $kind, \"bytes\": 20000, \"calls\": 100, \"time_s\": 3}," \
    "{\"collective\": \"allgather\", $kind, \"bytes\": 65536, \"calls\": 10, \"time_s\": 0.5}," \
    "{\"collective\": \"alltoall\", $kind, \"bytes\": 8, \"calls\": 1000, \"time_s\": 0.25}," \
    "{\"collective\": \"scan\", $kind, \"bytes\": 65536, \"calls\": 10, \"time_s\": 0.25}" ']}' >"$dir/app.json"

on sweep && on fit
is 0 "$status" "a study is walked"
on select --profile "$dir/app.json"
is "0 " "$status $(cat "$dir/err")" "a profile is summed up"
file=$results/star-a/star-walk/application.csv
# of SELECTOR NAME: of application.csv
of() { awk -F, -v s="$1" -v name="$2" '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["selector"] == s { print $at[name] }' "$file"; }
# chosen SELECTOR COLLECTIVE BYTES: seconds, of selection.csv
chosen() {
    awk -F, -v s="$1" -v c="$2" -v m="$3" '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["selector"] == s && $at["collective"] == c && $at["bytes"] == m { print $at["chosen_s"] }' "$results/star-a/star-walk/selection.csv"
}
for selector in best default; do
    is "2 4 110 87.5" "$(for name in kinds kinds_of calls time_pct; do of $selector $name; done | xargs)" \
        "$selector: two of four kinds have a cell, sizes at most twice or half"
    holds "$(of $selector seconds) > 0 && ($(of $selector seconds) - 100 * $(chosen $selector alltoall 16384) - 10 * $(chosen $selector allgather 65536)) ^ 2 < 1e-12" \
        "... each call with the time of the nearest cell's choice"
done
is 0 "$(of best loss_pct)" "the best loses nothing"
holds "$(of default loss_pct) > 0" "the default something"
is "in sample" "$(of best_single no_test)" "what was fitted to these very cells is no test"
is " " "$(of best no_test) $(of default no_test)" "the default is one"
awk -F, '!n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["no_test"] != "" { last = 1; next } last { exit 1 }' "$file"
ok $? "what is none comes last"
is "$(grep -c 'in sample' "$file")" "$(grep -c '[0-9]  no test: in sample$' "$dir/out")" "the table of the command says so"
on report
says "best_single, no test: in sample" "$(pages "$results/star-a/star-walk/report")" "the page, too"
says 'id="application"' "$(pages "$results/star-a/star-walk/report")" "the page has the table"

sed 's/"procs": 16, "bytes_/"procs": 7, "bytes_/' "$dir/app.json" >"$dir/seven.json"
on select --profile "$dir/seven.json"
is 1 "$status" "a profile without any cell is an error"
says "none of its 4 kinds of calls has a cell" "$dir/err" "... that says so"
echo '{"rows": []}' >"$dir/none.json"
on select --profile "$dir/none.json"
says "no profile that collsel run --report wrote" "$dir/err" "something else is no profile"
is "" "$(cat "$dir/out")" "which is said before anything is chosen and printed"
# refuses SED LINE WORDS: the profile with this change is refused, by its line.
refuses() {
    sed "$1" "$dir/app.json" >"$dir/odd.json"
    on select --profile "$dir/odd.json"
    is 1 "$status" "refused: $1"
    says "odd.json:$2: $3" "$dir/err" "... with its line"
}
refuses '2s/"procs": 16/"procs": 1e300/' 2 "rows/0/procs: no whole number from 1 to"
refuses '3s/"bytes": 65536/"bytes": -1/' 3 "rows/1/bytes: no whole number from 0 to"
refuses '3s/"calls": 10/"calls": 1e300/' 3 "rows/1/calls: no number from 0"
refuses '3s/"calls": 10/"calls": "10"/' 3 "rows/1/calls: no number from 0"
refuses '4s/"time_s": 0.25/"time_s": null/' 4 "rows/2/time_s: no number from 0"
refuses '4s/, "time_s": 0.25//' 4 "rows/2/time_s: no number from 0"
refuses '1s/"rows"/"lines"/' 1 "rows: no list of kinds of calls"
refuses '1s/profile 1/profile 2/' 1 "no profile that collsel run --report wrote (want format collsel profile 1)"

on select --profile "$dir/app.json" --json
is "$(awk 'END { print NR - 1 }' "$file") True" \
    "$(python3 -c 'import json; o = json.load(open("'"$dir/out"'")); print(len(o["application"]), len(o["degradation"]) > 5)')" \
    "--json has its rows beside the others"
on select --profile "$dir/app.json" --holdout nodes
is 2 "$status" "beside --holdout it is refused"
tap_done
