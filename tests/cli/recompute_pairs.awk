# SPDX-License-Identifier: BSD-3-Clause
# recompute_pairs.awk - tests of defaults against each other, again, from points.csv alone (docs/analysis.md). It shares no code with the program.
#   awk -f recompute_pairs.awk BEFORE/points.csv AFTER/points.csv compared.json     what `compare --json` says
#   awk -v tie=2.5 -f recompute_pairs.awk points.csv guidelines.csv                 of guidelines
# Prints a line a difference, then how many numbers were compared, of them p-values, and "differences N".

function v(name) { return (name in at) ? f[at[name]] : "" }
function differs(what, got, want) { printf "%s:%d: %s is %s, recomputed %s\n", FILENAME, FNR, what, got, want; wrong++ }
function near(what, got, want,    d, m) {
    compared++
    if (got == "" || want == "") { if (got != want) differs(what, got, want); return }
    d = got - want; if (d < 0) d = -d
    m = want < 0 ? -want : want
    if (d > 1e-6 * m + 1e-9 * (what ~ /pct/)) differs(what, got, want)
}
function same(what, got, want) { compared++; if (got != want) differs(what, got, want) }
# A p-value: its logarithm within 1 %.
function near_p(what, got, want) {
    compared++
    if (got == "" || want == "") { if (got != want) differs(what, got, want); return }
    ps++
    if (got + 0 < 1e-30 && want + 0 < 1e-30) return
    if (got <= 0 || want <= 0 || log(got / want) > 0.01 || log(want / got) > 0.01) differs(what, got, want)
}
# ln gamma (Stirling, after shifting to large arguments); the incomplete beta function as Gauss's series of (1 - y)^b:
# I_y(a, b) = y^a (1 - y)^b / (a B(a, b)) * sum over k of (a + b)_k / (a + 1)_k y^k.
function ln_gamma(x,    s) { for (s = 0; x < 12; x++) s += log(x); return (x - 0.5) * log(x) - x + 0.918938533204673 + 1 / (12 * x) - 1 / (360 * x ^ 3) + 1 / (1260 * x ^ 5) - s }
function beta_part(y, a, b,    k, term, sum) {
    if (y <= 0) return 0
    if (y > 0.9) return 1 - beta_part(1 - y, b, a)
    term = sum = 1
    for (k = 0; k < 20000 && term > 1e-16 * sum; k++) { term *= (a + b + k) / (a + 1 + k) * y; sum += term }
    return exp(a * log(y) + b * log(1 - y) + ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b)) / a * sum
}
function student(t, nu,    tail) { tail = beta_part(nu / (nu + t * t), nu / 2, 0.5) / 2; return t > 0 ? tail : 1 - tail }
# The square of the standard error: of a median of 3, 4 and 5 normal values by its variance (Sarhan and Greenberg), of more by pi / 2; NaN is "".
function variance(t, spread, n,    of) {
    if (n < 2 || spread == "") return ""
    of = n == 3 ? 3 * 0.44867 : n == 4 ? 4 * 0.29821 : n == 5 ? 5 * 0.28683 : n > 5 ? 1.5707963 : 1
    return (spread * t) ^ 2 / n * of
}
function welch(left, lv, lw, right, rv, rw) { # one-sided: is the left one longer?
    if (lv == "" || rv == "") return ""
    if (lv + rv <= 0) return left > right ? 0 : 1
    return student((left - right) / sqrt(lv + rv), (lv + rv) ^ 2 / (lw + rw))
}
function add(side, key) { # to the sums of a side; a number of launches for each part
    sum[side] += time[key]
    if (var[key] == "" || square[side] == "none") { square[side] = "none"; return }
    square[side] += var[key]
    weight[side] += var[key] ^ 2 / (launches[key] - 1)
}
function begin(side) { sum[side] = square[side] = weight[side] = 0 }
function test(a, b) { return square[a] == "none" || square[b] == "none" ? "" : welch(sum[a], square[a], weight[a], sum[b], square[b], weight[b]) }
function order(key, n,    i, j, t) { for (i = 2; i <= n; i++) for (j = i; j > 1 && p[key[j - 1]] > p[key[j]]; j--) { t = key[j]; key[j] = key[j - 1]; key[j - 1] = t } }
# Holm's and Benjamini's and Hochberg's corrections of p[] over n keys, into fixed[].
function correct(key, n, holm,    k, x) {
    order(key, n)
    for (k = 1; holm && k <= n; k++) { x = p[key[k]] * (n - k + 1); fixed[key[k]] = x = x > 1 ? 1 : x; if (k > 1 && x < fixed[key[k - 1]]) fixed[key[k]] = fixed[key[k - 1]] }
    for (k = n; !holm && k; k--) { x = p[key[k]] * n / k; x = x > 1 ? 1 : x; fixed[key[k]] = k < n && fixed[key[k + 1]] < x ? fixed[key[k + 1]] : x }
}

