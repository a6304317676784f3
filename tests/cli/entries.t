#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154,SC2016
# A site's own MPI (docs/cluster-file.md): entries by a prefix, by names on PATH, by a module; two of one library side by side in one study. The
# prefixes made here lead to Debian's libraries, as those of a site that built them twice.
. tests/cli/run.sh
have=
for mpi in openmpi mpich; do
    if command -v mpicc.$mpi >/dev/null && command -v mpirun.$mpi >/dev/null; then have="$have $mpi"; fi
done
[ "$have" ] || skip_all "no MPI here"
first=${have%% *}
first=${have# }
first=${first%% *}
real=$(command -v mpirun.$first)
# prefix NAME LIBRARY: a tree whose bin has a compiler and a launcher.
prefix() {
    mkdir -p "$dir/$1/bin" "$dir/$1/lib"
    printf '#!/bin/sh\nexec %s "$@"\n' "$(command -v "mpicc.$2")" >"$dir/$1/bin/mpicc"
    printf '#!/bin/sh\n[ -z "$MPI_NOTE" ] || echo "$MPI_NOTE" >>%s/notes\nexec %s "$@"\n' "$dir" "$(command -v "mpirun.$2")" >"$dir/$1/bin/mpirun"
    chmod +x "$dir/$1/bin/mpicc" "$dir/$1/bin/mpirun"
}
prefix a $first
prefix b $first
mkdir -p "$dir/clusters" "$dir/build"
for part in "$build"/*; do [ "${part##*/}" = mpi ] || ln -s "$(readlink -f "$part")" "$dir/build/"; done
cp clusters/local.ini "$dir/clusters"
cat >>"$dir/clusters/local.ini" <<END
[mpi $first-a]
prefix = $dir/a
environment = MPI_NOTE=entry-a
END
# that of mpi.ini is for every cluster of the site
cat >"$dir/clusters/mpi.ini" <<END
[mpi $first-b]
mpicc = $dir/b/bin/mpicc
mpirun = $dir/b/bin/mpirun
[mpi $first-gone]
prefix = $dir/gone
[mpi stranger-x]
prefix = $dir/a
END
sed "s/^mpi.*//; s/^procs = .*/procs = 2/; s/^collectives.*/&\nmpi = $first-a $first-b/" tests/cli/tiny.ini >"$dir/tiny.ini"
c() { verb=$1; shift; run "$verb" --clusters "$dir/clusters" -c local --build "$dir/build" "$@"; }

export CFLAGS=-O0 # for all of it: with other flags all would be built again
c doctor --make
is 2 "$(ls "$dir"/build/mpi/$first-[ab]-????/measure | wc -l | tr -d " ")" "doctor --make builds for each entry ($(tail -1 "$dir/err"))"
c doctor
grep -q "^ok  *$first-a " "$dir/out"
ok $? "doctor says that an entry is fine"
grep -q "^missing  *$first-gone .*$first-gone" "$dir/out"
ok $? "and that one is not there ($(grep gone "$dir/out"))"
says "$dir/clusters/mpi.ini:4" "$dir/out" "by file and line"
says "name it [mpi $first-...]" "$dir/out" "a name that is not of the library that answers is refused"

