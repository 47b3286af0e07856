/* SPDX-License-Identifier: Apache-2.0 */
#include "names.h"

#include <errno.h>
#include <string.h>

#include <doppel/text.h>

static const struct dpl_place nowhere;

int dpl__check_name(const char *name, const char *what, struct dpl_diag *reterr)
{
    if (name[0] != '\0' && !dpl_name_equal(name, name)) {
        return dpl_fail(reterr, -EINVAL, nowhere,
                        "'%s' is no name of a %s: it has no letter and no digit", name, what);
    }
    uint32_t code;
    for (size_t at = 0, n; name[at] != '\0'; at += n) {
        n = dpl_text_next(name + at, &code);
        if (n == 0 || strchr("/,=\"", name[at]) || dpl_text_is_control(code)) {
            return dpl_fail(reterr, -EINVAL, nowhere,
                            "the name '%s' of a %s has a character that no name may have: one of "
                            "/ , = \" or a control character",
                            name, what);
        }
    }
    return 0;
}
