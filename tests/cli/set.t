#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The page's first table says what to set, and that is what the exported file makes the library run.
. tests/cli/run.sh
results="$dir/mine/tune, it's" # its name is quoted in commands of the page
mkdir -p "$dir/clusters" "$dir/mine"
cp -r clusters/presets clusters/studies "$dir/clusters/"
on() { run "$@" --clusters "$dir/clusters" --cluster mine --study tune --backend walk --results "$results"; }
run new-cluster mine --clusters "$dir/clusters" --nodes 3 --sockets 2 --cores 2 --threads 1 --link edr
is 0 $status "a cluster"
on report -q
is 0 $status "its page"
there=$results/mine/tune-walk/report
is 1 "$(grep -c "[^_]>What to set: Open MPI 4.1&#39;s algorithms, ranks by core, on mine (walked)<" "$(pages "$there")")" "the first table names library and release in words"
is 0 "$(grep -c "What to set[^<]* walk " "$(pages "$there")")" "and no backend for a library"
says "Algorithm, segment size (its number in Open MPI 4.1): speed-up over the default" "$(pages "$there")" "its note tells of the numbers that it shows"
is "" "$(grep -i measured "$there/page.md" | grep -v "not measured on the machine\|nothing was run, measured or simulated")" "what was walked is not called measured"
sections=$(grep '^## ' "$there/page.md" | head -2 | sed 's/ {.*//; s/^## //' | tr '\n' ';')
is "What to set;What the default loses;" "$sections" "begins with what to set"
on export --library openmpi-4.1 --output "$dir/rules"
is 0 $status "the file is written"
on export --library openmpi-4.1 --mapping socket --output "$dir/none.rules"
says "no times of mapping socket by which rules could be chosen (there is: core)" "$dir/err" "another mapping is what lacks, not another default"
on export --library openmpi-4.1 --output "$dir/rules"
told=$(awk '/^left to the default: / { n++; if (match($0, /and so in [0-9]+ other/)) n += substr($0, RSTART + 10) } END { print n + 0 }' "$dir/err")
cells=$(sed -n 's/^# in \([0-9]*\) of \([0-9]*\) cells .*/\1 of \2/p' "$dir/rules")
holds "${cells%% *} > 0" "something is to be set"
is 0 "$(grep -c "^# in .*interval" "$dir/rules")" "the head tells of no interval where there is none"
says "In $cells cells something of the library's own gains more than" "$there/page.md" "the page counts as many cells as the file: $cells"
command=$(sed -n 's/.*`collsel \(rules write [^`]*--library openmpi-4.1\) --output.*/\1/p' "$there/page.md" | head -n 1)
eval "run $command --output '$dir/typed.rules'"
is "0 $(grep -v '^#' "$dir/rules" | cksum)" "$status $(grep -v '^#' "$dir/typed.rules" | cksum)" "the command on the page, typed as it is, makes that file: $command"

# Each cell's number, as the page has it and as the library's reader would choose.
wrong='' n=0
for c in allgather allreduce alltoall bcast reduce; do
    procs=$(awk -F, 'NR > 1 { print $1 }' "$there/tables/set-cells-$c-walk-core.csv" | sort -nu | paste -sd, -)
    bytes=$(awk -F, 'NR > 1 { print $2 }' "$there/tables/set-cells-$c-walk-core.csv" | sort -nu | paste -sd, -)
    run rules "$dir/rules" --library openmpi-4.1 --collective $c -p "$procs" -m "$bytes" --json
    perl -MJSON::PP -0777 -ne 'print join(",", $_->{procs}, $_->{bytes}, $_->{outcome} eq "rule" ? $_->{id} : 0), "\n" for @{decode_json($_)->{answers}}' \
        "$dir/out" | sort >"$dir/read"
    awk -F, 'NR > 1 { print $1 "," $2 "," ($3 == "set" ? $5 : 0) }' "$there/tables/set-cells-$c-walk-core.csv" | sort >"$dir/page"
    n=$((n + $(wc -l <"$dir/page")))
    wrong="$wrong$(diff "$dir/page" "$dir/read" | sed "s/^/$c /")"
done
holds "$n >= 100" "many cells: $n"
is "$told" "$(printf '%s' "$wrong" | grep -c ' < ')" "what the page says is what the library reads, but for the $told choices that were told as left out"
is 0 "$(printf '%s' "$wrong" | grep ' > ' | grep -vc ',0$')" "which stay the library's own"

