#ifndef TEMPLATE_NAME_H
#define TEMPLATE_NAME_H

#include <doppel/sim/entry.h>

extern const struct dpl_sim_entry_class template_name_class;

#endif
