/* SPDX-License-Identifier: Apache-2.0 */
/* What is worth a file of its own (--record-on): faults, verdicts, events, messages of a topic, a
 * condition on a value, a signal. Found in the messages that the gateway of recordings gets. */
#ifndef DOPPEL_CLI_RECORD_TRIGGER_H
#define DOPPEL_CLI_RECORD_TRIGGER_H

#include "mcap_gateway.h"
#include "options.h"
#include "wire_client.h"

enum { RECORD_TRIGGERS_MAX = 32 };

enum record_trigger_kind {
    RECORD_ON_FAULT,     /* a line of /events or /log that is an error */
    RECORD_ON_VERDICT,   /* a diagnosis that begins */
    RECORD_ON_EVENT,     /* a line of /events with a text, or of a component */
    RECORD_ON_SIGNAL,    /* SIGUSR1 */
    RECORD_ON_MESSAGE,   /* each message of a topic */
    RECORD_ON_CONDITION, /* a value of a topic begins to fulfil it */
};

struct record_trigger {
    const char *text; /* as it was given */
    enum record_trigger_kind kind;
    char path[256];                /* of topic and field */
    char value[128];               /* that a condition compares with, or text of an event */
    char operation;                /* of a condition: '<', '>', '=', '!', 'l' for <=, 'g' for >= */
    const struct dpl_topic *topic; /* of a message or condition; NULL: not there yet */
    const char *field;             /* in `path` */
    bool held, was_told;
};

/* Zero-initialise. It stays where it is while it is used. */
struct record_triggers {
    const char *command; /* for messages */
    struct record_trigger items[RECORD_TRIGGERS_MAX];
    size_t n;
    struct dpl_mcap_trigger gateway; /* for the options of the gateway */
    char why[512];
};

/* Reads the texts; none: "fault", "verdict" and "signal". 0, or -1 after printing why not. Catches
 * SIGUSR1 if that is one. */
int record_triggers_parse(struct record_triggers *triggers, const char *command,
                          const struct option_list *texts);
/* When all topics are told: 0, or -1 after printing which topic is not there. */
int record_triggers_check(const struct record_triggers *triggers);

#endif