# What is held out for judging models makes no cells; a default of another release is named.
cat >"$dir/clusters/studies/held.ini" <<'END'
[study]
name = held
collectives = bcast
mappings = core
[grid]
procs = 4 12
bytes = 1K 64K
ranks_per = core
[candidates]
portable = basic_linear chain binomial
segment_bytes = 8K
sim_default = openmpi31
[held_out]
held_procs = 8
held_bytes_factor = 1.5
[fit]
experiments = no
END
run report -q --clusters "$dir/clusters" --cluster mine --study held --backend walk --results "$dir/r"
is 0 $status "a study that holds cells out"
held=$dir/r/mine/held-walk/report
is "2 2" "$(awk -F, 'NR > 1 { p[$1] = m[$2] = 1 } END { print length(p), length(m) }' $held/tables/set-cells*.csv)" \
    "the page has the study's own cells alone"
says "these gains are over the default of Open MPI 3.1, and the rules are for openmpi-4.1" "$held/page.md" "and says whose default it is"
run explain --clusters "$dir/clusters" --cluster mine --study held --backend walk --results "$dir/r" --collective bcast -p 12 -m 64K
says "\`collsel rules write --library openmpi-4.1\` writes it" "$dir/out" "and explain takes the same reader"
run export --clusters "$dir/clusters" --cluster mine --study held --backend walk --results "$dir/r" --library openmpi-4.1 --output "$dir/h.rules"
says "that of Open MPI 3.1" "$dir/h.rules" "as the file's head"
is 0 "$(grep -c "Open MPI 3.1" "$dir/rules")" "which is silent where it is the same"

# The head's command is for a shell, and one line, whatever the file is called.
mkdir "$dir/a b"
on export -q --library openmpi-4.1 --output "$dir/a b/it's.rules"
is 0 $status "a path with a space and a quote"
command=$(sed -n 's/^# *mpirun \(.*\) \.\.\.$/\1/p' "$dir/a b/it's.rules")
is "$dir/a b/it's.rules" "$(eval "set -- $command"; shift $(($# - 1)); echo "$1")" "is one word in the command that loads it"
on export -q --library openmpi-4.1 --output "$dir/a b/x
7 7 7"
is 2 $status "a path with a line end, which would put a line of its own into the rules, is refused"
says "a control character in the name" "$dir/err" "and why"
ok $(($(ls "$dir/a b" | wc -l) != 1)) "nothing of it is written"

# One command from a described machine to its page and a file, and to the line that loads it: tune of a walk.
top=$PWD tool=$(readlink -f "$collsel")
mkdir "$dir/tune" && cd "$dir/tune" || exit 1
"$tool" tune -q --cluster "$dir/clusters/mine.ini" --study "$top/clusters/studies/tune.ini" --backend walk openmpi-4.1 >"$dir/out" 2>"$dir/err"
is "0 " "$? $(cat "$dir/err")" "tune of a walk"
[ -s results/mine/tune-walk/report/index.html ] && [ -s results/mine-tune-openmpi-4.1.rules ]
ok $? "makes a page and a file"
says "The file to load:</strong> $dir/tune/results/mine-tune-openmpi-4.1.rules, for openmpi-4.1 (not verified: what it gains was not measured)" \
    results/mine/tune-walk/report/index.html "which the page names, and says that it was not verified"
says "how far to trust these times: walked, a guide only; an estimate without interval; " "$dir/out" "says how far to trust them"
says "  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $dir/tune/results/mine-tune-openmpi-4.1.rules ..." "$dir/out" "and how to load the file"
says "not verified: what it gains was not measured" "$dir/out" "and that it was not verified"
# A step that is killed cannot say so itself.
"$tool" tune -q --cluster "$dir/clusters/mine.ini" --study "$top/clusters/studies/tune.ini" --backend walk --results killed openmpi-4.1 >"$dir/out" 2>"$dir/err" &
tune=$!
step=
while [ -z "$step" ] && kill -0 $tune 2>/dev/null; do read -r step _ <"/proc/$tune/task/$tune/children"; done 2>/dev/null
kill -KILL "$step"
wait $tune
is 1 $? "a step that is killed ends it with status 1"
says "collsel tune: run the same command again, it resumes: the step 'measure' was killed by signal 9 (Killed)" "$dir/err" "which says what to do"
[ ! -e killed/mine-tune-openmpi-4.1.rules ]
ok $? "and no file is there"
# MPICH's own default is walked by a study of its own; each release gets its two trees.
"$tool" tune -q --cluster "$dir/clusters/mine.ini" --study "$top/clusters/studies/tune-mpich.ini" --backend walk mpich-4.2 mpich-5.0 >"$dir/out" 2>"$dir/err"
is "0 " "$? $(cat "$dir/err")" "tune of a walk for MPICH"
for release in 4.2 5.0; do
    [ -s results/mine-tune-mpich-mpich-$release.rules ] && [ -s results/mine-tune-mpich-mpich-$release.rules.ch4 ]
    ok $? "writes the trees of $release"
    is "0 0" "$("$tool" rules results/mine-tune-mpich-mpich-$release.rules --library mpich-$release | grep -c ' error: ') $("$tool" rules results/mine-tune-mpich-mpich-$release.rules.ch4 --library mpich-$release | grep -c ' error: ')" "in which nothing is an error"
