#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel recommend, from measurements and from what collsel train learnt of them: what is taken, what it gains, why.
. tests/cli/run.sh
results=$dir/results

# Times in us that cross over: linear for few processes and small messages, a tree for many, a chain for large messages. The default is the tree
# and a tenth slower, but from 2 KiB on, where it is as fast.
awk 'BEGIN {
    print "P,alg,bytes,us"
    for (p = 2; p <= 40; p += 2)
        for (m = 1; m <= 1048576; m *= 16) {
            levels = log(p) / log(2)
            tree = levels * (2 + m * 0.001)
            printf "%d,chain,%d,%.6g\n", p, m, p + m * 0.001
            printf "%d,binomial,%d,%.6g\n", p, m, tree
            printf "%d,linear,%d,%.6g\n", p, m, 1 + p * (0.5 + m * 0.001)
            printf "%d,portable:k_nomial,%d,%.6g\n", p, m, 0.9 * tree
            printf "%d,default,%d,%.6g\n", p, m, tree * 1.1
        }
}' >"$dir/made.csv"
import() { # import NAME FILE
    run import -q -c peak --name "$1" --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
        --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$2" && run fit -q -c peak --results "$results" --dataset "$1"
}
ask() { run recommend -c peak --results "$results" --dataset made --collective bcast "$@"; }
column() { # column NAME: of the answer as CSV, its rows on one line
    awk -F, -v name="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { printf "%s%s", n++ ? " " : "", $at[name] }' "$dir/out"
}
near() { # near WANTED SEEN MESSAGE: within a thousandth
    awk -v a="$1" -v b="$2" 'BEGIN { d = a - b; exit !(b != "" && d * d <= 1e-6 * a * a) }'
    ok $? "$3: $2 (want $1)"
}

import made "$dir/made.csv"
is 0 $status "planted times"

# ---- measured cells ----
ask -p 4,40 -m 1,64K --csv
is 0 $status "a table"
is "openmpi:linear openmpi:chain openmpi:binomial openmpi:chain" "$(column algorithm | sed 's/basic_//g')" "the fastest that the library has"
is "measured measured measured measured" "$(column selector)" "decided by the times"
near 46.545 "$(column default_longer_pct | cut -d' ' -f1)" "the default takes 4.4022 us, linear 3.004 us"
is "0 0 0 0" "$(column extrapolated)" "and nothing is extrapolated"
ask -p 40 -m 1 --portable
is 0 "$(grep -c "expected speed-up" "$dir/out")" "what was timed there is not called expected"
says "portable:k_nomial" "$dir/out" "with --portable our schedules may be taken, too"
ask -p 40 -m 1 --for gros --csv
is "safe" "$(column selector)" "of another machine no cell is measured"

awk 'BEGIN { print "P,alg,bytes,us"; for (p = 2; p <= 8; p *= 2) printf "%d,default,8,1\n%d,linear,8,1.00000001\n%d,binomial,8,0.99999999\n%d,chain,8,130\n", p, p, p, p }' >"$dir/even.csv"
import even "$dir/even.csv"
run recommend -c peak --results "$results" --dataset even --collective bcast -p 4 -m 8
is "0 yes" "$status $([ -s "$dir/out" ] && echo yes)" "of times that are even there is an answer"
is 0 "$(grep -cE "default: 1[.]0+( |$)" "$dir/out")" "no speed-up is 1"
run explain -c peak --results "$results" --dataset even --collective bcast -p 4 -m 8 --margin 12400 --library openmpi-4.1
says "(margin 12400 %" "$dir/out" "numbers are plain"

# ---- cells between and beyond ----
ask -p 39 -m 64K,100000 --csv
is "openmpi:chain openmpi:chain" "$(column algorithm)" "between measured cells safe takes what gained about it"
is "interpolated interpolated" "$(column evidence)" "which says so"
is "40 40" "$(column nearest_procs)" "with the nearest measured cell"
awk -v said="$(column default_longer_pct | cut -d' ' -f1)" -v low="$(column default_longer_low_pct | cut -d' ' -f1)" \
    -v high="$(column default_longer_high_pct | cut -d' ' -f1)" \
    'BEGIN { truth = 100 * (log(39) / log(2) * (2 + 65.536) * 1.1 / (39 + 65.536) - 1); exit !(low < said && said < high && low < truth && truth < high) }'
