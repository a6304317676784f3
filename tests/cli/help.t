#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The documents and the program say the same: every verb is in docs/commands.md and the man page, every documented
# command and option exists, the man page is what the program's own --help makes of it.
. tests/tap.sh

"$collsel" --help >"$dir/usage"
is 0 $? "collsel --help succeeds"
is "tune measure report ask rules run import cluster" "$(awk '/^  [a-z]/ { print $1 }' "$dir/usage" | xargs)" "eight verbs stand first"
"$collsel" help all | sed -n 's/^  \([a-z-]*\( [a-z]\{1,\}\)\{0,1\}\)  .*/\1/p' >"$dir/verbs"
holds "$(wc -l <"$dir/verbs") > 30" "help all lists every command"
"$collsel" help all | sed -n 's/^  \(.*[a-z]\)   *.* (was \(.*\))$/\2 \1/p' >"$dir/was" # old name, new words
"$collsel" >"$dir/out" 2>"$dir/err"
is 2 $? "no command is wrong usage"
is "" "$(cat "$dir/out")" "with nothing on stdout"
has "a COMMAND is wanted" "$(tail -n 1 "$dir/err")" "which the last line says"
for word in frobnicate measur benchmark; do
    "$collsel" $word >"$dir/out" 2>"$dir/err"
    is 2 $? "an unknown command is wrong usage: $word"
    has "'$word' is not a command" "$(tail -n 1 "$dir/err")" "and the last line names it"
    holds "$(wc -l <"$dir/err") <= 24" "behind no more than a screen"
done
for near in "measur measure" "verfiy verify" "verson version" "check cluster"; do
    "$collsel" "${near% *}" >"$dir/out" 2>"$dir/err"
    has "did you mean" "$(tail -n 1 "$dir/err")" "${near% *}: the nearest is named ($(tail -n 1 "$dir/err"))"
done
holds "$(wc -l <"$dir/usage") <= 24 && $(awk '{ if (length($0) > m) m = length($0) } END { print m + 0 }' "$dir/usage") <= 110" "help is a screen"
"$collsel" cluster >"$dir/out" 2>"$dir/err"
is "2 collsel cluster: a word is wanted behind it: new, check" "$? $(cat "$dir/err")" "cluster wants a word"
"$collsel" cluster --help >"$dir/out" 2>"$dir/err"
is "0 2" "$? $(grep -c "^  cluster [a-z]" "$dir/out")" "which its help lists"

for word in -h help; do
    is "$(cat "$dir/usage")" "$("$collsel" $word 2>&1)" "collsel $word says the same"
done
is "$("$collsel" plan --help)" "$("$collsel" help plan 2>&1)" "collsel help COMMAND lists the command's options"
"$collsel" help frobnicate >"$dir/out" 2>"$dir/err"
is 2 $? "help of an unknown command is wrong usage"
has "'frobnicate' is not a command" "$(cat "$dir/err")" "and the message names it"

