/* SPDX-License-Identifier: BSD-3-Clause */
/* page.js - what a page answers to a person: a cell's times at the pointer, sorted and filtered
 * tables, copied commands. The page says all that it says without it. Texts of the data are only
 * ever put in place as text. Lines of #cells: reports/cells.c. In the page comments and blanks that
 * begin a line are left out: no text may hold a line that begins with one. */
(function () {
    "use strict";

    function all(selector, within) {
        return Array.from((within || document).querySelectorAll(selector));
    }

    function make(name, className, text) {
        const e = document.createElement(name);
        e.className = className || "";
        e.textContent = text || "";
        return e;
    }

    function button(className, text, act) {
        const b = make("button", className, text);
        b.type = "button";
        b.addEventListener("click", act);
        return b;
    }

    /* ---- values as people write them ---- */

    const UNITS = {
        B: 1, KiB: 1024, MiB: 1048576, GiB: 1073741824, ns: 1e-9, "µs": 1e-6, ms: 1e-3, s: 1,
        "core-seconds": 1, "core-hours": 3600
    };
    const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";

    /* "64 KiB" is 65536, "−3.2 × 10⁻⁹" a number, "–" none: NaN. */
    function value(text) {
        const t = text.replace(/[\u00a0\u202f]/g, " ").replace(/\u2212/g, "-").trim();
        const m = /^[+±<>≤≥~]?\s*(-?\d+(?:\.\d+)?)(?: × 10(⁻?)([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?\s*([^\s\d]*)/.exec(t);
        if (!m)
            return NaN;
        const digits = (m[3] || "").replace(/./g, function (c) { return RAISED.indexOf(c); });
        const power = Math.pow(10, (m[2] ? -1 : 1) * Number(digits || 0));
        return Number(m[1]) * power * (UNITS[m[4]] || 1);
    }

    function three(x) {
        return x >= 100 ? String(Math.round(x)) : String(Number(x.toPrecision(3)));
    }

    function showTime(us) {
        return us < 1 ? three(1000 * us) + " ns" : us < 1000 ? three(us) + " µs" :
            us < 1e6 ? three(us / 1000) + " ms" : three(us / 1e6) + " s";
    }

    function showBytes(bytes) {
        const name = ["B", "KiB", "MiB", "GiB"];
        let k = 0;
        for (; bytes >= 1024 && k < 3; k++)
            bytes /= 1024;
        return (bytes % 1 ? bytes.toFixed(1) : bytes) + " " + name[k];
    }

    /* ---- cells ---- */

    function readTime(text, labels) {
        const f = text.split(":");
        return text === "-" ? null : {
            label: labels[f[0]][1], setting: Number(labels[f[0]][2]), us: Number(f[1]),
            half: f[2] ? Number(f[2]) : NaN,
            launches: Number(f[3] || 0), calls: Number(f[4] || 0)
        };
    }

    const settings = []; /* command lines that force an algorithm, from 1 */

    function readCells() {
        const contexts = [];
        let c = null;
        document.getElementById("cells").textContent.split("\n").forEach(function (line) {
            const f = line.split("\t");
            if (f[0] === "C") {
                c = { name: f.slice(1, 4), mpi: f[4], labels: [], cell: new Map(), procs: [], bytes: [] };
                contexts.push(c);
            } else if (f[0] === "A") {
                c.labels.push(f);
            } else if (f[0] === "S") {
                settings[settings.length || 1] = f[1];
            } else if (f[0] === "X") {
                c.cut = true;
            } else if (f.length === 5) {
                const p = Number(f[0]), m = Number(f[1]);
                c.cell.set(p + " " + m, f.slice(2).map(function (t) { return readTime(t, c.labels); }));
                [[c.procs, p], [c.bytes, m]].forEach(function (o) {
                    if (!o[0].includes(o[1]))
                        o[0].push(o[1]);
                });
            }
        });
        return contexts;
    }

    const contexts = readCells();

    function sayTime(t) {
        return t.label + ", " + showTime(t.us) + (t.half >= 0 ? " ± " + three(t.half) + " %" : "");
    }

    /* "1.004 times slower": digits as format_times has them. */
    function factor(x) {
        const times = Math.max(x, 1 / x), text = times.toFixed(times < 1.0095 ? 3 : times < 9.995 ? 2 : times < 99.95 ? 1 : 0);
        return text === "1.000" ? "as fast as the fastest" : text + (x < 1 ? " times faster" : " times slower");
    }

    /* "5 launches, 200 calls": what a time rests on. */
    function evidence(t) {
        if (!t.launches)
            return "computed once, no interval";
        const launches = t.launches + (t.launches === 1 ? " launch" : " launches");
        return launches + ", " + t.calls + " calls" + (t.half >= 0 ? "" : ", no interval");
    }

    /* The setting that forces the fastest of a cell; undefined: there is none. */
    function settingOf(context, procs, bytes) {
        const c = contexts[context], t = c && c.cell.get(procs + " " + bytes);
        return t ? settings[t[0].setting] : undefined;
    }

    /* What is known of a cell, line by line; null: nothing. */
    function describe(context, procs, bytes) {
        const c = contexts[context], t = c && c.cell.get(procs + " " + bytes);
        if (!t)
            return c && c.cut ? [c.name.join(", ") + ", P = " + procs + ", " + showBytes(bytes),
                "no room for it in this page: selection.csv has it"] : null;
        const fast = t[0], next = t[1], usual = t[2];
        const lines = [c.name.join(", ") + ", P = " + procs + ", " + showBytes(bytes)];
        lines.push("fastest: " + sayTime(fast));
        if (next) {
            const tie = next.us * (1 - next.half / 100) <= fast.us * (1 + fast.half / 100);
            lines.push("next: " + sayTime(next) + ", " + factor(next.us / fast.us) +
                (tie ? "; the intervals overlap" : ""));
        }
        if (usual)
            lines.push("default: " + sayTime(usual) + ", " + factor(usual.us / fast.us));
        lines.push(evidence(fast));
        return lines;
    }

    /* ---- the tip ---- */

    const tip = make("div", "tip");
    tip.id = "tip";
    tip.hidden = true;
    tip.setAttribute("role", "status");
    document.body.append(tip);
    const frame = make("div", "frame"); /* around a cell of a drawing */

    /* Puts an element over a part of a drawing, in shares of it from the left and from below. */
    function cover(element, left, low, right, high) {
        element.style.left = 100 * left + "%";
        element.style.right = 100 * (1 - right) + "%";
        element.style.bottom = 100 * low + "%";
        element.style.top = 100 * (1 - high) + "%";
    }

    function copy(text, told) {
        function done() {
            told.dataset.usual = told.dataset.usual || told.textContent;
            told.textContent = "copied";
            setTimeout(function () { told.textContent = told.dataset.usual; }, 1500);
        }
        function byHand() {
            const area = make("textarea");
            area.value = text;
            document.body.append(area);
            area.select();
            if (document.execCommand("copy"))
                done();
            area.remove();
        }
        if (navigator.clipboard)
            navigator.clipboard.writeText(text).then(done, byHand);
        else
            byHand();
    }

    let copySetting = null; /* copies the setting that the tip shows; null: it shows none */

    function hideTip() {
        tip.hidden = true;
        copySetting = null;
        frame.remove();
    }

    function offerSetting(setting) {
        const b = button("copy", "copy this setting (key c)", function () { copySetting(); });
        copySetting = function () { copy(setting, b); };
        tip.append(make("div", "", "to force it, whatever the size:"), make("code", "", setting), b);
    }

    /* Below the box of what is told of, or above it where there is no room. setting: a command
     * line, which can be copied; undefined: none. */
    function showTip(lines, box, setting) {
        tip.textContent = "";
        copySetting = null;
        lines.forEach(function (line, i) { tip.append(make("div", i ? "" : "head", line)); });
        const b = button("copy", "copy", function () { copy(lines.join("\n"), b); });
        tip.append(b);
        if (setting)
            offerSetting(setting);
        tip.hidden = false;
        const wide = document.documentElement.clientWidth, high = window.innerHeight;
        const below = box.bottom + 8 + tip.offsetHeight <= high;
        tip.style.left = Math.max(4, Math.min(box.left, wide - tip.offsetWidth - 4)) + "px";
        tip.style.top = Math.max(4, below ? box.bottom + 6 : box.top - tip.offsetHeight - 6) + "px";
    }

    /* ---- cells of drawings ---- */

    function numbers(text) {
        return text.split(" ").map(Number);
    }

    const maps = [];

    function answerDrawing(figure) {
        const drawing = figure.querySelector("svg, img"), box = numbers(figure.dataset.box);
        const m = numbers(figure.dataset.m), p = numbers(figure.dataset.p);
        const context = Number(figure.dataset.c), over = make("div", "over");
        let at = { x: 0, y: p.length - 1 };
        if (!drawing)
            return;
        drawing.before(over);
        over.append(drawing);
        over.style.maxWidth = drawing.style.maxWidth;
        maps.push({ over: over, box: box, m: m, p: p, veils: [] });

        function show() {
            const lines = describe(context, p[at.y], m[at.x]);
            if (!lines) {
                hideTip();
                return;
            }
            const w = (box[2] - box[0]) / m.length, h = (box[3] - box[1]) / p.length;
            const x = box[0] + at.x * w, y = box[1] + at.y * h;
            cover(frame, x, y, x + w, y + h);
            over.append(frame);
            showTip(lines, frame.getBoundingClientRect(), settingOf(context, p[at.y], m[at.x]));
        }

        function point(e) {
            const r = drawing.getBoundingClientRect();
            const x = Math.floor(((e.clientX - r.left) / r.width - box[0]) / (box[2] - box[0]) * m.length);
            const y = Math.floor((1 - (e.clientY - r.top) / r.height - box[1]) / (box[3] - box[1]) * p.length);
            if (x < 0 || x >= m.length || y < 0 || y >= p.length) {
                hideTip();
                return;
            }
            at = { x: x, y: y };
            show();
        }

        drawing.setAttribute("tabindex", "0");
        drawing.addEventListener("pointermove", point);
        drawing.addEventListener("click", point);
        drawing.addEventListener("focus", show);
        drawing.addEventListener("blur", hideTip);
        drawing.addEventListener("pointerleave", function (e) {
            if (!tip.contains(e.relatedTarget))
                hideTip();
        });
        drawing.addEventListener("keydown", function (e) {
            const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
            if (!step)
                return;
            e.preventDefault();
            at = {
                x: Math.max(0, Math.min(m.length - 1, at.x + step[0])),
                y: Math.max(0, Math.min(p.length - 1, at.y + step[1]))
            };
            show();
        });
    }

    /* ---- tables ---- */

    /* The heads of the columns, and which of them say what a row is of. */
    function readTable(table) {
        const head = all("thead tr:last-child th", table), key = {}, from = [];
        head.forEach(function (th, i) {
            const k = th.dataset.k || "";
            if (k.startsWith("from_"))
                from.push({ column: i, bytes: Number(k.slice(5)) });
            else if (k)
                key[k] = i;
        });
        from.forEach(function (f, i) { f.below = i + 1 < from.length ? from[i + 1].bytes : Infinity; });
        return { table: table, head: head, key: key, from: from, body: table.tBodies[0] };
    }

    const tables = all(".table table").map(readTable);

    function textAt(row, column) {
        return column === undefined || !row.cells[column] ? null : row.cells[column].textContent;
    }

    /* The context of a row: its table's, else the only one that its columns fit; -1: none. */
    function contextOf(t, row) {
        const c = t.table.closest(".table").dataset.c;
        if (c !== undefined)
            return Number(c);
        const fits = [];
        contexts.forEach(function (context, k) {
            if (["collective", "mpi", "mapping"].every(function (key, i) {
                const text = textAt(row, t.key[key]);
                return text === null || text === context.name[i] || (i === 1 && text === context.mpi);
            }))
                fits.push(k);
        });
        return fits.length === 1 ? fits[0] : -1;
    }

    /* 1 where a size as it is shown is this one: what is shown has three digits. */
    function sameBytes(text, bytes) {
        const v = value(text);
        return v === bytes || Math.abs(v - bytes) < 0.01 * bytes;
    }

    /* What is known of the cells that a cell of a table is about. */
    function describeCell(t, td) {
        const row = td.parentNode, context = contexts[contextOf(t, row)];
        const procs = value(textAt(row, t.key.procs) || "");
        if (!context || isNaN(procs))
            return null;
        const column = t.from.find(function (f) { return f.column === td.cellIndex; });
        const size = textAt(row, t.key.bytes);
        const known = context.bytes.filter(function (b) {
            return column ? b >= column.bytes && b < column.below : size !== null && sameBytes(size, b);
        });
        const lines = [];
        if (known.length > 1)
            lines.push(context.name.join(", ") + ", P = " + procs);
        known.sort(function (a, b) { return a - b; }).forEach(function (b) {
            const said = describe(contexts.indexOf(context), procs, b);
            if (said && known.length === 1)
                lines.push.apply(lines, said);
            else if (said)
                lines.push(showBytes(b) + ": " + said.slice(1, -1).join("; "));
        });
        return lines.length > 1 ? lines : null;
    }

    /* The setting that a cell of a table is about: that of the fastest; of a table of what to set,
     * which leaves some cells to the default, its own or its row's. */
    function settingAt(t, td) {
        const row = td.parentNode, size = textAt(row, t.key.bytes), k = contextOf(t, row);
        const marked = t.from.length ? td : row.querySelector("[data-s]");
        if (t.table.querySelector("[data-s]"))
            return marked ? settings[marked.dataset.s] : undefined;
        if (k < 0 || size === null)
            return undefined;
        return settingOf(k, value(textAt(row, t.key.procs)), contexts[k].bytes.find(function (b) {
            return sameBytes(size, b);
        }));
    }

    function answerTable(t) {
        if (t.key.procs === undefined || (t.key.bytes === undefined && !t.from.length))
            return;
        function show(e) {
            const td = e.target.closest("td"), lines = td && describeCell(t, td);
            if (lines)
                showTip(lines, td.getBoundingClientRect(), settingAt(t, td));
            else
                hideTip();
        }
        const first = t.body.querySelector("td");
        if (first)
            first.tabIndex = 0;
        t.body.addEventListener("pointerover", show);
        t.body.addEventListener("click", show);
        t.body.addEventListener("focusin", show);
        t.body.addEventListener("focusout", hideTip);
        t.body.addEventListener("pointerleave", function (e) {
            if (!tip.contains(e.relatedTarget))
                hideTip();
        });
        t.body.addEventListener("keydown", function (e) {
            const td = e.target.closest("td"), row = td && td.parentNode;
            const to = !td ? null : {
                ArrowLeft: td.previousElementSibling, ArrowRight: td.nextElementSibling,
                ArrowUp: row.previousElementSibling && row.previousElementSibling.cells[td.cellIndex],
                ArrowDown: row.nextElementSibling && row.nextElementSibling.cells[td.cellIndex]
            }[e.key];
            if (!to)
                return;
            e.preventDefault();
            td.tabIndex = -1;
            to.tabIndex = 0;
            to.focus();
        });
    }

    /* A blank in the first column stands for what is above it: before rows move it is written out. */
    function fillBlanks(t) {
        let above = "";
        Array.from(t.body.rows).forEach(function (row) {
            above = row.cells[0].textContent || above;
            row.cells[0].textContent = above;
        });
    }

    /* Numbers by value, what is none behind them; else as words. */
    function compareTexts(a, b, numeric) {
        const x = value(a), y = value(b);
        if (!numeric)
            return a.localeCompare(b, "en", { numeric: true });
        return isNaN(x) || isNaN(y) ? isNaN(x) - isNaN(y) : x - y;
    }

    function isNumeric(texts) {
        const said = texts.filter(function (s) { return !/^[\s–?]*$/.test(s); });
        return said.length > 0 && said.every(function (s) { return !isNaN(value(s)); });
    }

    function sortTable(t, th) {
        const column = th.cellIndex, rows = Array.from(t.body.rows);
        const next = { ascending: "descending", descending: "none" }[th.getAttribute("aria-sort")] || "ascending";
        if (!t.order) {
            fillBlanks(t);
            t.order = rows;
        }
        const numeric = isNumeric(rows.map(function (row) { return textAt(row, column); }));
        const sign = next === "descending" ? -1 : 1;
        const sorted = next === "none" ? t.order : t.order.slice().sort(function (a, b) {
            const x = textAt(a, column), y = textAt(b, column);
            if (numeric && (isNaN(value(x)) || isNaN(value(y))))
                return compareTexts(x, y, true);
            return sign * compareTexts(x, y, numeric);
        });
        t.head.forEach(function (h) { h.removeAttribute("aria-sort"); });
        th.setAttribute("aria-sort", next);
        sorted.forEach(function (row) { t.body.append(row); });
    }

    function offerSort(t) {
        if (t.body.rows.length < 3 || t.body.querySelector("td[colspan]"))
            return;
        t.head.forEach(function (th) {
            /* no button: heads that a printed page repeats would lack it */
            const b = make("span", "sort");
            b.append.apply(b, Array.from(th.childNodes));
            b.tabIndex = 0;
            b.setAttribute("role", "button");
            th.append(b);
            th.addEventListener("click", function () { sortTable(t, th); });
            b.addEventListener("keydown", function (e) {
                if (e.key !== "Enter" && e.key !== " ")
                    return;
                e.preventDefault();
                sortTable(t, th);
            });
        });
    }

    /* ---- filters ---- */

    const wanted = { collective: "", mpi: "", mapping: "", procs: "", bytes: "", text: "" };
    const hidden = make("span");

    function hide(element, is) {
        element.classList.toggle("off", is);
        return is ? 1 : 0;
    }

    function isWanted(context) {
        return ["collective", "mpi", "mapping"].every(function (key, i) {
            return !wanted[key] || context.name[i] === wanted[key];
        });
    }

    function rowIsWanted(t, row) {
        return ["collective", "mpi", "mapping"].every(function (key) {
            const text = wanted[key] ? textAt(row, t.key[key]) : null;
            return !text || text === wanted[key] || (key === "mpi" && contexts.some(function (c) {
                return c.mpi === text && c.name[1] === wanted[key];
            }));
        }) && (!wanted.procs || textAt(row, t.key.procs) === null ||
               value(textAt(row, t.key.procs)) === Number(wanted.procs)) &&
            (!wanted.bytes || textAt(row, t.key.bytes) === null ||
             sameBytes(textAt(row, t.key.bytes), Number(wanted.bytes))) &&
            (!wanted.text || !isLong(t) || row.textContent.toLowerCase().includes(wanted.text));
    }

    /* A table that one searches rather than reads. */
    function isLong(t) {
        return t.body.rows.length > 10;
    }

    function filterColumns(t) {
        t.from.forEach(function (f) {
            const is = Boolean(wanted.bytes) && !(wanted.bytes >= f.bytes && wanted.bytes < f.below);
            hide(t.head[f.column], is);
            Array.from(t.body.rows).forEach(function (row) {
                if (row.cells[f.column]) /* "none" is one cell over all columns */
                    hide(row.cells[f.column], is);
            });
        });
    }

    /* Veils the rows and columns of a heat map that are not asked for: they stay where they are. */
    function veil(map) {
        const box = map.box, w = (box[2] - box[0]) / map.m.length, h = (box[3] - box[1]) / map.p.length;
        map.veils.forEach(function (v) { v.remove(); });
        map.veils = [];
        function put(left, low, right, high) {
            const v = make("div", "veil");
            cover(v, left, low, right, high);
            map.over.append(v);
            map.veils.push(v);
        }
        map.m.forEach(function (bytes, i) {
            if (wanted.bytes && bytes !== Number(wanted.bytes))
                put(box[0] + i * w, box[1], box[0] + (i + 1) * w, box[3]);
        });
        map.p.forEach(function (procs, i) {
            if (wanted.procs && procs !== Number(wanted.procs))
                put(box[0], box[1] + i * h, box[2], box[1] + (i + 1) * h);
        });
    }

    /* Drawings that no filter by P or m narrows, of those that are seen. */
    function countWhole() {
        return wanted.procs || wanted.bytes ? all("main figure").filter(function (f) {
            return !f.dataset.box && !f.closest(".off");
        }).length : 0;
    }

    function filter() {
        let parts = 0, rows = 0;
        hideTip();
        all("main [data-c]").forEach(function (e) {
            const context = contexts[e.dataset.c];
            parts += hide(e, Boolean(context) && !isWanted(context));
        });
        tables.forEach(function (t) {
            filterColumns(t);
            Array.from(t.body.rows).forEach(function (row) { rows += hide(row, !rowIsWanted(t, row)); });
        });
        maps.forEach(veil);
        const whole = countWhole();
        hidden.textContent = (parts + rows ? " hidden: " + parts + " parts, " + rows + " rows." : "") +
            (whole ? " " + whole + " drawings that are no maps show every P and m." : "");
    }

    function searchField() {
        const label = make("label", "", "rows of long tables with "), input = make("input");
        let later = 0;
        input.type = "search";
        input.name = "text";
        input.addEventListener("input", function () {
            clearTimeout(later);
            later = setTimeout(function () {
                wanted.text = input.value.trim().toLowerCase();
                filter();
            }, 150);
        });
        label.append(input);
        return label;
    }

    function offerFilters() {
        const bar = make("details", "filters"), form = make("form");
        const facets = [["collective", "collective"], ["mpi", "library"], ["mapping", "mapping"]].map(
            function (f, i) {
                return [f[0], f[1], Array.from(new Set(contexts.map(function (c) { return c.name[i]; }))), String];
            });
        ["procs", "bytes"].forEach(function (key) {
            const found = new Set();
            contexts.forEach(function (c) { c[key].forEach(function (v) { found.add(v); }); });
            facets.push([key, key === "procs" ? "P" : "m", Array.from(found).sort(function (a, b) { return a - b; }),
                key === "procs" ? String : showBytes]);
        });
        facets.forEach(function (f) {
            if (f[2].length < 2)
                return;
            const label = make("label", "", f[1] + " "), select = make("select");
            select.name = f[0];
            select.append(new Option("all", ""));
            f[2].forEach(function (v) { select.append(new Option(f[3](v), v)); });
            select.addEventListener("change", function () {
                wanted[f[0]] = select.value;
                filter();
            });
            label.append(select);
            form.append(label);
        });
        if (tables.some(isLong))
            form.append(searchField());
        if (!form.childNodes.length)
            return;
        form.addEventListener("submit", function (e) { e.preventDefault(); });
        form.append(button("copy", "all again", function () {
            form.reset();
            Object.keys(wanted).forEach(function (key) { wanted[key] = ""; });
            filter();
        }));
        form.addEventListener("change", function () { all(".part, .more").forEach(function (p) { p.open = true; }); });
        bar.append(make("summary", "", "Show only …"), form);
        bar.firstChild.append(hidden);
        document.querySelector("header").append(bar);
    }

    /* ---- all ---- */

    /* Sections are folded: a link to one, or to what is in one, opens it. */
    function unfold() {
        const e = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
        const part = e && (e.querySelector(":scope > .part") || e.closest(".part"));
        const closed = (part ? [part, e.closest(".more") || part] : []).concat(e ? all(":scope > details", e) : [])
            .filter(function (d) { return !d.open; });
        closed.forEach(function (d) { d.open = true; });
        if (closed.length)
            e.scrollIntoView();
    }
    unfold();
    window.addEventListener("hashchange", unfold);

    /* A link to a section, table or figure that stands on another page, as to all when there was one. */
    if (location.hash.length > 1 && !document.getElementById(location.hash.slice(1))) {
        const there = all("#toc a").find(function (a) { return a.getAttribute("href").endsWith(location.hash); });
        const moved = all("[data-page]").find(function (t) {
            return t.content.textContent.split(" ").includes(location.hash.slice(1));
        });
        if (there || moved)
            location.replace(there ? there.href : moved.dataset.page + location.hash);
    }

    function markScroll(e) {
        e.classList.toggle("more", e.scrollLeft + e.clientWidth + 2 < e.scrollWidth);
    }

    all("main code").forEach(function (code) {
        if (/^(collsel|mpirun|export|make) /.test(code.textContent)) {
            const b = button("copy", "copy", function () { copy(code.textContent.trim(), b); });
            code.after(b);
        }
    });
    all("figure[data-box]").forEach(answerDrawing);
    tables.forEach(answerTable);
    tables.forEach(offerSort);
    offerFilters();
    all(".scroll").forEach(function (e) {
        e.addEventListener("scroll", function () { markScroll(e); }, { passive: true });
        /* not at once: the mark's words may make the caption, and so what is observed, higher */
        new ResizeObserver(function () { requestAnimationFrame(function () { markScroll(e); }); }).observe(e);
    });
    document.addEventListener("keydown", function (e) {
        if (e.key === "Escape")
            hideTip();
        else if (e.key === "c" && copySetting && !e.ctrlKey && !e.metaKey && !e.altKey)
            copySetting();
    });
    window.addEventListener("scroll", hideTip, { passive: true });
    window.addEventListener("beforeprint", hideTip);
})();
