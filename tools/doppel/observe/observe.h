/* SPDX-License-Identifier: Apache-2.0 */
/* The gateways of a run: --record and --view. */
#ifndef DOPPEL_CLI_OBSERVE_H
#define DOPPEL_CLI_OBSERVE_H

#include <doppel/host/gateway.h>
#include <doppel/host/runtime.h>

struct record_plan;

#define OBSERVE_NO_PORT (-1)

/* What the command line wants. */
struct observe_wanted {
    const char *command;            /* "run", for messages */
    const char *record;             /* file; NULL: none */
    int port;                       /* 0: a free one; OBSERVE_NO_PORT: no viewers */
    bool allow_control;             /* hardware */
    const struct record_plan *plan; /* of recordings; NULL: one file */
};

/* The gateways in use. Zero-initialise. */
struct observe {
    struct observe_wanted wanted;
    struct dpl_gateway_use uses[2];
    size_t n, viewers; /* index of the gateway to viewers */
    void *blocks[2];   /* options */
    char note[512];    /* file for other commands of this user; "": none */
    int note_file;     /* locked while the run lives */
};

/* Whether a command that leaves results in `out` (NULL: none) may record into this file; says why
 * not. */
bool observe_may_record(const char *command, const char *record, const char *out);

/* Loads what is wanted and sets it in the options of a run. 0, or -1 after printing why not. */
int observe_open(struct observe *observe, const struct observe_wanted *wanted,
                 struct dpl_runtime_options *options);
/* When the run is created: prints where viewers find it, and leaves a note for `doppel ps`. 0, or
 * -1 after printing which topic of a trigger is not there. */
int observe_tell(struct observe *observe, const struct dpl_runtime *runtime,
                 const struct dpl_app *app, bool is_simulated);
/* Loads a gateway with one option set: the next of `uses`. 0, or -1 after printing why not. */
int observe_use(struct observe *observe, const char *name, const char *option, const char *value);
/* Prints where viewers find what they look at under this name, and leaves the note. */
void observe_announce(struct observe *observe, const char *name, int port, const char *token);
/* After the run: removes the note. */
void observe_close(struct observe *observe);

#endif
