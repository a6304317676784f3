#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SPDX-License-Identifier: BSD-3-Clause
# collsel plan: the plan is complete, deterministic, and says what was left out.
. tests/cli/run.sh
if ! command -v smpirun >/dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip_all "no SimGrid here"
fi

run plan --cluster gros --study bcast --backend sim --results "$dir/a"
is 0 $status "the study bcast on gros is planned"
run plan --cluster gros --study bcast --backend sim --results "$dir/b" --quiet
cmp -s "$dir/a/gros/bcast/plan.csv" "$dir/b/gros/bcast/plan.csv"
ok $? "and again the same"
is "" "$(cat "$dir/err")" "--quiet is silent"
plan=$dir/a/gros/bcast/plan.csv

count() { # count PURPOSE PROCS ALGORITHM EXPERIMENT
    awk -F, -v p="$1" -v n="$2" -v a="$3" -v e="$4" \
        '$4 == p && $10 == n && $13 == a && $3 == e' "$plan" | wc -l
}
is 10 "$(count study 100 portable:binomial time)" "ten sizes of binomial at P = 100"
is 10 "$(count fit 124 portable:chain gather)" "ten gather experiments of chain at P = 124"
is 10 "$(count held_procs 47 portable:chain time)" "ten sizes at a held out P"
is 20 "$(count held_root 124 portable:chain time)" "ten sizes at two held out roots"
is "2 3 4 5 6 7 8 16 32 64 124" \
    "$(awk -F, '$3 == "gamma" { print $10 }' "$plan" | sort -nu | xargs)" "gamma: 2 to 8, then powers of two, and P"
is "" "$(awk -F, 'NR > 1 { print $1 "," $2 }' "$plan" | sort | uniq -d)" "no point stands twice in a launch"
is "8192 4194304" "$(awk -F, '$4 == "study" { print $12 }' "$plan" | sort -nu | sed -n '1p;$p' | xargs)" \
    "from 8 KiB to 4 MiB"
awk -F, '$4 == "default" && $12 == 8192 && $10 == 100 { print $13, $14 }' "$plan" >"$dir/default"
is "portable:split_binary_tree 1024" "$(sort -u "$dir/default")" "the published default at 8 KiB: split binary, 1 KiB"

mkdir "$dir/own"
cp clusters/gros.ini "$dir/own"
run plan --clusters "$dir/own" --cluster gros --study bcast --backend walk --dry-run
is 0 $status "clusters elsewhere have the studies that come with the program"
run plan --cluster gros --study bcast --backend sim --results "$dir/c"
sed 's/^seed = .*/seed = 7/' clusters/studies/bcast.ini >"$dir/seven.ini"
run plan --cluster gros --study "$dir/seven.ini" --backend sim --results "$dir/c"
cmp -s "$plan" "$dir/c/gros/bcast/plan.csv"
is 1 $? "another seed gives another order"
cut -d, -f2 "$plan" | sort >"$dir/ids.a"
cut -d, -f2 "$dir/c/gros/bcast/plan.csv" | sort | cmp -s "$dir/ids.a" -
ok $? "of the same points"

run plan --cluster grisou --study bcast --backend sim --results "$dir/a"
is 0 $status "the study bcast on grisou is planned"
grep -q ',held_procs,.*,113 processes do not fit: grisou has 51 nodes with room for 2 each' \
    "$dir/a/grisou/bcast/skipped.csv"
ok $? "113 processes do not fit one per CPU: skipped, with the reason"
grep -q '^,.*,held_procs,' "$dir/a/grisou/bcast/plan.csv"
ok $? "and in the plan without a launch"
is "40x1" "$(awk -F, '$3 == "gather" { print $8 "x" $9 }' "$dir/a/grisou/bcast/plan.csv" | sort -u)" \
    "fits on 40 nodes"
is "45x2" "$(awk -F, '$4 == "study" && $10 == 90 { print $8 "x" $9 }' "$dir/a/grisou/bcast/plan.csv" | sort -u)" \
    "90 processes: two on each of 45 nodes"

# nodes x ranks per node
cat >"$dir/shapes.ini" <<'END'
[study]
name = shapes
collectives = alltoall
[grid]
shape_nodes = 1 2 8
shape_ppn = 1 3 18 19
shape_procs = 100
bytes = 8
[candidates]
portable = pairwise linear
[fit]
experiments = no
END
run plan --cluster gros --study "$dir/shapes.ini" --backend walk --results "$dir/a"
is 0 $status "a study of shapes is planned"
is "1x18 1x3 2x1 2x18 2x3 8x1 8x3" "$(awk -F, 'NR > 1 && $1 != "" { print $8 "x" $9 }' "$dir/a/gros/shapes-walk/plan.csv" | sort -u | xargs)" \
    "each number of nodes with each number of ranks on them, but one rank alone, and more than asked for"
