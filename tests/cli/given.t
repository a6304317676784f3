#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154,SC2086
# What `collsel select --holdout` judges as `safe` is what a user is given: every cell that it holds out is asked both ways, by a
# model and by the measurements that it left, as advice, as a table of libcollsel and as rules, and choices are compared one by one. COLLSEL_LONG=1: all ways to hold out.
. tests/cli/run.sh
results=$dir/results at=$dir/results/peak

# Times in us that cross over, on one to four nodes, with a library's default that is nowhere the fastest; four more machines.
awk -v into="$dir/" 'BEGIN {
    for (k = 1; k <= 5; k++) {
        file = into "made" k ".csv"
        print "P,alg,bytes,us" >file
        srand(k)
        for (p = 8; p <= 128; p += 8)
            for (m = 1; m <= 1048576; m *= 16) {
                noise = 1 + (rand() - 0.5) / 20
                levels = log(p) / log(2)
                far = p > 42 ? 1 + k : 1
                printf "%d,chain,%d,%.6g\n", p, m, (p * far + m * 0.001) * noise / k >file
                printf "%d,binomial,%d,%.6g\n", p, m, levels * (2 + m * 0.001) / noise / k >file
                printf "%d,linear,%d,%.6g\n", p, m, (1 + p * (0.5 + m * 0.001)) * noise / k >file
                printf "%d,default,%d,%.6g\n", p, m, levels * (2 + m * 0.001) * (1.3 - levels / 20) / k >file
            }
    }
}'
for name in ray ren ri ri2; do printf '[cluster]\nname = %s\nnodes = 32\nsockets = 2\ncores = 21\n' $name >"$dir/$name.ini"; done
import() { # import CLUSTER NAME FILE
    run import -q -c "$1" --name "$2" --results "$results" --format csv --mpi openmpi --mpi-version 4.1.5 --set collective=bcast,mapping=core \
        --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$3" &&
        run fit -q -c "$1" --results "$results" --dataset "$2"
}
# pick COLUMNS FILE: of a CSV, with blanks between
pick() {
    awk -F, -v names="$1" 'BEGIN { want = split(names, name, " ") }
        !n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
        { line = ""; for (i = 1; i <= want; i++) line = line (i > 1 ? " " : "") ($at[name[i]] == "" ? "-" : $at[name[i]]); print line }' "$2"
}
# cells FILE: "P bytes algorithm" of what safe chose there
cells() { grep '^safe,' "$1" | cat "$dir/head" - >"$dir/safe.csv" && pick "procs bytes algorithm" "$dir/safe.csv" | sort; }
# looked_up TABLE: what a table of libcollsel has for the cells of $dir/cells
looked_up() {
    awk -F, 'NR == FNR { split($0, word, " "); n++; p[n] = word[1]; m[n] = word[2]; next }
        /^bcast,/ { rows++; from[rows] = $2; to[rows] = $3; low[rows] = $4; high[rows] = $5; take[rows] = $6 }
        END { for (i = 1; i <= n; i++) { got = "openmpi:default"
            for (k = rows; k; k--) if (from[k] <= p[i] && p[i] <= to[k] && low[k] <= m[i] && (high[k] == "" || m[i] <= high[k])) got = take[k]
            print p[i], m[i], got == "" ? "openmpi:default" : got } }' "$dir/cells" "$1" | sort
}
same() { # same FILE TEXT: as safe.txt
    if cmp -s "$dir/safe.txt" "$1"; then ok 0 "$2"; else ok 1 "$2: $(diff "$dir/safe.txt" "$1" | head -n 6 | tr '\n' ';')"; fi
}
# ask NAME ASK...: the advice of the held-out cells
ask() {
    file=$1
    shift
    "$collsel" recommend "$@" --collective bcast -p "$procs" -m "$bytes" --csv >"$dir/$file.csv" 2>"$dir/err"
    is 0 $? "$split: it is asked ($(head -n 1 "$dir/err"))"
    pick "procs bytes algorithm" "$dir/$file.csv" | sort | join_cells >"$dir/$file.txt"
}
join_cells() { awk 'NR == FNR { want[$1 " " $2]; next } ($1 " " $2) in want' "$dir/cells" -; }
# compare SPLIT TRAIN FOR: of what is held out, what safe chose, and what is given by what is left
compare() {
    split=$1
    cells "$3/selection.csv" >"$dir/safe.txt"
    cut -d' ' -f1,2 "$dir/safe.txt" >"$dir/cells"
    procs=$(cut -d' ' -f1 "$dir/cells" | sort -nu | tr '\n' ' ' | sed 's/ $//; s/ /,/g')
    bytes=$(cut -d' ' -f2 "$dir/cells" | sort -nu | tr '\n' ' ' | sed 's/ $//; s/ /,/g')
    run train -q -c "$2" --results "$results" --dataset rest --output "$dir/model.json"
    is 0 $status "$split: what is left teaches"
    for_peak="" as_peak="--cluster $2"
    [ "$2" = peak ] || { for_peak="--cluster peak" as_peak="--cluster $2 --for peak"; }
    ask model --model "$dir/model.json" $for_peak --ppn 42
    same "$dir/model.txt" "$split: of $(wc -l <"$dir/cells") cells a model gives what was judged"
    ask measured $as_peak --dataset rest --results "$results" --ppn 42
    same "$dir/measured.txt" "$split: so do the measurements that it was learnt from"
    : >"$dir/tables"
    for p in $(echo "$procs" | tr , ' '); do
        nodes=$(((p + 41) / 42))
        "$collsel" recommend -q --model "$dir/model.json" $for_peak --table -p "$p" --nodes $nodes --ppn $((p < 42 ? p : 42)) >>"$dir/tables"
    done
    looked_up "$dir/tables" >"$dir/table.txt"
    same "$dir/table.txt" "$split: and what a run by the model gets"
    # rules are of even nodes, and leave to the library what is not surely gained
    ask model --model "$dir/model.json" $for_peak
    pick "procs bytes algorithm default_longer_low_pct default_longer_pct" "$dir/model.csv" | sort |
        awk '{ sure = $4 == "-" ? $5 : $4; take = sure > 0 ? $3 : "openmpi:default"; print $1, $2, take }' | join_cells >"$dir/safe.txt"
    run export --model "$dir/model.json" $for_peak --library libcollsel --collective bcast -p "$procs" -m "$bytes" --margin 0 --unsure --output "$dir/rules.csv"
    [ -f "$dir/rules.csv" ] || : >"$dir/rules.csv"
    looked_up "$dir/rules.csv" >"$dir/rules.txt"
    same "$dir/rules.txt" "$split: and what rules are made of it"
    rm -f "$dir/rules.csv"
}
# rest FILE FROM: the rows of FILE whose cells are not held out, as a data set
rest() {
    grep '^safe,' "$1/selection.csv" | cat "$dir/head" - >"$dir/safe.csv"
    pick "procs bytes" "$dir/safe.csv" >"$dir/cells"
    awk 'NR == FNR { held[$1 "," $2]; next } { split($0, word, ",") } FNR == 1 || !((word[1] "," word[3]) in held)' "$dir/cells" "$2" >"$dir/rest.csv"
    import peak rest "$dir/rest.csv"
}

