"""The C headers of a .proto file: its enumerations for code without messages, and its services' methods by number with a
function that calls each."""
from descriptors import SCALARS, snake

BEGIN = "/* Written by tools/types/generate from {file}.proto. */\n"


def enum_text(enum):
    text = f"/* {enum.comment} */\n" if enum.comment else ""
    values = ""
    for name, number, comment in enum.values:
        values += f"    DPL_{name} = {number}," + (f" /* {comment} */\n" if comment else "\n")
    numbers = [number for _, number, _ in enum.values]
    define = f"#define DPL_{snake(enum.name).upper()}"
    words = "|".join(name[len(enum.prefix):].lower() for name, _, _ in enum.values)
    count = f'{define}_N {len(numbers)} /* how many there are, from 0 on */\n{define}_WORDS "{words}" /* choices of a field */\n'
    return f"{text}enum dpl_{snake(enum.name)} {{\n{values}}};\n" + (count if numbers == list(range(len(numbers))) else "")


def enums_header(file):
    guard = f"DOPPEL_MSG_{file.name.upper()}_ENUMS_H"
    enums = "\n".join(enum_text(enum) for enum in file.enums)
    return BEGIN.format(file=file.name) + f"#ifndef {guard}\n#define {guard}\n\n{enums}\n#endif\n"


def c_message(message):
    return f"Doppel__{message.name}"


def begin(message, variable):
    """An initialised message. A constant cannot point to protobuf-c's empty text without a cast that compilers warn of."""
    if any(field.is_text for field in message.fields):
        return [f"{c_message(message)} {variable};", f"doppel__{snake(message.name)}__init(&{variable});"]
    return [f"{c_message(message)} {variable} = DOPPEL__{snake(message.name).upper()}__INIT;"]


def c_type(field):
    return f"enum dpl_{snake(field.type_name)} " if field.is_enum else SCALARS[field.type][0].rstrip() + ("" if field.is_text else " ")


def method_number(service, method):
    return f"DPL_{service.short.upper()}_{snake(method.name).upper()}"


class Call:
    """The parts of one call: its arguments, the code that fills the request, and the place of the response."""

    def __init__(self, file, service, method):
        self.service, self.method = service, method
        self.flat_request = method.takes.is_argument_list(file.name)
        self.flat_response = method.gives.is_argument_list(file.name) and not any(field.is_text for field in method.gives.fields)

    def parameters(self):
        takes, gives = self.method.takes, self.method.gives
        if self.flat_request:
            yield from (f"{c_type(field)}{field.name}" for field in takes.fields)
        elif takes.fields:
            yield f"const {c_message(takes)} *request"
        if self.flat_response:
            yield from (f"{c_type(field)}*ret_{field.name}" for field in gives.fields)
        elif gives.fields:
            yield f"{c_message(gives)} *ret_response"

    def body(self):
        takes, gives = self.method.takes, self.method.gives
        own_request = self.flat_request or not takes.fields
        own_response = self.flat_response or not gives.fields
        if own_request:
            yield from begin(takes, "request")
        if own_response:
            yield from begin(gives, "response")
        if self.flat_request:
            for field in takes.fields:
                cast = f"(Doppel__{field.type_name})" if field.is_enum else "(char *)(uintptr_t)" if field.is_text else ""
                yield f"request.{field.name} = {cast}{field.name};"
        number = method_number(self.service, self.method)
        call = f"dpl_service_call(self, port, {number}, {'&' if own_request else ''}request, {'&response' if own_response else 'ret_response'})"
        if not self.flat_response:
            yield f"return {call};"
            return
        yield f"int err = {call};"
        yield "if (err >= 0) {"
        for field in gives.fields:
            cast = f"({c_type(field).strip()})" if field.is_enum else ""
            yield f"    *ret_{field.name} = {cast}response.{field.name};"
        yield "}"
        yield "return err;"

    def text(self):
        parameters = "".join(f", {p}" for p in self.parameters())
        name = f"dpl_{self.service.short}_call_{snake(self.method.name)}"
        comment = f"/* {self.method.comment} */\n" if self.method.comment else ""
        body = "".join(f"    {line}\n" for line in self.body())
        return f"{comment}static inline int {name}(struct dpl_component *self, unsigned port{parameters})\n{{\n{body}}}\n"


def service_text(file, service):
    numbers = "".join(f"    {method_number(service, method)},\n" for method in service.methods)
    count = f"    DPL_{service.short.upper()}_N_METHODS,\n"
    about = f"/* {service.comment} */\n" if service.comment else ""
    enum = f"{about}enum dpl_{service.short}_method {{\n{numbers}{count}}};\n"
    rules = (
        f"\n/* Calls of {service.name} through the component's required service port `port`: what dpl_service_call\n"
        " * returns; results are set where that is 0 or more. A response that is given by pointer must have been\n"
        " * initialised by the caller, who owns it. Neither allocates nor blocks beyond the provider's own work. */\n"
    )
    return enum + rules + "\n".join(Call(file, service, method).text() for method in service.methods)


def calls_header(file):
    guard = f"DOPPEL_MSG_{file.name.upper()}_H"
    includes = "".join(f"#include <doppel/msg/{name}.h>\n" for name in file.imports)
    enums = f'#include "{file.name}_enums.h"\n' if file.enums else ""
    own = f'\n#include "{file.name}.pb-c.h"\n'
    services = "".join("\n" + service_text(file, service) for service in file.services)
    runtime = "#include <doppel/component.h>\n\n" if file.services else ""
    return BEGIN.format(file=file.name) + f"#ifndef {guard}\n#define {guard}\n\n{runtime}{includes}{own}{enums}{services}\n#endif\n"
