/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of words in one string. */
#include <criterion/criterion.h>

#include "words.h"

Test(words, come_one_after_the_other)
{
    char word[DPL__WORD_MAX];
    const char *rest = dpl__word_next("one|two", word);
    cr_assert_str_eq(word, "one");
    rest = dpl__word_next(rest, word);
    cr_assert_str_eq(word, "two");
    cr_assert_null(dpl__word_next(rest, word));
    cr_assert_null(dpl__word_next(NULL, word));
}

Test(words, have_an_index)
{
    cr_assert_eq(dpl__word_index("one|two", "Two"), 1);
    cr_assert_eq(dpl__word_index("one|two", "three"), -1);
    cr_assert_eq(dpl__word_index(NULL, "one"), -1);
    cr_assert_eq(dpl__word_index("one|two", ""), -1);
}

Test(words, have_a_nearest)
{
    char word[DPL__WORD_MAX];
    cr_assert_str_eq(dpl__word_nearest("input|output", "inptu", word), "input");
    cr_assert_null(dpl__word_nearest("input|output", "sideways", word));
    cr_assert_null(dpl__word_nearest(NULL, "input", word));
}
