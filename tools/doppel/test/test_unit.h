/* SPDX-License-Identifier: Apache-2.0 */
/* The program that a test plan tests: its process and its end. It is a child of a process of ours
 * (test_keeper.h), so that it ends with us, however that may be. */
#ifndef DOPPEL_CLI_TEST_UNIT_H
#define DOPPEL_CLI_TEST_UNIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include <doppel/diag.h>
#include <doppel/sim/plan.h>

#include "test_children.h"

#define TEST_UNIT_END_MS 7000 /* until a keeper has ended */

/* Zero-initialise. */
struct test_unit {
    pid_t keeper; /* 0: there is no unit */
    pid_t pid;    /* of the unit, also after its end until it is stopped */
    int control, report;
    bool ended, lost; /* lost: its keeper has died, and so has it */
    int status;       /* ended: as of waitpid */
    int log_error;    /* why unit.log cannot be written: -errno; 0: it can */
    /* what somebody has done to the keeper, so that it could not do its work; "": nothing */
    char fault[160];
    bool was_stopped;            /* the keeper was, by a signal */
    struct test_children others; /* that this process had before */
    int end_ms;                  /* TEST_UNIT_END_MS; tests have less patience */
    uint64_t said;               /* bytes that were printed in all, by earlier units, too */
};

/* Starts it in a process group of its own; both its outputs go to the file `log` after the
 * unit->said bytes that earlier units have said (NULL: to standard error). It ends when this
 * process does. This process becomes the subreaper of the unit for good. A program without a slash
 * in its name is looked for beside doppel itself, then as a shell does. -errno with reterr. */
int test_unit_start(struct test_unit *unit, const struct dpl_plan_command *command, const char *log,
                    struct dpl_diag *reterr);

/* Whether it runs; if not, `ret_why` says how it ended. Does not block. */
bool test_unit_runs(struct test_unit *unit, char *ret_why, size_t size);

/* Whether it has ended by itself with exit code 0. */
bool test_unit_ended_well(const struct test_unit *unit);

/* Ends it and all that it has started: a request (SIGTERM), and 2 s later by force. Meanwhile
 * `turn` (NULL: nothing) is called every few ms: who answers what the unit says before it leaves.
 * A keeper that is stopped is continued. If the keeper is killed, or does not end within 7 s, it
 * and all that it leaves are killed here. `said`, `log_error` and `fault` stay until the next one
 * starts. On the thread that has started it. */
void test_unit_stop(struct test_unit *unit, void (*turn)(void *user), void *user);

#endif
