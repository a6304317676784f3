#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Each file and directory of a study, a data set and their neighbours cannot be read (EIO, ESTALE), once under each command:
# who tries to read it ends with status 1 and its path; nothing is taken for empty, nothing is measured again.
# COLLSEL_LONG=1: the page, too, with every command both errors, and every file; else one of each kind: not each launch's.
. tests/cli/run.sh
. tests/cli/broken.sh
broken_ready || skip_all "no library to preload: $(tail -1 "$dir/err")"
broken_with_slurm
sed 's/^budget = .*/budget = 5ms/; s/^procs = .*/procs = 2 4/; s/^bytes = .*/bytes = 8K 64K/; s/^gamma_procs = .*/gamma_procs = 2 3/' \
    tests/cli/tiny.ini >"$dir/tiny.ini"
cp "$dir/tiny.ini" "$dir/other.ini"
sed 's/^collectives.*/&\nmpi = openmpi\nmappings = core/; s/^\[grid\]/&\nranks_per = core/' "$dir/tiny.ini" >"$dir/clusters/studies/tiny.ini"
printf '[cluster]\nname = gros\nnodes = 4\nsockets = 1\ncores = 4\ncpu = none\n[network]\nlink_rate = 1Gbps\n[slurm]\npartition = two\nlauncher = mpirun\n' >"$dir/clusters/gros.ini"
printf 'collective,algorithm,procs,bytes,seconds\nbcast,binomial,4,8,1e-6\nbcast,chain,4,8,2e-6\n' >"$dir/others.csv"
r=$dir/base
study="-c gros -s $dir/tiny.ini -q --results $r"
# shellcheck disable=SC2086 # words
{
    "$collsel" sweep $study -b null && "$collsel" fit $study -b null && "$collsel" select $study -b null &&
        "$collsel" sweep -c gros -s "$dir/other.ini" -b walk -q --results "$r" &&
        "$collsel" import "$dir/others.csv" -q --format csv --results "$r" --name others --map collective=collective,bytes=bytes,max_s=seconds:s,algorithm=algorithm,procs=procs --set nodes=4,mapping=core --mpi openmpi --mpi-version 4.1.4 -c gros &&
        "$collsel" fit --dataset others -c gros -q --results "$r" &&
        "$collsel" submit --write-only --clusters "$dir/clusters" -c gros -s tiny -q --build "$dir/build" --results "$r/jobs"
} >"$dir/out" 2>"$dir/err"
ok $? "a study, one beside it, a data set and jobs"
sed 's/^/# /' "$dir/err"

# refused NAME ARGUMENT...: the command with each path below $r that it reads, unreadable.
refused() {
    local name=$1 bad=0 tried=0 path errno
    shift
    rm -f "$dir/told"
    BROKEN_UNDER=$r BROKEN_TELL=$dir/told LD_PRELOAD=$dir/broken.so "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    is 0 $? "$name, where all can be read"
    while read -r path; do
        [ -e "$path" ] || continue
        for errno in ${ERRNOS:-5}; do
            broken_read "$errno" "$path" "$@"
            tried=$((tried + (calls > 0)))
            if [ "$calls" != 0 ] && ! { [ $status = 1 ] && grep -qF "$path" "$dir/err"; }; then
                bad=$((bad + 1)) && echo "# $name, ${path#"$r"} unreadable: status $status, $(tail -1 "$dir/err")"
            fi
            [ "$(find "$r" -name '*.outcomes.csv' | wc -l)" = "$samples" ] || { bad=$((bad + 1)) && echo "# $name, ${path#"$r"} unreadable: measured again"; }
        done
    done < <(sort -u "$dir/told" | awk -v all="${COLLSEL_LONG:-}" '{ kind = $0; gsub(/[0-9a-f][0-9a-f][0-9a-f]+/, "", kind); gsub(/[0-9]+/, "", kind) } all || !(kind in seen); { seen[kind] }')
    ok $((tried == 0)) "$name reads files and directories ($tried tries)"
    is 0 $bad "$name: what cannot be read is an error with its path"
    tally "$name: a file or directory that cannot be read" "$tried" "$bad"
}
samples=$(find "$r" -name '*.outcomes.csv' | wc -l)
[ -z "${COLLSEL_LONG:-}" ] || ERRNOS="5 116"
# shellcheck disable=SC2086
{
    refused "plan of a walk" plan $study -b walk
    refused sweep sweep $study -b null
    refused fit fit $study -b null
    refused select select $study -b null
    refused status status -c gros -s "$dir/tiny.ini" -b null --results "$r"
    refused audit audit --dataset others -c gros --results "$r"
    refused train train $study -b null --learner nearest --output "$dir/model.json"
    refused submit submit --write-only --clusters "$dir/clusters" -c gros -s tiny -q --build "$dir/build" --results "$r/jobs"
    [ -z "${COLLSEL_LONG:-}" ] || refused report report $study -b null --as-is
}
tap_done
