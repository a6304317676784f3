#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# make install: the program is run from where it was put, in a directory that knows nothing of the source tree; make uninstall leaves nothing.
# COLLSEL_LONG=1: in a PREFIX of its own, too.
. tests/cli/run.sh
top=$PWD
put() { OUT=$build ci/install "$@" >"$dir/out" 2>"$dir/err"; }
dest=$dir/a\ place # a blank in the path

(umask 077 && put install "$dest" /opt/it)
is "0 " "$? $(cat "$dir/err")" "install"
is "" "$(find "$dest/opt/it" ! -type l ! -perm -444; find "$dest/opt/it" -type d ! -perm -111)" "others can read what root installs, whatever root's mask"
at=$dest/opt/it
list=$at/share/collsel/installed
is "$(sort "$list")" "$(cd "$at" && find . ! -type d | sed 's|^\./||' | grep -v '^share/collsel/installed$' | sort)" "its list names every file that is there"
is "" "$(cd "$dest" && find . -path ./opt/it -prune -o ! -type d -print)" "and nothing is elsewhere"
for file in bin/collsel lib/collsel/walk/measure share/man/man1/collsel.1 share/bash-completion/completions/collsel \
    share/zsh/site-functions/_collsel share/collsel/clusters/gros.ini share/collsel/clusters/studies/tune.ini \
    share/collsel/clusters/presets/edr.ini share/collsel/clusters/models/pml.json share/collsel/reports/reference/shipped/lemieux/star-walk/star.csv; do
    [ -e "$at/$file" ]
    ok $? "installed: $file"
done
for mpi in openmpi mpich; do
    [ ! -e "$build/$mpi/libcollsel-$mpi.so" ] || [ -e "$at/lib/libcollsel-$mpi.so" ]
    ok $? "libcollsel of $mpi, where it was built"
done

# A tree that is gone: what is found is found where it was installed. It is moved, as a package is.
mkdir -p "$dir/moved" "$dir/away"
cp -a "$at/." "$dir/moved"
collsel=$dir/moved/bin/collsel
cd "$dir/away" || exit 1
here() { "$collsel" "$@" >"$dir/out" 2>"$dir/err"; }
here --version
is 0 $? "the installed program runs"
says "commit $(cat "$top/$build/commit")" "$dir/out" "and knows what it was made from"
here doctor
status=$?
is 0 $status "doctor runs"
says "openmpi" "$dir/out" "doctor looks there, too"
is "" "$(grep "null\|want: make)" "$dir/out")" "doctor misses nothing that make install does not install"
here plan -c gros -s bcast -b walk -n
is 0 $? "it finds clusters and studies"
says "in all" "$dir/out" "and plans"
here plan -c gros -s exscan -b walk -n
is 0 $? "a collective that has no study file of its own is planned by the one that comes with it"
here plan -c gross -s bcast -n
says "did you mean 'gros'?" "$dir/err" "a name that is none is refused with those that come with it"
here new-cluster mine --nodes 4 --sockets 1 --cores 4 --link edr
is 0 $? "a cluster of one's own, from the presets that come with it"
[ -f "$dir/away/clusters/mine.ini" ]
ok $? "is written here"
printf '[study]\nname = own\ncollectives = bcast\nmappings = node\n[grid]\nprocs = 4\nbytes = 1K 64K\n[candidates]\nportable = binomial chain\n' >own.ini
here sweep -q -c mine -s ./own.ini -b walk
is "0 " "$? $(cat "$dir/err")" "a sweep finds its measuring program"
here report -q -c mine -s ./own.ini -b walk
is 0 $? "and the report what its page is made of"
[ -s results/mine/own-walk/report/index.html ]
ok $? "the page is there"
here recommend -c gros -s bcast --collective bcast -p 64 -m 8K
is 0 $? "the model that ships answers"
here plan -c gros -s scan -b walk -n
is 0 $? "a collective is a study by its name"
here plan -c mine -s tune -b walk -n
is 0 $? "the study tune comes with it"
if [ -e "$dir/moved/lib/libcollsel-openmpi.so" ]; then
    here run --mpi openmpi -- sh -c 'echo "$LD_PRELOAD"'
    says "$dir/moved/lib/collsel/openmpi/libcollsel-openmpi.so" "$dir/out" "collsel run finds libcollsel"
else
    skip "libcollsel was not built for Open MPI" "collsel run finds libcollsel"
