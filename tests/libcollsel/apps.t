#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Applications, ours and packaged ones, have with libcollsel before their MPI the results that they have without; ci/apps says so,
# and sees it where they have not.
long=${COLLSEL_LONG:-}
. tests/libcollsel/lib.sh

# apps OPTION...: its summary is $dir/apps/summary.csv.
apps() {
    rm -rf "$dir/apps"
    OUT=$BUILD timeout $patience ci/apps -o "$dir/apps" "$@" >"$dir/out" 2>"$dir/err"
}

# Every row of the summary is a claim, or skipped with its reason.
claims() {
    while IFS=, read -r mpi name _ _ _ _ mode runs wrong _ _ _ _ _ _ _ deviation reason; do
        case $mpi in mpi) continue ;; esac
        if [ -z "$mode" ]; then skip "${reason//\"/}" "$name on $mpi"; continue; fi
        is "$1 0" "$runs $wrong" "$mpi, $name, $mode: ends well, with the same results (${deviation:-none} apart) ${reason//\"/}"
    done <"$dir/apps/summary.csv"
}

if ! { have mpicc.openmpi || have mpicc.mpich; }; then skip_all "no MPI here"; fi
modes="star:fastest star best" # the last one is what the first one chose; star itself tries nothing in so short a run
names=ntube
[ -z "$long" ] || { modes="default trace table model star star:paper star:native star:fastest best" names="fft nbody ntube fftw lammps lammps-data hpcc"; }
# shellcheck disable=SC2086 # words
apps -n 3 -r 1 -m "$modes" $names
is "0 " "$? $(grep -a "ci/apps: line" "$dir/err")" "ci/apps ends well, without an error of the shell"
claims 1
holds "$(grep -cE '^(openmpi|mpich),(fft|nbody|ntube),star:fastest,0,(alltoall|allgather|allgatherv),3,' "$dir/apps/tuned.csv") >= 1" "what star chose for their calls is in the table of a run (400 calls are enough for one kind at least)"

# Results that differ are seen. Sums of the ring are in another order, and the same up to that.
mpi=openmpi
have mpicc.openmpi || mpi=mpich
for mpi in $mpi ${long:+mpich}; do
    [ -x "$BUILD/$mpi/apps/nbody" ] || { skip "no mpicc.$mpi here" "results that differ on $mpi"; continue; }
    launch $mpi 3 "$BUILD/$mpi/apps/nbody" --bodies 96 --steps 10
    "${line[@]}" 2>/dev/null | grep '^result [kp][io]' >"$dir/all"
    launch $mpi 3 "$BUILD/$mpi/apps/nbody" --bodies 96 --steps 10 --ring 1
    "${line[@]}" 2>/dev/null | grep '^result' >"$dir/ring"
    is "" "$(paste "$dir/all" "$dir/ring" | awk 'function size(x) { return x < 0 ? -x : x } $2 != $5 || size($3 - $6) > 1e-12 * size($3)' )" \
        "$mpi: bodies around a ring have the energies of those that know all"
    is 2 "$(wc -l <"$dir/ring")" "... both of them"
    launch $mpi 2 "$BUILD/$mpi/apps/ntube" --uneven 101
    "${line[@]}" >"$dir/out" 2>"$dir/err"
    is 2 $? "$mpi: an option out of range is wrong usage"
