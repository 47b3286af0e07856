/* SPDX-License-Identifier: Apache-2.0 */
/* Fake devices (fake_device.h) on real byte streams, whose peers are programs. The control thread's
 * loop is turned by the test itself: each wait ends with what is waited for, or as a failure after
 * seconds. A lost stream is opened again after 5 to 50 ms. */
#ifndef TESTS_SUPPORT_TURNED_LOOP_H
#define TESTS_SUPPORT_TURNED_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include <doppel/time.h>

#include "fake_device.h"

/* What a test names with it, in a new folder below /tmp. */
extern struct turned_loop {
    char folder[32];
    char link[64]; /* of a pty */
    char pty[80];  /* "pty:" and the link: an address that makes it */
} loop;

/* As .init and .fini of a suite. The latter also ends the program of loop_start; the test closes
 * its devices before it. */
void loop_begin(void);
void loop_end(void);

/* fake_device_begin with the time of the loop. */
void loop_device_begin(struct fake_device *fake, const struct dpl_driver *driver);

dpl_ns loop_now(void);

/* Turns the loop until `holds` (NULL: nothing does), and every `look_ms` calls `each` (NULL: no
 * call) and looks; false when it does not hold within `ms`. */
bool loop_turn(bool (*holds)(void), void (*each)(void), uint64_t look_ms, uint64_t ms);

/* `doppel emulate` and words that end with NULL, as a process that ends with the test. DOPPEL_EXE
 * names the program. What it says is seen where TELL is set. */
void loop_start(const char *const *words);

/* Sends that program a signal; or ends it with one, and waits for its end. */
void loop_signal(int number);
void loop_stop(int number);

/* Whether loop.link is there. */
bool loop_link_is_there(void);

#endif
