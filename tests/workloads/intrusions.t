#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Settings of a site against the real libraries (docs/environment.md): kept from the launches, so that the
# default is the library's own; let in where the study says so, for all of a launch; refused where they come
# in on the way. What the harness does of it without MPI: tests/cli/environment.t.
. tests/workloads/lib.sh
export HOME=$dir/home
mkdir -p "$HOME/.openmpi"
cat >"$dir/clean.ini" <<END
[study]
name = probe
collectives = bcast
mpi = openmpi mpich
[grid]
procs = 2 4
oversubscribe = 4
bytes = 8000
[candidates]
openmpi = chain
mpich = scatter_recursive_doubling_allgather
[fit]
gamma_procs = 2
[measure]
repeats = 1
budget = 10ms
min_reps = 3
max_reps = 10
END
sed 's/^name = .*/name = site/; s/^\[measure\]/&\nenvironment = site/' "$dir/clean.ini" >"$dir/site.ini"
sweep() { "$collsel" sweep -c local -s "$dir/$1.ini" --build "$BUILD" --results "$dir/r" --retries 0 >"$dir/out" 2>"$dir/err"; }

# ran STUDY MPI PROCS: what the default ran there, the points of one time.
ran() {
    local id of="$dir/r/local/$1"
    id=$(awk -F, -v m="$2:default" -v p="$3" '$3 == "time" && $13 == m && $10 == p { print $2; exit }' "$of/plan.csv")
    cat "$of"/samples/"$2"*.outcomes.csv | awk -F, -v id="$id" '$1 == id { print $5; exit }'
}
# says PART: the last sweep did.
says() { has "$1" "$(cat "$dir/err")" "$2"; }

# From 5.0 on the launcher reads the user's file, and hands what it says to its ranks.
release=$(mpirun.openmpi --version 2>/dev/null | sed -n '1s/[^0-9]*\([0-9]*\).*/\1/p')
pml=ob1
if [ "${release:-0}" -lt 5 ]; then
    btl="tcp self"
    by_file() { echo "$1 = $2 is in effect (from: $HOME/.openmpi/mca-params.conf)"; }
else
    btl="self tcp"
    by_file() { echo "OMPI_MCA_$1=$2 is in the environment of the ranks"; }
fi
if have mpirun.openmpi && have mpirun.mpich; then
    # linear and ring are what neither library chooses for 8000 bytes among four
    export OMPI_MCA_coll_tuned_bcast_algorithm=1 MPIR_CVAR_BCAST_INTRA_ALGORITHM=scatter_ring_allgather
    sweep clean
    ok $? "clean: a sweep with an algorithm of each library set outside"
    is openmpi:binomial "$(ran probe openmpi 4)" "Open MPI's default is its own choice"
    is mpich:binomial "$(ran probe mpich 4)" "MPICH's, too"
    sweep site
    ok $? "site: the same sweep"
    is "openmpi:basic_linear" "$(ran site openmpi 4)" "Open MPI's default is the site's"
    is "mpich:scatter_ring_allgather" "$(ran site mpich 4)" "MPICH's, too"
    is 0 "$(cat "$dir"/r/local/site/samples/*.outcomes.csv | grep -c ',failed,\|,invalid,')" \
        "before and after points that are forced"
    unset OMPI_MCA_coll_tuned_bcast_algorithm MPIR_CVAR_BCAST_INTRA_ALGORITHM
    "$collsel" report -c local -s "$dir/site.ini" --build "$BUILD" --results "$dir/r" >"$dir/out" 2>"$dir/err"
    has 'Environment <strong>site</strong>' "$(cat "$dir/r/local/site"/report/*.html)" "the page says that they are the site's"
    has 'OMPI_MCA_coll_tuned_bcast_algorithm,1,in effect' "$(cat "$dir/r/local/site/report/tables/environment.csv")" "and which"
    has "openmpi,components of pml,$pml,2" "$(cat "$dir/r/local/site/report/tables/in-effect.csv")" "and what each library went by"
    for line in "components of pml=$pml" 'coll_tuned_use_dynamic_rules=1 (environment)'; do
        grep -qF "# in_effect: $line" "$dir"/r/local/probe/samples/openmpi*
        ok $? "the samples tell: $line"
    done
    # han and adapt, and from 6.0 on xhc and acoll: no objects of their own there
    for component in $(ompi_info --parsable | sed -nE 's/^mca:coll:(tuned|basic|han|adapt|xhc|acoll):version:"?component:.*/\1/p'); do
        grep -qE "^# in_effect: components of coll=(.* )?$component( |$)" "$dir"/r/local/probe/samples/openmpi*
        ok $? "among them the component $component, which ompi_info knows"
    done
    grep -qE '^# in_effect: lanes of UCX to [13] of the other ranks=.' "$dir"/r/local/probe/samples/mpich*
    ok $? "and UCX's transports"