import peak made "$dir/made1.csv"
is 0 $status "planted times"
run select -q -c peak --results "$results" --dataset made
head -n 1 "$at/made/selection.csv" >"$dir/head"
for holdout in alternate-procs beyond-procs=64 ${COLLSEL_LONG:+alternate-sizes nodes random=30%}; do
    run select -q -c peak --results "$results" --dataset made --holdout $holdout
    is 0 $status "$holdout is held out"
    there=$at/made/holdout/$(echo "$holdout" | sed 's/=/-/; s/%//')
    rest "$there" "$dir/made1.csv"
    compare "$holdout" peak "$there"
done

# ---- another machine ----
import "$dir/ray.ini" rest "$dir/made2.csv"
run select -q -c peak --results "$results" --dataset made --with "$results/ray/rest" --holdout cluster=peak
is 0 $status "a whole machine is held out"
compare cluster "$dir/ray.ini" "$at/made/holdout/cluster-peak"
is "-" "$(pick default_longer_low_pct "$dir/model.csv" | sort -u | grep -v '^0$' | xargs)" "what one machine teaches tells no interval of another"

# What two machines tell of a third has an interval, and too few tries to promise how often it holds.
import "$dir/ren.ini" other "$dir/made3.csv"
import "$dir/ri.ini" other "$dir/made4.csv"
import "$dir/ri2.ini" other "$dir/made5.csv"
run train -q -c "$dir/ray.ini" --results "$results" --dataset rest --with "$results/ren/other" --output "$dir/model.json"
run recommend --model "$dir/model.json" --cluster peak --collective bcast -p 64 -m 1M --ppn 42
says "; how often it holds is not known: " "$dir/out" "two machines do not promise anything of a third"
says " tries on machines left out are too few or differ too much)" "$dir/out" "and it is said why"
# Of four each is left out; what is told of a fifth is lowered until it holds.
run train -q -c "$dir/ray.ini" --results "$results" --dataset rest --with "$results/ren/other" --with "$results/ri/other" --with "$results/ri2/other" --output "$dir/model.json"
"$collsel" recommend --model "$dir/model.json" --cluster peak --collective bcast -p "$procs" -m "$bytes" --ppn 42 --csv >"$dir/third.csv"
awk -F, 'FNR == 1 && !n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
    NR == FNR { low[$at["procs"] "," $at["bytes"]] = $at["default_longer_low_pct"]; high[$at["procs"] "," $at["bytes"]] = $at["default_longer_high_pct"]
        alg = $at["algorithm"]; sub(/^openmpi:(basic_)?/, "", alg); take[$at["procs"] "," $at["bytes"]] = alg
        if (alg != "default") { told = $at["default_longer_holds_pct"]; tries = $at["default_longer_tries"] } next }
    { us[$1 "," $3, $2] = $4 }
    END { for (c in take) if (take[c] != "default" && low[c] != "") { cells++; gain = 100 * (us[c, "default"] / us[c, take[c]] - 1); held += gain >= low[c] && gain <= high[c] }
        print cells + 0, tries + 0, told + 0, cells ? 100 * held / cells : 0 }' "$dir/third.csv" "$dir/made1.csv" >"$dir/told"
