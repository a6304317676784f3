#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck disable=SC1091,SC2154
# collsel export --as: modules, exports, a task prolog, parameters, and the job that tests them; under a path that every reader has to quote.
. tests/workloads/lib.sh
run() {
    "$collsel" "$@" >"$dir/out" 2>"$dir/err"
    status=$?
}
says() { has "$1" "$(cat "$2")" "$3"; }
results=$dir/results
at="$dir/a b'c\"d\$e[f]{g}\\h"
mkdir -p "$at"

# rules NAME LIBRARY READER ALGORITHM: a file of rules from planted times.
rules() {
    { echo collective,P,alg,bytes,us
      for p in 3 4; do for m in 1024 65536; do echo "bcast,$p,default,$m,100"; echo "bcast,$p,$4,$m,50"; done; done; } >"$dir/$1.csv"
    run import -q -c peak --name "$1" --results "$results" --format csv --mpi "$2" --set mapping=core \
        --map collective=collective,procs=P,bytes=bytes,algorithm=alg,max_s=us:us "$dir/$1.csv"
    run fit -q -c peak --results "$results" --dataset "$1"
    run export -c peak --results "$results" --dataset "$1" --unsure --library "$3" --output "$dir/$1.rules" --install-path "$at" "${@:5}"
}
# release PROGRAM...: of what is installed here.
openmpi_reader() { mpirun.openmpi --version 2>/dev/null | sed -n 's/.*Open MPI) \([0-9]*\)\.\([0-9]*\).*/\1 \2/p' | { read -r a b && if [ "$a" = 4 ]; then echo "openmpi-4.$b"; else echo "openmpi-$a"; fi; }; }
ours=$(openmpi_reader)
theirs=$(mpich_reader)

