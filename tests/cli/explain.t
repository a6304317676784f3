#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel explain: one cell from the rule to the samples, on planted times whose answer is known.
. tests/cli/run.sh
results=$dir/results

# Times in us: linear is best for small messages, a chain for large ones; the default is the tree, a tenth slower than it. Five runs of each, of
# which the tree's and the linear one's overlap at P = 8 and 1 KiB.
awk 'BEGIN {
    print "P,alg,bytes,us"
    for (p = 4; p <= 16; p *= 2)
        for (m = 1024; m <= 1048576; m *= 32)
            for (run = 1; run <= 5; run++) {
                wobble = 1 + 0.01 * ((run * 7 + p) % 5 - 2)
                levels = log(p) / log(2)
                tree = levels * (2 + m * 0.001)
                linear = p == 8 && m == 1024 ? tree * (1 + 0.01 * (run - 3)) : 1 + p * (0.5 + m * 0.0005)
                printf "%d,chain,%d,%.6g\n", p, m, (p + m * 0.001) * wobble
                printf "%d,binomial,%d,%.6g\n", p, m, tree * wobble
                printf "%d,linear,%d,%.6g\n", p, m, linear * wobble
                printf "%d,default,%d,%.6g\n", p, m, tree * 1.1 * wobble
            }
}' >"$dir/made.csv"
run import -q -c peak --name made --results "$results" --format csv --mpi openmpi --mpi-version 4.1.4 --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/made.csv" && run fit -q -c peak --results "$results" --dataset made
is 0 $status "planted times"
explain() { run explain --results "$results" --dataset made "$@"; }
json() { python3 -c "import json, sys; e = json.load(open('$dir/out')); print($1)"; }

# ---- a measured cell ----
explain peak bcast 16 1M
is 0 $status "CLUSTER COLLECTIVE P BYTES"
says "What to take: openmpi:chain" "$dir/out" "the fastest is named"
says "as \`collsel rules write --library openmpi-4.1\` writes it" "$dir/out" "with the rule of the release that was measured"
says "algorithm 2 (chain)" "$dir/out" "by the library's own number"
says "gains more than the margin" "$dir/out" "and why"
says "takes 4.62 ms" "$dir/out" "what the default takes: 1.1 x 4 x 1050.576 us"
says "Runner-up: openmpi:binomial, 3.95 times slower" "$dir/out" "the runner-up, and the margin: 4202.3 us to 1064.6 us"
says "What is taken: bcast chain, 16 processes, 1 MiB" "$dir/out" "and a picture of the schedule"
cp "$dir/out" "$dir/words"
explain -c peak --collective bcast -p 16 -m 1M
is "$(cat "$dir/words")" "$(cat "$dir/out")" "options say the same as words"
explain bcast 16 1M
is "$(cat "$dir/words")" "$(cat "$dir/out")" "the cluster is the data set's: the words may begin with the collective"
run predict --results "$results" --dataset made bcast -p 16 -m 1M
is "$(awk '/^[a-z]/ && $1 !~ /^(bcast|measured)/ { print $1 (/nothing to choose from: / ? " -" : "") }' "$dir/out" | sort)" \
    "$(sed -n '/^Models/,/^$/p' "$dir/words" | awk '/^  / { print $1 (/nothing to choose from: / ? " -" : "") }' | sort)" \
    "predict has no fit of the models of which explain has none"
explain peak bcast 16 1M --json
is "openmpi:chain 2 chain True" "$(json "e['take']['candidate']['algorithm'], e['rule']['id'], e['rule']['algorithm'], e['has_times']" | tr -d "(),'")" \
    "JSON has the same"
is "5 4" "$(json "e['candidates'][0]['launches'], len(e['candidates'])" | tr -d '(),')" "with every candidate and its runs"
default=$(json "e['default']['longer_pct']")
holds "$default > 320 && $default < 350" "the default's loss: $default %"

sed 's/^/8,/; 1s/^8,/NODES,/' "$dir/made.csv" | awk '/NODES|default/ { print; next } { rest = rest $0 "\n" } END { printf "%s", rest }' >"$dir/nodes.csv"
run import -q -c peak --name nodes --results "$results" --format csv --mpi openmpi --mpi-version 5.0.7 --set collective=bcast,mapping=core \
    --map nodes=NODES,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/nodes.csv" && run fit -q -c peak --results "$results" --dataset nodes
run explain --results "$results" --dataset nodes peak bcast 16 1M
is "no_fit no_gamma" "$(sed -n 's/.*nothing to choose from: \(no_[a-z]*\).*/\1/p' "$dir/out" | sort | paste -sd ' ')" \
    "why a model has no time is said of the algorithms, not of the default that nobody knows"
