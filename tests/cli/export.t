#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel export: rules from planted times. That a library then runs what was meant: tests/workloads/tuned_file.t.
. tests/cli/run.sh
results=$dir/results
# No library that is here loads a file: export_tried.t and tests/workloads/tuned_file.t have that.
mkdir "$dir/none"
run() {
    [ "$1" != export ] || set -- "$@" --build "$dir/none"
    "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}

# Three runs of each, of 4, 8 and 16 ranks and three sizes. broadcast: linear gains a lot at 1 KiB, a chain at 64 KiB, a tree 2 % at 1 MiB.
# allgather: doubling gains among 4 and 16. allreduce: rabenseifner, which with few elements runs as something else, everywhere.
mkdir "$dir/planted"
for run in 0 1 2; do
    awk -v OFS=, -v r=$run 'BEGIN {
        print "collective,P,alg,bytes,us"
        e = 1 + r / 1000
        for (p = 4; p <= 16; p *= 2)
            for (m = 1024; m <= 1048576; m *= 32) {
                print "bcast", p, "default", m, 100 * e
                print "bcast", p, "basic_linear", m, (m == 1024 ? 50 : 150) * e
                print "bcast", p, "chain", m, (m == 32768 ? 60 : 150) * e
                print "bcast", p, "binomial", m, (m == 1048576 ? 98 : 150) * e
                print "allgather", p, "default", m, 100 * e
                print "allgather", p, "recursive_doubling", m, (p == 8 ? 150 : 50) * e
            }
        for (m = 16; m <= 4096; m *= 4) {
            print "allreduce", 16, "default", m, 100 * e
            print "allreduce", 16, "rabenseifner", m, 50 * e
        }
    }' >"$dir/planted/$run.csv"
done
run import -q -c peak --name planted --results "$results" --format csv --mpi openmpi --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us --pattern '{run}.csv' "$dir/planted"
is 0 $status "planted times"
run fit -q -c peak --results "$results" --dataset planted
write() { run export -c peak --results "$results" --dataset planted "$@"; }
numbers() { sed 's/ *#.*//' "$1" | grep . | xargs; }

mkfifo "$dir/pipe"
write --library openmpi-4.1 --collective bcast --output "$dir/pipe"
is 1 $status "a pipe or device is not replaced by rules"
says "'$dir/pipe': it is no regular file" "$dir/err" "... which is said"
[ -p "$dir/pipe" ]
ok $? "... and it stays"
write --library openmpi-4.1 --collective bcast --output "$dir/b.rules"
is 0 $status "rules of a broadcast"
is "1 7 3 0 1 0 0 0 0 4 5 0 0 0 0 1024 1 0 0 1025 0 0 0 32768 2 4 0 32769 0 0 0 17 1 0 0 0 0" "$(numbers "$dir/b.rules")" \
    "equal neighbours are one; a gain of 2 % is none; what is slower in the next cell ends at its own; beyond 16 processes and 1 MiB the library decides"
says "of 10 intervals up to the next size or the next processes 6 end early" "$dir/b.rules" "and its head says how many that are"
says "wrote $dir/b.rules" "$dir/err" "says where"
says "coll_tuned_dynamic_rules_filename = $dir/b.rules" "$dir/b.rules" "its head says how to load it"
says "more than 3 %" "$dir/b.rules" "and by which margin"
trust="how far to trust these times: imported, with care; 64 of 64 points with an interval over runs within ±10 %"
says "# $trust" "$dir/b.rules" "and how far to trust the times"
says "$trust" "$dir/err" "as the terminal does"
says "  mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename $dir/b.rules ..." "$dir/err" "which has the lines that load it, too"
says "  coll_tuned_use_dynamic_rules = 0" "$dir/err" "and the one that rolls back"
cp "$dir/b.rules" "$dir/first.rules"
write --library openmpi-4.1 --collective bcast --output "$dir/b.rules"
cmp -s "$dir/first.rules" "$dir/b.rules"
ok $? "made again it is the same"
write --library openmpi-4.1 --collective bcast --margin 1 --output "$dir/b.rules"
is "1048576 6 0 0" "$(numbers "$dir/b.rules" | grep -o '1048576 6 0 0')" "with a margin of 1 % those 2 % count"

