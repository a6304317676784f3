#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The pages of a report in a browser, by ci/pages: the first one is one screen at 1440 x 900, three of a phone, one A4 page in
# print and at most 300 KiB; none is wider than its window. `report --brief` says the same as the first page.
. tests/cli/run.sh
for tool in gnuplot pandoc chromium; do
    command -v $tool > /dev/null || skip_all "$tool is not installed"
done

run report -q -b walk -c gros -s tests/cli/small.ini --results "$dir/results" --brief
is 0 "$status" "a report is made and said in short"
at=$dir/results/gros/small-walk/report
ci/pages "$at" > "$dir/pages" 2> "$dir/err"
status=$?
[ $status != 77 ] || skip_all "$(cat "$dir/err")"
is 0 "$status" "its pages are no higher, wider or larger than they may be, and the console is silent"
[ $status = 0 ] || sed 's/^/# /' "$dir/pages"
is "$(find "$at" -name '*.html' | wc -l)" "$(grep -c '\.html ' "$dir/pages")" "all are measured"
says "$(head -n 1 "$dir/out" | sed 's/.*default, \(.*\) (.*/\1/')" "$at/index.html" "the verdict on the terminal is the page's"
# sheets: of choices.html in print, with a table of 500 rows that is folded or not.
sheets() {
    rm -rf "$dir/long" && mkdir "$dir/long"
    { sed '/<main>/q' "$at/choices.html"; echo "<div class=\"table\"><details$1><summary>x</summary><div><table><tbody>"; seq -f '<tr><td>%g</td></tr>' 500; echo '</table></div></details></div></main></div></body></html>'; } > "$dir/long/choices.html"
    ci/pages "$dir/long" 2> "$dir/err" | awk '/choices/ { print $NF }'
}
# sheets_of N: of a page with N drawings as high as the widest ones, and nothing else.
sheets_of() {
    rm -rf "$dir/long" && mkdir "$dir/long"
    { sed '/<main>/q' "$at/choices.html"; for _ in $(seq "$1"); do echo '<figure><div class="scroll paper"><svg viewBox="0 0 1040 700"><rect width="1040" height="700"/></svg></div></figure>'; done; echo '</main></div></body></html>'; } > "$dir/long/choices.html"
    ci/pages "$dir/long" 2> "$dir/err" | awk '/choices/ { print $NF }'
}
is "1 2" "$(sheets_of 2) $(sheets_of 6)" "in print three drawings share a sheet"
is 1 "$(sheets '')" "in print a folded table of 500 rows shows the first ones"
holds "$(sheets ' open') > 5" "... and one that is opened all of them"
sed -i 's/--soft: #9aa5ae/--soft: #4a555e/' "$at/machine.html"
ci/pages "$at" > "$dir/pages" 2> "$dir/err"
is "1 machine.html" "$? $(sed -n 's|.*/\(.*html\): too little contrast .*p.subtitle:2.*|\1|p' "$dir/pages")" "a text that is too dark in dark mode fails it"
# Entries of long names, in two mappings, up to 131072 processes: their names touch nothing in the drawings.
mkdir "$dir/first"
printf '[cluster]\nname = wide\nnodes = 131072\nsockets = 1\ncores = 2\n' >"$dir/wide.ini"
awk 'BEGIN {
    print "mpi,mapping,collective,algorithm,procs,bytes,t"
    split("openmpi-4.1-debian-packages mpich-4.0-debian", mpi); split("core node", mapping); split("2 131072", p); split("8 1048576", m)
    n = split("bcast default,bcast binomial,allreduce default,allreduce recursive_doubling,reduce_scatter_block default,reduce_scatter_block recursive_doubling,alltoall default,alltoall pairwise", a, ",")
    for (l in mpi) for (k in mapping) for (i = 1; i <= n; i++) for (j in p) for (b in m) {
        split(a[i], w, " "); print mpi[l] "," mapping[k] "," w[1] "," w[2] "," p[j] "," m[b] "," (w[2] == "default" ? 2 + i : 1) * p[j]
    } }' >"$dir/t.csv"
