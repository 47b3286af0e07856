/* SPDX-License-Identifier: Apache-2.0 */
/* What a SCIP 2 device answers, but for scans. */
#ifndef EMULATE_URG_REPLIES_H
#define EMULATE_URG_REPLIES_H

#include "urg_scanner.h"

/* A status, and a refusal if it is another one than DPL_SCIP_OK. */
void urg_answer(struct urg_scanner *urg, const struct dpl_scip_request *request, const char *status,
                dpl_ns now);

/* Of a line that is no request. */
void urg_refuse_line(struct urg_scanner *urg, struct dpl_scip_line line, const char *status,
                     dpl_ns now);

void urg_answer_version(struct urg_scanner *urg, const struct dpl_scip_request *request,
                        dpl_ns now);
void urg_answer_state(struct urg_scanner *urg, const struct dpl_scip_request *request, dpl_ns now);
void urg_answer_condition(struct urg_scanner *urg, const struct dpl_scip_request *request,
                          dpl_ns now);
void urg_answer_parameters(struct urg_scanner *urg, const struct dpl_scip_request *request,
                           dpl_ns now);

/* ms by the device's clock, 24 bits. */
uint32_t urg_stamp_of(const struct urg_scanner *urg, dpl_ns time);

#endif
