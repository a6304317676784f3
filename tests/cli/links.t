#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# From planted ping-pongs and copies around a ring of eight nodes to the links models' predictions,
# selections and report: every number by hand.
. tests/cli/run.sh

printf '%s\n' '[cluster]' 'name = ring' 'nodes = 8' 'sockets = 1' 'cores = 1' 'cpu = none' \
    '[network]' 'topology = torus' 'torus = 8' 'link_rate = 8Gbps' 'link_latency = 1us' >"$dir/ring.ini"
printf '%s\n' '[study]' 'name = ring' 'collectives = allgather' 'mappings = node' 'seed = 3' \
    '[grid]' 'procs = 8' 'bytes = 512 8K 64K' 'ranks_per = node' \
    '[candidates]' 'portable = ring bruck' 'default = no' \
    '[fit]' 'pingpong_bytes = 1 1M' 'copy_bytes = 1 1M' >"$dir/study.ini"
# t(m) = 20 us + 1 ns/byte, t_mem(m) = 0.1 ns/byte
printf '%s\n' 'algorithm,alpha_s,beta_s_per_byte' 'portable:pingpong,20e-6,1e-9' \
    'portable:memcpy,0,1e-10' 'portable:ring,20e-6,1e-9' 'portable:bruck,20e-6,1e-9' >"$dir/table.csv"
COLLSEL_NULL_TABLE=$dir/table.csv
export COLLSEL_NULL_TABLE

for verb in 'sweep -b null' fit select 'report -b null'; do
    # shellcheck disable=SC2086
    run $verb -q -c "$dir/ring.ini" -s "$dir/study.ini" --results "$dir/results"
    is 0 $status "$verb"
    [ $status -eq 0 ] || sed 's/^/# /' "$dir/err"
done
at=$dir/results/ring/ring

# Ring: seven steps of one message on a link. Bruck: steps of 1, 2 and 4 blocks, which cross as many
# links, as many on each. Copies: a block each; at the end Bruck's rank 1 turns eight, seven of them twice.
awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["purpose"] != "study" { next }
    { m = $at["bytes"]; t = 20e-6; b = 1e-9; c = 1e-10 * m
      ring = 7 * (t + b * m) + c
      bruck = 3 * t + b * m * (1 + 2 * 2 + 4 * 4) + 16 * c
      alone = 3 * t + b * m * (1 + 2 + 4) + 16 * c
      name = $at["algorithm"]; model = $at["model"]
      if (name == "portable:ring" && model ~ /^(links_(step|step_hops|queue|free))$/) want = ring
      else if (model ~ /^links_(step|step_hops|queue)$/) want = bruck # the planted ping-pong takes no longer over four links
      else if (model == "links_free") want = alone
      else next
      n++; d = $at["predicted_s"] / want - 1
      if (d > 0.002 || d < -0.002) print name, model, m, $at["predicted_s"], "wanted", want }
    END { print n + 0 " compared" }' "$at/predictions.csv" >"$dir/seen"
is "24 compared" "$(cat "$dir/seen")" "predictions by hand"

# 20 us and 1 ns/byte: ring is the faster one of the model where 4 (20 us) < m (14 ns + 1.5 ns).
is "links_step,512,portable:bruck links_step,8192,portable:ring links_step,65536,portable:ring" \
    "$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["selector"] == "links_step" { print $at["selector"] "," $at["bytes"] "," $at["algorithm"] }' \
        "$at/selection.csv" | sort -t, -k2n | paste -sd' ')" "the model's choices by hand"

is "2" "$(wc -l <"$at/fit/links_platform.csv")" "one platform"
for file in tables/links-ratios.csv tables/links-crossing.csv \
    figures/links-ratio.svg figures/links-rivals.svg; do
    [ -s "$at/report/$file" ]
    ok $? "$file"
done
says_labels "$at/report/figures" "the drawings have the labels of their axes"
# The crossing by logarithms between 512 bytes and 8 KiB: of log(ring / Bruck) there, by the sums above.
at_size='function ratio(m,    t, b, c) { t = 20e-6; b = 1e-9; c = 1e-10 * m
    return log((7 * (t + b * m) + c) / (3 * t + b * m * 21 + 16 * c)) }'
wanted=$(awk "$at_size"' BEGIN { l = ratio(512); h = ratio(8192); print 512 * 16 ^ (l / (l - h)) }')
crossing=$(awk -F, -v w="$wanted" '$1 == "links_step" { print ($2 > w * 0.99 && $2 < w * 1.01) ? "fine" : $2 ", wanted " w }' \
    "$at/report/tables/links-crossing.csv")
is fine "$crossing" "the size at which ring overtakes Bruck in the model"

# From 64 KiB on ring is the faster one: where they cross is not known.
sed 's/^name = ring/name = large/; s/^bytes = .*/bytes = 64K 256K/' "$dir/study.ini" >"$dir/large.ini"
for verb in 'sweep -b null' fit select 'report -b null'; do
    # shellcheck disable=SC2086
    run $verb -q -c "$dir/ring.ini" -s "$dir/large.ini" --results "$dir/results"
    is 0 $status "$verb of large messages"
done
is "links_step,65536,,1,8,null" "$(sed -n 's/^links_step,/&/p' "$dir/results/ring/large/report/tables/links-crossing.csv")" \
    "ring is the faster one at every size: at most the smallest, no doublings"
is "links_step stage" "$(cut -d, -f2 "$at/report/tables/prediction-error.csv" | grep -xE "links_step|stage" | sort -u | paste -sd" ")" \
    "the models of the data are judged"
tap_done
