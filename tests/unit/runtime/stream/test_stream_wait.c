/* SPDX-License-Identifier: Apache-2.0 */
/* A stream whose device comes while the run waits for it. What happens meanwhile is done in the
 * run's beats. */
#include <fcntl.h>
#include <stdlib.h>

#include "absent.h"
#include "stream_rig.h"

static char folder[] = "/tmp/doppel-wait-XXXXXX", name[64];
static struct {
    int master, n;
    void (*at_second)(void);
    char first[200];
} waited;

static void on_beat(void *user, enum dpl_beat beat, const char *text)
{
    (void)user;
    cr_assert_eq(beat, DPL_BEAT_WAITS);
    if (waited.n == 0) {
        snprintf(waited.first, sizeof waited.first, "%s", text);
    }
    if (++waited.n == 2 && waited.at_second) {
        waited.at_second();
    }
}

static void begin(void)
{
    stream_begin();
    waited.master = posix_openpt(O_RDWR | O_NOCTTY);
    cr_assert_eq(grantpt(waited.master), 0);
    cr_assert_eq(unlockpt(waited.master), 0);
    cr_assert_not_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/device", folder);
    runtime.options.device_wait = 10 * DPL_S;
    runtime.options.beat = on_beat;
}

static void end(void)
{
    stream_end();
    close(waited.master);
    unlink(name);
    rmdir(folder);
}

TestSuite(stream_wait, .init = begin, .fini = end, .timeout = 20);

static void plug_in(void)
{
    cr_assert_eq(symlink(ptsname(waited.master), name), 0);
}

Test(stream_wait, opens_a_device_that_comes_later)
{
    struct dpl_diag diag;
    waited.at_second = plug_in;
    cr_assert_eq(open_stream(name, 115200, &diag), 0, "%s", diag.text);
    cr_assert_eq(waited.n, 2);
    cr_assert_not_null(strstr(waited.first, "/device': No such file or directory"));
    cr_assert(reached(&seen.n_opened, 1));
    cr_assert_eq(write(waited.master, "x", 1), 1);
    cr_assert(received(1));
}

Test(stream_wait, discards_what_an_open_device_has_sent_meanwhile)
{
    struct dpl_diag diag;
    struct dpl_stream *second;
    plug_in();
    cr_assert_eq(open_stream(name, 115200, &diag), 0, "%s", diag.text);
    cr_assert_eq(write(waited.master, "old", 3), 3);
    runtime.options.device_wait = 300 * DPL_MS;
    const struct dpl_stream_config absent = {.address = "/nowhere/tty", .ops = &ops, .user = &seen};
    cr_assert_eq(dpl__stream_open(&runtime, "Laser", &absent, &second, &diag), -ENOENT);
    cr_assert(reached(&seen.n_opened, 1));
    cr_assert_eq(write(waited.master, "new", 3), 3);
    cr_assert(received(3));
    cr_assert_arr_eq(seen.bytes, "new", 3);
}

Test(stream_wait, gives_up_in_time_and_when_a_stop_is_requested)
{
    struct dpl_diag diag;
    runtime.options.device_wait = 300 * DPL_MS;
    cr_assert_eq(open_stream("/nowhere/tty", 115200, &diag), -ENOENT);
    cr_assert_str_eq(diag.text, "cannot open '/nowhere/tty': No such file or directory" REMEDY);
    cr_assert_eq(dpl__absence(&runtime, &diag), -ENODEV);
    runtime.options.device_wait = DPL_S * 1000;
    atomic_store(&runtime.stop_requested, 1);
    cr_assert_eq(open_stream("/nowhere/tty", 115200, &diag), -ENOENT);
    cr_assert_eq(dpl__absence(&runtime, &diag), -ECANCELED);
    cr_assert_not_null(strstr(diag.text, "stopped while the run waited"), "%s", diag.text);
}

Test(stream_wait, does_not_wait_for_a_mistake)
{
    struct dpl_diag diag;
    plug_in();
    cr_assert_eq(open_stream(name, 12345, &diag), -EINVAL);
    cr_assert_eq(open_stream("/dev/null", 115200, &diag), -ENOTTY);
    cr_assert_eq(open_stream("tcp://host", 115200, &diag), -EINVAL);
    cr_assert_eq(waited.n, 0);
}
