/* SPDX-License-Identifier: Apache-2.0 */
/* Devices: opening a driver with its sides, closing it, loss and return. Each device has one atomic
 * with its lost state, so that any thread may report without waiting. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "log.h"
#include "runtime.h"

/* dpl__device.lost: bit 0: the device itself is lost; the other bits count its lost vital sides.
 * Reports may overtake each other, so the count may be negative for a moment. */
#define LOST_ITSELF 1
#define LOST_SIDE   2

static bool counts_as_lost(int lost)
{
    return (lost & LOST_ITSELF) != 0 || lost >= LOST_SIDE;
}

static struct dpl__device *device_of(const struct dpl_device *device)
{
    return device->runtime;
}

/* ---- loss and return ------- */

/* Propagates a loss to the devices above. Returns whether it reached the top: then the component
 * stops and the application halts. */
static bool pass_loss_up(struct dpl__device *device)
{
    for (;;) {
        if (!device->vital) {
            return false;
        }
        if (!device->parent) {
            atomic_fetch_add_explicit(&device->runtime->lost_devices, 1, memory_order_acq_rel);
            return true;
        }
        device = device->parent;
        int old = atomic_fetch_add_explicit(&device->lost, LOST_SIDE, memory_order_acq_rel);
        if (counts_as_lost(old) || !counts_as_lost(old + LOST_SIDE)) {
            return false;
        }
        atomic_fetch_add_explicit(&device->n_losses, 1, memory_order_relaxed);
    }
}

static bool begin_loss(struct dpl__device *device)
{
    atomic_fetch_add_explicit(&device->n_losses, 1, memory_order_relaxed);
    return pass_loss_up(device);
}

static void pass_return_up(struct dpl__device *device)
{
    for (;;) {
        if (!device->vital) {
            return;
        }
        if (!device->parent) {
            atomic_fetch_sub_explicit(&device->runtime->lost_devices, 1, memory_order_acq_rel);
            return;
        }
        device = device->parent;
        int old = atomic_fetch_sub_explicit(&device->lost, LOST_SIDE, memory_order_acq_rel);
        if (!counts_as_lost(old) || counts_as_lost(old - LOST_SIDE)) {
            return;
        }
    }
}

static void keep_reason(struct dpl__device *device, const char *why)
{
    if (!atomic_flag_test_and_set_explicit(&device->reason.busy, memory_order_acquire)) {
        char *slot = device->reason.slot[dpl_latest_back(&device->reason.sync)];
        snprintf(slot, DPL__REASON_MAX, "%s", why);
        dpl_latest_publish(&device->reason.sync);
        atomic_flag_clear_explicit(&device->reason.busy, memory_order_release);
    }
}

static const char *reason_of(struct dpl__device *device)
{
    dpl_latest_update(&device->reason.sync);
    return device->reason.slot[dpl_latest_front(&device->reason.sync)];
}

void dpl__devices_tell_losses(struct dpl_runtime *runtime, char *text, size_t size)
{
    for (struct dpl__device *device = runtime->devices; device; device = device->next) {
        if (!(atomic_load_explicit(&device->lost, memory_order_acquire) & LOST_ITSELF)) {
            continue;
        }
        const char *why = reason_of(device);
        size_t used = strlen(text);
        int n = snprintf(text + used, size - used, "; %s is lost: %s", device->self.name, why);
        if (n < 0 || (size_t)n >= size - used) {
            text[used] = '\0';
        }
    }
}

void dpl_device_lost(struct dpl_device *device, const char *format, ...)
{
    struct dpl__device *self = device_of(device);
    int old = atomic_fetch_or_explicit(&self->lost, LOST_ITSELF, memory_order_acq_rel);
    if (old & LOST_ITSELF) {
        return;
    }
    bool at_the_top = !counts_as_lost(old) && begin_loss(self);
    char why[DPL__REASON_MAX];
    va_list args;
    va_start(args, format);
    if (vsnprintf(why, sizeof why, format, args) < 0) {
        why[0] = '\0';
    }
    va_end(args);
    keep_reason(self, why);
    if (at_the_top) {
        dpl__runtime_fault(self->runtime, device->name, "lost: %s", why);
    } else {
        dpl__log_printf(self->runtime->log, DPL_LOG_WARN, device->name, "lost: %s", why);
    }
}

