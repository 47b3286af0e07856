/* The codec: frames in pieces, and with a wrong check. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../template_name_codec.h"

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

static void a_measurement_arrives_byte_by_byte(void)
{
    struct template_name_measurement sent = {.rate_rad_s = {0.1, -0.2, 0.3}, .yaw_rad = -3.0}, got;
    struct template_name_parser parser = {0};
    struct template_name_frame frame;
    uint8_t bytes[TEMPLATE_NAME_MAX_FRAME];
    size_t n = template_name_measurement_encode(&sent, bytes);
    bool complete = false;
    for (size_t i = 0; i < n; i++) {
        struct dpl_byte_view one = {bytes + i, 1};
        check(!complete, "no frame before its last byte");
        complete = template_name_parser_next(&parser, &one, &frame);
    }
    check(complete && template_name_measurement_decode(&frame, &got), "a measurement");
    check(fabs(got.rate_rad_s[1] + 0.2) < 1e-9 && fabs(got.yaw_rad + 3.0) < 1e-9, "its values");
}

static void a_wrong_check_is_no_frame(void)
{
    struct template_name_measurement sent = {.yaw_rad = 1.0};
    struct template_name_parser parser = {0};
    struct template_name_frame frame;
    uint8_t bytes[TEMPLATE_NAME_MAX_FRAME];
    size_t n = template_name_measurement_encode(&sent, bytes);
    bytes[4] ^= 1;
    struct dpl_byte_view input = {bytes, n};
    check(!template_name_parser_next(&parser, &input, &frame), "no frame with a wrong check");
}

int main(void)
{
    a_measurement_arrives_byte_by_byte();
    a_wrong_check_is_no_frame();
    puts("codec: 2 tests passed");
    return 0;
}
