#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel compare: studies of the planted workload in which nothing differs are not told to differ, every pair of them; what was made slower
# is named, with what ran. COLLSEL_LONG=1: 21 studies, 210 comparisons.
. tests/cli/run.sh
. tests/cli/slurm.sh
slurm_build openmpi mpich
slurm_cluster 4 1 4 >"$dir/two.ini"
cat >"$dir/some.ini" <<'END'
[study]
name = some
collectives = bcast reduce
mpi = openmpi mpich
mappings = core
[grid]
ranks_per = core
procs = 8
bytes = 64 512 4K 8K 32K 64K 256K 1M
[candidates]
segment_bytes = 8K
[fit]
experiments = no
[measure]
repeats = 5
budget = 20ms
min_reps = 5
max_reps = 10
point_limit = 30s
END
printf 'algorithm,alpha_s,beta_s_per_byte\nportable:chain,20e-6,1e-9\nportable:binomial,20e-6,1e-9\n' >"$dir/usual.csv"
printf 'algorithm,alpha_s,beta_s_per_byte\nportable:chain,20e-6,1e-9\nportable:binomial,60e-6,3e-9\n' >"$dir/slow.csv"
PATH=$PWD/tests/fake/slurm:$PATH
export COLLSEL_NULL_NOISE=0.02 COLLSEL_NULL_LAUNCH_NOISE=0.06

# measured NAME SEED DEFAULT TABLE
measured() {
    export FAKE_SLURM="$dir/$1/slurm" COLLSEL_NULL_SEED=$2 COLLSEL_NULL_DEFAULT=$3 COLLSEL_NULL_TABLE="$dir/$4.csv"
    mkdir -p "$FAKE_SLURM/do"
    set -- "$1" --clusters "$dir" -c two -s "$dir/some.ini" --build "$dir/build" --results "$dir/$1" -q
    name=$1
    shift
    run sweep "$@" && run fit "$@"
    [ "$status" = 0 ] || ok 1 "$name is measured: $(cat "$dir/err")"
}
n=2
[ -z "${COLLSEL_LONG:-}" ] || n=21
for i in $(seq $n); do measured "day$i" $((100 + i)) binomial usual; done
pairs=0 cells=0 named=0 alarms=0
for i in $(seq $n); do
    for k in $(seq $((i + 1)) $n); do
        run compare "$dir/day$i/two/some" "$dir/day$k/two/some" --exit-status --json
        pairs=$((pairs + 1))
        alarms=$((alarms + status))
        cells=$((cells + $(grep -c '"verdict"' "$dir/out")))
        named=$((named + $(grep -c '"verdict": "\(slower\|faster\)"' "$dir/out")))
    done
done
is $((n * (n - 1) / 2 * 32)) $cells "$pairs comparisons of studies in which nothing differs, 32 cells each"
holds "$named <= 0.01 * $cells" "$named of $cells cells are named all the same"
holds "$alarms <= 0.05 * $pairs" "$alarms of $pairs comparisons exit with a status that is not 0"

compare() { run compare "$@" --clusters "$dir" -c two -s "$dir/some.ini" --build "$dir/build"; }
measured slower 7 binomial slow
compare "$dir/day1/two/some" "$dir/slower/two/some"
is 0 $status "what is three times as slow: without --exit-status the status is 0"
slow=$(sed -n 's/^[0-9]* cells: \([0-9]*\) slower by more than 10 % and 0 faster by more than 9.09 %.*/\1/p' "$dir/out")
holds "0$slow >= 20" "and named in $slow of 32 cells"
says "before (openmpi, openmpi:binomial)" "$dir/out" "with what ran before"
says "slower for sure, the gravest first:" "$dir/out" "under a headline"
says "  geomean  worst for sure" "$dir/out" "as is the worst of the table"
says "before: $dir/day1/two/some: openmpi" "$dir/out" "both sides are named: the one"
says "after: $dir/slower/two/some: openmpi" "$dir/out" "and the other"
compare "$dir/day1/two/some:openmpi" "$dir/slower/two/some:openmpi" --json
is "$dir/day1/two/some openmpi" "$(python3 -c "import json; o = json.load(open('$dir/out'))['before']; print(o['directory'], o['entry'])")" "as in JSON, with the entry"
compare "$dir/day1/two/some" "$dir/slower/two/some" --exit-status
is 1 $status "--exit-status is for checks"
compare "$dir/slower/two/some" "$dir/day1/two/some" --exit-status
is 0 $status "the other way round it is a gain"
changes=$(sed -n '/^faster for sure, the largest gain first/,/^  and /s/.*after ([^)]*), -\([0-9.]*\) %.*/\1/p' "$dir/out")
is "$(echo "$changes" | sort -gr)" "$changes" "the largest gain stands first"
compare "$dir/day1/two/some" "$dir/slower/two/some" --threshold 1000
says "32 within it" "$dir/out" "below a threshold nothing is named"
measured other 8 chain usual
compare "$dir/day1/two/some" "$dir/other/two/some" --json
is "mpich:binomial mpich:chain openmpi:binomial openmpi:chain" "$(sed -n 's/.*"ran_[a-z]*": "\(.*\)".*/\1/p' "$dir/out" | sort -u | xargs)" \
    "another algorithm is told on both sides"