# Sizes are totals, and doubling is for powers of two: between 4 and 8 processes, and at 8, the library decides.
write --library openmpi-4.1 --collective allgather --output "$dir/a.rules"
is "1 0 5 0 1 0 0 0 0 4 3 0 0 0 0 4096 3 0 0 4194305 0 0 0 5 1 0 0 0 0 16 3 0 0 0 0 16384 3 0 0 16777217 0 0 0 17 1 0 0 0 0" \
    "$(numbers "$dir/a.rules")" "rules of an allgather"
write --library openmpi-6 --collective allgather --output "$dir/a.json"
is 0 $status "the same as JSON"
run rules "$dir/a.json" --library openmpi-6 --collective allgather -p 4,5,8,16,17 -m 1K,64K --json
is "3 3 0 0 0 0 3 3 0 0" "$(sed -n 's/.*"id": \([0-9]*\).*/\1/p' "$dir/out" | xargs)" "reads as meant"

# Sixteen ranks want sixteen elements of up to 16 bytes.
write --library openmpi-4.1 --collective allreduce --output "$dir/r.rules"
is "1 2 3 0 1 0 0 0 0 16 3 0 0 0 0 256 6 0 0 4097 0 0 0 17 1 0 0 0 0" "$(numbers "$dir/r.rules")" "small messages of which few elements may be are left out"
says "left to the default: allreduce P = 16, size 16: rabenseifner: among some of these processes, or of elements of 16 bytes, something else would run (and so in 1 other cell)" "$dir/err" "and told, each reason once"

# Two algorithms of equal time, which noise of one percent puts before each other by turns; at 1 MiB one is 10 % slower.
mkdir "$dir/noisy"
for run in 0 1 2; do
    awk -v OFS=, -v r=$run 'BEGIN {
        print "collective,P,alg,bytes,us"
        for (p = 4; p <= 16; p *= 2)
            for (m = 1024; m <= 1048576; m *= 2) {
                n = (n + 7 * p + 3) % 13
                print "bcast", p, "default", m, 200 + r / 1000
                print "bcast", p, "chain", m, (100 + (n % 2 ? 1 : 0)) * (m == 1048576 ? 1.1 : 1) + r / 1000
                print "bcast", p, "pipeline", m, 100 + (n % 2 ? 0 : 1) + r / 1000
            }
    }' >"$dir/noisy/$run.csv"
done
run import -q -c peak --name noisy --results "$results" --format csv --mpi openmpi --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us --pattern '{run}.csv' "$dir/noisy"
run fit -q -c peak --results "$results" --dataset noisy
run export -c peak --results "$results" --dataset noisy --library openmpi-4.1 --tie 0 --output "$dir/n.rules"
holds "$(numbers "$dir/n.rules" | wc -w) > 80" "by the fastest alone there are stripes"
run export -c peak --results "$results" --dataset noisy --library openmpi-4.1 --output "$dir/n.rules"
holds "$(numbers "$dir/n.rules" | wc -w) < 40" "what is as fast as its neighbour makes none: $(numbers "$dir/n.rules")"
says "as fast as the fastest within 2.5 %" "$dir/err" "which is told"
run rules "$dir/n.rules" --library openmpi-4.1 --collective bcast -p 4,8,16 -m 1024K --json
is "3 3 3" "$(sed -n 's/.*"id": \([0-9]*\).*/\1/p' "$dir/out" | xargs)" "where one is slower the other is taken"

