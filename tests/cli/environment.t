#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# The environment of launches (docs/environment.md): what selects algorithms is kept from them or refused, what
# tunes is kept and identifies what was measured. The launchers here are scripts that write down what they
# were given and run the planted workload; the libraries themselves: tests/workloads/intrusions.t.
. tests/cli/run.sh
export HOME=$dir/home
mkdir -p "$HOME/.openmpi" "$dir/bin" "$dir/other" "$dir/build/openmpi" "$dir/build/mpich"
for mpi in openmpi mpich; do
    ln -s "$(readlink -f "$build/null/measure")" "$dir/build/$mpi/measure"
    for bin in bin other; do
        cat >"$dir/$bin/mpirun.$mpi" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo "mpirun version 4.1.4"; exit; }
for last; do :; done
[ "\${last##*/}" = probe ] && exec "\$last" # that which asks the library
env >"$dir/seen.$mpi"
while [ "\$1" != "$dir/build/$mpi/measure" ]; do shift; done
exec "\$@"
END
        chmod +x "$dir/$bin/mpirun.$mpi"
    done
done
for bin in bin other; do ln -s mpirun.openmpi "$dir/$bin/mpirun"; done
real=$PATH
PATH=$dir/bin:$PATH
cp tests/cli/tiny.ini "$dir/clean.ini"
sed -i 's/^procs = .*/procs = 2/; s/^collectives/mpi = openmpi mpich\n&/; s/^gamma_procs.*/experiments = no/' "$dir/clean.ini"
sed 's/^\[measure\]/&\nenvironment = site/' "$dir/clean.ini" >"$dir/site.ini"
sed 's/^bytes = .*/& 16K/' "$dir/clean.ini" >"$dir/grown.ini"
kind=clean
sweep() { run sweep -c local -s "$dir/$kind.ini" --build "$dir/build" --results "$dir/$1" "${@:2}"; }
manifest=$dir/r/local/tiny/manifest.json

