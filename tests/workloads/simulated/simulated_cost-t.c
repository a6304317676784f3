/* SPDX-License-Identifier: BSD-3-Clause */
/* simulated_cost-t.c - what local work costs in a simulation, and how the measuring program is
 * told. */
#include "tests/tap.h"
#include "workloads/measure/options.h"

static const struct cost_list costs = {
    3, { { 0, 1e-6, 0 }, { 1000, 2e-6, 1e-9 }, { 1u << 20, 0, 3e-9 } }
};

static void check_seconds(void)
{
    const struct cost_list none = { .n = 0 };
    is_near(1e-6, simulated_cost_seconds(&costs, 0), 1e-18,
            "nothing costs the first range's seconds");
    is_near(1e-6, simulated_cost_seconds(&costs, 999), 1e-18, "below the second range as well");
    is_near(3e-6, simulated_cost_seconds(&costs, 1000), 1e-15, "a range begins at its bytes");
    is_near(3e-9 * (1 << 20), simulated_cost_seconds(&costs, 1 << 20), 1e-15, "so does the last");
    is_near(0, simulated_cost_seconds(&none, 1000), 0, "without costs work is free");
    simulated_cost_wait(3600); /* outside of a simulation nobody waits */
}

/* The program's options with --copy-cost so. */
static int parse(const char *value, struct measure_options *o, struct err *err)
{
    char text[128];
    char *args[] = { "measure",    "--points=p",     "--samples=s", "--outcomes=o", "--placement=p",
                     "--digest=d", "--mapping=core", "--nodes=1",   "--ppn=1",      text };
    snprintf(text, sizeof text, "--copy-cost=%s", value);
    return measure_options_parse(o, sizeof args / sizeof *args, args, err);
}

static void check_option(void)
{
    static const char *const wrong[] = {
        "1:2",   "0:1",     "0:1:2:3", "x:1:1", "10:1:1", "0:1:1,0:1:1", "0:1:1,10:1:1,5:1:1",
        "0:a:1", "0:1:nan,"
    };
    struct measure_options o;
    struct err err = { 0 };
    is_int(0, parse("0:1e-06:0,1000:2e-06:1e-09,1048576:0:3e-09", &o, &err), "costs are read %s",
           err.text);
    is_int(3, (long long)o.charges.copy.n, "all");
    for (size_t i = 0; i < o.charges.copy.n; i++) {
        const struct cost *c = &o.charges.copy.v[i], *w = &costs.v[i];
        ok(c->from_bytes == w->from_bytes && c->seconds == w->seconds &&
               c->seconds_per_byte == w->seconds_per_byte,
           "the numbers of range %zu", i);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err = (struct err){ 0 };
        is_int(-1, parse(wrong[i], &o, &err), "'%s' is refused", wrong[i]);
        is_int(EXIT_USAGE, err.status, "as wrong usage");
    }
}

int main(void)
{
    check_seconds();
    check_option();
    return tap_done();
}
