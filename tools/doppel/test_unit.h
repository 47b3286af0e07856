/* SPDX-License-Identifier: Apache-2.0 */
/* The program that a test plan tests: its command line, its process and its end. */
#ifndef DOPPEL_CLI_TEST_UNIT_H
#define DOPPEL_CLI_TEST_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <doppel/diag.h>

/* A name in braces in a command, and what is put there. */
struct test_place {
    const char *name, *value;
};

#define TEST_WORDS_MAX 64
#define TEST_WORD_SIZE 1024

struct test_command {
    char words[TEST_WORDS_MAX][TEST_WORD_SIZE];
    char *argv[TEST_WORDS_MAX + 1];
};

/* Splits a command at blanks, but not within '...' or "...", and fills in {names}; {{ and }} are
 * braces. There is no shell. 0, or -EINVAL with reterr (no place). */
int test_command_parse(const char *text, const struct test_place *places, size_t n,
                       struct test_command *ret_command, struct dpl_diag *reterr);

/* Whether the command has this name in braces. */
bool test_command_has(const char *text, const char *name);

/* Zero-initialise. */
struct test_unit {
    pid_t pid; /* 0: none */
    bool ended;
    int status; /* ended: as of waitpid */
};

/* Starts it in a process group of its own; both its outputs are appended to `log` (NULL: standard
 * error). It ends when this process does. A program without a slash in its name is looked for
 * beside doppel itself, then as a shell does. -errno with reterr. */
int test_unit_start(struct test_unit *unit, const struct test_command *command, const char *log,
                    struct dpl_diag *reterr);

/* Whether it runs; if not, `ret_why` says how it ended. Does not block. */
bool test_unit_runs(struct test_unit *unit, char *ret_why, size_t size);

/* Whether it has ended by itself with exit code 0. */
bool test_unit_ended_well(const struct test_unit *unit);

/* Ends it and what it has started: a request (SIGTERM), and 2 s later by force. Meanwhile `turn`
 * (NULL: nothing) is called every few ms: who answers what the unit says before it leaves. */
void test_unit_stop(struct test_unit *unit, void (*turn)(void *user), void *user);

#endif
