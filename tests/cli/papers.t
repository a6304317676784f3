#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# collsel papers: claims are judged by what studies have left, and by nothing else.
. tests/cli/run.sh

out=$dir/out err=$dir/err
# like TEXT PATTERN MESSAGE
like() {
    # shellcheck disable=SC2254 # a pattern
    case $1 in
    $2) ok 0 "$3" ;;
    *)
        ok 1 "$3"
        printf '# wanted: %s\n#   seen: %s\n' "$2" "$1" | tap_tell ;;
    esac
}

assets=$dir/reports
mkdir -p "$assets/reference" "$dir/results/here/study-walk" "$dir/results/there/study"
cp reports/page.css reports/page.js reports/page.template "$assets"
cp reports/reference/nuriyev2021.csv "$assets/reference"
head='paper,item,claim,theirs,study,command,file,where,column,reduce,against,needs,rule,limit,unit,note'
printf 'kind,size,x,backend\na,1,4,walk\na,2,9,walk\nb,1,2,walk\nb,2,,walk\n' >"$dir/results/here/study-walk/t.csv"
printf 'kind,size,x,backend\na,1,5,sim\n' >"$dir/results/there/study/t.csv"

claims() { printf '%s\n' "$head" "$@" >"$assets/reference/papers.csv"; }
judge() { run papers --assets "$assets" --results "$dir/results" "$@"; }
# one ROW WANT: what is said of one claim.
one() {
    claims "$1"
    judge
    like "$(cat "$out")" "$2" "$1"
}

one 'p,T1,c,9.5,here/study,make it,t.csv,kind=a;size=2,x,mean,,rows>=1,near,0.1,s,' '*reproduced*ours 9 s, theirs 9.5 (walk)*'
one 'p,T1,c,12,here/study,make it,t.csv,kind=a;size=2,x,mean,,rows>=1,near,0.1,s,because' '*differs*ours 9 s*because*'
one 'p,T1,c,12,here/study,make it,t.csv,kind=a;size=2,x,mean,,rows>=1,near,0.1,s,' '*differs*why is not known*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,most,,rows>=1,at_most,9,,' '*reproduced*ours 9*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,least,,rows>=1,at_most,3.9,,' '*differs*ours 4*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=1,at_least,6.5,,' '*reproduced*ours 6.5*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,median,,rows>=1,at_least,6.6,,' '*differs*ours 6.5*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,spread,,rows>=1,at_least,2.25,,' '*reproduced*ours 2.25*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,kind=b;size=1,rows>=1,at_least,3.25,,' '*reproduced*ours 6.5 beside 2*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,kind=b;size=1,rows>=1,at_least,3.3,,' '*differs*ours 6.5 beside 2*'
one 'p,T1,c,,there/study,make it,t.csv,kind=a,x,mean,,rows>=1,at_least,5,,' '*reproduced*ours 5*(sim)*'
one 'p,T1,c,,here/study,make it,t.csv,kind=z,x,mean,,rows>=1,at_least,5,,' '*not made*no number in here/study-walk/t.csv: kind=z*'
one 'p,T1,c,,here/study,make it,t.csv,kind=b;size=2,x,mean,,rows>=1,at_most,5,,' '*not made*no number in*'
one 'p,T1,c,,here/study,make it,t.csv,kind=b,x,mean,,rows>=1,at_most,5,,' '*not made*1 of the rows that it wants has no number*'
one 'p,T1,c,,nowhere/study,make it so,t.csv,kind=a,x,mean,,rows>=1,at_least,5,,' '*not made*make it so*1 not made here*'
one 'p,T1,c,,,,,,,mean,,,none,,,no such machine' '*not applicable*no such machine*'
one 'p,T1,c,,,,,,,mean,,,open,,,was not run' '*not made*was not run*'

