#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The kit: packed here, built and run with a compiler, make and one MPI in PATH alone, brought home, reported; hostile archives are refused.
# shellcheck disable=SC2046,SC2086 # several words
. tests/tap.sh
have() { command -v "$1" >/dev/null; }
have mpicc.openmpi || skip_all "no mpicc.openmpi here"
here=$PWD
collsel=$(cd "$build" && pwd)/collsel
cat >"$dir/pc.ini" <<'INI'
[cluster]
name = pc
nodes = 1
sockets = 1
cores = 2
[slurm]
partition = batch
account = theirs
exclude = h3
modules = site/mpi-1 site/mpi-2
setup = note=mine
INI
cat >"$dir/k.ini" <<'INI'
[study]
name = k
collectives = bcast
mpi = openmpi
[grid]
procs = 2
bytes_from = 1K
bytes_to = 16K
bytes_count = 2
ranks_per = core
[candidates]
portable = binomial
openmpi = binomial basic_linear
[measure]
max_reps = 12
budget = 0.1s
repeats = 2
repeats_max = 2
[fit]
experiments = no
INI
work() { # work VERB ARGUMENT...
    "$collsel" "$@" --cluster "$dir/${on:-pc}.ini" --study "$dir/${study:-k}.ini" --results "$dir/results" >"$dir/out" 2>"$dir/err"
}
says() { has "$1" "$(cat "$dir/out" "$dir/err")" "$2"; }

# ---- packed ----

mkfifo "$dir/pipe"
work pack -o "$dir/pipe"
is "1 pipe" "$? $([ -p "$dir/pipe" ] && echo pipe)" "a pipe or device is not replaced by a kit"
says "'$dir/pipe': it is no regular file" "... which is said"
work pack -o "$dir/kit.tar.gz"
is 0 $? "a kit is packed"
is "$dir/kit.tar.gz" "$(cat "$dir/out")" "its name is printed"
says "in 2 of 2 launches" "and what it holds is said"
mkdir "$dir/there" && tar -xzf "$dir/kit.tar.gz" -C "$dir/there"
kit=$dir/there/collsel-kit-pc-k
is 2 "$(grep -c '^sh run.sh openmpi-' "$kit/launches.txt")" "launches.txt has a line for each launch"
has "#SBATCH --array=1-2" "$(cat "$kit/jobs/1-nodes.sbatch")" "a job script has an array of them"
has "#SBATCH --account=theirs" "$(cat "$kit/jobs/1-nodes.sbatch")" "and the cluster's account"
has "#SBATCH --exclude=h3" "$(cat "$kit/jobs/1-nodes.sbatch")" "and the nodes that it leaves out"
# job MODULE STATUS: the job's script where MODULE is not there, which `module` ends with STATUS; its list has no line 9, which run.sh refuses with 2.
job() {
    mkdir -p "$dir/home"
    echo "module() { echo \"\$note \$*\"; [ \$2 != $1 ] || { echo \"ModuleCmd_Load.c(213):ERROR:105: Unable to locate a modulefile for '\$2'\" >&2; return $2; }; }" >"$dir/home/.bash_profile"
    (cd "$kit" && HOME=$dir/home SLURM_ARRAY_TASK_ID=9 bash -l jobs/1-nodes.sbatch) >"$dir/out" 2>"$dir/err"
}
job none 0
is "2 mine load site/mpi-1 mine load site/mpi-2" "$? $(xargs <"$dir/out")" "a job runs the site's line, then loads its modules"
for status in 0 1; do # 0: Environment Modules 3.2
    job site/mpi-2 $status
    is 1 $? "it ends where there is no such module, also where module ends with $status"
    says "collsel: cannot load module 'site/mpi-2' on $(uname -n): mend modules in [slurm] of the cluster file" "... and names it"
done
is "" "$(grep -rl "$here" "$kit" | head -n 1)" "no path of this place is in it"
is "" "$(find "$kit" -type l)" "and no link"
work sweep --backend kit
is 2 $? "a sweep cannot measure by kit"
says "collsel measure pack" "and says what can"
work pack --release "1; rm"
is 2 $? "a release that is none is wrong usage"

