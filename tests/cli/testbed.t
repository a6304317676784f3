#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A real testbed of two nodes on two switches below a third, under a name of this test's own: up, a job, status,
# daemons killed and started again, down; refusals; `up` killed and interrupted in the middle. Nothing is left behind.
. tests/cli/run.sh

[ "$(id -u)" = 0 ] || skip_all "needs root"
for tool in ip tc munged slurmctld slurmd sbatch nsenter; do
    command -v "$tool" >/dev/null || skip_all "no $tool here"
done
unshare --net --uts --mount true 2>/dev/null || skip_all "no network namespaces here"
modprobe sch_tbf 2>/dev/null
unshare --net sh -c 'ip link add v0 type veth peer name v1 && tc qdisc add dev v0 root tbf rate 1mbit burst 2000 limit 9000' \
    2>/dev/null || skip_all "no veth or no tbf here"

name=t$$
file=$dir/$name.ini
cat >"$file" <<END
[cluster]
name = $name
nodes = 2
sockets = 1
cores = 1
cpu = some
emulated = yes
[network]
topology = tree
switch_ports = 1
link_rate = 100Mbps
trunk_rate = 100Mbps
[slurm]
partition = here
[testbed]
burst = 2000
END
trap '"$collsel" testbed down -q $name 2>/dev/null; tap_clean' EXIT
state=/run/collsel/$name
SLURM_CONF=$state/slurm.conf
export SLURM_CONF

# left: what of the testbed is still on this machine; $k is its number.
left() {
    [ -e "$state" ] && echo "$state"
    find /run/netns -name "collsel-$name-*" 2>/dev/null
    [ -z "$k" ] || find /sys/class/net -name "cs${k}[a-z]*"
    grep -alsF "$state/" /proc/[0-9]*/cmdline
}
gone() { [ -z "$(left)" ]; }
settled() { # what is left once processes that were killed are gone
    soon gone
    left
}
number() {
    k=$(awk '$1 == "index" { print $2 }' "$state/net" 2>/dev/null)
}

# batch ARGUMENT...: sbatch, and waits until the job has ended (sbatch -W looks every ten seconds).
cat >"$dir/batch" <<'END'
job=$(sbatch --parsable "$@") || exit 1
for _ in $(seq 6000); do
    case $(squeue -h -o %T -t all -j "$job") in
    COMPLETED) exit 0 ;;
    PENDING | RUNNING | COMPLETING) sleep 0.05 ;;
    *) exit 1 ;;
    esac
done
exit 1
END

# ---- refusals, nothing made ----
run testbed up gros
is 2 $status "a cluster that is not emulated is wrong usage"
says "'gros' is not an emulated cluster" "$dir/err" "and the message says why"
mkdir "$dir/bin"
for tool in ip tc munged slurmd sinfo; do ln -s "$(command -v $tool)" "$dir/bin/$tool"; done
PATH=$dir/bin "$collsel" testbed up "$file" 2>"$dir/err"
is 1 $? "without slurmctld on the PATH nothing comes up"
says "no 'slurmctld' on the PATH" "$dir/err" "and the message says why"
setpriv --bounding-set=-sys_admin "$collsel" testbed up "$file" 2>"$dir/err"
is 1 $? "nor without the right to make namespaces"
says "cannot make a network namespace here: Operation not permitted" "$dir/err" "and the message says why"
cp "$collsel" "$dir/collsel" && chmod 755 "$dir"
setpriv --reuid=65534 --regid=65534 --clear-groups "$dir/collsel" testbed up "$file" 2>"$dir/err"
is 1 $? "nor without root"
says "needs root" "$dir/err" "and the message says why"
is "" "$(left)" "refusals leave nothing behind"
run testbed down "$name"
is 0 $status "down of what is not up is fine"
says "'$name' is not up" "$dir/err" "and says so"
run testbed status "$name"
is 1 $status "status of what is not up fails"
says "'collsel testbed up $name' makes it" "$dir/err" "and says what to do"

