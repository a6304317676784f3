#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154,SC2317
# collsel verify through Slurm, on the fakes of tests/fake/slurm: the planted workload goes by the file of rules as the library's reader
# does. Each round has an allocation of its own and measures without the file and with it there; what gains stays, what loses goes; kills,
# a dead node, an interrupt: run again, and nothing is measured twice. The file is written whole or not at all. What stays is measured as a
# whole once more, in all cells, and what loses there goes; by which view, is the user's choice.
. tests/cli/run.sh
. tests/cli/slurm.sh
program=$(readlink -f "$collsel")
slurm_build openmpi mpich
ln -s "$program" "$dir/build/collsel"
slurm_cluster 4 1 4 >"$dir/two.ini"
cat >"$dir/few.ini" <<'END'
[study]
name = few
collectives = bcast
mpi = openmpi mpich
mappings = core
[grid]
ranks_per = core
procs = 4 8
bytes = 8K 64K
[candidates]
openmpi = binomial pipeline
mpich = binomial
segment_bytes = 8K
[fit]
experiments = no
[measure]
repeats = 1
budget = 200ms
min_reps = 10
max_reps = 30
point_limit = 30s
END
# In the first table nothing is as slow as the default, a chain; in the second one, an algorithm has become slower still.
printf 'algorithm,alpha_s,beta_s_per_byte\nportable:chain,400e-6,1e-8\n' >"$dir/slow.csv"
printf 'algorithm,alpha_s,beta_s_per_byte\nportable:chain,400e-6,1e-8\nportable:binomial,20e-6,2e-8\n' >"$dir/worse.csv"
PATH=$PWD/tests/fake/slurm:$PATH
export COLLSEL_NULL_DEFAULT=chain COLLSEL_NULL_READER=openmpi-4.1 COLLSEL_NULL_TABLE="$dir/slow.csv" COLLSEL_NULL_NOISE=0.01
export COLLSEL_NULL_ONCE="$dir/none"

