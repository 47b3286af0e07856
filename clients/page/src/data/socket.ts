// SPDX-License-Identifier: Apache-2.0
// A live run as a source: a client of the Foxglove WebSocket protocol that subscribes to all topics and connects again when it was lost.
import { Schemas, type Message } from "./protobuf";
import type { Property, Store } from "./store";
import { isDrawn, type Topic } from "./topic";

interface Channel { id: number; topic: string; encoding: string; schemaName: string; schemaEncoding?: string; schema: string }
interface Offered { id: number; name: string; request?: { encoding: string; schemaName: string; schema: string } }
interface Parameter { name: string; value: unknown }

/** s: of a faster topic not every message is wanted. */
const PERIOD = 0.008;
const WAITS = [250, 500, 1000];
const bytesOf64 = (text: string) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const utf8 = { encode: new TextEncoder(), decode: new TextDecoder() };

function bytesOf(channel: Channel): Uint8Array {
  return channel.schemaEncoding === "protobuf" || channel.encoding === "protobuf"
    ? bytesOf64(channel.schema) : utf8.encode.encode(channel.schema);
}

export class Socket {
  private socket?: WebSocket;
  private topics = new Map<number, Topic>();
  private calls = new Map<number, { done(text: string): void; failed(why: Error): void }>();
  private sets = new Map<string, { name: string; why: string; done(): void; failed(why: Error): void }>();
  private calledLast = 0;
  private ports: string[] = [];
  private pings = new Map<string, { done(): void; failed(why: Error): void }>();
  private tries = 0;
  private clock = -Infinity;

  constructor(private store: Store, private address: string) {
    store.setProperty = (name, value) => this.set(name, value);
    store.publish = (port, bytes) => this.publish(port, bytes);
    store.ping = () => this.ping();
    this.connect();
  }

  private connect() {
    const socket = new WebSocket(this.address, ["foxglove.websocket.v1", "foxglove.sdk.v1"]);
    socket.binaryType = "arraybuffer";
    socket.onmessage = (e) => (typeof e.data === "string" ? this.onText(JSON.parse(e.data)) : this.onBytes(new DataView(e.data as ArrayBuffer)));
    socket.onclose = () => this.onClose();
    this.socket = socket;
  }

  private onClose() {
    const { store } = this;
    this.topics.clear();
    store.services.clear();
    [...this.calls.values(), ...this.sets.values()].forEach((open) => open.failed(new Error("the run has ended")));
    this.calls.clear();
    this.ports = [];
    this.pings.forEach((ping) => ping.failed(new Error("the run is lost")));
    this.pings.clear();
    this.sets.clear();
    store.me = "";
    store.movesHardware = false;
    if (store.link === "live") { store.link = store.value("/run/state", "state") === "ended" ? "ended" : "lost"; }
    store.changed();
    setTimeout(() => void this.again(), WAITS[Math.min(this.tries++, WAITS.length - 1)]);
  }