# Entries of one study; of one directory.
compare openmpi mpich --results "$dir/day1"
is 0 $status "two entries of a study"
says "16 cells: 0 slower by more than 10 % and 0 faster" "$dir/out" "of which nothing differs"
compare "$dir/day1/two/some:openmpi" "$dir/slower/two/some:mpich"
says "after (mpich, " "$dir/out" "a directory's entry beside another's"

# Releases of one data set; the page, select and guidelines have them side by side.
awk -v OFS=, 'BEGIN {
    print "lib,version,collective,P,bytes,us"
    srand(5)
    for (p = 4; p <= 16; p *= 2) for (m = 1024; m <= 65536; m *= 8) for (run = 1; run <= 5; run++) {
        noise = 1 + 0.02 * (rand() - 0.5)
        print "openmpi-4.1", "4.1.4", "bcast", p, m, 100 * noise
        print "openmpi-5", "5.0.7", "bcast", p, m, (p == 8 ? 160 : 100) * (1 + 0.02 * (rand() - 0.5))
    }
}' >"$dir/two.csv"
run import -q -c peak --name two --results "$dir/sets" --format csv --set mapping=core,algorithm=default \
    --map mpi=lib,mpi_version=version,collective=collective,procs=P,bytes=bytes,max_s=us:us "$dir/two.csv"
run fit -q -c peak --results "$dir/sets" --dataset two
run compare openmpi-4.1 openmpi-5 --results "$dir/sets" --dataset two --json --exit-status
is "1 3" "$status $(grep -c '"verdict": "slower"' "$dir/out")" "entries of a data set, of which three cells are slower"
cp "$dir/out" "$dir/json"
cp -r "$dir/sets/peak/two" "$dir/sets/peak/cut"
echo '{' >"$dir/sets/peak/cut/manifest.json"
for sides in "openmpi-4.1 openmpi-5 --dataset cut" "cut two" "two cut"; do
    run compare $sides -c peak --results "$dir/sets"
    is 1 $status "compare $sides: what cannot be read is not taken for what is not there"
    says "$dir/sets/peak/cut/manifest.json:" "$dir/err" "and is named"
done
rm -r "$dir/sets/peak/cut"
run compare two:openmpi-4.1 two:openmpi-5 --results "$dir/sets" --json
is "0 3" "$status $(grep -c '"verdict": "slower"' "$dir/out")" "a data set may have the entry behind its name"
run report --brief -q --results "$dir/sets" --dataset two
says "Nothing has a time here that the library's default could be compared with" "$dir/out" "of defaults alone it is not said that the default has no time"
for verb in select guidelines; do
    run $verb -q --results "$dir/sets" --dataset two
    says "releases side by side: the default of openmpi-5 (5.0.7) after that of openmpi-4.1 (4.1.4)" "$dir/out" "$verb has the releases side by side"
done
run report -q --results "$dir/sets" --dataset two
is "bcast,9,3,0,0" "$(tail -1 "$dir/sets/peak/two/report/tables/releases0-1.csv" | cut -d, -f1-5)" "the page, too"
is 3 "$(grep -c '^bcast' "$dir/sets/peak/two/report/tables/released0-1.csv")" "with the cells that changed"

