/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the elements of studies (tools/sweep). What a study is about, it tells by the name
 * of one of three elements, which have the same attributes. */
#include "dialect_table.h"

ELEMENT name = {.name = "name", .text = DPL__TEXT_WORD, .summary = "Its name."};
TEXT_ELEMENT(description, "description", "Description.");

ELEMENT bind = {.name = "bind",
                .attributes = ATTRIBUTES{{"name", true, NULL, "A binding, or its file."}, END},
                .summary = "A binding of the application, in order."};
ELEMENT set = {.name = "set",
               .attributes = ATTRIBUTES{{"property", .summary = "COMPONENT.PROPERTY."},
                                        {"world", .summary = "ENTRY.ATTRIBUTE of the world."},
                                        {"param", .summary = "A <Param> of the world."},
                                        {"value", true, NULL, "The value, of all runs."},
                                        END},
               .summary = "A value that differs from the files, in all runs."};

#define SUBJECT_ATTRIBUTES                                                                         \
    ATTRIBUTES                                                                                     \
    {                                                                                              \
        {"file", true, NULL, "Its file, or its name."},                                            \
            {"duration", .summary = "Of a run, on the simulated clock: 60 s."},                    \
            {"time_limit", .summary = "Of a run, of real time; default: 300 s."},                  \
            {"every", .summary = "Between samples for 'reduce' and <stop>; default: 0.1 s."}, END  \
    }
#define SUBJECT(identifier, element_name, description)                                             \
    ELEMENT identifier = {.name = element_name,                                                    \
                          .attributes = SUBJECT_ATTRIBUTES,                                        \
                          .children = CHILDREN{{&bind, 0, 0}, {&set, 0, 0}, END},                  \
                          .summary = description}
SUBJECT(application, "application", "The application that runs.");
SUBJECT(bench, "bench", "The bench that runs; it gives a verdict.");
SUBJECT(world, "world", "The world that runs alone.");

ELEMENT design = {
    .name = "design",
    .attributes = ATTRIBUTES{{"type", true, DPL__STUDY_DESIGNS, "How the points are chosen."},
                             {"runs", .summary = "Number of points, unless a grid or a list."},
                             {"seed", .summary = "Seed of all random numbers; default: 1."},
                             {"replicates", .summary = "Runs of a point, each with its own seed; "
                                                       "default: 1."},
                             END},
    .summary = "Which runs there are."};
ELEMENT vary = {
    .name = "vary",
    .attributes =
        ATTRIBUTES{{"property", .summary = "COMPONENT.PROPERTY."},
                   {"world", .summary = "ENTRY.ATTRIBUTE of the world."},
                   {"param", .summary = "A <Param> of the world."},
                   {"kind", false, DPL__STUDY_KINDS, "Its distribution; default: uniform."},
                   {"from", .summary = "The least value; or, without kind, a file of `doppel "
                                       "calibrate` with what it found and how sure it is."},
                   {"to", .summary = "The largest value."},
                   {"step", .summary = "kind step: from one value to the next."},
                   {"mean", .summary = "kind normal."},
                   {"sigma", .summary = "kind normal: the standard deviation."},
                   {"values", .summary = "kind choice: separated by |."},
                   {"unit", .summary = "Of these numbers."},
                   {"levels", .summary = "Of a grid: how many values; default: 3."},
                   END},
    .summary = "What differs from run to run."};
ELEMENT point = {.name = "point",
                 .attributes = ATTRIBUTES{{"values", true, NULL,
                                           "A value for each <vary>, in order, separated by |."},
                                          END},
                 .summary = "A point of a list."};
ELEMENT measure = {.name = "measure",
                   .attributes =
                       ATTRIBUTES{{"name", true, NULL, "Its name: a column, and in expressions."},
                                  {"value", true, NULL,
                                   "Key of summary.json, / between levels; a channel of a world."},
                                  {"unit", .summary = "For the report."},
                                  {"reduce", false, DPL__STUDY_REDUCES,
                                   "What of its values over time; default: the last."},
                                  {"after", .summary = "reduce: of the run, until then it does "
                                                       "not count; default: 0 s."},
                                  END},
                   .summary = "A number that each run gives."};
ELEMENT stop = {
    .name = "stop",
    .attributes =
        ATTRIBUTES{{"when", true, NULL, "Expression of measures: where it holds a run ends."}, END},
    .summary = "What ends a run early."};
ELEMENT accept = {
    .name = "accept",
    .attributes =
        ATTRIBUTES{{"when", .summary = "Expression of measures that holds for a good run."},
                   {"rate", .summary = "Share of the runs that are good, at least."},
                   {"measure", .summary = "Or: a measure,"},
                   {"quantile", .summary = "of which this quantile"},
                   {"max", .summary = "is at most this"},
                   {"min", .summary = "and at least this."},
                   {"confidence", .summary = "Of the statement; default: 0.95."},
                   END},
    .summary = "When the study is accepted."};

const struct dpl__element dpl__dialect_study = {
    .name = "study",
    .children = CHILDREN{{&name, 1, 1},
                         {&description, 0, 1},
                         {&application, 0, 1},
                         {&bench, 0, 1},
                         {&world, 0, 1},
                         {&design, 1, 1},
                         {&vary, 0, 0},
                         {&point, 0, 0},
                         {&measure, 1, 0},
                         {&accept, 0, 0},
                         {&stop, 0, 0},
                         END},
    .summary = "Many runs that differ in some values.",
};