fi
complete_words() {
    bash -c '. "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _collsel; echo "${COMPREPLY[*]}"' \
        "$dir/moved/share/bash-completion/completions/collsel" "$@"
}
is "grisou gros" "$(complete_words "$collsel" plan --cluster gr)" "bash completes the clusters that come with it"
is "mine mini" "$(complete_words "$collsel" plan --cluster mi)" "and those here"
is "allgather allgatherv allreduce alltoall alltoallv" "$(complete_words "$collsel" explain gros al)" "and collectives"
is "binary_tree binomial" "$(complete_words "$collsel" schedule bcast b | tr ' ' '\n' | grep "^bin[ao]" | xargs)" "and algorithms"
zsh_words() { # of which those that begin with the last word are wanted
    zsh -fc 'compadd() { shift; print -l -- "$@" }; _files() { }; f=$1; shift; words=("$@"); CURRENT=$#; PREFIX=; source $f' zsh \
        "$dir/moved/share/zsh/site-functions/_collsel" "$@" | grep "^$(eval "printf %s \"\${$#}\"")" | sort | xargs
}
if command -v zsh >/dev/null; then
    is "grisou gros" "$(zsh_words "$collsel" plan --cluster gr)" "zsh does so, too"
    is "mine mini" "$(zsh_words "$collsel" plan --cluster mi)" "and those here"
    is "allgather allgatherv allreduce alltoall alltoallv" "$(zsh_words "$collsel" explain gros al)" "collectives"
    is "binary_tree binomial" "$(zsh_words "$collsel" schedule bcast bi | tr ' ' '\n' | grep "^bin[ao]" | xargs)" "algorithms"
    is "measure" "$(zsh_words "$collsel" me)" "commands"
    is "--cluster --clusters" "$(zsh_words "$collsel" plan --cl)" "and options"
else
    skip "no zsh" "zsh does so, too"
fi
man -l "$dir/moved/share/man/man1/collsel.1" >"$dir/man" 2>/dev/null && [ -s "$dir/man" ] || grep -q '^\.SH COMMANDS' "$dir/moved/share/man/man1/collsel.1"
ok $? "the man page is one"
is "$("$collsel" help all | sed -n 'h; s/^  \([a-z-]*\( [a-z]\{1,\}\)\{0,1\}\)  .*/collsel-\1.1/p; g; s/.* (was \(.*\))/collsel-\1.1/p' | tr ' ' - | sort)" \
    "$(cd "$dir/moved/share/man/man1" && echo collsel-*.1 | tr ' ' '\n' | sort)" "each command has a page of its own"
says "Read and judge, write nothing" "$dir/moved/share/man/man1/collsel-import.1" "with its options"
for page in points.csv samples.outcomes.csv manifest.json table-of-libcollsel formats cluster study rules; do
    [ -s "$dir/moved/share/man/man5/collsel-$page.5" ]
    ok $? "and what collsel-$page(5) describes, too"
done
cd "$top" || exit 1

# Again, over it: what the earlier version had and this one has not is gone.
echo old >"$at/share/collsel/clusters/old.ini"
echo share/collsel/clusters/old.ini >>"$list"
echo mine >"$at/share/collsel/clusters/mine.ini"
put install "$dest" /opt/it
is 0 $? "installed again"
[ ! -e "$at/share/collsel/clusters/old.ini" ]
ok $? "what belonged to an earlier version is gone"

# No room for the program: what is there stays, whole, and nothing half-written beside it.
find "$at" | sort >"$dir/before"
(ulimit -f 100 && put install "$dest" /opt/it) 2>/dev/null
[ $? -ne 0 ]
ok $? "an install that finds no room fails"
is "$(cat "$dir/before")" "$(find "$at" | sort)" "leaves the earlier version as it was"
"$at/bin/collsel" --version >/dev/null 2>&1
ok $? "which still runs"
put frob "$dest" /opt/it
is 2 $? "a word that is neither install nor uninstall is wrong usage"
echo ../../outside >>"$list"
echo keep >"$dest/outside"
put uninstall "$dest" /opt/it
is 0 $? "uninstall"
is "./opt/it/share/collsel/clusters/mine.ini ./outside" "$(cd "$dest" && find . ! -type d | sort | xargs)" "removes what it has put there, and nothing else"
put uninstall "$dest" /opt/it
is 1 $? "twice is an error"
says "nothing is installed there" "$dir/err" "that says why"
if [ -n "${COLLSEL_LONG:-}" ]; then
    put install "$dest" /opt/own
    put uninstall "$dest" /opt/own
    [ ! -e "$dest/opt/own" ]
    ok $? "of a PREFIX of its own nothing is left, no directory either"
fi
put install "$dest" opt
is 2 $? "a PREFIX that is not absolute is wrong usage"

# Through make, as from a shell: not as a part of the make that runs the tests.
unset MAKEFLAGS MFLAGS MAKELEVEL
if command -v make >/dev/null && [ "$build" = build ]; then
    make -s -n install DESTDIR="$dir/m" PREFIX=/usr >"$dir/out" 2>&1
    says "ci/install install '$dir/m' '/usr'" "$dir/out" "make install hands DESTDIR and PREFIX on"
    make -s -n uninstall >"$dir/out" 2>&1
    is "OUT=build ci/install uninstall '' '/usr/local'" "$(cat "$dir/out")" "make uninstall builds nothing"
fi
tap_done
