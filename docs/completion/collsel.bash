# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Completion of collsel for bash: `. docs/completion/collsel.bash`, or copy it to
# /usr/share/bash-completion/completions/collsel (make install does). The program says what may stand there.
_collsel()
{
    local cur=${COMP_WORDS[COMP_CWORD]}
    [ "$cur" = "=" ] && cur=
    mapfile -t COMPREPLY < <(compgen -W "$("${COMP_WORDS[0]}" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | sort -u)" -- "$cur")
}
complete -o default -F _collsel collsel
