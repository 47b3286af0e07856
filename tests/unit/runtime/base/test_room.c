/* SPDX-License-Identifier: Apache-2.0 */
/* Room for files and threads is tried, told, and given back. */
#include "room.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static struct dpl_diag diag;

/* The descriptor that the next file gets: all below it are open. */
static int next_file(void)
{
    int file = dup(0);
    close(file);
    return file;
}

static void leave_room_for(unsigned files)
{
    int last = dup(0);
    while (last < 100) { /* no gaps below it */
        last = dup(0);
    }
    rlim_t most = (rlim_t)last + 1 + files;
    struct rlimit limit = {most, most};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

Test(room, is_there_by_default_and_is_given_back)
{
    int before = next_file();
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(dpl_room_check("test", DPL_ROOM_FILES_MAX, DPL_ROOM_THREADS_MAX, &diag), 0,
                     "%s", diag.text);
    }
    cr_assert_eq(next_file(), before);
}

Test(room, for_files_is_told_to_the_last_one)
{
    leave_room_for(7);
    cr_assert_eq(dpl_room_check("test", 7, 0, &diag), 0, "%s", diag.text);
    cr_assert_eq(dpl_room_check("the loop", 8, 0, &diag), -EMFILE);
    cr_assert_not_null(strstr(diag.text, "the loop: 8 more files must be open, and there is room "
                                         "for 7: this process may have "),
                       "%s", diag.text);
    cr_assert_eq(dpl_room_check("test", 7, 0, NULL), 0, "what was tried is given back");
}

Test(room, for_threads_needs_their_stacks)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return; /* has taken the whole address space */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return;
#endif
#endif
    struct rlimit limit = {(rlim_t)1 << 20, (rlim_t)1 << 20}; /* less than there is already */
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_assert_eq(dpl_room_check("a context", 0, 2, &diag), -EAGAIN);
    cr_assert_not_null(strstr(diag.text, "a context: 2 more threads must run"), "%s", diag.text);
}
