// SPDX-License-Identifier: Apache-2.0
// Decodes protobuf messages by the FileDescriptorSet that comes with a channel, and encodes requests by that of a service; without generated code (the
// page may not evaluate texts).

export type Message = Record<string, unknown>;

interface Field {
  name: string;
  number: number;
  type: number;
  repeated: boolean;
  typeName: string;
}

interface Type {
  name: string;
  fields: Map<number, Field>;
  isMap: boolean;
}

const TYPE = { double: 1, float: 2, int64: 3, uint64: 4, int32: 5, fixed64: 6, fixed32: 7, bool: 8, string: 9, group: 10, message: 11,
  bytes: 12, uint32: 13, enum: 14, sfixed32: 15, sfixed64: 16, sint32: 17, sint64: 18 };
const text = new TextDecoder();

class Reader {
  at = 0;
  view: DataView;
  constructor(readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
  get isAtEnd() { return this.at >= this.bytes.length; }
  /** A number of up to 64 bits; exact to 2^53. */
  varint(): number {
    let value = 0, scale = 1;
    for (let i = 0; i < 10; i++) {
      const byte = this.view.getUint8(this.at++);
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (byte < 0x80) { return value; }
    }
    throw new RangeError("a number of more than 10 bytes");
  }
  signed(bits: 32 | 64): number {
    const value = this.varint();
    return value < 2 ** 63 ? (bits === 32 ? value | 0 : value) : value - 2 ** 64;
  }
  zigzag(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }
  piece(): Uint8Array {
    const n = this.varint(), from = this.at;
    if (from + n > this.bytes.length) { throw new RangeError("a field is longer than its message"); }
    this.at += n;
    return this.bytes.subarray(from, from + n);
  }
  skip(wire: number) {
    if (wire === 0) { this.varint(); }
    else if (wire === 1) { this.at += 8; }
    else if (wire === 2) { this.piece(); }
    else if (wire === 5) { this.at += 4; }
    else { throw new RangeError(`wire type ${wire}`); }
  }
}

class Writer {
  bytes: number[] = [];
  varint(value: number | bigint) {
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 127n; rest >>= 7n) { this.bytes.push(Number(rest & 127n) | 128); }
    this.bytes.push(Number(rest));
  }
  fixed(size: 4 | 8, set: (view: DataView) => void) {
    const view = new DataView(new ArrayBuffer(size));
    set(view);
    this.bytes.push(...new Uint8Array(view.buffer));
  }
  piece(bytes: Uint8Array | number[]) {
    this.varint(bytes.length);
    this.bytes.push(...bytes);
  }
}

/** A field of a message, for who fills it: the words of an enum, the parts of a message. */
export interface Shape { name: string; isNumber: boolean; words?: string[]; parts?: Shape[] }

/** Each field of a message as number, value (a piece or a number). */
function* fieldsOf(bytes: Uint8Array): Generator<[number, Uint8Array | number]> {
  const reader = new Reader(bytes);
  while (!reader.isAtEnd) {
    const key = reader.varint(), wire = key & 7;
    if (wire === 2) { yield [key >>> 3, reader.piece()]; }
    else if (wire === 0) { yield [key >>> 3, reader.varint()]; }
    else { reader.skip(wire); }
  }
}

function all(bytes: Uint8Array, number: number): Uint8Array[] {
  return [...fieldsOf(bytes)].filter(([n, v]) => n === number && typeof v !== "number").map(([, v]) => v as Uint8Array);
}

const one = (bytes: Uint8Array, number: number) => text.decode(all(bytes, number)[0]);
const numberOf = (bytes: Uint8Array, number: number) => Number([...fieldsOf(bytes)].find(([n]) => n === number)?.[1] ?? 0);

export class Schemas {
  private types = new Map<string, Type>();
  private enums = new Map<string, Map<number, string>>();

  constructor(set: Uint8Array) {
    for (const file of all(set, 1)) {
      const scope = one(file, 2);
      this.addScope(scope ? `.${scope}` : "", all(file, 4), all(file, 5));
    }
  }

  private addScope(scope: string, messages: Uint8Array[], enums: Uint8Array[]) {
    for (const found of enums) {
      this.enums.set(`${scope}.${one(found, 1)}`, new Map(all(found, 2).map((v) => [numberOf(v, 2) | 0, one(v, 1)])));
    }
    for (const message of messages) {
      const name = `${scope}.${one(message, 1)}`, fields = new Map<number, Field>();
      for (const field of all(message, 2)) {
        const number = numberOf(field, 3);
        fields.set(number, { name: one(field, 1), number, type: numberOf(field, 5), repeated: numberOf(field, 4) === 3, typeName: one(field, 6) });
      }
      this.types.set(name, { name, fields, isMap: all(message, 7).some((o) => numberOf(o, 7) === 1) });
      this.addScope(name, all(message, 3), all(message, 4));
    }
  }

  /** What decodes messages of a type; undefined: the set has no such type. */
  decoder(name: string): ((bytes: Uint8Array) => Message) | undefined {
    const type = this.types.get(`.${name}`);
    return type && ((bytes) => this.decode(type, bytes));
  }