is "time" "$(awk -F, 'NR > 1 { print $3 }' "$dir/a/gros/shapes-walk/plan.csv" | sort -u)" "and no experiment for models"
says "1 node of 19 ranks do not fit: gros has 124 nodes with room for 18 each" "$dir/a/gros/shapes-walk/skipped.csv" "what has no room is skipped"

run plan --cluster local --study bcast --backend local --results "$dir/a"
is 0 $status "the study bcast on this machine is planned"
for a in openmpi:default mpich:default openmpi:chain mpich:binomial portable:chain; do
    grep -q ",$a," "$dir/a/local/bcast/plan.csv"
    ok $? "with $a"
done

run plan --cluster gros --dry-run --show --results "$dir/d"
is 0 $status "--dry-run --show"
test ! -e "$dir/d"
ok $? "writes nothing"
says "precision = 0.025  ; default" "$dir/out" "and prints resolved keys, defaults marked"
says "procs = 80 100 124" "$dir/out" "with what holds on gros"

# every rule knows what stands for the default
for rule in openmpi41 mpich40; do
    sed "s/^sim_default = .*/sim_default = $rule/" clusters/studies/allgather.ini >"$dir/ag$rule.ini"
    run plan --cluster gros --study "$dir/ag$rule.ini" --backend sim --dry-run
    is 00 "$status$(grep -c 'no default' "$dir/out")" "$rule has one"
done
run plan --cluster gros --study allgather --backend sim --dry-run
is 0 "$(grep -c 'no default' "$dir/out")" "and nothing where it is there"

# a limit of requests is part of a native's name; a misspelt one is refused where no library runs, too
sed 's/^openmpi = .*/openmpi = chain chain.8\nfanouts = chain:2/; s/^mpich = .*//' clusters/studies/reduce.ini >"$dir/limit.ini"
run plan --cluster mini --study "$dir/limit.ini" --backend slurm --results "$dir/limit"
is "openmpi:chain 2,openmpi:chain.8 2" \
    "$(awk -F, '$13 ~ /^openmpi:chain/ { print $13, $15 }' "$dir"/limit/mini/*/plan.csv | sort -u | paste -sd,)" "chain.8 is a candidate beside chain, with its fan-outs"
sed 's/^openmpi = .*/openmpi = linear binomail/' clusters/studies/reduce.ini >"$dir/misspelt.ini"
run plan --cluster gros --study "$dir/misspelt.ini" --backend walk --dry-run
is 2 $status "a misspelt native where the study is walked"
says "misspelt.ini:$(grep -n '^openmpi = ' "$dir/misspelt.ini" | cut -d: -f1): openmpi: 'binomail' is not an algorithm of its reduce (there is: linear chain pipeline binary binomial in-order_binary rabenseifner " \
    "$dir/err" "with the line, and what there is"
says "did you mean 'binomial'?" "$dir/err" "and what may be meant"
sed 's/^openmpi = .*/openmpi = linear/; s/^mpich = .*/mpich = frobnicate/' clusters/studies/reduce.ini >"$dir/misspelt.ini"
run plan --cluster mini --study "$dir/misspelt.ini" --backend slurm --dry-run
says "misspelt.ini:$(grep -n '^mpich = ' "$dir/misspelt.ini" | cut -d: -f1): mpich: 'frobnicate' is not an algorithm of its reduce (there is: binomial reduce_scatter_gather smp nb device mpir composition_alpha composition_beta composition_gamma)" \
    "$dir/err" "$status: of MPICH as well, where it runs"
sed 's/^openmpi = .*/fanouts = chain.8:2/' clusters/studies/reduce.ini >"$dir/fanout.ini"
run plan --cluster gros --study "$dir/fanout.ini" --backend walk --dry-run
is 2 $status "a fan-out of chain.8 is said as that of chain"

