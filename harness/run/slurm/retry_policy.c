/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/retry_policy.h"

#include "harness/run/estimate.h"

int patience_bear(struct patience *patience, struct progress *chatter, struct err *err)
{
    char text[32];
    const double now = now_s();
    if (patience->since_s == 0) {
        patience->since_s = now;
        progress_say(chatter, "%s (tasks go on meanwhile; asking again, for %s at most)", err->text,
                     format_duration(PATIENCE_S, text, sizeof text));
    }
    if (now - patience->since_s <= PATIENCE_S)
        return 0;
    return err_prefix(err, "no answer for %s",
                      format_duration(now - patience->since_s, text, sizeof text));
}

void patience_rest(struct patience *patience, struct progress *chatter)
{
    char text[32];
    if (patience->since_s > 0)
        progress_say(chatter, "an answer again, after %s",
                     format_duration(now_s() - patience->since_s, text, sizeof text));
    patience->since_s = 0;
}
