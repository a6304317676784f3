#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Under valgrind libcollsel loses no memory, and reads and writes none that is not its own: what the MPI library does there is not
# ours, so only reports count whose memory was asked for, or whose access was made, by a line of libcollsel.
long=${COLLSEL_LONG:-}
. tests/libcollsel/lib.sh
have valgrind || skip_all "valgrind is not installed"

# ours FILE...: reports of valgrind whose first frame, behind those of malloc and its like, is in libcollsel. Memory that is still
# reachable at the end is not lost.
ours() {
    sed -E 's/^==[0-9]+== ?//' "$@" | awk '
        function judge() { if (about && first ~ /libcollsel-(openmpi|mpich)\.so|workloads\/libcollsel|\((life|turn|seen|library|star|place|staged|prepared|forced|force_[a-z]+|profile|summary|table|model|choice|repository|settings|wrappers|memory|array|execute)\.c:/) print about; about = first = "" }
        /^$/ { judge(); next }
        /^   (at|by) / { if (first == "" && $0 !~ /vg_replace_malloc|vgpreload|\(memory\.c:|\(array\.c:/) first = $0; next }
        /definitely lost|indirectly lost|possibly lost|Invalid (read|write|free)|depends on uninitialised|[Uu]ninitialised (value|byte)/ { judge(); about = $0 }
        END { judge() }'
}

try() {
    local mpi=$1
    if ! build_app "$mpi"; then
        skip "no mpicc.$mpi here, or no library" "valgrind on $mpi"
        return
    fi
    for options in "--mode trace" "--mode star" "--table tests/libcollsel/table.csv"; do
        rm -f "$dir"/vg.*
        launch "$mpi" 2 valgrind -q --leak-check=full --show-leak-kinds=definite,indirect,possible --num-callers=20 --trace-children=yes --log-file="$dir/vg.%p" "$dir/app-$mpi" "${@:2}"
        # shellcheck disable=SC2086 # words
        timeout $patience "$collsel" run $options -- "${line[@]}" >"$dir/out" 2>"$dir/err"
        is 0 $? "$mpi, $options: the application ends well under valgrind"
        holds "$(find "$dir" -name 'vg.*' | wc -l) >= 2" "... which watched both ranks"
        is "" "$(ours "$dir"/vg.* | sort | uniq -c)" "... and nothing of ours is lost or misread"
    done
}
try openmpi all
[ -z "$long" ] || { try openmpi often 200; try mpich all; }
# Lost memory of ours is seen.
printf '==1== 8 bytes in 1 blocks are definitely lost in loss record 1 of 2\n==1==    at 0x1: malloc (vg_replace_malloc.c:381)\n==1==    by 0x2: memory_zeros (memory.c:9)\n==1==    by 0x3: seen_row (seen.c:20)\n==1== \n' >"$dir/lost"
is 1 "$(ours "$dir/lost" | wc -l)" "a report of ours is told from others"
sed -i 's/seen_row (seen.c:20)/opal_init (in libopen-pal.so)/' "$dir/lost"
is 0 "$(ours "$dir/lost" | wc -l)" "... which are not counted"
tap_done