# A claim is not judged by a part of the cells that it is about.
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=2,at_least,5,,' '*reproduced*ours 6.5*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=3,at_least,5,,' '*not made*2 of the 3 rows that the claim is about: kind=a*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,kind=b;size=1,rows>=1;against>=2,at_least,1,,' '*not made*1 of the 2 rows*kind=b;size=1*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,size>=2,at_least,5,,' '*not made*size is 1 in line 2 of it (the claim is about 2)*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=2,x,mean,,size>=2,at_least,5,,' '*reproduced*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,later,mean,,rows>=1,at_least,5,,' "*not made*no column 'later'*make it*"
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,procs=2;bytes=8,at_least,5,,' '*not made*1 of the 1 point *no time in points.csv*'
printf 'procs,bytes,time_s,status\n2,8,1e-6,ok\n2,16,1e-6,ok\n4,8,1e-6,ok\n4,16,,failed\n' >"$dir/results/here/study-walk/points.csv"
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,"procs=2;bytes=8,16",at_least,5,,' '*reproduced*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,"rows>=2;procs=2,4;bytes=8,16",at_least,5,,' '*not made*1 of the 4 points that the claim is about has no time in points.csv, as procs=4;bytes=16*'
one 'p,T1,c,90,here/study,make it,t.csv,kind=a,x,mean,,,setting,,calls,typed in' '*setting*ours 6.5 calls, theirs 90*typed in*1 claim: 0 reproduced, 0 differ, 0 not made here, 0 not applicable, 1 setting*'

# What is equal is neither less nor more, and what a simulation has by construction needs times that were measured.
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=1,x,mean,,rows>=1,at_most,4,,' '*reproduced*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=1,x,mean,,rows>=1,below,4,,' '*differs*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=1,x,mean,,rows>=1,below,4.1,,' '*reproduced*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=1,x,mean,kind=b;size=1,rows>=1;against>=1,above,2,,' '*differs*ours 4 beside 2*'
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=1,x,mean,kind=b;size=1,rows>=1;against>=1,above,1.9,,' '*reproduced*ours 4 beside 2*'
like "$(cat "$dir/results/papers/index.html")" '*above 1.9 times what is beside*' "as the page says"
one 'p,T1,c,,here/study,make it,t.csv,kind=a;size=1,x,mean,,measured;rows>=1,below,4.1,,walked' '*not made*ours 4*times that were measured (these are of the backend walk: walked)*'
one 'p,T1,c,,there/study,make it,t.csv,kind=a,x,mean,,rows>=1;measured,below,5.1,,' '*not made*ours 5*times that were measured (these are of the backend sim)*'
mkdir -p "$dir/results/real/study"
printf 'kind,size,x,backend\na,1,5,slurm\n' >"$dir/results/real/study/t.csv"
one 'p,T1,c,,real/study,make it,t.csv,kind=a,x,mean,,rows>=1;measured,below,5.1,,' '*reproduced*ours 5*(slurm)*'

# Times of another commit are judged, and that is said.
printf '{"tool": {"commit": "0123456789abcdef"}}' >"$dir/results/here/study-walk/manifest.json"
one 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=2,at_least,5,,' "*reproduced*another commit's times*1 of these verdicts rests on times of another commit*"
like "$(cat "$dir/results/papers/index.html")" '*another commit*walk †*' "as on the page"
judge --json
like "$(cat "$out")" '*"commit": "0123456789abcdef"*"stale": true*' "and in JSON"
rm "$dir/results/here/study-walk/manifest.json" "$dir/results/here/study-walk/points.csv"

