#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154,SC2016
# MPI entries that do not work, or want to be obeyed: each is told by file and line, nothing of their text is run and nothing of theirs stays. No MPI is
# needed: compilers and launchers are scripts, and what such a compiler makes answers as an MPI program would.
. tests/cli/run.sh
mkdir -p "$dir/clusters" "$dir/build" "$dir/home"
for part in "$build"/*; do [ "${part##*/}" = mpi ] || ln -s "$(readlink -f "$part")" "$dir/build/"; done
cp clusters/local.ini "$dir/clusters"
export HOME=$dir/home
file=$dir/clusters/mpi.ini
# say LINE...: the site's file.
say() { printf '%s\n' "$@" >"$file"; }
doctor() { run doctor --clusters "$dir/clusters" -c local --build "$dir/build"; }
plan() { run plan --clusters "$dir/clusters" -c local -s tests/cli/tiny.ini; }

# ---- values that a shell, make or env would obey (all of them: tests/harness/study/mpi-t.c) ----
canary=$dir/canary
for line in "prefix = /opt/\$(touch${IFS:0:1}$canary)" "mpicc = mpicc;touch $canary" "modules = \`touch $canary\`" "environment = --split-string=touch=$canary"; do
    say "[mpi openmpi-x]" "$line" "[mpi openmpi-y]" "prefix = /"
    plan
    is 2 $status "refused: $line"
    says "$file:2: ${line%% *}: " "$dir/err" "by file and line"
done
for name in walk null-1 'a;b' '$(a)'; do
    say "[mpi $name]" "prefix = /opt/a"
    plan
    is 2 $status "no name of an entry: $name"
    says "$file:1: [mpi $name]: " "$dir/err" "by file and line"
done
[ ! -e "$canary" ]
ok $? "no text of a file was run"

# ---- programs that do not do their work ----
# program NAME: a script from standard input.
program() { mkdir -p "$(dirname "$dir/$1")" && { echo '#!/bin/sh' && cat; } >"$dir/$1" && chmod +x "$dir/$1"; }
# compiler NAME LIBRARY: what it makes says that it runs under this library.
compiler() {
    program "$1" <<END
echo "\$*" >>"$dir/$1.log"
for w; do [ "\$last" = -o ] && out=\$w; last=\$w; done
printf '%s\n' '#!/bin/sh' 'echo "probe library: $2"' 'env | sed "s/^/probe export: /"' >"\$out" && chmod +x "\$out"
END
}
# launcher NAME VARIABLE VERSION: exports that variable to its ranks.
launcher() {
    program "$1" <<END
[ "\$1" != --version ] || { echo "$3"; exit 0; }
shift 2
exec env $2=1 "\$@"
END
}
# entry NAME LINE...: one more of the file; told NAME PART MESSAGE: what doctor says of it.
entry() { printf '%s\n' "[mpi $1]" "${@:2}" >>"$file"; }
told() {
    grep -F " $1 " "$dir/out" | grep -v backend >"$dir/line"
    says "$2" "$dir/line" "$3"
}
line() { grep -n "^.mpi $1." "$file" | cut -d: -f1; }
: >"$file"
open="Open MPI v5.0.7, package: x"
compiler o/bin/mpicc "$open"
launcher o/bin/mpirun OMPI_COMM_WORLD_SIZE "mpirun (Open MPI) 5.0.7"
entry openmpi-o "prefix = $dir/o"
launcher old/mpirun OMPI_COMM_WORLD_SIZE "mpirun (Open MPI) 4.1.4"
entry openmpi-r "mpicc = $dir/o/bin/mpicc" "mpirun = $dir/old/mpirun"
launcher hydra/mpirun MPI_LOCALNRANKS "HYDRA build details:
    Version:  4.2.1"
