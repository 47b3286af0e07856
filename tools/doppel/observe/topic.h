/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of `doppel topic` share. Each returns an exit code. */
#ifndef DOPPEL_CLI_TOPIC_H
#define DOPPEL_CLI_TOPIC_H

#include "remote.h"

struct topic_values {
    const char *run;
    bool json, once, full;
    double for_s, rate; /* 0: not given */
    uint64_t count;
};

/* `words` are the operands behind the verb, [n]. */
int topic_echo(struct remote *remote, char **words, size_t n, const struct topic_values *values);
int topic_hz(struct remote *remote, char **words, size_t n, const struct topic_values *values);
int topic_bw(struct remote *remote, char **words, size_t n, const struct topic_values *values);
int topic_delay(struct remote *remote, char **words, size_t n, const struct topic_values *values);
int topic_pub(struct remote *remote, char **words, size_t n, const struct topic_values *values);

/* How long a verb runs: values->for_s, or without an end. */
double topic_seconds(const struct topic_values *values);

#endif
