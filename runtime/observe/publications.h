/* SPDX-License-Identifier: Apache-2.0 */
/* Messages that somebody outside publishes to an input port. One publishes to a port at a time; who
 * falls silent is stopped as a lost device is: his last message is taken out of the port. All on
 * the observer's thread. */
#ifndef DOPPEL_OBSERVE_PUBLICATIONS_H
#define DOPPEL_OBSERVE_PUBLICATIONS_H

#include "errand.h"
#include "topics.h"

#define DPL__SILENCE (500 * DPL_MS) /* of the run's time */

struct dpl_runtime;
struct dpl__publications;

/* Adds the topic /run/inputs, which lists the ports with their schemas. NULL with reterr: as
 * dpl__topics_add, or -ENOMEM. */
struct dpl__publications *dpl__publications_create(struct dpl_runtime *runtime,
                                                   struct dpl__topics *topics,
                                                   struct dpl_diag *reterr);
/* When no component runs any more. NULL is accepted. */
void dpl__publications_destroy(struct dpl__publications *publications);

/* DPL_ASK_PUBLISH. */
void dpl__publications_ask(struct dpl__publications *publications, struct dpl__asker asker,
                           const struct dpl_asked *asked);
/* Called often. */
void dpl__publications_turn(struct dpl__publications *publications, bool all);
/* Who publishes; "": nobody. */
const char *dpl__publications_controller(const struct dpl__publications *publications);

#endif
