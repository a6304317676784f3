# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# outcomes.sh - for tests that break a study and look what is left of it, sourced.

# outcomes STUDY: the points of each attempt that are finished, "launch point" a line.
outcomes() {
    for o_file in "$1"/samples/*.outcomes.csv; do
        [ -e "$o_file" ] || continue
        o_launch=${o_file##*/}
        awk -F, -v launch="${o_launch%.a*}" '
            FILENAME == ARGV[1] { rows[$1] += NF > 1; next }
            /^#/ { next }
            !n { n = NF; for (i = 1; i <= NF; i++) c[$i] = i; next }
            NF == n && rows[$1] + 0 "" == $(c["n_rows"]) { print launch, $1 }' "${o_file%.outcomes.csv}.csv" "$o_file"
    done
}
