#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A page in a real browser: nothing to complain of on its console, nothing wider than the window at 1440 and
# 390 pixels, and its script answers: the pointer, keys, sorting, filters; a hostile text stays text.
. tests/cli/run.sh
for tool in gnuplot pandoc chromium; do
    command -v $tool > /dev/null || skip_all "$tool is not installed"
done

sed "/^name = /a title = <img src=x onerror=document.title='run'> & more" tests/cli/small.ini > "$dir/study.ini"
run report -q -b walk -c gros -s "$dir/study.ini" --results "$dir/results"
is 0 "$status" "a page is made"
page=$dir/results/gros/small-walk/report/choices.html

# browse WIDTH FILE: opens it, in a home of its own; what the page is then in $dir/dom, the console's
# complaints in $dir/console.
browse() {
    HOME=$dir timeout 120 chromium --headless --no-sandbox --disable-gpu --user-data-dir="$dir/profile" \
        --allow-file-access-from-files --window-size="$1,900" --virtual-time-budget=5000 --enable-logging=stderr --v=0 \
        --dump-dom "file://$2" > "$dir/dom" 2> "$dir/chromium"
    grep CONSOLE "$dir/chromium" > "$dir/console"
}
browse 1440 "$page"
[ -s "$dir/dom" ] || skip_all "chromium does not start here"
is "" "$(cat "$dir/console")" "the browser has nothing to complain of, and runs the page's script"
says 'class="sort"' "$dir/dom" "which offers to sort"

