#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086
# The program in odd surroundings (docs/environment.md, "Around the program"): streams that are closed, limits, masks, clocks, time
# zones, links and pipes where files should be. Each time the results are those of an ordinary run, or it says
# what is wrong, with status 1 and a path, and goes on to them afterwards.
. tests/cli/run.sh
. tests/cli/outcomes.sh
sed 's/^budget = .*/budget = 5ms/; s/^procs = .*/procs = 4/; s/^bytes = .*/bytes = 8K 64K/; s/^gamma_procs = .*/gamma_procs = 2 3/' \
    tests/cli/tiny.ini >"$dir/tiny.ini"
study="-c gros -s $dir/tiny.ini -b null"
of=gros/tiny
both() { # both RESULTS: sweep and fit
    run sweep $study -q --results "$1" && run fit $study -q --results "$1"
}
both "$dir/good"
is 0 $status "a study to compare with"
planned=$(outcomes "$dir/good/$of" | wc -l)

# same RESULTS: all is there, once, and as in the ordinary run.
same() {
    outcomes "$1/$of" | sort >"$dir/done"
    [ "$(wc -l <"$dir/done") $(sort -u "$dir/done" | wc -l)" = "$planned $planned" ] || { echo "# outcomes: $(wc -l <"$dir/done"), $(sort -u "$dir/done" | wc -l) different, of $planned"; return 1; }
    grep -vE '^\{"t":.*\}$' "$1/$of/events.jsonl" && { echo "# a line of the journal is none"; return 1; }
    for file in plan.csv points.csv predictions.csv errors.csv fit/gamma.csv fit/hockney.csv; do
        cmp -s "$dir/good/$of/$file" "$1/$of/$file" || { echo "# differs: $file"; return 1; }
    done
}
# ordinary NAME WORD...: in these surroundings a sweep and a fit, and all is as always.
ordinary() {
    local name=$1
    shift
    rm -rf "$dir/r"
    "$@" "$collsel" sweep $study -q --results "$dir/r" >"$dir/out" 2>"$dir/err"
    is 0 $? "$name: a sweep"
    "$@" "$collsel" fit $study -q --results "$dir/r" >"$dir/out" 2>>"$dir/err"
    is 0 $? "$name: a fit"
    same "$dir/r"
    ok $? "$name: the results are those of an ordinary run"
    sed 's/^/# /' "$dir/err"
}
# goes_on NAME: an ordinary run after it comes to what it would have come to.
goes_on() {
    both "$dir/r"
    is 0 $status "$1: afterwards it goes on"
    same "$dir/r"
    ok $? "$1: and comes to the same"
}

# ---- streams ----
rm -rf "$dir/r"
"$collsel" sweep $study -q --results "$dir/r" <&- >&- 2>&-
"$collsel" fit $study -q --results "$dir/r" <&- >&- 2>&-
same "$dir/r"
ok $? "all three streams closed: the results are those of an ordinary run"
"$collsel" plan $study --results "$dir/p" 2>"$dir/err" >&-
is 1 $? "a plan that cannot be printed"
says "collsel: cannot write what it prints: Bad file descriptor" "$dir/err" "says so"
plans() { "$collsel" plan $study --results "$dir/p" 2>"$dir/err" | :; }
for _ in 1 2 3; do plans; done
both "$dir/p"
cmp -s "$dir/good/$of/plan.csv" "$dir/p/$of/plan.csv"
ok $? "a reader that goes away leaves a whole plan"

# ---- limits ----
rm -rf "$dir/r"
(ulimit -f 1 && "$collsel" sweep $study -q --results "$dir/r") >"$dir/out" 2>"$dir/err"
is 1 $? "files of 1 KiB at most"
says "File too large" "$dir/err" "is said"
says "$dir/r" "$dir/err" "with a path"
goes_on "files of 1 KiB"
rm -rf "$dir/r"
for n in 3 5 8 12 20; do
    (ulimit -n $n && "$collsel" sweep $study -q --results "$dir/r") >"$dir/out" 2>"$dir/err"
    done=$?
    [ $done = 0 ] || [ -s "$dir/err" ]
    ok $? "$n files at a time: done, or the reason: $(tail -1 "$dir/err")"