ok $? "and its interval holds the gain that there is"
ask -p 500 -m 1
says "extrapolated: beyond the processes, nodes or sizes that were seen; nearest cell that was learnt from: P = 40" "$dir/out" "what lies beyond is said to"
ask -p 42 -m 64K --unsafe
says " tries at fewer processes" "$dir/out" "and what its interval is worth"
ask -p 60 -m 64K --unsafe
holds "$(grep -c 'expected speed-up over the default: [0-9.]* (no interval is known)$' "$dir/out") == 1" "on a second node nobody tried one: no interval"
ask -p 40 -m 4M --unsafe
holds "$(grep -c 'expected speed-up over the default: [0-9.]* (no interval is known)$' "$dir/out") == 1" "nor beyond the sizes"
ask -p 39 -m 64K
holds "$(grep -c '; by [0-9]* tries in cells kept out at least [0-9]* % of such intervals hold)$' "$dir/out") == 1" "between measured cells it comes of those that were kept out"
ask -p 39,60 -m 64K --unsafe --csv
holds "$(column default_longer_holds_pct) > 70 && $(column default_longer_holds_pct) < 95" "in the table, too: less than the 95 % that it is made for"
holds "$(column default_longer_tries) >= 39" "... with how many these were"
ask -p 39 -m 64K --json
says '"selector": "safe"' "$dir/out" "JSON has the same"
says '"algorithm": "openmpi:chain"' "$dir/out" "answer"

# ---- what cannot be answered ----
# The same by words, in whatever order.
ask -p 4,39 -m 64K --mapping core --csv
cp "$dir/out" "$dir/by-options"
for words in "peak bcast 4,39 64K core" "peak MPI_Bcast 64k 4,39" "bcast 4,39 65536 -c peak"; do
    # shellcheck disable=SC2086 # words
    run ask --results "$results" --dataset made $words --csv
    is "0 same" "$status $(cmp -s "$dir/out" "$dir/by-options" && echo same)" "ask $words: as by options"
done
for words in "peak bcst 4 8" "peak bcast 4 8 9" "peak bcast 4" "peak bcast 4 8 -p 4"; do
    # shellcheck disable=SC2086 # words
    run ask --results "$results" --dataset made $words
    is 2 "$status" "ask $words: wrong usage"
done
says "an option says what the word '4' says" "$dir/err" "which is told"

run recommend -c peak --results "$results" --dataset made --collective bcst -p 4 -m 1
is 1 $status "a collective that was not measured"
says "of collective 'bcst' (there is: bcast)" "$dir/err" "is an error that says which were"
ask -p 4 -m 1 --mapping node
says "of mapping 'node' for bcast (there is: core)" "$dir/err" "so is a mapping"
run recommend -c peak --results "$results" --dataset maid --collective bcast -p 4 -m 1
is 2 $status "a data set that is not there is wrong usage"
ask -p 4
is 2 $status "without a size: wrong usage"
grep -v ',default,' "$dir/made.csv" >"$dir/no-default.csv"
import without "$dir/no-default.csv"
run recommend -c peak --results "$results" --dataset without --collective bcast -p 4,39 -m 64K --csv
is "openmpi:chain openmpi:chain" "$(column algorithm)" "without a default the fastest"
is "" "$(column default_longer_pct | tr -d ' ')" "and nobody knows what it gains"
says "the library's default was not measured" "$dir/out" "which is said"

