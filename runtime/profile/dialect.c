/* SPDX-License-Identifier: Apache-2.0 */
/* The table of the dialect. OPRoS defines no order, so the children of an element may come in any
 * order. */
#include "dialect_table.h"

/* ---- words with text ------------------------------------------------------------------------- */

ELEMENT name = {.name = "name", .text = DPL__TEXT_WORD, .summary = "Its name."};
TEXT_ELEMENT(id, "id", "UUID of the profile.");
TEXT_ELEMENT(version, "version", "Version of the profile.");
TEXT_ELEMENT(description, "description", "Description.");
TEXT_ELEMENT(license_policy, "license_policy", "Name of the licence.");
/* For readers alone: without content it is a slip, and no more. */
ELEMENT said_name = {.name = "name", .text = DPL__TEXT_SAID, .summary = "Its name."};
TEXT_ELEMENT(phone, "phone", "Phone number.");
TEXT_ELEMENT(address, "address", "Postal address.");
TEXT_ELEMENT(homepage, "homepage", "Web page.");
TEXT_ELEMENT(reference, "reference", "File of the thing referred to.");
TEXT_ELEMENT(type_text, "type", "Type.");
TEXT_ELEMENT(data_type_text, "data_type", "Type of the data.");
TEXT_ELEMENT(node_id, "node_id", "Process or host it runs in; empty or local: this one.");
TEXT_ELEMENT(type_name, "type_name", "Name of the service type.");
TEXT_ELEMENT(defined_type, "defined_data_type", "File of a data type.");
TEXT_ELEMENT(defined_service_type, "defined_service_type", "File of a service type.");
TEXT_ELEMENT(data_type_entry, "data_type", "A data type.");

ELEMENT subcomponent_type = {.name = "type",
                             .text = DPL__TEXT_CHOICE,
                             .choices = "original|composite|atomic",
                             .summary = "Whether the reference is an atomic or a composite one."};

/* ---- header ---------------------------------------------------------------------------------- */

ELEMENT company = {
    .name = "company",
    .text = DPL__TEXT_ANY,
    .children =
        CHILDREN{{&said_name, 0, 1}, {&phone, 0, 1}, {&address, 0, 1}, {&homepage, 0, 1}, END},
    .summary = "Who made it."};
ELEMENT copyright_ = {
    .name = "copyright",
    .text = DPL__TEXT_ANY,
    .children = CHILDREN{{&license_policy, 0, 1}, {&version, 0, 1}, {&company, 0, 1}, END},
    .summary = "Licence and maker."};

/* May be empty in a component profile with a library: dpl__build_take warns. */
ELEMENT component_profile_name = {
    .name = "name", .text = DPL__TEXT_ANY, .summary = "Its name; empty: that of its library."};

#define HEADER {&name, 1, 1}, REST_OF_HEADER

#define REST_OF_HEADER                                                                             \
    {&id, 0, 1}, {&version, 0, 1}, {&description, 0, 1}, {&dpl__dialect_app_domain, 0, 1},         \
    {                                                                                              \
        &copyright_, 0, 1                                                                          \
    }

/* ---- properties ------------------------------------------------------------------------------ */

ELEMENT property = {.name = "property",
                    .text = DPL__TEXT_ANY,
                    .attributes = ATTRIBUTES{{"name", true, NULL,
                                              "Name of the property, with hardware. or "
                                              "simulation. before it for one side."},
                                             {"type", .summary = "Type of the value."},
                                             {"unit", .summary = "Unit of the number (Doppel)."},
                                             END},
                    .summary = "A value."};
ELEMENT properties = {.name = "properties",
                      .children = CHILDREN{{&property, 0, 0}, END},
                      .summary = "Values the component starts with."};
