/* SPDX-License-Identifier: Apache-2.0 */
/* The running application for the runtime's own files: the core uses its model, components and
 * executors, and only passes on the pointers to what host and record own. Ownership: the control
 * thread (the caller of dpl_runtime_run) owns everything before start and after stop; during the
 * run, each component, with its ports' inputs, belongs to the thread of its executor; devices'
 * streams, log output and recorder files belong to the control thread. They exchange data only
 * through rings, dpl_latest and atomics. */
#ifndef DOPPEL_RUNTIME_H
#define DOPPEL_RUNTIME_H

#include <stdatomic.h>
#include <stdbool.h>

#include <doppel/host/runtime.h>
#include <doppel/system_clock.h>

#include "arena.h"
#include "mailbox.h"
#include "pacing.h"

struct dpl__component;
struct dpl__control;
struct dpl__device;
struct dpl__executor;
struct dpl__log;
struct dpl__observer;
struct dpl__recorder;
struct dpl__schedule;
struct dpl__share;
struct dpl__stand_in;
struct dpl__threads;

struct dpl_runtime {
    const struct dpl_app *app;
    struct dpl_runtime_options options;
    bool is_rehearsal; /* opens no hardware, never runs */
    /* memory of all members below; nothing is added after dpl_runtime_create */
    struct dpl_arena arena;

    struct dpl__component **components; /* app->n_components, same indices */
    /* the same components: providers before requirers, otherwise in profile order; stopped and
     * destroyed in reverse */
    struct dpl__component **start_order;
    struct dpl__executor **executors; /* in start order */
    size_t n_executors;
    /* Represents the control thread as a commander of devices; runs nothing. */
    struct dpl__executor *control_caller;
    struct dpl__threads *threads; /* other threads than executors */
    struct dpl__device *devices;  /* list, in order of opening */
    struct dpl__share *shares;    /* list, private to device_services.c */
    struct dpl__control *control;
    struct dpl__stand_in *stand_in;
    struct dpl__log *log;
    struct dpl__observer *observer; /* NULL: nobody observes the run */
    struct dpl__recorder *recorder; /* NULL without --out and without status */

    atomic_llong sim_now;           /* simulated clock's time; real clock: unused */
    struct dpl__pacing pacing;      /* the same */
    struct dpl__schedule *schedule; /* the scheduler's, while somebody drives the run */
    struct dpl__mailbox mailbox;    /* what others want done, where nothing executes */
    dpl_ns real_epoch;              /* CLOCK_MONOTONIC at time 0 of the run; 0: not started yet */
    dpl_ns ended; /* the run's time when it ended, before components were stopped */
    atomic_int stop_requested;
    atomic_bool interrupted;    /* from outside, before it was over; see dpl_runtime_request_stop */
    atomic_bool ending;         /* sets tick->halt while components come to rest */
    atomic_bool going_down;     /* a component has crashed or ended the process: see going_down.h */
    atomic_int lost_devices;    /* number of vital devices that are lost; > 0 sets tick->halt */
    atomic_ullong faults;       /* losses and failed callbacks since the start */
    struct dpl_verdict verdict; /* written once, before verdict_state is set */
    atomic_int verdict_state;
    atomic_bool executing;    /* executors' threads run; set by the control thread */
    dpl_ns end;               /* when the duration is over; 0: it goes on */
    bool began;               /* all components have started */
    bool ended_badly;         /* a component did not stop, or a file was not written */
    _Atomic bool was_touched; /* by those outside: see dpl_runtime_was_touched */
    atomic_bool waiting;      /* for a device that is opened: see host/absent.c */
    bool waited;              /* what open streams have received meanwhile is old */
    dpl_ns wait_until;        /* CLOCK_MONOTONIC; 0: it has not waited */
    char waits_for[DPL_DIAG_TEXT_MAX];
    atomic_llong first_cycle; /* CLOCK_MONOTONIC of the end of the first cycle; 0: none yet */
};

/* The run's time: simulated, or CLOCK_MONOTONIC since real_epoch (0 before the run). Any thread. */
dpl_ns dpl__runtime_now(const struct dpl_runtime *runtime);

#endif
