#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091
# collsel status: one table for every backend, what it shows and how wide, JSON, --failed, --watch. What
# it makes of Slurm's words: tests/cli/slurm.t and tests/harness/run/slurm/ledger-t.c.
. tests/cli/run.sh
PATH=$PWD/tests/fake/slurm:$PATH
export FAKE_SLURM="$dir/slurm"
mkdir -p "$FAKE_SLURM/do" "$dir/build/openmpi" "$dir/build/mpich"
for mpi in openmpi mpich; do ln -s "$(readlink -f "$build/null/measure")" "$dir/build/$mpi/measure"; done

widest() { awk '{ if (length($0) > n) n = length($0) } END { print n + 0 }' "$1"; }

# ---- without Slurm: the planted workload ----
plain() { # plain VERB OPTION...
    verb=$1
    shift
    run "$verb" -c gros -s tests/cli/tiny.ini -b null --results "$dir/n" "$@"
}
plain plan
plain status
is 0 $status "of what is only planned"
says "2 launches: 2 to do" "$dir/out" "all is to do"
is 0 "$(grep -c ETA "$dir/out")" "and how long it takes is not known"
COLLSEL_NULL_CRASH_AT=2 COLLSEL_NULL_ONCE=$dir/crashed plain sweep --retries 0
is 1 $status "a sweep with a point that kills its job"
plain status --retries 0
says "1 failed or timed out" "$dir/out" "the point that failed is counted"
says "killed by signal 9" "$dir/out" "and why is said"
plain status --failed --retries 0
is 1 "$(grep -c killed "$dir/out")" "--failed shows that launch"
is 0 "$(grep -c ' done ' "$dir/out")" "and not the other"
plain sweep --retries 1
is 0 $status "swept again, with a retry"
plain status --json
perl -MJSON::PP -0777 -ne '
    my $s = decode_json($_);
    my $n = 0;
    $n += $_->{finished} for @{$s->{launches}};
    die "sum" unless $n == $s->{finished} && $n == $s->{points};
    die "state" if grep { $_->{state} ne "done" } @{$s->{launches}};
    die "backend" unless $s->{backend} eq "null" && $s->{eta_s} == 0 && !$s->{driver};
' "$dir/out" 2>"$dir/perl"
ok $? "--json: valid, sums agree, all done $(cat "$dir/perl")"
cp "$dir/n/gros/tiny/events.jsonl" "$dir/events"
plain status
is 0 "$(grep -c 'lower bound' "$dir/out")" "of known ends nothing is said"
sed -i '$d' "$dir/n/gros/tiny/events.jsonl"
plain status
says "core-h is a lower bound: of 1 attempt without a known end nothing counts" "$dir/out" "an end that nobody saw is told beside the core-hours"
plain status --json
says '"unended": 1' "$dir/out" "for programs, too"
cp "$dir/events" "$dir/n/gros/tiny/events.jsonl"
plain status --watch=1
is 0 $status "--watch ends when nothing is at work"
is 1 "$(grep -c '^20..-..-..T' "$dir/out")" "after one look"

# ---- with Slurm: many launches, one at work, others waiting ----
cat >"$dir/two.ini" <<'END'
[cluster]
name = two
nodes = 4
sockets = 2
cores = 4
cpu = none
[slurm]
partition = two
launcher = mpirun
END
echo CPUS=8 >"$FAKE_SLURM/config"
sed 's/^collectives.*/&\nmpi = openmpi mpich\nmappings = core socket node/; s/^procs.*/procs = 2 4 8 16/
    s/^\[grid\]/&\nranks_per = core/; s/^repeats = 1/repeats = 2/' tests/cli/tiny.ini >"$dir/many.ini"
c() { # c VERB OPTION...
    verb=$1
    shift
    run "$verb" --clusters "$dir" -c two -s "$dir/many.ini" --build "$dir/build" --results "$dir/r" "$@"
}
COLLSEL_NULL_HANG_AT=3 c submit --no-collect
is 0 $status "submit"
soon grep -qs started "$dir/r/two/tiny/events.jsonl"
c status
says "array " "$dir/out" "more launches than a screen has lines are shown by array"
is 4 "$(grep -c '^[a-z]*, [24] nodes ' "$dir/out")" "one line each"
holds "$(widest "$dir/out") <= 100" "in 100 columns"
# all_told: one at work and one that waits; on a machine so busy that Slurm answers late, later.
all_told() { c status --all && grep -q ' running .*  h1' "$dir/out" && grep -q ' pending .*  \(Resources\|Priority\)$' "$dir/out"; }
soon all_told
says "launch " "$dir/out" "--all shows each"
grep -q ' running .*  h1' "$dir/out"
ok $? "with the nodes of one at work"
grep -q ' pending .*  \(Resources\|Priority\)$' "$dir/out"
ok $? "and why another waits"
holds "$(widest "$dir/out") <= 100" "in 100 columns"
heard() { c status --json && grep -q '"slurm_silent": *""' "$dir/out"; }
soon heard
perl -MJSON::PP -0777 -ne '
    my $s = decode_json($_);
    my @r = grep { $_->{state} eq "running" } @{$s->{launches}};
    die "running" unless @r && $r[0]{nodes} =~ /h1/ && $r[0]{job} =~ /^\d+_\d+$/;
    die "silent" if $s->{slurm_silent} ne "";