# What takes long ships: judged by the same rules, named as such, and only where nothing here settles the claim.
ships=$assets/reference/shipped/far/study-walk
mkdir -p "$ships"
printf 'kind,size,x,backend\na,1,7,walk\na,2,8,walk\n' >"$ships/t.csv"
echo "nodes = 4" >"$dir/far.ini"
# shipped DIGEST ANSWERS: its provenance.
answers=$(sed -n 's/.*PAPERS_ANSWERS = \([0-9]*\).*/\1/p' reports/papers.h)
shipped() {
    printf '{"tool": {"commit": "0123456789abcdef"}, "shipped": {"made": "2026-12-01", "took": "3 min", "machine": "a CPU, 2 cores", "answers": %s, "inputs": {"far.ini": "%s", "not-here.ini": "00"}}}\n' \
        "$2" "$1" >"$ships/manifest.json"
}
digest=$(python3 -c "
h = 0xcbf29ce484222325
for b in b'nodes = 4\n': h = (h ^ b) * 0x100000001b3 % 2**64
print('%016x' % h)")
shipped "$digest" "$answers"
row='p,T1,c,,far/study,make far (3 minutes),t.csv,kind=a,x,mean,,rows>=2,at_least,7.5,,'
one "$row" '*reproduced*ours 7.5 (walk, shipped: 2026-12-01, commit 01234567, 3 min, a CPU, 2 cores): c*anew: make far (3 minutes)*1 of these verdicts rests on results that ship*'
like "$(cat "$dir/results/papers/index.html")" '*walk, shipped (2026-12-01, commit 01234567*anew: make far (3 minutes)*' "the page says what ships, and how it is made anew"
is 0 "$(grep -c 'stale' "$out")" "of the same inputs it is not stale, whatever the commit; an input that is not here cannot be compared"
judge --commands
is "" "$(cat "$out")" "no command is wanted for what ships"
judge --json
like "$(cat "$out")" '*"stale": false*"shipped": "2026-12-01, commit 01234567*' "and in JSON"
one 'p,T1,c,,far/study,make far (3 minutes),t.csv,kind=a,x,mean,,rows>=3,at_least,7.5,,' '*not made*2 of the 3 rows*0 reproduced*'
shipped "$digest" 0
one "$row" '*a CPU, 2 cores; stale: its inputs have changed since)*1 of these verdicts rests on times of another commit than this program*, or of inputs that have changed*'
shipped "$digest" "$answers"
echo "nodes = 5" >"$dir/far.ini"
one "$row" '*reproduced*; stale: its inputs have changed since)*'
like "$(cat "$dir/results/papers/index.html")" '*† 1 of the verdicts are stale*2 cores) †*' "as on the page"
mkdir -p "$dir/results/far/study-walk"
printf 'kind,size,x,backend\na,1,1,walk\n' >"$dir/results/far/study-walk/t.csv"
one "$row" '*reproduced*ours 7.5 (walk, shipped*'
printf 'kind,size,x,backend\na,1,1,walk\na,2,2,walk\n' >"$dir/results/far/study-walk/t.csv"
one "$row" '*differs*ours 1.5 (walk): c*0 reproduced, 1 differs*'
judge --strict
is 0 "$status" "--strict: every claim is made, whatever the verdict"
rm -r "$dir/results/far" "$ships"
judge
is 0 "$status" "without --strict a claim that is not made is no failure"
judge --strict
is 1 "$status" "--strict: it is one"
like "$(cat "$err")" '*1 of 1 claim is not made (want what `collsel papers --commands` prints, or no --strict)*' "... which is said"

claims 'p,T1,<b>bold</b>,9,here/study,make it,t.csv,kind=a;size=2,x,mean,,rows>=1,near,0.1,s,' \
    'q,T2,"a, b",1,nowhere/study,make x,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,' \
    'q,T3,c,1,nowhere/study,make x,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,' \
    'q,T4,c,1,nowhere/else,make y,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,'
judge
is 0 "$status" "several claims"
like "$(tail -n 2 "$out")" "4 claims: 1 reproduced, 0 differ, 3 not made here, 0 not applicable, 0 settings
$dir/results/papers/index.html" "they are counted"
like "$(cat "$dir/results/papers/index.html")" '*&lt;b&gt;bold*' "what a claim says stays text"
is 5 "$(grep -c . "$dir/results/papers/papers.csv")" "a row for each claim"
claims 'p,T1,c,,,,,,,mean,,,open,,,was not run' 'q,T2,c,1,nowhere/study,make x,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,' \
    'q,T4,c,1,nowhere/else,make y,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,' 'q,T3,c,1,nowhere/study,make x,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,'
judge --commands
is "make x
make y" "$(cat "$out")" "what is missing, each command once"

# refused ROW WORDS: the file is named, with its line.
refused() {
    claims "$1"
    judge
    is 1 "$status" "$2: refused"
    like "$(cat "$err")" "*papers.csv:2: *$2*" "$2: named with its line"
}
refused 'p,T1,c,x,here/study,make it,t.csv,kind=a,x,mean,,rows>=1,near,0.1,s,' "want a number"
refused 'p,T1,c,,here/study,make it,,kind=a,x,mean,,rows>=1,at_most,1,s,' "empty, where the rule is at_most"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=1,at_most,,s,' "limit: empty"
refused 'p,T1,c,,,,,,,mean,,,none,,,' "note: empty"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,,at_most,1,s,' "needs: empty"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>2,at_most,1,s,' "want rows>=N"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=two,at_most,1,s,' "want rows>=N"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,"procs=2,,4",at_most,1,s,' "want rows>=N"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,,setting,,s,' "note: empty"
refused 'p,T1,c,,here/study,make it,t.csv,kind=a,x,sum,,rows>=1,at_most,1,s,' "sum"

printf 'kind,size,x,backend\na,1,4,walk\na,2,9,sim\n' >"$dir/results/there/study/t.csv"
claims 'p,T1,c,,there/study,make it,t.csv,kind=a,x,mean,,rows>=1,at_most,1,s,'
judge
is 1 "$status" "rows of two backends under one claim: refused"
like "$(cat "$err")" "*there/study/t.csv:3: *backend: 'sim'*'walk'*" "with file and line"
printf 'kind,size,x,backend\na,1,4,\033[31mwalk\n' >"$dir/results/there/study/t.csv"
judge
is 1 "$status" "a backend that is no name, and would reach the terminal: refused"
like "$(cat "$err")" "*there/study/t.csv:2: *backend*" "with file and line"
claims 'p,T1,c,,here/study,make it,t.csv,colour=a,x,mean,,rows>=1,at_most,1,s,'
judge
is 1 "$status" "a column that the study's file lacks: refused"
like "$(cat "$err")" "*study-walk/t.csv: no column 'colour'*" "and named"
claims 'p,T1,c,,here/study,make it,t.csv,kind=a,x,mean,,rows>=1,at_most,1,s,'
printf 'kind,size,x,backend\na,1,four,walk\n' >"$dir/results/here/study-walk/t.csv"
judge
is 1 "$status" "a number that is none: refused"
like "$(cat "$err")" "*study-walk/t.csv:2: x: *four*" "with its line"
printf 'kind,size,x,backend\na,1,4,wal' >"$dir/results/here/study-walk/t.csv"
judge
is 1 "$status" "a file that was cut short: refused"

# The file that ships: every row can be read, each paper has one.
mkdir -p "$dir/alone/reference"
cp reports/page.* "$dir/alone"
cp reports/reference/*.csv "$dir/alone/reference"
run papers --assets "$dir/alone" --results "$dir/nothing"
is 0 "$status" "without any results"
for paper in nuriyev2021 tallone2024 sugiyama pml star; do
    ok "$(grep -q "^$paper " "$out"; echo $?)" "$paper has claims"
done
ok "$(grep -q ' 0 reproduced, 0 differ,' "$out"; echo $?)" "and nothing is reproduced by what is not there"

run papers --results "$dir/nothing" --json
is "" "$(python3 - "$out" <<'END'
import glob, json, os, sys
claims = [c for c in json.load(open(sys.argv[1])) if c['shipped']]
used = {c['command'] for c in claims}
for m in glob.glob('reports/reference/shipped/*/*/manifest.json'):
    shipped = json.load(open(m))['shipped']
    if not set(shipped['command']) <= used or not all(os.path.exists(i) for i in shipped['inputs']) or not all('(' in c for c in shipped['command']):
        print(m)
if not claims or any(not c['ours'] and c['ours'] != 0 for c in claims) or sum(os.path.getsize(f) for f in glob.glob('reports/reference/shipped/**', recursive=True)) > 300000:
    print(len(claims), 'claims by what ships')
END
)" "every result that ships settles a claim, names its inputs and how long it takes, and all are small"

