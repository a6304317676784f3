#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Teams of ranks on channels from plan to fit on the planted workload: the parameters of each channel come back.
. tests/tap.sh

cat > "$dir/channels.csv" <<'END'
channel,alpha_s,beta_s_per_byte,slope
cache,100e-9,0.1e-9,0.5
core,300e-9,0.2e-9,0.6
socket,600e-9,0.3e-9,0.7
node,2e-6,0.09e-9,0.2
END
export COLLSEL_NULL_CHANNELS="$dir/channels.csv"
sed 's/^channel_bytes.*/channel_bytes = 1 4K 8K 64K/' tests/harness/channels.ini > "$dir/channels.ini"
study="-q -b null -c tests/harness/caches.ini -s $dir/channels.ini --results $dir/results"
# shellcheck disable=SC2086
"$collsel" sweep $study > /dev/null && "$collsel" fit $study > /dev/null
ok $? "a study of four channels and three mappings is measured and fitted"
at=$dir/results/caches/channels

# value EXPERIMENT CHANNEL PROCS BYTES: its time.
value() {
    awk -F, -v e="$1" -v c="$2" -v p="$3" -v m="$4" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["experiment"] == e && $at["channel"] == c && $at["procs"] == p && $at["bytes"] == m { print $at["mean_s"] }' \
        "$at/points.csv"
}
while IFS=, read -r channel alpha beta slope; do
    [ "$channel" != channel ] || continue
    t=$(value pingpong "$channel" 2 4096)
    holds "${t:-0} / ($alpha + 4096 * $beta) - 1 < 1e-6 && 1 - ${t:-0} / ($alpha + 4096 * $beta) < 1e-6" \
        "$channel: its ping-pong of 4 KiB (${t:-none})"
    for experiment in fanout fanin; do
        [ "$channel" != cache ] || continue # which two ranks share
        t=$(value "$experiment" "$channel" 3 4096)
        holds "${t:-0} / ((1 + $slope) * ($alpha + 4096 * $beta)) - 1 < 1e-6 && ${t:-0} > ($alpha + 4096 * $beta)" \
            "$channel: its $experiment among three (${t:-none})"
    done
    fitted=$(awk -F, -v c="$channel" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["channel"] == c { print $at["beta_s_per_byte"] }' "$at/fit/channels.csv")
    holds "${fitted:-0} / $beta > 0.999 && ${fitted:-0} / $beta < 1.001" "$channel: its beta is fitted (${fitted:-none})"
done < "$dir/channels.csv"
is 0 "$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } $at["algorithm"] == "pingpong" && $at["n"] != 4' \
    "$at/fit/hockney.csv" | wc -l | tr -d ' ')" "the traditional model rests on two sizes of two collectives, and leaves ping-pongs on channels aside"

# A plant that is not understood is told.
echo 'channel,alpha_s,beta_s_per_byte,slope
,1,1,1' > "$dir/channels.csv"
# shellcheck disable=SC2086
"$collsel" sweep $study --retries 9 > /dev/null 2>&1 --results "$dir/other"
ok $((! $?)) "a channel without a name is refused"
tap_done