void dpl_device_found(struct dpl_device *device)
{
    struct dpl__device *self = device_of(device);
    int old = atomic_fetch_and_explicit(&self->lost, ~LOST_ITSELF, memory_order_acq_rel);
    if (!(old & LOST_ITSELF)) {
        return;
    }
    if (!counts_as_lost(old & ~LOST_ITSELF)) {
        pass_return_up(self);
    }
    dpl__log_printf(self->runtime->log, DPL_LOG_INFO, device->name, "answers again");
}

bool dpl_device_is_lost(const struct dpl_device *device)
{
    const struct dpl__device *self = device->runtime;
    return counts_as_lost(atomic_load_explicit(&self->lost, memory_order_acquire));
}

bool dpl_device_is_halted(const struct dpl_device *device)
{
    const struct dpl__device *self = device->runtime;
    return atomic_load_explicit(&self->runtime->lost_devices, memory_order_acquire) > 0;
}

void dpl__device_poll(struct dpl__device *device, const struct dpl_tick *tick)
{
    const struct dpl_driver *driver = device->self.driver;
    for (size_t i = 0; i < driver->n_sides; i++) {
        dpl__device_poll(device->sides[i], tick);
    }
    if (driver->poll) {
        driver->poll(&device->self, tick);
    }
}

bool dpl__device_is_open(const struct dpl__device *device)
{
    return device->opened;
}

/* ---- sides ---- */

struct dpl_device *dpl_device_side(struct dpl_device *device, size_t index)
{
    struct dpl__device *self = device_of(device);
    return index < device->driver->n_sides ? &self->sides[index]->self : NULL;
}

void dpl_device_set_side_vital(struct dpl_device *device, size_t index, bool vital)
{
    struct dpl__device *side = device_of(device)->sides[index];
    side->vital_said = true;
    if (side->vital == vital) {
        return;
    }
    bool lost = dpl_device_is_lost(&side->self);
    if (lost && !vital) {
        pass_return_up(side);
    }
    side->vital = vital;
    if (lost && vital && pass_loss_up(side)) {
        dpl__runtime_fault(side->runtime, side->self.name, "lost: %s", reason_of(side));
    }
}

/* ---- opening and closing ---- */

static void append(struct dpl_runtime *runtime, struct dpl__device *device)
{
    struct dpl__device **last = &runtime->devices;
    while (*last) {
        last = &(*last)->next;
    }
    *last = device;
}

static struct dpl__device *allocate(struct dpl_runtime *runtime, const struct dpl_app_device *model)
{
    const struct dpl_driver *driver = model->driver;
    struct dpl__device *device = dpl_arena_alloc(&runtime->arena, sizeof *device);
    device->self.name = model->name;
    device->self.driver = driver;
    device->self.properties = model->properties;
    device->self.state = dpl_arena_alloc(&runtime->arena, driver->state_size + 1);
    device->self.runtime = device;
    device->runtime = runtime;
    device->model = model;
    device->vital = true;
    dpl_latest_init(&device->reason.sync);
    atomic_flag_clear(&device->reason.busy);
    device->sides = dpl_arena_alloc(&runtime->arena, (driver->n_sides + 1) * sizeof(void *));
    return device;
}

static int call_open(struct dpl__device *device, struct dpl_diag *reterr)
{
    const struct dpl_driver *driver = device->self.driver;
    struct dpl_diag diag = {0};
    int r = driver->open ? driver->open(&device->self, &diag) : 0;
    if (r >= 0) {
        device->opened = true;
        return 0;
    }
    if (diag.text[0] == '\0') {
        return dpl_fail(reterr, r, device->model->place, "%s: driver '%s' cannot be opened: %s",
                        device->self.name, driver->name, strerror(-r));
    }
    struct dpl_place place = diag.place.file ? diag.place : device->model->place;
    return dpl_fail(reterr, r, place, "%s: %s", device->self.name, diag.text);
}

