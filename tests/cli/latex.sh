# shellcheck shell=sh disable=SC2154
# SPDX-License-Identifier: BSD-3-Clause
# latex.sh - for tests of pages, sourced behind run.sh: the tables of a report as LaTeX sets them.

# latex_sets REPORT WHAT: every table of the directory of a report is set, none wider than a line or higher than a page. Two tests, or skipped
# where there is no pdflatex with booktabs.
latex_sets() {
    if ! command -v pdflatex >/dev/null || ! kpsewhich booktabs.sty >/dev/null; then
        skip "no pdflatex with booktabs here" "LaTeX sets every table$2"
        skip "no pdflatex with booktabs here" "none is wider than a line or higher than a page"
        return
    fi
    rm -rf "$dir/latex"
    mkdir "$dir/latex"
    {
        printf '%s\n' '\documentclass{article}' \
            '\usepackage{array,booktabs,graphicx,textcomp}\usepackage[utf8]{inputenc}\usepackage[T1]{fontenc}' '\begin{document}'
        for tex in "$1"/tables/*.tex; do
            cp "$tex" "$dir/latex"
            printf '\\input{%s}\\clearpage\n' "$(basename "$tex" .tex)"
        done
        printf '%s\n' '\end{document}'
    } >"$dir/latex/all.tex"
    (cd "$dir/latex" && pdflatex -interaction=nonstopmode -halt-on-error all.tex >all.out)
    ok $? "LaTeX sets every table$2" && grep -A3 "^!" "$dir/latex/all.out" | sed "s/^/# /"
    is "" "$(grep 'Overfull\|too large' "$dir/latex/all.out")" "none is wider than a line or higher than a page"
}
