#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Other people's measurements: imported, fitted, selected, audited; what is wrong with them is said. The
# published data sets are read where they are (COLLSEL_DATA; that of 1,686 files: judged.t); the rest is made up.
# COLLSEL_LONG=1: the largest is fitted, too.
. tests/cli/run.sh

cat >"$dir/made-up.ini" <<'X'
[cluster]
name = made-up
nodes = 2
sockets = 1
cores = 8
threads = 1
cpu = none
X
where="--clusters clusters --results $dir/results"
mkdir "$dir/raw"
# osu ALGORITHM FACTOR: a broadcast among 8 processes
osu() {
    printf '# OSU MPI Broadcast Latency Test v7.3\n# Datatype: MPI_CHAR.\n'
    echo '# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)  Iterations'
    awk -v f="$2" 'BEGIN { for (m = 1; m <= 65536; m *= 2) printf "%d %.2f %.2f %.2f 1000\n", m,
        f * (5 + m / 1000), f * (2 + m / 1000), f * (8 + m / 1000) }'
}
osu chain 1.5 >"$dir/raw/chain-8.txt"
osu binary 1.2 >"$dir/raw/binary_tree-8.txt"
osu default 1.1 >"$dir/raw/ignore-8.txt"
echo "not a benchmark" >"$dir/raw/README"
told="--mpi openmpi --mpi-version 4.1.5 --set mapping=core --cluster $dir/made-up.ini"

run import $where $told --pattern '{algorithm}-{procs}.txt' --name made "$dir/raw" --dry-run
is 0 $status "a dry run"
[ ! -e "$dir/results" ]
ok $? "writes nothing"
run import $where $told --pattern '{algorithm}-{procs}.txt' --name made "$dir/raw"
is 0 $status "three files of OSU's text"
says "51 rows of 3 files: 51 taken, 0 repeated, 0 set aside; 51 points" "$dir/out" "are taken, all rows"
says "passed over, no format knows them: 1 file " "$dir/out" "what is no benchmark is passed over"
at=$dir/results/made-up/made
next=$(sed -n 's/.*(collsel \(fit .*\))$/\1/p' "$dir/err")
# shellcheck disable=SC2086
[ -n "$next" ] && "$collsel" $next -q >/dev/null 2>&1
ok $? "the command that import says comes next works, also with a cluster file that is named by its path"
# shellcheck disable=SC2086
run import $told --results "$dir/b l" --pattern '{algorithm}-{procs}.txt' --name made "$dir/raw"
next=$(sed -n 's/.*(collsel \(fit .*\))$/\1/p' "$dir/err")
[ -n "$next" ] && eval "\"$collsel\" $next -q" >/dev/null 2>&1
ok $? "and with a blank in its path"
is 52 "$(wc -l <"$at/imported.csv")" "every row is in imported.csv"
grep -q '"name": "imported"' "$at/manifest.json"
ok $? "the manifest says that others measured"
grep -q '"version": "4.1.5"' "$at/manifest.json"
ok $? "with which version"
run fit -q --results "$dir/results" --dataset made
is 0 $status "fit"
says "points 51: 51 ok" "$dir/out" "makes points of them"
grep -q ",max_rank," "$at/points.csv"
ok $? "of the slowest rank"
run select -q --results "$dir/results" --dataset made
is 0 $status "select"
awk -F, '$1 == "best" && $16 == "openmpi:default" { n++ } END { exit n != 17 }' "$at/selection.csv"
ok $? "the best is over the default, too"
run select -q --results "$dir/results" --dataset made --default mvapich2
is 2 $status "a rule is no default of a library that ran"
says "its default was measured (want a simulated or walked study" "$dir/err" "which is said"
[ ! -e "$at/default" ]
ok $? "and nothing is left of it"
run report -q --results "$dir/results" --dataset "$at"
is 0 $status "a report of a directory with a manifest"
says "measured by others, imported" "$(pages "$at/report")" "says where its numbers come from"
# one at a time writes what follows from the measurements
if command -v flock >/dev/null; then
    flock "$at/.analysis.lock" sh -c "echo 4711 elsewhere >'$at/.analysis.lock'; touch '$dir/held'; until [ -e '$dir/enough' ]; do sleep 0.05; done" &
    soon test -e "$dir/held"
    for verb in fit select report import; do
        what="--dataset made"
        [ $verb = import ] && what="$told --pattern {algorithm}-{procs}.txt --name made $dir/raw"
        # shellcheck disable=SC2086
        "$collsel" $verb -q --results "$dir/results" $what >/dev/null 2>"$dir/err.$verb" &
    done
    for verb in fit select report import; do
        soon grep -q "waiting for process" "$dir/err.$verb"
    done
    : >"$dir/enough"
    wait
    for verb in fit select report import; do
        says "waiting for process" "$dir/err.$verb" "$verb waits for who works on the results, and says so"
    done
    says "waiting for process 4711 on elsewhere, which works on '$at'" "$dir/err.fit" "by name"
    is 52 "$(wc -l <"$at/imported.csv")" "and no file is half written"
    # the import may have been the last one, which takes what was made of the older rows away
    run fit -q --results "$dir/results" --dataset made
    run select -q --results "$dir/results" --dataset made
