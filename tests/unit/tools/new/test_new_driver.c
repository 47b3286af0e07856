/* SPDX-License-Identifier: Apache-2.0 */
/* What a new driver gets from the table of its class. That it compiles is the test `new`. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <doppel/drv/laser_scanner.h>

#include "new_driver.h"

static struct new_words words;

static void make(const struct dpl_device_class *class_)
{
    cr_assert_eq(new_words_init(&words, "my_device", class_->name, NULL), 0);
    cr_assert_eq(new_driver_parts(&words, class_, "`One`, `Two`"), 0);
}

static bool has(enum new_part part, const char *text)
{
    return strstr(words.parts[part], text) != NULL;
}

static size_t longest_line(const char *text)
{
    size_t longest = 0;
    while (*text) {
        size_t n = strcspn(text, "\n");
        longest = n > longest ? n : longest;
        text += n + (text[n] == '\n');
    }
    return longest;
}

Test(new_driver, every_class_of_doppel_is_found_by_its_name)
{
    cr_assert_geq(n_new_classes, 11);
    for (size_t i = 0; i < n_new_classes; i++) {
        cr_assert_eq(new_class_find(new_classes[i]->name), new_classes[i]);
        cr_assert_not_null(strstr(new_class_names, new_classes[i]->name));
    }
    cr_assert_null(new_class_find("nix"));
}

Test(new_driver, a_call_that_must_be_there_has_a_function_and_a_row)
{
    for (size_t i = 0; i < n_new_classes; i++) {
        const struct dpl_device_class *class_ = new_classes[i];
        make(class_);
        for (size_t k = 0; k < class_->n_calls; k++) {
            const struct dpl_call *call = &class_->calls[k];
            char function[80], row[80];
            snprintf(function, sizeof function, "static int on_%s(", call->name);
            snprintf(row, sizeof row, "] = on_%s,", call->name);
            bool is_written = !call->optional || call->missing == 0;
            cr_assert_eq(has(NEW_PART_FUNCTIONS, function), is_written, "%s %s", class_->name,
                         call->name);
            cr_assert_eq(has(NEW_PART_API, row), is_written, "%s %s", class_->name, call->name);
        }
        cr_assert_leq(longest_line(words.parts[NEW_PART_FUNCTIONS]), 100, "%s", class_->name);
        new_words_finish(&words);
    }
}

Test(new_driver, structs_have_their_names_and_a_borrowed_result_is_pointed_to)
{
    make(&dpl_laser_scanner_class);
    cr_assert(has(NEW_PART_STATE, "    struct dpl_laser_read read_in;\n"));
    cr_assert(has(NEW_PART_STATE, "    struct dpl_laser_scan read_out;"));
    cr_assert(has(NEW_PART_FUNCTIONS, "*(const struct dpl_laser_scan **)out = &state->read_out;"));
    cr_assert(has(NEW_PART_API, "    [DPL_DRV_LASER_SCANNER_READ] = on_read,"));
    char *text = new_words_replace(&words, "struct {\n    /* template_state */\n};template_users");
    cr_assert_not_null(text);
    cr_assert_not_null(strstr(text, "read_out;\n};`One`, `Two`"));
    free(text);
    new_words_finish(&words);
}
