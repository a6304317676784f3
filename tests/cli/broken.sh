# shellcheck shell=sh disable=SC2034,SC2154
# SPDX-License-Identifier: BSD-3-Clause
# broken.sh - for tests of a disk that fails, sourced after run.sh: builds the library that makes calls fail.

# broken_ready: $dir/broken.so is there (tests/fake/broken_disk.c).
broken_ready() {
    # shellcheck disable=SC2086 # a compiler with its words
    ${CC:-gcc} -D_GNU_SOURCE -shared -fPIC -o "$dir/broken.so" tests/fake/broken_disk.c -ldl 2>"$dir/err"
}

# broken_run ERRNO K ARGUMENT...: collsel with a disk below $dir/b that fails at the k-th call that writes; sets
# $status, and $calls that were made.
broken_run() {
    head -c 8 /dev/zero >"$dir/count"
    b_errno=$1 b_at=$2
    shift 2
    BROKEN_UNDER=$dir/b BROKEN_COUNT=$dir/count BROKEN_AT=$b_at BROKEN_ERRNO=$b_errno LD_PRELOAD=$dir/broken.so \
        timeout 120 "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    calls=$(od -An -tu8 "$dir/count" | tr -d ' ')
}

# broken_read ERRNO PATH ARGUMENT...: collsel where PATH cannot be read; sets $status, and $calls that tried to.
broken_read() {
    head -c 8 /dev/zero >"$dir/count"
    b_errno=$1 b_path=$2
    shift 2
    BROKEN_READ=$b_path BROKEN_COUNT=$dir/count BROKEN_ERRNO=$b_errno LD_PRELOAD=$dir/broken.so \
        timeout 120 "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
    calls=$(od -An -tu8 "$dir/count" | tr -d ' ')
}

# broken_next K: the next call to try: every one with COLLSEL_LONG, else some.
broken_next() {
    if [ -n "${COLLSEL_LONG:-}" ]; then echo $(($1 + 1)); else echo $((3 * $1 + 1)); fi
}

# A Slurm that is made up, and Open MPI's measuring program that plants its times; clusters and studies below $dir.
broken_with_slurm() {
    export FAKE_SLURM="$dir/slurm"
    mkdir -p "$FAKE_SLURM" "$dir/clusters/studies" "$dir/build/openmpi"
    ln -s "$(readlink -f "$build/null/measure")" "$dir/build/openmpi/measure"
    PATH=$PWD/tests/fake/slurm:$PATH
}
