#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The documents and the program say the same: every verb is in docs/commands.md and the man page, every documented
# command and option exists, the man page is what the program's own --help makes of it.
. tests/tap.sh

"$collsel" --help >"$dir/usage"
is 0 $? "collsel --help succeeds"
verbs=$(awk '/^  [a-z]/ { print $1 }' "$dir/usage")
holds "$(echo "$verbs" | wc -w) > 0" "it lists commands"
"$collsel" >"$dir/out" 2>"$dir/err"
is 2 $? "no command is wrong usage"
is "" "$(cat "$dir/out")" "with nothing on stdout"
"$collsel" frobnicate >"$dir/out" 2>"$dir/err"
is 2 $? "an unknown command is wrong usage"
has "'frobnicate' is not a command" "$(cat "$dir/err")" "and the message names it"

for word in -h help; do
    is "$(cat "$dir/usage")" "$("$collsel" $word 2>&1)" "collsel $word says the same"
done
is "$("$collsel" plan --help)" "$("$collsel" help plan 2>&1)" "collsel help COMMAND lists the command's options"
"$collsel" help frobnicate >"$dir/out" 2>"$dir/err"
is 2 $? "help of an unknown command is wrong usage"
has "'frobnicate' is not a command" "$(cat "$dir/err")" "and the message names it"

for verb in $verbs; do
    "$collsel" "$verb" --help >"$dir/$verb.help" 2>"$dir/err"
    is "0 " "$? $(cat "$dir/err")" "$verb --help succeeds, on stdout alone"
    grep -q "^    collsel $verb " docs/commands.md
    ok $? "$verb has an example in docs/commands.md"
    "$collsel" "$verb" --no-such-option >"$dir/out" 2>"$dir/err"
    is 2 $? "$verb refuses an unknown option with status 2"
done

"$collsel" plan --help >/dev/full 2>"$dir/err"
is 1 $? "help that cannot be written is a failure"
has "cannot write what it prints" "$(cat "$dir/err")" "which is said"
is 1 "$("$collsel" papers --help | tail -c 1 | wc -l)" "papers --help ends with a newline"
is "" "$(awk '/^\.SS collsel papers/ { within = 1; next } /^\.S[SH]/ { within = 0 } within && /^\.TP/ { option = 1 } within && option && /reproduced/' docs/man/collsel.1)" \
    "and none of its options says what the command does"
for verb in star guidelines; do
    is 0 "$("$collsel" $verb --help | grep -c '(default: bcast)')" "$verb --help names one default study"
done

# Every line of documentation that begins with a command, its comment cut off.
grep -hE '^ *collsel [a-z]+( |$)' README.md docs/*.md docs/notebook/*.md | sed 's/  *#.*//; s/^ *//' | sort -u >"$dir/examples"
holds "$(wc -l <"$dir/examples") >= 10" "the documents hold examples"
while read -r _ verb rest; do
    if [ ! -f "$dir/$verb.help" ]; then
        ok 1 "documented: collsel $verb is a command"
        continue
    fi
    for word in $rest; do
        option=${word%%=*}
        case $option in
        --*) grep -qE -- "(^| )$option(=|\\[| |\$)" "$dir/$verb.help" && continue ;;
        *) continue ;;
        esac
        ok 1 "documented: collsel $verb takes $option"
    done
    ok 0 "documented: collsel $verb $rest"
done <"$dir/examples"

ci/man "$collsel" >"$dir/collsel.1"
if [ "${UPDATE_GOLDEN:-}" ]; then
    cp "$dir/collsel.1" docs/man/collsel.1
fi
diff -u docs/man/collsel.1 "$dir/collsel.1" >"$dir/diff"
ok $? "the man page is what --help makes of it (make golden)"
sed 's/^/# /' "$dir/diff"
for verb in $verbs; do
    grep -q "^\.SS collsel $verb\$" docs/man/collsel.1
    ok $? "$verb has a section in the man page"
done

# Section 5: a page for each file, with its columns, and nothing that groff warns of.
ci/man5 "$collsel" "$dir/man5"
is 0 $? "the documents become man pages of section 5"
is "$(($(grep -c '^## ' docs/formats.md) + 4))" "$(find "$dir/man5" -name '*.5' | wc -l)" "a page for each file, and four more"
for file in $(sed -n 's/^    collsel doctor --keys=//p' docs/formats.md); do
    "$collsel" doctor --keys="$file"
done | sed -n 's/^| `\([^`]*\)`.*/.B \1/p' | sed 's/-/\\-/g' | sort -u >"$dir/columns"
holds "$(wc -l <"$dir/columns") > 200" "hundreds of columns are described"
is "" "$(cat "$dir"/man5/*.5 | sort -u | comm -23 "$dir/columns" -)" "and stand on the pages"
if command -v groff >/dev/null; then
    groff -K utf8 -T utf8 -man -z -wmac -wchar -wescape -wmissing -wsyntax -wel -wrange -Wbreak "$dir"/man5/*.5 docs/man/collsel.1 >"$dir/out" 2>&1
    is "" "$(cat "$dir/out")" "and groff has nothing to say of them"
else
    skip "no groff" "and groff has nothing to say of them"
fi

# Completion, as bash would ask for it.
complete_words() {
    bash -c '. docs/completion/collsel.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _collsel; echo "${COMPREPLY[*]}"' \
        bash "$@"
}
is "$(echo "$verbs" | xargs)" "$(complete_words "$collsel" "")" "completion knows every command"
is "--cluster --clusters" "$(complete_words "$collsel" plan --cl | tr ' ' '\n' | sort | xargs)" "and a command's options"
is "grisou gros" "$(complete_words "$collsel" plan --cluster gr)" "and the clusters"
is "barrier bcast beyond" "$(complete_words "$collsel" plan --study b)" "and the studies ..."
is "exscan" "$(complete_words "$collsel" plan --study ex)" "... that are named like a collective, without a file, too"
is "up down status start" "$(complete_words "$collsel" testbed "")" "what to do with a testbed"
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
