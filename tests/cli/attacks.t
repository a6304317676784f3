#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A disk that is full, or fails once, at the k-th call that writes; two of every command at once. Each
# time: the command says why and ends with 1, or all is well; run again, everything is there, nothing twice.
# COLLSEL_LONG=1: every call, both errors of each command, and two at once three times; else some of them.
. tests/cli/run.sh
. tests/cli/outcomes.sh
. tests/cli/broken.sh

sed 's/^budget = .*/budget = 5ms/; s/^procs = .*/procs = 4/; s/^bytes = .*/bytes = 8K 64K/; s/^gamma_procs = .*/gamma_procs = 2 3/; /^openmpi\|^mpich/d' \
    tests/cli/tiny.ini >"$dir/tiny.ini"
study="-c gros -s $dir/tiny.ini -b null"
out=gros/tiny
# shellcheck disable=SC2086 # words
planned=$("$collsel" plan $study -q --results "$dir/p" | awk '/^in all/ { print $3 }')
# shellcheck disable=SC2086
"$collsel" sweep $study -q --results "$dir/good" 2>"$dir/err"
for command in fit select; do
    # shellcheck disable=SC2086
    "$collsel" $command $study -q --results "$dir/good" >"$dir/out" 2>>"$dir/err"
done
ok $? "a study to compare with"
sed 's/^/# /' "$dir/err"

# same STUDY: its results are those of the study that nothing happened to.
same() {
    for file in plan.csv points.csv predictions.csv errors.csv selection.csv degradation.csv fit/gamma.csv fit/hockney.csv; do
        [ ! -e "$dir/good/$out/$file" ] || cmp -s "$dir/good/$out/$file" "$1/$file" || { echo "# differs: $file" && return 1; }
    done
}

# ---- the disk ----
broken_ready || skip "no library to preload: $(tail -1 "$dir/err")" "a broken disk"

# attack COMMAND ERRNO WORDS: at every call, or some.
attack() {
    local command=$1 tries=0 bad=0 ended=0 k=1 before
    before=$dir/before
    rm -rf "$before" "$dir/b"
    case $command in
    sweep) mkdir "$before" ;;
    fit) cp -r "$dir/good" "$before" && rm -r "$before/$out"/{points,predictions,errors,selection,degradation}.csv "$before/$out/fit" ;;
    select) cp -r "$dir/good" "$before" && rm "$before/$out"/{selection,degradation}.csv ;;
    esac
    while :; do
        rm -rf "$dir/b"
        cp -r "$before" "$dir/b"
        # shellcheck disable=SC2086
        broken_run "$2" "$k" "$command" $study -q --results "$dir/b"
        [ "$calls" -ge "$k" ] || break
        tries=$((tries + 1)) ended=$((ended + (status == 1)))
        { [ $status = 0 ] || { [ $status = 1 ] && grep -q "$3" "$dir/err"; }; } ||
            { bad=$((bad + 1)) && echo "# $command, call $k: status $status, $(tail -1 "$dir/err")"; }
        for again in "sweep --retries 9" fit select; do
            # shellcheck disable=SC2086
            "$collsel" $again $study -q --results "$dir/b" >"$dir/out" 2>"$dir/err" ||
                { bad=$((bad + 1)) && echo "# $command, call $k: $again again: $(tail -1 "$dir/err")"; }
        done
        same "$dir/b/$out" || { bad=$((bad + 1)) && echo "# $command, call $k: other results"; }
        outcomes "$dir/b/$out" | sort >"$dir/done"
        [ "$(wc -l <"$dir/done") $(sort -u "$dir/done" | wc -l)" = "$planned $planned" ] ||
            { bad=$((bad + 1)) && echo "# $command, call $k: points are lost or there twice"; }
        k=$(broken_next "$k")
    done
    is 0 $bad "$command: $tries calls that fail with '$3' of $((calls)), and nothing is lost"
    ok $((ended == 0)) "which it says with status 1 ($ended times)"
    tally "$command: '$3' at some of $calls calls that write" $tries $bad
}
if [ -e "$dir/broken.so" ]; then
    for command in sweep fit select; do
        [ $command.${COLLSEL_LONG:-} = select. ] || attack $command 28 "No space left"
        [ $command.${COLLSEL_LONG:-} = fit. ] || attack $command 5 "Input/output error"
    done
fi

# ---- two of every command at once ----
rm -rf "$dir/b"
printf 'collective,algorithm,procs,bytes,seconds\nbcast,binomial,4,8,1e-6\nbcast,chain,4,8,2e-6\n' >"$dir/others.csv"
for command in plan sweep fit select audit status report import; do
    bad=0
    case $command in
    report) [ -n "${COLLSEL_LONG:-}" ] || continue ;;
    esac
    for round in 1 ${COLLSEL_LONG:+2 3}; do
        set -- "$command"
        # shellcheck disable=SC2086
        case $command in
        import) set -- import "$dir/others.csv" --format csv --results "$dir/b" --name others --map collective=collective,bytes=bytes,max_s=seconds:s,algorithm=algorithm,procs=procs --set nodes=4,mapping=core --mpi openmpi --mpi-version 4.1.4 -c gros -q ;;
        status | audit) set -- "$command" $study --results "$dir/b" ;;
        *) set -- "$command" $study -q --results "$dir/b" ;;
        esac
        for k in 1 2; do
            { timeout 120 "$collsel" "$@" >"$dir/out$k" 2>"$dir/err$k"; echo $? >"$dir/status$k"; } &
        done
        wait
        [ "$(cat "$dir/status1")" = 0 ] || [ "$(cat "$dir/status2")" = 0 ] || { bad=$((bad + 1)) && echo "# both fail: $(tail -qn 1 "$dir/err1" "$dir/err2")"; }
        for k in 1 2; do
            [ "$(cat "$dir/status$k")" = 0 ] || { [ "$(cat "$dir/status$k")" = 1 ] && grep -q 'is at work on' "$dir/err$k"; } ||
                { bad=$((bad + 1)) && echo "# status $(cat "$dir/status$k"): $(tail -1 "$dir/err$k")"; }
        done
    done
    is 0 $bad "two of $command at once: each does its work, or says that the other is at it"
    tally "two of $command at once" "$round" $bad
done
same "$dir/b/$out"
ok $? "and the results are those of one after the other"
outcomes "$dir/b/$out" | sort >"$dir/done"
is "$planned $planned" "$(wc -l <"$dir/done") $(sort -u "$dir/done" | wc -l)" "nothing was measured twice"
tap_done
