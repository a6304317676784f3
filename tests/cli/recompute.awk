# SPDX-License-Identifier: BSD-3-Clause
# recompute.awk - judges a study again, from points.csv alone. It shares no code with the program.
#   awk -v tie=2.5 -f recompute.awk points.csv FILE...
# FILE: selection.csv, degradation.csv, tables/*.csv or figures/*.csv of the report. Prints one line a difference, and
# at the end, for each kind of file, how many numbers were compared: "compared KIND N".
# A cell: one collective, library, mapping, root, number of processes, size, arrival and buffers. Its candidates: the
# points of experiment `time` with status ok or substituted, but other libraries' defaults. Times are `time_s`.

function split_csv(line, f,    n, i, c, quoted, s) { # into f[1..n]; quotes as in RFC 4180
    n = 1; s = ""; quoted = 0
    if (index(line, "\"") == 0) return split(line, f, ",")
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"") { if (quoted && substr(line, i + 1, 1) == "\"") { s = s c; i++ } else quoted = !quoted }
        else if (c == "," && !quoted) { f[n++] = s; s = "" }
        else s = s c
    }
    f[n] = s
    return n
}
function v(name) { return (name in at) ? f[at[name]] : "" }
function size(x) { return x == "" ? 0 : x + 0 }
function cell_of() { return v("collective") "|" v("mpi") "|" v("mapping") "|" v("root") "|" v("procs") "|" v("bytes") "|" v("arrival") "|" v("buffers") }
function candidate(a, s, k) { return a "|" size(s) "|" size(k) }
function differs(what, got, want) { printf "%s:%d: %s is %s, recomputed %s\n", FILENAME, FNR, what, got, want; wrong++ }
# Numbers are written with 9 digits: the computation from them agrees to 6.
function near(what, got, want,    d, m) {
    compared[kind]++
    if (got == "" || want == "") { if (got != want) differs(what, got, want); return }
    d = got - want; if (d < 0) d = -d
    m = want < 0 ? -want : want
    if (d > 2e-7 * (m > 100 ? m : 100)) differs(what, got, want)
}
function same(what, got, want) { compared[kind]++; if (got != want) differs(what, got, want) }
function sort(x, n,    i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && x[j - 1] > x[j]; j--) { t = x[j]; x[j] = x[j - 1]; x[j - 1] = t } }
function quantile(x, n, p,    h, k) { h = (n - 1) * p + 1; k = int(h); return k >= n ? x[n] : x[k] + (h - k) * (x[k + 1] - x[k]) }
function loss(t, best) { return 100 * (t - best) / best }

function point(    c, t, a) {
    if (v("experiment") != "time" || v("purpose") == "other_default" || v("purpose") == "fit") return
    if (v("status") != "ok" && v("status") != "substituted" || v("time_s") == "" || v("doubt") != "") return
    c = cell_of()
    library = v("mpi")
    a = candidate(v("algorithm"), v("segment_bytes"), v("fanout"))
    t = v("time_s") + 0
    if ((c, a) in time) return
    time[c, a] = t
    number[c]++
    total[c] += t
    if (v("ran_algorithm") !~ /^$|:default$/) ran[c, a] = candidate(v("ran_algorithm"), v("ran_segment_bytes"), v("ran_fanout"))
    statistics[c] = statistics[c] (index(statistics[c], v("statistic") " ") ? "" : v("statistic") " ")
    if (v("algorithm") ~ /:default$/) own[c] = t
    if (!(c in least) || t < least[c]) { least[c] = t; winner[c] = a }
    by_size[v("collective") "|" v("mapping") "|" v("root") "|" v("procs") "|" v("bytes")] = c
}
function comparable(c) { return (c in least) && number[c] > 1 && split(statistics[c], two, " ") == 1 }

