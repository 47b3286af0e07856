/* SPDX-License-Identifier: Apache-2.0 */
/* The elements of the dialect that say what a component was built for, and when it runs. */
#include "dialect_table.h"

const struct dpl__element dpl__dialect_app_domain = {
    .name = "app_domain", .text = DPL__TEXT_ANY, .summary = "Domain of application."};
TEXT_ELEMENT(library_name, "library_name",
             "Plugin that holds the class: a bare name, lib....so "
             "or ....dll.");
TEXT_ELEMENT(impl_language, "impl_language", "Programming language.");
TEXT_ELEMENT(compiler, "compiler", "Compiler.");
TEXT_ELEMENT(app_robot, "app_robot", "Robot it was made for.");
TEXT_ELEMENT(lifecycle_type, "lifecycle_type", "Life cycle it starts with; default start.");
ELEMENT library_type = {.name = "library_type",
                        .text = DPL__TEXT_CHOICE,
                        .choices = "dll|so|static",
                        .summary = "Kind of library."};
ELEMENT os = {.name = "os",
              .text = DPL__TEXT_ANY,
              .attributes = ATTRIBUTES{{"name", .summary = "Operating system."},
                                       {"version", .summary = "Its version."},
                                       END},
              .summary = "Operating system it was built for."};
TEXT_ELEMENT(cpu, "cpu", "Processor it was built for.");
const struct dpl__element dpl__dialect_execution_environment = {
    .name = "execution_environment",
    .children = CHILDREN{{&os, 0, 0},
                         {&cpu, 0, 0},
                         {&library_type, 0, 1},
                         {&library_name, 0, 1},
                         {&impl_language, 0, 1},
                         {&compiler, 0, 1},
                         {&dpl__dialect_app_domain, 0, 1},
                         {&app_robot, 0, 1},
                         END},
    .summary = "What the component was built for and as."};
ELEMENT execution_type = {.name = "type",
                          .text = DPL__TEXT_CHOICE,
                          .choices = DPL__EXECUTION_TYPES,
                          .summary =
                              "How it is executed; non-periodic is the older word for aperiodic."};
ELEMENT period = {.name = "period",
                  .text = DPL__TEXT_NUMBER,
                  .min = 0,
                  .max = 3600000,
                  .summary = "Milliseconds between two executions."};
ELEMENT priority = {.name = "priority",
                    .text = DPL__TEXT_INT,
                    .min = 0,
                    .max = 99,
                    .summary = "Real-time priority of its thread; default 50. Components that are "
                               "periodic-shared share a thread when period, priority, policy and "
                               "affinity are the same."};
ELEMENT scheduling_policy = {.name = "policy",
                             .text = DPL__TEXT_CHOICE,
                             .choices = DPL__POLICIES,
                             .summary = "Scheduling policy of its thread; default SCHED_OTHER."};
ELEMENT instance_creation = {.name = "instance_creation",
                             .aliases = "creation_type",
                             .text = DPL__TEXT_CHOICE,
                             .choices = "singleton|multiple",
                             .summary = "Whether several instances are allowed."};
ELEMENT affinity = {.name = "affinity",
                    .text = DPL__TEXT_WORD,
                    .summary = "Processors its thread may run on, such as 0,2-3 (Doppel)."};
ELEMENT rate_group = {.name = "rate_group",
                      .text = DPL__TEXT_ANY,
                      .summary = "Group of periodic-shared components that one thread runs off one "
                                 "time base, each at its own period: all periods are whole "
                                 "multiples of the shortest; empty: none (Doppel)."};
ELEMENT late_limit = {
    .name = "late_limit",
    .text = DPL__TEXT_NUMBER,
    .min = DPL__LATE_LIMIT_MIN_MS,
    .max = DPL__LATE_LIMIT_MAX_MS,
    .summary = "Milliseconds; default 300. When the thread that commands the component's device is "
               "late by more than this, the driver stops the device. Bindings and --set can set it "
               "like a property of that name (Doppel)."};
const struct dpl__element dpl__dialect_execution_semantics = {
    .name = "execution_semantics",
    .children = CHILDREN{{&execution_type, 0, 1},
                         {&period, 0, 1},
                         {&priority, 0, 1},
                         {&scheduling_policy, 0, 1},
                         {&instance_creation, 0, 1},
                         {&lifecycle_type, 0, 1},
                         {&affinity, 0, 1},
                         {&rate_group, 0, 1},
                         {&late_limit, 0, 1},
                         END},
    .summary = "When and how it runs."};
