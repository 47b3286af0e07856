/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides of a device are lost and found from two threads at once: whatever the order, nothing
 * is lost at the end. */
#include <pthread.h>
#include <stdio.h>

#include "device.h"
#include "log.h"
#include "runtime.h"

#define N_LOSSES 20000

static const struct dpl_driver leaf = {.name = "leaf", .backend = DPL_BACKEND_MOCK};
static const struct dpl_driver_side two_sides[] = {{"h", "H"}, {"s", "S"}};
static const struct dpl_driver upper = {
    .name = "upper",
    .backend = DPL_BACKEND_HIL,
    .sides = two_sides,
    .n_sides = 2,
};
static const struct dpl_app_device sides[] = {
    {.name = "W.h", .driver = &leaf},
    {.name = "W.s", .driver = &leaf},
};
static const struct dpl_app_device pair = {.name = "W", .driver = &upper, .sides = sides};
static struct dpl_runtime runtime;

static void *lose_and_find(void *argument)
{
    struct dpl_device *device = argument;
    for (int i = 0; i < N_LOSSES; i++) {
        dpl_device_lost(device, "loss %d", i);
        dpl_device_found(device);
    }
    return NULL;
}

int main(void)
{
    runtime.options.simulated = true;
    runtime.options.log_level = DPL_LOG_ERROR;
    runtime.options.log = fopen("/dev/null", "w");
    struct dpl__device *device;
    if (dpl__log_create(&runtime) < 0 || dpl__device_open(&runtime, &pair, &device, NULL) < 0) {
        return 1;
    }
    pthread_t threads[2];
    for (size_t i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, lose_and_find, dpl_device_side(&device->self, i));
    }
    for (size_t i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
    }
    int halt = atomic_load(&runtime.lost_devices);
    bool lost = dpl_device_is_lost(&device->self);
    dpl__device_close(device);
    dpl__log_destroy(runtime.log);
    dpl_arena_finish(&runtime.arena);
    fclose(runtime.options.log);
    if (halt != 0 || lost) {
        fprintf(stderr, "halt %d, lost %d after all was found\n", halt, lost);
        return 1;
    }
    return 0;
}