else
    skip "no flock" "locks"
fi
run audit -q --results "$dir/results" --dataset made --csv
is 0 $status "an audit"
says "constant_ratio,wrong," "$dir/out" "sees that the made-up times are multiples of each other"
cmp -s "$dir/out" "$at/audit.csv"
ok $? "audit.csv has the same"
run audit -q --results "$dir/results" --dataset made --fail
is 1 $status "--fail fails then"

# A folder of a later format is left alone by whoever would misread it.
cp "$at/manifest.json" "$dir/manifest.json"
sed -i 's/"format": 1,/"format": 99,/' "$at/manifest.json"
for verb in fit select report audit; do
    run "$verb" -q --results "$dir/results" --dataset made
    is 1 $status "$verb of results of a later format fails"
    says "$at/manifest.json:2: format: 99: a later collsel wrote this folder" "$dir/err" "and says so"
done
run import $where $told --pattern '{algorithm}-{procs}.txt' --name made "$dir/raw"
is 1 $status "importing over it fails"
cp "$dir/manifest.json" "$at/manifest.json"
# The page begins with what the default loses and what to choose: planted, chain is best to 512 B, a binary tree above.
mkdir "$dir/planted"
osu default 2 >"$dir/planted/default-8.txt"
osu chain 1 | awk '/^#/ { print; next } { f = $1 <= 512 ? 1 : 3; print $1, f * $2, f * $3, f * $4, $5 }' >"$dir/planted/chain-8.txt"
osu binary 1 | awk '/^#/ { print; next } { f = $1 > 512 ? 1 : 3; print $1, f * $2, f * $3, f * $4, $5 }' >"$dir/planted/binary_tree-8.txt"
run import -q $where $told --pattern '{algorithm}-{procs}.txt' --name planted "$dir/planted"
run report -q --results "$dir/results" --dataset planted
is 0 $status "a report of planted times"
is "bcast 2.00 2.00" "$(awk -F, 'NR == 2 { printf "%s %.2f %.2f\n", $1, $2, $3 }' "$dir/results/made-up/planted/report/tables/speedup.csv")" \
    "its first table has the planted loss"
grep -q "fit/gamma.csv\|nothing of it has been measured\|Stage model" "$dir/results/made-up/planted/report/page.md"
is 1 $? "nothing is said of models and figures that are not to come"

# The chain tells the mean over ranks alone (10 us), the binary tree also the slowest rank (8 and 14): by the mean,
# which both tell, the binary tree is best. Of 16 B the binary tree tells the slowest rank alone.
mkdir "$dir/mixed"
printf '# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)\n8 10.00\n16 10.00\n' >"$dir/mixed/chain-8.txt"
printf '# OSU MPI Broadcast Latency Test v7.3\n# Size       Avg Latency(us)   Min Latency(us)   Max Latency(us)\n8 8.00 2.00 14.00\n' \
    >"$dir/mixed/binary_tree-8.txt"
printf '# OSU MPI Broadcast Latency Test v7.3\n# Size       Max Latency(us)\n16 9.00\n' >"$dir/mixed/binary-8.txt"
run import -q $where $told --pattern '{algorithm}-{procs}.txt' --name mixed "$dir/mixed"
run fit -q --results "$dir/results" --dataset mixed
run select -q --results "$dir/results" --dataset mixed --unsure
is 0 $status "a set of means and maxima over ranks"
awk -F, '$1 == "best" && $10 == 8 && $16 == "openmpi:binary_tree" && $19 == 8e-6 { ok = 1 } END { exit !ok }' \
    "$dir/results/made-up/mixed/selection.csv"
ok $? "is compared by what both tell"
awk -F, '$1 == "best" && $10 == 16 && $25 == "no_best" && $28 ~ /not comparable/ { ok = 1 } END { exit !ok }' \
    "$dir/results/made-up/mixed/selection.csv"
ok $? "and where nothing is told by both, there is no best"

# A second import of the name leaves nothing that was made of the first.
mkdir "$dir/other"
osu chain 3 >"$dir/other/chain-8.txt"
run import -q $where $told --pattern '{algorithm}-{procs}.txt' --name mixed --dry-run "$dir/other"
run select -q --results "$dir/results" --dataset mixed
is 0 $status "a dry run removes nothing"
run import -q $where $told --pattern '{algorithm}-{procs}.txt' --name mixed "$dir/other"
says "removed what was made of them: points.csv" "$dir/out" "an import over a data set says what it removes"
run select -q --results "$dir/results" --dataset mixed
is 1 $status "select does not go on with the older points"
says "' does not exist (run \`collsel fit\` first)" "$dir/err" "and says what to do"
is "imported.csv manifest.json" "$(cd "$dir/results/made-up/mixed" && echo *)" "nothing else is left"

