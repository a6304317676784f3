#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel select --on: what was chosen by one set of times, judged by another; times of several runs. COLLSEL_LONG=1: all of the published ones.
. tests/cli/run.sh
data=${COLLSEL_DATA:-../shared/data}
[ -d "$data" ] || data=../../shared/data
results=$dir/results

# osu FILE TIME: what OSU prints of one size
osu() {
    mkdir -p "${1%/*}"
    printf '# OSU MPI Broadcast Latency Test v5.6.2\n# Size       Avg Latency(us)\n8 %20s\n' "$2" >"$1"
}
import() { # import NAME: the files below $dir/NAME
    run import -q -c peak --name "$1" --mpi openmpi --mpi-version 4.1.4 --set mapping=core --results "$results" \
        --pattern '{collective}/{algorithm}_{procs}ranks_run{run}.out' "$dir/$1"
}
fit() { run fit -q -c peak --results "$results" --unsure --dataset "$1"; } # OSU tells means over ranks alone
judge() { run select -c peak --results "$results" --unsure --dataset one "$@"; }
column() { # column FILE NAME SELECTOR COLLECTIVE: of degradation.csv
    awk -F, -v name="$2" -v s="$3" -v c="$4" '/^#/ { next } !n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["selector"] == s && $at["collective"] == c { print $at[name]; exit }' "$1"
}
close_to() { awk -v a="$1" -v b="$2" 'BEGIN { exit !(a != "" && (a - b) ^ 2 < 1e-6 * (1 + b ^ 2)) }'; }

# algorithm 1: runs of 20, 21, 90 us (median 21, mean 43.7); 6: 30, 30, 30; the library: 25, 25, 25
for r in 0:20:30:25 1:21:30:25 2:90:30:25; do
    IFS=: read -r run linear binomial own <<END
$r
END
    osu "$dir/one/bcast/1_4ranks_run$run.out" "$linear"
    osu "$dir/one/bcast/6_4ranks_run$run.out" "$binomial"
    osu "$dir/one/bcast/0_4ranks_run$run.out" "$own"
    osu "$dir/two/bcast/1_4ranks_run$run.out" 15
    osu "$dir/two/bcast/6_4ranks_run$run.out" 10
    osu "$dir/two/bcast/0_4ranks_run$run.out" 12
    osu "$dir/less/bcast/6_4ranks_run$run.out" 10
    osu "$dir/less/bcast/0_4ranks_run$run.out" 12
done
import one
is 0 $status "{run} is known to a pattern"
says "9 rows of 9 files: 9 taken" "$dir/out" "each run counts"
fit one
judge
is 0 $status "judged by its own times"
close_to "$(column "$results/peak/one/degradation.csv" mean_pct default bcast)" "$(awk 'BEGIN { print 100 * 4 / 21 }')"
ok $? "the time of a point is the median of its runs, not their mean"
judge --on two
is 2 $status "a set that is not there is refused"
import two
judge --on two
is 1 $status "one that was never fitted, too"
says "run \`collsel fit\` first" "$dir/err" "in words"
fit two
cp "$results/peak/one/selection.csv" "$dir/before.csv"
judge --on two
is 0 $status "judged by another day's"
says "Judged by the times of $results/peak/two" "$dir/out" "the table says by whose"
says "counts for a selector where what it chose has a time there" "$dir/out" "and which cells count, as others count for other selectors"
is 0 "$(grep -c 'side by side\|nothing was measured' "$dir/out")" "of releases of one study, which these are not, nothing is said"
there=$results/peak/one/on/two/degradation.csv
close_to "$(column "$there" mean_pct best bcast)" 50
ok $? "the fastest of the first day loses 50 % on the second"
grep -q "in sample" "${there%/*}/selection.csv"
is 1 $? "nothing is in sample where another day judges"
says "(judged by others)" "${there%/*}/selection.csv" "and the best single candidate's reason says so"
close_to "$(column "$there" mean_pct default bcast)" 20
ok $? "the library's own choice 20 %"
cmp -s "$results/peak/one/selection.csv" "$dir/before.csv"
ok $? "the first day's own table stays"
holds_pct() { run recommend -c peak --results "$results" --unsure --dataset two --collective bcast -p 4 -m 8 --csv; awk -F, 'NR == 2 { print $8, $11, $13 != "", $15 }' "$dir/out"; }
is "openmpi:binomial 20 1 95" "$(holds_pct)" "an interval of measured times is of the usual confidence"
sed -i '1a "study": { "settings": { "measure": { "confidence": { "value": "0.8" } } } },' "$results/peak/two/manifest.json"
is "openmpi:binomial 20 1 80" "$(holds_pct)" "or of the study's own, and says of which"
import less
fit less
judge --on less
is 0 $status "a day that lacks what was chosen"
says "it has no time there" "$results/peak/one/on/less/selection.csv" "is a row with a reason"
is 0 "$(column "$results/peak/one/on/less/degradation.csv" cells best bcast)" "and not counted"
mkdir -p "$dir/other/bcast"
for a in 0 1 6; do osu "$dir/other/bcast/${a}_8ranks_run0.out" 9; done
import other
fit other
judge --on other
is 1 $status "a set without a cell of this one fails"
says "has no time of what is chosen" "$dir/err" "and says why"
judge --on "$results/peak/two/"
is 0 $status "a directory may end in a slash"
judge --on "$results/peak/one/.."
is 2 $status "one that is no results is refused"