# names are spelt as on the command line: the library's before them or not, short, or of what a library sends
candidates() { awk -F, '$4 == "study" { print $13 }' "$1"/plan.csv | sort -u | paste -sd,; }
sed 's/^portable = .*/portable = brucks mpich:ring portable:bruck openmpi:neighbor/; s/^openmpi = .*/openmpi = openmpi:ring bruck/; s/^mpich = .*/mpich = mpich:brucks/; s/^procs = .*/procs = 4/; s/^held_procs = .*//' \
    clusters/studies/allgather.ini >"$dir/spelt.ini"
run plan --cluster mini --study "$dir/spelt.ini" --backend slurm --results "$dir/spelt"
is "0 mpich:brucks,openmpi:bruck,openmpi:ring,portable:bruck,portable:mpich_brucks,portable:mpich_ring,portable:neighbor" \
    "$status $(candidates "$dir"/spelt/mini/* | tr , '\n' | grep -v default | paste -sd,)" "a study takes every spelling"
sed 's/^openmpi = .*/openmpi = mpich:brucks/' clusters/studies/allgather.ini >"$dir/spelt.ini"
run plan --cluster mini --study "$dir/spelt.ini" --backend slurm --dry-run
is 2 $status "but not another library's"
says "openmpi: 'mpich:brucks' is not an algorithm of its allgather" "$dir/err" "which is said"
cp clusters/studies/alltoall.ini "$dir" # which that of allreduce is like
sed 's/^portable = .*/portable = openmpi:bine/' clusters/studies/allreduce.ini >"$dir/spelt.ini"
run plan --cluster mini --study "$dir/spelt.ini" --backend sim --dry-run
says "portable: 'openmpi:bine' is not an algorithm of allreduce" "$dir/err" "$status: nor what the library does not have"

# the study of any collective goes by the size of the cluster
run plan --cluster star-a --study exscan --backend walk --results "$dir/small"
is 0 $status "exscan on sixteen nodes"
is 16 "$(awk -F, '$4 == "study" { print $10 }' "$dir/small/star-a/exscan-walk/plan.csv" | sort -u)" "among sixteen"
sed 's/^nodes = .*/nodes = 1/' clusters/star-a.ini >"$dir/lonely.ini"
run plan --cluster "$dir/lonely.ini" --study exscan --backend walk --dry-run
is 2 $status "on one node"
says "any.ini:10: procs: 'nodes' is one process on" "$dir/err" "it wants a number"

# Slurm: served here, served elsewhere, not named
{ cat clusters/gros.ini; printf '\n[slurm]\npartition = batch\n'; } >"$dir/slurm.ini"
printf '#!/bin/sh\necho batch\n' >"$dir/sinfo"
chmod +x "$dir/sinfo"
PATH=$dir:$PATH run plan --cluster "$dir/slurm.ini" --dry-run
says "backend slurm: Slurm serves partition 'batch' here" "$dir/err" \
    "auto sees that Slurm serves the partition"
printf '#!/bin/sh\nexit 1\n' >"$dir/sinfo"
PATH=$dir:$PATH run plan --cluster "$dir/slurm.ini" --dry-run
says "backend sim: no Slurm serves partition 'batch' here" "$dir/err" "auto sees that it does not"

# for Slurm: what is expected, and what it takes at most; simulated calls where there are some
seconds() { # seconds COLUMNS: of all launches
    grep '^in all' "$dir/out" | cut -c"$1" |
        awk '{ for (i = 1; i < NF; i += 2) s += $i * ($(i + 1) == "h" ? 3600 : $(i + 1) == "min" ? 60 : 1); print s }'
}
run plan --cluster mini --backend slurm --dry-run --results "$dir/r"
is 0 $status "a plan for Slurm"
says "expected: 0 points as they took before, 0 from simulated calls" "$dir/out" "says that nothing is known yet"
expected=$(seconds 59-70) most=$(seconds 72-83)
holds "$most > 30 && $expected > 10 && $expected <= $most" "what is expected is bounded ($expected s of $most s)"
if command -v smpirun > /dev/null && [ -x "$build/smpi/measure" ]; then
    run sweep -q --cluster mini --backend sim --results "$dir/r"
    run plan --cluster mini --backend slurm --dry-run --results "$dir/r"
    holds "$(sed -n 's/.* before, \([0-9]*\) from simulated calls.*/\1/p' "$dir/out") > 100" "a simulation tells of its points"
    holds "$(seconds 59-70) < $expected" "which are then expected to take less ($(seconds 59-70) s)"
    is "$most" "$(seconds 72-83)" "while the bound stays"
else
    skip "no SimGrid here" "expectations from a simulation"
fi