done
"$tool" export --cluster "$dir/clusters/mine.ini" --study "$top/clusters/studies/tune.ini" --backend walk --library mpich-5.0 >"$dir/out" 2>"$dir/err"
is 1 $? "the walk with Open MPI's default makes none"
says "the default of these times is that of openmpi41, not of mpich-5.0 (want a study with \`sim_default = mpich40\`" "$dir/err" "and says what to write"
cd "$top" || exit 1
# What the first page tells to type: the file where there is something to set for sure, the question about the library that it speaks of.
awk 'BEGIN {
    print "mpi,release,mapping,P,alg,bytes,us"
    for (run = 0; run < 3; run++)
        for (m = 1024; m <= 65536; m *= 64) {
            print "openmpi,4.1.4,core,4,binomial," m "," 10 + 0.01 * run; print "openmpi,4.1.4,core,4,default," m "," 15 + 0.01 * run
            if (run)
                continue
            print "openmpi,4.1.4,node,4,binomial," m ",10"; print "openmpi,4.1.4,node,4,default," m ",30"
            print "mpich,4.0.2,core,4,binomial," m ",10"; print "mpich,4.0.2,core,4,default," m ",50"
        }
}' >"$dir/two.csv"
run import -q -c peak --name two --results "$dir/two" --format csv --set collective=bcast --map mpi=mpi,mpi_version=release,mapping=mapping,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/two.csv"
is 0 $status "times of two libraries and two mappings, most of one run"
run report -q -c peak --dataset two --results "$dir/two" --brief
says "broadcast of MPICH with ranks by core is 5.0 times slower than it could be, in the geometric mean" "$dir/out" "the worst is named with its library"
sed -n 's/^ *collsel \(rules write .*\) --output.*/\1/p; s/^ *collsel \(ask .*\)/\1/p' "$dir/out" >"$dir/typed"
eval "run $(sed -n '/^rules/p' "$dir/typed") --output '$dir/some.rules'"
is "0 1" "$status $(grep -c -- '--library openmpi-4.1' "$dir/typed")" "the command that writes a file is of the library and mapping"
says "$dir/some.rules" "$dir/err" "of which there is one to write"
eval "run $(sed -n '/^ask/p' "$dir/typed")"
says "bcast mpich core P = 4 on 1 node, 1 KiB: mpich:binomial; speed-up over the default: 5.00" "$dir/out" "and the question is about the worst cell, of its library"
# What all share is not said: neither of the only library, nor of the only mapping.
grep -v 'mpich\|core' "$dir/two.csv" >"$dir/one.csv"
run import -q -c peak --name one --results "$dir/two" --format csv --set collective=bcast --map mpi=mpi,mpi_version=release,mapping=mapping,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/one.csv"
run report -q -c peak --dataset one --results "$dir/two" --brief
says "With the library's default, broadcast is 3.0 times slower than it could be" "$dir/out" "one library and one mapping are not named"
page=$(sed -n 's/^all of it: //p' "$dir/out")
is ">bcast</text>" "$(grep -o '>bcast[^<]*</text>' "$page" | sort -u)" "nor in the pictures"
# A library of which all was skipped is none of the page's.
points=$dir/two/peak/one/points.csv
awk -F, 'BEGIN { OFS = "," } { print } $15 == "openmpi:binomial" && !n++ {
    $3 = "unknown"; $4 = "468f3c0be31a4fd6"; $8 = "mpich"; $15 = "mpich:binomial"; $20 = $37 = 0; $39 = ""; $43 = "skipped"; $44 = "not there"
    for (i = 21; i <= 29; i++) $i = ""
    last = $0 } END { print last }' "$points" >"$dir/skipped.csv"
cp "$dir/skipped.csv" "$points"
run report --as-is -q -c peak --dataset one --results "$dir/two" --brief
says "With the library's default, broadcast is 3.0 times slower than it could be" "$dir/out" "the only other library was skipped: none is named"
is 1 "$(grep -c '^bcast ' "$dir/out")" "and it has no row"
tap_done