read -r cells tries told held <"$dir/told"
echo "# $cells cells, told $told % of $tries tries, held $held %"
awk -v cells="$cells" -v tries="$tries" -v told="$told" -v held="$held" 'BEGIN { exit !(cells >= 20 && tries >= 20 && told > 0 && held >= told) }'
ok $? "the promise on a machine that was not learnt from holds: told $told % of $tries tries, held $held % of $cells"
run recommend --model "$dir/model.json" --cluster peak --collective bcast -p 64 -m 1M --ppn 42
says "; by $tries tries on machines left out at least ${told%%.*} % of such intervals hold)" "$dir/out" "as words say"
run recommend --model "$dir/model.json" --cluster peak --collective bcast -p 64 -m 1M --ppn 42 --json
says "\"default_longer_tries\": $tries" "$dir/out" "and JSON"

# ---- nothing measured: the model that ships, without an option ----
procs=2,8,18,36,72 bytes=8,1000,65536,1048576,8388608 shipped=clusters/models/first.json
looked_up_of() { sed "s/^$1,/bcast,/" "$2" | grep -v '^[^b#]' >"$dir/as-bcast"; looked_up "$dir/as-bcast"; }
for collective in ${COLLSEL_LONG:+bcast allgather alltoall} reduce allreduce; do
    split="nothing measured, $collective"
    run recommend -q -c gros --results "$dir/none" --collective $collective -p $procs -m $bytes --csv
    is 0 $status "$split: ask answers"
    pick "procs bytes algorithm" "$dir/out" | sort >"$dir/safe.txt"
    cut -d' ' -f1,2 "$dir/safe.txt" >"$dir/cells"
    others=$((${others:-0} + $(grep -vc default "$dir/safe.txt")))
    run recommend -q --model $shipped --for gros --collective $collective -p $procs -m $bytes --csv
    pick "procs bytes algorithm" "$dir/out" | sort >"$dir/other.txt"
    same "$dir/other.txt" "$split: what it says when it is named is the same"
    : >"$dir/tables"
    for p in $(echo $procs | tr , ' '); do
        "$collsel" recommend -q --model $shipped --for gros --table -p "$p" --nodes $(((p + 17) / 18)) --ppn $((p < 18 ? p : 18)) >>"$dir/tables"
    done
    looked_up_of $collective "$dir/tables" >"$dir/other.txt"
    same "$dir/other.txt" "$split: and what a run by it gets"
    run export -c gros --results "$dir/none" --library libcollsel --collective $collective -p $procs -m $bytes --margin 0 --no-interval --output "$dir/shipped.csv"
    is 0 $status "$split: rules are written with --no-interval"
    [ -f "$dir/shipped.csv" ] || : >"$dir/shipped.csv"
    looked_up_of $collective "$dir/shipped.csv" >"$dir/other.txt"
    same "$dir/other.txt" "$split: and say the same"
    rm -f "$dir/shipped.csv"