# Windows are no narrower than 500 pixels: the page stands in a frame, without its policy and with a
# script that says how wide it is and tries what it answers.
sed '/Content-Security-Policy/d' "$page" > "${page%/*}/tried.html"
cat >> "${page%/*}/tried.html" << 'END'
<script>
(function () {
    "use strict";
    const told = [], tip = document.getElementById("tip");
    function at(selector) { return document.querySelector(selector); }
    function tell(name, value) { told.push(name + "=" + value); }
    function texts(column) {
        return Array.from(document.querySelectorAll("#table-set-cells tbody tr:not(.off)")).map(
            (row) => row.cells[column].textContent.replace(/\u00a0/g, " ")).join(",");
    }
    tell("wide", document.documentElement.scrollWidth - document.documentElement.clientWidth);
    tell("top", Math.round(at("main table").getBoundingClientRect().top));
    document.querySelectorAll("details").forEach((d) => { d.open = true; });
    tell("opened", document.documentElement.scrollWidth - document.documentElement.clientWidth);
    tell("title", document.title);

    let cut = 0;
    document.querySelectorAll("figure svg").forEach((drawing) => {
        const r = drawing.getBoundingClientRect();
        drawing.querySelectorAll("text").forEach((text) => {
            const b = text.getBoundingClientRect(), slack = 3; /* of what is left of a line about letters */
            cut += b.width > 0 && (b.left < r.left - slack || b.right > r.right + slack ||
                b.top < r.top - slack || b.bottom > r.bottom + slack);
        });
    });
    tell("cut", cut);

    /* a table of message sizes breaks its cells before it goes beyond the page, and says when it does */
    tell("breaks", getComputedStyle(at("#table-set td.l")).whiteSpace);
    const wide = at("#table-set .scroll"), more = wide.classList.contains("more");
    wide.classList.add("more");
    tell("more", getComputedStyle(wide.querySelector("caption"), "::after").content);
    wide.classList.toggle("more", more);

    const map = at("figure[data-box]"), svg = map.querySelector("svg"), box = map.dataset.box.split(" ").map(Number);
    const r = svg.getBoundingClientRect();
    function point(x, y) { /* shares of the cells, from below */
        svg.dispatchEvent(new PointerEvent("pointermove", { bubbles: true,
            clientX: r.left + r.width * (box[0] + x * (box[2] - box[0])),
            clientY: r.top + r.height * (1 - box[1] - y * (box[3] - box[1])) }));
    }
    point(0.01, 0.01);
    tell("first", tip.hidden + "|" + tip.firstChild.textContent);
    point(0.99, 0.99);
    tell("last", tip.firstChild.textContent);
    const frame = at(".frame").getBoundingClientRect();
    tell("framed", Math.abs(frame.right - r.left - r.width * box[2]) < 2 &&
        Math.abs(frame.top - r.top - r.height * (1 - box[3])) < 2);
    tell("lines", Array.from(tip.children).slice(1, 4).map((e) => e.textContent.split(":")[0]).join(","));
    svg.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", bubbles: true }));
    tell("left", tip.firstChild.textContent);
    point(1.5, 0.5);
    tell("outside", tip.hidden);

    const table = at("th[data-k=bytes]").closest("table"), head = table.querySelector("th[data-k=bytes]");
    const column = head.cellIndex;
    function sizes() {
        return Array.from(table.tBodies[0].rows).filter((row) => !row.classList.contains("off")).map(
            (row) => row.cells[column].textContent.replace(/\u00a0/g, " "));
    }
    const before = sizes().join();
    head.querySelector(".sort").click();
    head.querySelector(".sort").click();
    tell("sorted", head.getAttribute("aria-sort") + "|" + sizes()[0] + "|" + sizes().pop());
    head.querySelector(".sort").click();
    tell("again", sizes().join() === before);
    const select = at("select[name=bytes]");
    select.value = "65536";
    select.dispatchEvent(new Event("change"));
    tell("filtered", Array.from(new Set(sizes())).join());
    tell("veiled", map.querySelectorAll(".veil").length + " of " + map.dataset.m.split(" ").length);
    tell("whole", /drawings that are no maps show every P and m/.test(at(".filters summary").textContent));
    at(".filters .copy").click();
    tell("all", sizes().join() === before);
    tell("unveiled", document.querySelectorAll(".veil").length);
    const cell = table.tBodies[0].rows[0].cells[0];
    cell.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    tell("row", tip.hidden);
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true }));
    tell("escaped", tip.hidden);
    let copied = "";
    Object.defineProperty(navigator, "clipboard", { value: { writeText: function (text) {
        copied = text;
        return Promise.resolve();
    } } });
    at("main code + .copy").click();
    tell("command", copied);
    cell.focus();
    cell.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
    tell("down", document.activeElement === table.tBodies[0].rows[1].cells[0]);
    tip.querySelector(".copy").click();
    tell("cell", copied.split("\n").length + "|" + copied.split("\n")[0]);
    /* a setting: of each cell of the first table that has one, by the key; of a heat map, by its button */
    const forced = Array.from(document.querySelectorAll("#table-set td[data-s]")).map((td) => {
        copied = "none";
        td.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
        td.dispatchEvent(new KeyboardEvent("keydown", { key: "c", bubbles: true }));
        return td.textContent.replace(/\u00a0/g, " ") + " = " + copied;
    });
    tell("forced", forced.length + "|" + forced.join("|"));
    copied = "none";
    const stays = at("#table-set td.l:not([data-s])");
    stays.dispatchEvent(new PointerEvent("pointerover", { bubbles: true }));
    stays.dispatchEvent(new KeyboardEvent("keydown", { key: "c", bubbles: true }));
    tell("stays", stays.textContent + "|" + copied);
    point(0.99, 0.99);
    tip.querySelectorAll(".copy")[1].click();
    tell("best", copied);

    const pre = document.createElement("pre");
    pre.id = "told";
    pre.textContent = told.join("\n") + "\n";
    document.body.append(pre);
})();
</script>
END
# answers WIDTH: what the script told in a window so wide, in $dir/told.
answers() {
    cat > "$dir/frame.html" << END
<iframe id="page" src="file://${page%/*}/tried.html" style="border:0;width:$1px;height:900px"></iframe><pre id="from"></pre>
<script>
onload = function () {
    document.getElementById("from").textContent =
        document.getElementById("page").contentDocument.getElementById("told").textContent;
};
</script>
END
    browse 1500 "$dir/frame.html"
    sed -n 's/^<pre id="from">//; s/<\/pre>.*//; /^[a-z]*=/p' "$dir/dom" | tail -n +1 > "$dir/told"
    sed -n 's/.*<pre id="from">\([a-z]*=.*\)/\1/p' "$dir/dom" >> "$dir/told"
}
# told NAME: the value of it.
told() {
    sed -n "s/^$1=//p" "$dir/told" | head -n 1
}
for width in 390 1440; do
    answers $width
    is 0 "$(told wide)" "at $width pixels nothing is wider than the page"
    is 0 "$(told opened)" "nor when all that is folded is open"
    is "" "$(cat "$dir/console")" "and nothing is wrong on the console"
    [ "$(told top)" -lt 664 ] # what a telephone of 844 pixels shows between its browser's bars
    ok $? "the first table begins $(told top) pixels down, on the first screen"
