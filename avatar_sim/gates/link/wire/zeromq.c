/* SPDX-License-Identifier: Apache-2.0 */
/* Loads libzmq: see zeromq.h. */
#include "zeromq.h"

#include <pthread.h>

#include <doppel/host/module.h>

const struct link_zeromq *link_zeromq;

int link_zeromq_load(struct dpl_diag *reterr)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int err = 0;
    pthread_mutex_lock(&lock);
    /* Written once: the threads of other owners read it without the lock. */
    if (!link_zeromq) {
        const void *table = NULL;
        err = dpl_module_load("zeromq", sizeof(struct link_zeromq), &table, reterr);
        if (!err)
            link_zeromq = table;
    }
    pthread_mutex_unlock(&lock);
    return err;
}
