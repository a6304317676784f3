#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# collsel star: the micro-benchmark of STAR-MPI, walked and under real MPI: as many calls as the paper's scheme takes, both times;
# the page has the section.
. tests/libcollsel/lib.sh
results=$dir/results
star() { timeout $patience "$collsel" star --results "$results" "$@" >"$dir/out" 2>"$dir/err"; }

# column FILE COLLECTIVE BYTES SCHEME NAME: of star.csv
column() {
    awk -F, -v c="$2" -v m="$3" -v s="$4" -v name="$5" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
        $at["collective"] == c && $at["bytes"] == m && $at["scheme"] == s { print $at[name] }' "$1"
}

star --scheme foo
is 2 $? "a scheme that is not known"
has "'foo' is unknown (want basic, enhanced or both)" "$(cat "$dir/err")" "is answered with those that are"
for option in "--repository paper" "--judge sure" "--cost 2%" "--learnt x"; do
    # shellcheck disable=SC2086
    "$collsel" run $option -- true >"$dir/out" 2>"$dir/err"
    is 2 $? "$option without mode star is refused before anything starts"
    has "wants --mode star" "$(cat "$dir/err")" "which is said"
done

# shellcheck disable=SC2089
for words in "--cost 0.02:'0.02' is no share of time (want 0.1% to 50%, as 2%)" "--cost 51%:'51%' is no share" "--cost 2% --judge fastest:--cost wants --judge sure" \
    "--learnt x --repository paper:--learnt wants --judge sure" "--judge sure --repository paper:--judge sure wants --repository full or native"; do
    # shellcheck disable=SC2086,SC2090
    "$collsel" run --mode star ${words%%:*} -- true >"$dir/out" 2>"$dir/err"
    is 2 $? "${words%%:*} is refused"
    has "${words#*:}" "$(cat "$dir/err")" "... and told"
done

star -q -c star-a --bytes 2K,128K --calls 10
is "0 " "$? $(cat "$dir/err")" "walked on star-a"
file=$results/star-a/star-walk/star.csv
for cell in "alltoall 90" "allgather 120" "allreduce 200"; do
    set -- $cell
    for bytes in 2048 131072; do
        is "$2" "$(column "$file" "$1" $bytes basic measured)" "$1 of $bytes bytes, basic: the calls of the paper's Table 1"
        is "$(column "$file" "$1" $bytes enhanced expected)" "$(column "$file" "$1" $bytes enhanced measured)" "... enhanced: of the groups and of the winner's"
    done
done
is walk "$(column "$file" alltoall 2048 basic backend)" "rows say that they were walked"
sed '/^alltoall,16,2048,/d' "$file" >"$dir/part" && cp "$dir/part" "$file"
star -q -c star-a --bytes 2K --collective alltoall --calls 10
is 12 "$(grep -c '^all' "$file")" "what is made again goes into the same file"

star -q -c star-a --bytes 2K --collective alltoall --calls 10 --json
is "2 alltoall walk" "$(python3 -c 'import json; o = json.load(open("'"$dir/out"'")); print(len(o), o[0]["collective"], o[0]["backend"])')" \
    "--json prints the rows that were made"

star -c star-a --collective scan
has "'scan' is none of the study's" "$(cat "$dir/err")" "a collective that the study has not is refused"
star -c star-a --late -1ms
has "--late" "$(cat "$dir/err")" "and a time below 0"

try() {
    local mpi=$1 n=$2 file=$results-$1/local/star/star.csv
    if ! have "mpicc.$mpi" || [ ! -x "$BUILD/$mpi/micro" ]; then
        skip "no mpicc.$mpi here, or no program" "star on $mpi"
        return
    fi
    launch "$mpi" "$n"
    star -q -c local --results "$results-$mpi" -p "$n" --mpi "$mpi" --bytes 2K --calls 10 --compute 0 -- "${line[@]}"
    is "0 " "$? $(cat "$dir/err")" "$mpi, $n ranks"
    for collective in alltoall allgather allreduce; do
        is "$(column "$file" $collective 2048 basic expected)" "$(column "$file" $collective 2048 basic measured)" \
            "$mpi: $collective, basic: calls that were counted while it ran are those of the repository"
        wanted=$(column "$file" $collective 2048 enhanced expected) seen=$(column "$file" $collective 2048 enhanced measured)
        if [ "$wanted" != "$seen" ] && [ "$(column "$file" $collective 2048 enhanced agreements)" -ge 3 ]; then
            skip "on this busy machine another took over, and its group was measured" "$mpi: $collective, enhanced"
        elif [ -z "$wanted" ]; then # `algorithm` names no winner
            skip "on this busy machine another took over at the end, and it was still trying" "$mpi: $collective, enhanced"
        else
            is "$wanted" "$seen" "... enhanced: those of the groups and of the winner's"
        fi
    done
    is real "$(column "$file" alltoall 2048 basic backend)" "$mpi: rows say that they were measured"
    [ "$n" != 16 ] || is "90 120 200" "$(for c in alltoall allgather allreduce; do column "$file" $c 2048 basic measured; done | xargs)" \
        "$mpi: those of the paper's Table 1"
}
ranks=${COLLSEL_STAR_RANKS:-4}
unset COLLSEL_STAR_RANKS # what is libcollsel's is refused
try openmpi "$ranks"
try mpich 2