says "P = 16 on 8 nodes" "$dir/out" "on several nodes of several ranks"
says "algorithm 2 (chain)" "$dir/out" "the rule is that of a file loaded as its head says, without component han"

# ---- the line that is named is the rule's, in the file that export writes, without its remarks ----
run export -q --results "$results" --dataset made --library openmpi-4.1 --build "$dir" --output "$dir/named.rules"
explain peak bcast 16 1M
line=$(sed -n 's/^  line \([0-9]*\), for .*/\1/p' "$dir/out")
says "lines are counted without the remarks" "$dir/out" "how lines are counted is said"
has "$(sed -n 's/^  algorithm \([0-9]*\) .*/\1/p' "$dir/out") " "$(sed '/^#/d' "$dir/named.rules" | sed -n "${line}p" | cut -d ' ' -f 2-)" \
    "line $line of the exported file is the rule"

# ---- what no rule can say: of a scan the library sees no sizes ----
awk 'BEGIN {
    print "P,alg,bytes,us"
    for (run = 0; run < 5; run++)
        printf "16,recursive_doubling,8,%g\n16,default,8,%g\n16,recursive_doubling,1024,%g\n16,default,1024,%g\n", \
            1 + run / 100, 2 + run / 100, 9 + run / 100, 2 + run / 100
}' >"$dir/scan.csv"
run import -q -c peak --name scans --results "$results" --format csv --mpi openmpi --mpi-version 4.1.4 --set collective=scan,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/scan.csv" && run fit -q -c peak --results "$results" --dataset scans
run explain --results "$results" --dataset scans peak scan 16 8
says "by this cell's own times: the fastest of the library's own" "$dir/out" "what is faster for one size alone"
says "but the default stays: a rule for this cell would be one for others, too" "$dir/out" "what no rule can say is said to be left out"

# ---- ties ----
explain peak bcast 8 1K --json
is "True" "$(json "[c['tied'] for c in e['candidates'] if c['candidate']['algorithm'] in ('openmpi:binomial', 'openmpi:linear', 'openmpi:basic_linear')][1]")" \
    "what overlaps the fastest is tied with it"
is "None" "$(json "[c for c in e['candidates'] if c['tied'] not in (True, False)] or None")" "each has a verdict"

# What is as fast as the fastest stands in for it, as in the cell beside, by its own interval: that of the chain at 64 KiB, whose runs scatter, is wide.
near() { # near RUN...: the chain's times at 64 KiB
    { echo P,alg,bytes,us; for k in 1 2 3; do eval "chain=\$$k"; printf '8,%s\n' chain,16384,10.0$k binomial,16384,20.0$k default,16384,15.0$k \
        chain,65536,"$chain" binomial,65536,99.5$k default,65536,150.0$k; done; } >"$dir/near.csv"
    run import -q -c peak --name near --results "$results" --format csv --mpi openmpi --mpi-version 4.1.4 --set collective=bcast,mapping=core \
        --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/near.csv" && run fit -q -c peak --results "$results" --dataset near
    run explain --results "$results" --dataset near peak bcast 8 64K --json
    is 0 $status "the chain's runs are $*"
}
near 90 100 110
is "chain True" "$(json "e['rule']['algorithm'], e['rule']['gain_pct'] < 50.1" | tr -d "(),'")" "surely faster than the default, it is taken as in the cell beside"
run explain --results "$results" --dataset near peak bcast 8 64K
sed -n 's/.*also at the lower end of the gain.s interval; measured speed-up: 1.50 (\([0-9.]*\) to \([0-9.]*\))$/\1 \2/p' "$dir/out" | awk '{ wide = $2 - $1 > 0.2 } END { exit !wide }'
ok $? "with the interval of its own runs"
near 60 100 140
is binomial "$(json "e['rule']['algorithm']")" "where its own runs do not tell it from the default, the fastest is set"

# An algorithm of somebody else's, under a name that the library has, too; one time of one run.
{ echo P,alg,bytes,us; for k in 1 2 3; do printf '8,%s\n' chain,1024,20.0$k pico:chain,1024,10.0$k default,1024,30.0$k; done; echo 8,pico:binomial,1024,50; } >"$dir/other.csv"
run import -q -c peak --name other --results "$results" --format csv --mpi openmpi --mpi-version 4.1.4 --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/other.csv" && run report -q -c peak --results "$results" --dataset other
is 0 $status "algorithms of two sources"
says "chain (pico)** is fastest in 1" "$results/peak/other/report/page.md" "are told apart on the page"
run explain --results "$results" --dataset other peak bcast 8 1K
is 1 "$(grep -c "pico:binomial.*4.99 * slower, untested$" "$dir/out")" "what one run says to be slower is untested"
is 1 "$(grep -c "openmpi:default.* slower, the default$" "$dir/out")" "what three say is"

