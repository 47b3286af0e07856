/* The table of the class: what a device is asked is checked before its driver sees it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../template_name.h"

static void check(bool holds, const char *what)
{
    if (!holds) {
        fprintf(stderr, "FAILED: %s\n", what);
        exit(1);
    }
}

static int answer(double level)
{
    const struct template_name_command command = {level};
    return dpl_call_check(&template_name_class.calls[TEMPLATE_NAME_SET], &command);
}

static void a_level_is_from_0_to_1(void)
{
    check(answer(0.0) == 0 && answer(1.0) == 0, "both ends are allowed");
    check(answer(1.01) == -EINVAL && answer(-0.01) == -EINVAL, "beyond them is refused");
    check(answer((double)NAN) == -EINVAL, "what is not a number is refused");
}

static void each_call_has_a_row(void)
{
    check(template_name_class.n_calls == TEMPLATE_NAME_N_CALLS, "as many rows as numbers");
    for (size_t i = 0; i < template_name_class.n_calls; i++) {
        check(template_name_class.calls[i].name != NULL, "each row has a name");
    }
}

int main(void)
{
    a_level_is_from_0_to_1();
    each_call_has_a_row();
    puts("calls: 2 tests passed");
    return 0;
}