# On emulated nodes ranks share a few cores: what they want there is added to what the launcher says; here it only writes down what it got.
if [ -f "$BUILD/openmpi/nap.so" ]; then
    cat >"$dir/launcher" <<END
#!/bin/sh
printf "%s\n" "\$*" >"$dir/words"
env >"$dir/env"
exit 1
END
    chmod +x "$dir/launcher"
    export OMPI_MCA_pml=mine
    star -q -c star-a --bytes 2K --collective alltoall -- "$dir/launcher" -n 16
    is 1 $? "emulated: the launcher's failure is told"
    unset OMPI_MCA_pml
    has "OMPI_MCA_mpi_yield_when_idle=1" "$(cat "$dir/env")" "... ranks are told to yield, without which they would spin"
    has "OMPI_MCA_btl_tcp_if_include=eth0" "$(cat "$dir/env")" "... and to use the emulated network"
    has "OMPI_MCA_pml=mine" "$(cat "$dir/env")" "... what is set already stays"
    has "-n 16 env LD_PRELOAD=" "$(cat "$dir/words")" "... and a library is preloaded"
    has "/openmpi/nap.so" "$(cat "$dir/words")" "... that lets them sleep"
    star -q -c star-a --bytes 2K --collective alltoall -- "$dir/launcher" -x LD_PRELOAD=build/openmpi/nap.so
    is "-x LD_PRELOAD=build/openmpi/nap.so" "$(cut -d' ' -f1-2 "$dir/words")" "... words that do so themselves stay"
    is 0 "$(grep -c ' env ' "$dir/words")" "... and are not said twice"
    star -q -c star-a --bytes 2K --collective alltoall -- "$dir/launcher" -x LD_PRELOAD=other.so
    is 1 $? "another preload in its place is refused"
    has "/openmpi/nap.so there, too" "$(cat "$dir/err")" "... and told"
    rm -f "$dir/env"
    star -q -c local -p 2 --bytes 2K --collective alltoall -- "$dir/launcher"
    is 0 "$(grep -c yield_when_idle "$dir/env")" "elsewhere nothing is added"
else
    skip "no library to preload" "emulated nodes"
fi
# What the user selects is not the library's default: refused, before anything is started. The launcher leaves a file where it was.
printf '#!/bin/sh\n: >"%s"\nexit 1\n' "$dir/started" >"$dir/mpirun" && chmod +x "$dir/mpirun"
refused() { # refused TEXT CLAIM CLUSTER VARIABLE=VALUE... -- WORDS...
    local text=$1 claim=$2 cluster=$3 set=(); shift 3
    while [ "$1" != -- ]; do set+=("$1"); shift; done
    rm -f "$dir/started"
    env "${set[@]}" "$collsel" star -q -c "$cluster" -p 2 --mpi "$library" --results "$results" --bytes 2K --collective alltoall "$@" >"$dir/out" 2>"$dir/err"
    is "2 no" "$? $([ -e "$dir/started" ] && echo started || echo no)" "$claim is refused"
    has "$text" "$(cat "$dir/err")" "... and told"
}
library=openmpi
refused "OMPI_MCA_coll_tuned_use_dynamic_rules is exported: it selects algorithms" "an exported variable that selects" local \
    OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_alltoall_algorithm=1 -- "$dir/mpirun" -n 2