rules o openmpi "${ours:=openmpi-4.1}" chain --as env
is 0 $status "rules and how to roll them out at once"
has "$at/o.rules" "$(sed '/^ *"/s/\\\([\\"]\)/\1/g' "$dir/o.rules")" "the head names where the file will lie"
is "" "$(grep "$dir/o.rules" "$dir/o.rules")" "not where it was written"
says "if [ -r " "$dir/out" "exports are printed"
rules m mpich "${theirs:=mpich-4.0}" scatter_ring_allgather
is 0 $status "rules of MPICH"
cp "$dir/o.rules" "$dir/m.rules" "$dir/m.rules.ch4" "$at"

out() { run export --as "$1" --from "$dir/o.rules" --from "$dir/m.rules" --install-path "$at" "${@:2}"; }
of_openmpi="OMPI_MCA_coll_tuned_dynamic_rules_filename=$at/o.rules OMPI_MCA_coll_tuned_use_dynamic_rules=1"
wanted="MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$at/m.rules.ch4 MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=$at/m.rules $of_openmpi"
of_device="MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE=$at/m.rules.ch4"
own="OMPI_MCA_coll_tuned_dynamic_rules_filename=mine OMPI_MCA_coll_tuned_use_dynamic_rules=1"
set_now() { grep -E '^(OMPI_MCA_coll_tuned|MPIR_CVAR_(CH4_)?COLL_SEL)' | LC_ALL=C sort | paste -sd' '; }

# Exports.
out env --output "$dir/env.sh"
is 0 $status "exports of both libraries"
# Rules of 5.0 leave components out, too.
components=$(grep -o 'OMPI_MCA_coll=' "$dir/env.sh" | head -n 1 | tr -d =)
in_shell() { env -i PATH="$PATH" "$1" -c "$2"' . "$0"; env' "$dir/env.sh" 2>"$dir/told"; }
for sh in sh bash; do
    is "$wanted" "$(in_shell $sh '' | set_now)" "$sh reads them"
    is "" "$(in_shell $sh 'COLLSEL_TUNING=off;' | set_now)" "and leaves them where the job wants none"
    is "" "$(in_shell $sh '. "$0"; COLLSEL_TUNING=off;' | set_now)" "which takes back what was set before"
done
for off in '' 'COLLSEL_TUNING=off;'; do
    is "$own" "$(in_shell sh "$off export $own;" | set_now | sed "s/^MPIR.*m.rules //")" "what a job has set itself stays, all of it${off:+, also where it wants none}"
done
in_shell sh "export $own;" >/dev/null
says "collsel: left out, as this is set already: OMPI_MCA_coll_tuned_use_dynamic_rules OMPI_MCA_coll_tuned_dynamic_rules_filename: $at/o.rules" "$dir/told" "and is told"
mv "$at/m.rules" "$at/gone"
is "$of_device $of_openmpi" "$(in_shell sh '' | set_now)" "a file that is not there is left out"
says "collsel: left out, as it cannot be read: $at/m.rules" "$dir/told" "and told"

# The device's tree for an accelerator's memory, too: its variable names the same file, in what is made of the file later as well.
rules g mpich mpich-5.0-gpu scatter_ring_allgather --as env
is 0 $status "rules for both memories of MPICH 5.0"
gpu=" MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE_GPU="
is "2 1" "$(grep 'export MPIR' "$dir/out" | grep -o "=[^=]*g\.rules\.ch4'" | wc -l) $(grep -c "$gpu" "$dir/out")" "two variables name the device's file"
[ "$theirs" != mpich-5.0 ] || says "loaded once by mpich 5.0" "$dir/g.rules" "the library that is here has loaded it for both"
run export --as env --from "$dir/g.rules" --install-path "$at"
says "$gpu" "$dir/out" "rolled out from the file, too"
run export --as env --from "$dir/m.rules" --install-path "$at"
is 0 "$(grep -c "$gpu" "$dir/out")" "and not from one that is for the host's memory"
run export --as env --from "$dir/g.rules" --from "$dir/m.rules" --install-path "$at"
is 2 $status "both at once are too many"

# A task prolog: what it prints is what Slurm takes, a line for each.
out prolog --output "$dir/prolog"
is "0 x" "$status $([ -x "$dir/prolog" ] && echo x)" "a task prolog, executable"
prolog() { env -i PATH="$PATH" SLURM_PROCID="${rank:-0}" "$@" sh "$dir/prolog"; }
is "print collsel: left out, as it cannot be read: $at/m.rules" "$(prolog env | grep print)" "says once what is not there"
is "" "$(rank=1 prolog env | grep print)" "not for each rank"
mv "$at/gone" "$at/m.rules"
is "$wanted" "$(prolog env | sed -n 's/^export //p' | set_now)" "it prints exports, as they stand"
is "" "$(prolog env | grep -v '^export [A-Za-z0-9_]*=')" "and nothing else"
is "$at/m.rules $at/m.rules.ch4" "$(prolog env OMPI_MCA_coll_tuned_dynamic_rules_filename=mine | sed -n 's/.*_FILE=//p' | paste -sd' ')" "a job's own settings stay, the other library's are made"
is "" "$(prolog env OMPI_MCA_coll_tuned_dynamic_rules_filename=mine | grep OMPI)" "of that library nothing is added"
is "" "$(prolog env COLLSEL_TUNING=off)" "where the job wants none nothing is printed"
is "${components:+unset $components }unset OMPI_MCA_coll_tuned_use_dynamic_rules unset OMPI_MCA_coll_tuned_dynamic_rules_filename" \
    "$(prolog env COLLSEL_TUNING=off OMPI_MCA_coll_tuned_dynamic_rules_filename="$at/o.rules" | xargs)" "but what undoes what a step before was given"
is "" "$(prolog env COLLSEL_TUNING=off $own)" "not what the job had set itself"

# Modules, with the words of Lmod and Environment Modules planted.
out module --output "$dir/tuning.lua"
is 0 $status "a module of Lmod"
cat >"$dir/lmod.lua" <<'END'
local file, how = arg[1], arg[2]
function mode() return how end
function setenv(name, value) if how == "unload" then print("unset " .. name) else print(name .. "=" .. value) end end
function isFile(path) local f = io.open(path); if f then f:close() end; return f ~= nil end
function LmodMessage(text) io.stderr:write(text, "\n") end
function whatis() end
function help() end
dofile(file)
END
loaded() { # loaded WORD...: with the environment of what was loaded
    env OMPI_MCA_coll_tuned_dynamic_rules_filename="$at/o.rules" OMPI_MCA_coll_tuned_use_dynamic_rules=1 \
        MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE="$at/m.rules" MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE="$at/m.rules.ch4" "$@" 2>"$dir/told"
}
module_claims() { # module_claims WORD...: loads or unloads, by the next word
    is "$wanted" "$("$@" load 2>"$dir/told" | set_now)" "sets what is wanted"
    is "" "$(COLLSEL_TUNING=off "$@" load | set_now)" "nothing where the job wants none"
    is "$("$@" load | sed 's/=.*//' | sort)" "$(COLLSEL_TUNING=off loaded "$@" unload | sed 's/unset //' | sort)" "unloaded it takes all back"
    is "$wanted" "$(loaded "$@" load | set_now)" "loaded again it sets the same"
    # shellcheck disable=SC2086  # two words
    is "" "$(env $own "$@" load 2>"$dir/told" | grep OMPI)" "what a job has set itself stays"
    says "collsel: left out, as OMPI_MCA_coll_tuned_use_dynamic_rules is set already: $at/o.rules" "$dir/told" "which is told"
    # shellcheck disable=SC2086  # two words
    is "" "$(env $own "$@" unload)" "and stays when the module is unloaded"
    mv "$at/o.rules" "$at/gone"
    is "" "$("$@" load 2>"$dir/told" | grep OMPI)" "a file that is not there is left out"
    says "$at/o.rules" "$dir/told" "and told"
    mv "$at/gone" "$at/o.rules"
}
for lua in lua lua5.4 lua5.3 ''; do command -v "$lua" >/dev/null && break; done
if [ -n "$lua" ]; then
    module_claims "$lua" "$dir/lmod.lua" "$dir/tuning.lua"
else
    skip "no lua" "the module is read as Lmod reads it"
fi
out tcl --output "$dir/tuning"
is 0 $status "a module of Environment Modules"
is "#%Module1.0" "$(head -1 "$dir/tuning")" "is known by its first line"
# Environment Modules 3.2 (in C, 2012) had these commands in modulefiles, without options (its modulefile(4)), beside those of Tcl 8.4.
old=" append-path chdir conflict is-loaded module module-alias module-info module-user module-verbosity module-version module-whatis prepend-path \
 prereq remove-path set-alias setenv unset-alias unsetenv system uname x-resource else elseif expr file foreach if info list lsearch proc puts return set \
 path name use wanted " # the last are words of lists and procedures of its own
unknown() { sed 's/\\.//g; s/"[^"]*"/S/g' "$1" | grep -v '^ *#' | grep -oE '(^|[{[]) *[a-z][a-z-]*( -[a-z-]+)?|} else(if)?' | sed 's/^[[{} ]*//' | sort -u |
    while read -r word option; do case $old in *" $word "*) [ -z "$option" ] || echo "$word $option" ;; *) echo "$word" ;; esac; done; }
