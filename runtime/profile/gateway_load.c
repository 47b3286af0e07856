/* SPDX-License-Identifier: Apache-2.0 */
#include <doppel/host/gateway.h>
#include <doppel/host/module.h>

int dpl_gateway_load(const char *name, const struct dpl_gateway **ret_gateway,
                     struct dpl_diag *reterr)
{
    const void *table;
    int r = dpl_module_load(name, sizeof(struct dpl_gateway_module), &table, reterr);
    if (r == 0) {
        *ret_gateway = ((const struct dpl_gateway_module *)table)->gateway;
    }
    return r;
}

int dpl_converters_load(const struct dpl_converter **ret_converters, size_t *ret_n,
                        struct dpl_diag *reterr)
{
    const void *loaded;
    int r = dpl_module_load("standard", sizeof(struct dpl_converter_module), &loaded, reterr);
    if (r == 0) {
        const struct dpl_converter_module *table = loaded;
        *ret_converters = table->converters;
        *ret_n = table->n_converters;
    }
    return r;
}
