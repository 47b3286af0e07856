/* SPDX-License-Identifier: Apache-2.0 */
/* A fake of the runtime for tests of one component's glue: the calls of doppel/component.h that
 * glue makes. The test fills input ports, reads what was published, answers service calls and says
 * what the runtime knows. Loans come from the runtime's own pool of messages. The component is the
 * one of dpl_plugin, which the test program links. For one thread. */
#ifndef TESTS_SUPPORT_FAKE_RUNTIME_H
#define TESTS_SUPPORT_FAKE_RUNTIME_H

#include <doppel/plugin.h>
#include <doppel/sim/machine.h>

#define FAKE_PORTS 16

/* A port by its index in the class's table. The zeroed one is connected, empty, and has sent
 * nothing. */
struct fake_port {
    bool is_open; /* not connected */
    bool is_full; /* no message can be loaned */

    /* an input: */
    struct dpl_message next;   /* waits to be taken; body NULL: nothing does */
    struct dpl_message latest; /* the newest one that was taken; body NULL: none was */

    /* an output: */
    int n_sent;
    dpl_ns stamp; /* of the newest one that was sent */
};

struct fake_runtime {
    struct dpl_component self; /* has the name of its class until the test sets another */
    struct fake_port ports[FAKE_PORTS];

    /* What the component's calls meet. */
    const struct dpl_message *(*take)(unsigned port); /* NULL: `next` of the port */
    int (*service)(unsigned port, unsigned method, const void *request,
                   void *response);            /* NULL: every call succeeds and answers nothing */
    const char *(*property)(const char *name); /* text of one by name; NULL: there is none */
    struct dpl_device *device;
    struct dpl_machine machine; /* that any file describes */
    int machine_error;          /* of loading it, -errno */
    dpl_ns now;
    bool is_simulated;
    uint64_t seed;      /* 1 at the beginning */
    const char *folder; /* for results; NULL: none are kept */

    /* What the component said. */
    char log[2048];    /* all levels, each text with a line feed */
    char errors[2048]; /* those of level DPL_LOG_ERROR */
    int n_logged, n_warnings;
    struct dpl_verdict verdict; /* the newest one */
    int n_verdicts;
    bool moves;        /* as dpl_component_set_moving was told last */
    const char *fault; /* as dpl_component_set_fault was told last */
};

extern struct fake_runtime fake;

/* Makes everything new: the zeroed fake, and the component with zeroed state and the defaults of
 * its properties. Calls fake_end first. Allocates. */
void fake_begin(void);

/* Frees what fake_begin and loans allocated; again it does nothing. */
void fake_end(void);

/* Sets a property from its text. The test fails when it is refused. */
void fake_set(const char *name, const char *text);

/* The property must not take the text, and `expected` must be part of the error. */
void fake_refuses(const char *name, const char *text, const char *expected);

/* Value of an exported number. */
double fake_export(const char *name);

/* initialize, period_changed when `period` > 0, start: 0 or the error of the first that fails. */
int fake_start(dpl_ns period, struct dpl_diag *reterr);

/* One execute, which must succeed. */
void fake_execute(const struct dpl_tick *tick);
void fake_cycle(dpl_ns now, dpl_ns period);

/* A message waits at an input, in place of one that nobody took. The body stays the test's. */
void fake_receive(unsigned port, void *body, dpl_ns stamp);

/* Body of the newest message that an output sent; the test fails when none was. Valid until the
 * port sends the next one, and after it with the contents of a later message. */
const void *fake_sent(unsigned port);

#endif