# ---- learnt here, asked there ----
train() { run train -q -c peak --results "$results" --dataset made "$@"; }
told() { run recommend --model "$dir/model.json" --collective bcast "$@"; }
train --learner knn --licence MIT --output "$dir/model.json"
is 0 $status "what was learnt is a file"
told -p 40 -m 64K
is "1 0" "$(grep -c "expected speed-up over the default" "$dir/out") $(grep -c "; speed-up over" "$dir/out")" "what a model says of a cell that it learnt from is expected, not measured"
told -p 40 -m 64K --csv
is interpolated "$(column evidence)" "nor called so"
told -p 4,39 -m 1,64K --csv
is 0 $status "which can be asked for a table"
is "openmpi:linear openmpi:chain openmpi:binomial openmpi:chain" "$(column algorithm | sed 's/basic_//g')" "that is the same"
is "safe safe safe safe" "$(column selector)" "safe decides"
told -p 4000 -m 1
says "openmpi:default" "$dir/out" "where it does not know it falls back to the default"
says "safe: the default: no gain over it is known well enough" "$dir/out" "and says so"
says "extrapolated: beyond the processes, nodes or sizes that were seen" "$dir/out" "what lies beyond is said to"
says "licence of the times: in $dir/model.json" "$dir/out" "with where the licence is"
told -p 4000 -m 1 --unsafe --csv
is "knn" "$(column selector)" "with --unsafe what was learnt decides"
told -p 42 -m 64K --unsafe
says " tries at fewer processes" "$dir/out" "and an interval beyond says how often such ones held"
sed 's/"gain_beyond": \[\[/"gain_beyond": [["x", /; s/"gain_beyond": \[$/"gain_beyond": [7,/' "$dir/model.json" >"$dir/other.json"
run recommend --model "$dir/other.json" --collective bcast -p 42 -m 64K
is 1 $status "what is no interval there is refused"
says "place 1: gain_beyond: want low, high, how often it holds, and in how many tries" "$dir/err" "and named"
told -p 4 -m 1 --mapping node
is 1 $status "a mapping that nobody learnt"
says "nothing was learnt of mapping 'node' for bcast (there is: core)" "$dir/err" "is an error that says so"
told -p 4,64 -m 1 --ppn 4
is 0 $status "processes per node alone"
says "P = 64 on 16 nodes" "$dir/out" "take as many nodes as hold them"
told -p 4,64 -m 1 --ppn 4 --for peak
is 2 $status "more than the machine has are wrong usage"
says "want at most 13 nodes, or another --cluster: 16 nodes are more than the 13 of cluster 'peak'" "$dir/err" "which says how many it has"
is 0 "$(wc -c <"$dir/out")" "and nothing is answered, of fewer neither"
told -p 4,1000000 -m 1 --for peak
is 2 $status "so are more processes than it has cores"
says "1000000 processes are more than the 546 cores of cluster 'peak' (13 nodes of 42)" "$dir/err" "which says so"
ask -p 1000000 -m 1
is 2 $status "of a study, too"
told -p 4 -m 1 --nodes 16
says "P = 4 on 4 nodes" "$dir/out" "a node without a process does not count"
cp "$dir/err" "$dir/err.nodes"
told -p 4 -m 1 --nodes 0
is 2 $status "no nodes are wrong usage"
says " --nodes: '0'" "$dir/err" "of --nodes"
told -p 0 -m 1
is 2 $status "no processes are wrong usage"
says "'0' is out of range (want 1 to 268435456)" "$dir/err" "with the range"
told -p 4 -m 1 --csv --json
is 2 $status "two forms at once, too"

told -p 39 -m 32
says "taught without cells like this it gained in them, by which it was chosen, too; most learners" "$dir/out" "who leads says by what"
train --learner nearest --output "$dir/nearest.json"
run recommend --model "$dir/nearest.json" --collective bcast -p 39 -m 64K --csv
is "openmpi:chain" "$(column algorithm)" "who copies the nearest cell has a file, too"
holds "$(column default_longer_low_pct) > 0" "what a choice gains is said by the neighbours beside it, which were tried: with an interval"