done
mpi=openmpi
have mpicc.openmpi || mpi=mpich
launch $mpi 2
printf '#!/bin/sh\ncase $1 in env) %s "$@" | sed "s/potential -/potential -1/" ;; *) %s "$@" ;; esac\n' "${line[*]}" "${line[*]}" >"$dir/liar" && chmod +x "$dir/liar"
apps -l "$dir/liar" -n 2 -i $mpi -r 1 -k 4 -m "default trace" nbody
is 1 $? "a result that is another one with the library is status 1"
has "$mpi nbody trace: differs: more than 1e-12 apart" "$(cat "$dir/err")" "... and told"
if have mpirun.openmpi; then
    echo "1 0 1 2 1 0 4 0 0 # allgather, from two ranks and no byte on: ring" >"$dir/ring.rules"
    apps -n 3 -r 1 -k 4 -i openmpi -m "default file" -f "$dir/ring.rules" nbody
    is 0 $? "with a file of rules that the library loads itself ($(tail -n 1 "$dir/err"))"
    claims 1
    is "$(cat "$dir/ring.rules")" "$(cat "$dir/apps/rules")" "... of which a copy is kept"
    has "# files: file=$(sha256sum "$dir/ring.rules" | cut -c 1-12)" "$(cat "$dir/apps/runs.csv")" "... which is told by what is in it"
    cp "$dir/ring.rules" "$dir/same.rules"
    echo "1 0 1 2 1 0 1 0 0" >"$dir/ring.rules"
    OUT=$BUILD ci/apps -g -o "$dir/apps" -n 3 -r 2 -k 4 -i openmpi -m "default file" -f "$dir/ring.rules" nbody >/dev/null 2>"$dir/err"
    is 1 $? "with another one it does not go on"
    has "no runs of the same settings" "$(cat "$dir/err")" "... which is said"
    OUT=$BUILD timeout $patience ci/apps -o "$dir/apps" -g -n 3 -r 1 -k 4 -i openmpi -m "default file" -f "$dir/same.rules" nbody >/dev/null 2>"$dir/err"
    is 0 $? "the same one does"
    sed -i '/^# files: /d' "$dir/apps/runs.csv" && rm "$dir/apps/rules"
    OUT=$BUILD timeout $patience ci/apps -o "$dir/apps" -g -n 3 -r 1 -k 4 -i openmpi -m "default file" -f "$dir/same.rules" nbody >/dev/null 2>"$dir/err"
    is "0 $(cat "$dir/same.rules")" "$? $(cat "$dir/apps/rules")" "a folder of before there was a copy goes on, and has one then ($(tail -n 1 "$dir/err"))"
    echo "no rules" >"$dir/no.rules"
    apps -n 3 -r 1 -k 4 -i openmpi -m "default file" -f "$dir/no.rules" nbody
    is "1 no" "$? $([ -e "$dir/apps" ] && echo there || echo no)" "a file that the library would drop is refused before anything runs"
    has "apps: -f: $dir/no.rules:" "$(cat "$dir/err")" "... with what is wrong"
fi
mpi=openmpi
have mpicc.openmpi || mpi=mpich
launch $mpi 2
# A run without a time is no run with one of nothing.
if [ -n "$long" ]; then
    printf '#!/bin/sh\ncase $1 in env) %s "$@" | sed "s/time_s.*/time_s none/" ;; *) %s "$@" ;; esac\n' "${line[*]}" "${line[*]}" >"$dir/timeless" && chmod +x "$dir/timeless"
    apps -l "$dir/timeless" -n 2 -i $mpi -r 1 -k 4 -m "default trace" nbody
    is 1 $? "a run that tells no time is status 1"
    has "$mpi,nbody,small,2,4,200,trace,1,differs,," "$(cat "$dir/apps/runs.csv")" "... as its row says"
    has "no time: no number behind 'time_s'" "$(grep ',trace,' "$dir/apps/summary.csv")" "... and the summary, which has no mean of it"
    sed -i '/,trace,/s/,differs,,\(.*\),".*"$/,ok,,\1,/' "$dir/apps/runs.csv"
    OUT=$BUILD ci/apps -o "$dir/apps" -g -l "$dir/timeless" -n 2 -i $mpi -r 1 -k 4 -m "default trace" nbody >/dev/null 2>&1
    is '0 1 "no time"' "$(awk -F, '$7 == "trace" { print $8, $9, $18 }' "$dir/apps/summary.csv")" "one that earlier runs called ok counts as nothing, too"
