#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# A disk that is full, or fails once, at the k-th call that writes, under every command that writes files but sweep, fit and
# select (attacks.t). Each time: status 0, or status 1 with the reason and a path; every file is as it was before, or as
# it is meant to be; no temporary file is left; and run again, all is there.
# COLLSEL_LONG=1: every call, and of each command both errors; else some of them, and one.
. tests/cli/run.sh
. tests/cli/broken.sh
. tests/cli/slurm.sh
broken_ready || skip_all "no library to preload: $(tail -1 "$dir/err")"
broken_with_slurm

# ---- what there is before ----
# COLUMNS OF A ROW: name of the files written; command. @: the directory of results.
sed 's/^budget = .*/budget = 5ms/; s/^procs = .*/procs = 2 4/; s/^bytes = .*/bytes = 8K 64K/; s/^gamma_procs = .*/gamma_procs = 2 3/; s/^repeats = .*/repeats = 1/; /^openmpi\|^mpich/d' \
    tests/cli/tiny.ini >"$dir/tiny.ini"
grep -q '^repeats' "$dir/tiny.ini" || sed -i 's/^\[measure\]/&\nrepeats = 1/' "$dir/tiny.ini"
sed 's/^collectives.*/&\nmpi = openmpi\nmappings = core/; s/^\[grid\]/&\nranks_per = core/' "$dir/tiny.ini" >"$dir/clusters/studies/tiny.ini"
slurm_cluster 4 1 4 "[network]" "link_rate = 1Gbps" >"$dir/clusters/two.ini"
printf 'collective,algorithm,procs,bytes,seconds\nbcast,binomial,4,8,1e-6\nbcast,chain,4,8,2e-6\nbcast,binomial,4,16,1e-6\nbcast,chain,4,16,2e-6\n' >"$dir/others.csv"
sed 's/,8,/,32,/' "$dir/others.csv" >"$dir/more.csv"
study="-c gros -s $dir/tiny.ini -b null"
import() { # import RESULTS FILE
    echo "import $2 -q --format csv --results $1 --name others --map collective=collective,bytes=bytes,max_s=seconds:s,algorithm=algorithm,procs=procs --set nodes=4,mapping=core --mpi openmpi --mpi-version 4.1.4 -c gros"
}
# shellcheck disable=SC2046,SC2086 # words
{
    "$collsel" sweep $study -q --results "$dir/base" && "$collsel" fit $study -q --results "$dir/base" &&
        "$collsel" select $study -q --results "$dir/base" && "$collsel" $(import "$dir/base" "$dir/others.csv") &&
        "$collsel" fit --dataset others -c gros -q --results "$dir/base" && "$collsel" report --as-is $study -q --results "$dir/base" &&
        "$collsel" train $study -q --results "$dir/base" --learner nearest --output "$dir/base/model.json"
} >"$dir/out" 2>"$dir/err"
ok $? "a study, a data set, a report and a model that are there before"
sed 's/^/# /' "$dir/err"

# arguments ROW: the words of the command that writes below $dir/b.
arguments() {
    case $1 in
    report) echo "report --as-is $study -q --results $dir/b" ;;
    import) import "$dir/b" "$dir/more.csv" ;; # over another
    import-new) import "$dir/b" "$dir/others.csv" | sed 's/--name others/--name fresh/' ;;
    submit) echo "submit --write-only --clusters $dir/clusters -c two -s tiny -q --build $dir/build --results $dir/b" ;;
    train) echo "train $study -q --results $dir/b --learner nearest --licence MIT --output $dir/b/model.json" ;;
    audit) echo "audit --dataset others -c gros --results $dir/b" ;;
    schedule) echo "schedule bcast chain -p 4 -m 8K --rounds -o $dir/b/rounds.csv" ;;
    esac
}