else
    skip "not both libraries here" "settings against the harness"
fi

# ---- what comes in on the way to the ranks ----
real=$(realpath "$BUILD")
# What a sweep tells, too: from Open MPI 5.0 on the launcher says by a variable where components are.
own=$(mpirun.openmpi $(as_root) -n 1 env 2>/dev/null | grep '^OMPI_MCA_mca_base_component_path=')
clean() { measure "$1" 2 1 2 --max-reps 10 --clean ${own:+--provenance "exported=$own"} "${@:2}"; }
one() { echo "time 2 0 8192 $1:default 0 0 0" | points "$1" 1 2 >"$dir/points.csv"; }
refused() { # PART TEXT
    is 1 $? "$2: refused"
    says "measure: want environment = site in the study, or this out of the way: $1" "and named, the way out first"
    [ ! -e "$dir/samples.csv" ]
    ok $? "and nothing is measured"
}
if have mpirun.openmpi; then
    one openmpi
    clean openmpi
    ok $? "openmpi: clean, a launch is measured"
    from=$HOME/.openmpi/mca-params.conf
    [ "${release:-0}" -lt 5 ] || from=environment
    echo 'coll_tuned_bcast_algorithm = 6' >"$HOME/.openmpi/mca-params.conf"
    words=$(by_file coll_tuned_bcast_algorithm 6)
    clean openmpi
    refused "$words" "openmpi: a file of the rank's node"
    measure openmpi 2 1 2 --max-reps 10
    ok $? "without --clean it is measured"
    has "# in_effect: coll_tuned_bcast_algorithm=6 ($from)" "$(cat "$dir/samples.csv")" "and told"
    echo 'coll_han_priority = 100' >"$HOME/.openmpi/mca-params.conf"
    words=$(by_file coll_han_priority 100)
    clean openmpi
    refused "$words" "openmpi: a component that is raised there"
    # lo: without it 5.0.7 ended in MPI_Init on a virtual machine ("Unable to find reachable pairing")
    printf 'btl = tcp,self\nbtl_tcp_if_include = lo\n' >"$HOME/.openmpi/mca-params.conf"
    clean openmpi
    ok $? "openmpi: transports are no reason"
    has "# in_effect: btl=tcp,self ($from)" "$(cat "$dir/samples.csv")" "the transports are told"
    has "# in_effect: components of btl=$btl" "$(cat "$dir/samples.csv")" "as they were asked for and as they are"
    rm "$HOME/.openmpi/mca-params.conf"
    OMPI_MCA_coll_tuned_priority=31 clean openmpi
    refused "OMPI_MCA_coll_tuned_priority=31 is in the environment of the ranks: it selects" "openmpi: a variable"
    PRELOAD=$(fake openmpi swap) clean openmpi
    refused "LD_PRELOAD=" "openmpi: a library before the others"
    PRELOAD=$(fake openmpi hiddencall) clean openmpi
    refused "MPI_Bcast is that of '$dir/fakes/openmpi/hiddencall.so', not of libmpi.so" "openmpi: one that hides its tracks"
    PRELOAD=$(fake openmpi hidden) clean openmpi
    refused "clock_gettime is that of '$dir/fakes/openmpi/hidden.so', not of libc.so" "openmpi: a clock that does"