fi
# The model is asked about the cluster that -c means, wherever its file is.
mkdir -p "$dir/build"
ln -s "$(realpath "$BUILD/$mpi")" "$dir/build/$mpi"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >>"%s"\nexec "%s" "$@"\n' "$dir/words" "$(realpath "$collsel")" >"$dir/build/collsel" && chmod +x "$dir/build/collsel"
cp clusters/local.ini "$dir/local.ini"
OUT=$dir/build timeout $patience ci/apps -c "$dir/local.ini" -o "$dir/model" -n 2 -r 1 -k 4 -i $mpi -m model nbody >/dev/null 2>"$dir/err"
is 0 $? "a cluster file by its path ($(tail -n 1 "$dir/err"))"
has "--for $dir/model/work/local.ini " "$(grep '^run ' "$dir/words")" "... is what the model is asked about, as a machine with a core for each rank"
# Fewer steps, and messages as long as they were.
apps -i $mpi -n 2 -r 1 -k 6 -a "--thin 3" -m default nbody
is 0 $? "fewer steps than the size has, and further words for the program ($(tail -n 1 "$dir/err"))"
is "6,200" "$(grep -E '^(openmpi|mpich),nbody,small,2,' "$dir/apps/runs.csv" | cut -d , -f 5,6 | sort -u)" "... each row says how many of how many"
has "# arguments: --thin 3" "$(cat "$dir/apps/runs.csv")" "... and what the words were"
rm -rf "$dir/apps" && OUT=$BUILD ci/apps -o "$dir/apps" -i $mpi -n 2 -r 1 -k 1000 -m default nbody >/dev/null 2>&1
is "200,200" "$(grep -E '^(openmpi|mpich),nbody,small,2,' "$dir/apps/runs.csv" | cut -d , -f 5,6 | sort -u)" "a size with fewer steps keeps its own"
# In parts: what there is no time for is run later, in the same folder, and nothing twice.
mpi=openmpi
have mpicc.openmpi || mpi=mpich
launch $mpi 2
# Until it may be quick, the first of the round's programs makes the one before it one of more than a day.
cat >"$dir/slow" <<END && chmod +x "$dir/slow"
#!/bin/sh
[ -e $dir/quick ] || sed -i 's/\(,default,0,ok,[^,]*,\)[^,]*/\199999/' $dir/parts/runs.csv
if [ -e $dir/one ]; then rm $dir/one; else while [ -e $dir/stay ]; do sleep 0.2; done; fi
exec ${line[*]} "\$@"
END
part() { OUT=$BUILD timeout $patience ci/apps -n 2 -r 2 -k 10 -i $mpi -o "$dir/parts" -l "$dir/slow" -m "default trace" "$@" nbody >"$dir/out" 2>&1; }
rows() { grep "^$mpi,nbody," "$dir/parts/runs.csv"; }
part -e 90000 -g
is "1 yes" "$? $(grep -q '^apps: over: not all was run' "$dir/out" && echo yes)" "where the time is over before all was run the status is 1, and it is said"
first=$(rows)
has "$mpi,nbody,small,2,10,200,default,0,ok," "$first" "... and something was run"
touch "$dir/quick"
is "$(grep -c ',trace,[12],' <<<"$first")" "$(grep -c ',default,[12],' <<<"$first")" "... of rounds whole ones"
part -g
is 0 $? "it goes on ($(tail -n 1 "$dir/out"))"
all="default,0 default,1 default,2 trace,1 trace,2 "
is "$all" "$(rows | cut -d , -f 7,8 | sort | tr '\n' ' ')" "... with each run once"
has "$first" "$(rows)" "... those of before among them"
is 2 "$(grep -c '^# commit=' "$dir/parts/runs.csv")" "... and tells when both parts were"
second=$(rows)
sed -i "/^$mpi,nbody,.*,trace,1,/d" "$dir/parts/runs.csv"
part -g
is "0 $all" "$? $(rows | cut -d , -f 7,8 | sort | tr '\n' ' ')" "a round of which a mode is missing is completed"
is "1 0 1 " "$(for kept in default,0 default,1 default,2; do grep -cF "$(grep ",$kept," <<<"$second")" <<<"$(rows)"; done | tr '\n' ' ')" \
    "... as a whole: its other runs are new, those of other rounds are not"
