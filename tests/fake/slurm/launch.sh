# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# launch.sh - sourced by the fake launchers: finds the measuring program among the words and runs it.
[ "$SLURM_JOB_ID" ] || { echo "${0##*/}: error: not in an allocation" >&2; exit 1; }
while [ $# -gt 0 ] && [ "${1##*/}" != measure ]; do shift; done
[ $# -gt 0 ] || { echo "${0##*/}: error: no program" >&2; exit 1; }
mv "$FAKE_SLURM/do/words" "$FAKE_SLURM/do/.words.$$" 2>/dev/null || exec "$@"
# As long as that file is there no launch goes beyond a few points, however fast they are.
COLLSEL_NULL_STAY="$FAKE_SLURM/do/.words.$$" "$@" &
sleep 0.3
kill -9 $! 2>/dev/null
cat "$FAKE_SLURM/do/.words.$$" >&2
rm -f "$FAKE_SLURM/do/.words.$$"
exit 1
