#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel new-cluster: what it writes can be loaded and simulated, says where each value is from, and nothing is written by halves.
. tests/cli/run.sh
mkdir "$dir/clusters" "$dir/bin"
cp -r clusters/presets clusters/studies "$dir/clusters/"
line() { # line PATTERN FILE MESSAGE: a line matches, to its end
    is 1 "$(grep -cx -- "$1.*" "$2")" "$3"
}
new() { run new-cluster --clusters "$dir/clusters" "$@" </dev/null; }

for preset in clusters/presets/*.ini; do
    link=$(basename "$preset" .ini)
    run doctor --cluster "$preset"
    case $link in
    node) continue ;; # has no link
    esac
    says "its costs are stated" "$dir/out" "preset $link states all costs"
    new "on-$link" --nodes 3 --sockets 2 --cores 4 --threads 2 --link "$link"
    is 0 $status "a cluster on $link"
    run plan --clusters "$dir/clusters" --cluster "on-$link" --study tune --backend walk --dry-run --results "$dir/r"
    is 0 $status "whose part of the study tune can be walked"
done
file=$dir/clusters/on-edr.ini
line "^nodes = 3" "$file" "nodes as given"
line "^cores = 4" "$file" "and cores"
line "^nodes = as given" "$file" "with the source"
line "^send_cost = 0:80ns:0.055ns" "$file" "costs of the preset"
line "^core_rate = preset: " "$file" "which the file calls so"
is 0 "$(grep -c "^cpu = " "$file")" "nothing of this machine where the nodes are others"
is "" "$(awk '/^\[sources\]/ { s = 1; next } /^\[/ { s = 0 } s { source[$1] = 1 } !s && / = / { value[$1] = 1 }
    END { split("name title network topology adapter link_speed link_lanes", free); for (i in free) delete value[free[i]]
          for (k in value) if (!(k in source)) print k }' "$file")" "a source for each value"
run plan --clusters "$dir/clusters" --cluster on-edr --study tune --backend walk --dry-run --results "$dir/r"
is "1x2-p2 1x4-p4 1x8-p8 2x8-p16 3x8-p24 " "$(grep -o 'walk-core-[0-9x]*-p[0-9]*' "$dir/out" | sed 's/walk-core-//' | sort -t p -k 2n | uniq | tr '\n' ' ')" \
    "powers of two in a node, then whole nodes"

cp "$file" "$dir/before"
root=$PWD tool=$(readlink -f "$collsel")
mkdir "$dir/made" && cd "$dir/made" || exit 1
env -u MAKELEVEL "$tool" new-cluster next --nodes 3 --sockets 1 --cores 8 --threads 1 --link edr 2>"$dir/err"
says "collsel tune --cluster next --study tune --backend walk" "$dir/err" "the next step is named"
env MAKELEVEL=1 "$tool" new-cluster next2 --nodes 3 --sockets 1 --cores 8 --threads 1 --link edr 2>"$dir/err"
says "make tune CLUSTER=next2 BACKEND=walk" "$dir/err" "and is make's where make was called"
cd "$root" || exit 1

new on-edr --nodes 5 --link hdr
is 1 $status "a file that is there"
says "on-edr.ini is there and not replaced" "$dir/err" "is not replaced, it says"
ok "$(cmp -s "$file" "$dir/before"; echo $?)" "nor is it"
new here --nodes 2 --link 25gbe
is 0 $status "nodes like this machine"
line "^last_cache = the machine that collsel cluster new ran on" "$dir/clusters/here.ini" "with what it has"
new shown --nodes 2 --link hdr --dry-run --title "Our machine"
is 0 $status "a dry run"
line "^title = Our machine" "$dir/out" "prints the file"
ok "$(test ! -e "$dir/clusters/shown.ini"; echo $?)" "and writes none"

refused() { # refused STATUS TEXT ARGUMENT...
    want=$1 text=$2
    shift 2
    new "$@"
    is "$want" $status "refused: $*"
    says "$text" "$dir/err" "with the reason"
}
refused 2 "is not a name" ../x --nodes 2 --link edr
refused 2 "NAME is missing"
refused 2 "one NAME is enough" a b
refused 2 "collsel cluster new: --nodes is missing" x --link edr
refused 2 "--nodes: '0' is out of range" x --nodes 0 --link edr
refused 2 "'foo' is not a preset (want 100gbe, 10gbe" x --nodes 2 --link foo
refused 1 "cannot open '../local'" x --nodes 2 --link ../local
is "" "$(find "$dir/clusters" -maxdepth 1 -name 'x*')" "nothing is left of them"

# A made-up Slurm.
export PATH="$dir/bin:$PATH"
sinfo() {
    printf '#!/bin/sh\n%s\n' "$1" >"$dir/bin/sinfo"
    chmod +x "$dir/bin/sinfo"
}
sinfo 'case "$*" in *"-p batch"*) echo "16|2|32|2" ;; esac'
new queued --partition batch --link hdr
is 0 $status "a partition"
line "^nodes = 16" "$dir/clusters/queued.ini" "has its nodes"
line "^sockets = 2" "$dir/clusters/queued.ini" "sockets"
line "^cores = 32" "$dir/clusters/queued.ini" "cores"
line "^threads = 2" "$dir/clusters/queued.ini" "and threads"
line "^partition = batch" "$dir/clusters/queued.ini" "and is where its jobs go"
refused 2 "no nodes in a partition 'none'" x --partition none --link hdr
sinfo 'echo "16|2|32|2"; echo "4|2|64|1"'
refused 2 "not all alike ('16|2|32|2' and '4|2|64|1'" x --partition batch --link hdr
new both --partition batch --link hdr --nodes 4 --sockets 2 --cores 64 --threads 1
is 0 $status "unless somebody says which"
sinfo 'echo "16|2+|32|2"'
refused 1 "'16|2+|32|2' is not understood" x --partition batch --link hdr
sinfo 'echo "slurm_load_partitions: down" >&2; exit 1'
new down --partition batch --link hdr --nodes 3 --sockets 2 --cores 8
is 0 $status "a Slurm that does not answer is no hindrance"
says "--partition batch: its nodes are not known from Slurm: slurm_load_partitions: down" "$dir/err" "which is said"
line "^partition = batch" "$dir/clusters/down.ini" "the file names the partition"
line "^nodes = 3" "$dir/clusters/down.ini" "and what was given"
is "" "$(grep "Slurm's partition" "$dir/clusters/down.ini")" "and does not say that Slurm said so"
refused 2 "--nodes is missing (1 to" x --partition batch --link hdr
tap_done
