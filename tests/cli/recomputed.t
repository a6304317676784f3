#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# Every number that a reader is told is computed again, from points.csv alone, by recompute.awk, which shares no code
# with the program: best, losses, gains, ties, the cells with rules; in tables, figures, JSON, heads of files, sentences.
. tests/cli/run.sh
data=${COLLSEL_DATA:-../shared/data}
[ -d "$data" ] || data=../../shared/data
results=$dir/results

# recompute WHERE KINDS NAME FILE...: nothing differs, and something of each kind was compared.
recompute() {
    where=$1 kinds=$2 name=$3
    shift 3
    # shellcheck disable=SC2048,SC2086 # patterns, expanded there
    (cd "$where" && awk -v tie=2.5 -f "$here/tests/cli/recompute.awk" points.csv selection.csv degradation.csv $*) >"$dir/said" 2>"$dir/err"
    is 0 "$(sed -n 's/^differences //p' "$dir/said")" "$name: $(awk '/^compared/ { n += $3 } END { print n + 0 }' "$dir/said") numbers are what they are recomputed to be"
    grep -v '^compared\|^differences 0' "$dir/said" | head -n 8 | sed 's/^/# /'
    sed 's/^/# /' "$dir/err" | head -n 8
    for kind in $kinds; do
        grep -q "^compared $kind [1-9]" "$dir/said"
        ok $? "$name: some of $kind are among them"
    done
}
here=$PWD

# ---- a walk of gros: one collective, cells held out ----
walk() { verb=$1; shift; run "$verb" -q -c gros --backend walk --results "$results" "$@"; }
walk report
is 0 $status "gros is walked and reported"
walk export --library openmpi-4.1 --output "$dir/walk.conf"
is 0 $status "rules are exported"
for cell in '80 8K' '100 64K' '124 4M'; do
    # shellcheck disable=SC2086 # two words
    walk explain --json gros bcast $cell
    cp "$dir/out" "$dir/${cell% *}.json"
done
of="selection degradation best default-loss table3 set-cells"
recompute "$results/gros/bcast-walk" "$of rules page explain" "a walk" report/figures/best.csv report/figures/default-loss.csv \
    "report/tables/table3*.csv" report/tables/set-cells.csv "$dir/walk.conf" "report/*.html" "$dir/*.json"

# The judge itself: a loss, a best time or a count that is wrong is found.
spoilt() { # spoilt FILE PROGRAM NAME
    cp -r "$results/gros/bcast-walk" "$dir/spoilt"
    awk -F, -v OFS=, "$2" "$results/gros/bcast-walk/$1" >"$dir/spoilt/$1"
    (cd "$dir/spoilt" && awk -v tie=2.5 -f "$here/tests/cli/recompute.awk" points.csv selection.csv degradation.csv report/figures/default-loss.csv) >"$dir/said"
    [ "$(tail -n 1 "$dir/said")" != "differences 0" ]
    ok $? "$3 is found"
    rm -r "$dir/spoilt"
}
spoilt selection.csv 'NR == 9 { $20 += 0.01 } { print }' "a loss that is 0.01 % too large"
spoilt degradation.csv 'NR == 6 { $12 += 1 } { print }' "a worst loss that is 1 % too large"
spoilt report/figures/default-loss.csv 'NR == 7 { $7 += 0.01 } { print }' "a drawn loss that is 0.01 % too large"
spoilt points.csv '$6 == "study" && !done { $21 *= 0.5; done = 1 } { print }' "a time that was halved afterwards"

