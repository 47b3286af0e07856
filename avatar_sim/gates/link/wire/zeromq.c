/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libzmq: see zeromq.h. */
#include "zeromq.h"

#include <pthread.h>

#include <doppel/host/module.h>

const struct link_zeromq *link_zeromq;

int link_zeromq_load(struct dpl_diag *reterr)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    const void *table = NULL;
    pthread_mutex_lock(&lock);
    int err =
        link_zeromq ? 0 : dpl_module_load("zeromq", sizeof(struct link_zeromq), &table, reterr);
    link_zeromq = table ? table : link_zeromq;
    pthread_mutex_unlock(&lock);
    return err;
}
