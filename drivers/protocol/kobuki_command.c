/* SPDX-License-Identifier: Apache-2.0 */
/* Kobuki command blocks. */
#include <doppel/protocol/kobuki_command.h>

#include <errno.h>
#include <string.h>

#include <doppel/protocol/kobuki_frame.h>

/* Data length of a command, or -EINVAL. */
static int length_of(uint8_t id)
{
    switch (id) {
    case DPL_KOBUKI_BASE: return 4;
    case DPL_KOBUKI_SOUND: return 3;
    case DPL_KOBUKI_SEQUENCE: return 1;
    case DPL_KOBUKI_REQUEST: return 2;
    case DPL_KOBUKI_OUTPUT: return 2;
    case DPL_KOBUKI_SET_GAINS: return 13;
    case DPL_KOBUKI_GET_GAINS: return 1;
    default: return -EINVAL;
    }
}

static void put_data(const struct dpl_kobuki_command *command, uint8_t *data)
{
    switch (command->id) {
    case DPL_KOBUKI_BASE:
        dpl_put_u16le(data, (uint16_t)command->base.speed_mm_s);
        dpl_put_u16le(data + 2, (uint16_t)command->base.radius_mm);
        break;
    case DPL_KOBUKI_SOUND:
        dpl_put_u16le(data, command->sound.note);
        data[2] = command->sound.duration_ms;
        break;
    case DPL_KOBUKI_SEQUENCE: data[0] = command->sequence; break;
    case DPL_KOBUKI_REQUEST: dpl_put_u16le(data, command->request); break;
    case DPL_KOBUKI_OUTPUT: dpl_put_u16le(data, command->output); break;
    case DPL_KOBUKI_SET_GAINS:
        data[0] = command->gains.type;
        dpl_put_u32le(data + 1, command->gains.p);
        dpl_put_u32le(data + 5, command->gains.i);
        dpl_put_u32le(data + 9, command->gains.d);
        break;
    case DPL_KOBUKI_GET_GAINS: data[0] = command->unused; break;
    }
}

static struct dpl_kobuki_command get_data(uint8_t id, const uint8_t *data)
{
    struct dpl_kobuki_command command = {.id = (enum dpl_kobuki_command_id)id};
    switch (command.id) {
    case DPL_KOBUKI_BASE:
        command.base.speed_mm_s = dpl_get_i16le(data);
        command.base.radius_mm = dpl_get_i16le(data + 2);
        break;
    case DPL_KOBUKI_SOUND:
        command.sound.note = dpl_get_u16le(data);
        command.sound.duration_ms = data[2];
        break;
    case DPL_KOBUKI_SEQUENCE: command.sequence = data[0]; break;
    case DPL_KOBUKI_REQUEST: command.request = dpl_get_u16le(data); break;
    case DPL_KOBUKI_OUTPUT: command.output = dpl_get_u16le(data); break;
    case DPL_KOBUKI_SET_GAINS:
        command.gains.type = data[0];
        command.gains.p = dpl_get_u32le(data + 1);
        command.gains.i = dpl_get_u32le(data + 5);
        command.gains.d = dpl_get_u32le(data + 9);
        break;
    case DPL_KOBUKI_GET_GAINS: command.unused = data[0]; break;
    }
    return command;
}

int dpl_kobuki_command_encode(const struct dpl_kobuki_command *command, uint8_t *payload,
                              size_t capacity)
{
    int length = length_of((uint8_t)command->id);
    if (length < 0) {
        return length;
    }
    if ((size_t)length + 2 > capacity) {
        return -ENOSPC;
    }
    payload[0] = (uint8_t)command->id;
    payload[1] = (uint8_t)length;
    put_data(command, payload + 2);
    return length + 2;
}

int dpl_kobuki_command_next(struct dpl_byte_view *payload, struct dpl_kobuki_command *ret_command)
{
    struct dpl_kobuki_block block;
    int got = dpl_kobuki_block_next(payload, &block);
    if (got <= 0) {
        return got;
    }
    if (length_of(block.id) != (int)block.length) {
        return -ENOTSUP;
    }
    *ret_command = get_data(block.id, block.data);
    return 1;
}
