#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# collsel run --timeline: each call of each rank, as trace events, beside what the summary says of them.
. tests/libcollsel/lib.sh

# What a timeline says, with the report of the same run: ranks; events a rank; whether they have the report's times to the us, follow each other
# in every rank, and no rank leaves an allreduce before the last one has entered it, give or take 1 ms of their clocks.
read_it() {
    python3 - "$dir/time.json" "$dir/report.json" <<'END'
import collections, json, sys
trace, report = (json.load(open(path)) for path in sys.argv[1:3])
ranks, named = collections.defaultdict(list), {}
for e in trace["traceEvents"]:
    if e["ph"] == "X":
        ranks[e["pid"]].append(e)
    else:
        named[e["pid"]] = e["args"]["name"]
total = sum(e["dur"] for calls in ranks.values() for e in calls) * 1e-6
wanted = sum(row["time_s"] * row["procs"] for row in report["rows"])
inside = all(a["ts"] + a["dur"] <= b["ts"] + 0.002 for calls in ranks.values() for a, b in zip(calls, calls[1:]))
together = all(min(e["ts"] + e["dur"] for e in at) > max(e["ts"] for e in at) - 1000
               for at in zip(*ranks.values()) if at[0]["name"] == "allreduce")
print(sorted(named.items()) == [(r, f"rank {r}") for r in sorted(ranks)], sorted(len(calls) for calls in ranks.values()),
      abs(total - wanted) < 1e-5, inside, together, all(e["ts"] > 0 for calls in ranks.values() for e in calls),
      sorted({e["args"]["bytes"] for calls in ranks.values() for e in calls}), trace["otherData"]["missing_calls"])
END
}

# Of the first rank: tracks; calls that begin before the one before them on their track ends.
tracks() {
    python3 - "$dir/time.json" <<'END'
import collections, json, sys
track = collections.defaultdict(list)
for e in json.load(open(sys.argv[1]))["traceEvents"]:
    if e["ph"] == "X" and e["pid"] == 0:
        track[e["tid"]].append(e)
late = sum(a["ts"] + a["dur"] > b["ts"] + 0.002 for calls in track.values() for a, b in zip(calls, calls[1:]))
print(len(track), late)
END
}

timelines() {
    local mpi=$1
    build_app "$mpi" || { skip "no $mpi here" "$mpi: timelines"; return; }
    through "$mpi" 3 --timeline "$dir/new/time.json" --report "$dir/report.json" -- places 600
    is 0 $? "$mpi: the application ends well"
    cp "$dir/new/time.json" "$dir/time.json"
    is "True [600, 600, 600] True True True True [4] 0" "$(read_it)" "$mpi: 600 calls of each of three ranks, with the report's times"
    through "$mpi" 2 --mode star --timeline "$dir/time.json" --report "$dir/report.json" -- places 600
    is "True [600, 600] True True True True [4] 0" "$(read_it)" "$mpi: also where star is at work"
    through "$mpi" 1 --timeline "$dir/time.json" -- places 1050000
    has "collsel: COLLSEL_TIMELINE: 1424 calls of all ranks are missing" "$(cat "$dir/err")" "$mpi: what there is no room for is told"
    is "1048576 1424" "$(grep -c '"ph": "X"' "$dir/time.json") $(sed -n 's/.*"missing_calls": \([0-9]*\).*/\1/p' "$dir/time.json")" "... and is in the file"
    through "$mpi" 2 --timeline "$dir" -- places 6
    is 1 $? "$mpi: a directory is no file"
    has "--timeline: '$dir' is a directory" "$(cat "$dir/err")" "... which is said before anything starts"
    through "$mpi" 2 --timeline /dev/null -- places 6
    is 1 $? "$mpi: nor is a device"
    has "--timeline: cannot write '/dev/null'" "$(cat "$dir/err")" "... which is said before, too"
    through "$mpi" 2 --timeline "$dir/time.json" -- threads 4
    is "5 0" "$(tracks)" "$mpi: main and four threads have a track each, as their calls go on at a time"
    COLLSEL_TIMELINE=/proc/none/time.json through "$mpi" 2 -- places 6
    is 0 $? "$mpi: a file that cannot be written does not fail the application"
    has "collsel: COLLSEL_TIMELINE: " "$(cat "$dir/err")" "... and is told"
    launch "$mpi" 2 "$dir/app-$mpi" places 6
    # shellcheck disable=SC2016 # of the inner shell
    timeout $patience "$collsel" run --timeline "$dir/gone/time.json" -- sh -c 'rm -r "$0" && : >"$0" && exec "$@"' "$dir/gone" "${line[@]}" >"$dir/out" 2>"$dir/err"
    is 1 $? "$mpi: by collsel run it is a failure, where the application ended well"
    has "left no timeline there" "$(cat "$dir/err")" "... which is said"
    rm -f "$dir/gone"
}

# An aborted application has none, not the one of a run before.
aborts() {
    local mpi=$1
    [ -x "$dir/app-$mpi" ] || return
    for file in time report; do echo old >"$dir/$file.json"; done
    through "$mpi" 2 --timeline "$dir/time.json" --report "$dir/report.json" -- abort 3
    holds "$? != 0" "$mpi: an application that aborts"
    is "no no" "$([ -e "$dir/time.json" ] && echo yes || echo no) $([ -e "$dir/report.json" ] && echo yes || echo no)" "... leaves no timeline or report, not those of before"
}

timelines openmpi
timelines mpich
aborts openmpi
aborts mpich
"$collsel" run --compare 2 --timeline "$dir/time.json" -- true 2>"$dir/err"
is 2 $? "--compare has many runs, and no timeline"
"$collsel" run --report "$dir/time.json" --timeline "$dir/time.json" -- true 2>"$dir/err"
is 2 $? "the report and the timeline are no one file"
"$collsel" run --mode off --timeline "$dir/time.json" -- true 2>"$dir/err"
is 2 $? "in mode off nothing is recorded"
tap_done
