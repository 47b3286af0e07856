#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""hashes.py IDL TABLE.c: the type hashes of the table are those that ROS 2 has for the messages of the IDL (REP 2011, RIHS01): SHA-256 of
the JSON text of the type's description and of those that it refers to, by name."""
import hashlib, json, re, sys

IDS = {"int32": 6, "uint32": 7, "uint8": 3, "octet": 16, "float": 10, "double": 11, "boolean": 15, "string": 17}
ARRAY, SEQUENCE = 48, 144
# As published with Jazzy: they keep the rule itself right.
PUBLISHED = {
    "std_msgs/msg/String": "df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18",
    "rosgraph_msgs/msg/Clock": "692f7a66e93a3c83e71765d033b60349ba68023a8c689a79e48078bcb5c58564",
    "sensor_msgs/msg/Imu": "7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b",
    "sensor_msgs/msg/JointState": "a13ee3a330e346c9d87b5aa18d24e11690752bd33a0350f11c5882bc9179260e",
    "sensor_msgs/msg/PointCloud2": "9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5",
    "nav_msgs/msg/Odometry": "3cc97dc7fb7502f8714462c526d369e35b603cfc34d946e3f2eda2766dfec6e0",
    "tf2_msgs/msg/TFMessage": "e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
}


def field_type(package, text, length):
    """The type of a field as its description has it, and the message that it refers to ("": none)."""
    add, inner = (SEQUENCE, text[9:-1]) if text.startswith("sequence<") else (ARRAY if length else 0, text)
    nested = ""
    if inner not in IDS:
        parts = inner.split("::")
        nested = f"{parts[0] if len(parts) > 1 else package}/msg/{parts[-1].rstrip('_')}"
    kind = {"type_id": add + IDS.get(inner, 1), "capacity": length, "string_capacity": 0, "nested_type_name": nested}
    return kind, nested


def read(path):
    types, package, fields = {}, "", None
    for line in open(path):
        if found := re.match(r"module (\w+) {", line):
            package = found[1]
        elif found := re.match(r"struct (\w+)_ {", line):
            fields = []
            types[f"{package}/msg/{found[1]}"] = fields
        elif found := re.match(r"  (\S+) (\w+)(?:\[(\d+)\])?;", line):
            fields.append((found[2], *field_type(package, found[1], int(found[3] or 0))))
    return types


def describe(types, name):
    return {"type_name": name, "fields": [{"name": field, "type": kind} for field, kind, _ in types[name]]}


def refer(types, name, found):
    for _, _, nested in types[name]:
        if nested and nested not in found:
            found.add(nested)
            refer(types, nested, found)
    return found


def hash_of(types, name):
    described = {"type_description": describe(types, name),
                 "referenced_type_descriptions": [describe(types, other) for other in sorted(refer(types, name, set()))]}
    return hashlib.sha256(json.dumps(described).encode()).hexdigest()


def main():
    types, failed = read(sys.argv[1]), 0
    table = dict(re.findall(r'DESCRIBED\((\w+),[\s\\]*"([0-9a-f]{64})"\)', open(sys.argv[2]).read()))
    for name, published in PUBLISHED.items():
        if hash_of(types, name) != published:
            print(f"{name}: published {published}, by this rule {hash_of(types, name)}")
            failed += 1
    for symbol, given in table.items():
        package, name = symbol.split("_msg_dds__")
        right = hash_of(types, f"{package}/msg/{name.rstrip('_')}")
        if given != right:
            print(f"{symbol}: {right} is expected")
            failed += 1
    if len(table) < 13:
        print(f"{sys.argv[2]}: {len(table)} types were found")
        failed += 1
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
