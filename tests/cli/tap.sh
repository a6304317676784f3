# SPDX-License-Identifier: BSD-3-Clause
# tap.sh - TAP for shell tests of commands: sourced, not run. Gives $collsel, $build, a scratch
# directory $dir that is removed at the end, and claims; tap_done ends a test.
n=0 failed=0
build=${BUILD:-build}
collsel=$build/collsel
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT

ok() { # ok STATUS MESSAGE
    n=$((n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $n - $2"
    else
        echo "not ok $n - $2"
        failed=1
    fi
}

is() { # is WANTED SEEN MESSAGE
    [ "$1" = "$2" ]
    ok $? "$3"
    [ "$1" = "$2" ] || printf '# wanted: %s\n#   seen: %s\n' "$1" "$2"
}

has() { # has WANTED FILE MESSAGE: the file holds the text
    grep -qF -- "$1" "$2"
    ok $? "$3"
    grep -qF -- "$1" "$2" || { printf '# wanted: %s\n' "$1"; sed 's/^/#   seen: /' "$2"; }
}

skip() { # skip REASON MESSAGE
    n=$((n + 1))
    echo "ok $n - $2 # SKIP $1"
}

run() { # run ARGUMENT...: collsel into $dir/out, $dir/err; sets $status
    "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}

tap_done() {
    echo "1..$n"
    exit $failed
}
