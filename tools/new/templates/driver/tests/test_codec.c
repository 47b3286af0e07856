/* The codec: frames survive being cut into pieces, and noise between them. */
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

static void feedback_arrives_byte_by_byte(void)
{
    struct template_name_feedback sent = {.left = 4294967290u, .right = 12, .pressed = true}, got;
    struct template_name_parser parser = {0};
    struct template_name_frame frame;
    uint8_t bytes[TEMPLATE_NAME_MAX_FRAME];
    size_t n = template_name_feedback_encode(&sent, bytes);
    bool complete = false;
    for (size_t i = 0; i < n; i++) {
        struct dpl_byte_view one = {bytes + i, 1};
        check(!complete, "no frame before its last byte");
        complete = template_name_parser_next(&parser, &one, &frame);
    }
    check(complete && template_name_feedback_decode(&frame, &got), "a frame of feedback");
    check(got.left == sent.left && got.right == 12 && got.pressed, "the values that were sent");
}

static void noise_is_dropped(void)
{
    struct template_name_speeds sent = {.left_mm_s = -200, .right_mm_s = 300}, got;
    struct template_name_parser parser = {0};
    struct template_name_frame frame;
    uint8_t bytes[2 * TEMPLATE_NAME_MAX_FRAME] = {0xA5, 1, 4, 9, 0x11};
    size_t n = 5 + template_name_speeds_encode(&sent, bytes + 5);
    struct dpl_byte_view input = {bytes, n};
    check(template_name_parser_next(&parser, &input, &frame), "a frame behind noise");
    check(template_name_speeds_decode(&frame, &got), "a command");
    check(got.left_mm_s == -200 && got.right_mm_s == 300, "the speeds that were sent");
    check(parser.dropped == 5, "the noise is counted");
}

static void a_wrong_check_is_no_frame(void)
{
    struct template_name_feedback sent = {0};
    struct template_name_parser parser = {0};
    struct template_name_frame frame;
    uint8_t bytes[TEMPLATE_NAME_MAX_FRAME];
    size_t n = template_name_feedback_encode(&sent, bytes);
    bytes[4] ^= 1;
    struct dpl_byte_view input = {bytes, n};
    check(!template_name_parser_next(&parser, &input, &frame), "no frame with a wrong check");
}

int main(void)
{
    feedback_arrives_byte_by_byte();
    noise_is_dropped();
    a_wrong_check_is_no_frame();
    puts("codec: 3 tests passed");
    return 0;
}
