// SPDX-License-Identifier: Apache-2.0
// One topic: its messages in the order of time, as bytes; decoded when somebody looks, and kept then.
import { Schemas, type Message } from "./protobuf";

export interface Description {
  topic: string;
  encoding: string;
  schemaName: string;
  schemaEncoding: string;
  schema: Uint8Array;
}

export interface FieldFacts {
  unit: string;
  summary: string;
}

const text = new TextDecoder();

function decoderOf(from: Description): (bytes: Uint8Array) => Message {
  if (from.encoding === "protobuf") {
    const decoder = new Schemas(from.schema).decoder(from.schemaName);
    if (decoder) { return decoder; }
  }
  return from.encoding === "json" ? (bytes) => JSON.parse(text.decode(bytes)) as Message : () => ({});
}

/** Units and summaries of fields, from a JSON schema: its descriptions begin with "[unit]". */
function factsOf(from: Description): Map<string, FieldFacts> {
  const facts = new Map<string, FieldFacts>();
  if (from.schemaEncoding !== "jsonschema") { return facts; }
  try {
    const schema = JSON.parse(text.decode(from.schema)) as { properties?: Record<string, { description?: string }> };
    for (const [name, { description = "" }] of Object.entries(schema.properties ?? {})) {
      const [, unit = "", summary = ""] = /^(?:\[([^\]]*)\] )?(.*)$/s.exec(description) ?? [];
      facts.set(name, { unit, summary });
    }
  } catch { /* a schema that is no JSON explains nothing */ }
  return facts;
}

/** False: nothing is drawn of it. The page draws scans and poses of our own types, and mechanisms of the rows of their values. */
export const isDrawn = (topic: string) => !/\/(PointCloud|PoseInFrame)$/.test(topic) && !/^\/world\/.*(?<!\/values)$/.test(topic);

export class Topic {
  readonly name: string;
  readonly schema: string;
  readonly facts: Map<string, FieldFacts>;
  /** How many messages came before the first that is kept. */
  dropped = 0;
  /** How many came in all, with those that were thinned out. */
  count = 0;
  times: number[] = [];
  /** How many had come with each message that is kept. */
  private counts: number[] = [];
  private bytes: Uint8Array[] = [];
  private values: (Message | undefined)[] = [];
  private decode: (bytes: Uint8Array) => Message;

  constructor(from: Description) {
    this.name = from.topic;
    this.schema = from.schemaName;
    this.facts = factsOf(from);
    this.decode = decoderOf(from);
  }

  get length() { return this.times.length; }

  /** `gap`: of two messages that are closer in time, the newer stays. */
  add(time: number, bytes: Uint8Array, gap: number) {
    const n = this.times.length;
    this.count++;
    if (n > 1 && time - this.times[n - 2]! < gap) {
      this.times[n - 1] = time;
      this.counts[n - 1] = this.count;
      this.bytes[n - 1] = bytes;
      this.values[n - 1] = undefined;
      return;
    }
    this.times.push(time);
    this.counts.push(this.count);
    this.bytes.push(bytes);
    this.values.push(undefined);
  }

  /** Forgets what is older than `time`, but the newest message. */
  forget(time: number) {
    const n = Math.min(this.after(time), this.length - 1);
    if (n > 256 || (n > 0 && n > this.length / 2)) {
      for (const list of [this.times, this.counts, this.bytes, this.values]) { list.splice(0, n); }
      this.dropped += n;
    }
  }

  /** Whether this very message is there already: who connects again gets what he has. */
  has(time: number, bytes: Uint8Array): boolean {
    for (let i = this.after(time) - 1; i >= 0 && this.times[i] === time; i--) {
      const own = this.bytes[i]!;
      if (own.length === bytes.length && own.every((b, k) => b === bytes[k])) { return true; }
    }
    return false;
  }

  clear() {
    this.dropped += this.length;
    this.times = [];
    this.counts = [];
    this.bytes = [];
    this.values = [];
  }

  /** Index of the first message after `time`. */
  after(time: number): number {
    let low = 0, high = this.times.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! <= time) { low = middle + 1; } else { high = middle; }
    }
    return low;
  }

  message(i: number): Message | undefined {
    if (i < 0 || i >= this.length) { return undefined; }
    return (this.values[i] ??= this.decode(this.bytes[i]!));
  }

  /** The newest message at a time. */
  at(time: number): Message | undefined { return this.message(this.after(time) - 1); }

  /** Messages a second in the 5 s before `time`; several may have one stamp. */
  rate(time: number): number {
    const i = this.after(time), from = this.after(time - 5), span = from > 0 ? 5 : time - this.times[0]!;
    return i - from < 2 ? 0 : (this.counts[i - 1]! - (from > 0 ? this.counts[from - 1]! : this.counts[0]!)) / Math.max(span, 1);
  }
}

/** "pose.position.x" of a message. */
export function pick(message: Message | undefined, path: string): unknown {
  if (message && path in message) { return message[path]; }
  return path.split(".").reduce<unknown>((value, name) => (value as Message | undefined)?.[name], message);
}