ELEMENT binding_property = {
    .name = "property",
    .text = DPL__TEXT_ANY,
    .attributes =
        ATTRIBUTES{{"component", true, NULL, "Full name of the component."},
                   {"name", true, NULL, "Name of the property; or late_limit, see there."},
                   {"type", .summary = "Type of the value."},
                   {"unit", .summary = "Unit of the number."},
                   {"optional", false, "true|false",
                    "Whether the component may be "
                    "absent from the application."},
                   END},
    .summary = "A value for a property of a component."};
ELEMENT binding_properties = {.name = "properties",
                              .children = CHILDREN{{&binding_property, 0, 0}, END},
                              .summary = "Values that differ in this binding."};

/* ---- component ------------------------------------------------------------------------------- */

#define VARIABLE_ATTRIBUTES                                                                        \
    ATTRIBUTES                                                                                     \
    {                                                                                              \
        {"name", true, NULL, "Name of the variable."}, {"type", .summary = "Its type."}, END       \
    }

ELEMENT variable = {.name = "var",
                    .text = DPL__TEXT_ANY,
                    .attributes = VARIABLE_ATTRIBUTES,
                    .summary = "A variable that tools may look at."};
ELEMENT exports = {.name = "exports",
                   .aliases = "monitoring",
                   .children = CHILDREN{{&variable, 0, 0}, END},
                   .summary = "Variables that tools may look at."};
ELEMENT fsm = {.name = "fsm",
               .text = DPL__TEXT_ANY,
               .children =
                   CHILDREN{{&said_name, 0, 1}, {&type_text, 0, 1}, {&reference, 0, 1}, END},
               .summary = "State machine of the component."};
ELEMENT fsm_list = {.name = "fsms",
                    .children = CHILDREN{{&fsm, 0, 0}, END},
                    .summary = "State machines of the component."};
ELEMENT data_type_list = {.name = "data_type_list",
                          .text = DPL__TEXT_ANY,
                          .children = CHILDREN{{&data_type_entry, 0, 0}, END},
                          .summary = "Data types it uses."};
ELEMENT defined_data_types = {.name = "defined_data_types",
                              .children = CHILDREN{{&defined_type, 0, 0}, END},
                              .summary = "Files of data types."};
ELEMENT defined_service_types = {.name = "defined_service_types",
                                 .children = CHILDREN{{&defined_service_type, 0, 0}, END},
                                 .summary = "Files of service types."};

ELEMENT service_usage = {.name = "usage",
                         .text = DPL__TEXT_CHOICE,
                         .choices = "provided|required",
                         .summary = "Direction of the port."};
ELEMENT data_usage = {.name = "usage",
                      .text = DPL__TEXT_CHOICE,
                      .choices = "input|output",
                      .summary = "Direction of the port."};
ELEMENT policy_param = {.name = "policy_param",
                        .text = DPL__TEXT_ANY,
                        .attributes =
                            ATTRIBUTES{{"name", true, NULL, "Name of the parameter: size."},
                                       {"value", .summary = "Its value, unless it is the text."},
                                       END},
                        .summary = "Parameter of the queue's policy."};
ELEMENT queueing_policy = {.name = "queueing_policy",
                           .aliases = "queuing_policy|policy",
                           .text = DPL__TEXT_CHOICE,
                           .choices = DPL__QUEUES,
                           .children = CHILDREN{{&policy_param, 0, 0}, END},
                           .summary = "Order in which the queue is emptied."};
ELEMENT queue_size = {.name = "queue_size",
                      .text = DPL__TEXT_INT,
                      .min = 1,
                      .max = 65535,
                      .summary = "Length of the queue."};
ELEMENT service_port = {.name = "service_port",
                        .children = CHILDREN{{&name, 1, 1},
                                             {&description, 0, 1},
                                             {&type_text, 0, 1},
                                             {&service_usage, 1, 1},
                                             {&reference, 0, 1},
                                             END},
                        .summary = "A service that is provided or required."};