function point(    key) {
    if (v("experiment") != "time" || v("doubt") != "" || v("status") != "ok" && v("status") != "substituted" || v("time_s") + 0 <= 0) return
    if (v("algorithm") !~ /:default$/ && v("purpose") != "default" || v("arrival") v("buffers") != "") return
    key = sets SUBSEP v("collective") SUBSEP v("mpi") SUBSEP v("mapping") SUBSEP v("nodes") SUBSEP v("ppn") SUBSEP v("procs") SUBSEP v("root") SUBSEP v("bytes")
    if (!(key in time)) keys[++n_keys] = key
    exact = v("interval") == "exact"
    time[key] = v("time_s") + 0
    launches[key] = v("launches")
    var[key] = exact ? "" : variance(v("time_s"), v("between_rel"), v("launches"))
}

# ---- compare ----
function pairs(    i, key, other, one, two) {
    for (i = 1; i <= n_keys; i++) {
        key = keys[i]
        other = key
        sub(/^1/, "2", other)
        if (key !~ /^1/ || !(other in time)) continue
        begin("was"); begin("is"); add("was", key); add("is", other)
        one = test("is", "was"); two = test("was", "is")
        both[key] = other
        n_both++
        if (one == "") continue
        p[key] = 2 * (one < two ? one : two); if (p[key] > 1) p[key] = 1
        tested[++n_tested] = key
    }
    correct(tested, n_tested, 0)
}
function pair_row(    key, ratio, verdict) { # of one row of the JSON
    key = 1 SUBSEP said["collective"] SUBSEP said["before"] SUBSEP said["mapping"] SUBSEP said["nodes"] SUBSEP said["ppn"] SUBSEP said["procs"] SUBSEP 0 SUBSEP said["bytes"]
    if (!(key in both)) { differs("a cell", key, "none"); return }
    rows++
    near("before_s", said["before_s"], time[key])
    near("after_s", said["after_s"], time[both[key]])
    ratio = time[both[key]] / time[key]
    near("change_pct", said["change_pct"], 100 * (ratio - 1))
    near_p("p", said["p"], p[key])
    near_p("p_corrected", said["p_corrected"], fixed[key])
    verdict = ratio <= 1.1 && ratio >= 1 / 1.1 ? "same" : exact ? (ratio > 1 ? "slower" : "faster") : !(key in p) ? "untested" \
        : fixed[key] >= 0.01 ? "unsure" : ratio > 1 ? "slower" : "faster"
    same("verdict", said["verdict"], verdict)
    times_of[verdict]++
}
function json(    key, value) {
    key = $1; gsub(/[":]/, "", key)
    value = $0; sub(/^[^:]*: /, "", value); gsub(/[",]/, "", value); if (value == "null") value = ""
    if (key == "threshold_pct") pairs()
    if (!rows && key ~ /^(cells|tests|same|slower|faster|unsure|untested)$/) total[key] = value
    said[key] = value
    if (key == "verdict") pair_row()
}

# ---- guidelines ----
function cell(collective, bytes, i, of) { return 1 SUBSEP collective SUBSEP of[3] SUBSEP of[4] SUBSEP of[5] SUBSEP of[6] SUBSEP of[7] SUBSEP of[8] SUBSEP bytes }
# The size that is measured: the least from `bytes` to `most`; "": none.
function size(collective, bytes, most, of,    i, part, best) {
    for (i = 1; i <= n_keys; i++) {
        split(keys[i], part, SUBSEP)
        if (part[9] + 0 < bytes || part[9] + 0 > most || best != "" && best <= part[9] + 0 || keys[i] != cell(collective, part[9], 0, of)) continue
        best = part[9] + 0
    }
    return best
}
function judged(name, key, of, other_procs, b1, b2,    id) {
    id = name SUBSEP key
    wanted++
    left[id] = sum["left"]; right[id] = sum["right"]; size1[id] = b1; size2[id] = b2; ranks[id] = other_procs
    p[id] = test("left", "right")
    if (p[id] == "") delete p[id]
    else tested[++n_tested] = id
    listed[id] = 1
}
function rule(collective, text, a, a_scale, b, b_scale,    i, of, m1, m2) {
    for (i = 1; i <= n_keys; i++) {
        split(keys[i], of, SUBSEP)
        if (of[2] != collective || of[7] < 2) continue
        m1 = a_scale == "few" ? size(a, 1, 64, of) : scaled(a, a_scale, of)
        m2 = b == "" ? 0 : scaled(b, b_scale, of)
        if (m1 == "" || m2 == "") continue
        begin("left"); begin("right"); add("left", keys[i]); add("right", cell(a, m1, 0, of))
        if (b != "") add("right", cell(b, m2, 0, of))
        judged(collective " <= " text, keys[i], of, of[7], m1, m2)
    }
}
function scaled(collective, scale, of,    m) {
    m = scale == "*" ? of[9] * of[7] : scale == "/" ? int((of[9] + of[7] - 1) / of[7]) : of[9] + 0
    return size(collective, m, 4 * m, of)
}
function grows(    i, k, of, more, next_key, part) {
    for (i = 1; i <= n_keys; i++) {
        split(keys[i], of, SUBSEP)
        more = size(of[2], of[9] + 1, 1e300, of)
        if (more != "") { begin("left"); begin("right"); add("left", keys[i]); add("right", cell(of[2], more, 0, of)); judged(of[2] " grows with bytes", keys[i], of, of[7], more, 0) }
        next_key = ""
        for (k = 1; k <= n_keys; k++) {
            split(keys[k], part, SUBSEP)
            if (part[2] != of[2] || part[3] != of[3] || part[4] != of[4] || part[8] != of[8] || part[9] != of[9] || part[7] <= of[7] + 0 || part[5] < of[5] + 0) continue
            if (next_key == "" || part[7] + 0 < more) { next_key = keys[k]; more = part[7] + 0 }
        }
        if (next_key != "") { begin("left"); begin("right"); add("left", keys[i]); add("right", next_key); judged(of[2] " grows with processes", keys[i], of, more, of[9], 0) }
    }
}
function guidelines() {
    rule("allreduce", "reduce + bcast", "reduce", "", "bcast", "")
    rule("bcast", "scatter + allgather", "scatter", "/", "allgather", "/")
    rule("allgather", "gather + bcast", "gather", "", "bcast", "*")
    rule("allgather", "alltoall", "alltoall", "", "", "")
    rule("reduce_scatter", "reduce + scatter", "reduce", "*", "scatter", "")
    rule("reduce", "allreduce", "allreduce", "", "", "")
    rule("gather", "allgather", "allgather", "", "", "")
    rule("scatter", "bcast", "bcast", "*", "", "")
    rule("barrier", "allreduce", "allreduce", "few", "", "")
    grows()
    correct(tested, n_tested, 1)
}
function guideline_row(    id, longer, verdict) {
    id = v("guideline") SUBSEP 1 SUBSEP v("collective") SUBSEP v("mpi") SUBSEP v("mapping") SUBSEP v("nodes") SUBSEP v("ppn") SUBSEP v("procs") SUBSEP v("root") SUBSEP v("bytes")
    rows++
    if (!(id in listed)) { differs("a comparison", id, "none"); return }
    near("left_s", v("left_s"), left[id])
    near("right_s", v("right_s"), right[id])
    same("other_procs", v("other_procs"), ranks[id] + 0)
    same("other_bytes", v("other_bytes"), size1[id] + 0)
    same("third_bytes", v("third_bytes"), size2[id] + 0)
    longer = 100 * (left[id] / right[id] - 1)
    near("longer_pct", v("longer_pct"), longer)
    near_p("p", v("p"), p[id])
    near_p("p_holm", v("p_holm"), fixed[id])
    verdict = exact ? (longer > tie ? "violated" : "holds") : longer <= 0 ? "holds" : !(id in p) ? "untested" : fixed[id] < 0.05 ? "violated" : "unsure"
    same("verdict", v("verdict"), verdict)
    times_of[verdict]++
}

FILENAME ~ /\.json$/ { json(); next }
/^#/ { next }
FNR == 1 || !(FILENAME in headed) {
    headed[FILENAME] = 1
    delete at
    n = split($0, f, ",")
    for (i = 1; i <= n; i++) at[f[i]] = i
    is_points = "time_s" in at
    sets += is_points
    if (!is_points) guidelines()
    next
}
{ gsub(/"[^"]*"/, "text"); delete f; split($0, f, ",") }
is_points { point(); next }
{ guideline_row() }
END {
    for (k in both) compared_cells++
    if (n_both) {
        same("cells", total["cells"], n_both)
        same("tests", total["tests"], n_tested + 0)
        for (k in times_of) same(k, total[k], times_of[k])
        wanted = n_both
    }
    same("rows", rows + 0, wanted + 0)
    print "compared " compared + 0
    print "p-values " ps + 0
    for (k in times_of) print k " " times_of[k]
    print "differences " wrong + 0
}