# shellcheck disable=SC2086 # a verb and a word
while read -r verb; do
    "$collsel" $verb --help >"$dir/$verb.help" 2>"$dir/err"
    is "0 " "$? $(cat "$dir/err")" "$verb --help succeeds, on stdout alone"
    old=$(sed -n "s/^\([a-z-]*\) $verb\$/\1/p" "$dir/was")
    grep -qE "^ *collsel ($verb|${old:-$verb})( |\$)" README.md docs/*.md || [ "$verb" = "rules check" ]
    ok $? "$verb has an example in the documents"
    "$collsel" $verb --no-such-option >"$dir/out" 2>"$dir/err"
    is 2 $? "$verb refuses an unknown option with status 2"
done <"$dir/verbs"

# Names of earlier releases: they do the same, and a terminal is told the new one, but no script.
while read -r old new; do
    "$collsel" "$old" --help >"$dir/$old.help" 2>"$dir/err"
    is "0 " "$? $(cat "$dir/err")" "$old --help succeeds, too"
    is "$(sed '/^Usage/d; /^  or: /d; /^Mandatory/,$d' "$dir/$new.help" | md5sum)" \
        "$(sed '/^Usage/d; /^  or: /d; /^Mandatory/,$d' "$dir/$old.help" | md5sum)" "and says what $new says"
done <"$dir/was"
is 15 "$(wc -l <"$dir/was")" "every command that has a new name is among them"
if command -v script >/dev/null; then
    has '`collsel plan` is `collsel measure plan` now' "$(script -qec "$collsel plan --help" /dev/null </dev/null)" "a terminal is told the new name"
else
    skip "no script" "a terminal is told the new name"
fi
# What is printed, and what documents and scripts type, is the new name.
old=$(cut -d' ' -f1 "$dir/was" | paste -sd'|' -)
is "" "$(grep -rnE "collsel\"?\}? ($old)([^a-z.:-]|\$)|\`(export|recommend|sweep|explain|verify|new-cluster|doctor|predict)( -[^\`]*)?\`" \
    --include='*.[ch]' --include='*.md' --include='*.in' --include='*.ini' --include='*.sh' --include=README --include=Makefile \
    analysis harness reports workloads clusters docs README.md Makefile | grep -v '^docs/notebook\|^analysis/README.md.*| .verify. |')" "no old name is in a text of the program or in a document"
is "" "$(grep -nE "collsel\"?\}? ($old)([^a-z.:-]|\$)" -r ci)" "nor in ci/"
"$collsel" sweep --cluster nope -s x >"$dir/out" 2>"$dir/err"
has "collsel measure: " "$(cat "$dir/err")" "an error of an old name begins with the new one"
for near in "measure staus status" "cluster nwe new" "rules wirte write" "ask wyh why" "import aduit audit"; do
    # shellcheck disable=SC2086 # its words
    "$collsel" ${near% *} >"$dir/out" 2>"$dir/err"
    has "2 collsel ${near%% *}: " "$? $(cat "$dir/err")" "a wrong second word is wrong usage: ${near% *}"
    has "did you mean '${near##* }'?" "$(cat "$dir/err")" "and the nearest is named"
done
bad=0
while IFS= read -r line; do
    case $line in *' -- '*) line=$(echo "$line" | sed 's/ -- / --help -- /') ;; *) line="$line --help" ;; esac
    # shellcheck disable=SC2086 # its words
    "$collsel" ${line#collsel } >/dev/null 2>"$dir/err" || { bad=1; sed "s/^/# $line: /" "$dir/err"; }
done <tests/cli/old-commands.txt
ok $bad "every command line that README had before the eight verbs is understood ($(wc -l <tests/cli/old-commands.txt))"

"$collsel" sweep -s wide --confirm >"$dir/out" 2>"$dir/err"
has "2 collsel measure: use --plan adaptive --budget=CORE-TIME" "$? $(cat "$dir/err")" "but for one that went: what replaced it is named"

# What users of other programs type.
"$collsel" measure plan -n -c mini -s MPI_Bcast --json >"$dir/a" 2>"$dir/err"
"$collsel" plan -n -c mini -s bcast --json >"$dir/b" 2>"$dir/err"
is "$(cat "$dir/a")" "$(cat "$dir/b")" "MPI_Bcast is bcast"
for words in "-np 4 -m 8k" "--np 4 --size 8192B" "--np=4 --size=8K" "--procs 4 --bytes 8KiB"; do
    # shellcheck disable=SC2086 # its words
    "$collsel" schedule MPI_Bcast binomial $words --traffic >"$dir/a" 2>"$dir/err"
    is "0 $("$collsel" schedule bcast binomial -p 4 -m 8192 --traffic | md5sum)" "$? $(md5sum <"$dir/a")" "$words: four processes, 8 KiB"
done
has "no word behind 'sh' is a program" "$("$collsel" run sh -n 2 2>&1)" "run takes a command and its options without --"

"$collsel" plan --help >/dev/full 2>"$dir/err"
is 1 $? "help that cannot be written is a failure"
has "cannot write what it prints" "$(cat "$dir/err")" "which is said"
is 1 "$("$collsel" papers --help | tail -c 1 | wc -l)" "papers --help ends with a newline"
ci/man "$collsel" >"$dir/collsel.1"
is 0 $? "a man page is made of what --help prints"
ci/man false >/dev/null
is 1 $? "and none of a program that does not run"
is "" "$(awk '/^\.SS collsel papers/ { within = 1; next } /^\.S[SH]/ { within = 0 } within && /^\.TP/ { option = 1 } within && option && /reproduced/' "$dir/collsel.1")" \
    "and none of its options says what the command does"
for verb in star guidelines; do
    is 0 "$("$collsel" $verb --help | grep -c '(default: bcast)')" "$verb --help names one default study"
done

# Every line of documentation that begins with a command, its comment cut off.
grep -hE '^ *collsel [a-z]+( |$)' README.md docs/*.md docs/notebook/*.md | sed 's/  *#.*//; s/^ *//' | sort -u >"$dir/examples"
holds "$(wc -l <"$dir/examples") >= 10" "the documents hold examples"
while read -r _ verb rest; do
    if [ -f "$dir/$verb ${rest%% *}.help" ]; then
        verb="$verb ${rest%% *}" rest="$rest "
        rest=${rest#* }
    fi
    if [ ! -f "$dir/$verb.help" ]; then
        ok 1 "documented: collsel $verb is a command"
        continue
    fi
    for word in $rest; do
        option=${word%%=*}
        case $option in
        --) break ;;
        --*) grep -qE -- "(^| )$option(=|\\[| |\$)" "$dir/$verb.help" && continue ;;
        *) continue ;;
        esac
        ok 1 "documented: collsel $verb takes $option"
    done
    ok 0 "documented: collsel $verb $rest"
done <"$dir/examples"

while read -r verb; do
    grep -q "^\.SS collsel $verb\$" "$dir/collsel.1"
    ok $? "$verb has a section in the man page"
done <"$dir/verbs"

