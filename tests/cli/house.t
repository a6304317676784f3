#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The house: dependencies point one way, and the check of it can fail; a Makefile one can read.
. tests/tap.sh

ci/check-includes >"$dir/out" 2>&1
ok $? "no directory includes a header from a later stage"
sed 's/^/# /' "$dir/out"

# The check itself, on a tree with one wrong include of each kind.
mkdir -p "$dir/tree/ci" && cp ci/check-includes "$dir/tree/ci"
cat >"$dir/wrong" <<'END'
harness/base/x.c harness/study/point.h
workloads/schedules/x.c harness/study/point.h
workloads/schedules/x.c workloads/execute/execute.h
workloads/x.c harness/study/plan.h
workloads/libcollsel/x.c workloads/proof/native.h
harness/run/x.c analysis/fit/fit.h
harness/study/x.c harness/run/sweep.h
harness/import/x.c harness/run/sweep.h
harness/cmdline.c reports/page.h
analysis/x.h reports/page.h
analysis/x.c analysis/fit/fit.h
analysis/fit/x.c analysis/advise/advice.h
analysis/advise/x.c analysis/verify/verify.h
analysis/adapt/x.c analysis/judge/select.h
analysis/walk/x.c analysis/models/models.h
analysis/models/x.c analysis/judge/select.h
analysis/measure/x.c analysis/walk/stage_walk.h
harness/run/libraries/x.c harness/run/sweep.h
harness/run/slurm/x.c harness/run/sweep.h
END
while read -r file header; do
    mkdir -p "$dir/tree/${file%/*}"
    printf '#include "%s"\n' "$header" >>"$dir/tree/$file"
done <"$dir/wrong"
(cd "$dir/tree" && ci/check-includes) >"$dir/out" 2>&1
is 1 $? "includes from a later stage are told"
while read -r file header; do
    grep -q "^$file:[12]: includes \"$header\"" "$dir/out"
    ok $? "$file may not include $header: the message says where"
    rm -f "$dir/tree/$file"
done <"$dir/wrong"
is "$(wc -l <"$dir/wrong")" "$(grep -c ': includes ' "$dir/out")" "and nothing else is told"

# A circle between files, by way of a header and of a source.
echo '#include "harness/base/b.h"' >"$dir/tree/harness/base/a.h"
echo '#include "harness/base/c.h"' >"$dir/tree/harness/base/b.c"
echo '#include "harness/base/a.h"' >"$dir/tree/harness/base/c.h"
echo '#include "harness/base/a.h"' >"$dir/tree/harness/base/d.h"
(cd "$dir/tree" && ci/check-includes) >"$dir/out"
is 1 $? "files that include each other in a circle are found"
is "3" "$(sed -n 's/^circle: //p' "$dir/out" | wc -w)" "... and named, without those that only lead there"
rm "$dir/tree/harness/base/a.h"
(cd "$dir/tree" && ci/check-includes)
ok $? "... not where the circle is open"
mkdir -p "$dir/tree/harness/cmd"
echo '#include "reports/page.h"' >"$dir/tree/harness/cmd/x.c"
(cd "$dir/tree" && ci/check-includes)
ok $? "a command file may include anything"

twice() { find analysis harness reports workloads -name '*.[ch]' | grep -v '^harness/cmd/\|^reports/sections/' | sed 's/\.[ch]$//' | sort -u | sed 's,.*/,,' | sort | uniq -d | xargs; }
is "" "$(twice)" "no file name stands twice outside harness/cmd and reports/sections"
mkdir -p "$dir/names/analysis/a" "$dir/names/analysis/b"
(cd "$dir/names" && mkdir harness reports workloads && touch analysis/a/x.c analysis/a/x.h analysis/b/x.c)
is x "$(cd "$dir/names" && twice)" "... and one that does is found"
# What the pages of the way in name is there: a path from the top, or a file of the page's folder.
for page in docs/design.md $(find analysis harness reports workloads -name README.md); do
    for path in $(grep -oE '(tests/)?(harness|analysis|workloads|reports)/[a-zA-Z_/.-]+\.(c|h|md|mk)\b' "$page" | sort -u); do
        [ -e "$path" ] || echo "$page: $path"
    done
    case $page in
    docs/*) ;;
    *) for name in $(grep -oE '[ (|`][a-z_/]+\.[ch]\b' "$page" | tr -d ' (|`' | sort -u); do
        [ -e "${page%/*}/$name" ] || [ -e "$name" ] || [ -n "$(find "${page%/*}" -name "${name##*/}" | head -n 1)" ] || echo "$page: $name"
    done ;;
    esac
