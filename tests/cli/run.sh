# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: BSD-3-Clause
# run.sh - for tests of commands, sourced: tests/tap.sh and some helpers more.
. tests/tap.sh

# run ARGUMENT...: collsel with its output in $dir/out and $dir/err; sets $status.
run() {
    "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}

# says PART FILE MESSAGE: the file holds the text.
says() {
    grep -qF -- "$1" "$2"
    ok $? "$3"
    grep -qF -- "$1" "$2" || { printf '# wanted part: %s\n' "$1"; sed 's/^/#   seen: /' "$2"; }
}

# pages DIR: the pages of the report there, one after the other, in a file whose name is printed.
pages() {
    cat "$1"/*.html > "$dir/pages.html"
    echo "$dir/pages.html"
}

# says_labels DIR MESSAGE: each drawing below DIR has the labels of the y axis that its script sets. gnuplot
# leaves one out, without a word, where the margin has no room for it.
says_labels() {
    bad=0
    labels=0
    for gp in "$1"/*.gp; do
        sed -n 's/.*set ylabel "\([^"]*\)".*/\1/p' "$gp" | sort -u > "$dir/ylabels"
        while read -r label; do
            labels=$((labels + 1))
            grep -qF ">$label<" "${gp%.gp}.svg" || { echo "# ${gp%.gp}.svg has no label '$label'"; bad=1; }
        done < "$dir/ylabels"
    done
    [ $bad = 0 ] && [ "$labels" -gt 0 ]
    ok $? "$2"
}