refused "UCC_CLS is exported" "one of the component ucc" local UCC_CLS=basic -- "$dir/mpirun"
refused "COLLSEL_JUDGE is exported" "libcollsel's own" local COLLSEL_JUDGE=fastest -- "$dir/mpirun"
refused "SLURM_JOB_ID is exported: it names other machines" "on this machine one that names others" local SLURM_JOB_ID=3 -- "$dir/mpirun"
refused "OMPI_MCA_coll_tuned_use_dynamic_rules: it selects algorithms" "a parameter among the launcher's words" local -- "$dir/mpirun" --mca coll_tuned_use_dynamic_rules 1
refused "OMPI_MCA_coll: it selects components" "with one dash, too" local -- "$dir/mpirun" -mca coll ^tuned
refused "OMPI_MCA_coll_tuned_bcast_algorithm: it selects" "a variable that a word sets" local -- "$dir/mpirun" --export=ALL,OMPI_MCA_coll_tuned_bcast_algorithm=1
refused "'--tune set.conf': it brings settings that are not seen here" "a file of settings" local -- "$dir/mpirun" --tune set.conf
refused "LD_PRELOAD: it puts functions before the library's" "another library before MPI's" local -- "$dir/mpirun" -x LD_PRELOAD=/lib/yield.so:/lib/other.so
mkdir -p "$dir/home/.openmpi"
printf '# mine\ncoll_tuned_use_dynamic_rules = 1\n' >"$dir/home/.openmpi/mca-params.conf"
refused "mca-params.conf:2: every launch would read 'coll_tuned_use_dynamic_rules = 1'" "a parameter file that selects" local HOME="$dir/home" -- "$dir/mpirun"
echo 'coll_han_priority = 100' >"$dir/home/.openmpi/mca-params.conf"
refused "mca-params.conf:1: every launch would read 'coll_han_priority = 100'" "one that raises a component, which nobody leaves out here" local HOME="$dir/home" -- "$dir/mpirun"
echo 'orte_default_hostfile = /hosts' >"$dir/home/.openmpi/mca-params.conf"
refused "mca-params.conf:1: every launch would read 'orte_default_hostfile = /hosts': it names other machines" "one that names other machines" local HOME="$dir/home" -- "$dir/mpirun"
library=mpich
refused "MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM: it selects algorithms" "a variable of -genv" local -- "$dir/mpirun" -genv MPIR_CVAR_ALLTOALL_INTRA_ALGORITHM bruck
refused "HYDRA_HOST_FILE is exported: it names other machines" "MPICH's own list of hosts" local HYDRA_HOST_FILE=/hosts -- "$dir/mpirun"
library=openmpi
passes() { # passes CLAIM CLUSTER VARIABLE=VALUE... -- WORDS...
    local claim=$1 cluster=$2 set=(); shift 2
    while [ "$1" != -- ]; do set+=("$1"); shift; done
    rm -f "$dir/started"
    env "${set[@]}" "$collsel" star -q -c "$cluster" -p 2 --mpi "$library" --results "$results" --bytes 2K --collective alltoall "$@" >"$dir/out" 2>"$dir/err"
    is "1 yes" "$? $([ -e "$dir/started" ] && echo yes)" "$claim ($(tail -n 1 "$dir/err"))"
}
passes "what changes how messages travel is the user's" local UCX_TLS=tcp OMPI_MCA_btl=tcp,self HOME="$dir" -- "$dir/mpirun" --mca pml ob1
passes "other machines may be named where they are meant" gros SLURM_JOB_ID=3 HOME="$dir" -- "$dir/mpirun"
echo 'coll_tuned_bcast_algorithm = 1' >"$dir/home/.openmpi/mca-params.conf"
passes "a file that Open MPI is told not to read does no harm" local HOME="$dir/home" OMPI_MCA_mca_base_param_files=none -- "$dir/mpirun"
library=mpich
passes "nor does one of the other library" local HOME="$dir/home" OMPI_MCA_coll=^tuned -- "$dir/mpirun" env LD_PRELOAD=/build/mpich/yield.so

# As many ranks as were asked for.
if have mpicc.openmpi && [ -x "$BUILD/openmpi/micro" ]; then
    launch openmpi 3
    star -q -c local --results "$results-few" -p 2 --bytes 2K --calls 5 --compute 0 --collective alltoall --scheme basic -- "${line[@]}"
    is "1 0" "$? $(cat "$results-few/local/star/star.csv" 2>/dev/null | grep -c "^alltoall")" "other ranks than were asked for are an error, and no row"
    has "alltoall of 2048 bytes ran among 3 ranks, not 2" "$(cat "$dir/err")" "... which tells both numbers"
