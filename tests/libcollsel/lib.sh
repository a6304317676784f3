# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - for tests of libcollsel: an application under either MPI. Sourced. Sets $top, this tree by a path
# without a blank: LD_PRELOAD splits there.
. tests/workloads/lib.sh
unset COLLSEL_LONG # the library refuses variables that it does not know
ln -s "$PWD" "$dir/top"
top=$dir/top
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

# build_app MPI: $dir/app-MPI; fails where there is no such MPI or the library was not built.
build_app() {
    have "mpicc.$1" && [ -f "$BUILD/$1/libcollsel-$1.so" ] &&
        env -u OMPI_CC -u MPICH_CC "mpicc.$1" -g -pthread -o "$dir/app-$1" tests/libcollsel/app.c
}

# app MPI RANKS WHAT...: without the library, into $dir/out and $dir/err.
app() {
    local mpi=$1 n=$2; shift 2
    "under_$mpi" "$n" "$dir/app-$mpi" "$@" >"$dir/out" 2>"$dir/err"
}

# launch MPI RANKS COMMAND...: the command line of one, in the array line. OUT: the ranks add their output to this file themselves: the
# launcher of Open MPI 5 puts the beginning of a line of their errors before a line of their output (OpenPMIx, issue 3858), and MPICH's
# loses the output of ranks that end at once. MPI_Init of MPICH fails where it finds another test's network device that goes just then: it gets the loopback.
launch() {
    local mpi=$1 n=$2 output; shift 2
    # shellcheck disable=SC2016 # of the inner shell
    output=(${OUT:+sh -c 'exec "$@" >>"$0"' "$OUT"})
    case $mpi in
    openmpi) line=(mpirun.openmpi --oversubscribe --mca mpi_yield_when_idle 1 -n "$n" "${output[@]}" "$@") ;;
    mpich) line=(mpirun.mpich -n "$n" env LD_PRELOAD="$top/$BUILD/mpich/yield.so" UCX_NET_DEVICES=lo "${output[@]}" "$@") ;;
    esac
}

# build_made MPI: $dir/made-MPI, which counts the communicators that libcollsel makes.
build_made() { env -u OMPI_CC -u MPICH_CC "mpicc.$1" -g -rdynamic -o "$dir/made-$1" tests/libcollsel/made.c -ldl; }

# job COMMAND...: runs it into $dir/out and $dir/err; again where MPICH's launcher ended by SIGPIPE, as it does where ranks end at once.
job() {
    local status
    for _ in 1 2 3; do
        timeout $patience "$@" >"$dir/out" 2>"$dir/err" && return
        status=$?
        [ $status = 141 ] || return $status
    done
    return $status
}

# through MPI RANKS OPTIONS -- WHAT...: with it, as `collsel run` does it.
through() {
    local mpi=$1 n=$2 options=(); shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    OUT=$dir/out launch "$mpi" "$n" "$dir/${program:-app}-$mpi" "$@"
    job "$collsel" run "${options[@]}" -- "${line[@]}"
}

# preloaded MPI RANKS VARIABLE=VALUE... -- WHAT...: with it, by its variables alone.
preloaded() {
    local mpi=$1 n=$2 variables=() preload; shift 2
    while [ "$1" != -- ]; do variables+=("$1"); shift; done
    shift
    preload="$top/$BUILD/$mpi/libcollsel-$mpi.so $naps/$mpi/nap.so"
    OUT=$dir/out launch "$mpi" "$n" env LD_PRELOAD="$preload" "${variables[@]}" "$dir/app-$mpi" "$@"
    job "${line[@]}"
}

# made MPI RANKS OPTIONS -- COMMUNICATORS CALLS: the same with that program.
made() { local program=made; through "$@"; }