# One order of combining: ring is the fastest of large messages, and changes its order with the size; binomial trees do not.
awk -v OFS=, 'BEGIN {
    print "collective,P,alg,bytes,us"
    for (p = 4; p <= 8; p += 4)
        for (m = 1024; m <= 1048576; m *= 32) {
            print "allreduce", p, "default", m, 100
            print "allreduce", p, "ring", m, (m == 1048576 ? 40 : 150)
            print "allreduce", p, "recursive_doubling", m, (m == 1048576 ? 120 : 90)
            print "allreduce", p, "nonoverlapping", m, 30
            print "bcast", p, "default", m, 100
            print "bcast", p, "chain", m, 50
        }
}' >"$dir/order.csv"
run import -q -c peak --name order --results "$results" --format csv --mpi openmpi --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/order.csv"
run fit -q -c peak --results "$results" --dataset order
run export -c peak --results "$results" --dataset order --library openmpi-4.1 --unsure --collective allreduce --output "$dir/free.rules"
holds "$(numbers "$dir/free.rules" | grep -c ' 2 0 0')" "what is fastest is set"
for library in openmpi-4.1 openmpi-6 mpich-4.0; do
    run export -c peak --results "$results" --dataset order --library $library --unsure --reproducible --output "$dir/o.rules"
    [ $library = mpich-4.0 ] && break
    is 0 $status "$library: one order of combining"
    run rules "$dir/o.rules" --library $library --collective allreduce -p 4,8 -m 0,8,1K,32K,1M,64M --json
    is "recursive_doubling" "$(sed -n 's/.*"algorithm": "\(.*\)",.*/\1/p' "$dir/out" | sort -u)" "is that of one algorithm, for all sizes"
    run rules "$dir/o.rules" --library $library --collective bcast -p 4,8 -m 1K --json
    is "chain chain" "$(sed -n 's/.*"algorithm": "\(.*\)",.*/\1/p' "$dir/out" | xargs)" "what combines nothing is as without"
done
is 1 $status "for another library there are no times"
run export -c peak --results "$results" --dataset order --library openmpi-4.1 --unsure --reproducible --output "$dir/o.rules"
says "one order of combining in 6 cells: " "$dir/err" "what it costs is told: $(grep '^one order' "$dir/err")"

# Requests at a time: in rules of a later version, and as a key; before, they cannot be said.
mkdir "$dir/requests"
for run in 0 1 2; do
    awk -v OFS=, -v r=$run 'BEGIN {
        print "collective,P,alg,bytes,segment,fanout,us"
        e = 1 + r / 1000
        for (m = 65536; m <= 1048576; m *= 4) {
            print "reduce", 16, "default", m, 0, 0, 100 * e
            print "reduce", 16, "binary", m, 8192, 3, 60 * e
            print "reduce", 16, "binary", m, 8192, 0, 80 * e
            print "reduce", 8, "default", m, 0, 0, 100 * e
            print "reduce", 8, "chain.5", m, 8192, 2, 60 * e
            print "reduce", 8, "chain", m, 8192, 2, 80 * e
        }
    }' >"$dir/requests/$run.csv"
done
run import -q -c peak --name requests --results "$results" --format csv --mpi openmpi --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,segment_bytes=segment,fanout=fanout,max_s=us:us --pattern '{run}.csv' "$dir/requests"
is 0 $status "planted times of limited requests"
run fit -q -c peak --results "$results" --dataset requests
limited() { run export -c peak --results "$results" --dataset requests --output "$dir/q.rules" "$@"; }
limited --library openmpi-5
is "rule-file-version-2" "$(head -1 "$dir/q.rules")" "rules with requests at a time are of version 2, which stands first"
is "65536 2 2 8192 5,65536 4 0 8192 3" "$(sed 's/ *#.*//' "$dir/q.rules" | grep '^65536 ' | paste -sd,)" "as a fifth number"
run rules "$dir/q.rules" --library openmpi-5 --collective reduce -p 16 -m 64K
says "binary (4), segments of 8192 bytes, requests at a time 3" "$dir/out" "and are read so"
run rules "$dir/q.rules" --library openmpi-5 --collective reduce -p 8 -m 64K
says "chain (2), segments of 8192 bytes, fan-out 2, requests at a time 5" "$dir/out" "a chain has both"
limited --library openmpi-6
run rules "$dir/q.rules" --library openmpi-6 --collective reduce -p 16 -m 64K --json
is 3 "$(sed -n 's/.*"requests": \([0-9]*\).*/\1/p' "$dir/out")" "as JSON"
limited --library openmpi-4.1
is "" "$(grep -v '^#' "$dir/q.rules" | grep binary)" "4.1 cannot be told"
says "a rule cannot say its fan-out" "$dir/err" "which is said"