done
goes_on "few files at a time"
rm -rf "$dir/r"
(ulimit -v 40000 && "$collsel" sweep $study -q --results "$dir/r") >"$dir/out" 2>"$dir/err"
[ $? = 0 ] || [ -s "$dir/err" ]
ok $? "40 MB of addresses: done, or the reason: $(tail -1 "$dir/err")"
goes_on "little memory"
ordinary "less priority" nice -n 5
command -v chrt >/dev/null && ordinary "batch scheduling" chrt -b 0
command -v taskset >/dev/null && ordinary "one CPU" taskset -c "$(taskset -pc $$ | sed 's/.*: *//; s/[-,].*//')"

# ---- stopped for a while, longer than a point may take: Slurm's suspend, or a laptop that is shut ----
sed 's/^point_limit = .*/point_limit = 3s/' "$dir/tiny.ini" >"$dir/limit.ini"
rm -rf "$dir/r"
: >"$dir/stay" # as long as that is there, no launch goes beyond a few points
COLLSEL_NULL_STAY=$dir/stay "$collsel" sweep -c gros -s "$dir/limit.ini" -b null -q --retries 0 --results "$dir/r" 2>"$dir/err" &
pid=$!
at_work() { [ "$(outcomes "$dir/r/gros/tiny" | wc -l)" -gt 1 ]; }
soon at_work
family=$pid
for child in $(pgrep -P $pid); do family="$family $(pgrep -P "$child" | xargs)"; done
kill -STOP $family
sleep 9
rm "$dir/stay"
kill -CONT $family
wait $pid
is 0 $? "all of a sweep stopped for nine seconds: it goes on, and no point is taken for one that hangs: $(tail -1 "$dir/err")"
is 0 "$(grep -c '"event":"timeout"' "$dir/r/$of/events.jsonl")" "as the journal says"
is "$planned" "$(outcomes "$dir/r/$of" | sort -u | wc -l)" "and all is measured"

# ---- variables ----
ordinary "no variable at all" env -i
ordinary "no home" env -u HOME
ordinary "a time zone far away" env TZ=Pacific/Kiritimati
ordinary "a zone that is none" env TZ=:/nowhere LC_ALL=xx_XX LANG=xx
if localedef -c -i de_DE -f UTF-8 "$dir/de_DE.UTF-8" >/dev/null 2>&1; then
    ordinary "a decimal comma" env LOCPATH="$dir" LC_ALL=de_DE.UTF-8
else
    skip "no sources of locales here" "a decimal comma"
fi

# ---- masks and users ----
(umask 077 && both "$dir/masked")
same "$dir/masked"
ok $? "umask 077: the results are those of an ordinary run"
is 0 "$(find "$dir/masked" -perm /077 | wc -l)" "and nobody else's"
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$(realpath "$collsel")"; then # from the root on: so a sweep finds its programs
    nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
    nobody=
fi
if [ "$(id -u)" != 0 ] || [ -n "$nobody" ]; then
    chmod 755 "$dir"
    mkdir -m 777 "$dir/free"
    (umask 777 && $nobody "$collsel" sweep $study -q --results "$dir/free/r") >"$dir/out" 2>"$dir/err"
    is 1 $? "umask 777"
    says "$dir/free/r" "$dir/err" "ends with the path that cannot be used: $(tail -1 "$dir/err")"
    cp -r "$dir/good" "$dir/kept"
    find "$dir/kept" -type d -exec chmod 555 {} +
    before=$(find "$dir/kept" -type f -exec cksum {} + | sort)
    for command in sweep fit select; do
        $nobody "$collsel" $command $study -q --results "$dir/kept" >"$dir/out" 2>"$dir/err"
        is 1 $? "results that may be read only: $command"
        says "$dir/kept" "$dir/err" "says which: $(tail -1 "$dir/err")"
    done
    is "$before" "$(find "$dir/kept" -type f -exec cksum {} + | sort)" "and nothing has changed"
    find "$dir/kept" -type d -exec chmod 755 {} +
else
    skip "root here, and no setpriv or a checkout that only root reaches" "users that may not write"
fi

