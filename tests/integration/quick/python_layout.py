# SPDX-License-Identifier: Apache-2.0
"""Prints a C program that compares the structs of the Python package with the headers: sizes, and the offset of each member."""
import ctypes

from doppel import messages, native

HEADERS = ("doppel/plugin.h", "doppel/channel.h", "doppel/host/app.h", "doppel/host/catalog.h", "doppel/host/runtime.h", "doppel/sim/host.h",
           "doppel/sim/load.h", "protobuf-c/protobuf-c.h")
WHOLE = {
    "struct dpl_place": native.Place, "struct dpl_diag": native.Diag, "struct dpl_diags": native.Diags,
    "struct dpl_channel_type": native.ChannelType, "struct dpl_channel_desc": native.ChannelDesc, "struct dpl_channel_want": native.ChannelWant,
    "struct dpl_sim_set": native.SimSet, "struct dpl_sim_load_options": native.LoadOptions, "struct dpl_sim_host_options": native.HostOptions,
    "struct dpl_world_host": native.WorldHost, "struct dpl_app_options": native.AppOptions,
    "struct dpl_program": native.Program,
    "struct dpl_runtime_options": native.RuntimeOptions, "struct dpl_tick": native.Tick, "struct dpl_message": native.MessageBlock,
    "struct dpl_component": native.ComponentInstance, "struct dpl_field": native.Field, "struct dpl_port_desc": native.PortDesc,
    "struct dpl_component_ops": native.ComponentOps, "struct dpl_component_class": native.ComponentClass, "struct dpl_driver": native.Driver,
    "struct dpl_plugin": native.Plugin,
}
BEGINNINGS = {"struct dpl_app": native.App}
# members have other names there
FOREIGN = {"ProtobufCFieldDescriptor": messages._FieldDescriptor, "ProtobufCMessageDescriptor": messages.MessageDescriptor,
           "ProtobufCMethodDescriptor": messages._MethodDescriptor, "ProtobufCServiceDescriptor": messages.ServiceDescriptor}

print("#include <stddef.h>\n#include <stdio.h>\n" + "".join("#include <%s>\n" % header for header in HEADERS))
print("static int n_bad;\nstatic void expect(const char *what, size_t found, size_t expected)\n{")
print('    if (found != expected) {\n        printf("%s: %zu in C, %zu in Python\\n", what, found, expected);\n        n_bad++;\n    }\n}\n')
print("int main(void)\n{")
for name, struct in {**WHOLE, **FOREIGN}.items():
    print('    expect("%s", sizeof(%s), %d);' % (name, name, ctypes.sizeof(struct)))
for name, struct in {**WHOLE, **BEGINNINGS}.items():
    for member, *_ in struct._fields_:
        print('    expect("%s.%s", offsetof(%s, %s), %d);' % (name, member, name, member, getattr(struct, member).offset))
print('    expect("DPL_PLUGIN_ABI", DPL_PLUGIN_ABI, %d);' % native.PLUGIN_ABI)
print("    return n_bad != 0;\n}")
