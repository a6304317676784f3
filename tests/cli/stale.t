#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel stale: what is another now than when a study was measured, and whether it matters.
. tests/cli/run.sh
results=$dir/results
cp -r clusters "$dir/clusters"
run sweep -q -b walk -c mini -s bcast --results "$results" --clusters "$dir/clusters" && run fit -q -b walk -c mini -s bcast --results "$results" --clusters "$dir/clusters"
is 0 $status "a walked study"
stale() { run stale -b walk -c mini -s bcast --results "$results" --clusters "$dir/clusters" "$@"; }
manifest=$results/mini/bcast-walk/manifest.json
cp "$manifest" "$dir/manifest.json"
edit() { # edit FILE PYTHON: changes what a manifest says, m
    python3 -c "import json; m = json.load(open('$1')); $2; json.dump(m, open('$1', 'w'))"
}
# change FILE SED: on a fresh copy of the files and of the manifest
change() {
    cp -r clusters/. "$dir/clusters"
    cp "$dir/manifest.json" "$manifest"
    [ $# -eq 0 ] || sed -i "$2" "$dir/clusters/$1"
}

stale
is 0 $status "nothing has changed"
says "nothing that matters has changed" "$dir/out" "and that is said"

run sweep -q -b walk -c mini -s bcast --results "$results" --clusters "$dir/clusters"
edit "$manifest" "m['runs'][-1]['ended'] = '2031-01-01T00:00:00Z'"
stale
is "0 0" "$status $(grep -c 2031 "$dir/out")" "a sweep that had nothing to measure is no measurement"
edit "$manifest" "m['runs'][0]['ended'] = '2030-01-01T00:00:00Z'"
stale
is 1 "$(grep -c 2030-01-01 "$dir/out")" "the last run that measured is told"
cp "$dir/manifest.json" "$manifest"

# ---- files ----
change mini.ini 's/^link_rate *=.*/link_rate = 1Gbps/'
stale
is 1 $status "another link in the cluster file matters"
says "cluster file  [network] link_rate: was '100Mbps', is '1Gbps'" "$dir/out" "and is named, with both values"
says "stale: " "$dir/out" "stale"
stale --json
is "True ['cluster file', 'digest']" "$(python3 -c "import json; s = json.load(open('$dir/out')); print(s['stale'], sorted({c['part'] for c in s['changes'] if c['matters']}))")" \
    "JSON says the same, and that the digest follows"
change mini.ini 's/^title *=.*/title = another name/'
stale
is 0 $status "a title does not matter"
says "does not matter: it changes no times" "$dir/out" "but is told"
change
printf '[measure]\nsentinel_every = 7\n' >>"$dir/clusters/studies/bcast.ini"
stale
is 1 $status "how is measured matters"
says "study file    [measure] sentinel_every" "$dir/out" "and is named"
change studies/bcast.ini 's/^seed *=.*/seed = 3/'
stale
says "what was measured stays; the sweep adds what is missing" "$dir/out" "what is asked for does not"
is 0 $status "so the status is 0"
change

# ---- libraries, machine ----
edit "$manifest" "m['mpi']['walk']['version'] = '0.9'"
stale
is 1 $status "another version of the library matters"
says "library       walk: was '0.9'" "$dir/out" "and is named"
change
edit "$manifest" "m['mpi']['walk']['version'] = '\\x1b[31m0.9'; m['runs'][-1]['ended'] = '\\x1b]0;t'"
stale
is "1 0" "$status $(grep -c "$(printf '\033')" "$dir/out")" "no control character of a manifest reaches the terminal"
says "library       walk: was '?[31m0.9'" "$dir/out" "... and what stood there is told"
change
run stale /dev/zero
is 1 $status "a file of rules without an end"
says "'/dev/zero' is larger than 64 MiB" "$dir/err" "... is refused before memory is full"
edit "$manifest" "m['mpi']['gone'] = {'version': '1.2', 'launcher': 'none'}"
stale
says "library       gone: was '1.2', is 'not here'" "$dir/out" "so does one that is not here any more"
change
edit "$manifest" "m['machine']['kernel'] = 'Linux 2.4.0 i386'"
stale
is 0 $status "another kernel does not matter to what was computed"
says "times of a simulation do not depend on it" "$dir/out" "which is said"

cat >"$dir/planted.ini" <<'END'
[study]
name = planted
collectives = bcast
mappings = core
[grid]
procs = 8 16
bytes_from = 8K
bytes_to = 64K
bytes_count = 2
[candidates]
portable = basic_linear chain binomial
segment_bytes = 8K
default = no
END
COLLSEL_NULL_TABLE=tests/cli/planted.csv "$collsel" sweep -q -b null -c gros -s "$dir/planted.ini" --results "$results" >"$dir/out" 2>&1
planted() { run stale -b null -c gros -s "$dir/planted.ini" --results "$results"; }
planted
is 0 $status "samples, and nothing has changed"
edit "$results/gros/planted/manifest.json" "m['machine']['kernel'] = 'Linux 2.4.0 i386'"
planted
is 1 $status "to samples another kernel matters"
says "kernel        release: was 'Linux 2.4.0 i386'" "$dir/out" "and is named"
edit "$results/gros/planted/manifest.json" "m['environment']['lines'].append('UCX_TLS=tcp')"
planted
says "environment   UCX_TLS was 'tcp' and is not there now" "$dir/out" "so does a variable that chooses transports"

# ---- files of rules ----
change
for library in openmpi-4.1 openmpi-6 libcollsel; do
    run export -q -b walk -c mini -s bcast --results "$results" --clusters "$dir/clusters" --library $library --output "$dir/$library.rules"
    run stale --clusters "$dir/clusters" "$dir/$library.rules"
    is "0 " "$status $(cat "$dir/err")" "$library: a file of rules names the results that it was made of"
done
for library in openmpi-4.1 openmpi-6 libcollsel; do
    head -c -3 "$dir/$library.rules" >"$dir/cut.rules"
    run stale --clusters "$dir/clusters" "$dir/cut.rules"
    is 1 $status "$library: a file that was cut off is an error"
    says "it is not as it was written: cut off, or changed; $library does not load it" "$dir/err" "that says so"
    grep -q "/cut.rules:[0-9]*: it is" "$dir/err"
    ok $? "with its line"
done
(cd "$dir" && sed 's|from [^:]*: times|from elsewhere/mini/bcast: times|' openmpi-4.1.rules >moved.rules)
run stale "$dir/moved.rules"
is 1 $status "results that the head names from another directory"
says "'elsewhere/mini/bcast', which is not there below this directory" "$dir/err" "are not found, and where they are looked for is said"
run sweep -q -b walk -c mini -s scatter --results "$results" && run fit -q -b walk -c mini -s scatter --results "$results"
run export -q -b walk -c mini -s scatter --results "$results" --library openmpi-4.1 --output "$dir/scatter.rules"
run stale "$dir/scatter.rules"
is "0 0" "$status $(grep -c 'study file' "$dir/out")" "so does one of a study that has no file of its own"
edit "$manifest" "m['digest'] = '00000000'"
run stale --clusters "$dir/clusters" "$dir/openmpi-4.1.rules"
is 1 $status "results of another digest matter to it"
says "measured or imported anew since the file was made: export it again" "$dir/out" "with what to do"
rm "$manifest"
run stale --clusters "$dir/clusters" "$dir/openmpi-4.1.rules"
is 1 $status "results that are gone are an error"
says "does not exist: nothing was measured there" "$dir/err" "that says so"
run stale README.md
is 1 $status "a file that is none of ours, too"
says "README.md:1: its head does not say what it was made of" "$dir/err" "by its name"
run stale --results "$results" -c grisou
says "does not exist: nothing was measured there" "$dir/err" "and a study that was not measured"
tap_done
