/* SPDX-License-Identifier: BSD-3-Clause */
/* clock-t.c - another clock as a line: planted offsets and drifts come back, also where messages
 * are delayed. */
#include <math.h>

#include "harness/base/rng.h"
#include "tests/tap.h"
#include "workloads/clocks/clock_line.h"

/* Visits over so many seconds of a clock that is offset_s ahead and runs drift faster; messages
 * take a microsecond and, now and then on one way, a hundred. */
static struct clock_line learn(double offset_s, double drift, double seconds, int visits)
{
    struct clock_line line = { .n = 0 };
    struct rng rng;
    rng_init(&rng, 7);
    for (int i = 0; i < visits; i++) {
        struct clock_visit best = { .rtt_s = INFINITY };
        double now_s = 1e5 + seconds * i / (visits - 1);
        for (int k = 0; k < 20; k++, now_s += 1e-5) {
            const double to_s = 1e-6 + (rng_unit(&rng) < 0.5 ? 1e-4 : 1e-8 * rng_unit(&rng));
            const double back_s = 1e-6 + (rng_unit(&rng) < 0.5 ? 1e-4 : 1e-8 * rng_unit(&rng));
            const double there_s = now_s + to_s;
            const struct clock_visit v = clock_visit_of(
                now_s, there_s + offset_s + drift * (there_s - 1e5), there_s + back_s);
            if (v.rtt_s < best.rtt_s)
                best = v;
        }
        clock_line_add(&line, &best);
    }
    return line;
}

static void planted_clocks(void)
{
    static const double offsets[] = { 0, 3.5e-3, -1234.5 }, drifts[] = { 0, 1e-5, -2e-6 };
    for (int i = 0; i < 3; i++) {
        const struct clock_line line = learn(offsets[i], drifts[i], 0.2, 10);
        const double at_s = 1e5 + 0.3, other_s = at_s + offsets[i] + drifts[i] * 0.3;
        is_near(0, clock_line_other(&line, at_s) - other_s, 5e-8,
                "a clock %g s ahead that runs %g faster", offsets[i], drifts[i]);
        is_near(0, clock_line_local(&line, other_s) - at_s, 5e-8, "and back");
        ok(line.residual_s < 5e-8, "with what is left told (%g s)", line.residual_s);
    }
    const struct clock_line longer = learn(1, 1e-5, 60, 100);
    is_near(0, clock_line_other(&longer, 1e5 + 61) - (1e5 + 62 + 61e-5), 5e-8,
            "over a minute, by the last visits");
    const struct clock_line brief = learn(1, 0, 1e-3, 10);
    is_near(0, brief.drift, 0, "visits within a millisecond tell no drift");
    const struct clock_line none = { .n = 0 };
    is_near(5, clock_line_other(&none, 5), 0, "without visits it is one's own clock");
}

int main(void)
{
    planted_clocks();
    return tap_done();
}