ELEMENT data_port = {.name = "data_port",
                     .children = CHILDREN{{&name, 1, 1},
                                          {&description, 0, 1},
                                          {&data_type_text, 0, 1},
                                          {&data_usage, 1, 1},
                                          {&reference, 0, 1},
                                          {&queueing_policy, 0, 1},
                                          {&policy_param, 0, 0},
                                          {&queue_size, 0, 1},
                                          END},
                     .summary = "A port for data."};
ELEMENT event_port = {.name = "event_port",
                      .children = CHILDREN{{&name, 1, 1},
                                           {&description, 0, 1},
                                           {&data_type_text, 0, 1},
                                           {&data_usage, 1, 1},
                                           {&reference, 0, 1},
                                           {&queueing_policy, 0, 1},
                                           {&policy_param, 0, 0},
                                           {&queue_size, 0, 1},
                                           END},
                      .summary = "A port for events."};
ELEMENT ports = {.name = "ports",
                 .children =
                     CHILDREN{{&service_port, 0, 0}, {&data_port, 0, 0}, {&event_port, 0, 0}, END},
                 .summary = "The component's ports."};
ELEMENT component_profile = {.name = "component_profile",
                             .children = CHILDREN{{&component_profile_name, 1, 1},
                                                  REST_OF_HEADER,
                                                  {&dpl__dialect_execution_environment, 0, 1},
                                                  {&dpl__dialect_execution_semantics, 0, 1},
                                                  {&properties, 0, 1},
                                                  {&data_type_list, 0, 1},
                                                  {&defined_data_types, 0, 1},
                                                  {&defined_service_types, 0, 1},
                                                  {&exports, 0, 1},
                                                  {&fsm, 0, 0},
                                                  {&fsm_list, 0, 1},
                                                  {&ports, 0, 1},
                                                  END},
                             .summary = "An atomic component."};

/* ---- composite, application ------------------------------------------------------------------ */

ELEMENT subcomponent = {.name = "subcomponent",
                        .children = CHILDREN{{&name, 1, 1},
                                             {&id, 0, 1},
                                             {&version, 0, 1},
                                             {&description, 0, 1},
                                             {&subcomponent_type, 0, 1},
                                             {&reference, 0, 1},
                                             {&node_id, 0, 1},
                                             {&dpl__dialect_execution_semantics, 0, 1},
                                             {&properties, 0, 1},
                                             END},
                        .summary = "A component inside."};
ELEMENT subcomponents = {.name = "subcomponents",
                         .children = CHILDREN{{&subcomponent, 0, 0}, END},
                         .summary = "The components inside."};

ELEMENT component_name = {
    .name = "component_name", .text = DPL__TEXT_WORD, .summary = "Name of the component inside."};
ELEMENT port_name = {.name = "port_name", .text = DPL__TEXT_WORD, .summary = "Name of its port."};
TEXT_ELEMENT(port_type, "port_type", "Kind of its port.");
TEXT_ELEMENT(port_dir, "port_dir", "Direction of its port.");
ELEMENT export_port_name = {.name = "export_port_name",
                            .text = DPL__TEXT_WORD,
                            .summary = "Name of the port from outside."};
ELEMENT export_port = {.name = "export_port",
                       .children = CHILDREN{{&component_name, 1, 1},
                                            {&port_name, 1, 1},
                                            {&port_type, 0, 1},
                                            {&port_dir, 0, 1},
                                            {&export_port_name, 0, 1},
                                            END},
                       .summary = "A port inside that is seen from outside."};
ELEMENT export_ports = {.name = "export_ports",
                        .children = CHILDREN{{&export_port, 0, 0}, END},
                        .summary = "Ports inside that are seen from outside."};

#define END_ATTRIBUTES                                                                             \
    ATTRIBUTES                                                                                     \
    {                                                                                              \
        {"component_name", true, NULL, "Name of the component."},                                  \
            {"port_name", true, NULL, "Name of the port."}, END                                    \
    }

ELEMENT source = {.name = "source",
                  .attributes = END_ATTRIBUTES,
                  .summary = "The end that sends, or that requires the service."};
