// SPDX-License-Identifier: Apache-2.0
// Reads the records of an MCAP file in their order, so that also a file without its end (the run was killed) shows what it has. Messages are
// views of the decompressed chunks: nothing is copied.
import { decompress } from "fzstd";
import type { Description } from "./topic";

export interface Message { topic: Description; time: number; bytes: Uint8Array }
/** `part`: how much of the file is read. */
export interface Chunk { messages: Message[]; part: number }

const OP = { schema: 3, channel: 4, message: 5, chunk: 6, attachment: 9, dataEnd: 15 }, MAGIC = "\x89MCAP0\r\n";
const text = new TextDecoder(), TABLE = Uint32Array.from({ length: 256 }, (_, n) => { for (let k = 0; k < 8; k++) { n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1; } return n; });

function checksum(bytes: Uint8Array): number {
  let c = -1;
  for (let i = 0; i < bytes.length; i++) { c = TABLE[(c ^ bytes[i]!) & 255]! ^ (c >>> 8); }
  return (c ^ -1) >>> 0;
}

class Fields {
  at = 0;
  private view: DataView;
  constructor(private bytes: Uint8Array) { this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
  u16() { return this.view.getUint16((this.at += 2) - 2, true); }
  u32() { return this.view.getUint32((this.at += 4) - 4, true); }
  u64() { return this.u32() + this.u32() * 2 ** 32; }
  piece(n: number) {
    if (n > this.bytes.length - this.at) { throw new RangeError("a record is longer than the file"); }
    return this.bytes.subarray(this.at, this.at += n);
  }
  string() { return text.decode(this.piece(this.u32())); }
}

function* recordsOf(bytes: Uint8Array, from: number): Generator<{ op: number; body: Uint8Array; end: number }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  while (from + 9 <= bytes.length) {
    const n = view.getUint32(from + 1, true) + view.getUint32(from + 5, true) * 2 ** 32, end = from + 9 + n;
    if (end > bytes.length) { return; }
    yield { op: bytes[from]!, body: bytes.subarray(from + 9, end), end };
    from = end;
  }
}

function opened(body: Uint8Array): Uint8Array {
  const f = new Fields(body);
  f.at = 16;
  const size = f.u64(), crc = f.u32(), kind = f.string(), packed = f.piece(f.u64());
  if (kind !== "" && kind !== "zstd") { throw new Error(`its chunks are compressed by ${kind}; zstd is read`); }
  const bytes = kind ? decompress(packed, new Uint8Array(size)) : packed;
  if (crc !== 0 && checksum(bytes) !== crc) { throw new Error("a chunk is damaged"); }
  return bytes;
}

/** Yields after each chunk. Throws an Error that says what is wrong with the file. */
export function* readMcap(bytes: Uint8Array, onAttachment: (name: string, text: string) => void): Generator<Chunk> {
  if (text.decode(bytes.subarray(1, 8)) !== MAGIC.slice(1) || bytes[0] !== 0x89) { throw new Error("it does not begin as an MCAP file does"); }
  const schemas = new Map<number, { name: string; encoding: string; data: Uint8Array }>(), channels = new Map<number, Description>();
  const take = (op: number, f: Fields) => {
    if (op === OP.schema) { schemas.set(f.u16(), { name: f.string(), encoding: f.string(), data: f.piece(f.u32()) }); }
    else if (op === OP.channel) {
      const id = f.u16(), schema = schemas.get(f.u16());
      if (!channels.has(id)) { channels.set(id, { topic: f.string(), encoding: f.string(), schemaName: schema?.name ?? "", schemaEncoding: schema?.encoding ?? "", schema: schema?.data ?? new Uint8Array() }); }
    }
  };
  const message = (body: Uint8Array, f: Fields, messages: Message[]) => {
    const topic = channels.get(f.u16());
    f.at = 6;
    if (topic) { messages.push({ topic, time: f.u64() / 1e9, bytes: body.subarray(22) }); }
  };
  for (const { op, body, end } of recordsOf(bytes, 8)) {
    const messages: Message[] = [], f = new Fields(body);
    if (op === OP.chunk) {
      for (const inner of recordsOf(opened(body), 0)) {
        const own = new Fields(inner.body);
        if (inner.op === OP.message) { message(inner.body, own, messages); } else { take(inner.op, own); }
      }
      if (messages.some((m, i) => i > 0 && m.time < messages[i - 1]!.time)) { messages.sort((a, b) => a.time - b.time); }
      yield { messages, part: end / bytes.length };
    } else if (op === OP.message) {
      message(body, f, messages);
      yield { messages, part: end / bytes.length };
    } else if (op === OP.attachment) {
      f.at = 16;
      const name = f.string();
      f.string();
      onAttachment(name, text.decode(f.piece(f.u64())));
    } else if (op === OP.dataEnd) { return; } else { take(op, f); }
  }
}
