# SPDX-License-Identifier: Apache-2.0
"""Messages of ports and services by name: views on the structs of protobuf-c, through their descriptors (protobuf-c/protobuf-c.h)."""
import ctypes
from ctypes import POINTER, Structure, c_char_p, c_double, c_float, c_int, c_int32, c_int64, c_size_t, c_uint, c_uint32, c_uint64
from ctypes import c_void_p

import numpy


class _FieldDescriptor(Structure):
    _fields_ = [("name", c_char_p), ("id", c_uint32), ("label", c_int), ("type", c_int), ("quantifier_offset", c_uint), ("offset", c_uint),
                ("descriptor", c_void_p), ("default_value", c_void_p), ("flags", c_uint32), ("reserved_flags", c_uint), ("reserved2", c_void_p),
                ("reserved3", c_void_p)]


class MessageDescriptor(Structure):
    _fields_ = [("magic", c_uint32), ("name", c_char_p), ("short_name", c_char_p), ("c_name", c_char_p), ("package", c_char_p),
                ("size", c_size_t), ("n_fields", c_uint), ("fields", POINTER(_FieldDescriptor)), ("sorted", c_void_p), ("n_ranges", c_uint),
                ("ranges", c_void_p), ("init", ctypes.CFUNCTYPE(None, c_void_p)), ("reserved1", c_void_p), ("reserved2", c_void_p),
                ("reserved3", c_void_p)]


class _MethodDescriptor(Structure):
    _fields_ = [("name", c_char_p), ("input", POINTER(MessageDescriptor)), ("output", POINTER(MessageDescriptor))]


class ServiceDescriptor(Structure):
    _fields_ = [("magic", c_uint32), ("name", c_char_p), ("short_name", c_char_p), ("c_name", c_char_p), ("package", c_char_p),
                ("n_methods", c_uint), ("methods", POINTER(_MethodDescriptor)), ("sorted", c_void_p)]


_OPTIONAL, _REPEATED = 1, 2
_INT32, _INT64, _UINT32, _UINT64 = (0, 1, 2), (3, 4, 5), (6, 7), (8, 9)
_FLOAT, _DOUBLE, _BOOL, _ENUM, _STRING, _BYTES, _MESSAGE = range(10, 17)
_CTYPES = {_FLOAT: c_float, _DOUBLE: c_double, _BOOL: c_int, _ENUM: c_int, _STRING: c_char_p, _MESSAGE: c_void_p}
_CTYPES.update({t: c_int32 for t in _INT32})
_CTYPES.update({t: c_int64 for t in _INT64})
_CTYPES.update({t: c_uint32 for t in _UINT32})
_CTYPES.update({t: c_uint64 for t in _UINT64})
_TEXT_ROOM = 63  # bytes of a text in the answer of a service to a caller in C
_ROOM = 4096  # elements of a repeated field, bytes of a text, in the answer of a service


class NoRoom(ValueError):
    """A repeated field or text for which the message has no room."""


class Message:
    """The message at an address. Fields are attributes: numbers, truths, texts, messages, and for repeated fields arrays (a list of messages).
    A message that was received is good until the end of the callback; `copy()` makes one that stays."""

    __slots__ = ("_descriptor", "_at", "_keep", "_writable")

    def __init__(self, descriptor, at, keep=None, writable=False):
        for name, value in (("_descriptor", descriptor), ("_at", at), ("_keep", keep), ("_writable", writable)):
            object.__setattr__(self, name, value)

    def _field(self, name):
        wanted = name.encode()
        for i in range(self._descriptor.n_fields):
            if self._descriptor.fields[i].name == wanted:
                return self._descriptor.fields[i]
        raise AttributeError("%s has no field '%s', it has: %s" % (self._descriptor.name.decode(), name, ", ".join(self.names())))

    def names(self):
        return [self._descriptor.fields[i].name.decode() for i in range(self._descriptor.n_fields)]

    def __getattr__(self, name):
        field = self._field(name)
        if field.type == _BYTES:
            raise AttributeError("%s is a field of bytes, which is not supported" % name)
        if field.label == _REPEATED:
            return self._elements(field)
        value = _CTYPES[field.type].from_address(self._at + field.offset).value
        if field.type == _MESSAGE:
            return None if value is None else Message(_described(field), value, self, self._writable)
        if field.type == _STRING:
            return (value or b"").decode(errors="replace")
        return bool(value) if field.type == _BOOL else value

    def _elements(self, field):
        n = c_size_t.from_address(self._at + field.quantifier_offset).value
        first = c_void_p.from_address(self._at + field.offset).value
        if field.type in (_STRING, _MESSAGE):
            pointers = (c_void_p * n).from_address(first) if n else ()
            if field.type == _MESSAGE:
                return [Message(_described(field), at, self, self._writable) for at in pointers]
            return [ctypes.string_at(at).decode(errors="replace") for at in pointers]
        kind = _CTYPES[field.type]
        return numpy.frombuffer((kind * n).from_address(first), kind).copy() if n else numpy.zeros(0, kind)

    def __setattr__(self, name, value):
        field = self._field(name)
        if not self._writable:
            raise AttributeError("a message that was received is only read")
        if field.type == _BYTES or (field.type in (_STRING, _MESSAGE) and field.label == _REPEATED):
            raise AttributeError("%s cannot be set" % name)
        if field.label == _REPEATED:
            self._set_elements(field, value)
        elif field.type == _MESSAGE:
            self._fill(getattr(self, name), value)
        elif field.type == _STRING:
            self._set_text(field, value)
        else:
            _CTYPES[field.type].from_address(self._at + field.offset).value = value
            if field.label == _OPTIONAL:
                c_int.from_address(self._at + field.quantifier_offset).value = 1

    @staticmethod
    def _fill(message, values):
        for name, value in (values.fields() if isinstance(values, Message) else values).items():
            setattr(message, name, value)

    def _set_elements(self, field, values):
        kind, array = _CTYPES[field.type], numpy.asarray(values)
        room = self._room(field)
        if array.size > room:
            raise NoRoom("%d elements, there is room for %d" % (array.size, room))
        first = c_void_p.from_address(self._at + field.offset).value
        if array.size:
            numpy.frombuffer((kind * array.size).from_address(first), kind)[:] = array
        c_size_t.from_address(self._at + field.quantifier_offset).value = array.size

    def _set_text(self, field, text):
        raw = text.encode() + b"\0"
        at = c_void_p.from_address(self._at + field.offset).value
        room = self._room(field)
        if not at or len(raw) > room + 1:
            raise NoRoom("a text of %d bytes, there is room for %d" % (len(raw) - 1, room))
        ctypes.memmove(at, raw, len(raw))

    def _room(self, field):
        """Elements of a repeated field, or bytes of a text."""
        root = self
        while isinstance(root._keep, Message):
            root = root._keep
        return root._keep.room_at(self._at + field.offset) if root._keep is not None else 0

    def fields(self):
        """{name: value}; messages in it are such dictionaries."""
        values = {}
        for name in self.names():
            value = getattr(self, name)
            if isinstance(value, list):
                value = [v.fields() if isinstance(v, Message) else v for v in value]
            values[name] = value.fields() if isinstance(value, Message) else value
        return values

    def copy(self):
        """A dictionary of its values, which stays."""
        return self.fields()

    def __repr__(self):
        return "%s(%s)" % (self._descriptor.short_name.decode(), ", ".join("%s=%r" % pair for pair in self.fields().items()))


