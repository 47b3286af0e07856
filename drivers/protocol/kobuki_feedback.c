/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki feedback blocks: one table row per block, with its decoder and its encoder. */
#include <doppel/protocol/kobuki_feedback.h>

#include <errno.h>
#include <string.h>

#include <doppel/protocol/kobuki_frame.h>

enum { BLOCK_HEADER = 2 };

/* Decoders return false for an invalid length. Encoders write at most `DPL_KOBUKI_MAX_PAYLOAD`
 * bytes of data and return their number, or a negative errno. */
struct block_codec {
    enum dpl_kobuki_feedback_id id;
    bool (*decode)(const struct dpl_kobuki_block *block, struct dpl_kobuki_feedback *feedback);
    int (*encode)(const struct dpl_kobuki_feedback *feedback, uint8_t *data);
};

static bool decode_core(const struct dpl_kobuki_block *block, struct dpl_kobuki_feedback *feedback)
{
    const uint8_t *p = block->data;
    if (block->length != 15) {
        return false;
    }
    feedback->core = (struct dpl_kobuki_core){
        .time_ms = dpl_get_u16le(p),
        .bumper = p[2],
        .wheel_drop = p[3],
        .cliff = p[4],
        .encoder_left = dpl_get_u16le(p + 5),
        .encoder_right = dpl_get_u16le(p + 7),
        .pwm_left = (int8_t)p[9],
        .pwm_right = (int8_t)p[10],
        .buttons = p[11],
        .charger = p[12],
        .battery_decivolt = p[13],
        .overcurrent = p[14],
    };
    return true;
}

static int encode_core(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    const struct dpl_kobuki_core *core = &feedback->core;
    dpl_put_u16le(data, core->time_ms);
    data[2] = core->bumper;
    data[3] = core->wheel_drop;
    data[4] = core->cliff;
    dpl_put_u16le(data + 5, core->encoder_left);
    dpl_put_u16le(data + 7, core->encoder_right);
    data[9] = (uint8_t)core->pwm_left;
    data[10] = (uint8_t)core->pwm_right;
    data[11] = core->buttons;
    data[12] = core->charger;
    data[13] = core->battery_decivolt;
    data[14] = core->overcurrent;
    return 15;
}

static bool decode_dock_ir(const struct dpl_kobuki_block *block,
                           struct dpl_kobuki_feedback *feedback)
{
    if (block->length != sizeof feedback->dock_ir) {
        return false;
    }
    memcpy(feedback->dock_ir, block->data, sizeof feedback->dock_ir);
    return true;
}

static int encode_dock_ir(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    memcpy(data, feedback->dock_ir, sizeof feedback->dock_ir);
    return sizeof feedback->dock_ir;
}

static bool decode_inertia(const struct dpl_kobuki_block *block,
                           struct dpl_kobuki_feedback *feedback)
{
    if (block->length != 7) {
        return false;
    }
    feedback->inertia.angle_centideg = dpl_get_i16le(block->data);
    feedback->inertia.rate_centideg_s = dpl_get_i16le(block->data + 2);
    memcpy(feedback->inertia.padding, block->data + 4, sizeof feedback->inertia.padding);
    return true;
}

static int encode_inertia(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    dpl_put_u16le(data, (uint16_t)feedback->inertia.angle_centideg);
    dpl_put_u16le(data + 2, (uint16_t)feedback->inertia.rate_centideg_s);
    memcpy(data + 4, feedback->inertia.padding, sizeof feedback->inertia.padding);
    return 7;
}

static bool decode_cliff(const struct dpl_kobuki_block *block, struct dpl_kobuki_feedback *feedback)
{
    if (block->length != 6) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        feedback->cliff[i] = dpl_get_u16le(block->data + 2 * i);
    }
    return true;
}

static int encode_cliff(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    for (size_t i = 0; i < 3; i++) {
        dpl_put_u16le(data + 2 * i, feedback->cliff[i]);
    }
    return 6;
}