c() { # c VERB OPTION...
    verb=$1
    shift
    run "$verb" --clusters "$dir" -c two -s "$dir/few.ini" --build "$dir/build" --results "$here" "$@"
}
# measured NAME: a new Slurm, and a study that was measured: once for all, and copied.
measured() {
    here=$dir/measured
    export FAKE_SLURM="$here/slurm"
    if [ ! -d "$here" ]; then
        mkdir -p "$FAKE_SLURM/do"
        c sweep -q && c fit -q
        [ "$status" = 0 ] || ok 1 "a study is measured: $(cat "$dir/err")"
        soon idle
    fi
    here=$dir/$1
    FAKE_SLURM=$here/slurm
    cp -r "$dir/measured" "$here"
}
verify() { c verify --library openmpi-4.1 --unsure --rounds 2 "$@"; }
at() { echo "$here"/two/few/verify/openmpi-4.1/????????; }
outcomes() { cat "$(at)/$1"/samples/*.outcomes.csv 2>/dev/null | grep '^[0-9a-f]\{16\},'; }
idle() { [ -z "$(squeue -h -r -o %i)" ]; }
jobs_done() { cat "$@" | grep '"event":"done"' | grep -o '"job":"[0-9_]*"' | sort -u | wc -l; }
rules_in() { "$collsel" rules "$1" --library openmpi-4.1 --collective bcast -p 4,8 -m 8K,64K --json | grep -c '"outcome": "rule"'; }
tried() { sed '/^the file of what stays/,$d' "$dir/out" | grep -c " $1\$"; }
whole_of() { sed '1,/^the file of what stays/d' "$dir/out" | grep -c " $1\$"; }
# whole NAME: both sides have every launch, once.
whole() {
    for side in without with; do
        is 8 "$(outcomes $side | wc -l)" "$1: $side the file everything is measured"
        is "" "$(outcomes $side | cut -d, -f1 | sort | uniq -c | awk '$1 != 2')" "$1: each cell in two launches"
    done
}

# ---- it gains ----
measured gains
sed -i 's/"version": *"[^"]*"/"version": "unknown"/' "$here/two/few/manifest.json"
c verify --library openmpi --unsure
is 2 $status "a library without a release: nothing was measured with one that is known"
says "whose release is not known" "$dir/err" "so nobody knows how it reads"
rm -r "$here"
measured gains
verify --output "$dir/kept.rules"
is 0 $status "a file is verified through Slurm ($(cat "$dir/err"))"
has "4 of 4 rules stay" "$(cat "$dir/out")" "whatever gains stays"
has "loaded: in 8 launches of a cell the file's algorithm ran, in 0 another one" "$(cat "$dir/out")" "each launch with it proves that it was loaded"
has "OMPI_MCA_coll_tuned_dynamic_rules_filename=$(at)/rules" "$(cat "$(at)/with/manifest.json")" "its study says by which variable"
is 0 "$(grep -c dynamic_rules_filename "$(at)/without/manifest.json")" "the other one has none"
has "to roll back:" "$(cat "$dir/out")" "the way back is said"
whole gains
is "4 4" "$(jobs_done "$(at)/with/events.jsonl") $(jobs_done "$(at)"/with*/events.jsonl)" "each round of a launch has an allocation of its own, which both sides share"
first() { cat "$(at)"/with/jobs/*.out | sed -n "s/^openmpi-core-4x1-p4-r$1, \([a-z]*\) the file:.*/\1/p" | head -1; }
is "without with" "$(first 1) $(first 2)" "the other one first in each round"
is 4 "$(rules_in "$dir/kept.rules")" "the file has them"
has "verified in 2 rounds: of 4 cells with a rule 4 gain" "$(cat "$dir/kept.rules")" "and says that they were verified"
has "verified as a whole in 3 rounds of 4 cells: in the 4 with a rule the mean speed-up is" "$(cat "$dir/kept.rules")" "once more as a whole"
is "$dir/kept.rules verified as a whole in 3 rounds of 4 cells" "$(sed -n 's/.*"file": "\(.*\)".*/\1/p; s/.*"verified": "\(.* cells\):.*/\1/p' "$(at)/../../../rules.json" | xargs)" "which is noted beside the results, for the page"
has "as a whole: 4 of 4 rules stay; dropped now: 0" "$(cat "$dir/out")" "which drops none"
has "significantly worse (for sure in most rounds): 0 of 4 cells" "$(cat "$dir/out")" "and finds nothing worse"
is "12 12" "$(for side in without with; do cat "$(at)-whole/$side"/samples/*.outcomes.csv | grep -c '^[0-9a-f]\{16\},'; done | xargs)" "in launches of its own, one more of each side"
cp "$dir/kept.rules" "$dir/first.rules"
verify --output "$dir/kept.rules" --json
is 0 $status "again, as JSON"
is "4 8 2 4" "$(python3 -c "import json; o = json.load(open('$dir/out')); print(o['verdicts']['kept'], o['launches']['proved'], o['rounds'], len(o['cells']))")" "which says the same"
is "3 4 4 0 True" "$(python3 -c "import json; o = json.load(open('$dir/out'))['whole']; print(o['rounds'], o['rules'], o['with_rule']['cells'], o['worse'], o['with_rule']['gain_pct'] > 10)")" "of the whole file, too"
whole "run again"
is "" "$(diff "$dir/first.rules" "$dir/kept.rules")" "and the file is the same"
cp -r "$(at)-whole" "$dir/whole"
sed -i 's/^\([0-9a-f]\{16\}\),ok,/\1,failed,/' "$(at)"-whole/with/samples/*.outcomes.csv # no launch has times of both sides
verify
is "4 0" "$(whole_of missing) $(grep -c 'nan' "$dir/out")" "a gain that nobody knows is no number"
is 4 "$(grep -c '^bcast .* -  *-  *0 of 0' "$dir/out")" "but a dash"
rm -r "$(at)-whole"
mv "$dir/whole" "$(at)-whole"

# ---- MPICH's tree, by the variable that its release reads ----
COLLSEL_NULL_READER=mpich-4.0
c verify --library mpich-4.0 --unsure --rounds 2 --output "$dir/tree.json"
is 0 $status "MPICH's tree is verified, too ($(cat "$dir/err"))"
has "4 of 4 rules stay" "$(cat "$dir/out")" "it gains"
has "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" "$(cat "$here"/two/few/verify/mpich-4.0/*/with/manifest.json)" "by the variable that names it"
has "unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE" "$(cat "$dir/out")" "which the way back undoes"
rm -r "$here/two/few/verify/mpich-4.0"
COLLSEL_NULL_TABLE=$dir/worse.csv
c verify --library mpich-4.0 --unsure --rounds 2
# the tree says what MPICH does by itself, which is no chain: so something else runs where it has no rule, and slower
is "2 2" "$(tried loses) $(tried kept)" "of a tree two rules stay"
holds "$(whole_of loses) > 0" "a cell without a rule is slower with it"
has "as a whole: 0 of 2 rules stay; dropped now: 2" "$(cat "$dir/out")" "and not because the same ran: then all of the collective's rules go"
COLLSEL_NULL_TABLE=$dir/slow.csv
COLLSEL_NULL_READER=openmpi-4.1