ELEMENT target = {.name = "target",
                  .attributes = END_ATTRIBUTES,
                  .summary = "The end that receives, or that provides the service."};
ELEMENT port_connection = {
    .name = "port_connection",
    .attributes = ATTRIBUTES{{"port_type", false, DPL__PORT_TYPES, "Kind of the ports."}, END},
    .children = CHILDREN{{&source, 1, 1}, {&target, 1, 1}, END},
    .summary = "A connection of two ports."};
ELEMENT port_connections = {.name = "port_connections",
                            .children = CHILDREN{{&port_connection, 0, 0}, END},
                            .summary = "Connections of ports."};
ELEMENT depends = {.name = "depends",
                   .text = DPL__TEXT_ANY,
                   .attributes =
                       ATTRIBUTES{{"source", true, NULL, "Runs first."},
                                  {"target", true, NULL, "Runs once its sources have run."},
                                  END},
                   .summary = "An order of execution."};
ELEMENT coordination = {.name = "coordination",
                        .children = CHILDREN{{&depends, 0, 0}, END},
                        .summary = "Orders of execution."};
ELEMENT topic = {.name = "topic",
                 .text = DPL__TEXT_ANY,
                 .attributes = ATTRIBUTES{{"name", .summary = "Its name."},
                                          {"type", .summary = "Its type."},
                                          {"port_type", .summary = "Kind of port."},
                                          END},
                 .summary = "A topic."};
ELEMENT topics = {.name = "topics",
                  .text = DPL__TEXT_ANY,
                  .children = CHILDREN{{&topic, 0, 0}, END},
                  .summary = "Topics of the application."};
ELEMENT world = {.name = "world",
                 .attributes = ATTRIBUTES{{"file", true, NULL, "File of the world."}, END},
                 .summary = "The world of the avatar (Doppel)."};
ELEMENT world_property = {
    .name = "property",
    .text = DPL__TEXT_WORD,
    .attributes = ATTRIBUTES{{"entry", true, NULL,
                              "Element of the world: its name, behind that of its robot where it "
                              "is in a robot's file (avatar.laser)."},
                             {"name", true, NULL, "Name of the element's attribute."},
                             END},
    .summary = "Another value for an attribute of the world."};
ELEMENT world_properties = {.name = "world_properties",
                            .children = CHILDREN{{&world_property, 0, 0}, END},
                            .summary = "Changes of the application's world (Doppel)."};
ELEMENT covariance_parameter = {
    .name = "parameter",
    .attributes =
        ATTRIBUTES{{"entry", .summary = "Element of the world, as of its properties."},
                   {"component", .summary = "Or: full name of the component."},
                   {"name", true, NULL, "Name of the attribute or property."},
                   {"value", true, NULL, "What was found."},
                   {"sigma", true, NULL, "Its standard deviation."},
                   {"unit", .summary = "Of both numbers."},
                   {"correlations", .summary = "With each of the parameters before, -1 to 1."},
                   END},
    .summary = "A value with its deviation."};
ELEMENT covariance = {
    .name = "covariance",
    .children = CHILDREN{{&covariance_parameter, 1, 0}, END},
    .summary = "How sure the values are, for studies (doppel sweep); a run does not read it."};
ELEMENT composite_profile = {.name = "composite_component_profile",
                             .children = CHILDREN{HEADER,
                                                  {&dpl__dialect_execution_environment, 0, 1},
                                                  {&dpl__dialect_execution_semantics, 0, 1},
                                                  {&subcomponents, 1, 1},
                                                  {&export_ports, 0, 1},
                                                  {&port_connections, 0, 1},
                                                  {&coordination, 0, 1},
                                                  END},
                             .summary = "A component made of components."};