sed 's/^mpi = .*/mpi = openmpi mpich/' "$dir/k.ini" >"$dir/two.ini"
study=two work pack --release 4.1.4 -o "$dir/none"
is "2 none" "$? $(ls "$dir" | grep -x none || echo none)" "a release of two libraries is refused"
says "--release 4.1.4: of mpich or of openmpi?" "... which is said"
sed 's/^mpi = .*/mpi = openmpi-4 openmpi-5/' "$dir/k.ini" >"$dir/two.ini"
{ cat "$dir/pc.ini"; for n in 4 5; do printf '[mpi openmpi-%s]\nmpicc = mpicc.openmpi\nmpirun = mpirun.openmpi\n' $n; done; } >"$dir/pc2.ini"
on=pc2 study=two work pack -o "$dir/none"
is 2 $? "two MPIs of a library are no kit, which builds one: both names would be of it"
says "study 'k' has openmpi-4 and openmpi-5, and a kit builds one openmpi (want a study of each)" "... which is said"
work pack -o "$dir/a kit.tgz"
says "tar xzf 'a kit.tgz' && cd" "the line for the cluster has the name that the archive has there, quoted"
work collect "$dir/nothing.tar.gz"
says "no archive '$dir/nothing.tar.gz' (want what \`make results\` wrote there)" "an archive that is not there is called that"

# ---- measured: what PATH has is a shell's tools, a compiler, make and one MPI ----

mkdir "$dir/bin"
for tool in sh make gcc cc as ld ar mpicc.openmpi mpirun.openmpi orted prterun prted awk sed grep sort tr cut find date sleep touch mkdir rmdir rm mv cp cat env id uname \
    hostname tar gzip wc tail head printf cmp ls kill dirname expr stat realpath; do
    path=$(PATH=/usr/bin:/bin:$PATH command -v $tool) && [ "${path#/}" != "$path" ] && ln -s "$path" "$dir/bin/$tool"
done
printf '#!/bin/sh\nexit 1\n' >"$dir/bin/ssh" # Open MPI 4.1 looks for it, and starts nothing by it on one machine
chmod +x "$dir/bin/ssh"
there() { (cd "$kit" && PATH=$dir/bin "$@") >"$dir/out" 2>"$dir/err"; }
there make -s -j2 MPICC=false
is 2 $? "a compiler that is of no MPI is refused"
says "compiles nothing for MPI" "in words"
printf '#!/bin/sh\necho "mpicc: error while loading shared libraries: libx.so.1" >&2\nexit 127\n' >"$dir/bin/broken"
chmod +x "$dir/bin/broken"
there make -s MPICC=broken
says "(mpicc: error while loading shared libraries: libx.so.1)" "one that does not start: with its own"
# A short check takes most objects from the build, as they are of the same sources, which the kit has to have; make builds all where the flags are others. COLLSEL_LONG=1: everything is compiled.
flags=CFLAGS=-O0
if [ -z "${COLLSEL_LONG:-}" ]; then
    flags=
    # What an older build left of sources that are gone is none of it.
    source_is_there() { while read -r object; do [ ! -e "$1/${object%.*}.c" ] || echo "$object"; done; }
    (top=$PWD && cd "$build/openmpi" && tar -cf - flags $(find . -name '*.[od]' ! -path './tests/*' | source_is_there "$top" | sort | awk -F. '{ k = "." $2 } k != last { last = k; n++ } n % 16 != 1')) |
        (mkdir -p "$kit/build/openmpi" && cd "$kit/build/openmpi" && tar -xmf - && find . -name '*.d' -exec sed -i '/\.s*o:/s|^[^ ]*/openmpi/|../build/openmpi/|' {} + &&
            touch -d '1 hour ago' flags && find "$kit/src" -type f -exec touch -d '2 hours ago' {} +)
    is "" "$(cd "$kit/src" && find ../build/openmpi -name '*.d' -exec cat {} + | tr -s ' \\:' '\n' | grep '^[^/.].*\.[ch]$' | sort -u | xargs ls 2>&1 >"$dir/sources")" "what objects are made of is in the kit"
    holds "$(wc -l <"$dir/sources") > 100" "all of it: $(wc -l <"$dir/sources") files"
