#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091
# Further launches of what is uncertain, through jobs of Slurm: who is sent when, what status counts, and
# what the points say in the end. How a round is decided: tests/harness/study/rounds-t.c.
. tests/cli/run.sh
. tests/cli/slurm.sh
PATH=$PWD/tests/fake/slurm:$PATH
export FAKE_SLURM="$dir/slurm" COLLSEL_NULL_NOISE=0.05
mkdir -p "$FAKE_SLURM/do"
slurm_build openmpi
echo CPUS=8 >"$FAKE_SLURM/config"
slurm_cluster 2 2 4 >"$dir/two.ini"
sed 's/^procs.*/procs = 4/; s/^\[grid\]/&\nranks_per = core/; s/^repeats = 1/repeats = 3\nrepeats_max = 4\nprecision = 0.02/' \
    tests/cli/tiny.ini >"$dir/some.ini"
c() { # c VERB OPTION...
    verb=$1
    shift
    run "$verb" --clusters "$dir" -c two -s "$dir/some.ini" --results "$dir/r" "$@"
}
submit() { c submit --build "$dir/build" --no-collect; }
quiet() { # nothing is in the queue
    c status
    ! grep -q 'running\|pending' "$dir/out"
}
ended() { soon quiet; }
files() { ls "$dir"/r/two/tiny/samples/*"$1".a*.outcomes.csv 2>/dev/null | wc -l; }

c plan --build "$dir/build"
says "and up to 1 more launches of each" "$dir/out" "the plan tells of further launches"
is 0 "$(grep -c -e '-r4' "$dir/out")" "and does not count them"
submit
is 0 $status "submitted"
ended
is 0 "$(files r4)" "the first rounds come first"
is "$(files r1)" "$(files r3)" "each as often as asked"
c collect
says "goes on with them" "$dir/out" "collect tells that more launches are wanted, and how"
submit
is 0 $status "submitted again"
ended
holds "$(files r4) > 0" "the next round is measured"
first=$(cat "$dir"/r/two/tiny/samples/*r3.a*.outcomes.csv | grep -c '^[0-9a-f]\{16\},ok')
fourth=$(cat "$dir"/r/two/tiny/samples/*r4.a*.outcomes.csv | grep -c '^[0-9a-f]\{16\},ok')
holds "$fourth > 0 && $fourth < $first" "of what is uncertain alone: $fourth of $first points"
c collect
is 0 $status "then all is finished"
c status --json
perl -MJSON::PP -0777 -ne '
    my $s = decode_json($_);
    my $n = 0;
    $n += $_->{points} for @{$s->{launches}};
    die "points" unless $n == $s->{points} && $s->{finished} == $n;
    die "state" if grep { $_->{state} ne "done" && $_->{state} ne "enough" } @{$s->{launches}};
' "$dir/out" 2>"$dir/perl"
ok $? "status counts what was wanted $(cat "$dir/perl")"
submit
says "nothing to submit" "$dir/out" "and nothing is left to submit"
run fit --clusters "$dir" -c two -s "$dir/some.ini" --results "$dir/r"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n[$(at["launches"])]++; bad += $(at["interval"]) != "student" }
    END { exit !(n[3] > 0 && n[4] > 0 && bad == 0) }' "$dir/r/two/tiny/points.csv"
ok $? "points have three launches or four, and an interval over them"

# ---- the page: how sure it is comes before what is lost ----
page() { # page NAME: fit, select and report the study of $dir/NAME
    for verb in fit select "report --as-is"; do
        # shellcheck disable=SC2086
        run $verb --clusters "$dir" -c two -s "$dir/$1.ini" --results "$dir/$1"
    done
    page=$(pages "$dir/$1/two/tiny/report")
}
sed 's/^repeats = .*/repeats = 1/; /^repeats_max/d; s/^default = no/default = yes/' "$dir/some.ini" >"$dir/one.ini"
run submit --clusters "$dir" -c two -s "$dir/one.ini" --results "$dir/one" --build "$dir/build" --no-collect
quiet_one() {
    run status --clusters "$dir" -c two -s "$dir/one.ini" --results "$dir/one"
    ! grep -q 'running\|pending' "$dir/out"
}
soon quiet_one
page one
says "measured in one launch: they have no interval" "$page" "of one launch the page says that it is one"
says "one launch alone says what it loses" "$page" "and of a choice that it is not known what it loses"
is 0 "$(grep -c 'at worst it loses' "$page")" "nor what at worst"
is 0 "$(grep -c "What each selector loses" "$page")" "nor is there a drawing of what each selector loses"
tap_done