' "$dir/out" 2>"$dir/perl"
ok $? "--json has the same $(cat "$dir/perl")"

"$collsel" status --clusters "$dir" -c two -s "$dir/many.ini" --results "$dir/r" --watch=1 >"$dir/watch" 2>&1 &
pid=$!
if command -v script >/dev/null; then
    drawn=$(printf '\033\\[H\033\\[J')
    script -qec "$collsel status --clusters $dir -c two -s $dir/many.ini --results $dir/r --watch" \
        /dev/null </dev/null >"$dir/screen" 2>&1 &
    screen=$!
    soon grep -q "$drawn" "$dir/screen"
    ok $? "on a terminal the screen is drawn anew"
    kill $screen
    wait $screen
else
    skip "no script(1)" "on a terminal the screen is drawn anew"
fi
for job in "$FAKE_SLURM"/job/*; do scancel "${job##*/}"; done
wait $pid
is 0 $? "--watch ends when all tasks have"
holds "$(grep -c '^20..-..-..T' "$dir/watch") >= 2" "after several looks"
is 0 "$(grep -c "$(printf '\033')" "$dir/watch")" "appended, without a terminal"
c status
says "(collsel measure collect writes it down)" "$dir/out" "what Slurm ended and nobody wrote down is told"
c collect
is 1 $status "collect"
c status --failed
says "Slurm: cancelled" "$dir/out" "and now --failed shows it"
holds "$(widest "$dir/out") <= 100" "in 100 columns"

# ---- what nobody can have written ----
at=$dir/n/gros/tiny
for bad in 1e300 -5000; do
    cp "$at/events.jsonl" "$dir/events"
    sed -i '$s/"elapsed_s":[^,}]*/"elapsed_s":'"$bad/" "$at/events.jsonl"
    plain status
    is 1 $status "an event that took $bad seconds"
    says "events.jsonl:$(wc -l <"$dir/events"): elapsed_s: " "$dir/err" "is named with its line"
    cp "$dir/events" "$at/events.jsonl"
done
cp "$at/manifest.json" "$dir/manifest.json"
head -c 300 "$dir/manifest.json" >"$at/manifest.json"
plain status
is 1 $status "a manifest that was cut"
says "manifest.json:" "$dir/err" "is named"
plain sweep
is 1 $status "and sweep does not write over it"
is 300 "$(wc -c <"$at/manifest.json")" "so that it stays"
cp "$dir/manifest.json" "$at/manifest.json"
plain status
is 0 $status "mended, all is as before"

# ---- wrong usage ----
run status --watch=0
is 2 $status "--watch=0 is wrong usage"
run status --watch=soon
says "'soon' is not a whole number (want 1 to " "$dir/err" "and so is a word, which is called one"
run status --watch=99999999999999999999
says "is out of range (want 1 to " "$dir/err" "while a whole number too large is out of range"
run status --retries=-1
is 2 $status "and --retries=-1"
run status more
is 2 $status "and an argument"
# Points that are finished without a time that counts: counted as such, and nothing else is a failure.
"$collsel" sweep -q -b null -c gros -s tests/cli/tiny.ini --results "$dir/u" >/dev/null 2>&1
samples=$dir/u/gros/tiny/samples
first=$(ls "$samples"/*.outcomes.csv | head -1)
sed -i '/,ok,/{s/,ok,[^,]*,/,invalid,planted reason,/;:a;n;ba}' "$first"
run status -c gros -s tests/cli/tiny.ini --results "$dir/u"
says "points finished, 1 of them unusable" "$dir/out" "an invalid point is counted"
run status -c gros -s tests/cli/tiny.ini --results "$dir/u" --failed
says "1 unusable, invalid: planted reason" "$dir/out" "and its launch is among the failed, with the reason"
run sweep -b null -c gros -s tests/cli/tiny.ini --results "$dir/u"
is 0 $status "a sweep with one such point is fine"
says ", 1 of them unusable (invalid: planted reason)" "$dir/out" "but says so"
sed -i 's/,ok,[^,]*,/,invalid,planted reason,/' "$samples"/*.outcomes.csv
run sweep -b null -c gros -s tests/cli/tiny.ini --results "$dir/u"
is 1 $status "one of which no point is usable fails"
says "no point has a usable time; the first: invalid: planted reason (see $samples/*.outcomes.csv)" "$dir/err" "with the reason and the file"
run report -b null -c gros -s tests/cli/tiny.ini --results "$dir/u"
is 1 $status "and so does its report"
says "; the first: planted reason (see $dir/u/gros/tiny/events.jsonl and samples/*.outcomes.csv)" "$dir/err" "with the reason"
says "fitting the models" "$dir/err" "a report says what it does while it does it"
tap_done