# the seats of a launch, by hand for two sockets of eight cores, and what would start it
run plan --cluster grisou --backend slurm --placement openmpi-socket-2x3-p5-r1
is 0 $status "--placement"
is "rank,node,socket,core
0,0,0,0
1,0,1,0
2,0,0,1
3,1,0,0
4,1,1,0" "$(grep -v '^#' "$dir/out")" "mapping socket: nodes filled in turn, sockets by turns"
run plan --cluster grisou --backend slurm --placement mpich-node-2x17-p4-r1
is "0,0,,
1,1,,
2,0,,
3,1,," "$(grep '^[0-9]' "$dir/out")" "more ranks than cores: nodes by turns, no cores"
says "# launcher: mpich" "$dir/out" "what starts it"
says "-ppn 1" "$dir/out" "and how"
run plan --cluster grisou --placement openmpi-core-1x2-p3-r1
is 2 $status "a launch whose ranks do not fit is wrong usage"
says "3 ranks do not fit on 1 nodes of 2" "$dir/err" "and says so"
run plan --cluster grisou --placement nonsense
is 2 $status "no launch at all is wrong usage"
sed 's/^partition.*/&\nlauncher = srun/' clusters/mini.ini >"$dir/mini.ini"
run plan --cluster "$dir/mini.ini" --backend slurm --placement openmpi-core-4x1-p4-r1
case $(mpirun.openmpi --version 2>/dev/null) in
*" 4.1."*)
    is 2 $status "a launcher that is known not to work on an emulated cluster is refused"
    says "in network namespaces its steps fail to launch" "$dir/err" "with the reason"
    ;;
*) skip "no Open MPI 4.1 here, which srun does not start on emulated nodes" "a launcher that is known not to work" ;;
esac

# What MPICH refuses: some among other than 2^n processes, some with less than a byte for each of 2^n.
refused() {
    printf '[study]\nname = refused\ncollectives = %s\nmpi = mpich\nmappings = core\n[grid]\nprocs = 3 4\nbytes = 1 2 4\n' "$1"
    printf '[candidates]\nportable = binomial\nopenmpi = binomial\nmpich = %s\ndefault = no\n[fit]\nfit_procs = 4\n' "$2"
}
refused reduce reduce_scatter_gather >"$dir/refused.ini"
run plan --cluster mini --study "$dir/refused.ini" --results "$dir/a" --backend slurm
is 0 $status "a plan with what MPICH refuses"
is "3:1 4:1 4:2 " "$(awk -F, '$3 == "study" { print $9 ":" $11 }' "$dir/a/mini/refused/skipped.csv" | sort | tr '\n' ' ')" \
    "fewer bytes than the largest 2^n processes are not asked for"
says "the library runs it from a byte for each of 2^n processes on" "$dir/a/mini/refused/skipped.csv" "with the reason"
refused allgather recursive_doubling | sed 's/= binomial/= ring/' >"$dir/refused.ini"
run plan --cluster mini --study "$dir/refused.ini" --results "$dir/a" --backend slurm
is "3:1 3:2 3:4 " "$(awk -F, '$3 == "study" { print $9 ":" $11 }' "$dir/a/mini/refused/skipped.csv" | sort | tr '\n' ' ')" \
    "recursive doubling is, among 2^n processes"
run plan --cluster gors
is 2 $status "an unknown cluster is wrong usage"
says "grisou, gros, lemieux, local, mini" "$dir/err" "the known ones are listed"
run plan --study bcats
is 2 $status "an unknown study is wrong usage"
run plan --backend cloud
is 2 $status "an unknown backend is wrong usage"
# A study of which nothing fits is refused, a dry run warns; what does not fit is counted once, gamma's counts too.
printf '%s\n' '[study]' 'name = big' 'collectives = bcast reduce' '[grid]' 'procs = 5000' 'bytes = 1K' '[candidates]' \
    'portable = binomial' >"$dir/big.ini"
