# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# outcomes.sh - for tests that break a study and look what is left of it, sourced.

# outcomes STUDY: the points of each attempt that are finished, "launch point" a line.
outcomes() {
    for o_file in "$1"/samples/*.outcomes.csv; do
        [ -e "$o_file" ] || continue
        o_launch=${o_file##*/}
        awk -F, '/^#/ { next } !n { n = NF; for (i = 1; i <= NF; i++) c[$i] = i; next } NF == n { print $1, $(c["n_rows"]) }' "$o_file" |
            while read -r o_id o_rows; do
                [ "$(grep -c "^$o_id," "${o_file%.outcomes.csv}.csv")" = "$o_rows" ] && echo "${o_launch%.a*} $o_id"
            done
    done
}
