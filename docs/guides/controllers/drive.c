/* SPDX-License-Identifier: Apache-2.0 */
/* Drives a robot with two wheels 1 m ahead and stops there. argv[1]: the port. */
#include <stdio.h>
#include <stdlib.h>

#include <doppel_hil.h>

int main(int argc, char **argv)
{
    struct doppel_hil_options options = {
        .port = (uint16_t)(argc > 1 ? atoi(argv[1]) : 5600),
        .name = "drive",
        .lock_step = 1,
        .every = 5,
        .timeout_ms = 200,
    };
    struct doppel_hil *hil = doppel_hil_connect(&options);
    int left = doppel_hil_sensor(hil, "avatar/enc_left/angle", "rad");
    int right = doppel_hil_sensor(hil, "avatar/enc_right/angle", "rad");
    int left_motor = doppel_hil_command(hil, "avatar/LeftWheel/speed", "rad/s");
    int right_motor = doppel_hil_command(hil, "avatar/RightWheel/speed", "rad/s");
    doppel_hil_begin(hil);

    const double radius = 0.035, way = 1.0; /* m */
    double begin = 0.0, done = 0.0;
    for (int i = 0; done < way - 0.001 && doppel_hil_wait(hil, 1000) > 0; i++) {
        double angle = 0.5 * (doppel_hil_get(hil, left, 0) + doppel_hil_get(hil, right, 0));
        begin = i == 0 ? angle : begin;
        done = radius * (angle - begin);
        double speed = 3.0 * (way - done) / radius;
        speed = speed < 10.0 ? speed : 10.0;
        doppel_hil_set(hil, left_motor, 0, speed);
        doppel_hil_set(hil, right_motor, 0, speed);
        doppel_hil_send(hil);
    }
    if (doppel_hil_code(hil) != 0) {
        fprintf(stderr, "%s\n", doppel_hil_error(hil));
    } else {
        printf("%.2f m\n", done);
    }
    int code = doppel_hil_code(hil) != 0;
    doppel_hil_close(hil);
    return code;
}