function selection(    c, g, who, l) {
    c = cell_of()
    who = v("selector")
    g = who SUBSEP v("purpose") SUBSEP v("collective") SUBSEP v("mpi") SUBSEP v("mapping")
    if (v("status") == "no_best") { same("no_best", comparable(c) ? "comparable" : "no_best", "no_best"); undecided[g]++; return }
    if (v("best_s") != "") {
        near("best_s", v("best_s"), least[c])
        near("the time of " v("best_algorithm"), v("best_s"), time[c, candidate(v("best_algorithm"), v("best_segment_bytes"), v("best_fanout"))])
    }
    if (who == "random") { if (v("chosen_s") != "") near("chosen_s", v("chosen_s"), total[c] / number[c]) }
    else if (v("chosen_s") != "") near("chosen_s of " v("algorithm"), v("chosen_s"), time[c, candidate(v("algorithm"), v("segment_bytes"), v("fanout"))])
    if (who == "default" && (c in own)) near("the default's time", v("chosen_s"), own[c])
    if (who == "default" && v("chosen_s") != "") { decided[c] = v("chosen_s") + 0; unforced[c] = candidate(v("algorithm"), v("segment_bytes"), v("fanout")) }
    if (v("status") == "alone") { alone[g]++; return }
    if (v("status") != "ok") { undecided[g]++; return }
    l = loss(v("chosen_s"), least[c])
    near("degradation_pct", v("degradation_pct"), l)
    alike = ran[c, candidate(v("algorithm"), v("segment_bytes"), v("fanout"))]
    alike = alike != "" && alike == ran[c, candidate(v("best_algorithm"), v("best_segment_bytes"), v("best_fanout"))]
    if (alike) { same("tied, as the same ran", v("tied"), 1); if (v("ci_low_pct") != "") same("the interval's lower end, as the same ran, is at most 0", v("ci_low_pct") <= 0 ? 1 : 0, 1) }
    else if (v("ci_low_pct") != "") same("tied", v("tied"), v("ci_low_pct") <= 0 ? 1 : 0)
    else if (v("tied") != "") same("tied", v("tied"), l <= tie * (1 + 1e-9) ? 1 : 0)
    if (v("backend") == "local") { # launches of our own: what they do not tell is not lost, what one says is not known
        if (v("tied") == "") { same("counted_pct", v("counted_pct"), ""); one[g]++; return }
        if (v("tied") + 0 && l > 0) { untold[g]++; l = 0 }
    }
    near("counted_pct", v("counted_pct"), l)
    cells[g]++
    if (who == "default" && v("purpose") == "study") by_default[++whole] = l
    losses[g, cells[g]] = l
    tied[g] += v("tied")
}
function degradation(    g, n, x, i, sum, logs) {
    g = v("selector") SUBSEP v("purpose") SUBSEP v("collective") SUBSEP v("mpi") SUBSEP v("mapping")
    n = cells[g] + 0
    same("cells of " v("selector"), v("cells"), n)
    same("alone", v("alone"), alone[g] + 0)
    same("undecided", v("undecided"), undecided[g] + 0)
    same("one_launch", v("one_launch"), one[g] + 0)
    same("untold", v("untold"), untold[g] + 0)
    if (!n) return
    for (i = 1; i <= n; i++) { x[i] = losses[g, i]; sum += x[i]; logs += log(1 + x[i] / 100) }
    sort(x, n)
    near("mean_pct", v("mean_pct"), sum / n)
    near("geomean_pct", v("geomean_pct"), 100 * (exp(logs / n) - 1))
    near("median_pct", v("median_pct"), quantile(x, n, 0.5))
    near("p95_pct", v("p95_pct"), quantile(x, n, 0.95))
    near("worst_pct", v("worst_pct"), x[n])
    same("optimal_or_tied", v("optimal_or_tied"), tied[g] + 0)
}
# Files of the report. Their names end in -COLLECTIVE-LIBRARY-MAPPING where there are several.
function whose(    c, i, n, part) {
    for (c in least) { n = split(c, part, "|"); if (only == "" || only == part[1] "|" part[2] "|" part[3]) only = part[1] "|" part[2] "|" part[3]; else several = 1 }
    n = split(FILENAME, part, "/"); sub(/\.csv$/, "", part[n])
    n = split(part[n], part, "-")
    return several ? part[n - 2] "|" part[n - 1] "|" part[n] : only
}
function there(procs, bytes) { return group "|" 0 "|" procs "|" bytes "||" }
function drawn_best(    c, k) { # of equally fast ones any may be named
    c = there(v("procs"), v("bytes"))
    if (v("value") == "") return
    near("best", v("value"), least[c])
    for (k = 0; k <= 64 && !((c, candidate(v("algorithm"), v("segment_bytes"), k)) in time); k++) ;
    near("the time of who is best, " v("algorithm"), time[c, candidate(v("algorithm"), v("segment_bytes"), k)], least[c])
}
function drawn_loss(    c) { c = there(v("procs"), v("bytes")); if (v("value") != "") near("the default's loss", v("value"), loss((c in own) ? own[c] : decided[c], least[c])) }
function third(    c, n, p) {
    n = split(FILENAME, p, "table3-p"); c = there(p[n] + 0, v("bytes"))
    if (v("best_s") != "") near("best_s", v("best_s"), least[c])
    if (v("default_degradation_pct") != "") near("the default's loss", v("default_degradation_pct"), loss((c in own) ? own[c] : decided[c], least[c]))
}
function speedup(    key, mapping, g, n, i, logs, most) { # of the page's first table, a column a mapping
    for (key in at) {
        if (key !~ /_mean$/) continue
        mapping = substr(key, 1, length(key) - 5)
        g = "default" SUBSEP "study" SUBSEP v("collective") SUBSEP library SUBSEP mapping
        n = cells[g] + 0
        logs = most = 0
        for (i = 1; i <= n; i++) { logs += log(1 + losses[g, i] / 100); if (losses[g, i] > most) most = losses[g, i] }
        near("mean of " mapping, v(key), n ? exp(logs / n) : "")
        near("most of " mapping, v(mapping "_most"), n ? 1 + most / 100 : "")
    }
}
function set_cell(    c, d, t, k) {
    judged++
    if (v("verdict") == "set") set++
    c = there(v("procs"), v("bytes"))
    d = (c in own) ? own[c] : decided[c]
    t = ""
    for (k in time) { split(k, two, SUBSEP); if (two[1] == c && index(two[2], v("algorithm") "|") == 1 && (t == "" || time[k] < t)) t = time[k] }
    if (v("algorithm") == "" || v("gain_pct") == "" || v("algorithm") ~ /:default$/) return
    near("gain_pct of " v("algorithm"), v("gain_pct"), 100 * (d - t) / t)
    if (v("verdict") == "set" && v("low_pct") != "") same("a rule's lower end is above the margin", v("low_pct") > 3 ? 1 : 0, 1)
    if (v("verdict") == "set" && v("low_pct") == "") same("a rule's gain is above the margin", v("gain_pct") > 3 ? 1 : 0, 1)
}
function printed(what, text, want,    d, digits) { # a number that a sentence rounds: within half of its last digit
    compared[kind]++
    digits = index(text, ".") ? length(text) - index(text, ".") : 0
    d = text - want
    if (d < 0) d = -d
    if (d > 0.5000001 * 10 ^ -digits) differs(what, text, want)
}
function value(line) { sub(/^[^:]*: /, "", line); gsub(/[",]/, "", line); return line == "null" ? "" : line }
# What `explain --json` says of one cell: one key a line.
function explained(    key) {
    key = $1
    gsub(/[":]/, "", key)
    if (key == "shown") shown = 1
    if (key == "candidates") listed = 1
    said[key] = value($0)
    if (shown && key == "bytes") {
        cell = said["collective"] "|" said["mpi"] "|" said["mapping"] "|" said["root"] "|" said["procs"] "|" said["bytes"] "||"
        shown = 0
    }
    if (!listed) return
    if (key == "time_s" && said[key] != "")
        near("time_s of " said["algorithm"], said[key], time[cell, candidate(said["algorithm"], said["segment_bytes"], said["fanout"])])
    if (key == "longer_pct" && said[key] != "") near("longer_pct of " said["algorithm"], said[key], loss(said["time_s"], least[cell]))
}
function only_of(    c, part) { for (c in least) { split(c, part, "|"); return part[1] SUBSEP part[2] SUBSEP part[3] } }
# Sentences of a page of one collective, library and mapping.
function page(    text, n, word, i, x, sum, logs, most) {
    text = $0
    gsub(/<[^>]*>/, "", text)
    gsub(/&[^;]*;|\302\240|\342\200\257/, " ", text) # spaces that do not break
    n = split(text, word, " ")
    if (text ~ /^ *In [0-9]+ of [0-9]+ cells something gains/) { same("cells with rules", word[2], set + 0); same("cells", word[4], judged + 0) }
    if (text !~ /^ *The default. The library.*s own choice loses/) return
    for (i = 1; i <= whole; i++) { x[i] = by_default[i]; sum += x[i]; logs += log(1 + x[i] / 100); most = x[i] > most ? x[i] : most }
    for (i = 1; i <= n; i++) {
        if (word[i] == "loses" && word[i - 1] == "choice") printed("the default's mean loss", word[i + 1], sum / whole)
        if (word[i] == "mean" && word[i - 1] ~ /geometric/) printed("the default's geometric mean", word[i + 1], 100 * (exp(logs / whole) - 1))
        if (word[i] == "cells" && word[i + 1] == "it" && word[i + 2] == "took") same("the default's losses that nobody tells", word[i - 1], untold["default" SUBSEP "study" SUBSEP only_of()])
        if (word[i] == "worst" && word[i + 1] == "it") printed("the default's worst loss", word[i + 3], most)
    }
}
# The head of an exported file: in N of M cells another algorithm than the library's default gains more than 3 %.
FILENAME ~ /\.json$/ { kind = "explain"; if (FNR == 1) { delete said; shown = listed = 0 } explained(); next }
FILENAME ~ /\.html$/ { kind = "page"; page(); next }
FILENAME ~ /\.conf$/ {
    kind = "rules"
    if ($1 == "#" && $2 == "in" && $4 == "of" && $5 ~ /^[0-9]+$/) { same("cells with rules", $3, set + 0); same("cells", $5, judged + 0) }
    next
}
FNR == 1 {
    delete at
    n = split_csv($0, f)
    for (i = 1; i <= n; i++) at[f[i]] = i
    kind = FILENAME
    sub(/.*\//, "", kind)
    if (kind ~ /^(best|default-loss|table3|set-cells)/) { sub(/[-.].*/, "", kind); kind = FILENAME ~ /set-cells/ ? "set-cells" : FILENAME ~ /default-loss/ ? "default-loss" : kind; group = whose() }
    else sub(/\.csv$/, "", kind)
    next
}
{ delete f; split_csv($0, f) }
kind == "points" { point() }
kind == "selection" { selection() }
kind == "degradation" { degradation() }
kind == "best" { drawn_best() }
kind == "default-loss" { drawn_loss() }
kind == "table3" { third() }
kind == "speedup" { speedup() }
kind == "set-cells" { set_cell() }
END { for (kind in compared) print "compared " kind " " compared[kind]; print "differences " wrong + 0 }