done >"$dir/gone"
is 10 "$(find analysis harness reports workloads -name README.md | wc -l)" "ten rooms have a page"
is "" "$(cat "$dir/gone")" "files that the pages of the way in name are there"
# A comment that names FOLDER/FILE, FOLDER one of ours, names a file that is there.
stale_names() { # stale_names FILE...
    find analysis harness reports workloads tests -name '*.[ch]' >"$dir/ours"
    awk 'NR == FNR { n = split($0, part, "/"); tail = part[n]
          for (i = n - 1; i > 0; i--) { folder[part[i]] = 1; tail = part[i] "/" tail; there[tail] = 1 } next }
        /^#include/ { next }
        { rest = $0
          while (match(rest, /[A-Za-z0-9_\/.-]+\/[A-Za-z0-9_.-]+\.[ch]([^A-Za-z0-9_]|$)/)) {
              name = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH - 1); sub(/[^ch]$/, "", name)
              split(name, part, "/")
              if (part[1] in folder && !(name in there)) print FILENAME ": " name } }' "$dir/ours" "$@"
}
# shellcheck disable=SC2046 # names of files
is "" "$(stale_names $(find analysis harness reports workloads -name '*.[ch]'))" "files of ours that comments name are there"
echo '/* see walk/gone.h and ompi/mca/coll/coll.h */' >"$dir/stale.c"
is "$dir/stale.c: walk/gone.h" "$(stale_names "$dir/stale.c")" "... and one that is not is found"

# Words that the documents may have only go down.
ci/check-words >"$dir/out" 2>&1
ok $? "the documents have no more words, longer sentences or idioms than ci/words.most allows"
# Texts of the program: literals with a blank in them, but for the words of a file's head, and a program that is written out.
cat >"$dir/idioms.py" <<'END'
import re, sys
idiom = re.compile(r"(?<![a-z_%])(of (?:its|their) own|told|asked|meant|who|whoever|whom|stands? for)(?![a-z_])", re.I)
for path in sys.argv[1:]:
    code = re.sub(r'/\*.*?\*/', '', open(path).read(), flags=re.S)
    for many in re.findall(r'((?:"(?:[^"\\\n]|\\.)*"\s*)+)', code):
        text = ''.join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', many))
        if ' ' in text and text != 'as asked' and idiom.search(text):
            print(path, text)
END
echo 'puts("who told it");' >"$dir/idiom.c"
is "$dir/idiom.c who told it" "$(python3 "$dir/idioms.py" "$dir/idiom.c")" "a text of the program with an idiom is found"
is "" "$(find analysis harness reports workloads -name '*.c' ! -name rollout_test.c -exec python3 "$dir/idioms.py" {} +)" "nor does the program say told, asked, meant, who, stands for or of its own"
sed 's/^/# /' "$dir/out"
for page in $(grep -rl '15\.7' README.md docs --include='*.md' | xargs grep -l '[`|] *safe'); do
    grep -q '\b31\b.*13\.7' "$page"
    ok $? "$page says beside the loss of safe what a rule chosen on three machines does on the fourth"
done
mkdir -p "$dir/words/ci" "$dir/words/docs" && cp ci/check-words "$dir/words/ci"
echo 'We count words. One sentence is told twice, by who reads it: `code here` and [a link](of/its/own.md) are words.' >"$dir/words/README.md"
cp "$dir/words/README.md" "$dir/words/docs/x.md"
printf '%s\n' 'README words 25' 'README words_a_sentence 12' 'README idioms 1' >"$dir/words/ci/words.most"
(cd "$dir/words" && ci/check-words) >"$dir/out"
is 1 $? "... more are found"
has "README: 2 idioms" "$(cat "$dir/out")" "idioms, without the address of a link"
is "" "$(grep "README: .* words, at most\|words_a_sentence" "$dir/out")" "... and nothing else that is within its limit"
(cd "$dir/words" && ci/check-words -u) >"$dir/out"
is "README idioms 1 README words 19 README words_a_sentence 9" "$(grep README "$dir/words/ci/words.most" | sort | xargs)" "an update raises nothing"

# What make does is said, but for make -s; V=1 shows the commands. (Not as a part of the make that runs the tests.)
said() { env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory OUT="$dir/obj" CC="${CC:-cc}" "$@" "$dir/obj/harness/base/err.o" 2>&1; }
is "CC   $dir/obj/harness/base/err.o" "$(said)" "make says what it makes"
touch -d "1 hour ago" "$dir/obj/harness/base/err.o"
is "" "$(said -s)" "make -s does not"
touch -d "1 hour ago" "$dir/obj/harness/base/err.o"
has " -c -o " "$(said V=1)" "make V=1 shows the command"

