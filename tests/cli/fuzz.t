#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every parser survives mutated seeds, the same ones in every run; `make fuzz` tries new ones.
# Who refuses a file says in which line. COLLSEL_LONG=1: 10,000 of each, under sanitizers.
. tests/tap.sh

loop=$build/tests/fuzz/loop each=500 under=''
if [ -n "${COLLSEL_LONG:-}" ] && make -s SAN=address,undefined build-san/tests/fuzz/loop >"$dir/out" 2>&1; then
    loop=build-san/tests/fuzz/loop each=10000 under=' under AddressSanitizer and UBSan'
fi
refusals=0 nowhere=0
"$loop" list >"$dir/targets"
ok $? "the fuzzed parsers are listed"
while read -r target _; do
    : >"$dir/refusals"
    seen=$(FUZZ_REFUSALS=$dir/refusals "$loop" "$target" $each 1 2>"$dir/err")
    is $each "$seen" "$target: $each inputs are read or refused"
    sed 's/^/# /' "$dir/err"
    case $target in
    number | map | hosts | blame | slurm | sinfo) continue ;; # of no file
    esac
    # an option is none, either
    without=$(grep -vE '^[^ ]*:[0-9]+: |^--where: ' "$dir/refusals" | head -3)
    refusals=$((refusals + $(wc -l <"$dir/refusals")))
    [ -z "$without" ] || nowhere=$((nowhere + 1))
    is "" "$without" "$target: refusals name file and line"
done <"$dir/targets"
n=$(wc -l <"$dir/targets")
tally "mutants of what $n parsers read, $each each$under" $((n * each)) $tap_failed
tally "refusals of files: one without its line" "$refusals" "$nowhere"
tap_done
