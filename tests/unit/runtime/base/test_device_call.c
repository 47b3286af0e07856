/* SPDX-License-Identifier: Apache-2.0 */
/* dpl_device_call: arguments, calls that a driver lacks, calls that its class does not have yet. */
#include <criterion/criterion.h>
#include <errno.h>

#include <doppel/device.h>

enum { DRIVE, READ, PLACE, N_CALLS_NOW, N_CALLS_BEFORE = PLACE };

struct drive_in {
    double speed;
};

static const struct dpl_field drive_rows[] = {
    {.name = "speed",
     .type = DPL_FIELD_DOUBLE,
     DPL_MEMBER(struct drive_in, speed),
     .min = -1,
     .max = 1},
};
/* The class as it is now; a driver that was built before has only the first two calls. */
static const struct dpl_call calls[N_CALLS_NOW] = {
    [DRIVE] = {.name = "drive", .kind = DPL_CALL_COMMAND, DPL_CALL_IN(struct drive_in, drive_rows)},
    [READ] = {.name = "read", .kind = DPL_CALL_READING, DPL_CALL_OR_ENOTSUP},
    [PLACE] = {.name = "place", .kind = DPL_CALL_COMMAND},
};
static const struct dpl_device_class before = {
    .name = "wheels", .calls = calls, .n_calls = N_CALLS_BEFORE};

static unsigned n_driven, n_placed, n_answered;

static int drive(struct dpl_device *device, const void *in, void *out)
{
    n_driven++;
    return 0;
}

/* Behind the end of the older driver's table. */
static int place(struct dpl_device *device, const void *in, void *out)
{
    n_placed++;
    return 0;
}

static int answer(struct dpl_device *device, unsigned number, const void *in, void *out)
{
    n_answered++;
    return 0;
}

static const dpl_device_call_fn api[N_CALLS_NOW] = {[DRIVE] = drive, [PLACE] = place};
static const struct dpl_driver driver = {
    .name = "older", .device_class = &before, .api = api, .n_calls = N_CALLS_BEFORE};

Test(device_call, reaches_the_driver)
{
    struct dpl_device device = {.driver = &driver};
    cr_assert_eq(dpl_device_call(&device, DRIVE, &(struct drive_in){0.5}, NULL), 0);
    cr_assert_eq(n_driven, 1);
    cr_assert_eq(device.n_refused, 0);
}

Test(device_call, refuses_arguments_out_of_range)
{
    struct dpl_device device = {.driver = &driver};
    cr_assert_eq(dpl_device_call(&device, DRIVE, &(struct drive_in){1.5}, NULL), -EINVAL);
    cr_assert_eq(n_driven, 0);
    cr_assert_eq(device.n_refused, 1);
}

Test(device_call, gives_the_result_of_a_call_that_the_driver_lacks)
{
    struct dpl_device device = {.driver = &driver};
    cr_assert_eq(dpl_device_call(&device, READ, NULL, NULL), -ENOTSUP);
    cr_assert_eq(device.n_refused, 0, "a reading is not counted");
}

Test(device_call, refuses_a_call_that_the_class_of_an_older_driver_has_not)
{
    struct dpl_device device = {.driver = &driver};
    cr_assert_eq(dpl_device_call(&device, PLACE, NULL, NULL), -ENOTSUP);
    cr_assert_eq(n_placed, 0);
    cr_assert_eq(device.n_refused, 1);
}

Test(device_call, refuses_such_a_call_too_when_one_function_answers_all)
{
    static const struct dpl_driver answers = {
        .name = "hil", .device_class = &before, .answer = answer};
    struct dpl_device device = {.driver = &answers};
    cr_assert_eq(dpl_device_call(&device, PLACE, NULL, NULL), -ENOTSUP);
    cr_assert_eq(n_answered, 0);
    cr_assert_eq(device.n_refused, 1);
}