# the rounds of a sweep keep their distance
sed 's/^procs = .*/procs = 2/; s/^repeats = .*/repeats = 3\nround_gap = 2s/' tests/cli/tiny.ini >"$dir/gap.ini"
run sweep -c local -s "$dir/gap.ini" --build "$dir/build" --results "$dir/gap" -q
is 0 $status "a sweep with a gap between its rounds"
spread=$(perl -MTime::Piece -ne '
    /"t":"([^"]+)Z","launch":"[^"]*-r([13])",.*"event":"started"/ or next;
    $at{$2} //= Time::Piece->strptime($1, "%Y-%m-%dT%H:%M:%S")->epoch;
    END { print $at{3} - $at{1} }' "$dir/gap/local/tiny/events.jsonl")
[ "$spread" -ge 3 ]
ok $? "the third round starts two gaps of 2 s after the first: $spread s"

# and so do those of a sweep that goes on
sed 's/^procs = .*/procs = 2/; s/^repeats = .*/repeats = 1/' tests/cli/tiny.ini >"$dir/gap.ini"
run sweep -c local -s "$dir/gap.ini" --build "$dir/build" --results "$dir/on" -q
sed -i 's/^repeats = .*/repeats = 2\nround_gap = 8s/' "$dir/gap.ini"
run sweep -c local -s "$dir/gap.ini" --build "$dir/build" --results "$dir/on" -q
is 0 $status "a sweep that goes on, with a gap"
spread=$(perl -MTime::Piece -ne '
    /"t":"([^"]+)Z","launch":"[^"]*-r([12])",.*"event":"started"/ or next;
    $at{$2} //= Time::Piece->strptime($1, "%Y-%m-%dT%H:%M:%S")->epoch;
    END { print $at{2} - $at{1} }' "$dir/on/local/tiny/events.jsonl")
holds "$spread >= 7" "its first round starts a gap of 8 s after the last one before: $spread s"

# ranks' times that are wanted only now
sed -i 's/^round_gap.*/keep_ranks = yes/' "$dir/gap.ini"
run sweep -c local -s "$dir/gap.ini" --build "$dir/build" --results "$dir/on"
is 0 $status "ranks' times wanted of a study that is measured"
grep -q 'keep_ranks: [1-9][0-9]* points were finished without it' "$dir/err" "$dir/out"
ok $? "what is not there is told"

# Clean, a variable that selects is kept from the launch and that is said; site, it gets there and identifies the launch.
cat >"$dir/intruders" <<'END'
openmpi OMPI_MCA_coll_tuned_bcast_algorithm=6
openmpi OMPI_MCA_coll_tuned_dynamic_rules_filename=/rules
openmpi OMPI_MCA_coll_han_priority=100
openmpi OMPI_MCA_coll_sync_barrier_before=1
openmpi OMPI_MCA_pml_monitoring_enable=2
openmpi OMPI_MCA_mca_base_component_path=/elsewhere
openmpi UCC_TL_UCP_TUNE=inf
openmpi HCOLL_BCOL=p2p
openmpi LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6
mpich MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial
mpich MPICH_BCAST_INTRA_ALGORITHM=binomial
mpich MPIR_CVAR_BCAST_SHORT_MSG_SIZE=1
mpich MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=/tuned.json
mpich MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE_GPU=/tuned.json
mpich MPIR_CVAR_CH4_OFI_COLL_SELECTION_TUNING_JSON_FILE=/tuned.json
END
# intruded KIND: a sweep with all of them set.
intruded() {
    rm -rf "$dir/r" "$dir"/seen.*
    # shellcheck disable=SC2046 # each a word
    env $(cut -d' ' -f2 "$dir/intruders") "$collsel" sweep -c local -s "$dir/$1.ini" --build "$dir/build" --results "$dir/r" >"$dir/out" 2>"$dir/err"
}
intruded clean
while read -r which what; do
    says "environment: $what is kept from the launches" "$dir/err" "clean: ${what%%=*} is told"
    [ -s "$dir/seen.$which" ] && ! grep -qxF "$what" "$dir/seen.$which"
    ok $? "clean: ${what%%=*} does not reach $which"
done <"$dir/intruders"
says "MPIR_CVAR_CH4_OFI_COLL_SELECTION_TUNING_JSON_FILE=/tuned.json is kept from the launches: no release up to 5.0 reads it" "$dir/err" "... one that no release reads is told as such"
intruded site
while read -r which what; do
    grep -qxF "$what" "$dir/seen.$which" && grep -qF "\"$what\"" "$manifest"
    ok $? "site: ${what%%=*} does, and stands in the manifest"
done <"$dir/intruders"

# What sends ranks to other machines is kept from what is measured here, in both modes.
for kind in clean site; do
    rm -rf "$dir/r" "$dir"/seen.*
    SLURM_JOBID=1 SLURM_NODELIST=n1 OMPI_MCA_orte_default_hostfile=/hosts HYDRA_HOST_FILE=/hosts sweep r
    is 0 $status "$kind: hosts are named outside"
    is "" "$(cat "$dir"/seen.* | grep -E '^(SLURM_JOBID|SLURM_NODELIST|OMPI_MCA_orte_default_hostfile|HYDRA_HOST_FILE)=')" "$kind: launchers do not see them"
    says "environment: HYDRA_HOST_FILE=/hosts is kept from the launches: it names other machines, and launches stay here" "$dir/err" "$kind: which is told"
done

# What changes memory and how functions are found stays, in the digest; what no library reads does not count.
kind=clean
rm -rf "$dir/r"
GLIBC_TUNABLES=glibc.malloc.arena_max=1 MALLOC_ARENA_MAX=1 LD_BIND_NOW=1 OPAL_PREFIX=/usr HWLOC_HIDE_ERRORS=2 OMP_NUM_THREADS=7 PMIX_MCA_gds=hash sweep r
for what in GLIBC_TUNABLES=glibc.malloc.arena_max=1 MALLOC_ARENA_MAX=1 LD_BIND_NOW=1 OPAL_PREFIX=/usr HWLOC_HIDE_ERRORS=2; do
    says "\"$what\"" "$manifest" "$what stands in the manifest"
done
is "" "$(grep -E 'OMP_NUM|PMIX_MCA' "$manifest")" "what no library reads does not"

# A program in the directory that an empty part of PATH means is the one that is told.
rm -rf "$dir/r"
program=$(realpath "$collsel") clusters=$(realpath clusters)
(cd "$dir/other" && PATH=:$real "$program" sweep -c local -s "$dir/clean.ini" --build "$dir/build" --clusters "$clusters" --results "$dir/r") >"$dir/out" 2>"$dir/err"
is 0 $? "launchers of the directory where the sweep is started, by a PATH with an empty part"
says "\"mpirun.openmpi=$dir/other/mpirun.openmpi\"" "$manifest" "are those that the manifest names"

# What leaves components out is the site's: its default, where it says so, and nobody's else.
for kind in clean site; do
    rm -rf "$dir/r"
    OMPI_MCA_coll=^sm MPIR_CVAR_DEVICE_COLLECTIVES=all OMPI_MCA_coll_tuned_use_dynamic_rules=0 sweep r
    is 0 $status "$kind: components and the device's collectives are chosen outside"
    [ $kind = site ]
    want=$?
    grep -q '^OMPI_MCA_coll=^sm$' "$dir/seen.openmpi"
    is $want $? "$kind: the list of components reaches the launcher where the site is measured, else none does"
    grep -q '^MPIR_CVAR_DEVICE_COLLECTIVES=all$' "$dir/seen.mpich"
    is $want $? "$kind: so does what is said of MPICH's device"
    grep -q '^OMPI_MCA_coll_tuned_use_dynamic_rules=' "$dir/seen.openmpi"
    is 1 $? "$kind: what every launch sets itself does not"
done

# ---- what tunes: kept, and another environment is not mixed with it ----
kind=clean
rm -rf "$dir/r"
UCX_TLS=tcp,self OMPI_MCA_btl=tcp,self sweep r
is 0 $status "transports are set outside"
is UCX_TLS=tcp,self "$(grep ^UCX_TLS "$dir/seen.mpich")" "they reach the library"
says '"UCX_TLS=tcp,self"' "$manifest" "and stand in the manifest"
says '# given: OMPI_MCA_btl=tcp,self' "$(find "$dir/r/local/tiny/samples" -name 'openmpi*.a1-????????.csv')" "and in the samples"
first=$(sed -n 's/^ "digest": "\(.*\)",/\1/p' "$manifest")
before=$(find "$dir/r" -name '*.csv' -path '*samples*' -exec cat {} + | cksum)
sweep r
is 0 $status "without them, and nothing left to measure: fine"
is "$first" "$(sed -n 's/^ "digest": "\(.*\)",/\1/p' "$manifest")" "what was measured stays what it is"
kind=grown
sweep r
is 1 $status "continued without them: refused"
sweep r --dry-run
is 1 $status "of which a dry run tells"
says "UCX_TLS was 'tcp,self' and is not there now" "$dir/err" "the difference is named"
says "OMPI_MCA_btl was 'tcp,self' and is not there now" "$dir/err" "each of them"
says "--anew" "$dir/err" "and the way out"
is "$before" "$(find "$dir/r" -name '*.csv' -path '*samples*' -exec cat {} + | cksum)" "nothing was measured"
UCX_TLS=tcp,self OMPI_MCA_btl=tcp,self sweep r
is 0 $status "in the same environment it goes on"
UCX_TLS=tcp,self sweep r --anew
is 0 $status "--anew"
points=$(sed -n 's/ of \([0-9]*\) points finished.*/ \1/p' "$dir/out" | cut -d' ' -f2)
says "${points:-all} of ${points:-} points finished (${points:-} now" "$dir/out" "measures everything again"
[ "$first" != "$(sed -n 's/^ "digest": "\(.*\)",/\1/p' "$manifest")" ]
ok $? "under another digest"
kind=clean
sed -i 's/^bytes = .*/& 32K/' "$dir/grown.ini"
kind=grown
UCX_TLS=tcp,self PATH=$dir/other:$real sweep r
is 1 $status "another launcher of the same name on the PATH: refused"
says "mpirun.mpich was '$dir/bin/mpirun.mpich' and is '$dir/other/mpirun.mpich'" "$dir/err" "and named"
kind=site
sweep r
is 0 $status "a study of another mode is another study"
kind=clean

# ---- parameter files ----
printf '# of the site\n\ncoll_tuned_bcast_algorithm = 6\n' >"$HOME/.openmpi/mca-params.conf"
rm -rf "$dir/r"
sweep r
is 1 $status "an algorithm in a file that Open MPI reads: refused"
says "$HOME/.openmpi/mca-params.conf:3: every launch would read 'coll_tuned_bcast_algorithm = 6': it selects algorithms" \
    "$dir/err" "with file, line, name and value"
[ ! -e "$manifest" ]
ok $? "before anything is measured"
OMPI_MCA_mca_base_param_files=none sweep r
is 0 $status "unless Open MPI reads no files"
cp "$HOME/.openmpi/mca-params.conf" "$dir/params.conf"
rm -rf "$dir/r" "$HOME/.openmpi/mca-params.conf"
OMPI_MCA_mca_base_param_files=$dir/params.conf sweep r
is 1 $status "a file that a variable names is read"
says "$dir/params.conf:3:" "$dir/err" "and named"
kind=site
OMPI_MCA_mca_base_param_files=$dir/params.conf sweep r
is 0 $status "site: it stays"
says "params.conf: coll_tuned_bcast_algorithm=6" "$manifest" "and stands in the manifest"
kind=clean
rm -rf "$dir/r"
printf 'btl = tcp,self\ncoll_han_priority = 100\n' >"$HOME/.openmpi/mca-params.conf"
sweep r
is 1 $status "a component that a file raises is refused: it would be part of the default"
says "mca-params.conf:2:" "$dir/err" "... and named"
printf 'btl = tcp,self\ncoll_tuned_use_dynamic_rules = 0\n' >"$HOME/.openmpi/mca-params.conf"
sweep r
is 0 $status "transports in a file are fine, and what every launch sets itself"
says "mca-params.conf: btl=tcp,self" "$manifest" "what tunes is kept"
sed -i 's/tcp/vader/' "$HOME/.openmpi/mca-params.conf"
kind=grown
sweep r
is 1 $status "the file has changed: refused"
says "mca-params.conf: btl was 'tcp,self' and is 'vader,self'" "$dir/err" "and named"
echo UCX_TLS=tcp >"$HOME/ucx.conf"
rm "$HOME/.openmpi/mca-params.conf"
sweep r --anew
kind=clean
says "ucx.conf: UCX_TLS=tcp" "$manifest" "what UCX reads is kept, too"
rm "$HOME/ucx.conf"

# ---- cores ----
if [ "$(nproc)" -ge 2 ] && command -v taskset >/dev/null; then
    rm -rf "$dir/r"
    run_one() { taskset -c 0 "$collsel" sweep -c local -s "$dir/$1.ini" --build "$dir/build" --results "$dir/r" >"$dir/out" 2>"$dir/err"; }
    run_one clean
    is 1 $? "one core for two ranks: refused"
    says "this process may run on 1 of $(nproc) cores (its affinity, or the CPU limit of its control group)" "$dir/err" "in words"
    run_one site
    is 0 $? "site: measured"
    says "# oversubscribed: yes" "$(find "$dir/r/local/tiny/samples" -name 'openmpi*.a1-????????.csv')" "and marked as oversubscribed"
    says '"CPUs allowed=0"' "$manifest" "the core stands in the manifest"
else
    skip "one CPU, or no taskset" "affinity"
fi
rm -rf "$dir/r"
kind=clean
sweep r
if [ "$(nice)" -lt 17 ]; then # 19 is the least
    nice -n 3 "$collsel" sweep -c local -s "$dir/grown.ini" --build "$dir/build" --results "$dir/r" >"$dir/out" 2>"$dir/err"
    is 1 $? "continued with less priority: refused"
    grep -q "nice .*is '$(($(nice) + 3))'" "$dir/err"
    ok $? "and named"
else
    skip "this runs at nice $(nice), which leaves no less priority" "continued with less priority"
fi
for what in SMT= governor=; do says "\"$what" "$manifest" "$what stands in the manifest"; done

# ---- the simulator ----
if [ -x "$build/smpi/measure" ] && command -v smpirun >/dev/null; then
    PATH=$real
    run sweep -c gros -s tests/cli/tiny.ini --results "$dir/s" -q
    # a kind of privatization that does not exist stops the simulator
    SMPI_PRIVATIZATION=nonsense run sweep -c gros -s tests/cli/tiny.ini --results "$dir/t"
    is 0 $status "a variable of the simulator's"
    says "environment: SMPI_PRIVATIZATION=nonsense is kept from the launches" "$dir/err" "is kept from it, which is told"
    is "$(sed -n 's/^ "digest": //p' "$dir/s/gros/tiny/manifest.json")" "$(sed -n 's/^ "digest": //p' "$dir/t/gros/tiny/manifest.json")" \
        "and the simulation is the same"
else
    skip "no smpirun or no build" "simulation"
fi

# ---- Slurm: the environment of the nodes ----
unset OMPI_MCA_btl UCX_TLS
PATH=$PWD/tests/fake/slurm:$real
export FAKE_SLURM=$dir/slurm
mkdir -p "$FAKE_SLURM" "$dir/clusters/studies"
cluster() { # SETUP
    printf '%s\n' '[cluster]' 'name = two' 'nodes = 2' 'sockets = 1' 'cores = 2' 'cpu = none' '[network]' 'link_rate = 1Gbps' \
        '[slurm]' 'partition = two' 'launcher = mpirun' "setup = $1" >"$dir/clusters/two.ini"
}
study() { sed "s/^procs.*/procs = $1/" tests/cli/tiny.ini >"$dir/clusters/studies/tiny.ini"; }
submit() {
    run submit --clusters "$dir/clusters" -c two -s tiny --build "$dir/build" --results "$dir/q" --no-collect "$@"
    soon idle
}
idle() { [ -z "$(squeue -h -o %i)" ]; }
q=$dir/q/two/tiny
heads() { grep -h '^# given' "$q"/samples/*.csv | sort -u; }
cluster 'export OMPI_MCA_coll_tuned_bcast_algorithm=6 UCX_TLS=tcp'
study 2
OMPI_MCA_coll_sync_barrier_before=1 OMPI_MCA_btl=tcp,self submit
is 0 $status "jobs are submitted where a component is chosen"
says "environment: OMPI_MCA_coll_sync_barrier_before=1 is kept from the launches" "$dir/err" "which is told"
cat "$q"/jobs/*.out >"$dir/told"
says "environment: OMPI_MCA_coll_tuned_bcast_algorithm=6 is kept from the launches" "$dir/told" "a node's own setting is kept from its launches"
says "environment: OMPI_MCA_coll_sync_barrier_before=1 is kept from the launches" "$dir/told" "and what sbatch hands on"
heads >"$dir/heads"
says "# given: UCX_TLS=tcp" "$dir/heads" "a node's transports are in the samples"
says "# given: OMPI_MCA_btl=tcp,self" "$dir/heads" "and those that sbatch hands on"
is "" "$(grep coll_ "$dir/heads")" "what selects is not"
says '"OMPI_MCA_btl=tcp,self"' "$q/manifest.json" "the manifest has what sbatch hands on"
submit
says "nothing to submit" "$dir/out" "submitted without it, and nothing left to measure: fine"
study '2 4'
submit
is 1 $status "a grown study, submitted without it: refused"
says "OMPI_MCA_btl was 'tcp,self' and is not there now" "$dir/err" "and named"
cluster 'export UCX_TLS=shm'
n=$(cat "$q"/samples/*.outcomes.csv | wc -l)
OMPI_MCA_btl=tcp,self submit
is 0 $status "a grown study, whose nodes have other transports now"
cat "$q"/jobs/*.out >"$dir/told"
says "UCX_TLS was 'tcp' and is 'shm'" "$dir/told" "its tasks refuse, and say why"
is "$n" "$(cat "$q"/samples/*.outcomes.csv | wc -l)" "and measure nothing"
OMPI_MCA_btl=tcp,self submit --anew
is 0 $status "--anew"
holds "$(cat "$q"/samples/*.outcomes.csv | wc -l) > $n" "measures"
OMPI_MCA_btl=tcp,self submit
says "nothing to submit" "$dir/out" "under a digest of its own, that stays"
tap_done