third=$(rows)
part -g -k 8
is 1 $? "other settings do not go on"
has "no runs of the same settings" "$(cat "$dir/out")" "... which is said"
part -g -m default
is 1 $? "nor other modes"
is "$third" "$(rows)" "... and nothing is lost"
apps -g -e 0 nbody
is 2 $? "no time at all is wrong usage"
OUT=$BUILD ci/apps -g nbody >"$dir/out" 2>&1
is 2 $? "and to go on nowhere"
apps -k 7 nbody
is 2 $? "every other transform goes back, so an odd number of steps is wrong usage"
apps -w 0s nbody
is 2 $? "so is a limit that is no number"
apps -m file nbody
is 2 $? "the mode wants one"
apps -m file -f clusters/local.ini nbody
is 2 $? "of one library alone"
apps -m sing
is 2 $? "an unknown mode is wrong usage"
apps -i openmp nbody
is 2 $? "so is an unknown MPI"
apps -r 0 nbody
is 2 $? "and no round at all"
apps -i mpich -r 1 -m default fftw
is 1 $? "where nothing that was asked for can run the status is 1"
has "nothing ran" "$(cat "$dir/out")" "... which is said"
mkdir -p "$dir/mine/work/dear"
OUT=$BUILD ci/apps -o "$dir/mine" -r 1 -m default nbody >/dev/null 2>"$dir/err"
is "1 yes" "$? $([ -d "$dir/mine/work/dear" ] && echo yes)" "a folder that is somebody's is left alone"
apps -n 2 -r 1 -k 99999999999999999998 -m default nbody
is 2 $? "a number that arithmetic has no room for is wrong usage"
# A user's environment is not the library's default. The first of each kind; with COLLSEL_LONG all.
for variable in OMPI_MCA_coll_tuned_bcast_algorithm=1 COLLSEL_JUDGE=fastest ${long:+OMPI_MCA_coll=^tuned OMPI_MCA_coll_han_priority=100 MPIR_CVAR_BCAST_INTRA_ALGORITHM=ring \
    MPIR_CVAR_IBCAST_DEVICE_COLLECTIVE=1 MPICH_ALLREDUCE_SHORT_MSG_SIZE=1}; do
    OUT=$BUILD env "$variable" ci/apps -o "$dir/exported" -r 1 -m default nbody >/dev/null 2>"$dir/err"
    is "2 yes" "$? $(grep -q "^apps: ${variable%%=*} is exported" "$dir/err" && [ ! -e "$dir/exported" ] && echo yes)" "$variable, exported, is refused"
done
for variable in SLURM_JOB_ID=3 UCC_CLS=basic ${long:+PBS_NODEFILE=/nodes OMPI_MCA_orte_default_hostfile=/hosts HYDRA_HOST_FILE=/hosts HCOLL_ML_DISABLE=x}; do
    OUT=$BUILD env "$variable" ci/apps -o "$dir/exported" -r 1 -m default nbody >/dev/null 2>"$dir/err"
    is "2 yes" "$? $(grep -q "^apps: ${variable%%=*} is exported" "$dir/err" && [ ! -e "$dir/exported" ] && echo yes)" "$variable, exported on this machine, is refused"