# ---- measured here: what launches do not tell from none counts as none, on the page, in the files and on the terminal ----
here_study() { # here_study REPEATS
    printf '%s\n' '[study]' "name = here$1" 'collectives = bcast' 'mpi = openmpi' '[grid]' 'procs = 2' 'bytes = 8 1K 8K 64K' '[candidates]' \
        'portable = binomial chain' 'openmpi = binomial pipeline' 'segment_bytes = 8K' 'default = yes' '[fit]' 'experiments = no' \
        '[measure]' 'max_reps = 20' "repeats = $1" "repeats_max = $1" 'sentinel_every = 0' 'budget = 0.2s' >"$dir/here$1.ini"
    run sweep -q -c local -s "$dir/here$1.ini" --results "$results"
    is 0 $status "$1 launches are measured here"
    run report -q -c local -s "$dir/here$1.ini" --results "$results"
    is 0 $status "and reported"
    run select -q -c local -s "$dir/here$1.ini" --results "$results"
    cp "$dir/out" "$dir/terminal"
}
if command -v mpirun.openmpi >/dev/null; then
    here_study 3
    grep -q ',local$' "$results/local/here3/selection.csv"
    ok $? "by launches of our own"
    recompute "$results/local/here3" "selection degradation best default-loss page" "three launches here" report/figures/best.csv \
        report/figures/default-loss.csv "report/*.html"
    column() { awk -F, -v c="$2" '/^#/ { next } !n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next } { sum += $at[c] } END { print sum + 0 }' "$results/local/$1/degradation.csv"; }
    untold=$(column here3 untold)
    [ "$untold" -gt 0 ]
    ok $? "some losses are told by no launch ($untold)"
    says "$untold losses that the launches do not tell from none count as none" "$dir/terminal" "the terminal counts the same ones"
    for f in selection degradation; do # a file that counts them in full is found out
        cp -r "$results/local/here3" "$dir/spoilt"
        awk -F, -v OFS=, 'NR == 1 || /^#/ { for (i = 1; i <= NF; i++) at[$i] = i } at["untold"] && $at["untold"] > 0 { $at["mean_pct"] += 1 }
            at["degradation_pct"] && $at["counted_pct"] == 0 { $at["counted_pct"] = $at["degradation_pct"] } { print }' "$results/local/here3/$f.csv" >"$dir/spoilt/$f.csv"
        (cd "$dir/spoilt" && awk -v tie=2.5 -f "$here/tests/cli/recompute.awk" points.csv selection.csv degradation.csv) >"$dir/said"
        [ "$(tail -n 1 "$dir/said")" != "differences 0" ]
        ok $? "$f.csv: untold losses that count in full are found"
        rm -r "$dir/spoilt"
    done
    here_study 1
    recompute "$results/local/here1" "selection degradation" "one launch here"
    says "$(column here1 one_launch) losses are not known, as one launch alone says them" "$dir/terminal" "what one launch says is not known"
    is 0 "$(awk -F, '!n && !/^#/ { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next } $1 == "default" { print $at["cells"] - $at["optimal_or_tied"] }' "$results/local/here1/degradation.csv")" \
        "and counts for nothing else"
    if command -v mpirun.mpich >/dev/null; then # whose points come first
        sed 's/^mpi = .*/mpi = openmpi mpich/; s/^name = .*/name = two/' "$dir/here1.ini" >"$dir/two.ini"
        run sweep -q -c local -s "$dir/two.ini" --results "$results"
        run fit -q -c local -s "$dir/two.ini" --results "$results"
        run recommend -c local -s "$dir/two.ini" --results "$results" --collective bcast -p 2 -m 8K
        says "bcast openmpi core P = 2" "$dir/out" "without --mpi the library is the one that the study names first"
    else
        skip "no mpirun.mpich here" "two libraries"
    fi
else
    skip "no mpirun.openmpi here" "launches of our own"
fi

# ---- what others measured ----
published() { # published NAME LIBRARY CLUSTER: fitted, reported, exported
    run report -q -c "$3" --dataset "$1" --results "$results"
    is 0 $status "$1 is reported"
    run export -q -c "$3" --dataset "$1" --results "$results" --library "$2" --output "$dir/$1.conf"
    is 0 $status "and its rules are exported"
    recompute "$results/$3/$1" "$of speedup rules" "$1" "report/figures/best-*.csv" "report/figures/default-loss-*.csv" \
        "report/tables/table3*.csv" "report/tables/set-cells*.csv" report/tables/speedup.csv "$dir/$1.conf"
}
if [ -d "$data/ornl-peak" ]; then
    ln -s "$(readlink -f "$data/ornl-peak/first")" "$dir/first"
    run import -q -c peak --name ornl --mpi openmpi --mpi-version 5.1.0 --set mapping=core --results "$results" \
        --pattern '{collective}/{algorithm}_{procs}ranks_run{run}.out' "$dir/first/"
    is 0 $status "published runs of Open MPI's algorithms"
    published ornl openmpi-5 peak
    is "yes 0" "$(sed -n 's/^.*tied with it, in \([0-9]*\) of \([0-9]*\) cells\. More than .* are lost in \([0-9]*\)[:.].* In \([0-9]*\) of these .*/\1 \2 \3 \4/p' \
        "$results/peak/ornl/report/page.md" | awk '{ wrong += $1 + $3 - $4 > $2 } END { print NR ? "yes" : "no", wrong + 0 }')" \
        "a cell is not both lost and tied: of those that lose more than 10 % the page says how many are not told from the best"
else
    skip "no $data/ornl-peak here" "published runs of Open MPI's algorithms"
fi
tap_done