# ---- up ----
run testbed up "$file"
is 0 $status "up succeeds"
sed 's/^/# /' "$dir/err"
number
run testbed up "$file"
is 1 $status "up again is refused"
says "testbed '$name' is up already" "$dir/err" "and the message says why"
run testbed status "$name" --json
is "0 True 2 None" "$status $(python3 -c "import json; o = json.load(open('$dir/out')); print(o['whole'], len(o['nodes']), o['nodes'][0]['wrong'])")" "status as JSON has the nodes"
run testbed status "$name"
is 0 $status "status succeeds"
is "$name-0 idle $name-1 idle" "$(awk -v n="$name-" 'index($1, n) == 1 { print $1, $NF }' "$dir/out" | xargs)" \
    "Slurm has both nodes"
says "2 of 1 nodes, each with 100 Mb/s each way to cs${k}s2" "$dir/out" "and the switches are as the file says"
is 6 "$(tc qdisc show | grep -c "^qdisc tbf .* dev cs$k.* rate 100Mbit burst 20[0-9][0-9]b")" \
    "both links and both ends of both trunks are shaped"

# The first message of a job: who ran where, and that the nodes reach each other by name.
cat >"$dir/job" <<'END'
#!/bin/sh
srun sh -c 'hostname; cat /sys/class/net/eth0/address' | sort
END
sh "$dir/batch" -N2 --licenses=machine:1 -o "$dir/job.out" "$dir/job" >"$dir/out" 2>&1
is 0 $? "a batch job ends well"
is "02:63:73:$(printf %02x "$k"):01:00 02:63:73:$(printf %02x "$k"):01:01 $name-0 $name-1" "$(xargs <"$dir/job.out")" \
    "and ran on both nodes, each with its own name and interface"
srun -p there true 2>"$dir/err"
says "invalid partition" "$dir/err" "another partition than the file's is refused by Slurm"
srun -N3 true 2>"$dir/err"
says "Unable to allocate resources" "$dir/err" "and more nodes than there are"

run testbed status
has "up" "$(grep "^$name  *2 nodes  198.18.$k.0/24 " "$dir/out")" "status without a name lists it as up"

# A stream of 3 MiB through both trunks; what a switch or a link buffers at its start is not counted.
cat >"$dir/receive.pl" <<'END'
use strict; use IO::Socket::INET; use Time::HiRes 'time';
my $s = IO::Socket::INET->new(LocalPort => 5999, Listen => 1, ReuseAddr => 1) or die $!;
my $c = $s->accept; my ($n, $from, $start, $buf) = (0, 0, 0);
while (my $k = sysread($c, $buf, 65536)) {
    $n += $k;
    ($from, $start) = ($n, time) if !$from && $n >= 1 << 20;
}
printf "%.2f\n", ($n - $from) * 8e-6 / (time - $start);
END
cat >"$dir/send.pl" <<'END'
use strict; use IO::Socket::INET;
my $c; for (1 .. 15000) { last if $c = IO::Socket::INET->new(PeerAddr => $ARGV[0], PeerPort => 5999); select undef, undef, undef, 0.02 }
$c or die $!; my $data = 'x' x (3 << 20); my $at = 0;
while ($at < length $data) { $at += syswrite($c, $data, 65536, $at) // die $! }
END
fast() { # a busy machine is no link: once in a while it lets the stream flow
    nsenter --net="/run/netns/collsel-$name-1" perl "$dir/receive.pl" >"$dir/rate" 2>"$dir/err" &
    nsenter --net="/run/netns/collsel-$name-0" perl "$dir/send.pl" "198.18.$k.2" 2>>"$dir/err"
    wait $!
    rate=$(cat "$dir/rate")
    awk "BEGIN { exit !(${rate:-0} > 50) }"
}
soon fast
holds "${rate:-0} > 50 && ${rate:-0} < 97" "two links and two trunks of 100 Mb/s let $rate Mb/s through"

# ---- daemons die ----
dead() { case $(ps -o stat= -p "$1") in "" | Z*) ;; *) return 1 ;; esac; }
daemons="$(cat "$state/$name-1.pid") $(cat "$state/slurmctld.pid")"
# shellcheck disable=SC2086
kill -9 $daemons
for daemon in $daemons; do soon dead "$daemon"; done
run testbed status "$name"
is 1 $status "status fails when daemons are dead"
says "slurmctld    missing" "$dir/out" "names slurmctld"
has "<- no slurmd" "$(grep "^$name-1 " "$dir/out")" "and the node"
run testbed start "$name"
is 0 $status "start starts them again"
says "2 daemons started" "$dir/err" "them alone"
is "$name-0 $name-1" "$(srun -Q -N2 hostname | sort | xargs)" "and jobs run again"

