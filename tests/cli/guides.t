#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# docs/extending.md, followed to the letter: its changes fit the tree as it is; with COLLSEL_LONG=1 its files and changes are applied
# to a copy, which is built and asked for what was added.
. tests/cli/run.sh
command -v git >/dev/null || skip_all "git is not installed"

# What stands behind "... `PATH`:" is that file; the rest are changes.
awk -v dir="$dir" '
    fence && /^```$/ { if (to != changes) close(to); fence = 0; next }
    fence { print > to; next }
    /^```diff$/ { to = changes = dir "/changes.diff"; fence = 1; next }
    /^```c$/ { gsub("/", "%", path); to = dir "/file%" path; fence = 1; next }
    /`[^`]*`:$/ { path = $0; sub(/`:$/, "", path); sub(/.*`/, "", path) }' docs/extending.md
files=$(find "$dir" -name 'file%*' | wc -l)
is 4 "$files" "the guides hold four files"
git apply --check "$dir/changes.diff" 2>"$dir/err"
is "0 " "$? $(cat "$dir/err")" "their changes fit the tree"
bad=0
for word in $(grep -o '(\.\./[^)]*)\|`[a-z/_]*/[a-z_0-9/]*\.[ch]`' docs/extending.md | tr -d '`()' | sort -u); do
    [ -e "docs/$word" ] || [ -e "$word" ] || [ -e "$dir/file%$(echo "$word" | tr / %)" ] || { echo "# no such file: $word"; bad=1; }
done
ok $bad "and every file that they name is there"
if [ -z "${COLLSEL_LONG:-}" ]; then
    skip "without COLLSEL_LONG=1 nothing is built" "what they add is there"
    tap_done
    exit
fi

tree=$dir/tree
mkdir "$tree"
cp -r Makefile ci harness analysis reports workloads tests clusters docs "$tree"
for file in "$dir"/file%*; do
    path=$(basename "$file" | tr % /)
    mkdir -p "$tree/$(dirname "${path#file/}")"
    cp "$file" "$tree/${path#file/}"
done
cd "$tree" || exit 1
git apply "$dir/changes.diff"
unset MAKEFLAGS MFLAGS MAKELEVEL
make -s -j2 OUT=build tool build/walk/measure >"$dir/make" 2>&1
is "0 " "$? $(tail -5 "$dir/make")" "all five are built"
collsel=$tree/build/collsel
run schedule bcast two_hops --procs 23 --root 7 --bytes 999 --prove
is 0 $status "the algorithm is proved"
run schedule gatherv linear --procs 23 --root 7 --bytes 999 --prove
is 0 $status "the collective, too"
run schedule gatherv linear --procs 4 --sizes 3,5,0,9K --traffic
says "3,0,1,9216" "$dir/out" "with blocks of different sizes"
run sweep -q --cluster gros --study gatherv --backend walk
is "0 " "$status $(cat "$dir/err")" "it is a study by its name"
sed 's/^portable = .*/portable = two_hops basic_linear binomial/' tests/cli/small.ini >small.ini
run report -q --cluster gros --study ./small.ini --backend walk
is "0 " "$status $(cat "$dir/err")" "and a page is made"
page=$(pages results/gros/small-walk/report)
for word in "two hops" "busiest rank" "cautious" "What took longest"; do
    says "$word" "$page" "which has: $word"
done
tap_done