done
ok $((others < 10)) "in $others cells that is not the default"
says "has no interval" "$dir/tables" "the table says that its gains have no interval"
run export -c gros --results "$dir/none" --library openmpi-4.1 -p 36 -m 8,8M --output "$dir/sure.rules"
is "0 no" "$status $([ -e "$dir/sure.rules" ] && echo yes || echo no)" "without --no-interval no rule is written"
says "how certain it is, is not known: --no-interval)" "$dir/err" "and what is missing is said"
run export -c gros --results "$dir/none" --library openmpi-4.1 --no-interval --output "$dir/all.rules"
is "0 yes" "$status $([ -s "$dir/all.rules" ] && echo yes)" "cells are chosen by the machine where none are given"
says "(--no-interval: gains without an interval count as they are)" "$dir/all.rules" "and the file says how it came about"
run export -c gros --results "$dir/none" --library mpich-4.1 --no-interval --output "$dir/none.rules"
is "1 no" "$status $([ -e "$dir/none.rules" ] && echo yes || echo no)" "a library that it does not know gets no rules of it"
run export --model $shipped --for gros --library mpich-4.1 --no-interval -p 36 -m 8 --output "$dir/none.rules"
is 2 $status "nor when it is named"
mkdir -p "$dir/some/gros/tune" && echo >"$dir/some/gros/tune/points.csv"
run export -c gros --results "$dir/some" --library openmpi-4.1 --no-interval --output "$dir/none.rules"
is 1 $status "where another study has times these are to be named"
run run --mode model --for gros -- true
says "answers for cluster gros; no gain has an interval" "$dir/err" "run --mode model takes it, too"
run new-cluster -q -n --link edr --nodes 400 --sockets 2 --cores 64 --threads 1 --title large large
cp "$dir/out" "$dir/large.ini"
cat >"$dir/little.ini" <<'END'
[study]
name = little
collectives = reduce
[grid]
procs = 4
bytes = 8 1M
[candidates]
portable = binomial chain
sim_default = openmpi41
[fit]
experiments = no
END
guess() { run tune -c gros --study "$dir/little.ini" --backend walk --library openmpi-4.1 --results "$dir/tuned"; sed -n "s/^reduce openmpi core P = [0-9]* on .*: \(openmpi:[a-z_-]*\).*/\1/p" "$dir/out" | xargs; }
told=$("$collsel" recommend -q -c gros --results "$dir/none" --collective reduce -p 18,2232 -m 8,64K,4M --csv >"$dir/ask.csv" && pick algorithm "$dir/ask.csv" | xargs)
rows=$(guess)
is "$told" "$rows" "the first guess of tune is what ask says of a node and of the machine"
is "" "$(grep -E "doublings|^    [a-z]*: " "$dir/out")" "a line a cell, without reasons"
is "" "$(guess)" "and is none where something was measured"
run recommend -q -c "$dir/large.ini" --results "$dir/none" --collective reduce -p 16384,3840 -m 64K,4G --csv
is "openmpi:default openmpi:default openmpi:rabenseifner openmpi:rabenseifner" "$(pick algorithm "$dir/out" | xargs)" "more than four doublings of ranks beyond what was learnt the default stays, whatever the size"
# ---- a machine that was measured a little: walks, which the measured cells correct ----
run new-cluster -q -n --link edr --nodes 128 --sockets 2 --cores 21 --threads 1 --title demo demo
cp "$dir/out" "$dir/demo.ini"
awk 'BEGIN { n = split("default basic_linear chain pipeline split_binary_tree binary_tree binomial scatter_allgather scatter_allgather_ring knomial,2 knomial,4 knomial,8", alg, " ")
    print "P,alg,fan,bytes,us"
    for (p = 4; p <= 128; p *= 2) for (m = 64; m <= (p > 16 ? 1048576 : 1024); m *= m < 1024 ? 16 : 1024) for (i = 1; i <= n; i++)
        printf "%d,%s,%d,%.6g\n", p, alg[i] ~ /,/ ? alg[i] : alg[i] ",0", m, (5 + m * 0.0002) * log(p) * (i == 1 ? 1 : i == 7 ? 0.8 : 2 + i / 50) }' >"$dir/whole.csv"
