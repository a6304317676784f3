# shellcheck shell=sh disable=SC2034
# SPDX-License-Identifier: BSD-3-Clause
# run.sh - for tests of commands, sourced: tests/tap.sh and two helpers more.
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
