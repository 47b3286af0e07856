/* SPDX-License-Identifier: Apache-2.0 */
/* Devices inside the runtime: opening a driver with its sides, loss and return
 * (device.c), and what a driver may ask for (device_services.c). */
#ifndef DOPPEL_RUNTIME_DEVICE_H
#define DOPPEL_RUNTIME_DEVICE_H

#include <stdatomic.h>

#include <doppel/device.h>
#include <doppel/host/app.h>
#include <doppel/latest.h>

#include "host_calls.h"

#define DPL__REASON_MAX 200

struct dpl_runtime;
struct dpl__component;
struct dpl__executor;

struct dpl__device {
    struct dpl_device self; /* self.runtime points back to this struct */
    struct dpl_runtime *runtime;
    const struct dpl_app_device *model;
    struct dpl__device *parent; /* the HIL device above; NULL: directly below a component */
    struct dpl__device **sides;
    struct dpl__device *next; /* runtime->devices */
    bool vital;               /* its loss is also a loss of `parent` (or of the component) */
    bool vital_said;          /* `parent` has set `vital` */
    bool opened;
    atomic_int lost; /* bit 0: itself; the other bits: number of lost vital sides */
    atomic_ullong n_losses;
    /* Only directly below a component: the executors that command it. Some are known before the
     * run, see commander.h; another one is the executor whose service call gave the newest
     * command. */
    struct dpl__executor **commanders;
    size_t n_commanders;
    _Atomic(const struct dpl__executor *) caller; /* of the newest command; NULL: none yet */
    const struct dpl__component *owner;           /* only directly below a component */
    dpl_ns late_limit;
    bool told_late;             /* control thread */
    atomic_ullong n_late_stops; /* number of stops because of a late commander */
    struct {
        struct dpl_latest sync;
        atomic_flag busy; /* being written: a second writer does not write */
        char slot[3][DPL__REASON_MAX];
    } reason; /* of the newest loss; reader: the thread that opens devices, later the one that gives
                 the verdict */
};

/* Opens the device of a component (sides first) from its model. */
int dpl__device_open(struct dpl_runtime *runtime, const struct dpl_app_device *model,
                     struct dpl__device **ret_device, struct dpl_diag *reterr);
/* Whether it or one of its sides uses hardware. */
bool dpl__device_needs_hardware(const struct dpl_app_device *model);
/* For a rehearsal: opens those of its sides, and of their sides, that need no hardware and have no
 * sides. */
int dpl__device_open_parts(struct dpl_runtime *runtime, const struct dpl_app_device *model,
                           struct dpl_diag *reterr);
/* Appends "; NAME is lost: REASON" to a text for each device that is lost itself, if there is room
 * for all of it. Wait-free; called by one thread only during a run. */
void dpl__devices_tell_losses(struct dpl_runtime *runtime, char *text, size_t size);
/* Closes upper first, then sides; accepts NULL. */
void dpl__device_close(struct dpl__device *device);

#endif