run plan -c gros -s "$dir/big.ini" -b sim --results "$dir/a"
is 2 $status "a grid of which no cell fits is wrong usage"
says "no cell of the grid fits 'gros': 5000 processes do not fit" "$dir/err" "with the reason"
[ ! -e "$dir/a/gros/big/plan.csv" ]
ok $? "and without a plan"
run sweep -q -c gros -s "$dir/big.ini" -b null --results "$dir/a"
is 2 $status "it is not swept either"
says "no cell of the grid fits 'gros'" "$dir/err" "with the reason"
run plan -c gros -s "$dir/big.ini" -b sim --results "$dir/a" --dry-run
is 0 $status "a dry run shows what there would be"
says "no cell of the grid fits 'gros'" "$dir/err" "with a warning"
sed 's/^procs = .*/procs = 16 5000/; s/= big/= half/' "$dir/big.ini" >"$dir/half.ini"
printf '%s\n' '[fit]' 'gamma_procs = 3 9 7000' >>"$dir/half.ini"
run plan -c gros -s "$dir/half.ini" -b sim --results "$dir/a"
is 0 $status "half a grid is planned"
is "" "$(cut -d, -f1 "$dir/a/gros/half/skipped.csv" | sort | uniq -d)" "what does not fit is skipped once, whoever wants it"
says "$(($(wc -l <"$dir/a/gros/half/skipped.csv") - 1)) points skipped" "$dir/out" "and counted so"
grep ',7000,' "$dir/a/gros/half/skipped.csv" | grep -q "7000 processes do not fit"
ok $? "a gamma count that does not fit is skipped with the reason"
run plan -c gros -s "$dir/half.ini" -b local --results "$dir/b"
is 2 $status "a cluster of many nodes is not measured on this machine"
says "nodes, and backend local has this machine alone" "$dir/err" "and it is said"
run sweep -c gros -s "$dir/half.ini" -b local --results "$dir/b"
is 2 $status "nor swept"
printf '%s\n' '[cluster]' 'name = fat' 'nodes = 1' 'sockets = 64' 'cores = 64' 'cpu = none' >"$dir/fat.ini"
sed 's/^procs = .*/procs = 4096/' "$dir/big.ini" >"$dir/fatstudy.ini"
run sweep -c "$dir/fat.ini" -s "$dir/fatstudy.ini" -b local --results "$dir/b"
is 2 $status "nor one of more cores than it has"
says "ranks, and this machine has" "$dir/err" "and it is said"

run plan surplus
is 2 $status "an argument too many is wrong usage"
run plan --help
is 0 $status "--help"
says "(default: bcast," "$dir/out" "shows defaults"
sed 's/binomial/binominal/' tests/cli/tiny.ini >"$dir/typo.ini"
run plan --cluster gros --study "$dir/typo.ini" --backend sim --results "$dir/a"
is 2 $status "an unknown algorithm is wrong usage"
says "'binominal' is not an algorithm of bcast" "$dir/err" "and is named"
{ cat tests/cli/tiny.ini; printf '[held_out]\nheld_procs = %s\n' "$(sed -n 's/^procs = \([0-9]*\).*/\1/p' tests/cli/tiny.ini)"; } >"$dir/held.ini"
run plan --cluster gros --study "$dir/held.ini" --backend sim --results "$dir/a" --dry-run
is 0 $status "a count that is held out and fitted to is planned"
says "is in procs, too, and not held out" "$dir/err" "which is said"
run plan --cluster tests/harness/cluster-invalid/doubled_key.ini --results "$dir/a"
is 2 $status "a malformed cluster file is wrong usage"
says "doubled_key.ini:9: key 'nodes' is given twice" "$dir/err" "with file and line"
# What costs nothing wins: a cluster file states its costs before it is simulated.
for key in link_rate link_latency send_cost isend_cost recv_cost copy_cost reduce_cost loopback_rate loopback_latency; do
    sed "/^\[sources\]/,\$d; /^$key = /d" clusters/star-a.ini >"$dir/bare.ini"
    run plan --cluster "$dir/bare.ini" --study bcast --backend sim --results "$dir/bare"
    is 2 $status "without $key nothing is simulated"
    says "] $key is not given" "$dir/err" "... it is named"
    says "docs/simulation.md" "$dir/err" "... with the page that says what it means"
    has "needed by a simulation" "$(grep "^| .$key. " docs/cluster-file.md)" "and the table of keys marks it"