# ---- it loses, or is not loaded ----
measured loses
COLLSEL_NULL_TABLE=$dir/worse.csv
verify --output "$dir/some.rules"
is 0 $status "rules of which some lose"
holds "$(tried loses) > 0 && $(tried kept) > 0" "some go, some stay"
holds "$(tried kept) + $(tried loses) == 4" "and nothing is in between"
is "$(tried kept)" "$(rules_in "$dir/some.rules")" "the file has those that stay alone"
is "$(tried loses) $(tried kept)" "$(whole_of none) $(whole_of kept)" "as a whole it is measured where it has none, too"
has "the same ran without and with the file in $((3 * $(tried loses))) launches of a cell: 0 looked faster for sure and 0 slower" "$(cat "$dir/out")" \
    "there the same runs with it, which shows how often two launches of one thing look different"
COLLSEL_NULL_TABLE=$dir/slow.csv

# ---- it gained twice, and loses as a whole ----
measured later
verify --output "$dir/later.rules"
is "0 4" "$status $(tried kept)" "rules that gain in two launches"
rm -r "$(at)-whole"
COLLSEL_NULL_TABLE=$dir/worse.csv
verify --output "$dir/later.rules"
is 0 $status "and are slower when all of the file is measured"
is 4 "$(tried kept)" "the first launches are as they were"
holds "$(whole_of loses) > 0" "the last ones have the last word"
has "as a whole: $((4 - $(whole_of loses))) of 4 rules stay; dropped now: $(whole_of loses)" "$(cat "$dir/out")" "which is said"
has "significantly worse (for sure in most rounds): $(whole_of loses) of 4 cells, 0 of them without a rule;" "$(cat "$dir/out")" "and all of them had one"
of() { if [ "$1" = 1 ]; then echo "1 $2 was"; else echo "$1 $2s were"; fi; } # NUMBER NOUN
has "in it $(of "$(whole_of loses)" cell) significantly worse, 0 untested, and $(of "$(whole_of loses)" rule) dropped" "$(cat "$dir/later.rules")" "in the file, too"
is "$((4 - $(whole_of loses)))" "$(rules_in "$dir/later.rules")" "which has the others"
holds "$(whole_of loses) == $(sed 1d "$here/two/few/verify/openmpi-4.1/whole.csv" | grep -c ',loses,')" "whole.csv has every cell"
COLLSEL_NULL_TABLE=$dir/slow.csv

# ---- faster by the slowest rank, slower by the mean over ranks: by the default, a chain, most ranks leave early ----
measured views
export COLLSEL_NULL_EARLY=chain
verify --output "$dir/both.rules"
is 0 $status "rules that gain by one view and lose by the other"
has "0 of 4 rules stay; dropped: 0 unsure, 0 slower, 4 faster by the slowest rank and slower by the mean over ranks (--view slowest keeps them)" "$(cat "$dir/out")" "are dropped"
is "0 1" "$status $(grep -c '^no rule stays: there is nothing to set; no file is written$' "$dir/out")" "where none stays that is an answer"
is 0 "$(find "$dir" -maxdepth 1 -name 'both.rules*' | wc -l)" "and there is no file"
echo before >"$dir/both.rules"
verify --output "$dir/both.rules" --json
is "0 before None []" "$status $(cat "$dir/both.rules") $(python3 -c "import json; o = json.load(open('$dir/out')); print(o['output'], o['undecided'])")" "a file of an earlier time stays, in JSON there is none"
verify --view slowest --output "$dir/slowest.rules"
has "4 of 4 rules stay" "$(cat "$dir/out")" "--view slowest keeps them"
is "4 4" "$(grep -c '^stays, and loses by the other view: bcast' "$dir/out") $(grep -c 'stays, and loses by the other view: bcast' "$dir/slowest.rules")" \
    "and names them, in the file, too"
verify --view mean
has "0 of 4 rules stay; dropped: 0 unsure, 4 slower" "$(cat "$dir/out")" "by --view mean they lose"
verify --view fastest
is 2 $status "there is no other view"
unset COLLSEL_NULL_EARLY

