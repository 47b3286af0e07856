/* SPDX-License-Identifier: Apache-2.0 */
/* The process between doppel and the unit that is tested. It is the parent of the unit and, as
 * their subreaper, of all that the unit starts and leaves behind, also of what has made a session
 * of its own. When doppel asks for it, or has ended for any reason, it ends them all and
 * itself. What the unit prints goes through it into unit.log. */
#ifndef DOPPEL_CLI_TEST_KEEPER_H
#define DOPPEL_CLI_TEST_KEEPER_H

#include <stdint.h>

#define TEST_KEEPER_END_MS 5000 /* so long it tries to end what does not want to */

struct test_keeper {
    const char *program;
    char *const *argv;
    int control;   /* a pipe from doppel: a byte asks the unit to end; its end ends them all */
    int report;    /* a pipe to doppel, of struct test_report */
    int log;       /* unit.log; -1: the unit prints where doppel's errors go */
    uint64_t said; /* bytes that are in it */
};

enum test_report_kind {
    TEST_UNIT_STARTED,    /* value: its process */
    TEST_UNIT_NOT_THERE,  /* errno: the program cannot be started */
    TEST_UNIT_ENDED,      /* status as of waitpid */
    TEST_UNIT_LOG_FAILED, /* errno */
    TEST_UNIT_SAID,       /* at the end: bytes that are in the log, as if nothing was left out */
};

struct test_report {
    int64_t kind, value;
};

/* In a child of doppel: starts the unit and keeps it. Ends the process. */
_Noreturn void test_keeper_run(const struct test_keeper *keeper);

#endif