awk -F, '$1 == "P" || $1 <= 16' "$dir/whole.csv" >"$dir/near.csv"
for set in whole near; do
    run import -q -c "$dir/demo.ini" --name $set --results "$results" --format csv --mpi openmpi --mpi-version 4.1.5 --set collective=bcast,mapping=node,ppn=1 \
        --map procs=P,nodes=P,bytes=bytes,algorithm=alg,fanout=fan,max_s=us:us "$dir/$set.csv"
    run fit -q -c "$dir/demo.ini" --results "$results" --dataset $set
done
run select -q -c "$dir/demo.ini" --results "$results" --dataset whole --holdout beyond-procs=16
is 0 $status "numbers of ranks of a machine with costs are held out"
split="with a first model"
cells "$results/demo/whole/holdout/beyond-procs-16/selection.csv" >"$dir/safe.txt"
cut -d' ' -f1,2 "$dir/safe.txt" >"$dir/cells"
is "6 openmpi:binomial" "$(awk '$2 <= 1024 { print $3 }' "$dir/safe.txt" | cut -d, -f1 | sort | uniq -c | xargs)" "beyond the measured ranks it takes what was fast, whatever the walks say"
run select -q -c "$dir/demo.ini" --results "$results" --dataset whole --holdout beyond-procs=16 --joined --learner knn
heldout=$results/demo/whole/holdout/beyond-procs-16
grep '^safe,' "$heldout/heldout.csv" | cat - "$heldout/joined.csv" | awk -F, '$1 == "safe" && (NR == 1 || $2 == "all" && $3 == "all") { print NR == 1 ? $10 : $7 }' | sort -u >"$dir/losses"
is "1 yes" "$(wc -l <"$dir/losses") $(awk '{ print ($1 > 25 ? "yes" : "no") }' "$dir/losses")" "with --joined the same safe is judged: it loses $(xargs <"$dir/losses") %"
procs=32,64,128 bytes=64,1024,1048576
ask first -c "$dir/demo.ini" --results "$results" --dataset near --ppn 1
same "$dir/first.txt" "$split: measurements give what was judged"
run train -q -c "$dir/demo.ini" --results "$results" --dataset near --output "$dir/near.json"
ask first --model "$dir/near.json" --clusters "$dir" --ppn 1
same "$dir/first.txt" "$split: so does a model learnt from them"
run recommend -c "$dir/demo.ini" --results "$results" --dataset near --collective bcast -p 64 -m 1M --ppn 1
says "safe: a walk of this machine, corrected by the measured cells, finds it faster" "$dir/out" "and words say so"
tap_done
