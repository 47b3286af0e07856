/* SPDX-License-Identifier: Apache-2.0 */
/* The emulated devices: each combines electronics, a physical model and a session. */
#ifndef EMULATE_DEVICES_H
#define EMULATE_DEVICES_H

#include "../doppel/options.h"
#include "kobuki_base.h"
#include "presses.h"
#include "session.h"
#include "truth.h"
#include "urg_scanner.h"

/* Options of all devices. */
struct emulate_options {
    const char *pty, *host;
    int tcp_port; /* 0: a pty */
    struct faults_config faults;
    struct truth_options truth; /* for devices that measure a robot's surroundings */
    bool exits_at_end;          /* of the physical model */
};

struct kobuki_options {
    struct kobuki_base_config base;
    struct presses presses;
};

struct urg_options {
    const char *model;
    bool is_scip11;
};

struct firmata_options {
    const char *board;
    struct option_list wires, inputs, echoes;
};

struct cia402_options {
    uint64_t axes, missing_targets, late_targets;
    double counts_per_m, rated_force_n, top_speed_m_s;
    const char *start; /* NULL: the reference machine's home */
    const char *ends;  /* NULL: beyond the machine's travel */
    struct option_list cuts, blocks, emergencies;
    bool faults_on_signal;
};

/* Each runs until a signal ends it. 0, or -errno with reterr. */
int emulate_kobuki(const struct emulate_options *options, const struct kobuki_options *own,
                   struct dpl_diag *reterr);
int emulate_urg(const struct emulate_options *options, const struct urg_options *own,
                struct dpl_diag *reterr);
int emulate_firmata(const struct emulate_options *options, const struct firmata_options *own,
                    struct dpl_diag *reterr);
int emulate_cia402(const struct emulate_options *options, const struct cia402_options *own,
                   struct dpl_diag *reterr);

/* Opens the physical model, faults and port of a session; then it can run. */
int emulate_open(const struct emulate_options *options, enum truth_device device,
                 struct session *session, struct truth **ret_truth, struct dpl_diag *reterr);

/* The same for a device without a physical model. */
int emulate_open_port(const struct emulate_options *options, struct session *session,
                      struct dpl_diag *reterr);

#endif
