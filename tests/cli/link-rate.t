#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing is typed in: gros with 100 Mb/s links instead has another gamma, other alphas and betas, and other winners.
. tests/tap.sh

if ! command -v smpirun > /dev/null || [ ! -x "$build/smpi/measure" ]; then
    skip_all "no SimGrid here"
fi

sed 's/^link_rate = .*/link_rate = 100Mbps/; s/^name = .*/name = slow/' clusters/gros.ini > "$dir/slow.ini"
cp clusters/gros.ini "$dir/gros.ini"
cat > "$dir/small.ini" <<'END'
[study]
name = small
collectives = bcast
mappings = core
[grid]
procs = 16
bytes_from = 8K
bytes_to = 1M
bytes_count = 6
[candidates]
portable = basic_linear chain pipeline split_binary_tree binary_tree binomial
segment_bytes = 8K
END

# table CLUSTER FILE COLUMN...: columns of a result by name, one row a line.
table() {
    file=$dir/$1/$1/small/$2
    shift 2
    grep -v '^#' "$file" | awk -F, -v names="$*" 'NR == 1 { k = split(names, want, " ")
        for (i = 1; i <= NF; i++) for (j = 1; j <= k; j++) if ($i == want[j]) at[j] = i; next }
        { line = ""; for (j = 1; j <= k; j++) line = line $at[j] " "; print line }'
}

for cluster in gros slow; do
    for verb in sweep fit select; do
        "$collsel" $verb -q -b sim -c "$dir/$cluster.ini" -s "$dir/small.ini" --results "$dir/$cluster" > /dev/null ||
            echo "# $verb failed on $cluster"
    done
    table $cluster fit/gamma.csv procs gamma | sort -n > "$dir/$cluster.gamma"
    table $cluster fit/hockney.csv model algorithm alpha_s beta_s_per_byte | sort > "$dir/$cluster.hockney"
    grep '^stage' "$dir/$cluster.hockney" > "$dir/$cluster.derived"
    table $cluster selection.csv selector bytes best_algorithm | awk '$1 == "best" { print $2, $3 }' | sort -n > "$dir/$cluster.best"
done

# apart FILE COLUMN SHARE: how many rows of gros and slow differ by more than a share of gros's, and of how many.
apart() {
    paste -d' ' "$dir/gros.$1" "$dir/slow.$1" | tr -s ' ' | awk -v c="$2" -v share="$3" '
        { d = $(NF / 2 + c) - $c; y = $c < 0 ? -$c : $c; k += (d < 0 ? -d : d) > share * y }
        END { printf "%d of %d", k, NR }'
}
paste "$dir/gros.gamma" "$dir/slow.gamma" | sed 's/^/# gamma, gros and slow: /'
paste "$dir/gros.best" "$dir/slow.best" | sed 's/^/# best, gros and slow: /'
is 8 "$(wc -l < "$dir/slow.gamma" | tr -d ' ')" "gamma is measured at eight process counts"
is "7 of 8" "$(apart gamma 2 0.2)" "gamma differs by more than 20 % everywhere but at 2, where it is 1"
is "7 of 7" "$(apart hockney 4 0.5)" "beta differs by more than half, for six algorithms and the ping-pong"
is "6 of 6" "$(apart derived 3 0.02)" "alpha differs by more than 2 % for the six"
n=$(paste -d' ' "$dir/gros.best" "$dir/slow.best" | awk '$2 != $4 { n++ } END { print n + 0 }')
holds "$n >= 1" "another algorithm is best at one size at least (at $n)"
tap_done
