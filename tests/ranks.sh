# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# ranks.sh - for tests that start ranks and do not look at their times, sourced after tests/tap.sh: a rank that waits sleeps
# (tests/fake/nap_*.c). $naps/MPI/nap.so is what does it, below no path with a blank; where other programs start the ranks, launchers
# on PATH preload it. MPICH takes the loopback: other tests make network devices that go again, by which MPI_Init may fail.
naps=$dir/naps
for ranks_mpi in openmpi mpich; do
    [ -f "$build/$ranks_mpi/doze.so" ] && command -v mpirun.$ranks_mpi >/dev/null || continue
    mkdir -p "$naps/$ranks_mpi" "$naps/bin"
    ln -s "$(realpath "$build/$ranks_mpi/doze.so")" "$naps/$ranks_mpi/nap.so"
    {
        printf '#!/bin/bash\nnap=%s\n' "$naps/$ranks_mpi/nap.so"
        case $ranks_mpi in
        openmpi) echo 'export LD_PRELOAD=${LD_PRELOAD:+$LD_PRELOAD:}$nap' ;;
        mpich) echo 'export UCX_NET_DEVICES=${UCX_NET_DEVICES-lo}; for w; do shift; [[ ! $w =~ ^(.*[:=]|)[^:=]*/yield\.so(.*)$ ]] || w=${BASH_REMATCH[1]}$nap${BASH_REMATCH[2]}; set -- "$@" "$w"; done' ;;
        esac
        echo "exec $(command -v mpirun.$ranks_mpi) \"\$@\""
    } >"$naps/bin/mpirun.$ranks_mpi"
    chmod +x "$naps/bin/mpirun.$ranks_mpi"
done
PATH=$naps/bin:$PATH
export PATH
