/* Frames and their payloads. */
#include "template_name_codec.h"

/* @part framing.c */

size_t template_name_speeds_encode(const struct template_name_speeds *speeds,
                                   uint8_t ret[TEMPLATE_NAME_MAX_FRAME])
{
    dpl_put_u16le(ret + 3, (uint16_t)speeds->left_mm_s);
    dpl_put_u16le(ret + 5, (uint16_t)speeds->right_mm_s);
    return finish_frame(ret, TEMPLATE_NAME_SPEEDS, 4);
}

size_t template_name_feedback_encode(const struct template_name_feedback *feedback,
                                     uint8_t ret[TEMPLATE_NAME_MAX_FRAME])
{
    dpl_put_u32le(ret + 3, feedback->left);
    dpl_put_u32le(ret + 7, feedback->right);
    ret[11] = feedback->pressed;
    return finish_frame(ret, TEMPLATE_NAME_FEEDBACK, 9);
}

bool template_name_speeds_decode(const struct template_name_frame *frame,
                                 struct template_name_speeds *ret)
{
    if (frame->type != TEMPLATE_NAME_SPEEDS || frame->length != 4) {
        return false;
    }
    ret->left_mm_s = dpl_get_i16le(frame->payload);
    ret->right_mm_s = dpl_get_i16le(frame->payload + 2);
    return true;
}

bool template_name_feedback_decode(const struct template_name_frame *frame,
                                   struct template_name_feedback *ret)
{
    if (frame->type != TEMPLATE_NAME_FEEDBACK || frame->length != 9) {
        return false;
    }
    ret->left = dpl_get_u32le(frame->payload);
    ret->right = dpl_get_u32le(frame->payload + 4);
    ret->pressed = frame->payload[8] != 0;
    return true;
}