for library in openmpi-4.1 openmpi-6; do
    write -q --library $library --output "$dir/all.rules"
    run rules "$dir/all.rules" --library $library
    is "0 0" "$status $(grep -c warning: "$dir/out")" "$library finds nothing to warn of in what was made for it"
done

# ---- what leaving han out costs ----
# On two nodes of four ranks han serves the default of 5.0 and later; tuned alone takes half as long again, or four fifths.
cat >"$dir/left.csv" <<'END'
collective,P,nodes,ppn,alg,bytes,us
bcast,8,2,4,default,64,100
bcast,8,2,4,tuned,64,150
bcast,8,2,4,binomial,64,120
bcast,8,2,4,default,1024,100
bcast,8,2,4,binomial,1024,50
bcast,8,2,4,default,65536,100
bcast,8,2,4,tuned,65536,80
bcast,8,2,4,binomial,65536,99
END
left() { # NAME RELEASE: imports stdin, exports for openmpi-5 to $dir/NAME.rules
    run import -q -c peak --name "$1" --results "$results" --format csv --mpi openmpi --set mapping=node --mpi-version "$2" \
        --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us /dev/stdin
    run fit -q -c peak --results "$results" --dataset "$1"
    run export -c peak --results "$results" --unsure --dataset "$1" --library openmpi-5 --output "$dir/$1.rules"
}
left left 5.0.7 <"$dir/left.csv"
says "in 2 cells without a rule han serves the default, and tuned takes 1.10 times as long in the mean, 1.50 at most (bcast P = 8, size 64)" \
    "$dir/left.rules" "the head of a file that leaves han out says what that costs in the cells without a rule"
grep -v tuned "$dir/left.csv" | left unknown 5.0.7
says "in 2 cells without a rule that han serves, what it costs was not measured (openmpi = tuned in a study measures it)" "$dir/unknown.rules" \
    "... or that it was not measured"
sed 's/,2,4,/,1,8,/' "$dir/left.csv" | left one-node 5.0.7
says "costs nothing in these cells, as han serves the default of none without a rule" "$dir/one-node.rules" "... or that han has no part there"
left older 4.1.4 <"$dir/left.csv"
says "what it costs nobody has measured, as this release, han in place, did not run" "$dir/older.rules" "... nor in times of another release"
run export -c peak --results "$results" --unsure --dataset older --library openmpi-4.1 --output "$dir/older41.rules"
! grep -q "leaving han out" "$dir/older41.rules"
ok $? "of 4.1, whose han nobody asks, nothing is left out"

# ---- nothing to set ----
# Whatever the form: one line, no file, and no failure.
awk -v OFS=, 'BEGIN {
    print "collective,P,nodes,ppn,alg,bytes,us"
    for (p = 4; p <= 8; p += 4)
        print "bcast", p, 2, p / 2, "default", 1024, 100 "\nbcast", p, 2, p / 2, "binomial", 1024, 120 "\nbcast", p, 2, p / 2, "tuned", 1024, 120
    print "gather", 3, 2, 2, "default", 1024, 100 "\ngather", 3, 2, 2, "han", 1024, 50 # which han leaves: unequally many ranks a node
}' >"$dir/none.csv"
grep -v 'tuned\|gather' "$dir/none.csv" >"$dir/none-mpich.csv"
for mpi in openmpi mpich; do
    file=$dir/none.csv
    [ $mpi = openmpi ] || file=$dir/none-$mpi.csv
    run import -q -c peak --name none-$mpi --results "$results" --format csv --mpi $mpi --set mapping=node \
        --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us "$file"
    is 0 $status "times of $mpi in which the default is best"
    run fit -q -c peak --results "$results" --dataset none-$mpi