fi
there make -s -j2 MPICC=mpicc.openmpi MPIRUN=mpirun.openmpi $flags
is 0 $? "it is built"
is "" "$(grep -i 'warning' "$dir/err" | head -n 3)" "without a warning"
is "" "$(ldd "$kit/build/openmpi/measure" | grep -E 'libcsv|gsl|jansson|inih|xgboost')" "from nothing but MPI and libc"
[ -s "$kit/build/openmpi/libcollsel-openmpi.so" ]
ok $? "so is libcollsel"
there make status
says "0 of 2 launches are finished" "nothing is measured yet"
there make results
says "nothing is measured yet" "so there are no results"
there sh run.sh no-such-launch
is 2 $? "a launch that is none is wrong usage"
first=$(sed -n '1s/^sh run.sh \([^ ]*\).*/\1/p' "$kit/launches.txt")
second=$(sed -n '2s/^sh run.sh \([^ ]*\).*/\1/p' "$kit/launches.txt")

# A launcher that hangs: the limit ends it, it is tried again, then given up for this run.
sed 's/^point_limit=.*/point_limit=1/; s/^retries=.*/retries=0/' "$kit/kit.conf" >"$kit/kit.conf.new"
cp "$kit/kit.conf" "$dir/kit.conf"
mv "$kit/kit.conf.new" "$kit/kit.conf"
cp "$kit/build/openmpi/mpirun" "$dir/mpirun"
printf '#!/bin/sh\necho $$ >>%s/hanging\nexec sleep 1000\n' "$dir" >"$dir/bin/hangs"
gone() { [ -z "$(alive)" ]; }
alive() { for pid in $(cat "$dir/hanging"); do kill -0 "$pid" 2>/dev/null && echo "$pid"; done; }
chmod +x "$dir/bin/hangs"
echo "$dir/bin/hangs" >"$kit/build/openmpi/mpirun"
there sh run.sh "$first"
is 1 $? "a launch that hangs is not finished"
says "timeout: hung: no sign of progress" "and is ended by its limit"
soon gone # a process ends a moment after it is told to
is "" "$(alive)" "with its launcher"
has '"event":"timeout"' "$(cat "$kit/results/events/$first.jsonl")" "which is noted"
cp "$dir/kit.conf" "$kit/kit.conf"
cp "$dir/mpirun" "$kit/build/openmpi/mpirun"

# Told to stop, as scancel does: at once it can be run again, and the library that is missing is named once.
printf '#!/bin/sh\necho $$ >>%s\nexec sleep 1000\n' "$dir/hanging" >"$dir/bin/hangs"
: >"$dir/hanging"
begun() { [ -s "$dir/hanging" ]; }
echo "$dir/bin/hangs" >"$kit/build/openmpi/mpirun"
(cd "$kit" && PATH=$dir/bin exec sh run.sh "$first") >"$dir/out" 2>"$dir/err" &
soon begun
there make status
says "$first: 0 of 8 points, at work" "status says what is at work"
kill -TERM $!
wait $!
is 1 $? "a launch that is told to stop stops"
has '"event":"interrupted"' "$(tail -n 1 "$kit/results/events/$first.jsonl")" "which is noted"
soon gone
is "" "$(alive)" "no launcher outlives it"
: >"$dir/hanging"
(cd "$kit" && PATH=$dir/bin exec sh run.sh --all) >"$dir/out" 2>"$dir/err" &
soon begun
kill -TERM $!
wait $!
is 1 $? "a list of launches that is told to stop stops"
soon gone
is "" "$(alive)" "with the launch that was at work, and its launcher"
is "" "$(ls "$kit/results/locks")" "which it has let go"
mv "$kit/build/openmpi" "$kit/build/away"
there make run
says "openmpi is not built here (launches that want it: 2)" "what is not built is said"
is 1 "$(cat "$dir/out" "$dir/err" | grep -c 'is not built')" "once"
mv "$kit/build/away" "$kit/build/openmpi"
cp "$dir/mpirun" "$kit/build/openmpi/mpirun"

