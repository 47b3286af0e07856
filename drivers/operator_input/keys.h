/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of a terminal, from their bytes, and what they mean for a mobile base. A terminal reports
 * no release of a key, so that a key counts as held for a time after it came. Pure logic. */
#ifndef OPERATOR_INPUT_KEYS_H
#define OPERATOR_INPUT_KEYS_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

enum key {
    KEY_FORWARD,
    KEY_BACK,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_FORWARD_LEFT,
    KEY_FORWARD_RIGHT,
    KEY_BACK_LEFT,
    KEY_BACK_RIGHT,
    KEY_FASTER,
    KEY_SLOWER,
    KEY_STOP, /* every key that has no other meaning */
};

/* The help text of the keys, one line. */
extern const char key_help[];

/* A control sequence of a terminal (ECMA-48) can be split over several reads. */
struct key_decoder {
    enum {
        KEY_GROUND,
        KEY_ESCAPE, /* after ESC */
        KEY_CSI,    /* after ESC [ */
        KEY_SS3,    /* after ESC O */
    } state;
};

/* Takes a byte. Returns true when it completes a key. */
bool key_decode(struct key_decoder *decoder, uint8_t byte, enum key *ret_key);

/* Ends an unfinished sequence: no byte followed, so that the key was Escape or an unknown one.
 * Returns true, with KEY_STOP, if there was one. */
bool key_decode_end(struct key_decoder *decoder, enum key *ret_key);

struct key_times {
    /* A key that has just been pressed counts as held for `first`: longer than a terminal waits
     * before it repeats a key. While the same key repeats, `repeat` counts. */
    dpl_ns first, repeat;
};

struct key_drive {
    double forward, turn; /* -1, 0 or 1 */
    double share;         /* 0.1 to 1 */
    enum key key;
    dpl_ns until; /* held before this time; 0: not held */
    dpl_ns stamp; /* of the newest key; 0: none yet */
    uint64_t n_keys;
};

/* No key is held; the share is 1. */
void key_drive_init(struct key_drive *drive);
void key_drive_press(struct key_drive *drive, const struct key_times *times, enum key key,
                     dpl_ns now);
void key_drive_release(struct key_drive *drive);
bool key_drive_is_held(const struct key_drive *drive, dpl_ns now);

#endif