done
run sweep --cluster "$dir/bare.ini" --study bcast --backend sim --results "$dir/bare"
is 2 $status "a sweep refuses what a plan refuses"
run doctor --cluster "$dir/bare.ini"
says "[node] loopback_latency is not given" "$dir/out" "and doctor tells"
run plan --cluster "$dir/bare.ini" --study bcast --backend null --results "$dir/bare"
is 0 $status "only a simulation wants it"
sed '/^\[sources\]/,$d; /^[a-z]*_factors = /d' clusters/star-a.ini >"$dir/bare.ini"
run plan --cluster "$dir/bare.ini" --study bcast --backend sim --results "$dir/bare"
is 0 $status "without factors it is simulated"
says "leaves to defaults: switch_latency = 0, bandwidth_factors = 0:1, latency_factors = 0:1" "$dir/out" "and that is said"
sed 's/^topology = .*/&\norder = dims:1,0/' clusters/star-a.ini >"$dir/ordered.ini"
for verb in plan sweep; do
    run $verb --cluster "$dir/ordered.ini" --study bcast --backend sim --results "$dir/ordered"
    says "ordered.ini:$(grep -n "^order = " "$dir/ordered.ini" | cut -d: -f1): order: " "$dir/err" "$verb refuses an order that the network has not"
done
for file in clusters/*.ini; do
    [ "$file" = clusters/local.ini ] && continue
    [ "$file" = clusters/peak.ini ] && continue
    run doctor --cluster "$file"
    says "its costs are stated" "$dir/out" "$file can be simulated"
done
run doctor --cluster clusters/peak.ini # of which measurements alone are known
says "link_rate is not given, and a simulation needs it" "$dir/out" "clusters/peak.ini cannot, which is said"

# What a simulation takes in real time: as those did that were run before.
run plan -c gros -s tests/cli/tiny.ini -b sim --results "$dir/pace"
says "a message, a guess" "$dir/out" "without any the estimate is a guess, and says so"
mkdir -p "$dir/pace/gros/other"
cp "$dir/pace/gros/tiny/plan.csv" "$dir/pace/gros/other"
messages=$(awk '/^smpi-core-8x1-p8-r1/ { print $3 }' "$dir/out")
printf '{"backend": {"name": "sim"}}\n' >"$dir/pace/gros/other/manifest.json"
printf '{"t":"","launch":"smpi-core-8x1-p8-r1","attempt":1,"event":"done","reason":"","digest":"","points":30,"elapsed_s":%s,"pid":1}\n' \
    "$(awk -v m="$messages" 'BEGIN { print 0.5 + 2e-3 * m }')" >"$dir/pace/gros/other/events.jsonl"
run plan -c gros -s tests/cli/tiny.ini -b sim --results "$dir/pace"
says "at 2 ms a message, as 1 simulated launch of this cluster took here" "$dir/out" "then it is their pace"
is "15 s" "$(awk '/^smpi-core-8x1-p8-r1/ { print $4, $5 }' "$dir/out")" "by which launches are estimated"

# What was measured here takes as long as it took.
run sweep -c gros -s tests/cli/tiny.ini -b null --results "$dir/k" -q
cp -r "$dir/k" "$dir/slow"
for file in "$dir"/slow/gros/tiny/samples/*.outcomes.csv; do
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "elapsed_s") at = i } NR > 1 { $at = 3 } { print }' \
        "$file" >"$dir/slow.csv"
    cp "$dir/slow.csv" "$file"
done
run plan -c gros -s tests/cli/tiny.ini -b null --results "$dir/slow"
is "" "$(awk '/^[a-z]+-core-/ { t = $5 == "min" ? 60 * $4 + $6 : $4; if (t < 3 * $2 || t > 3 * $2 + 1) print }' "$dir/out")" \
    "three seconds for each point"
has "-core-8x1-p8-r1" "$(cat "$dir/out")" "of launches that are there"

# The plan of what was measured stays.
cp "$dir/k/gros/tiny/plan.csv" "$dir/kept.csv"
run plan -c gros -s tests/cli/tiny.ini -b sim --results "$dir/k"
is 0 $status "planned for another backend over results"
cmp -s "$dir/kept.csv" "$dir/k/gros/tiny/plan.csv"
ok $? "the plan of the results is kept"
says "$dir/k/gros/tiny/plan.csv is not replaced: results of that plan are there; use --results DIR" "$dir/err" "and that is said"

run plan --cluster gros --study tests/harness/study-invalid/seed_negative.ini --results "$dir/a"
is 2 $status "a malformed study file is wrong usage"
says "seed_negative.ini:4: seed: '-1' is not a whole number" "$dir/err" "with file and line"
sed 's/^procs = .*/procs = 2/; s/^gamma_procs.*/gamma_procs = 2/' tests/cli/tiny.ini >"$dir/pair.ini"
run plan -c local -s "$dir/pair.ini" --results "$dir/basis"
says "at a nominal speed, on a machine that does nothing else" "$dir/out" "of a measurement it is said what the estimate rests on"
tap_done
