/* SPDX-License-Identifier: Apache-2.0 */
/* doppel/math/hash.h: the numbers of the draft's test vectors. */
#include <criterion/criterion.h>

#include <doppel/math/hash.h>

Test(hash, is_fnv_1a)
{
    cr_assert_eq(dpl_hash_text(""), UINT64_C(0xcbf29ce484222325));
    cr_assert_eq(dpl_hash_text("a"), UINT64_C(0xaf63dc4c8601ec8c));
    cr_assert_eq(dpl_hash_text("foobar"), UINT64_C(0x85944171f73967e8));
}

Test(hash, goes_on_with_more_bytes)
{
    cr_assert_eq(dpl_hash_more(dpl_hash_text("foo"), "bar", 3), dpl_hash_text("foobar"));
    cr_assert_eq(dpl_hash_more(dpl_hash_text("foo"), "", 0), dpl_hash_text("foo"));
}

Test(hash, tells_bytes_above_127_apart)
{
    static const unsigned char high[] = {0xff}, low[] = {0x7f};
    cr_assert_eq(dpl_hash_more(DPL_HASH_NONE, high, 1), UINT64_C(0xaf64724c8602eb6e));
    cr_assert_neq(dpl_hash_more(DPL_HASH_NONE, high, 1), dpl_hash_more(DPL_HASH_NONE, low, 1));
}
