/* SPDX-License-Identifier: Apache-2.0 */
/* An emulated iRobot Create 2 on a pty: modes, drive commands, sensors, stream. It moves on a plane
 * without obstacles; the signal USR1 presses its left bumper for half a second.
 * usage: create2-emulator LINK */
#include <doppel/drive/diff_drive.h>
#include <doppel/host/pty.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "create2_codec.h"

#define TOUCH_STEPS  (500 / CREATE2_PERIOD_MS)
#define VOLTAGE_MV   14400u
#define STRAIGHT     32767 /* radii of the opcode drive */
#define STRAIGHT_TOO (-32768)
#define LEFT_BUMPER  2u
#define COUNT_M      (CREATE2_COUNT_RAD * CREATE2_DIAMETER_M / 2.0)

struct base {
    struct create2_commands commands;
    enum create2_mode mode;
    double left_m_s, right_m_s;
    double left_m, right_m;  /* ways of the wheels */
    double told_m, told_rad; /* way and angle at the last packet of them */
    int touch_steps;
    uint8_t stream[255];
    size_t n_stream;
    bool streams;
};

static volatile sig_atomic_t ended, touched;

static void on_signal(int number)
{
    if (number == SIGUSR1) {
        touched = 1;
    } else {
        ended = 1;
    }
}

static unsigned counts(double way_m)
{
    return (uint16_t)llround(way_m / COUNT_M);
}

/* The difference to the last time, rounded toward 0; the rest is told later. */
static unsigned difference(double *told, double now, double unit)
{
    double whole = trunc((now - *told) / unit);
    *told += whole * unit;
    return (uint16_t)(int16_t)whole;
}

static unsigned value_of(struct base *base, unsigned packet)
{
    double way_m = (base->left_m + base->right_m) / 2.0;
    double angle_rad = (base->right_m - base->left_m) / CREATE2_AXLE_M;
    switch (packet) {
    case CREATE2_BUMPS: return base->touch_steps > 0 ? LEFT_BUMPER : 0;
    case CREATE2_DISTANCE: return difference(&base->told_m, way_m, 1e-3);
    case CREATE2_ANGLE:
        return difference(&base->told_rad, angle_rad, 3.14159265358979323846 / 180.0);
    case CREATE2_VOLTAGE: return VOLTAGE_MV;
    case CREATE2_MODE: return base->mode;
    case CREATE2_LEFT: return counts(base->left_m);
    case CREATE2_RIGHT: return counts(base->right_m);
    default: return 0; /* what this emulator has no part for: cliffs, buttons, currents */
    }
}

static void send_bytes(int fd, const uint8_t *bytes, size_t n)
{
    if (n > 0 && write(fd, bytes, n) < 0 && errno != EAGAIN && errno != EIO) {
        perror("create2-emulator: write");
    }
}

/* Packets without a frame: the answer to the opcodes sensors and query. */
static void answer(struct base *base, int fd, const uint8_t *ids, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned value = value_of(base, ids[i]);
        uint8_t bytes[2] = {(uint8_t)(value >> 8), (uint8_t)value};
        size_t size = create2_packet_size(ids[i]);
        send_bytes(fd, bytes + 2 - size, size);
    }
}

static void send_stream(struct base *base, int fd)
{
    unsigned values[255];
    uint8_t frame[CREATE2_MAX_FRAME];
    for (size_t i = 0; i < base->n_stream; i++) {
        values[i] = value_of(base, base->stream[i]);
    }
    send_bytes(fd, frame, create2_frame_write(base->stream, values, base->n_stream, frame));
}

/* Velocity of the middle and radius of the circle; radius 1 and -1 turn on the spot. */
static void drive(struct base *base, int velocity_mm_s, int radius_mm)
{
    double v = velocity_mm_s * 1e-3, w = 0.0;
    if (radius_mm == 1 || radius_mm == -1) {
        w = radius_mm * v / (CREATE2_AXLE_M / 2.0);
        v = 0.0;
    } else if (radius_mm != STRAIGHT && radius_mm != STRAIGHT_TOO && radius_mm != 0) {
        w = v / (radius_mm * 1e-3);
    }
    base->left_m_s = v - w * CREATE2_AXLE_M / 2.0;
    base->right_m_s = v + w * CREATE2_AXLE_M / 2.0;
}

static void set_mode(struct base *base, enum create2_mode mode)
{
    base->mode = mode;
    base->left_m_s = base->right_m_s = 0.0;
}

static void obey(struct base *base, const struct create2_command *command, int fd)
{
    bool obeys = base->mode >= CREATE2_MODE_SAFE;
    const uint8_t *data = command->data;
    if (base->mode == CREATE2_MODE_OFF && command->opcode != CREATE2_START) {
        return;
    }
    switch (command->opcode) {
    case CREATE2_START: set_mode(base, CREATE2_MODE_PASSIVE); break;
    case CREATE2_STOP: set_mode(base, CREATE2_MODE_OFF); break;
    case CREATE2_SAFE: base->mode = CREATE2_MODE_SAFE; break;
    case CREATE2_FULL: base->mode = CREATE2_MODE_FULL; break;
    case CREATE2_PAUSE: base->streams = data[0] != 0; break;
    case CREATE2_SENSORS: answer(base, fd, data, 1); break;
    case CREATE2_QUERY: answer(base, fd, data + 1, command->n - 1); break;
    case CREATE2_STREAM:
        base->n_stream = command->n - 1;
        base->streams = true;
        memcpy(base->stream, data + 1, base->n_stream);
        break;
    case CREATE2_DRIVE:
        if (obeys) {
            drive(base, create2_i16(data), create2_i16(data + 2));
        }
        break;
    case CREATE2_DIRECT:
        if (obeys) {
            base->right_m_s = create2_i16(data) * 1e-3;
            base->left_m_s = create2_i16(data + 2) * 1e-3;
        }
        break;
    default: break;
    }
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* What happens in `dt_s`: the way at the speeds so far, then the commands that have come. */
static void step(struct base *base, double dt_s, int fd)
{
    uint8_t bytes[512];
    base->left_m += base->left_m_s * dt_s;
    base->right_m += base->right_m_s * dt_s;
    ssize_t n = read(fd, bytes, sizeof bytes);
    struct dpl_byte_view input = {bytes, n > 0 ? (size_t)n : 0};
    struct create2_command command;
    while (create2_commands_next(&base->commands, &input, &command)) {
        obey(base, &command, fd);
    }
    base->touch_steps = touched ? TOUCH_STEPS : base->touch_steps - (base->touch_steps > 0);
    touched = 0;
    if (base->streams && base->mode != CREATE2_MODE_OFF) {
        send_stream(base, fd);
    }
}

static void run(const struct dpl_pty *pty)
{
    struct base base = {0};
    for (double last_s = now_s(), dt_s; !ended; last_s += dt_s) {
        poll(NULL, 0, CREATE2_PERIOD_MS);
        dt_s = now_s() - last_s;
        if (dpl_pty_has_peer(pty, NULL)) {
            step(&base, dt_s, pty->master);
        } else {
            base.left_m_s = base.right_m_s = 0.0; /* nobody commands it */
        }
    }
}

int main(int argc, char **argv)
{
    struct dpl_pty pty;
    struct dpl_diag error;
    if (argc != 2) {
        fprintf(stderr, "usage: create2-emulator LINK\n");
        return 2;
    }
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    signal(SIGUSR1, on_signal);
    if (dpl_pty_open(&pty, argv[1], &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 1;
    }
    run(&pty);
    dpl_pty_close(&pty);
    return 0;
}
