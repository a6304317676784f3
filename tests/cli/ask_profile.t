#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel ask --profile: the answers for an application's calls, and what they save, from planted times.
. tests/cli/run.sh
results=$dir/results

# Times in us of 16 ranks: the default is twice as slow as binomial at 64 KiB, give or take 1 %, and the fastest at 1 KiB.
awk 'BEGIN {
    print "P,alg,bytes,us"
    for (i = 0; i < 9; i++) {
        noise = 1 + (i - 4) / 400
        print "16,default,65536," 200 * noise
        print "16,binomial,65536," 100 * noise
        print "16,default,1024," 10 * noise
        print "16,binomial,1024," 20 * noise
    }
}' >"$dir/made.csv"
run import -q -c peak --name made --results "$results" --format csv --mpi openmpi --set collective=bcast,mapping=core \
    --map procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/made.csv" && run fit -q -c peak --results "$results" --dataset made
is 0 "$status" "planted times"

# kind COLLECTIVE BYTES CALLS TIME WAIT ALGORITHM: a row of a profile
kind() {
    printf '{"collective": "%s", "op": "", "root": "0", "procs": 16, "bytes_of_all_ranks": true, "bytes": %s, "calls": %s, "time_s": %s, "wait_s": %s, "algorithm": "%s"}' "$@"
}
# profile ROWS: of an application of 32 ranks, of which 16 make these calls
profile() {
    printf '{"format": "collsel profile 1", "mpi": "openmpi", "mode": "trace", "procs": 32, "lost_calls": 0, "rows": [%s]}' "$1" >"$dir/app.json"
}
profile "$(kind bcast 65536 10 4 1 default), $(kind bcast 65536 5 2 null default), $(kind bcast 1024 100 1 null default),
    $(kind bcast 4096 100 1 null portable:binomial), $(kind bcast 2048 1 0.01 null default)"
ask() { run ask -c peak --results "$results" --dataset made --profile "$dir/app.json" "$@"; }
row() { # row N NAME...: fields of the nth answer
    awk -F, -v n="$1" -v names="$(shift; echo "$*")" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
        NR == n + 1 { k = split(names, name, " "); for (i = 1; i <= k; i++) printf "%s%s", (i > 1 ? " " : ""), $at[name[i]] }' "$dir/saved.csv"
}

ask --csv
cp "$dir/out" "$dir/saved.csv"
is "0 4" "$status $(wc -l <"$dir/saved.csv")" "kinds of less than a hundredth of the time are left out, and those of one size are together"
is "bcast 65536 7.5 3 0.5 openmpi:binomial" "$(row 1 collective bytes calls time_s wait_s algorithm)" "calls and times are of a rank of 32, of which 16 call"
holds "($(row 1 saved_s) - 1.25) ^ 2 < 1e-6" "an answer that is twice as fast saves half of the time without the waiting"
holds "$(row 1 saved_low_s) > 1.2 && $(row 1 saved_low_s) < 1.25 && $(row 1 saved_high_s) > 1.25 && $(row 1 saved_high_s) < 1.3" "... with its interval"
is "1024 openmpi:default 0" "$(row 2 bytes algorithm saved_s)" "where the default is the fastest nothing is saved"
is "4096  " "$(row 3 bytes algorithm saved_s)" "what did not run the library's own call has no answer"

ask --table
is "0 bcast,16,16,65536,65536,openmpi:binomial,0,0,0,0 # end" "$status $(sed 1d "$dir/out" | xargs)" "--table prints the answers that gain, for exactly these calls"
cp "$dir/out" "$dir/table.csv"
run rules "$dir/table.csv" --library libcollsel
is 0 "$status" "... which libcollsel reads"
ask
says "together: 1.25 s (1.24 to 1.26 s) of 4 s in collectives" "$dir/out" "the sum is of the time in collectives"
ask --json
is "3 1024" "$(python3 -c 'import json, sys; rows = json.load(open(sys.argv[1])); print(len(rows), rows[1]["bytes"])' "$dir/out")" "--json has the same rows"

ask --table --csv
is 2 "$status" "a table and a form exclude each other"
ask bcast 4 8
is 2 "$status" "words beside it are refused"
says "leave out COLLECTIVE, P and BYTES" "$dir/err" "... with the remedy"
# The profile tells where ranks are: nobody measured sixteen of them on four nodes.
profile "$(kind bcast 65536 10 4 1 default | sed 's/"procs": 16/&, "nodes": 1, "ppn": 16/'), $(kind bcast 65536 10 4 1 default | sed 's/"procs": 16/&, "nodes": 4, "ppn": 4/')"
ask --csv
cp "$dir/out" "$dir/saved.csv"
is "1 16 measured 4 4 interpolated" "$(row 1 nodes ppn evidence) $(row 2 nodes ppn evidence)" "communicators on other nodes have answers of their own"
ask --table
is "bcast,16,16,65536,65536,openmpi:binomial,0,0,1,16 # end" "$(sed 1d "$dir/out" | xargs)" "... and rows of their own in a table"
ask --csv --nodes 1
is 2 "$(grep -c ',measured,' "$dir/out")" "... but for --nodes"
profile "$(kind bcast 65536 10 4 1 default)"
sed -i 's/"openmpi"/"mpich"/' "$dir/app.json"
ask
says "openmpi:binomial; what it saves is not known" "$dir/out" "times of another library do not say what this one's default loses"
ask --table
is "0 # end" "$status $(sed 1d "$dir/out")" "... and no table is made of them"
profile "$(for i in $(seq 101); do kind bcast $((8 * i)) 1 1 null default; [ "$i" = 101 ] || printf ,; done)"
ask
says "no kind of its calls takes 1 % of its time in collectives" "$dir/err" "many small kinds are no kinds that cannot be looked up"
profile "$(kind gather 65536 10 4 1 default)"
ask
is 1 "$status" "without any answer it is an error"
says "gather" "$dir/err" "... that says of what"
profile "$(kind bcast 65536 10 4 1 '')"
ask
says "it ran what the profile does not say" "$dir/err" "a row that does not say what ran has no answer"
profile "$(kind bcast 65536 10 '"x"' 1 default)"
ask
says 'app.json:1: rows/0/time_s: no number' "$dir/err" "a profile with a wrong number is refused with its line"

# cpu WORD...: seconds of this machine that a command took.
cpu() { { TIMEFORMAT=%U; time "$collsel" "$@" >"$dir/out" 2>"$dir/err"; } 2>&1; }
profile "$(for i in 16 64 256 1024; do for c in bcast allgather allreduce alltoall; do kind $c $i 1 1 null default; echo ,; done; done | sed '$s|,$||')"
all=$(cpu ask --model clusters/models/pml.json --for gros --profile "$dir/app.json")
is 16 "$(grep -c '^[a-z]* P = 16' "$dir/out")" "a model that ships knows all sixteen kinds ($(cat "$dir/err"))"
holds "$all < 4 * $(cpu ask --model clusters/models/pml.json --for gros bcast 16 64)" "... and is read once for all of them"
tap_done