# ---- published runs of every algorithm of Open MPI, where they are ----
if [ -d "$data/ornl-peak" ]; then
    collectives="bcast reduce_scatter"
    if [ -n "${COLLSEL_LONG:-}" ]; then
        ln -s "$(readlink -f "$data/ornl-peak/first")" "$dir/first"
        collectives="bcast reduce allreduce allgather allgatherv alltoall alltoallv reduce_scatter"
    else
        mkdir "$dir/first"
        for c in $collectives gather; do cp -r "$data/ornl-peak/first/$c" "$dir/first"; done
    fi
    run import -q -c peak --name first --mpi openmpi --mpi-version 5.1.0 --set mapping=core --results "$results" \
        --pattern '{collective}/{algorithm}_{procs}ranks_run{run}.out' "$dir/first/"
    is 0 $status "all algorithms of Open MPI by their numbers, in OSU's text"
    if [ -n "${COLLSEL_LONG:-}" ]; then
        says "31026 rows of 1686 files: 30351 taken, 0 repeated, 675 set aside" "$dir/out" "every row is taken or set aside"
        says "and 1666 more files (manifest.json has all)" "$dir/out" "and 1,686 files are not 1,686 lines"
    else
        # as many rows as lines of numbers
        rows=$(cat "$dir"/first/*/*ranks_run*.out | awk 'NF == 2 && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9.]+$/ { n++ } END { print n }')
        says "$rows rows of " "$dir/out" "every row is read"
        says " $((rows - 675)) taken, 0 repeated, 675 set aside" "$dir/out" "and taken or set aside"
    fi
    says "set aside, not a time of a collective or a ping-pong: 675" "$dir/out" "which are reduce-scatters of fewer elements than ranks"
    holds "$(wc -l <"$dir/out") < 40" "of many files few lines are printed"

    # times that no call can take, and means over ranks (as bounds.t has them planted)
    run fit -q -c peak --results "$results" --dataset first
    doubts() { awk -F, '/^#/ { next } !n { n = NF; for (i = 1; i <= NF; i++) at[$i] = i; next }
        { print $at["collective"], $at["procs"], $at["bytes"], $at["algorithm"], $at["doubt"] }' "$results/peak/first/points.csv"; }
    is "gather 512 65536 openmpi:basic_linear links" "$(doubts | grep '^gather 512 65536 openmpi:basic_linear ')" "a gather of 512 x 64 KiB in 24.5 us is doubted"
    is "" "$(doubts | grep -E '^(bcast|reduce|gather|scatter) ' | grep ' $')" "no mean over ranks with a root is believed"
    run guidelines -q --results "$results" --dataset first
    is 1 $status "Open MPI's defaults on 13 nodes violate some guidelines"
    run export -q -c peak --results "$results" --dataset first --library openmpi-5 --output "$dir/peak.rules"
    run rules "$dir/peak.rules" --library openmpi-5 --collective gather -p 512 -m 64K
    says "openmpi's own decision" "$dir/out" "and no rule"

    fit first
    run select -q -c peak --results "$results" --unsure --dataset first
    for c in $collectives; do
        # a size of reduce_scatter is of all ranks' floats together: at least one for each
        [ "$c" = reduce_scatter ] && each=4 || each=0
        # the same from the files alone: geometric mean over cells of the default's median over the best's
        want=$(awk -v each="$each" '
            FNR == 1 { split(FILENAME, part, "/"); split(part[split(FILENAME, part, "/")], word, /_|ranks/) }
            NF == 2 && $1 ~ /^[0-9]+$/ && $2 ~ /^[0-9.]+$/ && $1 >= each * word[2] {
                cell = word[2] " " $1
                n[cell, word[1]]++
                t[cell, word[1], n[cell, word[1]]] = $2
                cells[cell]
                most = word[1] > most + 0 ? word[1] : most
            }
            function median(c, a,    i, j, k, x) {
                k = n[c, a]
                for (i = 1; i <= k; i++) { x[i] = t[c, a, i]; for (j = i; j > 1 && x[j - 1] > x[j]; j--) { s = x[j]; x[j] = x[j - 1]; x[j - 1] = s } }
                return k % 2 ? x[(k + 1) / 2] : (x[k / 2] + x[k / 2 + 1]) / 2
            }
            END {
                for (c in cells) {
                    best = own = median(c, 0)
                    for (a = 1; a <= most; a++) if (n[c, a] && median(c, a) < best) best = median(c, a)
                    sum += log(own / best)
                    number++
                }
                print 100 * (exp(sum / number) - 1)
            }' "$dir/first/$c"/*ranks_run*.out)
        got=$(column "$results/peak/first/degradation.csv" geomean_pct default "$c")
        close_to "$got" "$want"
        ok $? "what the library's own $c loses, in geometric mean: $got % (from the files: $want)"
    done
    is 126 "$(column "$results/peak/first/degradation.csv" cells default reduce_scatter)" "of reduce_scatter in 126 cells: 45 have fewer elements than ranks"
    is 26.1 "$(printf %.1f "$got")" "in which that is 26.1 %"
else
    skip "no $data/ornl-peak here" "published runs"
fi
tap_done