  /** The fields of a type; []: the set has no such type. */
  shape(name: string): Shape[] {
    return [...(this.types.get(`.${name}`)?.fields.values() ?? [])].map((f) => ({ name: f.name,
      isNumber: !f.repeated && ![TYPE.message, TYPE.string, TYPE.bytes, TYPE.enum, TYPE.bool].includes(f.type),
      words: f.type === TYPE.enum ? [...(this.enums.get(f.typeName)?.values() ?? [])] : undefined,
      parts: f.type === TYPE.message && !f.repeated && f.typeName !== `.${name}` ? this.shape(f.typeName.slice(1)) : undefined }));
  }

  /** The bytes of a message that has some of its fields; an enum by its word. */
  encode(name: string, message: Message): Uint8Array { return Uint8Array.from(this.write(this.types.get(`.${name}`), message)); }

  private write(type: Type | undefined, message: Message): number[] {
    const out = new Writer();
    for (const field of type?.fields.values() ?? []) {
      const given = message[field.name];
      for (const value of given === undefined ? [] : field.repeated ? (given as unknown[]) : [given]) { this.writeOne(out, field, value); }
    }
    return out.bytes;
  }

  private writeOne(out: Writer, field: Field, value: unknown) {
    const wire = (n: number) => out.varint(field.number * 8 + n), n = Number(value);
    switch (field.type) {
      case TYPE.double: wire(1); out.fixed(8, (v) => v.setFloat64(0, n, true)); break;
      case TYPE.float: wire(5); out.fixed(4, (v) => v.setFloat32(0, n, true)); break;
      case TYPE.fixed64: case TYPE.sfixed64: wire(1); out.fixed(8, (v) => v.setBigInt64(0, BigInt(n), true)); break;
      case TYPE.fixed32: case TYPE.sfixed32: wire(5); out.fixed(4, (v) => v.setInt32(0, n | 0, true)); break;
      case TYPE.string: wire(2); out.piece(new TextEncoder().encode(String(value))); break;
      case TYPE.bytes: wire(2); out.piece(value as Uint8Array); break;
      case TYPE.message: wire(2); out.piece(this.write(this.types.get(field.typeName), value as Message)); break;
      case TYPE.enum: wire(0); out.varint([...(this.enums.get(field.typeName) ?? [])].find(([, word]) => word === value)?.[0] ?? n); break;
      case TYPE.sint32: case TYPE.sint64: wire(0); out.varint(n < 0 ? -2 * n - 1 : 2 * n); break;
      default: wire(0); out.varint(n);
    }
  }

  private decode(type: Type, bytes: Uint8Array): Message {
    const message: Message = {};
    for (const field of type.fields.values()) { message[field.name] = this.start(field); }
    const reader = new Reader(bytes);
    while (!reader.isAtEnd) {
      const key = reader.varint(), wire = key & 7, field = type.fields.get(key >>> 3);
      if (!field) { reader.skip(wire); continue; }
      if (!field.repeated) { message[field.name] = this.value(field, reader); continue; }
      const list = message[field.name] as unknown[];
      if (wire === 2 && field.type !== TYPE.string && field.type !== TYPE.bytes && field.type !== TYPE.message) {
        const packed = new Reader(reader.piece());
        while (!packed.isAtEnd) { list.push(this.value(field, packed)); }
      } else { list.push(this.value(field, reader)); }
    }
    return message;
  }

  private start(field: Field): unknown {
    if (field.repeated) { return []; }
    switch (field.type) {
      case TYPE.message: return undefined;
      case TYPE.string: return "";
      case TYPE.bytes: return new Uint8Array();
      case TYPE.bool: return false;
      case TYPE.enum: return this.enums.get(field.typeName)?.get(0) ?? 0;
      default: return 0;
    }
  }

  private value(field: Field, reader: Reader): unknown {
    const at = reader.at, eight = () => { reader.at += 8; return at; }, four = () => { reader.at += 4; return at; };
    switch (field.type) {
      case TYPE.double: return reader.view.getFloat64(eight(), true);
      case TYPE.float: return reader.view.getFloat32(four(), true);
      case TYPE.fixed64: return Number(reader.view.getBigUint64(eight(), true));
      case TYPE.sfixed64: return Number(reader.view.getBigInt64(eight(), true));
      case TYPE.fixed32: return reader.view.getUint32(four(), true);
      case TYPE.sfixed32: return reader.view.getInt32(four(), true);
      case TYPE.bool: return reader.varint() !== 0;
      case TYPE.string: return text.decode(reader.piece());
      case TYPE.bytes: return reader.piece();
      case TYPE.message: return this.message(field, reader.piece());
      case TYPE.enum: { const n = reader.signed(32); return this.enums.get(field.typeName)?.get(n) ?? n; }
      case TYPE.sint32: case TYPE.sint64: return reader.zigzag();
      case TYPE.int32: return reader.signed(32);
      case TYPE.int64: return reader.signed(64);
      default: return reader.varint();
    }
  }

  private message(field: Field, bytes: Uint8Array): unknown {
    const type = this.types.get(field.typeName);
    return type ? this.decode(type, bytes) : {};
  }
}