run import -q -c "$dir/wide.ini" --results "$dir/results" --name entries --format csv --map mpi=mpi,mapping=mapping,collective=collective,algorithm=algorithm,procs=procs,bytes=bytes,max_s=t:us "$dir/t.csv"
run report -q -c "$dir/wide.ini" --dataset entries --results "$dir/results"
is 0 "$status" "entries of long names are reported"
cp "$dir/results/wide/entries/report/index.html" "$dir/first"
ci/pages "$dir/first" >"$dir/pages" 2>"$dir/err"
is 0 "$?" "no text of a drawing is cut or touches another one, whatever a library is called"
says "A: openmpi-4.1-debian-packages" "$dir/first/index.html" "long names stand in a legend"
ci/pages "$dir/results/wide/entries/report" >"$dir/pages" 2>"$dir/err"
holds "$(awk '/selectors.html/ { h = $2 } END { print h + 0 }' "$dir/pages") <= 4500 && $(awk '/models.html/ { h = $2 } END { print h + 0 }' "$dir/pages") <= 4500" "of sixteen tables of selectors all but two are folded: five screens at most"
is 1 "$(grep -c 'class="more"><summary>14 more' "$dir/results/wide/entries/report/selectors.html")" "... together, behind one line"
has "What each selector loses" "$(sed '/<table/q' "$dir/results/wide/entries/report/selectors.html")" "a picture of all stands before them"
is 0 "$(awk 'NR > 1 && !($8 > 0)' "$dir/pages" | wc -l)" "it is said how long each page takes to load"
# search PAGE WORD: rows in sight before and after the word is typed, of which those with the word; what the browser complains of.
search() {
    { sed 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' "$1"; cat <<'END'
<table class="none"></table><script>addEventListener("load", () => {
    const input = document.querySelector(".filters input[type=search]");
    const rows = () => Array.from(document.querySelectorAll(".table tbody tr")).filter((r) => r.parentNode.rows.length > 10 && !r.classList.contains("off"));
    const before = rows().length;
    input.value = "WORD";
    input.dispatchEvent(new Event("input"));
    setTimeout(() => { document.title = "rows " + before + " " + rows().length + " " + rows().filter((r) => r.textContent.includes("WORD")).length; }, 1000);
});</script>
END
    } | sed "s/WORD/$2/" >"$dir/first/index.html"
    HOME=$dir timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" --enable-logging=stderr --virtual-time-budget=9000 --dump-dom "file://$dir/first/index.html" 2>"$dir/err" | sed -n 's/.*<title>rows \([0-9 ]*\)<.*/\1/p'
    sed -n 's/.*CONSOLE[^]]*\] *//p' "$dir/err"
}
# A table may have a row of one cell over all columns.
sed 's|</tbody>|<tr><td colspan="9">none</td></tr></tbody>|' "$at/choices.html" >"$dir/none.html"
# shellcheck disable=SC2046  # words on purpose
set -- $(search "$dir/none.html" pipeline)
holds "$# == 3 && $1 > $2 && $2 > 0 && $2 == $3" "a word that is typed leaves the rows of long tables that have it (${*:-nothing})"
sed 's/text-overflow: *ellipsis/max-width:none/; s/max-width: *3.4rem/max-width:90rem/' "$dir/results/wide/entries/report/index.html" >"$dir/first/index.html"
ci/pages "$dir/first" >"$dir/pages" 2>"$dir/err"
is "1 1" "$? $(grep -c "first_value_beyond" "$dir/pages")" "a table whose values a phone does not show fails it"
cp "$dir/results/wide/entries/report/index.html" "$dir/first"
sed -i '0,/<text class="" x="0.0"/s//<text class="" x="-30"/' "$dir/first/index.html"
ci/pages "$dir/first" >"$dir/pages" 2>"$dir/err"
is 1 "$?" "a text that is cut fails it"
says "cut or overlap: " "$dir/pages" "... and is named"
sed -i 's|<main>|<main><div style="width:2000px;height:2000px">x</div>|' "$at/index.html"
ci/pages "$at" > "$dir/pages" 2> "$dir/err"
is 1 "$?" "a page that is too wide or too high fails it"
tap_done
