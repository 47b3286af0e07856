/* An emulated template_name on a pty: turns to the left at 0.5 rad/s and measures every 20 ms.
 * usage: template_name-emulator LINK */
#include <doppel/host/pty.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "template_name_codec.h"

#define PERIOD_MS  20
#define RATE_RAD_S 0.5
#define GRAVITY    9.80665
#define PI         3.14159265358979323846

static volatile sig_atomic_t ended;

static void on_signal(int number)
{
    (void)number;
    ended = 1;
}

static void measure(double t_s, int fd)
{
    struct template_name_measurement measurement = {
        .rate_rad_s = {0.0, 0.0, RATE_RAD_S},
        .acceleration_m_s2 = {0.0, 0.0, GRAVITY},
        .yaw_rad = remainder(RATE_RAD_S * t_s, 2.0 * PI),
    };
    uint8_t frame[TEMPLATE_NAME_MAX_FRAME];
    size_t n = template_name_measurement_encode(&measurement, frame);
    if (write(fd, frame, n) < 0 && errno != EAGAIN && errno != EIO) {
        perror("template_name-emulator: write");
    }
}

static void run(const struct dpl_pty *pty)
{
    for (uint64_t i = 0; !ended; i++) {
        poll(NULL, 0, PERIOD_MS);
        if (dpl_pty_has_peer(pty, NULL)) {
            measure((double)i * PERIOD_MS * 1e-3, pty->master);
        }
    }
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
    run(&pty);
    dpl_pty_close(&pty);
    return 0;
}