fi
# The full length, which nobody waits for here: what it would do, and that it goes on where it was.
overnight() { OUT=$BUILD ci/overnight -o "$dir/night" "$@" >"$dir/out" 2>"$dir/err"; }
overnight -n
is "0 30" "$? $(wc -l <"$dir/out")" "overnight: a cell for each collective and size, by both schemes"
if have mpicc.openmpi && [ -x "$BUILD/openmpi/micro" ]; then
    overnight -c local -p 2 -k 20 -b 2K -s enhanced
    is 0 $? "overnight on this machine, one size ($(tail -n 1 "$dir/err"))"
    is real "$(column "$dir/night/local/star/star.csv" allreduce 2048 enhanced backend)" "... which is measured"
    holds "$(column "$dir/night/local/star/star.csv" allreduce 2048 enhanced monitored) >= 20" "... in as many calls as were asked for (more, where another candidate took over)"
    overnight -c local -p 2 -k 20 -b 2K -s enhanced
    is "0 overnight: nothing is left ($dir/night)" "$? $(cat "$dir/out")" "... and not again"
    sed -i '/^allgather,/d' "$dir/night/local/star/star.csv"
    overnight -n -c local -p 2 -k 20 -b 2K -s enhanced
    is "allgather 2K enhanced" "$(cat "$dir/out")" "a row that is missing is left to do"
    overnight -n -c local -p 2 -k 5000 -b 2K -s enhanced
    is 3 "$(wc -l <"$dir/out")" "and those of fewer calls are"
    overnight -n -c local -k 20 -b 2K -s enhanced
    is 3 "$(wc -l <"$dir/out")" "and those of other ranks than the study's, where none are asked for"
    overnight -n -c local -p 2 -k 20 -b 2K -s enhanced -f 5
    is "1 0" "$? $(wc -l <"$dir/out")" "rows of another computation are not written over"
    has "has alltoall of 2K, enhanced, with another -f" "$(cat "$dir/err")" "... which is said"
    awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { $at["compute_s"] = 5 * $at["default_s"] } { print }' \
        "$dir/night/local/star/star.csv" >"$dir/part" && cp "$dir/part" "$dir/night/local/star/star.csv"
    overnight -n -c local -p 2 -k 20 -b 2K -s enhanced -f 5
    is "allgather 2K enhanced" "$(cat "$dir/out")" "... and those of this one are done"
    overnight -c local -p 2 -k 20 -b 16K -s enhanced -l false
    is 1 $? "a launcher that fails is status 1"
else
    skip "no mpicc.openmpi here, or no program" "overnight"
fi
# Where no number of ranks is asked for it starts as many as the study has, which star then takes rows of.
mkdir -p "$dir/bin"
printf '#!/bin/sh\nprintf "%%s\\n" "$*" >"%s"\nexit 1\n' "$dir/words" >"$dir/bin/mpirun.openmpi" && chmod +x "$dir/bin/mpirun.openmpi" && ln -s mpirun.openmpi "$dir/bin/mpirun"
PATH=$dir/bin:$PATH overnight -c local -b 64K -s basic
has "-np 16 " "$(cat "$dir/words")" "without -p it starts the ranks of the study"
rm -f "$dir/words"
OMPI_MCA_coll_tuned_alltoall_algorithm=1 PATH=$dir/bin:$PATH overnight -c local -b 64K -s basic
is "2 no" "$? $([ -e "$dir/words" ] && echo started || echo no)" "what selects is refused before anything is started"
has "overnight: OMPI_MCA_coll_tuned_alltoall_algorithm is exported" "$(cat "$dir/err")" "... and told"
overnight -n -c star-b
is "0 30" "$? $(wc -l <"$dir/out")" "every cluster has its study's ranks"
overnight -n -s bogus
is 2 $? "an unknown scheme is wrong usage"
overnight -n -b 2k
is 2 $? "so is a size that is none"
overnight -n -b ""
is 2 $? "and no size at all"
overnight -n -f -1
is 2 $? "and a computation that is no number"
overnight -k none
is 2 $? "a number of calls that is none is wrong usage"
overnight star-a
is 2 $? "so is a word too many"

star -q -c local -p 2 --bytes 2K --collective alltoall --calls 5 -- false
is 1 $? "a launcher that fails is an error"
has "status 1" "$(cat "$dir/err")" "... which tells its status"
tap_done
