/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the elements of a bench that repeats a run. */
#include "dialect_table.h"

TEXT_ELEMENT(bind, "bind", "A binding, as --bind of `doppel run`; in order.");
TEXT_ELEMENT(set, "set", "Component.Property=value, as --set of `doppel run`.");
#define AT                                                                                         \
    {                                                                                              \
        "at", true, NULL, "When, of the run's time: 3.2 s."                                        \
    }
ELEMENT set_at = {.name = "set_at",
                  .text = DPL__TEXT_ANY,
                  .attributes = ATTRIBUTES{AT, {"property", true, NULL, "Component.Property"}, END},
                  .summary = "Sets a live property between two cycles."};
ELEMENT put_at = {.name = "put_at",
                  .text = DPL__TEXT_ANY,
                  .attributes = ATTRIBUTES{AT,
                                           {"channel", true, NULL, "Channel of a world."},
                                           {"for", .summary = "So long; not given: it stays."},
                                           END},
                  .summary = "Puts a value into a world; empty: lets go of it."};
ELEMENT expect = {
    .name = "expect",
    .text = DPL__TEXT_ANY,
    .attributes = ATTRIBUTES{{"value", true, NULL, "Name of a value, as in summary.json."}, END},
    .summary = "What it is when the time is over."};

const struct dpl__element dpl__dialect_bench = {
    .name = "bench",
    .attributes =
        ATTRIBUTES{{"application", true, NULL, "Name or file of the application that is run."},
                   {"seed", .summary = "Seed of the run; default: 1."},
                   {"duration", true, NULL, "How long it is run: 12.5 s."},
                   END},
    .children =
        CHILDREN{
            {&bind, 0, 0}, {&set, 0, 0}, {&set_at, 0, 0}, {&put_at, 0, 0}, {&expect, 1, 0}, END},
    .summary = "A run that is repeated, and the values with which it ends.",
};
