/* SPDX-License-Identifier: Apache-2.0 */
/* doppel: the command line. Each sub-command has its own file; this one calls it. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <doppel/diag.h>
#include <doppel/host/runtime.h>

#include "commands.h"
#include "common.h"
#include "fields.h"

/* _exit of this program, and of the plugins that it loads: no function of exit handlers is called,
 * so that a component that ends the process by it would look like a run that succeeded. The dynamic
 * linker finds the program's functions before those of libc. */
static _Noreturn void leave(int status)
{
    dpl_runtime_leaves();
    for (;;) {
        syscall(SYS_exit_group, status);
    }
}

void _exit(int status)
{
    leave(status);
}

void _Exit(int status)
{
    leave(status);
}

static void print_usage(FILE *stream)
{
    fprintf(stream, "usage: doppel COMMAND [options]\n\n"
                    "Runs a robot application and its avatar side by side.\n\ncommands:\n");
    for (size_t i = 0; i < n_commands; i++) {
        fprintf(stream, "  %-12s %s\n", commands[i]->name, commands[i]->summary);
    }
    fprintf(stream, "\n%s", usage_notes);
}

static int complain(const char *word)
{
    const char *names[32];
    size_t n = 0;
    for (; n < n_commands && n < 32; n++) {
        names[n] = commands[n]->name;
    }
    const char *near = dpl_nearest(word, names, n);
    fprintf(stderr, "doppel: unknown command '%s'", cli_clean(word));
    if (near) {
        fprintf(stderr, ", did you mean '%s'?", near);
    }
    fprintf(stderr, "\n  `doppel --help` lists the commands\n");
    return DPL_EXIT_USAGE;
}

/* What has been said since an output failed may have replaced errno: it fails again. */
static void find_cause(void)
{
    clearerr(stdout);
    errno = EIO;
    putchar('\n');
    fflush(stdout);
}

/* Reports an error if the output could not be written completely. */
static int said(int code)
{
    if (fflush(stdout) == 0) {
        if (ferror(stdout) == 0) {
            return code;
        }
        find_cause();
    }
    fprintf(stderr, "doppel: cannot write to standard output: %s\n", strerror(errno));
    return code == DPL_EXIT_DONE ? DPL_EXIT_FAULT : code;
}

/* A closed standard file would be the next file that is opened, and what is printed would go there.
 */
static void open_standard_files(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
        }
    }
}

/* One that `doppel view FOLDER` has started ends with it, in order, also when that is killed. */
static void end_with_starter(void)
{
    const char *starter = getenv(CLI_STARTER);
    if (starter) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (getppid() != (pid_t)strtol(starter, NULL, 10)) {
            exit(DPL_EXIT_BAD_INPUT); /* it is gone already */
        }
        unsetenv(CLI_STARTER);
    }
}

int main(int argc, char **argv)
{
    open_standard_files();
    end_with_starter();
    cli_keep_command(argc, argv);
    if (argc < 2) {
        print_usage(stderr);
        return DPL_EXIT_USAGE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(argv[1], "--version") == 0) {
        return command_version.run(1, argv + 1);
    }
    /* a file that is too large is an error of writing, like a full disk */
    signal(SIGXFSZ, SIG_IGN);
    for (size_t i = 0; i < n_commands; i++) {
        if (strcmp(argv[1], commands[i]->name) == 0) {
            return said(commands[i]->run(argc - 1, argv + 1));
        }
    }
    return complain(argv[1]);
}
