#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC2086,SC2206 # words
# The matrix of faults across the chain: each file between two commands (plan.csv, samples, points.csv, fit/*, ... model, rules)
# under each command that reads it: cut short within a line at several places, emptied, a directory in its place, of another version.
# Each time status 1 with the file, its line and a reason, nothing else changed and nothing half-written; what is appended to
# (samples, journal) may end within a line, as a kill leaves it, and is then read or measured anew.
# COLLSEL_LONG=1: all faults of each file, where else one file has this and the next one that; more places to cut. FAULTS, COMMANDS: only these.
. tests/cli/run.sh
. tests/cli/broken.sh
. tests/cli/outcomes.sh
broken_ready || skip_all "no library to preload: $(tail -1 "$dir/err")"
sed 's/^budget = .*/budget = 5ms/; s/^procs = .*/procs = 2 4/; s/^bytes = .*/bytes = 8K 64K/; s/^gamma_procs = .*/gamma_procs = 2 3/; /^openmpi\|^mpich/d' \
    tests/cli/tiny.ini >"$dir/tiny.ini"
printf 'collective,algorithm,procs,bytes,seconds\n' >"$dir/others.csv"
for p in 2 4 8; do for m in 8 64 512; do
    echo "bcast,default,$p,$m,3e-6"
    echo "bcast,binomial,$p,$m,1e-6"
    echo "bcast,chain,$p,$m,2e-6"
done; done >>"$dir/others.csv"
b=$dir/b
study="-c gros -s $dir/tiny.ini -b null -q --results $b"
set="--dataset others -c gros -q --results $b"
{
    "$collsel" sweep $study && "$collsel" fit $study && "$collsel" select $study && "$collsel" select $study --holdout alternate-sizes &&
        "$collsel" import "$dir/others.csv" -q --format csv --results "$b" --name others --mpi openmpi --mpi-version 4.1.4 -c gros \
            --map collective=collective,bytes=bytes,max_s=seconds:s,algorithm=algorithm,procs=procs --set nodes=4,mapping=core &&
        "$collsel" fit $set && "$collsel" select $set && "$collsel" audit $set &&
        "$collsel" train $study --learner nearest --output "$b/model.json" &&
        "$collsel" export $set --library openmpi-4.1 --unsure --build $dir --output "$b/openmpi.rules" &&
        "$collsel" export $set --library openmpi-6 --unsure --output "$b/openmpi.json" &&
        "$collsel" export $set --library libcollsel --unsure --output "$b/table.csv"
} >"$dir/out" 2>"$dir/err"
ok $? "a study, a data set, a model and rules"
sed 's/^/# /' "$dir/err"
cp -a "$b" "$dir/base"
points=$(outcomes "$b/gros/tiny" | sort -u | wc -l)

# The commands that read; none measures anything that is there.
cat >"$dir/commands" <<END
sweep $study
fit $study
select $study
select $study --holdout alternate-sizes
status -c gros -s $dir/tiny.ini -b null --results $b
collect -c gros -s $dir/tiny.ini -b null --results $b
predict bcast binomial -p 4 -m 8K $study
recommend $study --collective bcast -p 4 -m 8K
explain $study --collective bcast -p 4 -m 8K
train $study --learner nearest --output $b/other.json
stale -c gros -s $dir/tiny.ini -b null --results $b
fit $set
select $set
audit $set
guidelines $set
export $set --library openmpi-4.1 --unsure --build $dir --output $b/other.rules
recommend --model $b/model.json --collective bcast -p 4 -m 8K --for gros
END

# fault NAME FILE: damages it; fails where there is nothing to damage so.
fault() {
    local size
    size=$(stat -c %s "$2")
    case $1 in
    emptied) [ "$size" -gt 0 ] && : >"$2" ;;
    directory) rm "$2" && mkdir "$2" ;;
    cut-*) # after so many of eight parts, within a line
        local at=$((size * ${1#cut-} / 8))
        [ $at -gt 0 ] || return 1
        [ -n "$(head -c $at "$2" | tail -c 1)" ] || at=$((at + 1 < size ? at + 1 : at - 1))
        truncate -s $at "$2"
        ;;
    version)
        case $2 in
        *manifest.json) sed -i 's/"format": 1,/"format": 99,/' "$2" ;;
        *.csv) sed -i '0,/^[^#]/{/^[^#]/s/,/_of_later,/g}' "$2" ;;
        *model.json) sed -i 's/"schema": *"[^"]*"/"schema": "collsel model 99"/' "$2" ;;
        *) return 1 ;;
        esac
        ;;
    esac
}