# A variable that is misspelt on the command line changes nothing, and is an error; values are no names, and a make within a make is not asked.
has "'CLUSTR' is no variable of this Makefile (did you mean 'CLUSTER'?" "$(said CLUSTR=gros)" "make: a misspelt variable is named, with the nearest"
has "did you mean 'STUDY'?" "$(said study=tune)" "... whatever its case"
is 0 "$(said -n ARGS='a --b CLUSTR=x' CFLAGS=-O0 DESTDIR=/x PREFIX=/y V=1 CC_openmpi=mpicc | grep -c 'no variable')" "... those that there are, are none"
named=$({ sed -n 's/^#//p' Makefile; cat README.md docs/*.md reports/reference/papers.csv; } | grep -oE '(make [a-z]|[(;] ?)[^`"]*' | grep -oE '\b[A-Z]{2,}=[a-z0-9]' | sort -u | xargs)
holds "$(echo "$named" | wc -w) >= 12" "pages and help name variables ($named)"
# shellcheck disable=SC2086 # words
is "" "$(said -n $named SHORT= help | grep 'no variable')" "... which make takes"
is 0 "$(MAKELEVEL=1 make --no-print-directory -n OUT="$dir/obj" CLUSTR=gros help 2>&1 | grep -c 'no variable')" "... nor is one that an outer make hands on"
echo 'CC_openmp = mpicc' >"$dir/config.mk"
has "did you mean 'CC_openmpi'?" "$(said -I "$dir" -n help)" "... and so is a compiler's in config.mk"
has "CC_openmpi='/no where/mpicc' is no compiler of openmpi (want its mpicc, in a path without blanks" "$(said measure MPIS=openmpi CC_openmpi='/no where/mpicc')" "a compiler that is named and not there is no MPI that is left out"
is "setup: this builds nothing; the next command: make report CLUSTER=gros" "$(env -u MAKEFLAGS -u MAKELEVEL make -n setup | grep -o 'setup: this [^'\'']*')" "make setup says that nothing is built, and what builds"

lines=$(wc -l <Makefile)
holds "$lines <= 160" "the Makefile can be read in a sitting ($lines lines)"
bare=$(find analysis ci harness reports tests workloads .ci Makefile -type f 2>/dev/null |
    grep -v /golden/ | grep -E '\.(c|h|t|sh|awk|gp)$|^\.?ci/|^Makefile$' |
    xargs awk 'FNR <= 3 && /SPDX-License-Identifier: BSD-3-Clause/ { has[FILENAME] = 1 }
        FNR == 1 { seen[FILENAME] = 1 } END { for (f in seen) if (!(f in has)) print f }')
is "" "$bare" "every source and script names its licence"
has "BSD 3-Clause" "$(head -n 1 LICENSE)" "which is in LICENSE"

# Set-up on a machine that lacks something and cannot get it: it says what, and stops.
mkdir "$dir/bin"
for tool in sh tr xargs echo id cat dirname; do
    ln -s "$(PATH=/usr/bin:/bin which $tool)" "$dir/bin/$tool"
done
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/dpkg-query"
printf '#!/bin/sh\necho 1000\n' >"$dir/bin/id.new"
rm -f "$dir/bin/id" && mv "$dir/bin/id.new" "$dir/bin/id"
printf '#!/bin/sh\ntouch "%s/apt-ran"\n' "$dir" >"$dir/bin/apt-get"
chmod +x "$dir"/bin/*
PATH=$dir/bin ci/setup >"$dir/out" 2>"$dir/err"
is 1 $? "set-up that may not install fails"
has "apt-get install --no-install-recommends gcc" "$(cat "$dir/err")" "and prints the command to run"
[ ! -e "$dir/apt-ran" ]
ok $? "having run nothing itself"
rm "$dir/bin/apt-get"
PATH=$dir/bin ci/setup >"$dir/out" 2>"$dir/err"
is 1 $? "nor can it elsewhere than on Debian or Ubuntu"
has "libopenmpi-dev" "$(cat "$dir/err")" "where it lists what is wanted"
printf '#!/bin/sh\necho "install ok installed"\n' >"$dir/bin/dpkg-query"
printf '#!/bin/sh\ntouch "%s/apt-ran"\n' "$dir" >"$dir/bin/apt-get"
chmod +x "$dir/bin/apt-get"
is "setup: nothing is missing" "$(PATH=$dir/bin ci/setup)" "where nothing is missing it says so"
[ ! -e "$dir/apt-ran" ]
ok $? "and changes nothing"
tap_done
