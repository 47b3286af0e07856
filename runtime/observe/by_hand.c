/* SPDX-License-Identifier: Apache-2.0 */
#include "by_hand.h"

#include <stdlib.h>
#include <string.h>

void dpl__by_hand_add(struct dpl__by_hand *by_hand, const struct dpl__by_hand_item *item)
{
    struct dpl__by_hand_item kept = *item;
    kept.name = strdup(item->name);
    kept.value = strdup(item->value ? item->value : "");
    if (by_hand->n == DPL__BY_HAND_MAX || !kept.name || !kept.value) {
        by_hand->is_more = true;
        free(kept.name);
        free(kept.value);
        return;
    }
    by_hand->items[by_hand->n++] = kept;
}

void dpl__by_hand_finish(struct dpl__by_hand *by_hand)
{
    for (size_t i = 0; i < by_hand->n; i++) {
        free(by_hand->items[i].name);
        free(by_hand->items[i].value);
    }
    by_hand->n = 0;
}
