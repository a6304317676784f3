# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Completion of collsel for bash: `. docs/completion/collsel.bash`, or copy it to
# /usr/share/bash-completion/completions/collsel. Commands and options are asked of the program; names of
# backends, formats, learners and splits stand here.
_collsel()
{
    local program=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local words
    [ "$before" = "=" ] && before=${COMP_WORDS[COMP_CWORD - 2]}
    [ "$cur" = "=" ] && cur=
    if [ "$COMP_CWORD" -eq 1 ]; then
        words=$("$program" --help 2>/dev/null | awk '/^  [a-z]/ { print $1 }')
    elif [ "${COMP_WORDS[1]}" = testbed ] && [ "$COMP_CWORD" -eq 2 ] && [ "${cur#-}" = "$cur" ]; then
        words="up down status start"
    else
        [ "${COMP_WORDS[1]}" = testbed ] && [ "$COMP_CWORD" -eq 3 ] && before=--cluster
        case $before in
        --cluster | -c | --links | --for) words=$(cd clusters 2>/dev/null && printf '%s\n' ./*.ini | sed 's|.*/||; s|\.ini$||') ;;
        --study | -s) words=$(cd clusters/studies 2>/dev/null && printf '%s\n' ./*.ini | sed 's|.*/||; s|\.ini$||') ;;
        --collective) words=$("$program" schedule --list 2>/dev/null | awk '{ print $1 }' | sort -u) ;;
        --mapping) words="core socket node" ;;
        --backend | -b) words="auto local slurm sim walk" ;;
        --holdout) words="planned alternate-procs alternate-sizes beyond-procs= nodes nodes= cluster= random=" ;;
        --learner) words="safe nearest forest boosting svm knn forest_class boosting_class svm_class knn_class" ;;
        --library) words="openmpi-4.0 openmpi-4.1 openmpi-5 openmpi-6 mpich-4.0 mpich-4.3 libcollsel" ;;
        --mpi) words="openmpi mpich" ;;
        --repository) words="full native paper" ;;
        --mode) words="trace off table star model" ;;
        --format) words="osu imb reprompi csv pico profile tallone" ;;
        --dataset | --with | --on) words=$(printf '%s\n' results/*/*/imported.csv 2>/dev/null | sed -n 's|.*/\([^*/]*\)/imported.csv$|\1|p') ;;
        *) words=$(ARGP_HELP_FMT=rmargin=250 "$program" "${COMP_WORDS[1]}" --help 2>/dev/null |
            sed -n 's/^ *\(-., \)\{0,1\}\(--[a-z-]*\).*/\2/p') ;;
        esac
    fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _collsel collsel
