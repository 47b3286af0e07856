/* SPDX-License-Identifier: Apache-2.0 */
/* doppel sim --run --audit: the balances of mechanisms, for people and programs. */
#ifndef DOPPEL_CLI_SIM_AUDIT_H
#define DOPPEL_CLI_SIM_AUDIT_H

#include <jansson.h>

#include <doppel/sim/audit.h>

/* A table on standard output, and a warning on standard error if energy comes from nowhere. */
void sim_audit_print(const struct dpl_audit *audit);

/* The same as `audit` of a summary. */
void sim_audit_describe(const struct dpl_audit *audit, json_t *inout_summary);

#endif
