/* SPDX-License-Identifier: Apache-2.0 */
/* Who has what this process cannot get, for messages. Reads /proc: blocks for some milliseconds,
 * and is for use after a failure only. */
#ifndef DPL_BASE_HOLDER_H
#define DPL_BASE_HOLDER_H

#include <stddef.h>
#include <stdint.h>

#define DPL_HOLDER_TEXT 96

/* Each writes "process 123 (NAME)", "a process of user NAME" or "another process", as far as this
 * user may know, and returns ret_text. */

/* Who listens at a TCP port of this machine. */
const char *dpl_holder_of_port(uint16_t port, char ret_text[DPL_HOLDER_TEXT]);
/* Who has bound a socket to the name in the abstract namespace (without the leading NUL). */
const char *dpl_holder_of_name(const char *name, char ret_text[DPL_HOLDER_TEXT]);
/* Who has locked the file (flock), or else has it open. */
const char *dpl_holder_of_file(const char *path, char ret_text[DPL_HOLDER_TEXT]);

#endif