# Whose reader a file wants may be said by an entry.
: >"$dir/some.rules"
reads() { run rules "$dir/some.rules" --clusters "$dir/clusters" --library "$@"; }
reads $first
tail -1 "$dir/out" >"$dir/plain"
reads $first-a -c local
is "$(sed "s/($first /($first-a /" "$dir/plain")" "$(tail -1 "$dir/out")" "rules --library takes an entry: its release says who reads"
says "($first-a " "$dir/out" "which is named"
reads $first-gone -c local
is 2 $status "of one that is not there"
says "the release of $first-gone here is not known" "$dir/err" "the release cannot be told"
reads $first-none -c local
is 2 $status "one that has no section is none"
says "and no section [mpi NAME] of the cluster (want " "$dir/err" "which is said, with the readers there are"
reads $first-a -c "$dir/none.ini"
is 2 $status "nor is one of a cluster without a file"
says "--cluster: cannot open '$dir/none.ini'" "$dir/err" "which is said, too"

c sweep -s "$dir/tiny.ini" --results "$dir/r"
is 0 $status "a study of two entries is measured ($(tail -2 "$dir/err" | tr '\n' ' '))"
is "$first-a $first-b" "$(cut -d, -f6 "$dir"/r/local/tiny/launches/*.csv | grep -v '^mpi$' | sort -u | xargs)" "in launches of each"
says entry-a "$dir/notes" "the entry's environment reaches its launcher"
is "" "$(sort -u "$dir/notes" | grep -v entry-a)" "and no other's"
is 2 "$(grep -c '"library": "' "$dir/r/local/tiny/manifest.json")" "what each library says of itself stands in the manifest"
c report -s "$dir/tiny.ini" --results "$dir/r" -q
is 0 $status "the page of it is made ($(tail -1 "$dir/err"))"
grep -qi 'releases side by side' "$(pages "$dir/r/local/tiny/report")"
ok $? "with the releases side by side"

# Two environments of one library are an axis of a study, like two releases.
sed 's/^environment = .*/& UCX_PROTO_ENABLE=y/' "$dir/clusters/local.ini" >"$dir/clusters/x" && mv "$dir/clusters/x" "$dir/clusters/local.ini"
sed 's/^name.*/name = twice/; s/^default = no//; s/^portable.*//; s/^bytes.*/bytes = 8K/; s/^\[fit\].*/&\nexperiments = no/' "$dir/tiny.ini" >"$dir/twice.ini"
c sweep -s "$dir/twice.ini" --results "$dir/r"
is 0 $status "a study in two environments is measured ($(tail -2 "$dir/err" | tr '\n' ' '))"
is "$first-a" "$(grep -l '^# launcher:.* UCX_PROTO_ENABLE=y ' "$dir"/r/local/twice/samples/*.csv | sed 's,.*/,,; s/-core.*//' | sort -u | xargs)" "what an entry adds stands in the heads of its samples, and of no others"
c fit -q -s "$dir/twice.ini" --results "$dir/r"
c compare $first-b $first-a -s "$dir/twice.ini" --results "$dir/r"
is 0 $status "the two are compared ($(tail -1 "$dir/err"))"
says "bcast                 1 " "$dir/out" "by the library's default of each"
c report -s "$dir/twice.ini" --results "$dir/r" -q
is "$first-a,set by its section [mpi $first-a],MPI_NOTE=entry-a UCX_PROTO_ENABLE=y" \
    "$(cut -d, -f1-3 "$dir/r/local/twice/report/tables/in-effect.csv" | grep 'set by')" "their page says in what they differ"
sed "s/^name.*/name = once/; s/^mpi = .*/mpi = $first-a/" "$dir/twice.ini" >"$dir/once.ini" # a kit builds one MPI of a library
c pack -s "$dir/once.ini" --results "$dir/kit" -o "$dir/kit.tar.gz"
is "0 0" "$status $(tar -xzOf "$dir/kit.tar.gz" --wildcards '*/launches/*.sh' | grep -c 'set by its section')" "launches of a kit, which do not set it, do not say so"

# Rules for an entry: chosen by its times, tried in its own library, measured under its own launcher.
release=$(sed -n "/\"$first-a\": {/,/}/s/.*\"version\": *\"\([^\"]*\)\".*/\1/p" "$dir/r/local/tiny/manifest.json" | head -1)
name=basic_linear
[ $first = openmpi ] || name=scatter_ring_allgather
for mpi in a b; do
    echo mpi,P,alg,bytes,us
    for m in 1024 65536; do
        echo "$first-$mpi,2,default,$m,100"
        echo "$first-$mpi,2,$name,$m,$([ $mpi = a ] && echo 50 || echo 200)"
    done
done | awk '!/^mpi/ || !n++' >"$dir/planted.csv"
run import -q --clusters "$dir/clusters" -c local --name planted --results "$dir/r" --format csv --mpi-version "$release" --set collective=bcast,mapping=core \
    --map mpi=mpi,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/planted.csv"
is 0 $status "times of two entries ($(cat "$dir/err"))"
run fit -q --clusters "$dir/clusters" -c local --results "$dir/r" --dataset planted
write() { c export --results "$dir/r" --dataset planted --unsure --library "$@"; }
write $first
is 2 $status "of two entries of a release"
says "say whose times count by --mpi: there are those of $first-a, $first-b" "$dir/err" "one has to be named"
: >"$dir/notes"
write $first --mpi $first-a --output "$dir/a.rules"
is 0 $status "rules by the times of one ($(tail -1 "$dir/err"))"
says "loaded once by $first-a $release" "$dir/a.rules" "its own library has loaded them"
says entry-a "$dir/notes" "by its own launcher"
says "times of local, $first-a" "$dir/a.rules" "whose times they are stands in the head"
write $first-a --output "$dir/same.rules"
is "0 $(grep -v '^#' "$dir/a.rules" | cksum)" "$status $(sed 's/same\.rules/a.rules/g' "$dir/same.rules" | grep -v '^#' | cksum)" "--library takes the entry's name: the same rules ($(tail -1 "$dir/err"))"
write $first-c
is 2 $status "an entry without times is refused"
says "no times of '$first-c' in $dir/r/local/planted (it has times of $first-a, $first-b" "$dir/err" "with those that there are"
c export --results "$dir/r" --dataset planted --unsure
is 2 $status "without --library those of two entries are not mixed"
says "say whose times count by --mpi: there are those of $first-a, $first-b" "$dir/err" "one has to be named"
write $first --mpi $first-b --output "$dir/b.rules"
is "0 " "$status $(cat "$dir/b.rules" 2>/dev/null)" "by those of the other there is nothing to set"
says "there is nothing to set" "$dir/err" "which is said"
c explain --results "$dir/r" --dataset planted --collective bcast -p 2 -m 64K --mpi $first-a
says "$name" "$dir/out" "explain goes by the entry's times"
other_release=openmpi-6
[ $first = openmpi ] && { [ "${release%%.*}" != 6 ] || other_release=openmpi-4.1; } || other_release=mpich-4.3
write $other_release --mpi $first-a
is 2 $status "a file of a release that the entry is not of is refused"
says "'$first-a' was measured as release $release" "$dir/err" "with the one that it is of"

# Only what is asked for is measured; what an entry's rules gain, under it.
sed "s/^name = .*/name = pair/; s/^default = no/default = yes/; s/^bytes = .*/bytes = 64K/; s/^portable = .*/experiments = no/; /experiments = no/d" "$dir/tiny.ini" >"$dir/pair.ini"
c sweep -q -s "$dir/pair.ini" --results "$dir/r" --mpi $first-b
is "0 $first-b" "$status $(cut -d, -f6 "$dir"/r/local/pair/launches/*.csv | grep -v '^mpi$' | sort -u | xargs)" "sweep --mpi measures one entry ($(tail -1 "$dir/err"))"
c sweep -q -s "$dir/pair.ini" --results "$dir/r" --mpi $first-c
is 2 $status "one that the study does not name is refused"
: >"$dir/notes"
c verify -s "$dir/pair.ini" --results "$dir/r" --dataset planted --unsure --rounds 2 --library $first --mpi $first-a --output "$dir/v.rules"
is "$first-a" "$(cut -d, -f6 "$dir"/r/local/planted/verify/*/$first-a/????????/with/launches/*.csv | grep -v '^mpi$' | sort -u | xargs)" \
    "verify measures under the entry whose rules they are ($(tail -1 "$dir/err"))"
says entry-a "$dir/notes" "by its launcher"

# A vendor's library, which nobody here has read: its launcher is told nothing of cores, so that its ranks bind themselves.
if command -v mpicc.mpich >/dev/null; then
cat >"$dir/shim.c" <<END
#include <string.h>
int MPI_Get_library_version(char *text, int *n) { strcpy(text, "Intel(R) MPI Library 2021.9 for Linux* OS"); *n = (int)strlen(text); return 0; }
END
mkdir -p "$dir/intel/bin"
cc -shared -fPIC -o "$dir/libshim.so" "$dir/shim.c"
printf '#!/bin/sh\nexec %s "$@" -Wl,--no-as-needed %s -Wl,-rpath,%s\n' "$(command -v "mpicc.mpich")" "$dir/libshim.so" "$dir" >"$dir/intel/bin/mpicc"
cat >"$dir/intel/bin/mpirun" <<END
#!/bin/sh
[ "\$1" != --version ] || { echo "Intel(R) MPI Library for Linux* OS, Version 2021.9"; exit; }
exec mpirun.mpich "\$@"
END
chmod +x "$dir"/intel/bin/*
printf '[mpi intel-x]\nprefix = %s\n' "$dir/intel" >>"$dir/clusters/mpi.ini"
sed "s/^name = .*/name = vendor/; s/^mpi = .*/mpi = intel-x/; s/^$first = .*//; s/^default = no/default = yes/" "$dir/tiny.ini" >"$dir/vendor.ini"
c sweep -s "$dir/vendor.ini" --results "$dir/r"
is 0 $status "a vendor's library is measured ($(tail -2 "$dir/err" | tr '\n' ' '))"
is 0 "$(grep -c unusable "$dir/err")" "with ranks on cores of their own"
c fit -q -s "$dir/vendor.ini" --results "$dir/r"
c export -s "$dir/vendor.ini" --results "$dir/r"
is 2 $status "there is no file of rules for it"
says "name the library that loads the rules by --library, such as openmpi-5 or libcollsel" "$dir/err" "with what serves any MPI"
else
    skip "no mpicc.mpich here" "a vendor's library"
fi

sed "s/^$first = .*/$first = binomal/" "$dir/tiny.ini" >"$dir/wrong.ini"
c plan -s "$dir/wrong.ini"
is 2 $status "an algorithm that no release has is refused"
says "wrong.ini:$(grep -n "^$first = " "$dir/wrong.ini" | cut -d: -f1): $first: 'binomal'" "$dir/err" "by the line of the key, for an entry too"

# Before tune measures: is there a library whose file it could write?
case $first-$(mpirun.$first --version 2>&1) in
openmpi-*' 6.'* | mpich-*' 5.'*) another=$first-4.0 ;;
openmpi-*) another=openmpi-6 ;;
*) another=mpich-5.0 ;;
esac
c tune -s "$dir/tiny.ini" --results "$dir/t" $another
is 2 $status "a release that no entry has is refused"
says " is installed here, which reads no file of $another" "$dir/err" "with that which is here"
c tune -s "$dir/tiny.ini" --results "$dir/t" $first-c
is 2 $status "so is a name that no entry has"
says "'$first-c' is no library that rules can be written for, and no MPI of study 'tiny'" "$dir/err" "and what is wanted is said"
c tune -s "$dir/tiny.ini" --results "$dir/t" mpich-4.2.1
says "or a release such as mpich-4.2)" "$dir/err" "of a release the name of its reader"
[ ! -e "$dir/t" ]
ok $? "nothing was measured for them"
sed "/^portable/d; s/^$first = .*/$first = chain binomial/; s/^default = no/default = yes/" "$dir/tiny.ini" >"$dir/tuned.ini"
c tune -s "$dir/tuned.ini" --results "$dir/t" --mpi $first-b $first
is 0 $status "one of the entries is tuned ($(tail -1 "$dir/err"))"
is 0 "$(grep -c 'selector\|textbook' "$dir/out")" "and no table of models and selectors stands before what to load"