  /** Connects again; a server that does not know the token is another run, whose address the page cannot know. */
  private async again() {
    const token = this.address.replace(/^.*\//, ""), answer = await fetch("run.json", { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
    if (answer?.status === 403) {
      this.store.link = "other";
      this.store.changed();
    } else if (answer) { this.connect(); } else { setTimeout(() => void this.again(), WAITS[Math.min(this.tries++, WAITS.length - 1)]); }
  }

  private send(message: object) { if (this.socket?.readyState === WebSocket.OPEN) { this.socket.send(JSON.stringify(message)); } }

  private onText(message: { op: string } & Record<string, unknown>) {
    const { store } = this;
    switch (message.op) {
      case "serverInfo": {
        const meta = (message.metadata ?? {}) as Record<string, string>;
        store.link = "live";
        store.role = meta.role ?? "";
        store.me = meta.who ?? "";
        store.run.application ||= String(message.name);
        this.tries = 0;
        this.send({ op: "subscribeParameterUpdates", parameterNames: [] });
        this.send({ op: "getParameters", parameterNames: [], id: "all" });
        break;
      }
      case "advertise": (message.channels as Channel[]).forEach((c) => this.subscribe(c)); break;
      case "advertiseServices": (message.services as Offered[]).forEach((s) => this.offer(s)); break;
      case "unadvertiseServices": for (const [name, s] of store.services) { if ((message.serviceIds as number[]).includes(s.id)) { store.services.delete(name); } } break;
      case "parameterValues": (message.parameters as Parameter[]).forEach((p) => this.setParameter(p)); this.pong(String(message.id)); this.endSet(String(message.id)); break;
      case "serviceCallFailure": this.answer(Number(message.callId), undefined, String(message.message)); break;
      case "status": this.onStatus(Number(message.level), String(message.message)); break;
    }
    store.changed();
  }

  private onStatus(level: number, text: string) {
    const skipped = /^(\d+) messages were skipped/.exec(text);
    if (skipped) { this.store.skipped += Number(skipped[1]); return; }
    if (level === 2) { this.store.onRefusal?.(text); }
    const refused = level === 2 ? ([...this.sets.values()].find((s) => text.startsWith(`${s.name}: `)) ?? (this.sets.size === 1 ? [...this.sets.values()][0] : undefined)) : undefined;
    if (refused) { refused.why = text; }
    this.store.lines.push({ time: this.store.end, level: level === 2 ? "error" : level === 1 ? "warn" : "info", from: "viewer", text });
  }

  private subscribe(channel: Channel) {
    const topic = this.store.describe({ topic: channel.topic, encoding: channel.encoding, schemaName: channel.schemaName,
      schemaEncoding: channel.schemaEncoding ?? (channel.encoding === "json" ? "jsonschema" : channel.encoding), schema: bytesOf(channel) });
    this.topics.set(channel.id, topic);
    if (!isDrawn(channel.topic)) { return; }
    const isThinned = /^(\/.*values$|doppel\.)/.test(channel.schemaName) && channel.schemaName !== "doppel.StateReport";
    this.send({ op: "subscribe", subscriptions: [{ id: channel.id, channelId: channel.id, ...(isThinned ? { period: PERIOD } : {}) }] });
  }

  private setParameter({ name, value }: Parameter) {
    const dot = name.indexOf("."), known = this.store.properties.get(name);
    const property: Property = known ?? { component: name.slice(0, dot), name: name.slice(dot + 1), value, unit: "", range: "", summary: "", live: this.store.run.components.length === 0 };
    property.value = value;
    this.store.properties.set(name, property);
  }

  private publish(port: string, body: Uint8Array) {
    let at = this.ports.indexOf(port);
    if (at < 0) {
      at = this.ports.push(port) - 1;
      this.send({ op: "advertise", channels: [{ id: at + 1, topic: port, encoding: "protobuf", schemaName: "" }] });
    }
    const frame = new Uint8Array(5 + body.length);
    frame[0] = 1;
    new DataView(frame.buffer).setUint32(1, at + 1, true);
    frame.set(body, 5);
    if (this.socket?.readyState === WebSocket.OPEN) { this.socket.send(frame); }
  }

  private ping(): Promise<void> {
    return new Promise((done, failed) => {
      const property = this.store.properties.keys().next().value, id = `ping ${++this.calledLast}`;
      if (property === undefined || this.socket?.readyState !== WebSocket.OPEN) { failed(new Error("no run is connected")); return; }
      this.pings.set(id, { done, failed });
      this.send({ op: "getParameters", parameterNames: [property], id });
    });
  }

  private pong(id: string) {
    this.pings.get(id)?.done();
    this.pings.delete(id);
  }

  private set(name: string, value: unknown): Promise<void> {
    const id = `set ${++this.calledLast}`;
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) { failed(new Error("no run is connected")); return; }
      this.sets.set(id, { name, why: "", done, failed });
      this.send({ op: "setParameters", parameters: [{ name, value }], id });
    });
  }

  /** The values that hold have come, after the reason of a refusal. */
  private endSet(id: string) {
    const set = this.sets.get(id);
    this.sets.delete(id);
    if (set?.why) { set.failed(new Error(set.why)); } else { set?.done(); }
  }

  private offer(service: Offered) {
    const { request } = service, schemas = request?.encoding === "protobuf" ? new Schemas(bytesOf64(request.schema)) : undefined;
    const bytes = (message: object) => (schemas ? schemas.encode(request!.schemaName, message as Message) : utf8.encode.encode(JSON.stringify(message)));
    this.store.services.set(service.name, { id: service.id, name: service.name, shape: schemas?.shape(request!.schemaName) ?? [],
      call: (message) => this.call(service.id, schemas ? "protobuf" : "json", bytes(message)) });
  }

  private call(service: number, encoding: string, body: Uint8Array): Promise<string> {
    const id = ++this.calledLast, frame = new Uint8Array(13 + encoding.length + body.length), view = new DataView(frame.buffer);
    view.setUint8(0, 2);
    view.setUint32(1, service, true);
    view.setUint32(5, id, true);
    view.setUint32(9, encoding.length, true);
    frame.set(utf8.encode.encode(encoding), 13);
    frame.set(body, 13 + encoding.length);
    return new Promise((done, failed) => {
      if (this.socket?.readyState !== WebSocket.OPEN) { failed(new Error("no run is connected")); return; }
      this.calls.set(id, { done, failed });
      this.socket.send(frame);
    });
  }

  private answer(id: number, text: string | undefined, why: string) {
    const call = this.calls.get(id);
    this.calls.delete(id);
    if (text === undefined) { call?.failed(new Error(why)); } else { call?.done(text); }
  }

  private onBytes(view: DataView) {
    const op = view.getUint8(0), bytes = (from: number) => new Uint8Array(view.buffer as ArrayBuffer, from);
    if (op === 1) {
      const topic = this.topics.get(view.getUint32(1, true));
      if (topic) { this.store.add(topic, Number(view.getBigUint64(5, true)) / 1e9, bytes(13)); }
    } else if (op === 2) {
      const time = Number(view.getBigUint64(1, true)) / 1e9;
      // messages overtake each other on their way to a slow viewer, those of the time do not
      if (time < this.clock - 0.5) { this.store.restart(); }
      this.clock = time;
      this.store.end = Math.max(this.store.end, time);
    } else if (op === 3) {
      const n = view.getUint32(9, true);
      this.answer(view.getUint32(5, true), utf8.decode.decode(bytes(13 + n)), "");
    }
  }
}