# What ships is what the named command makes: some of it anew, by the cells of one figure.
for c in frontera mri; do
    awk -v on="[on $c]" '/^\[/ { here = $0 == on } here && /^shape_nodes/ { $0 = "shape_nodes = 2" } here && /^shape_ppn/ { $0 = "shape_ppn = 16" }
        /^collectives/ { $0 = "collectives = alltoall allgather" } !/^ bina|^ binomial|^other_defaults/' clusters/studies/pml.ini >"$dir/pml.ini"
    run measure -q -c clusters/pml/$c.ini -s "$dir/pml.ini" -b walk --results "$dir/anew"
    run fit -q -c clusters/pml/$c.ini -s "$dir/pml.ini" -b walk --results "$dir/anew"
done
if ! ci/ship-papers -r "$dir/anew" -o "$dir/shipped" -t "1 s" frontera/pml-walk mri/pml-walk 2>"$err"; then
    skip "$(tail -n 1 "$err" | cut -c 1-120)" "what ships, made anew"
else
    for c in frontera mri; do
        is "$(sort reports/reference/shipped/$c/pml-walk/points.csv)" "$(sort "$dir/shipped/$c/pml-walk/points.csv")" "$c: what ships, made anew"
    done
fi
ci/ship-papers -r "$dir/anew" -o "$dir/shipped" -t "1 s" frontera/other-walk 2>"$err"
is 1 $? "a study that no claim looks up does not ship"