done
is normal "$(told breaks)" "cells of the table of message sizes break before it is wider than the page"
is '" (goes on to the right →)"' "$(told more)" "and where it still is, its caption says so"
is 0 "$(told cut)" "no text of a drawing is cut at its edge"
case $(told title) in *run*) false ;; *) true ;; esac
ok $? "a title that would run stays text"
is "false|bcast, walked, core, P = 8, 8 KiB" "$(told first)" "the pointer on a heat map's lower left corner: the first cell"
is "bcast, walked, core, P = 16, 1 MiB" "$(told last)" "on its upper right one: the last"
is true "$(told framed)" "which a frame goes around"
is "fastest,next,default" "$(told lines)" "with the fastest, the one behind it and the default"
is "bcast, walked, core, P = 16, 512 KiB" "$(told left)" "an arrow key goes to the cell beside it"
is true "$(told outside)" "beside the cells there is nothing to tell"
is "descending|1 MiB|8 KiB" "$(told sorted)" "sizes are sorted by value"
is true "$(told again)" "and stand as they stood at the third time"
is "64 KiB" "$(told filtered)" "a filter leaves the rows of its size"
is "7 of 8" "$(told veiled)" "and veils the other columns of a heat map"
is true "$(told whole)" "it says that drawings of another kind show all"
is true "$(told all)" "and all rows come back"
is 0 "$(told unveiled)" "and no veil is left"
is false "$(told row)" "a row of a table tells of its cell"
is true "$(told escaped)" "until the key Escape"
case $(told command) in "collsel rules write --cluster gros --study $dir/study.ini "*) true ;; *) false ;; esac
ok $? "a button copies the command that writes the rules"
is true "$(told down)" "an arrow key goes to the row below"
is "5|bcast, walked, core, P = 8, 16 KiB" "$(told cell)" "and what is told of its cell is copied"

# forces NUMBER SEGMENT: the words for Open MPI 4.1, of whose default a walk is.
forces() {
    echo "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm $1${2:+ --mca coll_tuned_bcast_algorithm_segmentsize $2}"
}
told forced | tr '|' '\n' > "$dir/forced"
[ "$(head -n 1 "$dir/forced")" -gt 1 ]
ok $? "cells of the first table that are to be set ($(head -n 1 "$dir/forced"))"
wrong=0
while IFS= read -r line; do
    number=$(echo "$line" | sed -n 's/^[^(:]*(\([0-9]*\)): .*/\1/p')
    segment=$(echo "$line" | sed -n 's/^[^,(]*, \([0-9]*\) KiB.*: .*/\1/p')
    case $line in *"= $(forces "$number" "${segment:+$((segment * 1024))}")"*) ;; *) wrong=1 && echo "# $line" ;; esac
done << END
$(sed 1d "$dir/forced")
END
is 0 $wrong "the key c copies what forces each, by its number and its segment"
case $(told stays) in –"|none" | \~"|none" | \?"|none") true ;; *) false ;; esac
ok $? "of a cell that keeps the default there is nothing to copy: $(told stays)"
case $(told best) in "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_bcast_algorithm "[1-9]*) true ;; *) false ;; esac
ok $? "a button copies what forces the fastest of a heat map's cell: $(told best)"
# Links as of when all was one page: a table, a figure and a section, each on the page that has it now.
for kind in table-sel figure- losses; do
    id=$(grep -ho " id=\"${kind}[^\"]*\"" "${page%/*}"/[cs]*.html | head -n 1 | cut -d'"' -f2)
    browse 1440 "${page%/*}/index.html#$id"
    has "id=\"$id\"" "$(cat "$dir/dom")" "index.html#$id leads to the page that has it"
done
tap_done
