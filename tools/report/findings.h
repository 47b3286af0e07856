/* SPDX-License-Identifier: Apache-2.0 */
/* What went wrong in a run that ended, by its summary: what a reader has to know before any figure.
 * Found by what the values are, not by the names of components. */
#ifndef DOPPEL_REPORT_FINDINGS_H
#define DOPPEL_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

enum { FINDINGS_MAX = 24, FINDING_BYTES = 320 };

struct finding {
    char text[FINDING_BYTES]; /* a sentence without its end */
    bool of_place;            /* it was not known where the robot was */
};

struct findings {
    struct finding items[FINDINGS_MAX]; /* the worst first */
    size_t n, n_more;                   /* n_more: there was no room for */
};

/* Reads the object of summary.json: the distance of a robot from its avatar, states in which the
 * avatar does not stand for the robot, a Localizer that did not know the place, contacts, devices
 * that were lost, components in ERROR, faults, results that are not complete. A run that failed,
 * its verdict, and an interruption are told elsewhere. Texts have no control characters. */
void findings_read(const json_t *summary, struct findings *ret_findings);

#endif
