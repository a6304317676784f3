# SPDX-License-Identifier: BSD-3-Clause
# tap.sh - TAP for shell tests, sourced by them: `. tests/tap.sh`. Tests run from the top directory.
# Sets $collsel (the program) and $dir (a directory that vanishes at the end); end with `tap_done`.
# A command that the shell does not find fails the test: its line on stderr is looked for at the end.
# Where TAP_SKIPS names a file, what was skipped and why is added to it; to TAP_FAILS what failed; to TAP_TALLY what attacks did.
export LC_ALL=C
# What a batch system says of other machines: tests start launches of this one, also in an allocation.
unset SLURM_JOBID SLURM_JOB_ID SLURM_NODELIST SLURM_JOB_NODELIST PBS_JOBID PBS_NODEFILE LSB_JOBID LSB_HOSTS PE_HOSTFILE
tap_n=0
tap_failed=0
tap_began=$(date +%s)
build=${BUILD:-build}
collsel=$build/collsel
dir=$(mktemp -d) || exit 1
exec 3>&2 2>"$dir/stderr"
tap_clean() { # for a trap of the test's own, too
    cat "$dir/stderr" >&3
    rm -rf "$dir"
}
trap tap_clean EXIT

# ok STATUS MESSAGE: a claim that holds when the status is 0.
ok() {
    tap_n=$((tap_n + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $tap_n - $2"
    else
        tap_failed=$((tap_failed + 1))
        [ -z "${TAP_FAILS:-}" ] || echo "$0" >>"$TAP_FAILS"
        echo "not ok $tap_n - $2" | tap_tell
    fi
}

# Input to the output, and to the file that TAP_FAILS names.
tap_tell() {
    tee -a "${TAP_FAILS:-/dev/null}"
}

# is WANTED SEEN MESSAGE
is() {
    if [ "$1" = "$2" ]; then
        ok 0 "$3"
    else
        ok 1 "$3"
        printf '%s\n' "$1" | sed 's/^/# wanted: /' | tap_tell
        printf '%s\n' "$2" | sed 's/^/#   seen: /' | tap_tell
    fi
}

# has PART TEXT MESSAGE
has() {
    case $2 in
    *"$1"*) ok 0 "$3" ;;
    *)
        ok 1 "$3"
        printf '# wanted part: %s\n' "$1" | tap_tell
        printf '%s\n' "$2" | sed 's/^/#   seen: /' | tap_tell
        ;;
    esac
}

# holds 'EXPRESSION' MESSAGE: a numeric claim, in awk.
holds() {
    awk "BEGIN { exit !($1) }"
    ok $? "$2"
}

# soon COMMAND...: waits until it succeeds. Fails after five minutes, which a busy machine does not
# take and a test that hangs does not live.
soon() {
    soon_end=$(($(date +%s) + 300)) soon_n=0
    until "$@" >/dev/null 2>&1; do
        [ "$(date +%s)" -lt $soon_end ] || { echo "# in vain for five minutes: $*"; return 1; }
        soon_n=$((soon_n + 1))
        if [ $soon_n -lt 4 ]; then sleep 0.05; else sleep 0.2; fi # what is asked takes processor time that others want
    done
}

# skip REASON MESSAGE
skip() {
    tap_n=$((tap_n + 1))
    tap_skipped "$1"
    echo "ok $tap_n - $2 # SKIP $1"
}

tap_skipped() {
    [ -z "${TAP_SKIPS:-}" ] || echo "$1" >>"$TAP_SKIPS"
}

# tally WHAT TIMES WRONG: what was attacked, how often, and how often something was wrong after it: a row of the summary at
# the end of `make check-long`, with the seconds since the row before.
tally() {
    tap_now=$(date +%s)
    set -- "$1" "$2" "$3" $((tap_now - tap_began))
    tap_began=$tap_now
    echo "# $1: $2 times, $3 wrong, $4 s"
    [ -z "${TAP_TALLY:-}" ] || printf '%s\t%s\t%s\t%s\n' "$@" >>"$TAP_TALLY"
}

# skip_all REASON: this whole test cannot run here.
skip_all() {
    tap_skipped "$1"
    echo "1..0 # SKIP $1"
    exit 0
}

tap_done() {
    # dash: "FILE: LINE: NAME: not found"; bash: "FILE: line LINE: NAME: command not found".
    lost=$(grep -E '^[^ ]+: (line )?[0-9]+: .*: (command )?not found$' "$dir/stderr")
    [ -z "$lost" ] || is "" "$lost" "every command of the test is found"
    echo "1..$tap_n"
    exit $((tap_failed > 0))
}