# seen DIRECTORY: what is in each file, but times, how often a command was run, and that the library was preloaded; of a PDF, in which the time is
# compressed, that it is whole.
seen() {
    (cd "$1" && find . -type f ! -name '*.lock' ! -name .lock ! -name events.jsonl | sort | perl -MDigest::MD5=md5_hex -e '
        while (my $path = <STDIN>) {
            my ($text, $last) = ("", "");
            chomp $path;
            open my $file, "<", $path or next;
            while (<$file>) {
                $last = $_;
                s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}Z/T/g;
                s/20[0-9]{2}-[0-9]{2}-[0-9]{2}[^<",\n]*/T/g;
                $text .= $_ unless /CreationDate|"commit":|"removed": \[\]/ || (/"runs": \[/ ... /^ *\]/) || (/"removed": \[$/ ... /\]/);
            }
            print $path =~ /\.pdf$/ ? $last eq "%%EOF\n" ? "$path\n" : "" : md5_hex($text) . " $path\n";
        }' | sort)
}

attack() { # attack ROW ERRNO WORDS
    local tries=0 bad=0 ended=0 k=1
    [ "$1${COLLSEL_LONG:-}" != report ] || k=13 # a report takes longest
    while :; do
        rm -rf "$dir/b" && cp -a "$dir/base" "$dir/b"
        # shellcheck disable=SC2046
        broken_run "$2" "$k" $(arguments "$1")
        [ "$calls" -ge "$k" ] || break
        tries=$((tries + 1)) ended=$((ended + (status == 1)))
        wrong=
        if [ $status = 1 ]; then
            grep -q "$3" "$dir/err" || wrong="does not say '$3'"
            grep -q "$dir/b" "$dir/err" || wrong="$wrong; names no path"
        elif [ $status != 0 ]; then
            wrong="status $status"
        fi
        [ -z "$wrong" ] || { bad=$((bad + 1)) && echo "# $1, call $k: $wrong: $(tail -1 "$dir/err")"; }
        left=$(find "$dir/b" -name '*.tmp' -o -name '.report-*' | head -3 | xargs)
        [ -z "$left" ] || { bad=$((bad + 1)) && echo "# $1, call $k: left behind: $left"; }
        seen "$dir/b" >"$dir/seen.b"
        odd=$(sort -u "$dir/seen.base" "$dir/seen.good" | comm -13 - "$dir/seen.b" | head -3)
        [ -z "$odd" ] || { bad=$((bad + 1)) && echo "# $1, call $k, status $status: neither as before nor as meant: $odd"; }
        case $1 in
        import) # rows beside the manifest of others
            rows=$(grep /others/imported.csv "$dir/seen.b") manifest=$(grep /others/manifest.json "$dir/seen.b")
            [ -z "$rows" ] || [ "$(grep -cxF -e "$rows" -e "$manifest" "$dir/seen.base")" != 1 ] ||
                { bad=$((bad + 1)) && echo "# $1, call $k: rows and manifest are of two imports"; }
            ;;
        esac
        [ $status = 1 ] || cmp -s "$dir/seen.b" "$dir/seen.good" || { bad=$((bad + 1)) && echo "# $1, call $k: status 0, but not all is written"; }
        # shellcheck disable=SC2046
        "$collsel" $(arguments "$1") >"$dir/out" 2>"$dir/err" || { bad=$((bad + 1)) && echo "# $1, call $k: again: $(tail -1 "$dir/err")"; }
        seen "$dir/b" | cmp -s - "$dir/seen.good" || { bad=$((bad + 1)) && echo "# $1, call $k: again: other files: $(seen "$dir/b" | comm -13 "$dir/seen.good" - | xargs)"; }
        k=$(broken_next "$k")
    done
    is 0 $bad "$1: $tries of $((calls)) calls that write fail with '$3': old or new, nothing in between, nothing left"
    ok $((ended == 0)) "which it says with status 1 and a path ($ended times)"
    tally "$1: '$3' at some of $calls calls that write" $tries $bad
}

seen "$dir/base" | sort >"$dir/seen.base"
n=0
for row in ${ROWS:-report import import-new submit train audit schedule}; do
    case $row in
    report) { command -v gnuplot && command -v pandoc; } >/dev/null || { skip "no gnuplot or no pandoc here" "a report" && continue; } ;;
    *) # who does not write a page needs none beside
        rm -rf "$dir/base/gros/tiny/report"
        seen "$dir/base" | sort >"$dir/seen.base"
        ;;
    esac
    rm -rf "$dir/b" && cp -a "$dir/base" "$dir/b"
    # shellcheck disable=SC2046
    "$collsel" $(arguments "$row") >"$dir/out" 2>"$dir/err"
    ok $? "$row, where nothing fails"
    sed 's/^/# /' "$dir/err"
    seen "$dir/b" | sort >"$dir/seen.good"
    n=$((n + 1))
    [ "$((n % 2))${COLLSEL_LONG:-}" = 0 ] || attack "$row" 28 "No space left"
    [ "$((n % 2))${COLLSEL_LONG:-}" = 1 ] || attack "$row" 5 "Input/output error"
done
tap_done
