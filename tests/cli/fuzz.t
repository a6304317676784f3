#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every parser survives mutated seeds, the same ones in every run; `make fuzz` tries new ones.
# COLLSEL_LONG=1: 10,000 of each, under sanitizers.
. tests/tap.sh

loop=$build/tests/fuzz/loop each=2000 under=''
if [ -n "${COLLSEL_LONG:-}" ] && make -s SAN=address,undefined build-san/tests/fuzz/loop >"$dir/out" 2>&1; then
    loop=build-san/tests/fuzz/loop each=10000 under=' under AddressSanitizer and UBSan'
fi
"$loop" list >"$dir/targets"
ok $? "the fuzzed parsers are listed"
while read -r target _; do
    seen=$("$loop" "$target" $each 1 2>"$dir/err")
    is $each "$seen" "$target: $each inputs are read or refused"
    sed 's/^/# /' "$dir/err"
done <"$dir/targets"
n=$(wc -l <"$dir/targets")
tally "mutants of what $n parsers read, $each each$under" $((n * each)) $tap_failed
tap_done
