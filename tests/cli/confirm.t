#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel plan --confirm: the few measurements that are worth most before safe decides; sweep --confirm makes them, and safe goes by them.
. tests/cli/run.sh

study() { # study NAME PROCS
    cat >"$dir/$1.ini" <<END
[study]
name = $1
collectives = bcast
[grid]
procs = $2
bytes_from = 1K
bytes_to = 1M
bytes_count = 6
[candidates]
portable = chain pipeline binary_tree binomial basic_linear
segment_bytes = 8K
sim_default = openmpi31
[fit]
experiments = no
END
}
study narrow "2 4 8 12 16"
study wide "2 4 8 12 16 24 32 48 64"
do_in() { # do_in RESULTS STUDY VERB ARGUMENT...
    results=$dir/$1 name=$2 verb=$3
    shift 3
    run "$verb" -b null -c gros -s "$dir/$name.ini" --results "$results" "$@"
}
# What the default and safe choose and lose in each cell: "procs bytes selector algorithm loss".
choices() { awk -F, '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    $1 == "safe" || $1 == "default" { print $at["procs"], $at["bytes"], $1, $at["algorithm"], $at["degradation_pct"] }' \
    "$1/holdout/beyond-procs-16/selection.csv"; }
loss() { awk -F, '!n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next } $1 == "safe" { print $at["geomean_pct"]; exit }' \
    "$1/holdout/beyond-procs-16/heldout.csv"; }
# Cells in which safe went over to something else than the default, and gained by it; back to the default, and gained; stayed with it
# though something was measured beside it.
moves() { awk -v want="$1" 'NR == FNR { f[$1, $2, $3] = $4; l[$1, $2, $3] = $5; next }
    FILENAME ~ /confirm/ { split($0, c, ","); if (c[5] == "null") listed[c[9], c[11]] = 1; next }
    $3 == "safe" { d = f[$1, $2, "default"]; was = f[$1, $2, "safe"]; better = $5 < l[$1, $2, "safe"]
        n["over"] += was == d && $4 != d && better; n["back"] += was != d && $4 == d && better
        n["stays"] += was == d && $4 == d && listed[$1, $2] } END { print n[want] + 0 }' "$dir/before" "$all/confirm.csv" "$dir/after"; }
# try NAME TABLE: what is planted by a table; narrow is measured and fitted, and the list made for wide.
try() {
    export COLLSEL_NULL_TABLE="$2"
    do_in "$1" narrow sweep -q && do_in "$1" narrow fit -q
    do_in "$1" wide plan --confirm=6 --with "$dir/$1/gros/narrow"
    is 0 $status "$1: a list of what is worth most"
    says "6 of 24 cells without a measurement to be confirmed, 12 points," "$dir/out" "with how many cells and points that are"
    awk '/is expected to lose there falls from/ { for (i = 1; i < NF; i++) if ($i == "from") exit !($(i + 3) + 0 < $(i + 1) + 0) }' "$dir/out"
    ok $? "and what is bought off by them"
    # all of wide, measured elsewhere: what safe loses without the list, and with it
    do_in "$1-all" wide sweep -q && do_in "$1-all" wide fit -q
    all=$dir/$1-all/gros/wide
    do_in "$1-all" wide select -q --holdout beyond-procs=16
    before=$(loss "$all")
    choices "$all" >"$dir/before"
    cp "$dir/$1/gros/wide/confirm.csv" "$all/confirm.csv"
    do_in "$1-all" wide select --holdout beyond-procs=16
    says "In 6 of these cells safe had measurements to decide by" "$dir/out" "safe has them in six of the cells held out"
    after=$(loss "$all")
    choices "$all" >"$dir/after"
}

# ---- what a linear broadcast costs grows up to 16 ranks, and no further ----
printf 'procs,gamma\n2,1\n3,1.1\n4,1.2\n8,2.2\n12,3.2\n16,4.2\n64,4.3\n' >"$dir/gamma.csv"
export COLLSEL_NULL_GAMMA="$dir/gamma.csv"
try flips tests/cli/planted.csv
unset COLLSEL_NULL_GAMMA
[ "$(moves over)" -gt 0 ]
ok $? "where safe stayed with a default that it knew nothing of, it takes what is faster ($(moves over) cells)"
awk -v a="$before" -v b="$after" 'BEGIN { exit !(b < a) }'
ok $? "and loses less: $after % where it lost $before"

# ---- it grows on ----
try keeps tests/cli/planted.csv
[ "$(moves back)" -gt 0 ]
ok $? "where safe overrode the default and was wrong it comes back ($(moves back) cells)"
[ "$(moves stays)" -gt 0 ]
ok $? "where the default was right it stays ($(moves stays) cells)"
awk -v a="$before" -v b="$after" 'BEGIN { exit !(b < a) }'
ok $? "and loses less: $after % where it lost $before"

# ---- the sweep ----
do_in keeps wide sweep --confirm
is 0 $status "the list is measured"
says "12 of 12 points finished (12 now" "$dir/out" "and nothing else"
do_in keeps wide sweep --confirm
says "12 of 12 points finished (0 now" "$dir/out" "once"
do_in keeps wide fit -q
is 0 $status "and fitted like any other study"
run recommend -b null -c gros -s "$dir/wide.ini" --results "$dir/keeps" --collective bcast -p 48 -m 4K --csv
says "portable:split_binary_tree" "$dir/out" "recommend goes by it"
says ",planted," "$dir/out" "as it does by all that was measured"
do_in keeps wide plan --confirm=6 --with "$dir/keeps/gros/narrow"
says " of 18 cells without a measurement to be confirmed" "$dir/out" "the next list has others"
do_in keeps wide sweep
says "points planned, 12 finished" "$dir/err" "the whole study goes on from there"

# ---- what cannot be ----
do_in nothing wide plan --confirm
is 2 $status "with nothing to learn from it is wrong usage"
says "nothing else is there to learn from" "$dir/err" "which is said"
do_in nothing wide sweep --confirm
is 1 $status "a sweep without a list"
says "confirm.csv: there is nothing to confirm" "$dir/err" "says so"
do_in nothing wide plan --with "$dir/keeps/gros/narrow"
is 2 $status "--with alone is wrong usage"
do_in keeps wide plan --confirm --core-time 0s
is 2 $status "so is no time"
do_in keeps wide plan --confirm=0
is 2 $status "and no cell"
do_in nothing wide plan --confirm=50 --core-time 1s --dry-run --with "$dir/keeps/gros/narrow"
is 0 $status "a price at most"
awk '/points, .* of core time/ { for (i = 1; i < NF; i++) if ($i == "points,") exit !($(i + 2) == "ms" || $(i + 1) <= 1) }' "$dir/out"
ok $? "is kept"
[ ! -e "$dir/nothing/gros/wide/confirm.csv" ]
ok $? "a dry run writes nothing"
tap_done