# ---- cells that were not measured ----
explain peak bcast 16 100K
says "This very cell was not measured. Nearest cells with times: P = 16 on" "$dir/out" "a cell between the measured ones is said to be one"
says "it gets what its neighbour below gets" "$dir/out" "and which rule it gets"
explain peak bcast 12 1M --json
is "False" "$(json "e['has_times']")" "so are processes"

# ---- other readers, and pictures that do not fit ----
explain peak bcast 16 1M --library openmpi-6
says "--library openmpi-6" "$dir/out" "another release's rule may be asked for"
explain peak bcast 16 1M --library mpich-4.0
says "none can be said: no times of mpich" "$dir/out" "but not another library's"
explain peak bcast 16 1M --mapping node
is 1 $status "a mapping that was not measured"
says "(there is: core)" "$dir/err" "is an error that says which were"

# ---- what is not there ----
run explain --results "$results" gros bcast 16 1M
is 1 $status "a study without measurements"
says "run \`collsel report --cluster gros --study bcast --results $results\`" "$dir/err" "is an error that says how there would be some"
explain peak bcast 16
is 2 $status "without a size: wrong usage"
explain peak bcst 16 1M
is 2 $status "a collective that does not exist, too"
explain peak bcast 16 1M -p 16 --bytes 1048576 --collective bcast -c peak
is 0 $status "an option that says what the word says is none"
for given in "-p 8" "-m 8K" "--collective reduce" "-c gros" "--mapping node"; do
    # shellcheck disable=SC2086
    explain peak bcast 16 1M core $given
    is 2 $status "$given says something else than the words"
done
says "--mapping says something else than the word 'core'" "$dir/err" "which is said"
explain peak bcast 16 1M core more
is 2 $status "and a word too many"

# ---- a simulated study: its own samples, the published decision as the default ----
run sweep -q -b walk -c mini -s bcast --results "$results" && run fit -q -b walk -c mini -s bcast --results "$results"
is 0 $status "a walked study"
run explain --results "$results" -b walk mini bcast 4 32K
says "by the published decision of Open MPI 3.1" "$dir/out" "what stands for the default is named"
says ", the default" "$dir/out" "and marked among the candidates"
says "  walked: by this cell's own times" "$dir/out" "what was walked is not called measured"
is 0 "$(grep -c " measured" "$dir/out")" "nowhere"
is 1 "$(grep -c "portable:NAME is collsel's schedule of" "$dir/out")" "what portable:NAME stands for is said once"
run recommend --results "$results" -b walk -c mini -s bcast --collective bcast -p 4 -m 32K,64K
says "    walked: by this cell's own times" "$dir/out" "so does recommend"
is 1 "$(grep -c "portable:NAME is collsel's schedule of" "$dir/out")" "and says it once"
for form in --json --csv; do
    run recommend --results "$results" -b walk -c mini -s bcast --collective bcast -p 4 -m 32K $form
    is "0 2" "$(grep -c measured "$dir/out") $(grep -o walked "$dir/out" | grep -c .)" "and its $form, as evidence and as selector"
done
run explain --results "$results" -b walk mini bcast 4 32K --json
is 0 "$(grep -c measured "$dir/out")" "and the JSON of explain"
for form in '' --json; do
    # shellcheck disable=SC2086 # nothing, or one word
    run predict --results "$results" -b walk -c mini -s bcast bcast -p 4 -m 32K $form
    is 0 "$(grep -c measured "$dir/out")" "and predict $form"
    says walked "$dir/out" "which says what it is"
