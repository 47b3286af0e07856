/* SPDX-License-Identifier: Apache-2.0 */
/* Texts of others: of a device, a peer, a plugin, a file. Whoever shows or stores one passes it
 * through dpl_text_clean: terminals, logs, CSV, JSON, HTML and graphs then get valid UTF-8 (RFC
 * 3629) without a character that controls a terminal. */
#ifndef DOPPEL_TEXT_H
#define DOPPEL_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A text that needs `n` bytes needs at most DPL_TEXT_CLEAN_SIZE(n) when it is clean, with its
 * NUL. */
#define DPL_TEXT_CLEAN_SIZE(n) (4 * (n) + 1)

/* The number of bytes of the character that begins at `text` (not the end of the text), and its
 * code; 0 when it is not UTF-8: too long, a surrogate, beyond U+10FFFF, cut off. Then the code is
 * the byte. */
size_t dpl_text_next(const char *text, uint32_t *ret_code);

/* Whether a character may control what shows it: U+0000 to U+001F, U+007F to U+009F (C0, DEL, C1 of
 * ISO/IEC 6429; 8-bit terminals obey the last ones), the separators U+2028 and U+2029, the
 * directions U+202A to U+202E and U+2066 to U+2069, which reverse a line, and U+FFFE and U+FFFF,
 * which XML does not allow. */
bool dpl_text_is_control(uint32_t code);

/* Copies the text. A character that controls is written as \xNN or \uNNNN, a byte that is not UTF-8
 * as \xNN; all else is unchanged, so that a clean text stays as it is. Ends before the first
 * character that does not fit into `size` (at least 1). Returns the length. `ret_text` may not
 * overlap `text`. Neither allocates nor blocks; signal-safe. */
size_t dpl_text_clean(const char *text, char *ret_text, size_t size);

/* The same in place: what does not fit into `size` is cut off. For texts of up to 1 KiB. */
void dpl_text_clean_in_place(char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
