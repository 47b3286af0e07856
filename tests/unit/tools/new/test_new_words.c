/* SPDX-License-Identifier: Apache-2.0 */
#include <criterion/criterion.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "new_words.h"

Test(new_words, all_forms_of_a_name_are_put_into_a_text)
{
    struct new_words words;
    cr_assert_eq(new_words_init(&words, "lap_timer2", "laser_scanner", NULL), 0);
    char *text = new_words_replace(
        &words, "template_name.c TemplateName TEMPLATE_NAME_X template_class TEMPLATE_CLASS temp");
    cr_assert_str_eq(text, "lap_timer2.c LapTimer2 LAP_TIMER2_X laser_scanner LASER_SCANNER temp");
    free(text);
}

Test(new_words, what_is_no_identifier_and_file_name_is_refused)
{
    static const char *const wrong[] = {
        "",      "2nd", "a-b",           "LapTimer",
        "_a",    "a_",  "a__b",          "a b",
        "../a",  "a/b", "\xc3\xa4",      "int",
        "class", "a.c", "template_name", "a123456789012345678901234567890123456789x",
    };
    struct new_words words;
    struct dpl_diag error;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_assert_eq(new_words_init(&words, wrong[i], "imu", &error), -EINVAL, "%s", wrong[i]);
    }
    cr_assert_eq(new_words_init(&words, "a", "imu", &error), 0);
}

Test(new_words, a_wrong_name_gets_the_right_one)
{
    struct new_words words;
    struct dpl_diag error;
    new_words_init(&words, "LapTimer", "imu", &error);
    cr_assert(strstr(error.text, "did you mean 'lap_timer'?"), "%s", error.text);
    new_words_init(&words, "my-base 2", "imu", &error);
    cr_assert(strstr(error.text, "did you mean 'my_base_2'?"), "%s", error.text);
    new_words_init(&words, "--", "imu", &error);
    cr_assert_not(strstr(error.text, "did you mean"), "%s", error.text);
}