entry openmpi-h "mpicc = $dir/o/bin/mpicc" "mpirun = $dir/hydra/mpirun"
entry mpich-o "prefix = $dir/o"
mkdir -p "$dir/bare"
entry openmpi-b "prefix = $dir/bare"
mkdir -p "$dir/half/bin"
cp "$dir/o/bin/mpirun" "$dir/half/bin"
entry openmpi-n "prefix = $dir/half"
# What is over its limit is ended by this signal.
program late/bin/mpicc <<<'kill -ALRM $$'
cp "$dir/o/bin/mpirun" "$dir/late/bin"
entry openmpi-l "prefix = $dir/late"
program dumb/bin/mpicc <<<'exit 0'
cp "$dir/o/bin/mpirun" "$dir/dumb/bin"
entry openmpi-d "prefix = $dir/dumb"
program dead/bin/mpicc <<END
echo "\$*" >>"$dir/dead.log"
while [ "\$1" != -o ]; do shift; done
printf '#!/bin/sh\necho "error while loading shared libraries: libmpi.so.40: no such file" >&2; exit 127\n' >"\$2" && chmod +x "\$2"
END
cp "$dir/o/bin/mpirun" "$dir/dead/bin"
entry openmpi-e "prefix = $dir/dead"
doctor
told openmpi-o "the measuring program of openmpi-o is not there" "an entry of scripts is fine, but that nothing is built for it"
told openmpi-r "name mpicc and mpirun of one release in" "mpicc and mpirun of two releases"
told openmpi-r "/mpi.ini:$(line openmpi-r): the library is 5.0.7, '$dir/old/mpirun' is 4.1.4" "with both"
told openmpi-h "name mpirun beside '$dir/o/bin/mpicc' (openmpi): '$dir/hydra/mpirun' is another library's launcher" "and of two libraries"
told mpich-o "name it [mpi openmpi-...] in" "a name of another library"
told openmpi-b "correct [mpi openmpi-b] in " "a prefix without bin"
told openmpi-b "/mpi.ini:$(line openmpi-b): there is no program '$dir/bare/bin/mpirun'" "with what was looked for"
told openmpi-n "want: its mpicc, which is not there either" "one without a compiler"
told openmpi-l "try '$dir/late/bin/mpicc' on a small program, " "a compiler that does not end"
told openmpi-l "/mpi.ini:$(line openmpi-l): it does not end" "is told to be one"
told openmpi-d "mpi.ini:$(line openmpi-d): it fails and says nothing" "a compiler that makes nothing"
told openmpi-e "'$dir/dead/bin/mpirun' -n 1 on a small program, " "a program that does not start"
told openmpi-e "error while loading shared libraries: libmpi.so.40" "with its own word"
is 1 "$(grep -c . "$dir/dead.log")" "it was tried once, though several asked"
is "" "$(find "$dir/build/mpi" "$dir/home" -name 'probe.*' ! -name '*.probe' 2>/dev/null)" "nothing of a try stays"
is 1 "$(cat "$dir"/build/mpi/*.probe | grep -c "^mpirun $dir/old/mpirun ")" "the answers that were got are kept"

# ---- vendors' libraries, which nobody here has read: fine under names of their own ----
# vendor NAME LIBRARY: a prefix of it.
vendor() {
    compiler "$1/bin/mpicc" "$2"
    launcher "$1/bin/mpirun" MPI_LOCALNRANKS "a launcher"
}
vendor intel "Intel(R) MPI Library 2021.9 for Linux* OS"
vendor mvapich "MVAPICH Version: 3.0 (MPICH Version: 3.4.3)"
vendor cray "MPI VERSION : CRAY MPICH version 8.1.29.8 (ANL base 3.4a2)"
vendor parastation "MPICH Version: 4.1.1 ParaStation MPI 5.9.2"
vendor unheard "Some MPI 7.2"
for name in intel mvapich cray parastation unheard; do printf '[mpi %s-1]\nprefix = %s\n[mpi mpich-%s]\nprefix = %s\n' $name "$dir/$name" $name "$dir/$name"; done >"$file"
doctor
for name in intel mvapich cray parastation unheard; do
    says "the measuring program of $name-1 is not there" "$dir/out" "an entry of $name"
    is=$name
    [ $name != unheard ] || is=other
    grep " mpich-$name " "$dir/out" | grep -qF "name it [mpi $is-...]"
    ok $? "which is not taken for MPICH"
done
sed "s/^openmpi = .*//; s/^procs = .*/procs = 2/; s/^mpi.*//; s/^collectives.*/&\nmpi = intel-1/" tests/cli/tiny.ini >"$dir/tiny.ini"
run sweep --clusters "$dir/clusters" -c local --build "$dir/build" --results "$dir/r" -s "$dir/tiny.ini"
is 1 $status "a compiler that makes no program of ours measures nothing"
is 1 "$(grep -c "^intel-1 is measured by its default and portable schedules: nobody here has read its library" "$dir/err")" "what is measured of it is said in one line"
is "" "$(find "$dir/r" -path '*/samples/*' 2>/dev/null)" "and no sample is left"

# ---- modules ----
cat >"$HOME/.bash_profile" <<END
module() { echo "\$*" >>$dir/modules; export PATH=$dir/o/bin:\$PATH SITE_LINES='a
SITE_FALSE=b' SITE_NOTE=by-module; }
END
say "[mpi openmpi-m]" "modules = site/mpi"
doctor
told openmpi-m "the measuring program of openmpi-m is not there" "a module's MPI is found"
# Each load is repeated in a subshell, for what Environment Modules 3.2 say.
is "2 load site/mpi" "$(uniq -c "$dir/modules" | xargs)" "and loaded once, though several asked"
answer=$(grep -l "env SITE_NOTE=by-module" "$dir"/build/mpi/*.probe)
[ "$answer" ] && ! grep -q SITE_FALSE "$answer"
ok $? "its variables are taken, and a value's second line is none of them"
program nothing/bin/mpirun <<<'exit 0'
echo 'module() { sleep 9 & kill -ALRM $$; }' >"$HOME/.bash_profile"
say "[mpi openmpi-k]" "modules = site/mpi"
doctor
told openmpi-k "look at 'module load site/mpi' by hand, " "a module that does not end"
tap_done