# ---- clocks ----
if ${CC:-gcc} -D_GNU_SOURCE -shared -fPIC -o "$dir/back.so" tests/fake/clock_back.c -ldl 2>"$dir/err"; then
    rm -rf "$dir/r"
    mkdir "$dir/half"
    sed 's/ 64K//' "$dir/tiny.ini" >"$dir/half/tiny.ini"
    run sweep -c gros -s "$dir/half/tiny.ini" -b null -q --results "$dir/r"
    is 0 $status "a part of the study"
    LD_PRELOAD=$dir/back.so CLOCK_BACK=40000000 "$collsel" sweep $study -q --results "$dir/r" >"$dir/out" 2>"$dir/err"
    is 0 $? "the clock was set back by more than a year, and the sweep goes on"
    is 2 "$(grep -c '"started":' "$dir/r/$of/manifest.json")" "both runs are in the manifest"
    run fit $study -q --results "$dir/r"
    same "$dir/r"
    ok $? "and the results are those of an ordinary run"
else
    skip "no library to preload: $(tail -1 "$dir/err")" "a clock that is set back"
fi
rm -rf "$dir/r"
for k in 1 2 3 4; do "$collsel" sweep $study -q --results "$dir/r" >"$dir/out" 2>"$dir/err"; done
is 4 "$(grep -c '"started":' "$dir/r/$of/manifest.json")" "four runs within a second or two: four are in the manifest"

# ---- links and pipes ----
mkdir "$dir/real"
ln -s real "$dir/link"
both "$dir/link"
same "$dir/real"
ok $? "results behind a link: those of an ordinary run"
run sweep $study --results "$dir/real"
says "0 to do" "$dir/err" "and by their own path nothing is left"
(exec 9<"$dir/real/$of/.lock" && flock -n 9 && "$collsel" sweep $study -q --results "$dir/link" >"$dir/out" 2>"$dir/err")
is 1 $? "who holds the lock by one path holds it by the other"

# piped FILE COMMAND...: a pipe in the file's place is an error with its path, and is not waited for.
piped() {
    local file=$1
    shift
    rm -rf "$dir/r"
    cp -r "$dir/good" "$dir/r"
    rm -f "$dir/r/$of/$file"
    mkfifo "$dir/r/$of/$file"
    timeout 200 "$collsel" "$@" $study --results "$dir/r" >"$dir/out" 2>"$dir/err" </dev/null
    is 1 $? "a pipe in the place of $file: $*"
    says "$dir/r/$of/$file" "$dir/err" "says so: $(tail -1 "$dir/err")"
}
sample=$(cd "$dir/good/$of" && find samples -name '*.outcomes.csv' | sort | head -1)
piped plan.csv sweep
piped plan.csv fit
piped events.jsonl sweep
piped events.jsonl status
piped manifest.json fit
piped "$sample" fit
piped "${sample%.outcomes.csv}.csv" fit
piped points.csv select
piped .lock sweep
# What a terminal would obey is not printed, whoever prints it.
bell=$(printf 'x\033[31my\007')
for words in "plan --$bell" "run --mode $bell -- x" "$bell" "help $bell" "recommend -p $bell"; do
    # shellcheck disable=SC2086 # words
    "$collsel" $words >"$dir/out" 2>"$dir/err" </dev/null
    is "2 0" "$? $(LC_ALL=C grep -c "$(printf '[\033\007]')" "$dir/err")" "a word with an escape in it is refused without it: collsel ${words%% *} ..."
done

# A manifest that says nothing.
mkdir "$dir/empty"
echo '{}' >"$dir/empty/manifest.json"
"$collsel" select --dataset "$dir/empty" >"$dir/out" 2>"$dir/err"
is 1 $? "a manifest of nothing is refused"
says "$dir/empty/manifest.json:1: has no backend/name" "$dir/err" "with the file and what it lacks"

mkfifo "$dir/pipe.ini"
timeout 200 "$collsel" plan -c gros -s "$dir/pipe.ini" --results "$dir/r" >"$dir/out" 2>"$dir/err"
[ $? = 1 ] || [ $? = 2 ]
ok $? "a pipe in the place of a study: $(tail -1 "$dir/err")"
tap_done
