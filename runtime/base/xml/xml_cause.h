/* SPDX-License-Identifier: Apache-2.0 */
/* What a person did when a text is no XML: Expat says "invalid token" of most of it. */
#ifndef DOPPEL_BASE_XML_CAUSE_H
#define DOPPEL_BASE_XML_CAUSE_H

#include "xml_encoding.h"

/* The cause of an error of Expat with this code at byte `index`, and in *ret_at the byte to point
 * at. NULL: none that is known; *ret_at is then `index`. Static text; allocates nothing. */
const char *dpl__xml_cause(int code, struct dpl__text text, size_t index, size_t *ret_at);

#endif
