/* SPDX-License-Identifier: Apache-2.0 */
/* A terminal's bytes as keys, cut where the first byte says. The corpus is written by hand:
 * letters, arrows of both kinds, parameters, unfinished sequences, UTF-8. */
#include <math.h>

#include "fuzz.h"
#include "keys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct key_times times = {.first = 700 * DPL_MS, .repeat = 200 * DPL_MS};
    struct key_decoder decoder = {.state = KEY_GROUND};
    struct key_drive drive;
    enum key key;
    size_t n = 0;
    key_drive_init(&drive);
    for (size_t i = 0; i < size; i++) {
        dpl_ns now = (dpl_ns)i * data[0] * DPL_MS;
        if (key_decode(&decoder, data[i], &key)) {
            require(key <= KEY_STOP);
            key_drive_press(&drive, &times, key, now);
            n++;
            require(key != KEY_STOP || !key_drive_is_held(&drive, now));
        }
        require(fabs(drive.forward) <= 1.0 && fabs(drive.turn) <= 1.0);
        require(drive.share > 0.09 && drive.share <= 1.0);
        require(!key_drive_is_held(&drive, now + times.first));
    }
    require(drive.n_keys == n && n <= size);
    bool unfinished = decoder.state != KEY_GROUND;
    require(key_decode_end(&decoder, &key) == unfinished);
    require(decoder.state == KEY_GROUND && !key_decode_end(&decoder, &key));
    return 0;
}
