/* SPDX-License-Identifier: Apache-2.0 */
/* Devices and drivers. A driver is a const table that a plugin exports: properties, state size,
 * open and close, and a function for each call of its device class (doppel/device_class.h). A
 * device is an open driver: const properties, mutable state. */
#ifndef DOPPEL_DEVICE_H
#define DOPPEL_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#include <doppel/device_class.h>
#include <doppel/diag.h>
#include <doppel/field.h>
#include <doppel/link.h>
#include <doppel/log.h>
#include <doppel/stream.h>
#include <doppel/time.h>

#ifdef __cplusplus
extern "C" {
#endif

enum dpl_backend {
    DPL_BACKEND_HARDWARE, /* needs the real clock */
    DPL_BACKEND_SIMULATOR,
    DPL_BACKEND_HIL,
    DPL_BACKEND_REPLAY,
    DPL_BACKEND_MOCK,
};

struct dpl_driver;

struct dpl_device {
    const char *name; /* name of its component; below a HIL driver "COMPONENT.hardware" */
    const struct dpl_driver *driver;
    const void *properties;
    void *state;        /* driver->state_size, zeroed before open */
    void *runtime;      /* private */
    uint64_t n_refused; /* commands, stops and settings that the device has refused; read-only */
};

/* A device below a device; the HIL driver has two. Opened before the upper device, closed after
 * it. */
struct dpl_driver_side {
    const char *name; /* "hardware", "simulation": scope of its properties (Component.hardware.X) */
    const char
        *driver_property; /* the property of the upper driver that names this side's driver */
};

struct dpl_driver {
    const char *name; /* the value of ApiName, such as "mock" */
    const char *summary;
    const struct dpl_device_class *device_class;
    enum dpl_backend backend;
    /* Functions by the numbers of drv/<class>.h, as many as the class has; NULL entry: the driver
     * does not support that call. */
    const dpl_device_call_fn *api;
    size_t n_calls;
    /* Used instead of api: answers every call of every class. */
    int (*answer)(struct dpl_device *, unsigned number, const void *in, void *out);
    const struct dpl_field *properties;
    size_t n_properties, properties_size;
    const struct dpl_field *exports; /* counters of the state, see enum dpl_field_flag */
    size_t n_exports, state_size;
    const struct dpl_driver_side *sides;
    size_t n_sides;
    /* May allocate and block for a short time. On failure nothing stays open. */
    int (*open)(struct dpl_device *, struct dpl_diag *reterr);
    /* Stops what moves, then releases the device. Never fails. */
    void (*close)(struct dpl_device *);
    /* For drivers whose I/O does not detect that a lost device is back (NULL: other drivers). While
     * the component is in ERROR because its device is lost, its execute is not called. The runtime
     * calls poll instead, in each cycle in which the component is due, for the device and its
     * sides. */
    void (*poll)(struct dpl_device *, const struct dpl_tick *);
    /* See `check` of a component class. */
    int (*check)(const void *properties, struct dpl_diag *reterr);
};

/* The device of side `index` (order of driver->sides). */
struct dpl_device *dpl_device_side(struct dpl_device *device, size_t index);

/* The clock's time, in nanoseconds. On an executor use the nominal time of the cycle, which is in
 * the tick. */
dpl_ns dpl_device_now(const struct dpl_device *device);

uint64_t dpl_device_seed(const struct dpl_device *device);

/* Returns a zeroed block of `size` bytes, aligned for any type. All devices of this run that pass
 * the same key get the same block. It exists until the end of the run. NULL when another device
 * passed another size. Out of memory ends the process. No lock protects the block: its users must
 * agree on atomics. Call in open. */
void *dpl_device_share(struct dpl_device *device, const char *key, size_t size);

/* Whether the run is simulated (lock-step time). */
bool dpl_device_clock_is_simulated(const struct dpl_device *device);

/* Reports that the device is lost (any thread; the text gives the reason). The runtime counts a
 * fault, logs it, puts the component into ERROR at its next cycle and sets tick->halt for the
 * application. Below a HIL driver, the HIL driver decides instead: see dpl_device_set_side_vital.
 * Further calls while the device is lost do nothing. */
void dpl_device_lost(struct dpl_device *device, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reports that a lost device answers again: the component recovers (ERROR -> READY -> ACTIVE). */
void dpl_device_found(struct dpl_device *device);

bool dpl_device_is_lost(const struct dpl_device *device);

/* For a driver with sides: sets whether a loss of side `index` is a loss of the device above.
 * Default: true. Call in open. */
void dpl_device_set_side_vital(struct dpl_device *device, size_t index, bool vital);

/* Whether the executor that commands this device runs on time. False when it is late by more than
 * <late_limit> of the device's component (300 ms by default), when its thread has ended, or when
 * the process ends because a component has crashed or called exit. Always true on the simulated
 * clock. The owner of the device's wire calls this before it repeats a setpoint, and sends a stop
 * instead while this is false; the device continues with the next new command. Any thread; does not
 * allocate or block. */
bool dpl_device_is_commanded(const struct dpl_device *device);

/* Whether the application halts because a device is lost: the value of tick->halt in the next
 * cycle. The owner of the wire of a moving device may call this and stop the device before that
 * cycle. Any thread; does not allocate or block. */
bool dpl_device_is_halted(const struct dpl_device *device);

/* Opens a byte stream whose callbacks run on the control thread; see doppel/stream.h. Call in open.
 * Waits for a device that is not there if the run was asked to (`doppel run --wait`). 0; -ENODEV:
 * it is not there, also if it belongs to another program or user; pass this on from open. -EINVAL:
 * an error of the address or the speed, or another -errno; reterr has the reason. */
int dpl_device_open_stream(struct dpl_device *device, const struct dpl_stream_config *config,
                           struct dpl_stream **ret_stream, struct dpl_diag *reterr);

/* Opens a link to a robot of an avatar world; see doppel/link.h. Call in open. */
int dpl_device_open_link(struct dpl_device *device, const struct dpl_link_config *config,
                         struct dpl_link **ret_link, struct dpl_diag *reterr);

#ifdef __cplusplus
}
#endif

#endif