done
none() { run export -c peak --results "$results" --unsure "$@"; }
for library in openmpi-4.1 openmpi-6 openmpi-5.0.0 openmpi-4.1-han openmpi-5-han openmpi-6-han mpich-4.0 mpich-4.1 mpich-4.2 mpich-4.3 mpich-5.0 mpich-5.0-gpu libcollsel; do
    none -q --dataset "none-$(echo $library | grep -o '^mpich' || echo openmpi)" --library $library --collective bcast --output "$dir/none.rules"
    is "0 there is nothing to set: in none of 2 cells something gains more than 3 % for sure; no file is written" "$status $(cat "$dir/err")" "$library: one line, also with -q"
    [ ! -e "$dir/none.rules" ]
    ok $? "... and no file"
done
none --dataset none-openmpi --library openmpi-5-han --collective gather
is "0 there is nothing to set: none of 1 choice can be said by a file for openmpi-5-han, or has to be; no file is written" "$status $(tail -n 1 "$dir/err")" "choices that the file cannot say"
says "left to the default: gather P = 3" "$dir/err" "are told"
is "" "$(cat "$dir/out")" "and nothing is printed that might be taken for a file"
cp "$dir/b.rules" "$dir/old.rules"
none -q --dataset none-openmpi --library openmpi-4.1 --collective bcast --output "$dir/old.rules"
says "'$dir/old.rules' is of an earlier time, and stays as it is" "$dir/err" "a file that is there"
cmp -s "$dir/b.rules" "$dir/old.rules"
ok $? "stays as it is"

