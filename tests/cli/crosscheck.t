#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Other benchmarks beside ours: told apart, started, kept, gone on with, compared. The benchmarks are
# stand-ins that print what the real ones print.
. tests/tap.sh

mkdir -p "$dir/osu" "$dir/imb"

# Only rank 0 prints; While the file `fail` is there it fails.
cat >"$dir/osu/osu_bcast" <<END
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-0}" = 0 ] || exit 0
[ ! -e "$dir/fail" ] || { printf "no luck today\\033[2J\n" >&2; exit 3; }
echo "\$* \${OMPI_MCA_coll_tuned_bcast_algorithm:-default}" >>"$dir/calls"
printf '# OSU MPI Broadcast Latency Test v7.3\n# Size  Avg Latency(us)  Min Latency(us)  Max Latency(us)  Iterations\n'
printf '8  1.00  0.50  1.50  20\n16  2.00  0.50  2.50  20\n'
END
chmod +x "$dir/osu/osu_bcast"

run_check() { # options...
    out=$("$collsel" crosscheck --results "$dir/results" --collectives bcast --bytes 8,16 --iterations 20 --warmups 5 "$@" 2>"$dir/err")
    status=$?
}

run_check
is 2 $status "no tool is wrong usage"
run_check --osu "$dir/imb"
is 2 $status "a directory without the tool is wrong usage"
has "osu_bcast" "$(cat "$dir/err")" "it says what is looked for there"
run_check --osu "$dir/osu" --bytes 16,8
is 2 $status "sizes that do not ascend are refused"
run_check --osu "$dir/osu" --algorithms nosuch
is 2 $status "an algorithm that the library has not is refused"
has "nosuch" "$(cat "$dir/err")" "it is named"

# nothing that is not a check's own is removed or written to
mkdir "$dir/precious" && touch "$dir/precious/data"
mkdir -p "$dir/results/local/bcast" && touch "$dir/results/local/bcast/plan.csv"
run_check --osu "$dir/osu" --name ../../precious --fresh
is 2 $status "a name that leads elsewhere is refused"
run_check --osu "$dir/osu" --name bcast --fresh
is 2 $status "the directory of a study, too"
has "plan.csv" "$(cat "$dir/err")" "it says what is there"
[ -e "$dir/precious/data" ] && [ -e "$dir/results/local/bcast/plan.csv" ]
ok $? "and nothing is gone"
rm -r "$dir/results"

if [ ! -x "$build/openmpi/measure" ] || ! command -v mpirun.openmpi >/dev/null; then
    skip "no Open MPI here" "checks with real launches"
    tap_done
fi

run_check --osu "$dir/osu" --dry-run
is 0 $status "a dry run"
has "osu_bcast -m 8:16 -i 20 -x 5" "$out" "it prints the command lines"
[ ! -e "$dir/results" ] && [ ! -e "$dir/calls" ]
ok $? "and neither writes nor runs"

touch "$dir/fail"
run_check --osu "$dir/osu" --rounds 2
is 1 $status "launches that fail end with status 1"
has "no luck today" "$(cat "$dir/err")" "with what they said"
is 0 "$(grep -c "$(printf '\033')" "$dir/err")" "and no control character of theirs"
rm "$dir/fail"
before=$(ls "$dir/results/local/crosscheck-openmpi-p2/samples" | wc -l)
run_check --osu "$dir/osu" --rounds 2
is 0 $status "run again, it goes on"
is 2 "$(wc -l <"$dir/calls")" "what failed is run again"
is "$before" "$(ls "$dir/results/local/crosscheck-openmpi-p2/samples" | wc -l)" "what was measured is not"
has "in geometric mean over 2 rows" "$out" "both sizes are compared"
csv=$dir/results/local/crosscheck-openmpi-p2/crosscheck.csv
is "2 2" "$(awk -F, '/^osu,mean_of_ranks,bcast,default,/ { n++; if ($6 == 2) m++ } END { print n, m }' "$csv")" "two rows of two rounds each"
is "1e-06 2e-06" "$(awk -F, '/^osu/ { print $8 + 0 }' "$csv" | sort -g | xargs)" "the benchmark's times, in seconds"
run_check --osu "$dir/osu" --rounds 3
is 3 "$(wc -l <"$dir/calls")" "more rounds add to those that are there"
run_check --osu "$dir/osu" --rounds 3 --json
is "$(($(grep -vc "^#" "$csv") - 1))" "$(echo "$out" | python3 -c 'import json, sys; print(len(json.load(sys.stdin)["rows"]))')" "--json has the rows"
run_check --osu "$dir/osu" --rounds 3 --iterations 30
is 2 $status "other settings are refused"
has "settings.txt" "$(cat "$dir/err")" "the message says where the old ones are"

