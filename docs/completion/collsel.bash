# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Completion of collsel for bash: `. docs/completion/collsel.bash`, or copy it to
# /usr/share/bash-completion/completions/collsel (make install does). Commands, options, collectives and algorithms are asked of
# the program; names of backends, formats, learners and splits stand here. For zsh: _collsel, beside this file.

# _collsel_files PROGRAM DIRECTORY: the files that end in .ini, without that, of those that are here and those that come with the program.
_collsel_files()
{
    local real
    real=$(dirname "$(readlink -f "$(command -v "$1")")")
    printf '%s\n' "$2"/*.ini "$real/../$2"/*.ini "$real/../../share/collsel/$2"/*.ini | sed -n '/\*/d; s|.*/||; s|\.ini$||p' | sort -u
}

_collsel()
{
    local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words
    [ "$before" = "=" ] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$cur" = "=" ] && cur=
    case ${COMP_WORDS[1]}:$COMP_CWORD:$cur in # words that are no options
    *:-*) ;;
    testbed:3:* | explain:2:*) before=--cluster ;;
    explain:3:* | schedule:2:* | predict:2:*) before=--collective ;;
    schedule:3:* | predict:3:*) before=algorithm ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("$program" --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }')
    elif [ "${COMP_WORDS[1]}" = testbed ] && [ "$COMP_CWORD" -eq 2 ] && [ "${cur#-}" = "$cur" ]; then
        words="up down status start"
    else
        case $before in
        --cluster | -c | --links | --for) words=$(_collsel_files "$program" clusters) ;;
        --study | -s) # a file, or a collective
            words=$({
                _collsel_files "$program" clusters/studies
                "$program" schedule --list 2>/dev/null | awk '{ print $1 }'
            } | sort -u) ;;
        algorithm) words=$("$program" schedule --list 2>/dev/null | awk -v c="${COMP_WORDS[2]}" '$1 == c { print $2 }') ;;
        --collective) words=$("$program" schedule --list 2>/dev/null | awk '{ print $1 }' | sort -u) ;;
        --mapping) words="core socket node" ;;
        --backend | -b) words="auto local slurm sim walk kit" ;;
        --holdout) words="planned alternate-procs alternate-sizes beyond-procs= nodes nodes= cluster= random=" ;;
        --learner) words="safe nearest forest boosting svm knn forest_class boosting_class svm_class knn_class" ;;
        --library) words="openmpi-4.0 openmpi-4.1 openmpi-5.0.0 openmpi-5 openmpi-6 openmpi-4.1-han openmpi-5-han openmpi-6-han mpich-4.0 mpich-4.1 mpich-4.2 mpich-4.3 mpich-5.0 libcollsel" ;;
        --mpi) words="openmpi mpich" ;;
        --as) words="module tcl params env prolog test" ;;
        --plan) words="full adaptive" ;;
        --repository) words="full native paper" ;;
        --default) words="openmpi31 openmpi41 openmpi60 mpich40 mvapich2" ;;
        --mode) words="trace off table star model" ;;
        --format) words="osu imb reprompi csv pico profile nccl tallone" ;;
        --dataset | --with | --on) words=$(printf '%s\n' results/*/*/imported.csv 2>/dev/null | sed -n 's|.*/\([^*/]*\)/imported.csv$|\1|p') ;;
        *) words=$(ARGP_HELP_FMT=rmargin=250 "$program" "${COMP_WORDS[1]}" --help 2>/dev/null |
            sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p') ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _collsel collsel
