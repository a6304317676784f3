#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every parser survives mutated seeds, the same ones in every run; `make fuzz` tries new ones.
. tests/tap.sh

loop=$build/tests/fuzz/loop
"$loop" list >"$dir/targets"
ok $? "the fuzzed parsers are listed"
while read -r target _; do
    seen=$("$loop" "$target" 2000 1 2>"$dir/err")
    is 2000 "$seen" "$target: 2000 inputs are read or refused"
    sed 's/^/# /' "$dir/err"
done <"$dir/targets"
tap_done
