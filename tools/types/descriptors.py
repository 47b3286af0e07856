"""The content of .proto files, including comments, as plain objects. Descriptors come from protoc."""
import pathlib
import re
import subprocess
import tempfile

from google.protobuf import descriptor_pb2

F = descriptor_pb2.FieldDescriptorProto
# protobuf type: (C type, type of a profile)
SCALARS = {
    F.TYPE_DOUBLE: ("double", "double"),
    F.TYPE_FLOAT: ("float", "float"),
    F.TYPE_INT32: ("int32_t", "int"),
    F.TYPE_UINT32: ("uint32_t", "unsigned int"),
    F.TYPE_INT64: ("int64_t", "long"),
    F.TYPE_UINT64: ("uint64_t", "unsigned long"),
    F.TYPE_BOOL: ("bool", "bool"),
    F.TYPE_STRING: ("const char *", "string"),
}
# field numbers of descriptor.proto, from which the paths of comments are built
MESSAGE, FIELD, ENUM, VALUE, SERVICE, METHOD = 4, 2, 5, 2, 6, 2


def snake(name):
    """WheelController, Pose2 -> wheel_controller, pose2."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def camel(name):
    return "".join(part.capitalize() for part in name.split("_"))


class Field:
    """`unit` is the text in brackets at the beginning of its comment; None: none."""

    def __init__(self, proto, comment):
        self.name = proto.name
        self.repeated = proto.label == F.LABEL_REPEATED
        self.type = proto.type
        self.type_name = proto.type_name.rsplit(".", 1)[-1]
        match = re.match(r"\[([^\]]+)\]\s*(.*)", comment, re.DOTALL)
        self.unit, self.comment = match.groups() if match else (None, comment)
        self.is_enum = proto.type == F.TYPE_ENUM
        self.is_message = proto.type == F.TYPE_MESSAGE
        self.is_text = proto.type == F.TYPE_STRING
        if not (self.is_enum or self.is_message or proto.type in SCALARS):
            raise ValueError(f"{proto.name}: there is no type of a profile for it; use double, float, int32, uint32, int64, uint64, bool, string")


class Named:
    """A message, an enumeration, a service or a method. `aliases` are the names that OPRoS gave it."""

    def __init__(self, name, comment):
        self.name = name
        lines = comment.splitlines()
        self.aliases = [line[len("OPRoS:"):].strip() for line in lines if line.startswith("OPRoS:")]
        self.comment = " ".join(line for line in lines if not line.startswith("OPRoS:")).strip()


class Message(Named):
    def __init__(self, file, proto, comment, fields):
        super().__init__(proto.name, comment)
        self.file, self.fields = file, fields

    def is_argument_list(self, file, most=3):
        """A small message of plain fields in the service's own file: its fields become arguments."""
        plain = all(not (field.repeated or field.is_message) for field in self.fields)
        return self.file == file and plain and 0 < len(self.fields) <= most


class Enum(Named):
    """`values`: name, number and comment of each."""

    def __init__(self, proto, comment, value_comments):
        super().__init__(proto.name, comment)
        self.values = [(value.name, value.number, text) for value, text in zip(proto.value, value_comments)]
        prefixes = [name.split("_")[0] for name, _, _ in self.values]
        self.prefix = prefixes[0] + "_" if len(set(prefixes)) == 1 else ""


class Method(Named):
    def __init__(self, proto, comment, messages):
        super().__init__(proto.name, comment)
        self.takes = messages[proto.input_type.rsplit(".", 1)[-1]]
        self.gives = messages[proto.output_type.rsplit(".", 1)[-1]]


class Service(Named):
    def __init__(self, proto, comment, methods):
        super().__init__(proto.name, comment)
        self.methods = methods
        self.short = snake(re.sub("Service$", "", proto.name))


class File:
    def __init__(self, name):
        self.name, self.comment = name, ""
        self.imports, self.messages, self.enums, self.services = [], [], [], []


def descriptor_set(paths, files):
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "set"
        options = [f"--proto_path={path}" for path in paths]
        subprocess.run(
            ["protoc", *options, "--include_imports", "--include_source_info", f"--descriptor_set_out={out}", *files], check=True
        )
        return descriptor_pb2.FileDescriptorSet.FromString(out.read_bytes())


def comments_of(proto):
    """By path: the comment above, otherwise the one after."""
    comments = {}
    for location in proto.source_code_info.location:
        text = location.leading_comments or location.trailing_comments
        comments[tuple(location.path)] = "\n".join(line.strip() for line in text.strip().splitlines())
    return comments


def read_file(proto, messages, enums):
    """One file; its messages and enums are added to `messages` and `enums`."""
    comments = comments_of(proto)
    file = File(pathlib.Path(proto.name).stem)
    file.imports = [pathlib.Path(name).stem for name in proto.dependency]
    for i, message in enumerate(proto.message_type):
        fields = [Field(field, comments.get((MESSAGE, i, FIELD, j), "")) for j, field in enumerate(message.field)]
        file.messages.append(Message(file.name, message, comments.get((MESSAGE, i), ""), fields))
        messages[message.name] = file.messages[-1]
    for i, enum in enumerate(proto.enum_type):
        value_comments = [comments.get((ENUM, i, VALUE, j), "") for j in range(len(enum.value))]
        file.enums.append(Enum(enum, comments.get((ENUM, i), ""), value_comments))
        enums[enum.name] = file.enums[-1]
    for i, service in enumerate(proto.service):
        methods = [Method(method, comments.get((SERVICE, i, METHOD, j), ""), messages) for j, method in enumerate(service.method)]
        file.services.append(Service(service, comments.get((SERVICE, i), ""), methods))
    return file


def read(paths, files):
    """All files, imported ones first, and all enumerations by name."""
    messages, enums = {}, {}
    return [read_file(proto, messages, enums) for proto in descriptor_set(paths, files).file], enums