tc qdisc del dev "cs${k}n0" root
run testbed status "$name"
is 1 $status "status fails when a link has lost its shape"
has "<- link missing or not shaped" "$(grep "^$name-0 " "$dir/out")" "and names its node"

# ---- down, after the worst ----
nsenter --net="/run/netns/collsel-$name-0" sleep 300 &
stray=$!
sleep 300 &
other=$!
sbatch -N1 -w "$name-0" -o /dev/null --wrap "sleep 301" >"$dir/out"
umount "/run/netns/collsel-$name-1"
# ip may not come to its end on a busy machine: this one does nothing the first time it is to remove links
printf '#!/bin/sh\n[ "$1" != -force ] || [ -e "%s/late" ] || { : >"%s/late" && exit 1; }\nexec %s "$@"\n' "$dir" "$dir" "$(command -v ip)" >"$dir/ip"
chmod +x "$dir/ip" && mkdir "$dir/late.bin" && mv "$dir/ip" "$dir/late.bin/ip"
scriptd=$(pgrep -P "$(cat "$state/slurmctld.pid")" slurmscriptd)
[ -z "$scriptd" ] || kill -STOP "$scriptd"
kill -9 "$(cat "$state/slurmctld.pid")" "$(cat "$state/$name-0.pid")"
PATH=$dir/late.bin:$PATH run testbed down "$name"
is 0 $status "down succeeds with slurmctld and a slurmd killed, a namespace half made, and an ip that needs to be asked twice"
test -e "$dir/late"
ok $? "which it was"
is "" "$(left)" "no file, namespace, interface or daemon is left"
case $(ps -o stat= -p "${scriptd:-0}") in
"" | Z*) ok 0 "nor slurmctld's helper, even if it was stopped" ;;
*) ok 1 "nor slurmctld's helper, even if it was stopped" ;;
esac
wait "$stray" 2>/dev/null
is 137 $? "processes in its namespaces are ended"
kill "$other"
ok $? "others are not"
run testbed down "$name"
is 0 $status "down again is fine"

# A slurmd that does not start: what it said, and all is undone.
printf '#!/bin/sh\necho "fatal: no legs" >&2\nexit 1\n' >"$dir/bin/slurmd.tmp"
chmod +x "$dir/bin/slurmd.tmp" && mv "$dir/bin/slurmd.tmp" "$dir/bin/slurmd"
PATH=$dir/bin:$PATH "$collsel" testbed up -q "$file" 2>"$dir/err"
is 1 $? "up fails when a daemon does"
says "Slurm: slurmd of $name-0 has ended: fatal: no legs" "$dir/err" "gives its last words"
is "" "$(settled)" "and undoes what it made"

# Debian's /run is noexec, where batch scripts would not run.
cat >"$dir/noexec" <<END
mount -t tmpfs -o noexec tmpfs /run/collsel || exit 77
"$collsel" testbed up -q "$file" && sh "$dir/batch" -o "$dir/job.out" -N1 --wrap hostname && "$collsel" testbed down -q $name
result=\$?
umount /run/collsel
exit \$result
END
mkdir -p /run/collsel
unshare --mount --propagation private sh "$dir/noexec" >"$dir/out" 2>&1
status=$?
rmdir /run/collsel 2>/dev/null
if [ $status = 77 ]; then
    skip "no mount here" "a batch job where /run is noexec"
else
    is "0 $name-0" "$status $(cat "$dir/job.out")" "a batch job runs where /run is noexec"
fi

# ---- up cut short ----
for ms in 8 30 90 250; do
    "$collsel" testbed up -q "$file" 2>"$dir/err" &
    pid=$!
    sleep "0.$(printf %03d $ms)"
    kill -9 $pid 2>/dev/null
    wait $pid 2>/dev/null
    number
    run testbed down "$name"
    is "0 " "$status $(left)" "up killed after $ms ms: down leaves nothing behind"
done
"$collsel" testbed up -q "$file" 2>"$dir/err" &
pid=$!
soon test -e "$state/made"
kill -TERM $pid
wait $pid
is 1 $? "an interrupted up fails"
says "interrupted" "$dir/err" "says so"
is "" "$(left)" "and undoes what it made"
tap_done
