# SPDX-License-Identifier: BSD-3-Clause
# lib.sh - for shell tests that run programs under MPI: launchers, points files, outcomes. Sourced.
. tests/tap.sh
. tests/ranks.sh
BUILD=$build

# In a build with sanitizers: the MPI libraries leak, and other libraries are preloaded before ASan's.
export ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0

# remark TEXT...: lines of comment.
remark() { printf '%s\n' "$*" | sed 's/^/# /'; }

# fake MPI NAME: a library to preload, below no path with a blank, where LD_PRELOAD would split it.
fake() {
    mkdir -p "$dir/fakes/$1"
    ln -sfn "$(realpath "$BUILD/$1/tests/$2.so")" "$dir/fakes/$1/$2.so"
    echo "$dir/fakes/$1/$2.so"
}

have() { command -v "$1" >/dev/null 2>&1; }

# have_smpi: smpirun is here and the build can run in it (it is loaded too late for ASan).
have_smpi() { have smpirun && ! nm -D "$BUILD/smpi/measure" 2>/dev/null | grep -q __asan_init; }

as_root() { [ "$(id -u)" = 0 ] && echo --allow-run-as-root; }

# A run that hangs must end, but no run that is slow: sixteen ranks on two busy cores take minutes.
patience=${PATIENCE:-3600}

# under_openmpi RANKS COMMAND...: oversubscribed ranks sleep while they wait (tests/fake/nap_*.c). PRELOAD: a
# library to preload into the ranks, too.
under_openmpi() {
    local n=$1; shift
    timeout $patience mpirun.openmpi $(as_root) --oversubscribe --mca mpi_yield_when_idle 1 -n "$n" \
        env LD_PRELOAD="$naps/openmpi/nap.so${PRELOAD:+:$PRELOAD}" "$@"
}

# Other tests make network devices that go again: over the loopback.
under_mpich() {
    local n=$1; shift
    timeout $patience mpirun.mpich -n "$n" \
        env UCX_NET_DEVICES=lo LD_PRELOAD="$naps/mpich/nap.so${PRELOAD:+:$PRELOAD}" "$@"
}

# under_smpi RANKS COMMAND...: on a cluster of single-core hosts, written to $dir.
under_smpi() {
    local n=$1; shift
    cat >"$dir/platform.xml" <<XML
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="n" suffix="" radical="0-$((n - 1))" speed="1Gf" bw="3.125GBps" lat="5us"/>
</platform>
XML
    seq 0 $((n - 1)) | sed 's/^/n/' >"$dir/hosts"
    timeout $patience smpirun -platform "$dir/platform.xml" -hostfile "$dir/hosts" -np "$n" \
        --cfg=smpi/simulate-computation:no --cfg=smpi/wtime:0 --log=root.thres:warning "$@"
}

# mpich_reader: whose files the MPICH that is installed here loads ("mpich-4.0"); "" where nobody here has read that release.
mpich_reader() {
    local reader
    reader=$(mpichversion 2>/dev/null | sed -n 's/^MPICH Version:[^0-9]*\([0-9]*\.[0-9]*\).*/mpich-\1/p')
    "$collsel" rules /dev/null --library "$reader" 2>/dev/null | grep -q 'by mpich' && echo "$reader"
}

# counts_messages: can what this MPICH sends be counted? It is counted as it goes into UCX; a build with ch4:ofi sends nothing there.
counts_messages() { mpichversion | grep -q 'Device:.*ch4:ucx'; }

# by_messages: what proves an algorithm of MPICH, a pattern: its messages; where they cannot be counted, its variables.
by_messages() { if counts_messages; then echo counted; else echo '(canary\+)?readback'; fi; }

# openmpi_reader: the same of Open MPI.
openmpi_reader() {
    case $(mpirun.openmpi --version 2>&1) in
    *' 5.0.'[0-6]*) echo openmpi-5.0.0 ;;
    *' 5.0.'*) echo openmpi-5 ;;
    *' 6.0.'*) echo openmpi-6 ;;
    *) echo openmpi-4.1 ;;
    esac
}

# sees_nodes: does MPICH know that ranks share this node? Debian's 5.0.2 does not, under its own launcher.
sees_nodes() {
    [ -x "$dir/nodes" ] || env -u OMPI_CC -u MPICH_CC mpicc.mpich -x c -o "$dir/nodes" - <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Comm node;
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &size);
    MPI_Finalize();
    return size > 1 ? 0 : 1;
}
END
    under_mpich 2 "$dir/nodes"
}

