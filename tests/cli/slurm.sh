# shellcheck shell=sh disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# slurm.sh - for tests of jobs that are queued, sourced after run.sh: a made-up cluster, and programs that plant its times.

# slurm_cluster NODES SOCKETS CORES [LINE...]: the file of a cluster "two", with further lines of [cluster] and what follows it.
slurm_cluster() {
    printf '[cluster]\nname = two\nnodes = %s\nsockets = %s\ncores = %s\ncpu = none\n' "$1" "$2" "$3"
    shift 3
    [ $# = 0 ] || printf '%s\n' "$@"
    printf '[slurm]\npartition = two\nlauncher = mpirun\n'
}

# slurm_build LIBRARY...: $dir/build, where each library's measuring program is the one that plants.
slurm_build() {
    for mpi in "$@"; do
        mkdir -p "$dir/build/$mpi"
        ln -s "$(readlink -f "$build/null/measure")" "$dir/build/$mpi/measure"
    done
}