# 9.1 % less undoes 10 % more: a change of -9.3 % is named, and the limit that it passed.
awk -F, -v OFS=, 'NR == 1 || $1 == "openmpi-4.1" { if (NR > 1) $6 *= 0.907; print }' "$dir/two.csv" >"$dir/less.csv"
some() { # NAME FILE TIME: times of openmpi-4.1 alone
    run import -q -c peak --name "$1" --results "$dir/sets" --format csv --set mapping=core,algorithm=default --where lib=openmpi-4.1 \
        --map "mpi=lib,mpi_version=version,collective=collective,procs=P,bytes=bytes,$3=us:us" "$2"
    run fit -q -c peak --results "$dir/sets" --dataset "$1"
}
some less "$dir/less.csv" max_s
run compare two:openmpi-4.1 less --results "$dir/sets"
says "9 cells: 0 slower by more than 10 % and 9 faster by more than 9.09 % for sure" "$dir/out" "a gain is named beside its own limit"
says "after: $dir/sets/peak/less: openmpi-4.1 4.1.4 (peak, imported)" "$dir/out" "a side says of which machine and what kind its times are"
some means "$dir/two.csv" mean_s
run compare less means --results "$dir/sets" -c peak
is 1 $status "the slowest rank's times are not compared with means over ranks"
says "of one statistic" "$dir/err" "which is said"

# A wrong cluster file is the cause, not the entry that could not be looked up in it.
printf '[cluster]\nname = wrong\nnodes = 4\nsockets = 1\ncores = four\n' >"$dir/wrong.ini"
run compare -c "$dir/wrong.ini" openmpi-4.1 openmpi-5
is 2 $status "an entry of a study whose cluster file is wrong"
says "BEFORE: $dir/wrong.ini:5: cores: 'four' is not a whole number" "$dir/err" "is told so"

# Computed times are exact: nothing is tested, and nothing is unsure.
cat >"$dir/walked.ini" <<'END'
[study]
name = walked
collectives = bcast
mappings = node
[grid]
procs = 4 8
bytes = 1K 64K
[candidates]
portable = binomial chain
sim_default = openmpi41
[fit]
experiments = no
END
for r in a b; do run report -q -c gros -b walk -s "$dir/walked.ini" --results "$dir/walks/$r"; done
run compare "$dir/walks/a/gros/walked-walk" "$dir/walks/b/gros/walked-walk" --exit-status
is 0 $status "two walks"
says "4 times are exact on both sides: computed, so that nothing is tested" "$dir/out" "are not tested"
is 0 "$(grep -c Welch "$dir/out")" "and no test is spoken of"
says "(gros, walked, default of Open MPI 4.1)" "$dir/out" "whose default that is is said"

# The check of ReFrame, with a stand-in for ReFrame: that it reads what compare prints.
mkdir -p "$dir/stub/reframe/utility" "$dir/stub/reframe/core"
cat >"$dir/stub/reframe/__init__.py" <<'END'
class RunOnlyRegressionTest: pass
def simple_test(c): return c
END
: >"$dir/stub/reframe/utility/__init__.py"; : >"$dir/stub/reframe/utility/sanity.py"; : >"$dir/stub/reframe/core/__init__.py"
cat >"$dir/stub/reframe/core/builtins.py" <<'END'
def run_before(stage): return lambda f: f
def sanity_function(f): return f
def variable(*types, value=None): return value
END
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$dir/stub:ci/packaging python3 -c '
import sys, reframe_collsel as r
text = open(sys.argv[1]).read()
print(len(r.slower(text)), sorted(r.worst(text)), r.worst(text)["bcast"] > 50)' "$dir/json" >"$dir/out" 2>&1
is "3 ['bcast'] True" "$(cat "$dir/out")" "ci/packaging/reframe_collsel.py finds the slower cells in it"

# What cannot be compared.
compare openmpi nosuch --results "$dir/day1"
is 2 $status "a name that is nothing"
says "'nosuch' is no entry of the study" "$dir/err" "is told with what may be wanted"
compare openmpi
is 2 $status "one side is too few"
sed 's/^repeats.*/repeats = 1/; s/^repeats_max.*//' "$dir/some.ini" >"$dir/once.ini"
mv "$dir/once.ini" "$dir/some.ini"
measured once 9 binomial slow
compare "$dir/once/two/some" "$dir/day1/two/some"
says "untested (one launch alone)" "$dir/out" "in one launch nothing is sure"
compare "$dir/once/two/some" "$dir/day1/two/some" --exit-status
is 1 $status "and a check that tests nothing does not pass"
says "nothing could be tested: want two launches or more of each side" "$dir/err" "which is said"
tap_done