else
    skip "no mpirun.openmpi here" "Open MPI"
fi
# A launch some of whose ranks were started in another environment: a script in the program's place.
of_one_rank() { # MPI RANK_VARIABLE
    mkdir -p "$dir/w/$1"
    printf '#!/bin/sh\n[ "$%s" = 1 ] && export UCX_TLS=tcp,self\nexec %s "$@"\n' "$2" "$real/$1/measure" >"$dir/w/$1/measure"
    chmod +x "$dir/w/$1/measure"
    ln -sf "$real/$1"/*.so "$dir/w/$1/"
    one "$1"
    BUILD=$dir/w clean "$1"
    refused "UCX_TLS=tcp,self is in the environment of rank 1 alone" "$1: a variable of one rank"
}
have mpirun.openmpi && of_one_rank openmpi OMPI_COMM_WORLD_RANK
have mpirun.mpich && of_one_rank mpich PMI_RANK

# A program of the launcher's name that adds to the environment or the words, and a launch that is looked on at.
sed 's/^name = .*/name = wrapped/; s/^procs = .*/procs = 2/; s/^mpi = .*/mpi = LIBRARY/; /^openmpi = /d; /^mpich = /d; s/^\[candidates\]/&\nportable = binomial/' "$dir/clean.ini" >"$dir/wrapped.in"
wrapped() { # MPI WORDS PART
    rm -rf "$dir/r/local/wrapped"
    sed "s/LIBRARY/$1/" "$dir/wrapped.in" >"$dir/wrapped.ini"
    printf '#!/bin/sh\n[ "$1" = --version ] && exec %s "$@"\n%s\n' "$(command -v "mpirun.$1")" "$2" >"$dir/wrap/mpirun.$1"
    chmod +x "$dir/wrap/mpirun.$1"
    (PATH=$dir/wrap:$PATH && sweep wrapped)
    is 1 $? "$1: started by a program of its launcher's name that says: $2"
    says "out of the way: $3" "and named"
    is "" "$(find "$dir/r/local/wrapped/samples" -name '*.csv' -exec grep -l '^[0-9a-f]\{16\},' {} +)" "and nothing is measured"
}
# What such a program exports and tunes is the launcher's own, and stands with what was given: another value is another environment.
tuned() { # MPI NAME WORDS-BEFORE WORDS-AFTER
    local value
    sed "s/LIBRARY/$1/" "$dir/wrapped.in" >"$dir/wrapped.ini"
    for value in 7 8; do
        rm -rf "$dir/r/local/wrapped"
        printf '#!/bin/sh\n[ "$1" = --version ] && exec %s "$@"\n%s%s\n' "$(command -v "mpirun.$1")" "$3" "$value $4" >"$dir/wrap/mpirun.$1"
        touch -d "2020-01-0$value" "$dir/wrap/mpirun.$1"
        (PATH=$dir/wrap:$PATH && sweep wrapped)
        is 0 $? "$1: started by a program of its launcher's name that says: $3$value ($(tail -1 "$dir/err"))"
        has "# given: $2=$value" "$(cat "$dir"/r/local/wrapped/samples/*.csv)" "which stands in the samples"
        cat "$dir"/r/local/wrapped/samples/*.csv | grep '^# digest' | sort -u >>"$dir/digests.$1"
    done
    is 2 "$(sort -u "$dir/digests.$1" | wc -l)" "each is an environment of its own"
    rm "$dir/wrap/mpirun.$1"
}
mkdir -p "$dir/wrap"
ln -s mpirun.openmpi "$dir/wrap/mpirun"
if have mpirun.mpich; then
    printf 'x' >"$dir/wrap/mpirun.mpich" && chmod +x "$dir/wrap/mpirun.mpich"
    tuned mpich UCX_RNDV_THRESH UCX_RNDV_THRESH= "exec $(command -v mpirun.mpich) \"\$@\""
    wrapped mpich "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial exec $(command -v mpirun.mpich) \"\$@\"" "MPIR_CVAR_BCAST_INTRA_ALGORITHM=binomial is in the environment of the ranks: it selects "
    if have strace && strace -f -o "$dir/trace" true 2>/dev/null; then
        wrapped mpich "exec strace -f -o $dir/trace -e trace=none $(command -v mpirun.mpich) \"\$@\"" "process "
        says "('strace') traces the ranks, which slows them" "by name"
    else
        skip "no strace here" "ranks that are traced"
    fi
fi
if have mpirun.openmpi; then
    printf 'x' >"$dir/wrap/mpirun.openmpi" && chmod +x "$dir/wrap/mpirun.openmpi"
    tuned openmpi OMPI_MCA_btl_tcp_links "exec $(command -v mpirun.openmpi) --mca btl_tcp_links " '"$@"'
    wrapped openmpi "exec $(command -v mpirun.openmpi) --mca coll_tuned_bcast_algorithm 6 \"\$@\"" "OMPI_MCA_coll_tuned_bcast_algorithm=6 is in the environment of the ranks"
fi

# Shared memory that is nearly full: Open MPI would go over TCP, and say so in its log alone.
sed 's/^name = .*/name = full/; s/^mpi = wrapped/mpi = openmpi/; s/LIBRARY/openmpi/' "$dir/wrapped.in" >"$dir/full.ini"
if have mpirun.openmpi && unshare -m mount -t tmpfs -o size=4m tmpfs /dev/shm 2>/dev/null; then
    export -f sweep
    export dir collsel BUILD
    for size in size=4m size=64m nr_inodes=5; do
        rm -rf "$dir/r/local/full"
        # shellcheck disable=SC2016
        unshare -m bash -c 'mount -t tmpfs -o "$1" tmpfs /dev/shm && sweep full' sh $size
        status=$? said=$(cat "$dir"/r/local/full/events.jsonl)
        case $size in
        size=4m) is 1 $status "openmpi: 4 MiB of shared memory" && has " MiB left (want at least 8.1 for shared memory" "$said" "is too little for two ranks, and said" ;;
        nr_inodes=5) is 1 $status "openmpi: room for four files" && has " more (want at least 6 for shared memory" "$said" "are too few, and said" ;;
        *) is 0 $status "openmpi: 64 MiB of shared memory are enough" ;;
        esac
    done
    rm -rf "$dir/r/local/full"
    # shellcheck disable=SC2016
    OMPI_MCA_btl_vader_backing_directory=$dir unshare -m bash -c 'mount -t tmpfs -o size=1m tmpfs /dev/shm && sweep full'
    is 0 $? "which a site may name"
else
    skip "no Open MPI, or no namespace for mounts" "shared memory that is nearly full"
fi

if have mpirun.mpich; then
    one mpich
    clean mpich
    ok $? "mpich: clean, a launch is measured, our own library is preloaded"
    MPICH_BCAST_INTRA_ALGORITHM=binomial clean mpich
    refused "MPICH_BCAST_INTRA_ALGORITHM=binomial is in the environment of the ranks: it selects" "mpich: a variable"
    PRELOAD=$(fake mpich swap) clean mpich
    refused "LD_PRELOAD=" "mpich: a library before the others"
    PRELOAD=$(fake mpich hiddencall) clean mpich
    refused "MPI_Bcast is that of '$dir/fakes/mpich/hiddencall.so', not of libmpich.so" "mpich: one that hides its tracks"
else
    skip "no mpirun.mpich here" "MPICH"
fi
tap_done
