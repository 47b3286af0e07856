/* SPDX-License-Identifier: Apache-2.0 */
/* What `doppel doctor` looks at: each check adds its findings, with a remedy for what is not well.
 */
#ifndef DOPPEL_CLI_DOCTOR_CHECKS_H
#define DOPPEL_CLI_DOCTOR_CHECKS_H

#include <jansson.h>

enum doctor_level {
    DOCTOR_OK,
    DOCTOR_WARN, /* runs, but not as well as it could */
    DOCTOR_FAIL, /* something cannot be used */
};

struct doctor {
    const char *root; /* in front of /sys and /dev: "" but in tests */
    json_t *findings; /* [{"level", "check", "text", "remedy"}] */
    size_t counts[3]; /* by level */
};

void doctor_add(struct doctor *doctor, enum doctor_level level, const char *check,
                const char *remedy, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* Modules and plugins: whether all fit this program. */
void doctor_check_versions(struct doctor *doctor);
void doctor_check_clock(struct doctor *doctor);
void doctor_check_real_time(struct doctor *doctor);
void doctor_check_memory(struct doctor *doctor);
/* The port of viewers, and the folder of notes. */
void doctor_check_ports(struct doctor *doctor);
/* Serial devices, game controllers, CAN. */
void doctor_check_devices(struct doctor *doctor);

#endif
