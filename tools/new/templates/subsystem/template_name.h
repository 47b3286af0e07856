#ifndef TEMPLATE_NAME_H
#define TEMPLATE_NAME_H

#include <doppel/sim/subsystem.h>

extern const struct dpl_subsystem_class template_name_class;

#endif