# Each shipped claim of less or more is strict, each that a walk has by construction wants measured times, and the rounds of Table 5 count.
is "" "$(python3 - <<'END'
import csv
rows = list(csv.DictReader(l for l in open('reports/reference/papers.csv') if not l.startswith('#')))
for r in rows:
    words = r['claim'].replace('more than twice', '')
    judged = r['rule'] not in ('none', 'open', 'setting')
    strict = any(w in words for w in (' less than', ' less time', ' more than', ' better')) and (r['against'] or 'upper end' in words)
    if judged and strict and r['limit'] == '1' and r['rule'] not in ('below', 'above'):
        print('not strict:', r['claim'])
    if judged and ('model=links_step' in r['where'] or 'source=links_step' in r['where'] or r['column'] == 'own_pct') and 'measured' not in r['needs'].split(';'):
        print('a walk has it:', r['claim'])
    if judged and 'four rounds or more' in words and 'rounds>=4' not in r['needs'].split(';'):
        print('rounds:', r['claim'])
END
)" "the claims that ship: less is less, measured is measured, four rounds are four"

# A study cut to one P and five sizes: what the model chooses loses nothing there, and no verdict says so.
sed 's/^procs = 80 100 124/procs = 124/; s/^bytes_from.*/bytes = 256K 512K 1M 2M 4M/; /^bytes_to/d; /^bytes_count/d' clusters/studies/nuriyev.ini >"$dir/nuriyev.ini"
run report -q -c gros -s "$dir/nuriyev.ini" -b walk --results "$dir/cut"
is 0 "$status" "the study of a paper, cut"
run papers --results "$dir/cut" --output "$dir/cut/papers" --json
is "fine not made: 5, 30" "$(python3 - "$out" "$dir/cut/gros/nuriyev-walk/degradation.csv" <<'END'
import csv, json, sys
claims = json.load(open(sys.argv[1]))
cut = [c for c in claims if 'chooses loses 10 % at most' in c['claim']][0]
row = [r for r in csv.DictReader(open(sys.argv[2])) if r['selector'] == 'stage' and r['purpose'] == 'study'][0]
judged = [c['status'] for c in claims if c['paper'] == 'nuriyev2021' and c['item'] not in ('Table 1', 'Table 2') and c['ours'] is not None]
print('fine' if float(row['worst_pct']) < 10 and 'reproduced' not in judged else judged, cut['status'] + ':',
      ', '.join(w for w in ('5', '30') if w in cut['reason']))