# appended FILE: it grows line by line, and a kill may leave it within one.
appended() {
    case $1 in */samples/* | */events.jsonl) true ;; *) false ;; esac
}

# whole: after a sweep every point of the study is finished, once, and is as before where it was not hit.
whole() {
    "$collsel" sweep $study >"$dir/again" 2>&1 || { tail -1 "$dir/again"; return 1; }
    outcomes "$b/gros/tiny" | sort >"$dir/finished"
    uniq -d "$dir/finished" | head -1 | grep . && return 1
    [ "$(uniq "$dir/finished" | wc -l)" = "$points" ] || { echo "not all points"; return 1; }
}

# other PATH: what is not as it was, but for the damaged file.
other() {
    local was=$dir/base${1#"$b"}
    diff -rq -x '*.lock' "$dir/base" "$b" | grep -vxF -e "Files $was and $1 differ" -e "File $was is a regular file while file $1 is a directory"
}

# back PATH: all is as it was; where nothing else was changed, that file alone is put back.
back() {
    rm -rf "$1" && cp -a "$dir/base${1#"$b"}" "$1" && [ -z "$2" ] || { rm -rf "$b" && cp -a "$dir/base" "$b"; }
}

faults=(${FAULTS:-emptied directory cut-2 cut-7 version})
[ -z "${COLLSEL_LONG:-}" ] || faults+=(cut-1 cut-3 cut-4 cut-5 cut-6)
files=0
# some: the fault that this file gets, another one for the next; all with COLLSEL_LONG.
some() {
    local n=${#faults[@]}
    if [ -n "${COLLSEL_LONG:-}${FAULTS:-}" ]; then echo "${faults[@]}"; else echo "${faults[files % n]}"; fi
}
while read -r verb words; do
    case " ${COMMANDS:-$verb} " in *" $verb "*) ;; *) continue ;; esac
    rm -rf "$b" "$dir/told" && cp -a "$dir/base" "$b"
    BROKEN_UNDER=$b BROKEN_TELL=$dir/told LD_PRELOAD=$dir/broken.so "$collsel" $verb $words >"$dir/out" 2>"$dir/err" </dev/null
    is 0 $? "$verb $(echo "$words" | grep -o -e '--dataset others' -e '--holdout.*' -e '--model'), where all is whole"
    rm -rf "$b" && cp -a "$dir/base" "$b"
    tried=0 bad=0
    for path in $(sort -u "$dir/told"); do
        [ -f "$dir/base${path#"$b"}" ] || continue
        case $path in */samples/*-4x1-* | *.lock) continue ;; esac # as those of the launch before; no file of the chain
        files=$((files + 1))
        for what in $(some); do
            fault "$what" "$path" || continue
            [ "$what" = directory ] || cp -p "$path" "$dir/damaged"
            timeout 60 "$collsel" $verb $words >"$dir/out" 2>"$dir/err" </dev/null
            status=$?
            tried=$((tried + 1))
            wrong='' changed=all
            if appended "$path" && [ "$what" != directory ] && [ "$what" != version ]; then
                # what is gone is measured again, and nothing else
                whole >"$dir/whole" || wrong="status $status, and after a sweep: $(head -1 "$dir/whole")"
                left=$(find "$b" -name '*.tmp' | head -1)
                [ -z "$left" ] || wrong="$wrong; left behind: $left"
            else
                [ $status = 1 ] || wrong="status $status"
                [ "$what" = directory ] && line='' || line=':[0-9]'
                grep -q -- "$path$line" "$dir/err" || wrong="$wrong; no file and line"
                changed=$(other "$path")
                [ "$what" = directory ] || cmp -s "$path" "$dir/damaged" || changed="$changed$path"
                [ -z "$changed" ] || wrong="$wrong; changed: $(head -3 <<<"$changed")"
            fi
            back "$path" "$changed"
            [ -z "$wrong" ] || { bad=$((bad + 1)) && echo "# $verb, ${path#"$b"} $what: $wrong: $(tail -1 "$dir/err" | cut -c1-200)"; }
        done
    done
    is 0 $bad "$verb: $tried faults in the files that it reads"
    tally "$verb: a file that is cut, empty, no file, or of another version" "$tried" "$bad"
done <"$dir/commands"
tap_done