done
# (128 KiB is the largest size; of 1 GiB the published decision takes 128 KiB segments, which no cell has)
walked() { run recommend --results "$results" -b walk -c mini -s bcast --collective bcast "$@"; }
walked -p 100 -m 8K --for gros
is 0 $status "a walked study answers for another machine"
says "safe: the default: " "$dir/out" "by the same published decision"
walked -p 100 -m 8K --for gros --portable
is "0 yes" "$status $([ -s "$dir/out" ] && echo yes)" "so does one asked about portable ones"
is 0 "$(grep -c "default was not measured" "$dir/out")" "with --portable too"
walked -p 1,2 -m 8K
is 1 "$(grep -c "safe: the default: one process, nothing to choose; " "$dir/out")" "one process has nothing to choose, two have"
is 0 "$(sed -n 2p "$dir/out" | grep -vc "one process")" "which is said of P = 1"
walked -p 4 -m 1G
says "1 GiB: portable:pipeline 128 KiB" "$dir/out" "far away the default stays where its own choice there has no time"
says "safe: the default: what it runs there was not measured, so no gain over it is known; extrapolated" "$dir/out" "which is said"
walked -p 4 -m 1G --unsafe
says "portable:pipeline 8 KiB" "$dir/out" "with --unsafe what was learnt decides"
says "what the library's default runs there was not measured" "$dir/out" "and what is not known is said"
run explain --results "$results" -b walk mini bcast 4 64M
says "What to take: portable:pipeline 128 KiB" "$dir/out" "explain keeps the default, too"
# (8 KiB segments of 1 TiB are 134 million rounds of each rank)
timeout 60 "$collsel" explain --results "$results" -b walk mini bcast 4 1T >"$dir/out"
is 0 $? "a size of millions of rounds is answered before long"
timeout 60 "$collsel" predict bcast pipeline -p 4 -m 1T --dataset "$results/mini/bcast-walk" >"$dir/out"
grep -q "^links_step  *-  too_many" "$dir/out"
ok $? "of what is not walked that is said"
run sweep -n -q --results "$results" -b walk -c mini -s bcast
is "0 0 of 130 points to do" "$status $(cat "$dir/out")" "a dry run of what is done says so"
printf '[study]\nname = few\ncollectives = bcast\nmappings = core\n[grid]\nprocs = 4\nbytes = 8K\n[candidates]\nportable = chain binomial\n[fit]\nexperiments = no\n' >"$dir/few.ini"
run sweep -q -b walk -c gros -s "$dir/few.ini" --results "$results" && run fit -q -b walk -c gros -s "$dir/few.ini" --results "$results"
run verify -b walk -c gros -s "$dir/few.ini" --results "$results" --library openmpi-4.1
is 2 $status "what a simulation chose is not verified on a cluster that only a simulation measures"
says "what would measure here is sim (--backend says whose times choose)" "$dir/err" "which tells the two backends apart"
# What was learnt of one rank a node says nothing of two full nodes.
printf '%s\n' '[study]' 'name = apart' 'collectives = bcast' 'mappings = core' '[grid]' 'procs = 40 60 80 120' 'ranks_per = node' 'bytes = 8K 16K 64K' '[candidates]' \
    'portable = knomial basic_linear chain' 'sim_default = openmpi31' '[fit]' 'experiments = no' >"$dir/apart.ini"
run sweep -q -b walk -c gros -s "$dir/apart.ini" --results "$results" && run fit -q -b walk -c gros -s "$dir/apart.ini" --results "$results"
run recommend -b walk -c gros -s "$dir/apart.ini" --results "$results" --collective bcast -p 70 -m 8K
says "in the cells with times about it" "$dir/out" "a cell between others is decided by these"
run recommend -b walk -c gros -s "$dir/apart.ini" --results "$results" --collective bcast -p 70 -m 8K --for peak
says "safe: the default: nobody knows what gains so far beyond" "$dir/out" "the same ranks on two nodes of another machine are not"
# (a study that is not the collective's name is found, too)
run recommend --results "$results" -c mini --collective bcast -p 4 -m 8K
is 0 $status "where the study asked has no times the model that ships answers"
says "times of bcast are in '$results/mini/bcast-walk': to ask these: --dataset $results/mini/bcast-walk" "$dir/err" "but names who has some"
run recommend --results "$results" -c mini --collective reduce -p 4 -m 8K
says "nothing was measured in '$results/mini/reduce'" "$dir/err" "without --study that of the collective's name is asked"
is 0 "$(grep -c "times of reduce are in" "$dir/err")" "and nobody is named where nobody has times"
run explain --results "$results" -b walk mini bcast 4 32K
says "(margin 3 %; the default is that of Open MPI 3.1)" "$dir/out" "and that no reader here is of that release"
is 0 "$(grep -c "default that was beaten" "$dir/out")" "of a default that stays none is said to be beaten"
grep -q "^  links_step (simulator)  *portable:" "$dir/out"
ok $? "and what each model would take"

# ---- samples of our own ----
cat >"$dir/planted.ini" <<'END'
[study]
name = planted
collectives = bcast
mappings = core
seed = 5
[grid]
procs = 8 16
bytes_from = 8K
bytes_to = 64K
bytes_count = 2
[candidates]
portable = basic_linear chain binomial
segment_bytes = 8K
default = no
END
COLLSEL_NULL_TABLE=tests/cli/planted.csv "$collsel" sweep -q -b null -c gros -s "$dir/planted.ini" --results "$results" >"$dir/out" 2>&1 &&
    run fit -q -c gros -s "$dir/planted.ini" --results "$results"
run explain --results "$results" -c gros -s "$dir/planted.ini" --collective bcast -p 8 -m 8K --json
is 0 $status "a study with samples"
holds "$(json "min(c['calls'] for c in e['candidates'])") > 1" "says how many calls a time rests on"
is "None" "$(json "e['default']['longer_pct']")" "without a default nobody knows what it costs"
tap_done
