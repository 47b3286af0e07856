/* SPDX-License-Identifier: Apache-2.0 */
/* Four threads fill the log while the main one empties it: each message is printed whole and in its
 * writer's order, or counted as dropped. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "runtime.h"

#define N_WRITERS  4
#define N_MESSAGES 5000

static struct dpl_runtime runtime;
static atomic_int n_finished;

static void *write_messages(void *argument)
{
    const char *name = argument;
    for (int i = 0; i < N_MESSAGES; i++) {
        dpl__log_printf(runtime.log, DPL_LOG_INFO, name, "%d of %s", i, name);
    }
    atomic_fetch_add(&n_finished, 1);
    return NULL;
}

/* Returns the number of lines and dropped messages, or -1 for a line that is torn or out of order.
 */
static long check(char *text)
{
    int next[N_WRITERS] = {0};
    long n = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int i;
        unsigned long long n_dropped;
        char source, again;
        if (sscanf(line, "[%*[^]]] warn log: %llu", &n_dropped) == 1) {
            n += (long)n_dropped;
            continue;
        }
        if (sscanf(line, "[%*[^]]] info %c: %d of %c", &source, &i, &again) != 3 ||
            source != again || source < 'A' || source >= 'A' + N_WRITERS ||
            i < next[source - 'A']) {
            fprintf(stderr, "unexpected line: %s\n", line);
            return -1;
        }
        next[source - 'A'] = i + 1;
        n++;
    }
    return n;
}

int main(void)
{
    static const char *const names[N_WRITERS] = {"A", "B", "C", "D"};
    char *text = NULL;
    size_t size = 0;
    runtime.options.simulated = true;
    runtime.options.log_level = DPL_LOG_INFO;
    runtime.options.log = open_memstream(&text, &size);
    if (dpl__log_create(&runtime) < 0) {
        return 1;
    }
    pthread_t threads[N_WRITERS];
    for (int i = 0; i < N_WRITERS; i++) {
        pthread_create(&threads[i], NULL, write_messages, (void *)(uintptr_t)names[i]);
    }
    while (atomic_load(&n_finished) < N_WRITERS) {
        dpl__log_drain(runtime.log);
    }
    for (int i = 0; i < N_WRITERS; i++) {
        pthread_join(threads[i], NULL);
    }
    dpl__log_destroy(runtime.log);
    fclose(runtime.options.log);
    long n = check(text);
    free(text);
    if (n != N_WRITERS * N_MESSAGES) {
        fprintf(stderr, "printed and dropped: %ld of %d\n", n, N_WRITERS * N_MESSAGES);
        return 1;
    }
    return 0;
}