# ---- beyond what was measured ----
# A winner that no library takes by itself at 1 KiB, among 8, 16 and 32 ranks, four a node. Whoever reads the file runs it from 8 to 32 ranks and
# at that size alone; below, beyond and at other sizes what runs is what runs without a rule.
beyond() { # LIBRARY MPI VERSION WINNER
    library=$1 mpi=$2 version=$3 winner=$4
    for run in 0 1 2; do
        awk -v OFS=, -v r=$run -v w="$winner" 'BEGIN {
            print "collective,P,nodes,ppn,alg,bytes,us"
            e = 1 + r / 1000
            for (p = 8; p <= 32; p *= 2)
                for (m = 64; m <= 8192; m *= m == 64 ? 16 : 8) {
                    print "bcast", p, p / 4, 4, "default", m, 100 * e
                    print "bcast", p, p / 4, 4, w, m, (m == 1024 ? 50 : 150) * e
                }
        }' >"$dir/beyond/$run.csv"
    done
    run import -q -c "$dir/sixteen.ini" --name "beyond-$library" --results "$results" --format csv --mpi "$mpi" --mpi-version "$version" --set mapping=core \
        --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us --pattern '{run}.csv' "$dir/beyond"
    run fit -q -c "$dir/sixteen.ini" --results "$results" --dataset "beyond-$library"
    run export -q -c "$dir/sixteen.ini" --results "$results" --dataset "beyond-$library" --library "$library" --output "$dir/$library.beyond"
    is 0 $status "$library: rules up to 32 ranks"
    place="--ppn 4"
    [ "$winner" != chain ] || place= # a file for tuned is loaded without han
    # shellcheck disable=SC2086
    run rules "$dir/$library.beyond" --library "$library" --collective bcast -p 4,8,12,16,32,36,64,1024 -m 64,1K,8K $place --json
    is "8 1024, 12 1024, 16 1024, 32 1024, of 24" "$(awk -F '[:,"]+ *' -v w="$winner" '$2 == "procs" { p = $3; n++ } $2 == "bytes" { m = $3 }
        /"(algorithm|component)":/ { sub(/.*: "(portable:)?/, ""); sub(/".*/, ""); if ($0 == w || "portable:" $0 == w) printf "%d %d, ", p, m } END { print "of", n }' "$dir/out")" \
        "  the winner runs in the cells where it gains, and among the ranks between them, alone"
}
mkdir "$dir/beyond"
printf '[cluster]\nname = sixteen\nnodes = 256\nsockets = 1\ncores = 4\n' >"$dir/sixteen.ini"
for release in 4.0:4.0.2 4.1:4.1.4 5.0.0:5.0.3 5:5.0.7 6:6.0.0; do beyond openmpi-${release%:*} openmpi ${release#*:} chain; done
for release in 4.0:4.0.2 4.1:4.1.2 4.2:4.2.1 4.3:4.3.0 5.0:5.0.2 5.0-gpu:5.0.2; do beyond mpich-${release%:*} mpich ${release#*:} scatter_ring_allgather; done
for release in 4.1:4.1.4 5:5.0.7 6:6.0.0; do beyond openmpi-${release%:*}-han openmpi ${release#*:} basic; done
beyond libcollsel openmpi 5.0.7 portable:chain

# ---- cells whose own times do not tell the gain ----
# The default is missing at odd P. Others tell that the tree gains there, but of 1 KiB, where it is slower.
mkdir "$dir/between"
for run in 0 1 2; do
    awk -v OFS=, -v r=$run 'BEGIN {
        print "P,alg,bytes,us"
        e = 1 + r / 1000
        for (p = 4; p <= 44; p++)
            for (m = 1024; m <= 65536; m *= 2) {
                if (p % 2 == 0)
                    print p, "default", m, (m == 1024 ? 40 : 100) * e
                print p, "binomial", m, 50 * (1 + (p * 7 + m / 1024 * 3) % 5 / 20) * e
            }
    }' >"$dir/between/$run.csv"
done
run import -q -c peak --name between --results "$results" --format csv --mpi openmpi --mpi-version 4.1.5 --set mapping=core,collective=bcast \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us --pattern '{run}.csv' "$dir/between"
run fit -q -c peak --results "$results" --dataset between
run export -c peak --results "$results" --dataset between --library openmpi-4.1 --output "$dir/between.rules"
says "287 cells: in 246 something gains more than 3 %; the default stays in 21 (best, or tied), 0 (the gain may be less), 20 (not known)" "$dir/err" \
    "a default that was not timed is not called best"
says "in 120 of these the gain is expected, by the times of other cells" "$dir/err" "gains of cells without a time of the default are called expected"
says "# in 120 of them the gain is estimated from the times of other cells, not timed" "$dir/between.rules" "in the file's head, too"
run report -q -c peak --results "$results" --dataset between
page=$results/peak/between/report
says "In 120 of these that is expected, by the times of other cells" "$page/page.md" "and on the page"
is 120 "$(grep -c '^[0-9]*[13579],.*,set: expected,' "$page/tables/set-cells.csv")" "cell by cell"
cells() { grep "^[0-9]" "$page/tables/set-cells.csv" | cut -d, -f"$1" | sort | uniq -c | sed 's/^ *//'; }
is "120 set: expected," "$(cells 3,9 | grep 'expected')" "of what is expected nobody knows how far behind the fastest it is"
is "20 default: not known,openmpi:default,,,," "$(cells 3-4,6-9 | grep 'known,.*:default')" "a default without a time gains nothing over itself"
run recommend -c peak --results "$results" --dataset between --collective bcast -p 5,7,11,21,43 -m 2K,4K,8K,16K,32K,64K --json
holds=$(sed -n 's/.*"default_longer_holds_pct": \([0-9]*\).*/\1/p' "$dir/out" | sort -n | head -1)
holds "$holds < 95" "the interval of what is expected holds for $holds %"
says "at least, with $holds % confidence" "$page/choices.html" "which is the confidence that the page names"
says "an interval with $holds % confidence" "$page/choices.html" "at both tables"

# ---- MPICH that takes each rank for one on a node of its own ----
awk -v OFS=, 'BEGIN {
    print "collective,P,nodes,ppn,alg,bytes,us"
    for (m = 1024; m <= 65536; m *= 64) print "bcast", 4, 1, 4, "default", m, 100 "\nbcast", 4, 1, 4, "scatter_ring_allgather", m, 50
}' >"$dir/apart.csv"
run import -q -c peak --name apart --results "$results" --format csv --mpi mpich --mpi-version 5.0.2 --set mapping=core \
    --map collective=collective,procs=P,nodes=nodes,ppn=ppn,bytes=bytes,algorithm=alg,max_s=us:us "$dir/apart.csv"
run fit -q -c peak --results "$results" --dataset apart
# held NODES: what a broadcast among four ranks on so many nodes gets by the file of these times.
held() {
    none -q --dataset apart --library mpich-5.0 --output "$dir/apart.rules"
    run rules "$dir/apart.rules" --library mpich-5.0 --collective bcast -p 4 -m 64K --nodes "$1" --json
    sed -n 's/.*"algorithm": "\([a-z_]*\)".*/\1/p' "$dir/out"
}
is "scatter_ring_allgather binomial" "$(held 1) $(held 4)" "a rule of four ranks on one node is for those"
mkdir "$results/peak/apart/samples"
printf '# in_effect: other ranks that rank 0 sees on its node=none\npoint\n' >"$results/peak/apart/samples/mpich-core-1x4-p4-r1.a1-0123abcd.csv"
is "binomial scatter_ring_allgather" "$(held 1) $(held 4)" "of a library that saw each on a node of its own it is for one rank on each"

# ---- a collective that nothing decides ----
# Of allreduce nothing was measured beside the default that the library has, and not every cell: it gets no rules, and takes none from the others.
awk -v OFS=, 'BEGIN {
    print "collective,P,alg,bytes,us"
    for (p = 4; p <= 8; p += 4) for (a = 0; a < 2; a++) print "allreduce", p, a ? "default" : "portable:allgather_ring", p * p * 64, 100 + a
    for (p = 4; p <= 8; p += 4) print "bcast", p, "default", 1024, 100 "\nbcast", p, "chain", 1024, 50
}' >"$dir/lone.csv"
run import -q -c peak --name lone --results "$results" --format csv --mpi openmpi --mpi-version 4.1.4 --set mapping=core \
    --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/lone.csv"