END
)" "what loses less than 10 % in five cells is not made: the claim is about 30"
# ---- make papers ----
# A collsel that says which commands are wanted, and which were given.
mkdir -p "$dir/bin" "$dir/no" "$dir/orfeo"
cat >"$dir/bin/collsel" <<'END'
#!/bin/sh
case "$*" in
'papers --commands')
    printf '%s\n' 'make report CLUSTER=gros STUDY=nuriyev BACKEND=walk' 'make report DATASET=DIR/tallone-orfeo-epyc' 'collsel star --cluster star-a' \
        'make pml (an hour)' 'ci/apps -c star-a fft && make report CLUSTER=star-a STUDY=star' ;;
*) echo "ran: $*" ;;
esac
END
printf '#!/bin/sh\necho "make was started"\n' >"$dir/no/make"
chmod +x "$dir/bin/collsel" "$dir/no/make"
made() { env SHORT= OUT="$dir/bin" PATH="$dir/no:$PATH" MAKE="$dir/no/make" "$@" ci/papers >"$out" 2>"$err"; }
made DATASET="$dir/orfeo" SHORT=
is 0 $? "make papers, with a data set"
is "ran: report --cluster gros --study nuriyev --backend walk
ran: report --dataset $dir/orfeo
ran: star --cluster star-a
ran: papers" "$(grep '^ran: ' "$out")" "the data set goes to its own command alone"
is 0 "$(grep -c 'make was started' "$out")" "and no make is started that could take it up"
is "5 5" "$(sed '/^ran: /q' "$out" | grep -c '^makes, about \|^leaves out: ') $(grep -c '^makes, about \|^leaves out: ' "$out")" "before all it says what it makes and what it leaves out"
like "$(cat "$out")" "*makes, about half a minute: collsel report --cluster gros*" "and how long that takes"
made DATASET=
like "$(cat "$out")" "*leaves out: the published data of ORFEO (make papers DATASET=DIR)*" "without the data set that is left out"
is 0 "$(grep -c 'ran: .*--dataset' "$out")" "and not made"
made DATASET= STRICT=1
is "ran: papers --strict" "$(grep '^ran: ' "$out" | tail -n 1)" "STRICT=1: what is not made is a failure"
made DATASET="$dir/nowhere"
is "2 " "$? $(cat "$out")" "a data set that is not there is wrong usage, before anything is made"
like "$(cat "$err")" "papers: want DATASET=DIR*" "with the remedy first"

# Whose they are a data set's format says.
printf 'mapby,size,latency,iterations,p50,p95,p99,recv\nnode,8,2.5,1000,2.4,2.6,2.7,128\n' >"$dir/orfeo/p2p.csv"
for command in "report --dataset $dir/orfeo" "import $dir/orfeo" "report --as-is --dataset $dir/orfeo"; do
    # shellcheck disable=SC2086 # words
    run ${command%% *} --cluster gros --results "$dir/orfeo-results" ${command#* }
    is 2 "$status" "measurements of another machine than --cluster are refused: $command"
    like "$(cat "$err")" "*want --cluster orfeo-epyc, or none: '$dir/orfeo' has times of orfeo-epyc, not of gros*" "... with the remedy first"
done
is "" "$(ls "$dir/orfeo-results" 2>/dev/null)" "and nothing is filed"
mkdir -p "$dir/results/orfeo-epyc/set"
printf '{"schema": 1, "backend": {"name": "imported"}, "cluster": {"settings": {"cluster": {"name": {"value": "orfeo-epyc"}}}}}\n' >"$dir/results/orfeo-epyc/set/manifest.json"
for verb in fit select report "train --output $dir/m" "export --library openmpi-4.1" "recommend --collective bcast -p 4 -m 8" "explain --collective bcast -p 4 -m 8" "predict bcast -p 4 -m 8"; do
    # shellcheck disable=SC2086 # words
    run $verb --cluster gros --dataset "$dir/results/orfeo-epyc/set"
    is 2 "$status" "${verb%% *}: a data set of another machine is refused"
    like "$(cat "$err")" "*want --cluster orfeo-epyc, or none: *" "... with the remedy first"
done
tap_done