# fold PREFIX: passes another program's TAP through as claims of ours.
fold() {
    while read -r line; do
        case $line in
        "ok "*) ok 0 "$1: ${line#ok * - }" ;;
        "not ok "*) ok 1 "$1: ${line#not ok * - }" ;;
        "#"*) echo "$line" ;;
        esac
    done
}

# points MPI NODES PPN (of COLLECTIVE, else of broadcasts; BUFFERS=rotated: with other buffers in each call): turns lines "experiment procs root bytes algorithm segment fanout gather [channel]" into a
# points file, ids and all (FNV-1a of the content, as point_identify).
points() {
    perl -se '
        use integer;
        print "point,experiment,purpose,collective,mpi,mapping,nodes,ppn,procs,root,bytes,algorithm,",
              "segment_bytes,fanout,gather_bytes,channel,buffers\n";
        while (<STDIN>) {
            my ($e, $p, $r, $b, $a, $s, $f, $g, $ch) = split or next;
            my $of = $e eq "fanin" ? "reduce" : $collective;
            my $on = defined $ch ? $ch : "";
            my $h = -3750763034362895579;
            for my $c (unpack "C*", "$e|$of|$mpi|core|$nodes|$ppn|$p|$r|$b|$a|$s|$f|$g" . ($on ? "|$on" : "") . ($buffers ? "|$buffers" : "")) {
                $h ^= $c;
                $h *= 0x100000001b3;
            }
            printf "%016x,%s\n", $h, "$e,study,$of,$mpi,core,$nodes,$ppn,$p,$r,$b,$a,$s,$f,$g,$on,$buffers";
        }' -- -mpi="$1" -nodes="$2" -ppn="$3" -collective="${COLLECTIVE:-bcast}" -buffers="${BUFFERS:-}"
}

# measure MPI RANKS NODES PPN ARGS...: measures $dir/points.csv into fresh files there; exit status.
measure() {
    local mpi=$1 ranks=$2 nodes=$3 ppn=$4; shift 4
    rm -f "$dir"/samples.csv "$dir"/outcomes.csv "$dir"/placement.csv
    "under_$mpi" "$ranks" "$BUILD/$mpi/measure" --points "$dir/points.csv" --samples "$dir/samples.csv" \
        --outcomes "$dir/outcomes.csv" --placement "$dir/placement.csv" --digest 01234567 \
        --mapping core --nodes "$nodes" --ppn "$ppn" "$@" >"$dir/out" 2>"$dir/err"
}

# outcome N: the N-th point's outcome row without its id.
outcome() { sed -n "$(($1 + 1))p" "$dir/outcomes.csv" | cut -d, -f2-; }

# expect N PATTERN TEXT: the N-th point's outcome row holds the extended regular expression.
expect() {
    if outcome "$1" | grep -qE "$2"; then ok 0 "$3"; return; fi
    ok 1 "$3"
    remark "wanted: $2" "seen: $(outcome "$1")"
}

# planted MPI LIBRARY FILE FIRST LAST SIZES: of candidates, lines "COLLECTIVE NAME..." on stdin, another one is the fastest in each cell of FIRST to
# LAST processes and these sizes: 10 us, where the default takes 15 and all others 20. Imported, fitted, exported to FILE for LIBRARY, and linted.
# $dir/meant: "COLLECTIVE P BYTES NAME", sorted.
planted() {
    awk -v OFS=, -v first="$4" -v last="$5" -v list="$6" '
        BEGIN { m = split(list, sizes); print "collective,P,alg,bytes,us" }
        {
            for (p = first; p <= last; p++)
                for (i = 1; i <= m; i++) {
                    best = 2 + (7 * i + 3 * p + length($1)) % (NF - 1)
                    print $1, p, "default", sizes[i], 15
                    for (k = 2; k <= NF; k++)
                        print $1, p, $k, sizes[i], k == best ? 10 : 20
                }
        }' >"$dir/planted.csv"
    awk -F, '$5 == 10 { print $1, $2, $4, $3 }' "$dir/planted.csv" | sort >"$dir/meant"
    {
        "$collsel" import -q -c peak --name planted --results "$dir/results" --format csv --mpi "$1" --set "mapping=${MAPPING:-core}" \
            --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/planted.csv" &&
            "$collsel" fit -q -c peak --results "$dir/results" --dataset planted
    } >"$dir/out" 2>&1
    ok $? "planted times"
    "$collsel" export -q -c peak --results "$dir/results" --dataset planted --library "$2" --unsure --output "$3" >"$dir/out" 2>"$dir/err"
    ok $? "a file is written ($(cat "$dir/err"))"
    "$collsel" rules "$3" --library "$2" >"$dir/lint"
    ok $? "in which nothing is an error"
    is 0 "$(grep -c ' warning: ' "$dir/lint")" "nor a warning"
}