run fit -q -c peak --results "$results" --dataset lone
lone() { run export -q -c peak --results "$results" --dataset lone --library openmpi-4.1 --unsure --output "$dir/lone.rules" "$@"; }
lone
is 0 $status "a collective without an answer is no error"
is "1 7 3 0 1 0 0 0 0 4 3 0 0 0 0 1024 2 4 0 1025 0 0 0 9 1 0 0 0 0" "$(numbers "$dir/lone.rules")" "the others have their rules"
is "no rules of allreduce: no cell has two candidates with a time" "$(cat "$dir/err")" "it is named, with the reason, also with -q"
says "# no rules of allreduce: no cell has two candidates with a time" "$dir/lone.rules" "and in the file's head"
lone --collective bcast,allreduce
is 1 $status "asked for by name it is an error"
says "allreduce: no cell has two candidates with a time" "$dir/err" "which names it"
lone --collective allreduce
is 1 $status "and so it is alone"
run report -q -c peak --results "$results" --dataset lone
is 0 $status "a page of such times"
page=$results/peak/lone/report
says "No rules of allreduce: no cell has two candidates with a time." "$page/page.md" "names it, too"
is "2" "$(grep -c . "$(ls "$page"/tables/set-cells-bcast-*.csv)" | awk '{ print $1 - 1 }')" "and shows what to set of the others"

# ---- what cannot be ----
write --library openmpi-4.1 --collective scan
is 1 $status "of a collective without times: as recommend has it"
says "no times of scan (there is: " "$dir/err" "which says what there is"
write --library openmpi-4.1 --mapping nowhere
is 1 $status "so is a mapping"
says "(there is: core)" "$dir/err" "with those that there are"
write --library openmpi-3
is 2 $status "for a reader that is not known"
write
is 2 $status "for nobody, where the release is not known"
says "say by --library the release" "$dir/err" "with what to say"
write --library openmpi-4.1 --margin 1000
says "gains more than 1000 % for sure" "$dir/err" "a large margin is a plain number"
write --library openmpi-4.1 -p 8,4
is 2 $status "processes that do not ascend"
run export --library openmpi-4.1 --model none.json --collective bcast -p 4
is 2 $status "a model without sizes"
mkdir "$dir/full"
write --library openmpi-4.1 --output "$dir/full"
is 1 $status "where a directory is no file can be"
is "" "$(find "$dir" -name '*.tmp')" "and nothing is left of it"
tap_done
