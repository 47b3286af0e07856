/* SPDX-License-Identifier: Apache-2.0 */
#include "keys.h"

#include <math.h>

#define ESC        0x1b
#define SHARE_STEP 0.1
#define SHARE_MIN  0.1

const char key_help[] = "hold w s a d or the arrows to drive, q e z c for curves; + - change the "
                        "speed; any other key stops; Ctrl-C ends";

static enum key letter(uint8_t byte)
{
    switch (byte) {
    case 'w':
    case 'W': return KEY_FORWARD;
    case 's':
    case 'S': return KEY_BACK;
    case 'a':
    case 'A': return KEY_LEFT;
    case 'd':
    case 'D': return KEY_RIGHT;
    case 'q':
    case 'Q': return KEY_FORWARD_LEFT;
    case 'e':
    case 'E': return KEY_FORWARD_RIGHT;
    case 'z':
    case 'Z': return KEY_BACK_LEFT;
    case 'c':
    case 'C': return KEY_BACK_RIGHT;
    case '+':
    case '=': return KEY_FASTER;
    case '-':
    case '_': return KEY_SLOWER;
    default: return KEY_STOP;
    }
}

/* The last byte of the sequences of cursor keys. */
static enum key arrow(uint8_t byte)
{
    switch (byte) {
    case 'A': return KEY_FORWARD;
    case 'B': return KEY_BACK;
    case 'C': return KEY_RIGHT;
    case 'D': return KEY_LEFT;
    default: return KEY_STOP;
    }
}

static bool finish(struct key_decoder *decoder, enum key key, enum key *ret_key)
{
    decoder->state = KEY_GROUND;
    *ret_key = key;
    return true;
}

static bool after_escape(struct key_decoder *decoder, uint8_t byte, enum key *ret_key)
{
    switch (byte) {
    case '[': decoder->state = KEY_CSI; return false;
    case 'O': decoder->state = KEY_SS3; return false;
    default: return finish(decoder, KEY_STOP, ret_key); /* Alt and a key */
    }
}

bool key_decode(struct key_decoder *decoder, uint8_t byte, enum key *ret_key)
{
    if (byte == ESC) {
        bool unfinished = decoder->state != KEY_GROUND;
        decoder->state = KEY_ESCAPE;
        *ret_key = KEY_STOP;
        return unfinished;
    }
    switch (decoder->state) {
    case KEY_GROUND: return finish(decoder, letter(byte), ret_key);
    case KEY_ESCAPE: return after_escape(decoder, byte, ret_key);
    case KEY_CSI:
        if (byte >= 0x20 && byte <= 0x3f) {
            return false; /* parameters, such as those of Shift and an arrow */
        }
        return finish(decoder, arrow(byte), ret_key);
    case KEY_SS3: return finish(decoder, arrow(byte), ret_key);
    }
    return false;
}

bool key_decode_end(struct key_decoder *decoder, enum key *ret_key)
{
    return decoder->state != KEY_GROUND && finish(decoder, KEY_STOP, ret_key);
}

void key_drive_init(struct key_drive *drive)
{
    *drive = (struct key_drive){.share = 1.0, .key = KEY_STOP};
}

void key_drive_release(struct key_drive *drive)
{
    drive->forward = drive->turn = 0.0;
    drive->key = KEY_STOP;
    drive->until = 0;
}

bool key_drive_is_held(const struct key_drive *drive, dpl_ns now)
{
    return now < drive->until;
}

void key_drive_press(struct key_drive *drive, const struct key_times *times, enum key key,
                     dpl_ns now)
{
    static const struct {
        double forward, turn;
    } motions[] = {
        [KEY_FORWARD] = {1, 0},    [KEY_BACK] = {-1, 0},        [KEY_LEFT] = {0, 1},
        [KEY_RIGHT] = {0, -1},     [KEY_FORWARD_LEFT] = {1, 1}, [KEY_FORWARD_RIGHT] = {1, -1},
        [KEY_BACK_LEFT] = {-1, 1}, [KEY_BACK_RIGHT] = {-1, -1},
    };
    drive->n_keys++;
    drive->stamp = now;
    if (key == KEY_STOP) {
        key_drive_release(drive);
        return;
    }
    if (key == KEY_FASTER || key == KEY_SLOWER) {
        double step = key == KEY_FASTER ? SHARE_STEP : -SHARE_STEP;
        drive->share = fmin(fmax(drive->share + step, SHARE_MIN), 1.0);
        return;
    }
    bool repeats = key == drive->key && key_drive_is_held(drive, now);
    drive->key = key;
    drive->forward = motions[key].forward;
    drive->turn = motions[key].turn;
    drive->until = now + (repeats ? times->repeat : times->first);
}