is "" "$(unknown "$dir/tuning")" "it uses commands that Environment Modules 3.2 had, alone"
printf '    setenv --set A "b"\nif {[is-avail c]} {\n' >"$dir/newer"
is "is-avail setenv --set" "$(unknown "$dir/newer" | xargs)" "as newer ones would be found"
cat >"$dir/modules.tcl" <<'END'
lassign $argv file how
proc module-info {what} { global how; return $how }
proc module-whatis {text} {}
proc setenv {name value} { global how; if {$how eq "unload"} { puts "unset $name" } else { puts "$name=$value" } }
source $file
END
if have tclsh; then
    module_claims tclsh "$dir/modules.tcl" "$dir/tuning"
    # 3.2 calls it remove, and knows no other word for it.
    sed -i 's/return $how/return [expr {$how eq "unload" ? "remove" : $how}]/' "$dir/modules.tcl"
    is $((4 + 0${components:+1})) "$(loaded tclsh "$dir/modules.tcl" "$dir/tuning" unload | grep -c unset)" "unloaded by Environment Modules 3.2 it takes all back, too"
else
    skip "no tclsh" "the module is read as Environment Modules read it"
fi

# Parameters.
run export --as params --from "$dir/o.rules" --install-path "$at"
is 0 $status "parameters of Open MPI"
is "coll_tuned_dynamic_rules_filename = $at/o.rules" "$(tail -1 "$dir/out")" "name the file"
says "OMPI_MCA_coll_tuned_use_dynamic_rules=0" "$dir/out" "and say how a job goes without"
out params
is 2 $status "MPICH has no such file"
says "mpich reads no file of parameters (want --as module, tcl, env or prolog)" "$dir/err" "which is said, with what it has"
run export --as params --from "$dir/o.rules" --install-path "/x/y " --output "$dir/none"
is 0 $status "a directory may end with a blank"
cp "$dir/o.rules" "$dir/o.rules "
run export --as params --from "$dir/o.rules " --install-path /x --output "$dir/none2"
is 2 $status "a file may not, in parameters"
run export --as env --from "$dir/o.rules" --install-path "/x:~/y"
is 2 $status "nor may a path have what Open MPI takes for a home"
run export --as env --from "$dir/o.rules" --install-path "/x
y"
is 2 $status "nor a new line"
run export --as env --from "$dir/o.rules" --install-path x
is 2 $status "it is absolute"