says "collsel ask: --nodes 16: P = 4 is used with 4 nodes, one rank each" "$dir/err.nodes" "which is said"
told -p 4 -m 1 --nodes 1 --ppn 64 --for mini
says "mini has 1 core a node, fewer than the 4 processes" "$dir/out" "nor do processes that have no core of their own pass without a word"

# ---- options that a model, or a data set, has no use for ----
told -p 4 -m 1 -c mini
is 0 $status "with a model --cluster names the machine"
says "for mini" "$dir/out" "that is asked about"
told -p 4 -m 1 -c mini --for gros
is 2 $status "two machines are wrong usage"
told -p 4 -m 1 -s nosuch
is 2 $status "so is a study beside a model"
told -p 4 -m 1 -b local
is 2 $status "and a backend"
for verb in select fit report guidelines audit; do # in one place, of all commands
    run $verb -q --results "$results" --dataset made -s tune
    is 2 $status "$verb: neither is passed over"
    says "--dataset names the times (want it without --study and --backend)" "$dir/err" "which is said"
done
told -p 4 -m 1 -c nosuch
is 2 $status "a cluster that there is not, too"
ask -p 4 -m 1 -s reduce
is 2 $status "nor has a data set a study"
says "--dataset names the times" "$dir/err" "which is said"
run recommend --dataset "$results/peak/made" -c gros --collective bcast -p 4 -m 1
is 2 $status "a directory of another cluster is wrong usage"
says "has times of cluster peak, not of gros" "$dir/err" "which names both"
run recommend --dataset "$results/peak/made" -c peak --collective bcast -p 4 -m 1
is 0 $status "of the same it is not"

# ---- a file of rules by a model says what it is made of ----
export_model() { run export --model "$dir/model.json" --library openmpi-4.1 -p 4,40 -m 1,64K --unsure "$@"; }
export_model
is 0 $status "rules by a model"
says "# learnt from 1 set of times of up to 40 processes, backend imported; licence of the times: MIT" "$dir/out" "name its sources and their licence"
says "# how far to trust these times: no cell was measured for this file" "$dir/out" "and how far to trust them"
export_model -c gros
says "# for gros, without any time of it" "$dir/out" "and the machine that was asked about"
export_model --for gros
says "# for gros, without any time of it" "$dir/out" "by either option"
says "no time was measured or walked inside them: the choices were not checked there" "$dir/out" "and that nothing was probed between its cells"
export_model -s nosuch
is 2 $status "but no study"
run export --library libcollsel -c peak --results "$results" --dataset made -q --unsure
says "leave out --table FILE (or start the program without collsel run)" "$dir/out" "a table's head says how it is left out"

