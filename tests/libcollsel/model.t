#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# A trained model before an application: its choices run, its likeliest are what star tries. And a profile of star's times becomes a table.
. tests/libcollsel/lib.sh

# field COLLECTIVE NAME: of the report's row of 200 or 4 bytes.
field() { grep -F "\"collective\": \"$1\"" "$dir/report" | grep -E '"bytes": (200|4),' | head -n 1 | sed -n "s/.*\"$2\": \"\{0,1\}\([^\",]*\).*/\1/p"; }

# Times of three sizes among 2, 4 and 8 ranks, of which one algorithm is far ahead: a learner has it.
awk -v OFS=, 'BEGIN {
    print "collective,P,alg,bytes,us"
    split("ring 90,portable:simple 20,portable:pairwise 60,portable:modified_bruck 70,default 100", kinds, ",")
    for (p = 2; p <= 8; p *= 2)
        for (m = 16; m <= 4096; m *= 4)
            for (k = 1; k <= 5; k++) {
                split(kinds[k], of, " ")
                if (of[1] != "ring")
                    print "alltoall", p, of[1], m, of[2] * (1 + m / 10000) * p
            }
}' >"$dir/times.csv"
{
    "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi openmpi --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/times.csv"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
    "$collsel" train -q -c peak --results "$dir/results" --dataset planted --output "$dir/model.json"
} >"$dir/out" 2>&1
ok $? "a model is trained ($(tail -n 1 "$dir/out"))"
"$collsel" export --model "$dir/model.json" --library libcollsel -p 4 -m 64 --likely 2 >"$dir/t.csv" 2>"$dir/err"
is 0 $? "its table ($(tail -n 1 "$dir/err"))"
is "alltoall,4,4,64,64,portable:simple,," "$(grep ^alltoall "$dir/t.csv" | grep -v default | head -n 1)" "has what is fastest first"
"$collsel" export --model "$dir/model.json" --library openmpi-4.1 -p 4 -m 64 --likely 2 >"$dir/out" 2>&1
is 2 $? "libraries' own rules cannot say what is likely"
"$collsel" run --mode table --model "$dir/model.json" -- true 2>"$dir/err"
is 2 $? "a model is no table"
"$collsel" run --model "$dir/none.json" --table "$dir/none.csv" -- true 2>"$dir/err"
is 1 $? "a model that is not there"
has "none.json" "$(cat "$dir/err")" "... is told before anything is started"
ok "$([ ! -e "$dir/none.csv" ]; echo $?)" "... and no table is left"

try() {
    local mpi=$1
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "the model on $mpi"
        return
    fi
    through "$mpi" 4 --model "$dir/model.json" --table "$dir/now.csv" --report "$dir/report" -- often 60
    is "0 60 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: an application by the model's choices"
    has "collsel: model, $mpi" "$(cat "$dir/err")" "... says so"
    through "$mpi" 4 --mode star --judge fastest --model "$dir/model.json" --table "$dir/now.csv" --report "$dir/report" -- often 250
    is "0 250 times, 0 wrong" "$? $(cat "$dir/out")" "$mpi: star with the model's likeliest"
    holds "$(field alltoall measured) <= 40" "... tries three beside the default"
    holds "$(field allreduce measured) > 40" "... of what the model does not know all that there is"
    is 4 "$(grep -F '"alltoall"' "$dir/report" | sed 's/.*"tried": \[\(.*\)\], "sites".*/\1/' | grep -o '\["' | wc -l)" "... and tells what each took"
}
try openmpi
try mpich

# Back again: of star's times a data set, and of that a table.
if [ -s "$dir/report" ]; then
    sed -i 's/"mpi": "mpich"/"mpi": "openmpi"/' "$dir/report"
    "$collsel" import -q -c peak --name app --results "$dir/results" --set mapping=core "$dir/report" >"$dir/out" 2>&1
    is 0 $? "a profile is imported ($(tail -n 1 "$dir/out"))"
    rows=$dir/results/peak/app/imported.csv
    is 4 "$(grep -cE ',alltoall,.*,[1-9][0-9]*,ok,' "$rows")" "a row for each candidate that was tried"
    holds "$(grep -cE ',[1-9][0-9]*,ok,' "$rows") > 20" "... of each kind of call"
    "$collsel" fit -q -c peak --results "$dir/results" --dataset app >"$dir/out" 2>&1 &&
        "$collsel" export -q -c peak --results "$dir/results" --dataset app --library libcollsel --unsure --output "$dir/app.csv" >"$dir/out" 2>&1
    is 0 $? "and a table is made of it"
    "$collsel" rules "$dir/app.csv" --library libcollsel >"$dir/out"
    is 0 $? "which is read"
fi
tap_done
