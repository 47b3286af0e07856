/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the elements of state machines (doppel/state_machine.h). */
#include "dialect_table.h"

ELEMENT put = {.name = "put",
               .attributes = ATTRIBUTES{{"channel", true, NULL, "Channel that gets the value."},
                                        {"value", true, NULL, "Expression."},
                                        END},
               .summary = "Writes a value to a channel and keeps it there."};
ELEMENT set = {
    .name = "set",
    .attributes =
        ATTRIBUTES{{"name", true, NULL, "A variable."}, {"value", true, NULL, "Expression."}, END},
    .summary = "Gives a variable a value."};

#define ACTIONS(identifier, element_name, description)                                             \
    ELEMENT identifier = {.name = element_name,                                                    \
                          .children = CHILDREN{{&put, 0, 0}, {&set, 0, 0}, END},                   \
                          .summary = description}
ACTIONS(entry, "entry", "Actions when the machine enters the state.");
ACTIONS(during, "while", "Actions in each cycle in the state, including the first.");
ACTIONS(leaving, "exit", "Actions when the machine leaves the state.");

ELEMENT transition = {
    .name = "transition",
    .attributes = ATTRIBUTES{{"to", true, NULL, "The next state."},
                             {"when", .summary = "Expression: the condition."},
                             {"after", .summary = "The shortest time in the state: 2 s, 300 ms."},
                             END},
    .summary = "Leads to another state. The first one whose condition holds is taken."};
ELEMENT any = {.name = "any",
               .children = CHILDREN{{&transition, 0, 0}, END},
               .summary = "Transitions from all states; these come first."};
ELEMENT variable = {.name = "variable",
                    .attributes = ATTRIBUTES{{"name", true, NULL, "Its name in expressions."},
                                             {"value", true, NULL, "Its value at the start."},
                                             END},
                    .summary = "A number that the machine keeps."};
ELEMENT state = {
    .name = "state",
    .attributes = ATTRIBUTES{{"name", true, NULL, "Name of the state; each once."}, END},
    .children =
        CHILDREN{{&entry, 0, 1}, {&during, 0, 1}, {&leaving, 0, 1}, {&transition, 0, 0}, END},
    .summary = "A state."};

const struct dpl__element dpl__dialect_state_machine = {
    .name = "state_machine",
    .attributes =
        ATTRIBUTES{{"name", true, NULL, "Name of the machine."},
                   {"initial", .summary = "The state at the start; default: the first one."},
                   END},
    .children = CHILDREN{{&variable, 0, 0}, {&any, 0, 1}, {&state, 1, 0}, END},
    .summary = "A state machine over channels.",
};
