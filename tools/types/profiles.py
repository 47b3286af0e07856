"""Profiles of a .proto file's types and services, in the form of OPRoS."""
from xml.sax.saxutils import escape, quoteattr

from descriptors import SCALARS, camel, snake

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n<!-- Written by tools/types/generate from {file}.proto. -->\n'


def type_of(field):
    if field.is_message:
        name = field.type_name
    else:
        name = "int" if field.is_enum else SCALARS[field.type][1]
    return f"std::vector({name})" if field.repeated else name


def words_of(enum):
    """0 off, 1 starting"""
    return ", ".join(f"{number} {name[len(enum.prefix):].replace('_', ' ').lower()}" for name, number, _ in enum.values)


def description(message, enums):
    numbers = [f"{field.name}: {words_of(enums[field.type_name])}." for field in message.fields if field.is_enum]
    return " ".join([message.comment, *numbers]).strip()


def struct_text(message, name, enums):
    text = f"  <struct name={quoteattr(name)}>\n"
    about = description(message, enums)
    text += f"    <description>{escape(about)}</description>\n" if about else ""
    for field in message.fields:
        unit = f" unit={quoteattr(field.unit)}" if field.unit else ""
        text += f"    <item type={quoteattr(type_of(field))}{unit}>{field.name}</item>\n"
    return text + "  </struct>\n"


def types_profile(file, enums):
    structs = "".join(struct_text(message, name, enums) for message in file.messages if message.fields for name in [message.name, *message.aliases])
    return HEAD.format(file=file.name) + f"<data_type>\n{structs}</data_type>\n"


def returns(file, method):
    gives = method.gives
    if not gives.fields:
        return "int"
    single = gives.is_argument_list(file.name, most=1)
    return type_of(gives.fields[0]) if single else gives.name


def parameters(file, method):
    takes = method.takes
    if takes.is_argument_list(file.name):
        return [(field.name, type_of(field)) for field in takes.fields]
    return [(snake(takes.name), takes.name)] if takes.fields else []


def method_text(file, method, name):
    head = f'    <method name={quoteattr(name)} return_type={quoteattr(returns(file, method))} call_type="blocking"'
    params = parameters(file, method)
    if not params:
        return head + "/>\n"
    text = head + ">\n"
    for index, (param, kind) in enumerate(params, 1):
        text += f'      <param index="{index}">\n        <name>{param}</name>\n        <type>{escape(kind)}</type>\n      </param>\n'
    return text + "    </method>\n"


def service_profile(file, service):
    methods = "".join(method_text(file, method, name) for method in service.methods for name in [method.name, *method.aliases])
    return (
        HEAD.format(file=file.name)
        + f"<service_port_type_profile>\n  <name>{service.name}</name>\n  <service_port_type>\n"
        + f"    <type_name>{service.name}</type_name>\n    <description>{escape(service.comment)}</description>\n"
        + f"{methods}  </service_port_type>\n</service_port_type_profile>\n"
    )


def type_file(file):
    return f"types/{camel(file.name)}.xml"
