/* SPDX-License-Identifier: Apache-2.0 */
/* A controller outside of a world that `doppel sim WORLD --controllers PORT` simulates: it gets
 * sensor values and sends commands, over TCP. It needs only C and POSIX.
 *
 *     struct doppel_hil_options options = {.port = 5600, .name = "wheel", .lock_step = 1};
 *     struct doppel_hil *hil = doppel_hil_connect(&options);
 *     int speed = doppel_hil_sensor(hil, "avatar/enc_left/velocity", "rad/s");
 *     int motor = doppel_hil_command(hil, "avatar/LeftWheel/speed", "rad/s");
 *     if (doppel_hil_begin(hil) == 0) {
 *         while (doppel_hil_wait(hil, 1000) > 0) {
 *             doppel_hil_set(hil, motor, 0, 3.0 - doppel_hil_get(hil, speed, 0));
 *             doppel_hil_send(hil);
 *         }
 *     }
 *     fprintf(stderr, "%s\n", doppel_hil_error(hil));
 *     doppel_hil_close(hil);
 *
 * After an error, every later call fails with the same error, so you need not check each call. One
 * thread at a time uses a connection. Only connect, sensor, command and begin allocate. Units are
 * those of the channels, in SI. */
#ifndef DOPPEL_HIL_H
#define DOPPEL_HIL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doppel_hil;

struct doppel_hil_options {
    const char *host; /* name or address; NULL: 127.0.0.1 */
    uint16_t port;
    const char *name; /* name of the controller for messages, 1 to 64 bytes; NULL: "controller" */
    /* 1: the world waits for the answer to each frame; 0: it does not wait */
    int lock_step;
    uint32_t every; /* steps of the world between two frames; 0: 1 */
    /* Time limit for the answer to a frame in ms, 1 to 10000; 0: 100. After it, the world releases
     * the channels that this controller commands (motors stop) and closes the connection. */
    uint32_t timeout_ms;
};

enum {
    DOPPEL_HIL_GARBAGE = 1, /* not the protocol */
    DOPPEL_HIL_VERSION = 2, /* the world has another version of the protocol */
    DOPPEL_HIL_CHANNEL = 3, /* no such channel, or not with this unit or direction */
    DOPPEL_HIL_BUSY = 4,    /* another program commands a channel */
    DOPPEL_HIL_TIME_OUT = 5,
    DOPPEL_HIL_ENDED = 6,    /* the world has ended */
    DOPPEL_HIL_SYSTEM = 100, /* no connection, or it is lost */
    DOPPEL_HIL_MISUSE = 101, /* a call that is not possible here, or an argument that is wrong */
    DOPPEL_HIL_MEMORY = 102,
};

/* Connects; waits up to 5 s. NULL: out of memory. doppel_hil_code returns any other error. */
struct doppel_hil *doppel_hil_connect(const struct doppel_hil_options *options);

/* Closes the connection and frees it. The world releases the channels that were commanded. NULL:
 * does nothing. */
void doppel_hil_close(struct doppel_hil *hil);

/* ---- before the first frame ---- */

/* Requests a channel by its path. `unit`: must be the channel's unit; NULL: any. Returns the number
 * of the sensor or command, or -1. The world checks the request in doppel_hil_begin. */
int doppel_hil_sensor(struct doppel_hil *hil, const char *path, const char *unit);
int doppel_hil_command(struct doppel_hil *hil, const char *path, const char *unit);

/* The world checks all channels, and then sends frames. 0, or -1: the error names each channel that
 * cannot be used. Waits up to 5 s. */
int doppel_hil_begin(struct doppel_hil *hil);

/* ---- afterwards ---- */

/* The next sensor frame; a free-running controller gets the newest one. Waits up to `ms`
 * milliseconds; negative: no limit. 1: a frame; 0: no frame in this time; -1: an error. */
int doppel_hil_wait(struct doppel_hil *hil, int ms);

/* An element of a sensor in this frame; whole numbers and flags as doubles. NaN: there is no value
 * yet, or no such sensor or element. */
double doppel_hil_get(const struct doppel_hil *hil, int sensor, size_t element);
/* The same for integers and flags, exactly; INT64_MIN: there is no value yet. */
int64_t doppel_hil_get_integer(const struct doppel_hil *hil, int sensor, size_t element);

/* Sets an element of a command for this and all later sends. At the start all elements are 0. For
 * integers and flags it is rounded. 0 or -1. */
int doppel_hil_set(struct doppel_hil *hil, int command, size_t element, double value);

/* Sends all commands: the answer to this frame. They take effect at the world's next step. 0 or -1.
 */
int doppel_hil_send(struct doppel_hil *hil);

/* ---- information ---- */

double doppel_hil_time(const struct doppel_hil *hil);   /* s, of the world at this frame */
uint64_t doppel_hil_step(const struct doppel_hil *hil); /* of the world at this frame */
double doppel_hil_period(const struct doppel_hil *hil); /* s of the world between two frames */
/* How often the world has gone back to its start or to a snapshot. A controller must then reset its
 * own state. */
uint32_t doppel_hil_jumps(const struct doppel_hil *hil);
/* Free-running: answers that came after the next frame, and frames that were not sent because this
 * controller did not read. */
uint32_t doppel_hil_late(const struct doppel_hil *hil);
uint32_t doppel_hil_dropped(const struct doppel_hil *hil);

/* Elements, unit and range (both 0: any) of a channel, after doppel_hil_begin; size 0 and "" if
 * there is no such one. */
size_t doppel_hil_sensor_size(const struct doppel_hil *hil, int sensor);
size_t doppel_hil_command_size(const struct doppel_hil *hil, int command);
const char *doppel_hil_sensor_unit(const struct doppel_hil *hil, int sensor);
const char *doppel_hil_command_unit(const struct doppel_hil *hil, int command);
void doppel_hil_command_range(const struct doppel_hil *hil, int command, double *ret_min,
                              double *ret_max);

const char *doppel_hil_world(const struct doppel_hil *hil); /* its name, after doppel_hil_begin */

/* 0: no error so far; otherwise DOPPEL_HIL_...; and its text for messages. */
int doppel_hil_code(const struct doppel_hil *hil);
const char *doppel_hil_error(const struct doppel_hil *hil);

#ifdef __cplusplus
}
#endif

#endif