# Launches that measure nothing: three, not all.
sed 's/^repeats.*= 2/&0/; s/^name = k/name = many/' "$dir/k.ini" >"$dir/many.ini"
"$collsel" pack --cluster "$dir/pc.ini" --study "$dir/many.ini" --results "$dir/results" -o "$dir/many.tar.gz" >"$dir/out" 2>"$dir/err"
is 0 $? "a kit of many launches ($(tail -n 1 "$dir/err"))"
tar -xzf "$dir/many.tar.gz" -C "$dir/there"
many=$dir/there/collsel-kit-pc-many
cp -r "$kit/build" "$many/build"
printf '#!/bin/sh\nexit 3\n' >"$dir/bin/fails"
chmod +x "$dir/bin/fails"
echo "$dir/bin/fails" >"$many/build/openmpi/mpirun"
(cd "$many" && PATH=$dir/bin sh run.sh --all) >"$dir/out" 2>"$dir/err"
is 1 $? "a list of launches that measure nothing"
says "stopped: 3 launches measured nothing" "stops"
is 3 "$(find "$many/results/events" -type f | wc -l)" "after three of them"

there env OMPI_MCA_coll_tuned_bcast_algorithm=3 sh run.sh "$first"
is 0 $? "run again it is measured"
says "points finished" "and says so"
[ -e "$kit/results/done/$first" ]
ok $? "it is marked as done"
events=$(grep -c . "$kit/results/events/$first.jsonl")
there sh run.sh "$first"
is 0 $? "run once more there is nothing to do"
is "$events" "$(grep -c . "$kit/results/events/$first.jsonl")" "and nothing is started"

# Half of a launch: what is finished is not measured again.
there make results
is 0 $? "an archive of half the launches"
archive=$kit/collsel-results-pc-k.tar.gz
"$collsel" collect "$archive" --results "$dir/results" >"$dir/out" 2>"$dir/err"
is 1 $? "comes home: points are missing"
says "collsel measure pack makes a kit of the others" "and how to go on is said"
work pack -o "$dir/rest.tar.gz"
says "in 1 of 2 launches" "packed again, the kit holds the other launch alone"
tar -xzf "$dir/rest.tar.gz" -C "$dir/there"
there sh run.sh "$second"
is 0 $? "it is measured"
there make results
cp -r "$dir/results" "$dir/before"
"$collsel" collect "$archive" --results "$dir/results" >"$dir/out" 2>"$dir/err"
is 0 $? "all is at home"
says "openmpi $(mpirun.openmpi --version | sed -n '1s/.* \([0-9.]*[0-9]\).*/\1/p')" "with the release that the library told"
"$collsel" collect "$archive" --results "$dir/results" >"$dir/out" 2>"$dir/err"
says "0 files and 0 events are new" "the same archive again brings nothing"
at=$dir/results/pc/k
for other in "busybox tar" bsdtar; do
    command -v ${other%% *} >"$dir/out" || { skip "$other is not installed" "an archive is read by $other"; continue; }
    rm -rf "$dir/again" "$dir/tars" && cp -r "$dir/before" "$dir/again" && mkdir "$dir/tars"
    printf '#!/bin/sh\nexec %s "$@"\n' "$other" >"$dir/tars/tar" && chmod +x "$dir/tars/tar"
    PATH=$dir/tars:$PATH "$collsel" collect "$archive" --results "$dir/again" >"$dir/out" 2>"$dir/err"
    is 0 $? "with $other all is at home, too"
    is "" "$(diff -r "$at/samples" "$dir/again/pc/k/samples" 2>&1)" "to the byte"
    mkdir "$dir/odd" && ln -s /etc/passwd "$dir/odd/kit.conf" && tar -C "$dir/odd" -cf "$dir/odd.tar" kit.conf && rm -r "$dir/odd"
    PATH=$dir/tars:$PATH "$collsel" collect "$dir/odd.tar" --results "$dir/again" >"$dir/out" 2>"$dir/err"
    says "is a link or a device" "and a link is refused"
done
is "" "$(awk -F , 'FNR > 1 && $2 != "ok" && $2 != "substituted"' "$at"/samples/*.outcomes.csv)" "every point has a time that counts"
is "interposed" "$(awk -F , 'FNR > 1 && $4 == "interposed" { print $4; exit }' "$at"/samples/*.outcomes.csv)" "native algorithms are proved to have run"
work report --backend kit
is 0 $? "the study is reported"
has "measured by a kit, on the cluster itself" "$(cat "$at"/report/*.html)" "and the page says how it was measured"

# ---- hostile archives ----

