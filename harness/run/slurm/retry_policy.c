/* SPDX-License-Identifier: BSD-3-Clause */
#include "harness/run/slurm/retry_policy.h"

#include "harness/run/estimate.h"

int retry_policy_failed(struct retry_policy *patience, struct progress *chatter, struct err *err)
{
    char text[32];
    const double now = now_s();
    if (patience->since_s == 0) {
        patience->since_s = now;
        progress_say(chatter, "%s (tasks go on meanwhile; asking again, for %s at most)", err->text,
                     format_duration(RETRY_POLICY_S, text, sizeof text));
    }
    if (now - patience->since_s <= RETRY_POLICY_S)
        return 0;
    return err_prefix(err, "no answer for %s",
                      format_duration(now - patience->since_s, text, sizeof text));
}

void retry_policy_succeeded(struct retry_policy *patience, struct progress *chatter)
{
    char text[32];
    if (patience->since_s > 0)
        progress_say(chatter, "an answer again, after %s",
                     format_duration(now_s() - patience->since_s, text, sizeof text));
    patience->since_s = 0;
}