# Another library behind the name: what was built for the one before is not measured with.
other=${have##* }
if [ "$other" != "$first" ]; then
    prefix a "$other"
    c sweep -s "$dir/tiny.ini" --results "$dir/r2"
    is 0 $status "the prefix holds another library now: the other entry is measured"
    says "without $first-a: name it [mpi $other-...] in $dir/clusters/local.ini" "$dir/err" "this one is not, and why is said"
    is "$first-b" "$(cut -d, -f6 "$dir"/r2/local/tiny/launches/*.csv | grep -v '^mpi$' | sort -u | xargs)" "nothing is measured under its name"
    sed -i "s/ $first-b$//" "$dir/tiny.ini"
    c sweep -s "$dir/tiny.ini" --results "$dir/r3"
    is 1 $status "where no entry can be used, nothing is measured"
else
    skip "one MPI alone is here" "another library behind a name"
fi

# Modules: a login shell loads them.
export HOME=$dir/home
mkdir -p "$HOME"
cat >"$HOME/.bash_profile" <<END
module() { [ "\$1 \$2" = "load site/mpi-1" ] || { echo "no module '\$2'" >&2; return 1; }; export PATH=$dir/b/bin:\$PATH MPI_NOTE=by-module; }
END
printf '[mpi %s-m]\nmodules = site/mpi-1\n[mpi %s-n]\nmodules = site/mpi-2\n' $first $first >"$dir/clusters/mpi.ini"
c doctor
grep -q "^missing  *$first-m  *the measuring program of $first-m is not there" "$dir/out"
ok $? "a module's MPI is found, for which nothing is built ($(grep "$first-m" "$dir/out"))"
says "look at 'module load site/mpi-2' by hand" "$dir/out" "a module that is not there is told"
# Environment Modules 3.2 say so on stderr, and end with 0.
sed -i "s/ return 1;/ return 0;/; s/no module/ModuleCmd_Load.c(213):ERROR:105: Unable to locate a modulefile for/" "$HOME/.bash_profile"
c doctor
says "look at 'module load site/mpi-2' by hand" "$dir/out" "... also by modules that end with 0 then"
grep -q "^missing  *$first-m  *the measuring program of $first-m is not there" "$dir/out"
ok $? "... and one that is there is found"
[ -x "$real" ]
ok $? "Debian's own is as it was"
tap_done
