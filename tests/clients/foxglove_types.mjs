// SPDX-License-Identifier: Apache-2.0
// Foxglove's types by Foxglove's definitions (@foxglove/schemas): `theirs` is the root of protobufjs with all of them.
import { createRequire } from "node:module";
import path from "node:path";
const require = createRequire(path.join(process.cwd(), "x.js"));
const protobuf = require("protobufjs");
const { foxgloveMessageSchemas, foxgloveEnumSchemas, generateProto } = require("@foxglove/schemas/internal");

export const theirs = new protobuf.Root();
protobuf.parse('syntax = "proto3"; package google.protobuf; message Timestamp { int64 seconds = 1; int32 nanos = 2; } message Duration { int64 seconds = 1; int32 nanos = 2; }', theirs);
for (const schema of Object.values(foxgloveMessageSchemas)) {
  const enums = Object.values(foxgloveEnumSchemas).filter((e) => e.parentSchemaName === schema.name);
  protobuf.parse(generateProto(schema, enums).replace(/^import .*$/gm, ""), theirs);
}