static bool decode_current(const struct dpl_kobuki_block *block,
                           struct dpl_kobuki_feedback *feedback)
{
    if (block->length != 2) {
        return false;
    }
    memcpy(feedback->current_10ma, block->data, 2);
    return true;
}

static int encode_current(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    memcpy(data, feedback->current_10ma, 2);
    return 2;
}

static bool decode_version(const struct dpl_kobuki_block *block, struct dpl_kobuki_version *version)
{
    if (block->length != 2 && block->length != 4) {
        return false;
    }
    version->size = block->length;
    version->number = block->length == 4 ? dpl_get_u32le(block->data) : dpl_get_u16le(block->data);
    return true;
}

static int encode_version(const struct dpl_kobuki_version *version, uint8_t *data)
{
    if (version->size == 4) {
        dpl_put_u32le(data, version->number);
        return 4;
    }
    if (version->size != 2 || version->number > UINT16_MAX) {
        return -EINVAL;
    }
    dpl_put_u16le(data, (uint16_t)version->number);
    return 2;
}

static bool decode_hardware(const struct dpl_kobuki_block *block,
                            struct dpl_kobuki_feedback *feedback)
{
    return decode_version(block, &feedback->hardware);
}

static int encode_hardware(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    return encode_version(&feedback->hardware, data);
}

static bool decode_firmware(const struct dpl_kobuki_block *block,
                            struct dpl_kobuki_feedback *feedback)
{
    return decode_version(block, &feedback->firmware);
}

static int encode_firmware(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    return encode_version(&feedback->firmware, data);
}

static bool decode_gyro(const struct dpl_kobuki_block *block, struct dpl_kobuki_feedback *feedback)
{
    if (block->length < 2 || block->data[1] > DPL_KOBUKI_MAX_GYRO_VALUES ||
        block->length != 2 + 2 * (unsigned)block->data[1]) {
        return false;
    }
    feedback->gyro.frame = block->data[0];
    feedback->gyro.count = block->data[1];
    for (size_t i = 0; i < feedback->gyro.count; i++) {
        feedback->gyro.values[i] = dpl_get_i16le(block->data + 2 + 2 * i);
    }
    return true;
}

static int encode_gyro(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    if (feedback->gyro.count > DPL_KOBUKI_MAX_GYRO_VALUES) {
        return -EINVAL;
    }
    data[0] = feedback->gyro.frame;
    data[1] = feedback->gyro.count;
    for (size_t i = 0; i < feedback->gyro.count; i++) {
        dpl_put_u16le(data + 2 + 2 * i, (uint16_t)feedback->gyro.values[i]);
    }
    return 2 + 2 * feedback->gyro.count;
}

static bool decode_input(const struct dpl_kobuki_block *block, struct dpl_kobuki_feedback *feedback)
{
    if (block->length != 16) {
        return false;
    }
    feedback->input.digital = dpl_get_u16le(block->data);
    for (size_t i = 0; i < 4; i++) {
        feedback->input.analog[i] = dpl_get_u16le(block->data + 2 + 2 * i);
    }
    for (size_t i = 0; i < 3; i++) {
        feedback->input.padding[i] = dpl_get_u16le(block->data + 10 + 2 * i);
    }
    return true;
}

