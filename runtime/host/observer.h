/* SPDX-License-Identifier: Apache-2.0 */
/* The observer of a run: its topics, and one thread with a loop of its own that gives their
 * messages to the gateways. There is none when the options have no gateway.
 *
 * On the real clock a ring that is full drops for the observer, never for the application, and
 * counts. On the simulated clock the run waits for the observer instead, and nothing is lost. */
#ifndef DOPPEL_RUNTIME_OBSERVER_H
#define DOPPEL_RUNTIME_OBSERVER_H

#include <doppel/host/gateway.h>

#include "row_tap.h"
#include "topics.h"

struct dpl_runtime;
struct dpl__executor;
struct dpl__observer;

/* When all components are initialised: makes the topics, starts the thread, opens the gateways. 0;
 * or -errno of the gateway that cannot be opened. Control thread. */
int dpl__observer_create(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* Before the components start: who listens since the start gets the first message, too. */
void dpl__observer_begin(struct dpl_runtime *runtime);

/* A file that gateways keep at the end; NULL: none. Both texts are borrowed until then. */
void dpl__observer_keep(struct dpl_runtime *runtime, const char *name, const char *text);

/* When nothing is published any more: gives what is left to the gateways, closes them, ends the
 * thread. 0; -errno of a gateway that has not kept all. A second call does nothing. */
int dpl__observer_end(struct dpl_runtime *runtime, struct dpl_diag *reterr);

/* Frees it, after the end. */
void dpl__observer_destroy(struct dpl_runtime *runtime);

/* A line of the log, on the thread that prints it; `is_event`: of the life cycle, or a fault. */
struct dpl__observed_line {
    dpl_ns stamp;
    enum dpl_log_level level;
    bool is_printed, is_event;
    const char *source, *text;
};
void dpl__observer_line(const struct dpl__observer *observer,
                        const struct dpl__observed_line *line);

/* Where /verdicts comes from; NULL: nobody observes the run. */
struct dpl__row_tap *dpl__observer_verdicts(const struct dpl__observer *observer);

/* ---- between the files of the observer ---- */

/* The files that explain a run: run.json, the profiles and the worlds that it was made of, and what
 * they name. Gives each to a gateway; one that cannot be read is left out. Reads files, allocates.
 */
void dpl__observe_files(const struct dpl_runtime *runtime,
                        void (*keep)(void *self, const struct dpl_kept_file *file), void *self);

struct dpl__services;

/* keep_service.c: "/run/save", "/run/bench". */
void dpl__keep_services_add(struct dpl__services *services);
/* Has the first gateway that keeps the last time write it: as its `save`. Observer's thread. */
int dpl__observer_save(const struct dpl_runtime *runtime, const char *file, double seconds,
                       struct dpl_saved *ret_saved, struct dpl_diag *reterr);

/* verdict.c: adds the topic /verdicts. 0, or as dpl__topics_add. */
int dpl__verdicts_add(struct dpl__topics *topics, struct dpl__row_tap **ret_tap,
                      struct dpl_diag *reterr);

struct dpl__parameters;
struct dpl__by_hand;

/* A tap on the simulated clock calls it when it is full (dpl__row_tap). */
void dpl__observer_make_room(void *observer);

/* Exports as topics "/<Component>/values", "/<Component>/device/values" and "/<side>/values", and
 * the executors that copy them. */
int dpl__watched_create(struct dpl_runtime *runtime, struct dpl__topics *topics,
                        struct dpl__observer *observer, struct dpl_diag *reterr);

/* Properties as parameters "<Component>.<property>" of gateways, which those who own them read and
 * set between two cycles. What is set is added to `by_hand`. NULL: no memory. */
struct dpl__parameters *dpl__parameters_create(struct dpl_runtime *runtime,
                                               struct dpl__by_hand *by_hand);
void dpl__parameters_destroy(struct dpl__parameters *parameters);
/* DPL_ASK_GET and DPL_ASK_SET. The answer comes now, or from dpl__parameters_turn. `refused`: why
 * it is not set; the answer is that, with the value that holds. NULL: it may be. */
void dpl__parameters_ask(struct dpl__parameters *parameters, const struct dpl_gateway *gateway,
                         void *self, const struct dpl_asked *asked, const char *refused);
/* Gives the answers that are there. `all`: what is not answered yet is refused. */
void dpl__parameters_turn(struct dpl__parameters *parameters, bool all);

#endif