done
mkdir -p "$dir/home/.openmpi"
printf 'coll_tuned_use_dynamic_rules = 1\ncoll_tuned_alltoall_algorithm = 1\n' >"$dir/home/.openmpi/mca-params.conf"
OUT=$BUILD HOME=$dir/home ci/apps -o "$dir/exported" -i openmpi -r 1 -m default nbody >/dev/null 2>"$dir/err"
is "2 no" "$? $([ -e "$dir/exported" ] && echo there || echo no)" "a parameter file of Open MPI that selects is refused"
has "mca-params.conf:1: every launch would read 'coll_tuned_use_dynamic_rules = 1'" "$(cat "$dir/err")" "... with file and line"
OUT=$BUILD ci/apps -o "$dir/exported" -i openmpi -r 1 -m default -l "mpirun.openmpi -n 2 --mca coll_tuned_use_dynamic_rules 1" nbody >/dev/null 2>"$dir/err"
is "2 no" "$? $([ -e "$dir/exported" ] && echo there || echo no)" "words of -l that select are refused"
has "'--mca': OMPI_MCA_coll_tuned_use_dynamic_rules: it selects algorithms" "$(cat "$dir/err")" "... and named"
long_path=$(printf '/opt/%0900d' 0)
OUT=$BUILD UCX_NET_DEVICES=lo LD_LIBRARY_PATH=$long_path${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} timeout $patience ci/apps -o "$dir/exported" -i $mpi -n 2 -k 4 -r 1 -m default nbody >/dev/null 2>"$dir/err"
has "# environment: UCX_NET_DEVICES=lo" "$(cat "$dir/exported/runs.csv")" "what changes how messages travel is told"
is 1 "$(grep -c '^# environment: .*/opt/0.*0\.\.\.$' "$dir/exported/runs.csv")" "... before long paths, and that these are cut"
before=$(cat "$dir/exported/runs.csv")
OUT=$BUILD ci/apps -o "$dir/exported" -i $mpi -n 2 -k 4 -r 1 -m default nbody >/dev/null 2>"$dir/err"
is "1 $before" "$? $(cat "$dir/exported/runs.csv")" "runs that are there are not written over"
# A star is no list of files, and what a program prints does not reach the terminal as it is.
printf '#!/bin/sh\nprintf "%%s \\033]0;x\\007\\302\\233 end\\n" "$*" >&2; exit 3\n' >"$dir/shouts" && chmod +x "$dir/shouts"
apps -l "$dir/shouts" -a '*' -n 2 -i $mpi -r 1 -m default nbody
has " * ]0;x end" "$(cat "$dir/err")" "words stay words, and a program's text text"
is "" "$(LC_ALL=C grep -l "$(printf '[\001-\010\033\177]\|\302\233')" "$dir/err" "$dir/apps/runs.csv")" "... without control characters"
# Stopped: what runs is ended with it, and it goes on. After a kill nothing begins beside what still runs.
first_row() { rows | grep -q default,0; }
stops() { # stops SIGNAL: after one row, while the second program stays
    rm -rf "$dir/parts"
    touch "$dir/one" "$dir/stay"
    OUT=$BUILD setsid ci/apps -n 2 -r 2 -k 10 -i $mpi -o "$dir/parts" -l "$dir/slow" -m "default trace" nbody >"$dir/out" 2>&1 &
    soon first_row
    soon pgrep -f "^/bin/sh $dir/slow "
    kill -"$1" $!
    wait $! 2>/dev/null
}
stops TERM
is "143 0" "$? $(pgrep -fc "^/bin/sh $dir/slow ")" "a signal ends it, and the program that it runs"
has "it goes on" "$(cat "$dir/out")" "... which says how to go on"
rm "$dir/stay"
stops KILL
part -g
is 1 $? "after kill -9 nothing is run beside the program that is still there"
has "is at work there" "$(cat "$dir/out")" "... which is said"
rm "$dir/stay"
soon flock -n "$dir/parts/.lock" true
part -g
is "0 $all" "$? $(rows | cut -d , -f 7,8 | sort | tr '\n' ' ')" "... and when it has ended all goes on"
apps -c gros
is 1 $? "a cluster that is not here wants to be told how ranks are started"
tap_done
