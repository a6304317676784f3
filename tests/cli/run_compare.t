#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# `collsel run --compare`: a command runs by turns with and without the library, and the times are compared.
. tests/tap.sh
[ -f "$build/openmpi/libcollsel-openmpi.so" ] || { skip "libcollsel was not built for Open MPI here" "run --compare"; # What star has learnt every turn finds as it was at first; the last one's stays.
printf 'read -r all <"$1/learnt" || all=none\n[ "$COLLSEL_MODE" = off ] || { echo "$all" >>"$1/log"; echo "$all+" >"$1/learnt"; }\n' >"$dir/app"
for first in none old; do
    rm -f "$dir/learnt"
    [ $first = none ] || echo old >"$dir/learnt"
    compare --compare 3 --mode star --learnt "$dir/learnt"
    is "0 $first,$first,$first $first+" "$? $(paste -sd, "$dir/log") $(cat "$dir/learnt")" "with a file of what was learnt ($first) the turns are alike"
done
tap_done; }

# A stand-in for an application: it notes its mode and what it reads, and fails where the file fail is.
cat >"$dir/app" <<'END'
read -r first
echo "$COLLSEL_MODE $first" >>"$1/log"
[ ! -e "$1/fail" ] || [ "$COLLSEL_MODE" = off ] || exit 7
[ "$COLLSEL_MODE" = off ] || sleep 0.1
END
echo input >"$dir/input"
compare() { rm -f "$dir/log"; "$collsel" run --mpi openmpi "$@" -- bash "$dir/app" "$dir" <"$dir/input" >"$dir/out" 2>"$dir/err"; }

compare --compare 4 --json
is 0 $? "four turns"
is "off input,trace input,trace input,off input,off input,trace input,trace input,off input" "$(paste -sd, "$dir/log")" "each mode begins every other turn, and every run reads the same input"
numbers() { sed -n "/\"$1\"/,/]/p" "$dir/out" | grep -o '[0-9][0-9.e-]*' | xargs; }
value() { sed -n "s/.*\"$1\": \"\{0,1\}\([a-z0-9.e -]*\).*/\1/p" "$dir/out"; }
# Student's t of 3 degrees of freedom, two-sided, 95 %: 3.182446305.
echo "$(numbers mode_s) $(numbers off_s) $(value ratio) $(value low) $(value high)" | awk '
    function near(x, y) { return x / y < 1.000001 && y / x < 1.000001 }
    {
        for (i = 1; i <= 4; i++) { d[i] = log($i / $(i + 4)); m += d[i] / 4 }
        for (i = 1; i <= 4; i++) v += (d[i] - m) ^ 2 / 3
        h = 3.182446305 * sqrt(v / 4)
        exit !(NF == 11 && near(exp(m), $9) && near(exp(m - h), $10) && near(exp(m + h), $11))
    }'
ok $? "the ratio is the geometric mean of the turns, its interval Student's ($(value ratio), $(value low) to $(value high))"
is "$(awk -v low="$(value low)" -v high="$(value high)" 'BEGIN { print (high < 1 ? "faster" : low > 1 ? "slower" : "no sure difference") }')" "$(value verdict)" "the verdict is the interval's"

compare --compare 2
is "0 1" "$? $(grep -cE '^collsel run: 2 turns: --mode trace [0-9.]+ s, off [0-9.]+ s \(medians\); ratio [0-9.]+, 95 % interval [0-9.]+ to [0-9.]+: (faster|slower|no sure difference)$' "$dir/err")" "as text"
: >"$dir/fail"
compare --compare 3
is "7 1 2" "$? $(grep -c 'the run with --mode trace failed: nothing is compared' "$dir/err") $(wc -l <"$dir/log")" "where a run fails nothing more is run; the status is its own"
rm "$dir/fail"
# It ends well at the first signal, which it gets through collsel.
rm -f "$dir/log"
# shellcheck disable=SC2016 # of the inner shell
"$collsel" run --mpi openmpi --compare 3 -- bash -c 'trap "exit 0" TERM; echo run >>"$0"; kill -TERM $PPID; for i in {1..100}; do sleep 0.1; done' "$dir/log" </dev/null 2>"$dir/err"
is "143 1 1" "$? $(grep -c 'the run with --mode off was interrupted: nothing is compared' "$dir/err") $(wc -l <"$dir/log")" "nor where it is interrupted and ends well"
echo | "$collsel" run --mpi openmpi --compare 3 -- bash "$dir/app" "$dir" 2>"$dir/err"
is "2 1" "$? $(grep -c -- '--compare: standard input is a pipe' "$dir/err")" "a pipe, of which only the first run would get anything, is refused"
for wrong in "--compare 1" "--compare 3 --mode off" "--compare 3 --report $dir/x.json"; do
    # shellcheck disable=SC2086 # words
    compare $wrong
    is 2 $? "$wrong is refused: $(head -n 1 "$dir/err")"
done
tap_done
