/* An emulated template_name on a pty: obeys speed commands at once and reports the counts of its
 * wheels every 20 ms. usage: template_name-emulator LINK */
#include <doppel/host/pty.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "template_name_codec.h"

#define PERIOD_MS      20
#define WHEEL_RADIUS_M 0.035

struct base {
    struct template_name_parser parser;
    struct template_name_speeds speeds;
    double left_m, right_m; /* ways of the wheels */
};

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
    (void)number;
    ended = 1;
}

static uint32_t counts(double way_m)
{
    return (uint32_t)llround(way_m / WHEEL_RADIUS_M / TEMPLATE_NAME_COUNT_RAD);
}

static void obey(struct base *base, const uint8_t *bytes, size_t n)
{
    struct dpl_byte_view input = {bytes, n};
    struct template_name_frame frame;
    while (template_name_parser_next(&base->parser, &input, &frame)) {
        template_name_speeds_decode(&frame, &base->speeds);
    }
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Moves the wheels for `dt_s` and reports them. */
static void step(struct base *base, double dt_s, int fd)
{
    base->left_m += base->speeds.left_mm_s * 1e-3 * dt_s;
    base->right_m += base->speeds.right_mm_s * 1e-3 * dt_s;
    struct template_name_feedback feedback = {counts(base->left_m), counts(base->right_m), false};
    uint8_t frame[TEMPLATE_NAME_MAX_FRAME];
    size_t n = template_name_feedback_encode(&feedback, frame);
    if (write(fd, frame, n) < 0 && errno != EAGAIN && errno != EIO) {
        perror("template_name-emulator: write");
    }
}

static int run(const struct dpl_pty *pty)
{
    struct base base = {0};
    uint8_t bytes[256];
    for (double last_s = now_s(), dt_s; !ended; last_s += dt_s) {
        poll(NULL, 0, PERIOD_MS);
        dt_s = now_s() - last_s;
        if (!dpl_pty_has_peer(pty, NULL)) {
            base.speeds = (struct template_name_speeds){0}; /* nobody commands it: it stands */
            continue;
        }
        step(&base, dt_s, pty->master);
        ssize_t n = read(pty->master, bytes, sizeof bytes);
        if (n > 0) {
            obey(&base, bytes, (size_t)n);
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct dpl_pty pty;
    struct dpl_diag error;
    if (argc != 2) {
        fprintf(stderr, "usage: template_name-emulator LINK\n");
        return 2;
    }
    signal(SIGTERM, on_signal);
    signal(SIGINT, on_signal);
    if (dpl_pty_open(&pty, argv[1], &error) < 0) {
        dpl_diag_print(stderr, &error);
        return 1;
    }
    int code = run(&pty);
    dpl_pty_close(&pty);
    return code;
}