before=$(find "$at" -type f ! -name .lock | sort | xargs cksum | cksum)
# refused WHAT PART: the archive at $dir/bad.tar is refused with that part of a sentence.
refused() {
    "$collsel" collect "$dir/bad.tar" --results "$dir/results" >"$dir/out" 2>"$dir/err"
    is 1 $? "refused: $1"
    says "$2" "and the message says why"
}
bad=$dir/bad
# fresh: a directory with what the right archive holds.
fresh() { rm -rf "$bad" "$dir/bad.tar" && mkdir "$bad" && tar -xzf "$archive" -C "$bad"; }
pack_bad() { tar -C "$bad" -cf "$dir/bad.tar" "$@"; }
fresh && sed -i 's/^digest=.*/digest=00000000/' "$bad/kit.conf" && pack_bad kit.conf results
refused "another digest" "belongs to another plan"
fresh && ln -s /etc/passwd "$bad/results/samples/$first.a9-00000000.csv" && pack_bad kit.conf results
refused "a link" "is a link or a device"
fresh && (cd "$bad" && tar -cPf "$dir/bad.tar" --transform 's,^kit.conf,../kit.conf,' kit.conf results) 2>/dev/null
refused "a name that leads out" "leads out of the directory"
fresh && (cd "$bad" && tar -cPf "$dir/bad.tar" --transform 's,^results/,/tmp/results/,' kit.conf results) 2>/dev/null
refused "an absolute name" "leads out of the directory"
fresh && echo x >"$bad/results/samples/openmpi-core-1x2-p64-r1.a1-00000000.csv" && pack_bad kit.conf results
refused "a launch that is not planned" "none of this plan's"
fresh && mkdir "$bad/results/report" && echo x >"$bad/results/report/index.html" && pack_bad kit.conf results
refused "a file that no kit writes" "is no file of a kit's results"
fresh && id=$(cat "$bad/results/samples/$second.a"*.outcomes.csv | sed -n "2s/,.*//p") && sed -i "s/^$id,/0123456789abcdef,/" "$bad"/results/samples/"$second".a*.csv && pack_bad kit.conf results
refused "points that are not planned" "point 0123456789abcdef is none of"
fresh && for f in "$bad"/results/samples/*[0-9a-f].csv; do echo 'x,y' >>"$f"; done && pack_bad kit.conf results
refused "rows that are none" "fields (want"
fresh && for f in "$bad"/results/events/*.jsonl; do sed -i 's/"started"/"submitted"/' "$f"; done && pack_bad kit.conf results
refused "events of another kind" "is none of this plan's"
fresh && for f in "$bad"/results/launches/*.a*.csv; do echo >>"$f"; done && pack_bad kit.conf results
refused "other files than those at home" "two copies of a kit measured the same launch"
fresh && for f in "$bad"/results/samples/*-r1*[0-9a-f].csv; do sed -i 's/^# mpi_version: .*/# mpi_version: 9.9.9/' "$f"; done && pack_bad kit.conf results
refused "two releases" "9.9.9"
perl -e 'my $h = pack("a100a8a8a8a12a12a8a1a100a6a2", "results/samples/x", "0000644", "0000000", "0000000", "77777777777", "00000000000", " " x 8, "0", "", "ustar", "00");
    $h .= "\0" x (512 - length $h); my $s = 0; $s += ord for split //, $h; substr($h, 148, 8) = sprintf("%06o\0 ", $s); print $h' >"$dir/bad.tar"
refused "a file of 8 GiB" "is too large"
head -c 100000 /dev/urandom >"$dir/bad.tar"
refused "what is no archive" "is no tar archive"
gzip -c "$dir/bad.tar" >"$dir/bad.tar.gz" && mv "$dir/bad.tar.gz" "$dir/bad.tar"
refused "nor by gzip" "is no tar archive"
fresh && pack_bad kit.conf results && gzip -c "$dir/bad.tar" | head -c 3000 >"$dir/cut" && mv "$dir/cut" "$dir/bad.tar"
refused "half an archive" "cut short"
is "$before" "$(find "$at" -type f ! -name .lock | sort | xargs cksum | cksum)" "and nothing of them is at home"
is "" "$(find "$dir/results" -name '.bring-*' -o -name '.pack-*')" "nor anything left over"
tap_done