/* `parent` is set before anything opens, because a side may be lost immediately after its
 * opening. */
static int open_below(struct dpl__device *parent, const struct dpl_app_device *model,
                      struct dpl__device **ret_device, struct dpl_diag *reterr);

static int open_sides(struct dpl__device *device, struct dpl_diag *reterr)
{
    for (size_t i = 0; i < device->self.driver->n_sides; i++) {
        int r = open_below(device, &device->model->sides[i], &device->sides[i], reterr);
        if (r < 0) {
            return r;
        }
    }
    return 0;
}

/* Sides are vital unless their device sets otherwise while it opens. */
static void judge_sides(struct dpl__device *device)
{
    for (size_t i = 0; i < device->self.driver->n_sides; i++) {
        if (!device->sides[i]->vital_said) {
            dpl_device_set_side_vital(&device->self, i, true);
        }
    }
}

static int open_allocated(struct dpl__device *device, struct dpl__device **ret_device,
                          struct dpl_diag *reterr)
{
    int r = open_sides(device, reterr);
    if (r >= 0) {
        r = call_open(device, reterr);
    }
    if (r < 0) {
        dpl__device_close(device);
        return r;
    }
    judge_sides(device);
    append(device->runtime, device);
    *ret_device = device;
    return 0;
}

static int check_clock(const struct dpl_runtime *runtime, const struct dpl_app_device *model,
                       struct dpl_diag *reterr)
{
    if (model->driver->backend != DPL_BACKEND_HARDWARE || !runtime->options.simulated) {
        return 0;
    }
    return dpl_fail(reterr, -EINVAL, model->place,
                    "%s: driver '%s' uses hardware and needs the real clock; run without the "
                    "simulated clock or choose another driver",
                    model->name, model->driver->name);
}

static int open_below(struct dpl__device *parent, const struct dpl_app_device *model,
                      struct dpl__device **ret_device, struct dpl_diag *reterr)
{
    int r = check_clock(parent->runtime, model, reterr);
    if (r < 0) {
        return r;
    }
    struct dpl__device *device = allocate(parent->runtime, model);
    device->parent = parent;
    device->vital = false; /* until the parent opens: a loss may come before */
    return open_allocated(device, ret_device, reterr);
}

int dpl__device_open(struct dpl_runtime *runtime, const struct dpl_app_device *model,
                     struct dpl__device **ret_device, struct dpl_diag *reterr)
{
    int r = check_clock(runtime, model, reterr);
    return r < 0 ? r : open_allocated(allocate(runtime, model), ret_device, reterr);
}

bool dpl__device_needs_hardware(const struct dpl_app_device *model)
{
    bool needs = model->driver->backend == DPL_BACKEND_HARDWARE;
    for (size_t i = 0; !needs && i < model->driver->n_sides; i++) {
        needs = dpl__device_needs_hardware(&model->sides[i]);
    }
    return needs;
}

int dpl__device_open_parts(struct dpl_runtime *runtime, const struct dpl_app_device *model,
                           struct dpl_diag *reterr)
{
    struct dpl__device *device;
    int r = 0;
    if (model->driver->n_sides == 0 && !dpl__device_needs_hardware(model)) {
        r = dpl__device_open(runtime, model, &device, reterr);
    }
    for (size_t i = 0; r >= 0 && i < model->driver->n_sides; i++) {
        r = dpl__device_open_parts(runtime, &model->sides[i], reterr);
    }
    return r;
}

void dpl__device_close(struct dpl__device *device)
{
    if (!device) {
        return;
    }
    if (device->opened && device->self.driver->close) {
        device->self.driver->close(&device->self);
    }
    device->opened = false;
    for (size_t i = device->self.driver->n_sides; i-- > 0;) {
        dpl__device_close(device->sides[i]);
    }
}