# ---- what the default runs by itself ----
measured same
points=$here/two/few/points.csv
awk -F, -v OFS=, '/^#/ { print; next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; print; next }
    $at["algorithm"] == "openmpi:default" && $at["procs"] == 4 && $at["bytes"] == 8192 { $at["ran_algorithm"] = "openmpi:binomial"; $at["ran_segment_bytes"] = 8192; $at["ran_fanout"] = 0 } { print }' \
    "$points" >"$dir/points" && mv "$dir/points" "$points"
verify
has "1 choice is left out: the default ran the same by itself" "$(cat "$dir/out")" "a choice of what runs anyway is none"
has "3 of 3 rules stay" "$(cat "$dir/out")" "the others are tried"

measured unread
COLLSEL_NULL_READER=
verify --output "$dir/unread.rules"
is 1 $status "a library that reads no file"
says "nothing shows that the file was loaded" "$dir/err" "is seen through"
is 0 "$(find "$dir" -maxdepth 1 -name 'unread.rules*' | wc -l)" "and nothing is written"
COLLSEL_NULL_READER=openmpi-4.1

# ---- mishaps: the first launch stops at its second point, once ----
in_background() {
    "$collsel" verify -q --clusters "$dir" -c two -s "$dir/few.ini" --build "$dir/build" --results "$here" --library openmpi-4.1 --unsure --rounds 2 --output "$dir/$1.rules" \
        >"$dir/$1.out" 2>"$dir/$1.err" &
    verify=$!
}
hang() { # hang NAME: verify of a study that was measured, when it has come to stand still
    measured "$1"
    export COLLSEL_NULL_HANG_AT=1 COLLSEL_NULL_ONCE="$here/hung"
    in_background "$1"
    soon [ -e "$here/hung" ]
    unset COLLSEL_NULL_HANG_AT
}
hang kill
squeue -h -r -o '%i|%T' | sed -n 's/|RUNNING//p' | head -1 >"$FAKE_SLURM/do/kill"
wait $verify
is 0 $? "a task is killed: verify submits it again, and completes ($(cat "$dir/kill.err"))"
whole kill
has "4 of 4 rules stay" "$(cat "$dir/kill.out")" "kill: with the same result"

hang node
echo h1 >"$FAKE_SLURM/do/nodefail"
mended() { grep -qs down "$FAKE_SLURM/node/h1" && scontrol update NodeName=h1 State=RESUME; }
soon mended
wait $verify
is 0 $? "a node dies under it ($(cat "$dir/node.err"))"
whole node

hang interrupt
verify --output "$dir/second.rules"
is 1 $status "a second verify meanwhile"
says "another collsel (process $verify on $(hostname)) is at work on '$here/two/few'" "$dir/err" "is refused, and told by whom"
c sweep -q
is 1 $status "so is a sweep of the same results"
kill -INT $verify
wait $verify
is 1 $? "verify is interrupted"
says "interrupted with" "$dir/interrupt.err" "and says so"
is 0 "$(find "$dir" -maxdepth 1 -name 'interrupt.rules*' | wc -l)" "no file is there"
squeue -h -r -o %i | xargs scancel
soon idle
in_background interrupt
wait $verify
is 0 $? "run again, it goes on ($(cat "$dir/interrupt.err"))"
whole interrupt
COLLSEL_NULL_ONCE=$dir/none

# ---- a task of something that was not submitted ----
measured changed
SLURM_JOB_ID=1 verify -q --launch openmpi-core-4x1-p4-r1
is 1 $status "a task by other choices than those that were submitted"
says "are others than when this was submitted" "$dir/err" "measures nothing"

# ---- a full disk at the end ----
if mkdir "$dir/full" && mount -t tmpfs -o size=64k tmpfs "$dir/full" 2>/dev/null; then
    here=$dir/gains FAKE_SLURM=$dir/gains/slurm
    echo before >"$dir/full/site.rules"
    dd if=/dev/zero of="$dir/full/fill" bs=4k 2>/dev/null
    verify --output "$dir/full/site.rules"
    is 1 $status "no room for the file"
    has "No space left" "$(cat "$dir/err")" "is an error that says so"
    is "before fill site.rules" "$(cat "$dir/full/site.rules") $(find "$dir/full" -type f -printf '%f\n' | sort | xargs)" "the earlier file stays, whole, and nothing beside it"
    rm "$dir/full/fill"
    verify --output "$dir/full/site.rules"
    is "0 " "$status $(diff "$dir/first.rules" "$dir/full/site.rules" | grep '^[<>]' | grep -v '\.rules')" "with room it is there"
    umount "$dir/full"
else
    skip "no leave to mount a small file system" "a full disk"
fi
tap_done