# What cannot be rolled out.
echo 'btl = ^tcp' >"$dir/site.conf"
run export --as params --from "$dir/o.rules" --output "$dir/site.conf"
is "1 btl = ^tcp" "$status $(cat "$dir/site.conf" "$dir/out")" "a file of the site's own lines is not replaced"
says "is there, and not written by collsel" "$dir/err" "which is said"
mkdir "$dir/p" "$dir/q"
cp "$dir/o.rules" "$dir/p/same.rules"
for f in m.rules m.rules.ch4; do cp "$dir/$f" "$dir/q/same${f#m}"; done
run export --as env --from "$dir/p/same.rules" --from "$dir/q/same.rules" --install-path "$at"
is 2 $status "two files would be one in the directory where they go"
says "'$at/same.rules': two files of this name" "$dir/err" "which is said"
run export --as env --from "$dir/o.rules" --from "$dir/o.rules"
is 2 $status "two files of one library are too many"
run export --as env --from /etc/passwd
is 1 $status "a file of others is none"
says "its head does not say whose rules they are" "$dir/err" "which is said"
head -c -30 "$dir/m.rules" >"$dir/cut.rules"
run export --as env --from "$dir/cut.rules"
is 1 $status "nor is one that was cut off"
run export --from "$dir/o.rules"
is 2 $status "--from wants a form"
run export --as lmod --from "$dir/o.rules"
is 2 $status "of those that there are"
rules t openmpi libcollsel chain
run export --as env --from "$dir/t.rules"
is 2 $status "a table of ours is loaded by no library"

# The job, under the libraries that are here.
out test --output "$dir/test.sh"
is 0 $status "a job that tests it"
sh -n "$dir/test.sh"
is 0 $? "is a script"
# job MPI LAUNCHER [LINE]
job() { (cd "$dir" && MPICC=mpicc.$1 LAUNCH=$2 timeout 900 sh "$dir/test.sh" "${@:3}") >"$dir/out" 2>"$dir/err"; status=$?; remark "$(cat "$dir/out")"; }
# tested MPI LAUNCHER CLAIMS: arrived, not arrived, changed.
tested() {
    cp "$dir/o.rules" "$dir/m.rules" "$at"
    job "$1" "$2" ". '$dir/env.sh'"
    is "0 0" "$status $(grep -c '^NOT: ' "$dir/out")" "$1: it arrives, is read, and a job can go without"
    holds "$(grep -c '^ok: ' "$dir/out") >= 3" "$1: which are three claims, or one more where a file goes beside"
    job "$1" "$2"
    is "1 1" "$status $(grep -c '^NOT: every rank' "$dir/out")" "$1: without what loads it, that is seen"
    echo '# changed' >>"$at/o.rules"
    printf ' ' >>"$at/m.rules"
    job "$1" "$2" ". '$dir/env.sh'"
    is "1 1" "$status $(grep -c '^NOT: every rank' "$dir/out")" "$1: so is a file that is another one"
    cp "$dir/o.rules" "$dir/m.rules" "$at"
}
if have mpicc.openmpi; then
    tested openmpi "mpirun.openmpi $(as_root) --oversubscribe --mca mpi_yield_when_idle 1 -n 4" 3
    mkdir -p "$dir/home/.openmpi"
    run export --as params --from "$dir/o.rules" --install-path "$at" --output "$dir/home/.openmpi/mca-params.conf"
    HOME=$dir/home job openmpi "mpirun.openmpi $(as_root) --oversubscribe --mca mpi_yield_when_idle 1 -n 4"
    is "0 3" "$status $(grep -c '^ok: ' "$dir/out")" "by parameters, too"
else
    skip "no mpicc.openmpi" "the job under Open MPI"
fi
if have mpicc.mpich && [ -n "$(mpich_reader)" ]; then
    tested mpich "mpirun.mpich -n 4" 4
else
    skip "no mpicc.mpich, or a release whose files nobody here reads" "the job under MPICH"
fi
tap_done