# ---- the exit status: 2 the command line, a name in it, a study or cluster file; 1 the work, results, models, rules ----
echo rubbish >"$dir/rubbish.ini"
for wrong in "2 --study $dir/rubbish.ini" "2 --cluster $dir/rubbish.ini" "2 --study nosuch" "2 --cluster nosuch" "1 --study $dir/none.ini" \
    "1 --model $dir/rubbish.ini" "1 --model $dir/none.json" "2 --dataset nosuch"; do
    # shellcheck disable=SC2086
    run recommend --results "$results" --collective bcast -p 4 -m 1 ${wrong#? }
    is "${wrong%% *}" $status "${wrong#* }: status ${wrong%% *}"
done
run rules "$dir/rubbish.ini" --library openmpi-4.1
is 1 $status "a file of rules that is none: 1"
run export --results "$results" -c peak --dataset made --library openmpi-4.1 --mapping nowhere
is 1 $status "a mapping without times: 1"
ask -p 4 -m 1 --mapping nowhere
is 1 $status "of recommend, too"

# ---- files that are not as they should be ----
other() { run recommend --model "$dir/other.json" --collective bcast -p 4 -m 1; }
sed 's/collsel-model-[0-9]*/collsel-model-1/' "$dir/model.json" >"$dir/other.json"
other
is 1 $status "a file of another schema is refused"
says ":2: schema: 'collsel-model-1' (want collsel-model-4; run \`collsel train\` again)" "$dir/err" "with both names and what to do"
sed 's/log2_ppn/ppn/' "$dir/model.json" >"$dir/other.json"
other
says ":3: features: it was learnt from others" "$dir/err" "so is one of other features"
head -c 3000 "$dir/model.json" >"$dir/other.json"
other
says "other.json:" "$dir/err" "and one that was cut short, by its line"
for wrong in "cores:2147483647:machine/cores" 'fanout:4294967296:out of range' 'setting:99:out of range' 'threshold:true:neither a number nor null'; do
    key=${wrong%%:*} rest=${wrong#*:}
    sed "s/\"$key\": [0-9.]*/\"$key\": ${rest%%:*}/" "$dir/model.json" >"$dir/other.json"
    other
    is 1 $status "$key = ${rest%%:*} is refused"
    says "${rest#*:}" "$dir/err" "for what it is"
done
sed 's/"learner": "knn"/"learner": "svm"/' "$dir/model.json" >"$dir/other.json"
other
is 1 $status "what another learner has learnt is refused"
says "is none of learner svm" "$dir/err" "with the learner's name"
for wrong in 'NaN|invalid token' '1e999|real number overflow' '"x"|neither a number nor null' 'null, "threshold": 1|duplicate object key'; do
    sed "s/\"threshold\": [0-9.a-z]*/\"threshold\": ${wrong%|*}/" "$dir/model.json" >"$dir/other.json"
    other
    is 1 $status "threshold = ${wrong%|*} is refused"
    says "${wrong#*|}" "$dir/err" "for what it is"
    says "other.json:" "$dir/err" "with its line"
done
truncate -s 300M "$dir/other.json"
# shellcheck disable=SC3045 # dash has it
(ulimit -v 4000000 && other && exit $status)
is 1 $? "so is a file of 300 MiB"
says "other.json' is larger than 256 MiB" "$dir/err" "before it fills the memory"
rm "$dir/other.json"
train --learner hybrid --output "$dir/other.json"
is 2 $status "a learner that needs models' predictions is none for a file"

# ---- the same measurements, the same file ----
for learner in safe forest_class; do
    train --learner $learner --output "$dir/first.json"
    is 0 $status "$learner learns"
    OMP_NUM_THREADS=3 "$collsel" train -q -c peak --results "$results" --dataset made --learner $learner --output "$dir/second.json"
    cmp -s "$dir/first.json" "$dir/second.json"
    ok $? "the same file with another number of threads"
    run recommend --model "$dir/first.json" --collective bcast -p 39 -m 64K --csv
    is "openmpi:chain" "$(column algorithm)" "which knows the chain"
    run recommend --model "$dir/first.json" --collective bcast -p 39 -m 64K --csv --unsafe
    is "openmpi:chain" "$(column algorithm)" "as those do that it was learnt from"
done
run train -c peak --results "$results" --dataset made --learner forest_class --output "$dir/first.json"
says "forest_class, importance (decrease of Gini's impurity): log2_" "$dir/out" "of trees the importance of the features is said"
# One run of each: a gain that was measured has no interval, and that is said.
printf 'collective,P,bytes,alg,us\nbcast,4,8,default,10\nbcast,4,8,binomial,5\nbcast,4,8,chain,15\n' >"$dir/one.csv"
"$collsel" import -q -c peak --name one --results "$dir/one" --format csv --mpi openmpi --mpi-version 4.1.4 --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/one.csv" >/dev/null
"$collsel" report -q -c peak --dataset one --results "$dir/one" --brief >"$dir/brief"
"$collsel" ask -c peak --dataset one --results "$dir/one" bcast 4 8 >"$dir/out"
grep -qF "speed-up over the default: 2.00 (no interval is known)" "$dir/out"
ok $? "of a single run no interval is known, which is said"
grep -qF "over 1 cell, and" "$dir/brief"
ok $? "and one cell is one"
tap_done