static int encode_input(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    dpl_put_u16le(data, feedback->input.digital);
    for (size_t i = 0; i < 4; i++) {
        dpl_put_u16le(data + 2 + 2 * i, feedback->input.analog[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        dpl_put_u16le(data + 10 + 2 * i, feedback->input.padding[i]);
    }
    return 16;
}

static bool decode_udid(const struct dpl_kobuki_block *block, struct dpl_kobuki_feedback *feedback)
{
    if (block->length != 12) {
        return false;
    }
    for (size_t i = 0; i < 3; i++) {
        feedback->udid[i] = dpl_get_u32le(block->data + 4 * i);
    }
    return true;
}

static int encode_udid(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    for (size_t i = 0; i < 3; i++) {
        dpl_put_u32le(data + 4 * i, feedback->udid[i]);
    }
    return 12;
}

static bool decode_controller(const struct dpl_kobuki_block *block,
                              struct dpl_kobuki_feedback *feedback)
{
    if (block->length != 13) {
        return false;
    }
    feedback->controller = (struct dpl_kobuki_gains){
        .type = block->data[0],
        .p = dpl_get_u32le(block->data + 1),
        .i = dpl_get_u32le(block->data + 5),
        .d = dpl_get_u32le(block->data + 9),
    };
    return true;
}

static int encode_controller(const struct dpl_kobuki_feedback *feedback, uint8_t *data)
{
    data[0] = feedback->controller.type;
    dpl_put_u32le(data + 1, feedback->controller.p);
    dpl_put_u32le(data + 5, feedback->controller.i);
    dpl_put_u32le(data + 9, feedback->controller.d);
    return 13;
}

/* In the order of the wire: first the periodic blocks, then the answers to requests. */
static const struct block_codec codecs[] = {
    {DPL_KOBUKI_CORE, decode_core, encode_core},
    {DPL_KOBUKI_DOCK_IR, decode_dock_ir, encode_dock_ir},
    {DPL_KOBUKI_INERTIA, decode_inertia, encode_inertia},
    {DPL_KOBUKI_CLIFF, decode_cliff, encode_cliff},
    {DPL_KOBUKI_CURRENT, decode_current, encode_current},
    {DPL_KOBUKI_GYRO, decode_gyro, encode_gyro},
    {DPL_KOBUKI_INPUT, decode_input, encode_input},
    {DPL_KOBUKI_HARDWARE, decode_hardware, encode_hardware},
    {DPL_KOBUKI_FIRMWARE, decode_firmware, encode_firmware},
    {DPL_KOBUKI_UDID, decode_udid, encode_udid},
    {DPL_KOBUKI_CONTROLLER, decode_controller, encode_controller},
};

static const struct block_codec *find_codec(uint8_t id)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        if ((uint8_t)codecs[i].id == id) {
            return &codecs[i];
        }
    }
    return NULL;
}

static int decode_all(struct dpl_byte_view *rest, struct dpl_kobuki_feedback *feedback)
{
    struct dpl_kobuki_block block;
    struct dpl_byte_view before = *rest;
    int got;
    while ((got = dpl_kobuki_block_next(rest, &block)) > 0) {
        const struct block_codec *codec = find_codec(block.id);
        if (!codec) {
            feedback->unknown_blocks++;
        } else if (codec->decode(&block, feedback)) {
            feedback->present |= DPL_KOBUKI_HAS(codec->id);
        } else {
            *rest = before;
            return -EPROTO;
        }
        before = *rest;
    }
    return got;
}

int dpl_kobuki_feedback_decode(const uint8_t *payload, size_t length,
                               struct dpl_kobuki_feedback *ret_feedback, size_t *reterr_offset)
{
    struct dpl_kobuki_feedback feedback = {0};
    struct dpl_byte_view rest = {payload, length};
    int failed = decode_all(&rest, &feedback);
    if (failed) {
        if (reterr_offset) {
            *reterr_offset = length - rest.size;
        }
        return failed;
    }
    *ret_feedback = feedback;
    return 0;
}

int dpl_kobuki_feedback_encode(const struct dpl_kobuki_feedback *feedback, uint8_t *payload,
                               size_t capacity)
{
    size_t length = 0;
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++) {
        if (!dpl_kobuki_feedback_has(feedback, codecs[i].id)) {
            continue;
        }
        uint8_t data[DPL_KOBUKI_MAX_PAYLOAD];
        int size = codecs[i].encode(feedback, data);
        if (size < 0) {
            return size;
        }
        if (length + BLOCK_HEADER + (size_t)size > capacity) {
            return -ENOSPC;
        }
        payload[length] = (uint8_t)codecs[i].id;
        payload[length + 1] = (uint8_t)size;
        memcpy(payload + length + BLOCK_HEADER, data, (size_t)size);
        length += BLOCK_HEADER + (size_t)size;
    }
    return (int)length;
}
