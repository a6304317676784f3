#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2154
# Trees of conditions as the MPICH that is installed reads them: random ones, loaded by the library as it starts, run in each cell what collsel rules
# says. What runs is told by its messages; where two algorithms send the same ones, nothing is. COLLSEL_LONG: many trees.
. tests/workloads/lib.sh
have mpirun.mpich || skip_all "no mpirun.mpich here"
reader=$(mpich_reader)
[ -n "$reader" ] || skip_all "no MPICH here of a release whose files are known"

# tree SEED: a complete file. Algorithms that any number of ranks can run, below conditions on ranks and sizes.
tree() {
    perl -se '
        srand $seed;
        my ($release) = $reader =~ /([\d.]+)/;
        my %can = (bcast => "binomial scatter_recursive_doubling_allgather scatter_ring_allgather", allgather => "brucks ring",
            allgatherv => "brucks ring", allreduce => "recursive_doubling reduce_scatter_allgather", reduce => "binomial reduce_scatter_gather",
            alltoall => "brucks pairwise scattered", reduce_scatter => "pairwise recursive_halving recursive_doubling",
            reduce_scatter_block => "pairwise recursive_halving recursive_doubling", gather => "binomial", scatter => "binomial",
            scan => "recursive_doubling", exscan => "recursive_doubling", barrier => "dissemination", alltoallv => "scattered", alltoallw => "scattered");
        my %inter = (bcast => "remote_send_local_bcast", allgather => "local_gather_remote_bcast", allgatherv => "remote_gather_local_bcast",
            allreduce => "reduce_exchange_bcast", reduce => "local_reduce_remote_send", alltoall => "pairwise_exchange",
            reduce_scatter => "remote_reduce_local_scatter", reduce_scatter_block => "remote_reduce_local_scatter", gather => "linear",
            scatter => "linear", barrier => "bcast", alltoallv => "pairwise_exchange", alltoallw => "pairwise_exchange");
        my %only = (gatherv => "allcomm_linear", scatterv => "allcomm_linear", ibarrier => "intra_sched_recursive_doubling",
            iallreduce => "intra_sched_recursive_doubling", iallgather => "intra_sched_ring", iallgatherv => "intra_sched_ring",
            ibcast => "intra_sched_binomial", ireduce => "intra_sched_binomial", ireduce_scatter => "intra_sched_recursive_doubling",
            ireduce_scatter_block => "intra_sched_recursive_doubling", igather => "intra_sched_binomial", iscatter => "intra_sched_binomial",
            igatherv => "allcomm_sched_linear", iscatterv => "allcomm_sched_linear", iexscan => "intra_sched_recursive_doubling",
            iscan => "intra_sched_recursive_doubling", ialltoall => "intra_sched_pairwise", ialltoallv => "intra_sched_blocked",
            ialltoallw => "intra_sched_blocked", map { ("neighbor_$_" => "allcomm_nb", "ineighbor_$_" => "allcomm_sched_linear") }
                qw(allgather allgatherv alltoall alltoallv alltoallw));
        my %size = (bcast => "avg_msg_size", allreduce => "count", reduce => "avg_msg_size", alltoall => "avg_msg_size");
        my %sized = map { $_ => 1 } qw(bcast allreduce reduce alltoall allgather allgatherv reduce_scatter reduce_scatter_block);
        my %tell = (k_dissemination => "k=2", recexch => "k=2 single_phase_recv=0", k_reduce_scatter_allgather => "k=2 single_phase_recv=0",
            recexch_doubling => "k=2 single_phase_recv=0", recexch_halving => "k=2 single_phase_recv=0", k_brucks => "k=3");
        if ($release >= 4.1) {
            $can{barrier} = "k_dissemination";
            $can{allreduce} .= " recexch ring";
            $can{allgather} .= " k_brucks";
            $can{alltoall} .= " k_brucks";
        }
        $can{allgather} .= " recexch_doubling recexch_halving" if $release >= 4.2;
        sub leaf {
            my ($c, $a) = @_;
            my ($name) = $a =~ /^intra_(.*)/;
            my $told = join ", ", map { "\"$_\": {}" } split " ", $tell{$name // ""} // "";
            return "{ \"algorithm=MPIR_\u${c}_$a\": { $told } }";
        }
        sub any { my @a = split " ", $can{$_[0]}; return leaf $_[0], "intra_" . $a[rand @a] }
        sub chain {
            my $c = shift;
            return any $c if !$sized{$c} || rand() < 0.2;
            my $kind = $size{$c} && rand() < 0.5 ? $size{$c} : "total_msg_size";
            my ($at, $text) = (0, "");
            for (1 .. 1 + rand 3) {
                $at += 1 + int rand $at * 8 + 300;
                $text .= sprintf "\"%s%s%d\": %s,\n", $kind, rand() < 0.5 || $kind eq "count" ? "<=" : "<", $at, any $c;
            }
            return "{ $text\"$kind=any\": " . any($c) . " }";
        }
        sub sizes { # few elements want an algorithm that takes few
            my $c = shift;
            my $safe = $c eq "allreduce" ? "recursive_doubling" : $c eq "reduce" ? "binomial" : return chain($c);
            my $rest = chain($c);
            $rest = "{ \"count=any\": $rest }" if $rest =~ /^\{ "algorithm/;
            return "{ \"count<pow2\": " . leaf($c, "intra_$safe") . ",\n" . substr($rest, 2);
        }
        sub ranks {
            my $c = shift;
            my $at = 2 + int rand 3;
            my $way = rand;
            return sizes $c if $way < 0.3;
            return "{ \"comm_size=pow2\": " . sizes($c) . ",\n\"comm_size=any\": " . sizes($c) . " }" if $way < 0.6;
            return "{ \"comm_size<" . ($way < 0.8 ? "=" : " ") . "$at\": " . sizes($c) . ",\n\"comm_size=any\": " . sizes($c) . " }";
        }
        my @all = map { "\"collective=$_\": { \"comm_type=intra\": " . ranks($_) . ",\n\"comm_type=inter\": " .
            leaf($_, $inter{$_} ? "inter_$inter{$_}" : "intra_recursive_doubling") . " }" } sort keys %can;
        push @all, map { "\"collective=$_\": " . leaf $_, $only{$_} } sort keys %only;
        my $text = "{\n" . join(",\n", @all) . "\n}\n";
        $text .= " " if length($text) % 4096 == 0;
        print $text;
    ' -- -seed="$1" -reader="$reader"
}

cells() {
    for c in allgather allgatherv allreduce alltoall bcast reduce reduce_scatter reduce_scatter_block; do
        for p in 3 4 5; do
            for b in 16 400 16000; do
                echo "time $p 0 $b mpich:default 0 0 0" | COLLECTIVE=$c points mpich 1 5 | sed 1d
            done
        done
    done
}
{
    echo | points mpich 1 5
    cells
} >"$dir/points.csv"

wrong=0 told=0 files=0
for ((seed = 1; seed <= ${COLLSEL_LONG:+30} + 3; seed++)); do
    tree "$seed" >"$dir/tree.json"
    "$collsel" rules "$dir/tree.json" --library "$reader" >"$dir/lint" || { wrong=$((wrong + 1)); sed 's/^/# /' "$dir/lint"; continue; }
    export MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$dir/tree.json
    measure mpich 5 1 5 --min-reps 3 --max-reps 3 --budget 0.005 || { wrong=$((wrong + 1)); tail -3 "$dir/err" | sed "s/^/# tree $seed: /"; continue; }
    unset MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE
    files=$((files + 1))
    # collective, ranks, bytes, and what ran where that can be told; the same as it is said
    paste -d, <(sed 1d "$dir/points.csv") <(sed 1d "$dir/outcomes.csv") |
        awk -F, '$22 ~ /^mpich:/ && $22 != "mpich:default" { sub("mpich:", "", $22); print $4, "P = " $9 ", " $11 " B: " $22 }' | sort >"$dir/ran"
    for c in $(cut -d' ' -f1 "$dir/ran" | sort -u); do
        "$collsel" rules "$dir/tree.json" --library "$reader" --collective "$c" -p 3,4,5 -m 16,400,16000
    done | grep -v '^ ' | sort >"$dir/said"
    # of algorithms with a radix messages do not tell: others send the same
    grep -E ' (recexch|ring|k_brucks|recexch_doubling|recexch_halving)(, .*)?$' "$dir/said" | grep -vE '^(allgather|allgatherv) .* ring$' |
        sed 's/: [a-z_]*\(, .*\)\{0,1\}$/: /' >"$dir/radix"
    grep -vFf "$dir/radix" "$dir/ran" >"$dir/told"
    mv "$dir/told" "$dir/ran"
    comm -23 "$dir/ran" "$dir/said" | sed "s/^/# tree $seed ran: /" | tee "$dir/differ"
    told=$((told + $(wc -l <"$dir/ran")))
    wrong=$((wrong + $(wc -l <"$dir/differ")))
done
holds "$files >= 3" "$files random trees are loaded"
if counts_messages; then holds "$told > 30 * $files" "in $told cells the messages tell what ran"; else skip "the messages of this MPICH cannot be counted" "what ran"; fi
is 0 $wrong "which is what the reader says"

# ---- levels: the variables that name a tree, and which of these files the library opens ----

mpicc.mpich -x c -o "$dir/variables" - <<'END'
#include <mpi.h>
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    int n, thread;
    MPI_Init(&argc, &argv);
    MPI_T_init_thread(MPI_THREAD_SINGLE, &thread);
    MPI_T_cvar_get_num(&n);
    for (int i = 0; i < n; i++) {
        char name[256], text[4096];
        int len = sizeof name, text_len = sizeof text, verbosity, bind, scope;
        MPI_Datatype type;
        MPI_T_enum words;
        if (MPI_T_cvar_get_info(i, name, &len, &verbosity, &type, &words, text, &text_len, &bind, &scope) == MPI_SUCCESS && strstr(name, "JSON_FILE"))
            puts(name);
    }
    MPI_T_finalize();
    MPI_Finalize();
    return 0;
}
END
cp "$dir/tree.json" "$dir/MPIR.json"
echo '{ "collective=bcast": { "composition=MPIDI_Bcast_intra_composition_gamma": {} } }' >"$dir/CH4.json"
echo '{ "collective=bcast": { "is_multi_threaded=no": { "algorithm=MPIDI_POSIX_mpi_bcast_release_gather": {} } } }' >"$dir/POSIX.json"
starts() { env "$@" timeout 60 mpirun.mpich -n 1 "$dir/variables" >"$dir/out" 2>&1 </dev/null; } # SETTING...
for level in MPIR CH4 POSIX; do "$collsel" rules "$dir/$level.json" --library "$reader"; done | grep -o 'MPIR_CVAR_[A-Z0-9_]*JSON_FILE\(_GPU\)\{0,1\}' | sort -u >"$dir/named"
starts A=
is "$(cat "$dir/named")" "$(grep '^MPIR' "$dir/out" | sort -u)" "the library has the variables of trees that the reader names, and no other"
# A build that leaves a node's memory to UCX has no level POSIX: nobody opens its file.
opened=$(grep -vc POSIX "$dir/named")
counts_messages || opened=$(wc -l <"$dir/named")
[ "$reader" != mpich-4.0 ] || opened=2 # it opens CH4's in its place
n=0
while read -r variable; do
    starts "$variable=$dir/not-there" || n=$((n + 1))
    level=MPIR
    [ -n "${variable##*_CH4_*}" ] || level=CH4
    [ -n "${variable##*_POSIX_*}" ] || level=POSIX
    starts "$variable=$dir/$level.json" MPIR_CVAR_DEBUG_SUMMARY=1
    is 0 $? "$variable: a program starts with a tree of its level"
    [ "$reader" != mpich-5.0 ] || [ -z "${variable##*_GPU}" ] || [ $level = POSIX ] || has ": $dir/$level.json" "$(grep '^MPI[RD]' "$dir/out")" "and says that it took it"
done <"$dir/named"
is "$opened" "$n" "without a file none does, of variables whose level is there"
starts MPIR_CVAR_CH4_OFI_COLL_SELECTION_TUNING_JSON_FILE="$dir/not-there"
is 0 $? "the one that descriptions name for OFI is none: nothing reads it"

# ---- leaves that cannot serve a communicator: the library's own tree has none, and one that is put in ends or falsifies calls ----

library=$(ldd "$BUILD/mpich/measure" | sed -n 's/.*libmpi[^ ]* => \([^ ]*\).*/\1/p' | head -1)
strings -n 5000 "$library" | grep -F '"collective=neighbor_allgather"' | head -1 >"$dir/own.json"
sed 's/"collective=gather"/"collective=gathers"/' "$dir/own.json" >"$dir/bad.json"
has ' is no collective=... of MPICH' "$("$collsel" rules "$dir/bad.json" --library "$reader")" "the reader finds a collective of another name"
starts MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$dir/bad.json"
holds "$? != 0" "which ends a program as it starts"
tried() { env MPIR_CVAR_DEVICE_COLLECTIVES=none MPIR_CVAR_NUM_CLIQUES=2 MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$1" timeout 120 mpirun.mpich -n 4 "$BUILD/mpich/measure" --try 2>&1 </dev/null | grep -c '^tried'; }
is 0 "$("$collsel" rules "$dir/own.json" --library "$reader" | grep -c ': error: ')" "the library's own tree has no error"
is 1 "$(tried "$dir/own.json")" "with it as a file every call is right, on what the library takes for two nodes"
strings -a "$library" | grep -E '^algorithm=MPIR_[A-Z]' | sort -u >"$dir/known"
n=0
while read -r leaf; do
    echo "{ \"collective=bcast\": { \"$leaf\": {} } }" >"$dir/one.json"
    "$collsel" rules "$dir/one.json" --library "$reader" | grep -q ": loaded by $reader" && n=$((n + 1))
done <"$dir/known"
is "$(wc -l <"$dir/known")" $n "each of the leaves that the library knows is one for the reader"
for leaf in MPIR_Bogus MPIR_Bcast_intra_foo MPIR_Ibcast_intra_foo MPIR_Gather_intra_linear; do
    sed "s/algorithm=MPIR_Reduce_intra_smp\"/algorithm=$leaf\"/" "$dir/own.json" >"$dir/bad.json"
    has "not used by $reader" "$("$collsel" rules "$dir/bad.json" --library "$reader")" "$leaf is none for the reader"
    starts MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$dir/bad.json"
    holds "$? != 0" "and ends a program as it starts"
done
while read -r collective from to; do
    sed "s/MPIR_${collective}_intra_$from\"/MPIR_${collective}_intra_$to\"/g" "$dir/own.json" >"$dir/bad.json"
    is 1 "$("$collsel" rules "$dir/bad.json" --library "$reader" | grep -c "error: $to among .*\[serves\]")" "$to in each $collective's place: the reader finds it"
    is 0 "$(tried "$dir/bad.json")" "and calls are wrong, or end the program"
done <<END
Allgather ring recursive_doubling
Allreduce recursive_doubling smp
Reduce binomial smp
END

# The library's own trees with one word changed: a program starts with one where the reader says that it is loaded. COLLSEL_LONG: many.
words="comm_size<=4 comm_size<4 comm_size=4 comm_size=pow2 comm_size=any avg_msg_size<=9 avg_msg_size=any total_msg_size<7 total_msg_size=any count<9 count<=8 count<pow2 count=any \
    any comm_avg_ppn<=2 comm_avg_ppn<2 comm_avg_ppn=any comm_hierarchy=parent comm_hierarchy=flat comm_hierarchy=any comm_type=intra comm_type=any is_commutative=yes is_commutative=maybe \
    is_op_built_in=no is_sendbuf_inplace=no is_node_consecutive=yes is_multi_threaded=no collective=bcast collective=none algorithm=MPIR_Bogus algorithm=MPIR_Bcast_intra_binomial \
    algorithm=MPIR_Gather_inter_linear composition=MPIDI_Bcast_intra_composition_alpha composition=MPIDI_Gather_intra_composition_beta"
changed() { # SEED FILE
    perl -0 -se 'srand $seed; $_ = <STDIN>; my $n = () = /"[^"]+":/g; my $at = int rand $n;
        s{"([a-z]+)[^"]*":}{ my $is = $&; my $k = $1; $k = "" if $k !~ /^(algorithm|composition|collective)$/;
            my @w = grep { (rand() < 0.2 && $k ne "collective") || ($k ? /^$k/ : !/^(al|compos|coll)/) } split " ", $words; $at-- == 0 ? "\"$w[rand @w]\":" : $is }ge;
        $_ .= " " if length() % 4096 == 0; print' -- -seed="$1" -words="$words" <"$2"
}
strings -n 500 "$library" | grep -F '"composition=MPIDI' | head -1 >"$dir/device.json"
wrong=0 loaded=0 all=0
for ((seed = 1; seed <= ${COLLSEL_LONG:+140} + 10; seed++)); do
    for variable in $(grep -v POSIX "$dir/named"); do
        tree=own
        [ -n "${variable##*_CH4_*}" ] || tree=device
        changed $seed "$dir/$tree.json" >"$dir/changed.json"
        "$collsel" rules "$dir/changed.json" --library "$reader" | grep -q ": loaded by"
        said=$?
        starts "$variable=$dir/changed.json"
        [ $(($? != 0)) = $said ] || { wrong=$((wrong + 1)); remark "$variable, seed $seed"; }
        loaded=$((loaded + 1 - said)) all=$((all + 1))
    done
done
holds "$loaded > $all / 8 && $loaded < $all" "$loaded of $all changed trees are loaded"
is 0 $wrong "as the reader says"
tap_done