# Section 5: a page for each file, with its columns, and nothing that groff warns of.
ci/man5 "$collsel" "$dir/man5"
is 0 $? "the documents become man pages of section 5"
is "$(($(grep -c '^## ' docs/formats.md) + 4))" "$(find "$dir/man5" -name '*.5' | wc -l)" "a page for each file, and four more"
for file in $(sed -n 's/^    --keys=//p' docs/formats.md); do
    "$collsel" cluster check --keys="$file"
done | sed -n 's/^| `\([^`]*\)`.*/.B \1/p' | sed 's/-/\\-/g' | sort -u >"$dir/columns"
holds "$(wc -l <"$dir/columns") > 200" "hundreds of columns are described"
is "" "$(cat "$dir"/man5/*.5 | sort -u | comm -23 "$dir/columns" -)" "and stand on the pages"
if command -v groff >/dev/null; then
    groff -K utf8 -T utf8 -man -z -wmac -wchar -wescape -wmissing -wsyntax -wrange -Wbreak "$dir"/man5/*.5 "$dir/collsel.1" >"$dir/out" 2>&1
    is "" "$(cat "$dir/out")" "and groff has nothing to say of them"
else
    skip "no groff" "and groff has nothing to say of them"
fi

# Completion, as bash would ask for it.
complete_words() {
    bash -c '. docs/completion/collsel.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _collsel; echo "${COMPREPLY[*]}"' \
        bash "$@"
}
is "$(grep -v ' ' "$dir/verbs" | sed "\$acluster" | sort | xargs)" "$(complete_words "$collsel" "" | tr ' ' '\n' | sort | xargs)" "completion knows every verb"
is "stale" "$(complete_words "$collsel" rules st)" "and the words behind it"
is "--results" "$(complete_words "$collsel" measure status --res)" "and options of both"
is "walk" "$(complete_words "$collsel" measure --backend = wa)" "behind = as well"
is "--cluster --clusters" "$(complete_words "$collsel" plan --cl | tr ' ' '\n' | sort | xargs)" "and a command's options"
is "grisou gros" "$(complete_words "$collsel" plan --cluster gr)" "and the clusters"
is "barrier bcast beyond" "$(complete_words "$collsel" plan --study b)" "and the studies ..."
is "exscan" "$(complete_words "$collsel" plan --study ex)" "... that are named like a collective, without a file, too"
mkdir -p "$dir/odd/clusters"
for name in 'a"b' 'a$(b)' 'a b' "$(printf 'a\033[31mb')" "$(printf 'a\nb')" fine; do : >"$dir/odd/clusters/$name.ini"; done
(program=$(realpath "$collsel") && cd "$dir/odd" && "$program" complete -- measure --cluster '') >"$dir/out"
is "fine" "$(grep -x fine "$dir/out"; grep -vx '[a-z0-9-]*' "$dir/out")" "no name that a shell would have to quote is offered"
is "down start status up" "$(complete_words "$collsel" testbed "")" "what to do with a testbed"
is "alternate-procs alternate-sizes" "$(complete_words "$collsel" select --holdout alt)" "what can be held out"
is "star-a star-b" "$(complete_words "$collsel" testbed up st)" "and with which"

# Names that stand in a help text and in the completion: each row of the table is among them.
named() { # named VERB OPTION NAME...
    verb=$1 option=$2
    shift 2
    help=$(ARGP_HELP_FMT=rmargin=250 "$collsel" "$verb" --help | sed -n "s/^.*$option=NAME *//p")
    for name; do
        echo "$help" | grep -qw "$name" || echo "help of $verb $option: $name"
        [ "$name" = null ] || complete_words "$collsel" "$verb" "$option" "" | grep -qw "$name" || echo "completion: $name"
    done
}
# shellcheck disable=SC2046
is "" "$(named sweep --backend $(sed -n 's/^ *\.name = "\(.*\)",$/\1/p' harness/run/backends/*.c))" "every backend is in help and completion"
# shellcheck disable=SC2046
is "" "$(named import --format $(grep -h 'struct import_format format_' -A2 harness/import/*.c | sed -n 's/.*\.name = "\([a-z]*\)".*/\1/p'))" "and every format"
# shellcheck disable=SC2046
is "" "$(named rules --library $(grep -h 'struct rules_reader rules_' -A1 harness/rules/*.c | sed -n 's/.*\.name = "\(.*\)",/\1/p'))" "and whoever reads rules"
# shellcheck disable=SC2046
is "" "$(named export --library $(grep -h 'struct rules_reader rules_openmpi' -A1 harness/rules/*.c | sed -n 's/.*\.name = "\(.*\)",/\1/p'))" "or has them written"

# Targets named in the README and in `make help` exist.
for target in $(grep -ohE '(`|^    )make [a-z-]+' README.md docs/*.md docs/notebook/*.md | awk '{print $2}' | sort -u); do
    grep -qE "^([a-z-]+ )*${target}[a-z -]*:" Makefile workloads/kit/Makefile
    ok $? "documented: make $target is a target"
done
tap_done
