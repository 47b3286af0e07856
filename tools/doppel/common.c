/* SPDX-License-Identifier: Apache-2.0 */
/* What several sub-commands do alike. */
#include "common.h"

struct dpl_catalog *cli_open_catalog(const char *command)
{
    struct dpl_catalog *catalog;
    struct dpl_diag error;
    if (dpl_catalog_create(NULL, &catalog, &error) < 0) {
        fprintf(stderr, "doppel %s: ", command);
        dpl_diag_print(stderr, &error);
        return NULL;
    }
    return catalog;
}

void cli_print_diags(struct dpl_diags *diags)
{
    dpl_diags_sort(diags);
    for (size_t i = 0; i < diags->n; i++) {
        dpl_diag_print(stderr, &diags->items[i]);
    }
}

const char *cli_find(struct dpl_catalog *catalog, const char *kind, const char *name)
{
    const char *found = dpl_catalog_find_profile(catalog, kind, name, NULL);
    return found ? found : name; /* the loader says that it cannot open it */
}