ELEMENT package_profile = {.name = "package_profile",
                           .aliases = "application_profile",
                           .children = CHILDREN{HEADER,
                                                {&dpl__dialect_execution_environment, 0, 1},
                                                {&dpl__dialect_execution_semantics, 0, 1},
                                                {&world, 0, 1},
                                                {&subcomponents, 1, 1},
                                                {&export_ports, 0, 1},
                                                {&port_connections, 0, 1},
                                                {&coordination, 0, 1},
                                                {&topics, 0, 1},
                                                END},
                           .summary = "An application."};
ELEMENT binding_profile = {.name = "binding_profile",
                           .children = CHILDREN{HEADER,
                                                {&world, 0, 1},
                                                {&world_properties, 0, 1},
                                                {&covariance, 0, 1},
                                                {&binding_properties, 0, 1},
                                                {&subcomponents, 0, 1},
                                                {&port_connections, 0, 1},
                                                {&coordination, 0, 1},
                                                END},
                           .summary = "What an application is bound to (Doppel)."};

/* ---- types ----------------------------------------------------------------------------------- */

ELEMENT param_name = {.name = "name", .text = DPL__TEXT_ANY, .summary = "Name of the parameter."};
ELEMENT param = {.name = "param",
                 .text = DPL__TEXT_ANY,
                 .attributes = ATTRIBUTES{{"index", .summary = "Position, from 1."},
                                          {"name", .summary = "Name, unless an element."},
                                          {"type", .summary = "Type, unless an element."},
                                          END},
                 .children = CHILDREN{{&param_name, 0, 1}, {&type_text, 0, 1}, END},
                 .summary = "A parameter."};
ELEMENT method = {.name = "method",
                  .attributes =
                      ATTRIBUTES{{"name", true, NULL, "Name of the method."},
                                 {"return_type", .summary = "Type it returns."},
                                 {"call_type", false, "blocking|nonblocking", "How it is called."},
                                 END},
                  .children = CHILDREN{{&param, 0, 0}, {&description, 0, 1}, END},
                  .summary = "A method of the service."};
ELEMENT service_port_type = {
    .name = "service_port_type",
    .children = CHILDREN{{&type_name, 1, 1}, {&description, 0, 1}, {&method, 0, 0}, END},
    .summary = "A type of service."};
ELEMENT service_port_type_profile = {.name = "service_port_type_profile",
                                     .children = CHILDREN{{&service_port_type, 1, 0},
                                                          {&said_name, 0, 1},
                                                          {&id, 0, 1},
                                                          {&version, 0, 1},
                                                          {&description, 0, 1},
                                                          {&copyright_, 0, 1},
                                                          END},
                                     .summary = "Types of services."};

ELEMENT item = {.name = "item",
                .text = DPL__TEXT_WORD,
                .attributes = ATTRIBUTES{{"type", true, NULL, "Type of the member."},
                                         {"unit", .summary = "Unit of the number (Doppel)."},
                                         END},
                .summary = "A member of the structure."};
ELEMENT structure = {.name = "struct",
                     .attributes = ATTRIBUTES{{"name", true, NULL, "Name of the type."}, END},
                     .children = CHILDREN{{&item, 0, 0}, {&description, 0, 1}, END},
                     .summary = "A structure."};
ELEMENT data_type = {.name = "data_type",
                     .aliases = "data_type_profile",
                     .children = CHILDREN{{&structure, 1, 0},
                                          {&said_name, 0, 1},
                                          {&id, 0, 1},
                                          {&version, 0, 1},
                                          {&description, 0, 1},
                                          END},
                     .summary = "Types of data."};

/* ---- roots ----------------------------------------------------------------------------------- */

const struct dpl__element *const dpl__dialect_roots[DPL__N_KINDS] = {
    [DPL__KIND_COMPONENT] = &component_profile,
    [DPL__KIND_COMPOSITE] = &composite_profile,
    [DPL__KIND_APPLICATION] = &package_profile,
    [DPL__KIND_SERVICE_TYPE] = &service_port_type_profile,
    [DPL__KIND_DATA_TYPE] = &data_type,
    [DPL__KIND_BINDING] = &binding_profile,
};