# predict asks the models that the set has: P microseconds at P = 2 to 6 and 8 are 7 at 7.
mkdir "$dir/line"
{ echo 'P,size,t'; for p in 2 3 4 5 6 8; do echo "$p,8,$p"; done; } >"$dir/line/line.csv"
run import -q $where --format csv --mpi openmpi --set collective=bcast,mapping=core,algorithm=chain --map procs=P,bytes=size,max_s=t:us \
    --cluster "$dir/made-up.ini" --name line "$dir/line/line.csv"
run predict bcast chain --results "$dir/results" --dataset line -p 7 -m 8
is 1 $status "predict before fit"
run fit -q --results "$dir/results" --dataset line
run predict bcast chain --results "$dir/results" --dataset line -p 7 -m 8
is 0 $status "predict of what others measured"
awk '$1 == "regression_ls" && $6 > 6.99e-6 && $6 < 7.01e-6 && $8 == "ok" { ok = 1 } END { exit !ok }' "$dir/out"
ok $? "by the regressions that the set has"
says "stage                         -  no_gamma" "$dir/out" "and says what it has not"
run predict bcast chain --results "$dir/results" --dataset line -p 8 -m 8
says "measured                   8 us  T = 8e-06 s" "$dir/out" "beside the measured time, where there is one"
run predict bcast binary_tree --results "$dir/results" --dataset line -p 7 -m 8
is 1 $status "an algorithm that it has no times of"
says "has no times of algorithm 'binary_tree' for bcast" "$dir/err" "is named"

# A directory here of a data set's name is not taken for it.
mkdir "$dir/here" "$dir/here/made"
cp "$dir/raw/chain-8.txt" "$dir/here/made"
top=$(pwd)
program=$(realpath "$collsel")
(cd "$dir/here" && "$program" report -q --as-is --results "$dir/results" --dataset made --assets "$top/reports") \
    >"$dir/out" 2>"$dir/err"
is 0 $? "report takes the data set, not the directory"
(cd "$dir/here" && "$program" report -q --results "$dir/results" --dataset ./made) >"$dir/out" 2>"$dir/err"
is 2 $? "a path takes the directory"
says "nothing tells the cluster, " "$dir/err" "whose files are imported"
says "this would do: collsel import ./made --cluster NAME " "$dir/err" "by the command that takes them"
mkdir "$dir/here/raws"
(cd "$dir/here" && "$program" report -q --results "$dir/results" --dataset raws) >"$dir/out" 2>"$dir/err"
is 2 $? "a name is no path"
says "a directory's path has a slash: ./raws" "$dir/err" "which is said"

# A file of a directory that cannot be read is counted and named. (The kernel has some, even for root.)
if [ -r /proc/self/attr/current ] && ! cat /proc/self/attr/current >/dev/null 2>&1; then
    run import -q $where $told --pattern '{algorithm}-{procs}.txt' --dry-run --name unread "$dir/other" /proc/self/attr
    is 0 $status "an unreadable file does not end the import"
    says "passed over, they cannot be read: " "$dir/out" "and is named"
    run import -q $where $told --dry-run --name unread /proc/self/attr/current
    is 1 $status "one that was named does"
else
    skip "no unreadable file here" "an unreadable file does not end the import"
fi

# Nodes have as many ranks as cores.
run import $where --mpi openmpi --set mapping=core,nodes=1,ppn=16,procs=16,algorithm=chain --cluster "$dir/made-up.ini" --name crowd \
    "$dir/other"
is 1 $status "16 ranks on nodes of 8 cores"
says "16 processes on a node; made-up has 8 cores (--oversubscribed)" "$dir/out" "are set aside"
run import $where --mpi openmpi --set mapping=core,nodes=1,ppn=16,procs=16,algorithm=chain --cluster "$dir/made-up.ini" --name crowd \
    --oversubscribed "$dir/other"
is 0 $status "but where that is told"

# Messages of nothing have a place on the axes, and a barrier has nothing else.
printf 'P,alg,bytes,us\n' >"$dir/nothing.csv"
for procs in 4 8; do
    for algorithm in linear chain; do
        for bytes in 0 8 1024; do echo "$procs,$algorithm,$bytes,$procs.$((bytes + 5))"; done
    done
done >>"$dir/nothing.csv"
printf 'P,alg,us\n4,tree,2.5\n8,tree,3.5\n4,linear,2.25\n8,linear,4.5\n' >"$dir/barrier.csv"
run import $where --cluster "$dir/made-up.ini" --format csv --mpi openmpi --set collective=bcast,mapping=core --map procs=P,algorithm=alg,bytes=bytes,max_s=us:us \
    --name nothing "$dir/nothing.csv"