def _described(field):
    return MessageDescriptor.from_address(field.descriptor)


class Port:
    """What a loaned message has room for."""

    def __init__(self, room):
        self._room = room

    def room_at(self, address):
        return self._room


class Answer:
    """The response of a service that a caller has given to its provider. The counts of its repeated fields are what there is room for, and
    become 0; a text has room for DPL_PARAMETER_VALUE_SIZE bytes, if it has any."""

    def __init__(self, descriptor, at):
        self._rooms = {}
        self._measure(descriptor, at)

    def _measure(self, descriptor, at):
        empty = ctypes.create_string_buffer(descriptor.size)
        descriptor.init(ctypes.addressof(empty))
        for i in range(descriptor.n_fields):
            field = descriptor.fields[i]
            first = c_void_p.from_address(at + field.offset).value if field.label == _REPEATED or field.type in (_STRING, _MESSAGE) else None
            if field.label == _REPEATED:
                count = c_size_t.from_address(at + field.quantifier_offset)
                self._rooms[at + field.offset] = count.value if first and field.type not in (_STRING, _BYTES, _MESSAGE) else 0
                count.value = 0
            elif field.type == _STRING:
                has_room = first and first != c_void_p.from_address(ctypes.addressof(empty) + field.offset).value
                self._rooms[at + field.offset] = _TEXT_ROOM if has_room else -1
            elif field.type == _MESSAGE and first:
                self._measure(_described(field), first)

    def room_at(self, address):
        return self._rooms.get(address, 0)


class Storage:
    """Memory of a message with all its parts: of a request or a response."""

    def room_at(self, address):
        return _ROOM

    def __init__(self, descriptor):
        self._parts, self._counts = [], []
        self._descriptor, self._memory = descriptor, ctypes.create_string_buffer(descriptor.size)
        self.clear()

    def clear(self):
        self._parts.clear()
        self._counts.clear()
        self._make(self._descriptor, ctypes.addressof(self._memory))

    def _make(self, descriptor, at):
        descriptor.init(at)
        for i in range(descriptor.n_fields):
            field = descriptor.fields[i]
            if field.type == _BYTES or (field.label == _REPEATED and field.type in (_STRING, _MESSAGE)):
                continue
            size = 0
            if field.label == _REPEATED:
                size = _ROOM * ctypes.sizeof(_CTYPES[field.type])
                self._counts.append(at + field.quantifier_offset)
                c_size_t.from_address(at + field.quantifier_offset).value = 0
            elif field.type == _STRING:
                size = _ROOM + 1
            elif field.type == _MESSAGE:
                size = _described(field).size
            if size:
                part = ctypes.create_string_buffer(size)
                self._parts.append(part)
                c_void_p.from_address(at + field.offset).value = ctypes.addressof(part)
                if field.type == _MESSAGE:
                    self._make(_described(field), ctypes.addressof(part))

    def offer(self):
        """As the storage of a response: the counts of repeated fields are what there is room for."""
        for at in self._counts:
            c_size_t.from_address(at).value = _ROOM

    @property
    def address(self):
        return ctypes.addressof(self._memory)

    def message(self):
        return Message(self._descriptor, self.address, self, True)