OMPI_MCA_coll_tuned_bcast_algorithm=3 run_check --osu "$dir/osu" --rounds 4
is default "$(tail -1 "$dir/calls" | awk '{ print $NF }')" "an exported algorithm is kept from the launches"
has OMPI_MCA_coll_tuned_bcast_algorithm "$(cat "$dir/err")" "it is said"

mkdir -p "$dir/home/.openmpi"
echo "coll_tuned_bcast_algorithm = 3" >"$dir/home/.openmpi/mca-params.conf"
HOME=$dir/home run_check --osu "$dir/osu" --rounds 1 --name file
is 1 $status "an algorithm in a parameter file, which the tools would take, too: no check"
has coll_tuned_bcast_algorithm "$(cat "$dir/err")" "it is named"
run_check --osu "$dir/osu" --rounds 2 --iterations 30 --fresh
is 0 $status "a fresh check has settings of its own"
is 2 "$(ls "$dir/results/local/crosscheck-openmpi-p2/texts" | wc -l)" "and nothing of the earlier one"

# what a launch that is killed leaves goes with directories of the check's
cat >"$dir/imb/osu_bcast" <<END
#!/bin/sh
[ "\${OMPI_COMM_WORLD_RANK:-0}" = 0 ] || exec sleep 1000
echo "\$TMPDIR" "\$OMPI_MCA_btl_vader_backing_directory" "\$UCX_POSIX_DIR" >"$dir/places.new"
for place in \$(cat "$dir/places.new"); do [ "\$place" = /dev/shm ] || : >"\$place/left-behind"; done
mv "$dir/places.new" "$dir/places"
exec sleep 1000
END
chmod +x "$dir/imb/osu_bcast"
mkdir "$dir/tmp"
TMPDIR=$dir/tmp "$collsel" crosscheck --results "$dir/results" --collectives bcast --bytes 8,16 --iterations 20 --warmups 5 \
    --osu "$dir/imb" --rounds 1 --name killed 2>"$dir/err" >"$dir/out" &
pid=$!
soon test -e "$dir/places"
for keeper in $(pgrep -P $pid -f . | xargs); do grep -q keeper "/proc/$keeper/comm" && kill -9 "$keeper"; done
wait $pid
is 1 $? "a launch whose keeper is killed has failed"
is 3 "$(tr ' ' '\n' <"$dir/places" | grep -cE '/collsel\.[0-9]+$')" "temporary files and shared memory of a benchmark have a directory of the check's: $(cat "$dir/places")"
# shellcheck disable=SC2046 # three paths
is "" "$(ls -d $(cat "$dir/places") 2>/dev/null)" "and with it nothing of theirs is left"
is "" "$(ls "$dir/tmp")" "nothing at all"
rm "$dir/places"
(export UCX_POSIX_DIR=/dev/shm TMPDIR="$dir/tmp" && timeout 100 "$collsel" crosscheck --results "$dir/results" --collectives bcast --bytes 8,16 --iterations 20 \
    --warmups 5 --osu "$dir/imb" --rounds 1 --name site --limit 3) 2>"$dir/err" >"$dir/out"
is " /dev/shm" "$(sed 's/^[^ ]*//; s/  */ /g' "$dir/places")" "but where the site says so"

# a benchmark that closes its output and goes on is waited for, and one that does not end is killed
printf '#!/bin/sh\nexec >&- 2>&-\nsleep 100\n' >"$dir/imb/osu_bcast"
chmod +x "$dir/imb/osu_bcast"
run_check --osu "$dir/imb" --rounds 1 --name slow --limit 2
is 1 $status "a benchmark that does not end"
has "more than 2 s" "$(cat "$dir/err")" "is killed after its time"

: >"$dir/calls"
run_check --osu "$dir/osu" --rounds 1 --name forced --algorithms binomial,chain
is 0 $status "forced algorithms"
is "2 6" "$(awk '{ print $NF }' "$dir/calls" | grep -v default | sort -n | xargs)" "the benchmark runs under the library's numbers of them"
has "the same, or tied, in 2 of 2 cells" "$out" "winners that nothing tells apart are tied"
tap_done