is 0 $status "messages of 0 bytes are imported"
run import $where --cluster "$dir/made-up.ini" --format csv --mpi openmpi --set collective=barrier,mapping=core --map procs=P,algorithm=alg,max_s=us:us \
    --name barrier "$dir/barrier.csv"
is 0 $status "barriers are imported"
sed 's/^P/bytes,P/; 2,$s/^/8,/' "$dir/barrier.csv" >"$dir/eight.csv"
run import $where --cluster "$dir/made-up.ini" --format csv --mpi openmpi --set collective=barrier,mapping=core --map bytes=bytes,procs=P,algorithm=alg,max_s=us:us \
    --name eight "$dir/eight.csv"
is "0 4" "$status $(cut -d, -f13,27 "$dir/results/made-up/eight/imported.csv" | grep -c '^0,ok')" "a size beside a barrier is none of it"
for set in nothing barrier; do
    for verb in fit select report; do
        run "$verb" -q --results "$dir/results" --dataset "$set"
        is 0 $status "$set: $verb"
    done
done
grep -qF '"0 B" 0.5' "$dir/results/made-up/nothing/report/figures/"*.gp
ok $? "an axis has a place for nothing"

# The same in the benchmarks' own text: OSU's barriers have no size, Intel's broadcasts one of nothing.
mkdir "$dir/barrier"
for a in default linear tree; do
    printf '# OSU MPI Barrier Latency Test v7.3\n# Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations\n %d.50 1.00 %d.00 1000\n' \
        ${#a} $((2 * ${#a})) >"$dir/barrier/$a-8.txt"
    printf '# Benchmarking Bcast\n# #processes = 8\n #bytes #repetitions t_min[usec] t_max[usec] t_avg[usec]\n 0 1000 0.01 0.05 0.02\n 8 1000 0.61 %d.7 0.65\n' \
        ${#a} >"$dir/barrier/bcast-$a-8.txt"
done
run import -q $where $told --pattern '{*}{algorithm}-{procs}.txt' --name barrier "$dir/barrier"/[dlt]*.txt
is 0 $status "barriers"
run report -q --results "$dir/results" --dataset barrier
is 0 $status "have a report"
is "barrier" "$(sed 1d "$dir/results/made-up/barrier/report/tables/speedup.csv" | cut -d, -f1)" "of a barrier"
run import -q $where $told --pattern 'bcast-{algorithm}-{procs}.txt' --name imb "$dir/barrier"/bcast-*.txt
says "6 rows of 3 files: 6 taken" "$dir/out" "Intel's text"
run report -q --results "$dir/results" --dataset imb
is 0 $status "has one, with a size of nothing"

# What is wrong is said.
printf '3 1.0\n1 nan 1.0 2.0 1000\n1 5.50 2.20 8.80 10' >>"$dir/raw/ignore-8.txt"
run import $where $told --pattern '{algorithm}-{procs}.txt' --name bad "$dir/raw"
is 0 $status "damaged rows are not fatal"
says "ignore-8.txt:21: 2 columns, the header has 5" "$dir/out" "a line cut short"
says "ignore-8.txt:22: mean_s is 'nan'" "$dir/out" "no number"
says "ignore-8.txt:23: the file ends within the line" "$dir/out" "a last line without its end"
says "54 rows of 3 files: 51 taken, 0 repeated, 3 set aside" "$dir/out" "are counted"
run import $where --mpi openmpi --set mapping=core --cluster "$dir/made-up.ini" "$dir/raw/chain-8.txt"
is 2 $status "what nobody tells is wrong usage"
says "nothing tells 'algorithm'" "$dir/err" "and named"
run import $where --cluster "$dir/made-up.ini" "$dir/raw/chain-8.txt"
says "chain-8.txt:" "$dir/err" "of all that"
says "nothing tells 'mpi', 'mapping' (core, socket or node), 'algorithm' and 'procs'; this would do: " "$dir/err" \
    "is missing the names come at once"
says "chain-8.txt --mpi NAME --set mapping=MAPPING,algorithm=NAME,procs=P" "$dir/err" "with the command line that would do"
run import $where "$dir/raw/chain-8.txt"
is 2 $status "without a cluster, too"
says "nothing tells the cluster, 'mpi', " "$dir/err" "the cluster is named among them"
says "chain-8.txt --cluster NAME --machine NODESxSOCKETSxCORES --mpi NAME --set mapping=" "$dir/err" "and given in the command line"
# A cluster without a file.
no_file="--mpi openmpi --set mapping=core,procs=8,algorithm=chain --cluster away"
run import -q $where $no_file --machine 4x2x8 --name here "$dir/raw/chain-8.txt"
is "0 " "$status $(cat "$dir/err")" "a machine that numbers tell needs no file"
run fit -q --results "$dir/results" --dataset here
is "0 " "$status $(cat "$dir/err")" "its data set is fitted"
says '"file": "--machine 4x2x8"' "$dir/results/away/here/manifest.json" "and says what told it"
run import -q $where $no_file --machine 1x4 --name small "$dir/raw/chain-8.txt"
is 1 $status "where the processes do not fit no row is taken"
says "8 processes do not fit away (4 at most)" "$dir/out" "and it is said"
for machine in 4 4x 4x2x8x1 0x8 4xall ''; do
    run import -q $where $no_file --machine "$machine" --name here "$dir/raw/chain-8.txt"
    is 2 $status "--machine '$machine' is wrong usage"
done
says "want NODESxCORES or NODESxSOCKETSxCORES" "$dir/err" "and the message says what is right"
run import -q $where $no_file --name here "$dir/raw/chain-8.txt"
is 2 $status "without it the cluster has to have a file"
# The files of a directory tell all: their report, made again of what is there.
mkdir "$dir/told"
{
    echo 'algorithm,cores,iterations,size,latency,min,max'
    for p in 2 4 6 8; do for a in 1 2 5; do echo "$a,$p,1000,64,$p,$p,$p.5"; done; done
} >"$dir/told/bcast_core.csv"
again() { run report -q --as-is --cluster "$dir/made-up.ini" --results "$dir/results" --dataset "$dir/told"; }
again
is 1 $status "with --as-is and nothing imported there is no report"
says "not imported yet" "$dir/err" "and it is said"
run report -q --cluster "$dir/made-up.ini" --results "$dir/results" --dataset "$dir/told"
is 0 $status "a directory of files is imported and reported"
told_at=$(dirname "$(dirname "$(cat "$dir/out")")")
before=$(cd "$told_at" && cksum ./*.csv fit/*.csv)
rm "$told_at/report/index.html"
again
is "0 $told_at/report/index.html" "$status $(cat "$dir/out")" "with --as-is its page is made again"
is "$before" "$(cd "$told_at" && cksum ./*.csv fit/*.csv)" "and nothing else"
run report --dataset ./nodir --quiet
is 2 $status "a directory of a data set that is not there"
says "'./nodir' does not exist" "$dir/err" "is said not to exist"
run import $where $told "$dir/raw/README"
is 1 $status "a file that no format knows fails"
mkdir "$dir/readme" && cp "$dir/raw/README" "$dir/readme"
run import $where $told --format profile "$dir/readme"
is 1 $status "a directory without a file of the format that was named, too"
says "format profile does not know $dir/readme/README" "$dir/err" "and the format is named"
run import $where $told --pattern '{procs}.csv' "$dir/raw/chain-8.txt"
is 2 $status "a name that does not fit the pattern is wrong usage"
mkdir "$dir/names"
osu chain 2 >"$dir/names/chain-8.txt"
osu chain 3 >"$dir/names/summary.txt"
run import -q $where $told --pattern '{algorithm}-{procs}.txt' --name names "$dir/names"
is 0 $status "in a directory it is passed over"
says "passed over, their names do not fit --pattern: 1 file ($dir/names/summary.txt)" "$dir/out" "and named"
run import -q $where $told --pattern '{procs}.csv' --name names "$dir/names"
is 2 $status "unless no name there fits"
run import -q $where $told --pattern '{algorithm}-{procs}.txt' --where day=3 --name names "$dir/names"
is 2 $status "--where of a column that no table has is wrong usage"
says "--where: '$dir/names/chain-8.txt', of format osu, has no column 'day'" "$dir/err" "and the file is named"
mkdir "$dir/days"
printf 'day,P,size,us\n3,8,1024,5\n4,8,1024,9\n' >"$dir/days/a.csv"
printf 'P,size,us\n8,2048,7\n' >"$dir/days/b.csv"
days="--format csv --map procs=P,bytes=size,max_s=us:us --set collective=bcast,algorithm=chain"
run import -q $where $told $days --where day=3 --name days "$dir/days"
is 2 $status "--where of a column that one of two tables has, too"
says "$dir/days/b.csv:1: the table has no column 'day' for --where (want one of: P, size, us)" "$dir/err" "and its columns are named"
cat "$dir/days/b.csv" >>"$dir/days/a.csv" && rm "$dir/days/b.csv"
run import -q $where $told $days --where day=3 --name days "$dir/days"
is 2 $status "and of a table behind another one in a file"
says "$dir/days/a.csv:4: the table has no column 'day'" "$dir/err" "which is named by its line"
run import $where $told --format csv "$dir/raw/chain-8.txt"
is 2 $status "csv wants a map"
run import $where
is 2 $status "nothing to import is wrong usage"
# names are no paths: beside the results nothing is made, written or removed
for name in .. . -x .hidden 'a b' '$(touch x)' ''; do
    run import $where $told "--name=$name" "$dir/raw"
    is 2 $status "import --name '$name' is refused"
    run fit -q --results "$dir/results" "--dataset=$name"
    is 2 $status "--dataset '$name' is refused"
    run plan --dry-run "--cluster=$name"
    is 2 $status "--cluster '$name' is refused"
    says "is not a" "$dir/err" "in words"
    run plan --dry-run "--study=$name"
    is 2 $status "--study '$name' is refused"
done
run fit -q --results "$dir/results" --dataset none
is 2 $status "a data set that is not there is wrong usage"
has "--dataset 'x'" "$(make -n report DATASET=x 2>/dev/null | grep 'collsel report')" "make report DATASET=x"

# ---- a damaged imported.csv: named by file and line, and nothing that was there is touched ----

cp -r "$at" "$dir/good"
results_of() {
    (cd "$at" && find . -type f ! -name imported.csv ! -name '.*.lock' -exec cksum {} + | sort)
}
# damaged FILE SED-SCRIPT WANTED VERB...: each verb refuses FILE, the others of its files stay.
damaged() {
    file=$1 script=$2 wanted=$3
    shift 3
    rm -rf "$at"
    cp -r "$dir/good" "$at"
    [ -z "$script" ] || sed -i "$script" "$at/$file"
    [ -n "$script" ] || : >"$at/$file"
    results_of >"$dir/before"
    for verb; do
        run "$verb" -q --results "$dir/results" --dataset made
        is 1 $status "$verb refuses $file: $wanted"
        says "$at/$file:$wanted" "$dir/err" "  with file and line"
        results_of | cmp -s - "$dir/before"
        ok $? "  older results are as they were"
    done
}
damaged imported.csv '10s/^/x,/' '10: has 29 fields (want 28 as in the header)' fit report audit
damaged imported.csv '10s/,[^,]*$//' '10: has 27 fields (want 28' fit report audit
damaged imported.csv '10s/,bcast,/,b\x00cast,/' '10: holds a NUL byte' fit report audit
damaged imported.csv '1s/,max_s,/,most_s,/' "1: has no column 'max_s'" fit report audit
damaged imported.csv '1s/,procs,/,ranks,/' "1: has no column 'procs'" fit report audit
damaged imported.csv '' '1: has no header row' fit report audit
damaged imported.csv '2,$d' '2: the end, and no row with status ok before it' fit report audit
damaged imported.csv '10s/^/"/' '10: a quote that begins here does not end' fit report audit
damaged imported.csv '10s/,ok,/,fine,/' "10: status: 'fine' is not known (want ok, repeated or set_aside)" fit
damaged imported.csv '10s/,1000,ok/,1e3x,ok/' "10: iterations: '1e3x' is not a whole number" fit
damaged imported.csv '10s/\(,0,\)[0-9.e-]*\(,[0-9.e-]*,[0-9.e-]*,,,,1000,ok,\)$/\1-5\2/' "10: max_s: '-5' is no time" fit
damaged imported.csv '10s/\(,0,[0-9.e-]*,\)[0-9.e-]*\(,[0-9.e-]*,,,,1000,ok,\)$/\15\2/' "10: mean_s: 5 s is above max_s" fit
damaged imported.csv '10s/,0\(,[0-9.e-]*,[0-9.e-]*,[0-9.e-]*,,,,1000,ok,\)$/,-3\1/' "10: run: -3 is too small (want at least 0)" fit
damaged imported.csv '10p' "11: run 0 of point" fit
damaged points.csv '10s/^/x,/' '10: has ' select
damaged predictions.csv '10s/^/x,/' '10: has ' select
rm -rf "$at"
cp -r "$dir/good" "$at"
truncate -s -5 "$at/imported.csv"
run fit -q --results "$dir/results" --dataset made
is 1 $status "a last line cut short is refused"
says "$at/imported.csv:52: the last line was cut short (want 28 fields and a newline)" "$dir/err" "  with file and line"
truncate -s -5 "$at/predictions.csv"
run select -q --results "$dir/results" --dataset made
is 1 $status "also of predictions.csv, by select"
says "the last line was cut short" "$dir/err" "  which says so"
rm "$at/imported.csv"
mkdir "$at/imported.csv"
run fit -q --results "$dir/results" --dataset made
is 1 $status "a directory in its place is refused"
says "'$at/imported.csv': Is a directory" "$dir/err" "  and named"
rmdir "$at/imported.csv"
run audit -q --results "$dir/results" --dataset made
is 1 $status "so is none"
says "'$at/imported.csv': No such file or directory" "$dir/err" "  and named"
if [ "$(id -u)" -ne 0 ]; then
    cp "$dir/good/imported.csv" "$at" && chmod 0 "$at/imported.csv"
    run fit -q --results "$dir/results" --dataset made
    is 1 $status "one that may not be read is refused"
    says "'$at/imported.csv': Permission denied" "$dir/err" "  and named"
else
    skip "root may read everything" "one that may not be read is refused"
fi

# a data set that stands under other names than its manifest tells
cp "$dir/good/imported.csv" "$at"
cp -r "$at" "$(dirname "$at")/renamed"
for options in "" "-c $dir/made-up.ini"; do
    # shellcheck disable=SC2086 # words
    run fit -q --results "$dir/results" --dataset renamed $options
    is 1 $status "a data set under another name than its manifest tells is refused${options:+ with a cluster}"
    says "import/dataset: says that this is data set 'made' of cluster" "$dir/err" "  naming what it says"
    says "it stands as 'renamed' of" "$dir/err" "  and what it stands as"
done
: >"$dir/results/notes.txt" # a file beside the clusters is none
run fit -q --dataset "$(dirname "$at")/renamed"
is 0 $status "a path says where it is, whatever its name"

# ---- published data, where it is ----

data=${COLLSEL_DATA:-../shared/data}
[ -d "$data" ] || data=../../shared/data
if [ -d "$data/tallone-orfeo-epyc" ]; then
    run import -q --results "$dir/results" "$data/tallone-orfeo-epyc"
    is 0 $status "Tallone's data set"
    says "53789 points" "$dir/out" "has as many points as were counted elsewhere"
    says "71023 rows of 9 files: 65060 taken, 5963 repeated, 0 set aside" "$dir/out" "repeated rows count once"
    if [ -n "${COLLSEL_LONG:-}" ]; then
        run fit -q --results "$dir/results" --dataset tallone-orfeo-epyc
        is 0 $status "is fitted"
    fi
else
    skip "no $data/tallone-orfeo-epyc here" "Tallone's data set"
fi
if [ -d "$data/zappi-orfeo-epyc" ]; then
    run import -q --results "$dir/results" --cluster orfeo-epyc --format csv --mpi openmpi --set collective=bcast --name zappi \
        --map bytes=MessageSize,procs=Processes,mapping=Mapping,algorithm=Algorithm,mean_s=Latency:us "$data/zappi-orfeo-epyc/bcast"
    is 0 $status "Zappi's data set"
    says "10920 rows of 4 files: 9360 taken, 0 repeated, 1560 set aside" "$dir/out" "1,560 fragments of headers are set aside"
    run audit -q --results "$dir/results" --dataset zappi
    says "doubtful binding: mapping by socket" "$dir/out" "its mapping by socket is full of outliers"
else
    skip "no $data/zappi-orfeo-epyc here" "Zappi's data set"
fi
if [ -d "$data/cscs-pilatus-osu74" ]; then
    printf '[cluster]\nname = pilatus\nnodes = 1\nsockets = 2\ncores = 64\nthreads = 1\ncpu = none\n' >"$dir/pilatus.ini"
    run import -q --results "$dir/results" --cluster "$dir/pilatus.ini" --pattern 'pilatus_{*}_{mpi}_{procs}_{series}.txt' \
        --set algorithm=default,mapping=core --name pilatus "$data/cscs-pilatus-osu74"
    is 0 $status "CSCS's OSU text, two libraries, ten runs"
    says "960 rows of 40 files: 960 taken, 0 repeated, 0 set aside; 96 points" "$dir/out" "all rows are taken"
    run import -q --results "$dir/results" --cluster "$dir/pilatus.ini" --pattern 'pilatus_{*}_{mpi}_{procs}_{*}.txt' \
        --set algorithm=default,mapping=core --name pilatus "$data/cscs-pilatus-osu74"
    says "960 rows of 40 files: 960 taken, 0 repeated, 0 set aside; 96 points" "$dir/out" "equal times of ten runs are no copies of each other"
    cp -r "$data/cscs-pilatus-osu74/AMD_MPICH" "$dir/copied"
    cp "$dir/copied/pilatus_bcast_mpich_128_3.txt" "$dir/copied/pilatus_bcast_mpich_128_11.txt"
    run import -q --results "$dir/results" --cluster "$dir/pilatus.ini" --pattern 'pilatus_{*}_{mpi}_{procs}_{*}.txt' \
        --set algorithm=default,mapping=core --name copied "$dir/copied"
    says "504 rows of 21 files: 480 taken, 24 repeated, 0 set aside; 48 points" "$dir/out" "a file that was copied is"
    says "a whole file or block of the same numbers came before (count once): 24" "$dir/out" "and that is said"
else
    skip "no $data/cscs-pilatus-osu74 here" "CSCS's data set"
fi
# profiles of applications: cut ones, and those of another version
row() { echo "  {\"collective\": \"allreduce\", \"communicator\": \"world\", \"op\": \"sum\", \"root\": \"\", \"procs\": $1, \"bytes\": $2, \"calls\": 6, \"time_s\": 1e-3, \"algorithm\": \"default\", \"tried\": $3}$4"; }
profile() {
    printf '{"format": "collsel profile %s", "mpi": "openmpi", "rows": [\n' "$1"
    row 8 4 '[]' ,
    row 8 64 '[]' ''
    echo ']}'
}
profiled() { run import -q --results "$dir/results" --cluster "$dir/made-up.ini" --set mapping=core --mpi openmpi --format profile --name app "$1"; }
profile 1 >"$dir/whole.json"
profiled "$dir/whole.json"
is "0 1" "$status $(grep -c '2 taken, 0 repeated, 0 set aside' "$dir/out")" "a profile is taken"
profile 9 >"$dir/nine.json"
profiled "$dir/nine.json"
is 1 $status "one of another version is not"
says "nine.json:1: '{\"format\": \"collsel profile 9\"" "$dir/out" "... as its first line says"
profile 1 | head -n 2 >"$dir/cut.json"
profiled "$dir/cut.json"
says "cut.json:2: the file ends before ]}" "$dir/out" "one that was cut behind a row is told"
{ profile 1 | head -n 1; row 2.5 4 '[]' ,; row 2 4.5 '[]' ,; row 8 4 '"x"' ''; echo ']}'; } >"$dir/odd.json"
profiled "$dir/odd.json"
is "1 2" "$status $(grep -c "is not a whole number" "$dir/out")" "a fraction of a rank or byte is not rounded"
says "odd.json:4: tried: no list" "$dir/out" "what was tried is a list, or the row is set aside"

if [ -d "$data/pico-supercomputers" ]; then
    printf '[cluster]\nname = lumi\nnodes = 3000\nsockets = 1\ncores = 64\n' >"$dir/lumi.ini"
    lumi() {
        run import -q --results "$dir/results" --cluster "$dir/lumi.ini" --set mapping=core --name lumi "$@" "$data/pico-supercomputers/pico_lumi.csv"
    }
    lumi
    is 2 $status "PICO's runs of several dates are not averaged unasked"
    says "140 points have rows of several values of 'timestamp'" "$dir/err" "which is said"
    lumi --where 'timestamp=2025_04_07*'
    says "369 rows of 1 file: 369 taken, 0 repeated, 0 set aside; 126 points" "$dir/out" "three runs of one day"
    says "left out by --where: 597 rows" "$dir/out" "the others are left out"
    lumi --where 'timestamp=*'
    says "966 rows of 1 file: 966 taken, 0 repeated, 0 set aside; 709 points" "$dir/out" "or all dates, when told so"
    awk -F, 'NR > 1 && $6 == "allgather" && $11 * $13 > most { most = $11 * $13 } END { exit most != 536870912 }' "$dir/results/lumi/lumi/imported.csv"
    ok $? "the whole buffer of an allgather is P blocks"
else
    skip "no $data/pico-supercomputers here" "PICO's data set"
fi
if [ -d "$data/nwtnni-osu-raw" ]; then
    printf '[cluster]\nname = c220g5\nnodes = 8\nsockets = 2\ncores = 10\nthreads = 1\ncpu = none\n' >"$dir/c220g5.ini"
    run import -q --results "$dir/results" --cluster "$dir/c220g5.ini" --mpi openmpi --pattern 'osu-{*}-{algorithm}.txt' \
        --set procs=8,nodes=8,ppn=1,mapping=node --name p "$data/nwtnni-osu-raw/wisc-c220g5/broadcast-p"
    is 0 $status "OSU 7.0 and 7.1 on c220g5"
    says "210 rows of 10 files: 210 taken, 0 repeated, 0 set aside; 210 points" "$dir/out" "all rows are taken"
    for set in broadcast-v allreduce-p allreduce-v; do
        # shellcheck disable=SC2086
        rows=$(awk '$1 ~ /^[0-9]+$/ && NF > 1 && $2 ~ /^[0-9.]+$/ { n++ } END { print n }' $data/nwtnni-osu-raw/wisc-c220g5/$set/osu-*.txt)
        run import -q --results "$dir/results" --cluster "$dir/c220g5.ini" --mpi openmpi --pattern 'osu-{*}-{algorithm}.txt' \
            --set procs=8,nodes=8,ppn=1,mapping=node --name $set "$data/nwtnni-osu-raw/wisc-c220g5/$set"
        says "$rows rows of " "$dir/out" "$set: as many rows as lines of numbers"
        says " $rows taken, 0 repeated, 0 set aside; $rows points" "$dir/out" "  all taken"
    done
    grep -q 'openmpi:scatter_allgather_ring' "$dir/results/c220g5/p/imported.csv"
    ok $? "algorithms are named as we do"
else
    skip "no $data/nwtnni-osu-raw here" "c220g5"
fi
tap_done
