// SPDX-License-Identifier: Apache-2.0
// What the page knows: topics with their messages, log, frames, properties, what is selected, and which time is shown. A source fills it: a live
// run (socket.ts) or a recording (recording.ts); panels read it.
import { Frames } from "./frames";
import type { Shape } from "./protobuf";
import { Series } from "./series";
import { isDrawn, pick, Topic, type Description } from "./topic";

/** Seconds that are kept of a live run. */
export const KEPT = 60;

export interface Line {
  time: number;
  level: "debug" | "info" | "warn" | "error";
  from: string;
  text: string;
}

export interface Property {
  component: string;
  name: string;
  value: unknown;
  unit: string;
  range: string;
  /** The words that it may be; none: it is no choice. */
  choices?: string[];
  summary: string;
  /** It may be set while the run goes on. */
  live: boolean;
}

export interface Executor { name: string; period: number; p50: number; p99: number; max: number; count: number; overruns: number }

/** What the header says of a run. */
export interface Run {
  application: string;
  binding: string;
  world: string;
  seed: string;
  clock: string;
  /** Name of the file or folder; "": live. */
  file: string;
  components: { name: string; class: string; group: string }[];
  connections: { from: string; port: string; to: string; toPort: string }[];
  units: Map<string, string>;
  executors: Executor[];
}

/** `shape`: the fields of its request, if it takes protobuf. */
export interface Service { id: number; name: string; shape: Shape[]; call(request: object): Promise<string> }

/** `other`: another run answers at the address; `none`: it names no run. */
export type Link = "none" | "connecting" | "live" | "lost" | "ended" | "other" | "recording";

const LEVELS: Record<string, Line["level"]> = { DEBUG: "debug", INFO: "info", WARNING: "warn", ERROR: "error", FATAL: "error" };

export class Store {
  topics = new Map<string, Topic>();
  lines: Line[] = [];
  frames = new Frames();
  properties = new Map<string, Property>();
  services = new Map<string, Service>();
  run: Run = { application: "", binding: "", world: "", seed: "", clock: "", file: "", components: [], connections: [], units: new Map(), executors: [] };
  /** summary.json of a recording: what the run came to. */
  summary: Record<string, unknown> = {};
  /** A second recording, which is laid over this one by run time. */
  other?: Store;
  /** Two times that are compared; undefined: not set. */
  marks: { A?: number; B?: number } = {};
  /** The time under the pointer in any plot. */
  hover: number | undefined;
  /** What the middle of the page shows. */
  view: "scene" | "graph" = "scene";
  link: Link = "connecting";
  /** A recording is being read: what is drawn of a part is of no use, and makes the rest come later. */
  isReading = false;
  why = "";
  role = "";
  /** What the run calls this page. */
  me = "";
  /** What the server left out for this page. */
  skipped = 0;
  first = Infinity;
  end = 0;
  /** The time that is shown; undefined: the newest. */
  cursor: number | undefined;
  selected = "";
  /** Grows with each message. */
  version = 0;
  /** Grows when time goes back: all that was drawn of before is void. */
  epoch = 0;
  /** Publishes a message to an input port. */
  publish?: (port: string, bytes: Uint8Array) => void;
  /** Comes when the run has answered all that was sent before. */
  ping?: () => Promise<void>;
  /** Called with what the run refuses beside calls of services. */
  onRefusal?: (text: string) => void;
  /** The user has said that hardware may move. */
  movesHardware = false;
  /** Whether this page publishes velocities. */
  isDriving = false;
  /** Fails with the reason when it is refused. */
  setProperty?: (name: string, value: unknown) => Promise<void>;
  private gap = 1 / 200;
  private series = new Map<string, Series>();
  private listeners = new Set<() => void>();

  get isRecording() { return this.link === "recording"; }
  get time() { return this.cursor ?? this.end; }
  get start() { return Math.min(this.first, this.end); }

  onChange(listener: () => void) { this.listeners.add(listener); }
  /** Tells the panels that something beside messages is new: selection, time, link. */
  changed() { this.listeners.forEach((f) => f()); }

  select(name: string) {
    this.selected = name;
    this.changed();
  }

  show(time: number | undefined) {
    this.cursor = time === undefined ? undefined : Math.max(this.start, Math.min(this.end, time));
    if (!this.isRecording && this.cursor !== undefined && this.cursor >= this.end) { this.cursor = undefined; }
    // of two recordings that are compared, B is the time that is shown
    if (this.other && this.cursor !== undefined) { this.marks.B = this.cursor; }
    this.changed();
  }

  mark(name: "A" | "B", time: number | undefined) {
    this.marks[name] = time === undefined ? undefined : Math.max(this.start, Math.min(this.end, time));
    this.changed();
  }

  describe(from: Description): Topic {
    let topic = this.topics.get(from.topic);
    if (!topic) {
      topic = new Topic(from);
      this.topics.set(from.topic, topic);
    }
    return topic;
  }

  add(topic: Topic, time: number, bytes: Uint8Array) {
    if (!isDrawn(topic.name)) { topic.count++; return; }
    const isFrames = topic.schema === "foxglove.FrameTransforms", isEvent = topic.schema === "foxglove.Log" || topic.schema === "foxglove.SceneUpdate" || topic.name === "/verdicts";
    const newest = topic.times[topic.length - 1] ?? -Infinity;
    // what waited for a slow viewer comes late: an old state says nothing any more; several sources of frames share a topic
    if (time < newest && !isFrames && !isEvent) { return; }
    if (topic.name === "/verdicts" && topic.has(time, bytes)) { return; }
    topic.add(Math.max(time, newest), bytes, isEvent ? 0 : this.gap);
    if (topic.schema === "foxglove.Log") { this.addLine(topic); }
    if (isFrames) { this.frames.add(topic.message(topic.length - 1), time); }
    // who joins late gets what holds with its old stamp
    if (!/^\/(scene|run|tf|log|events|verdicts)\b/.test(topic.name)) { this.first = Math.min(this.first, time); }
    this.end = Math.max(this.end, time);
    this.version++;
  }

  /** Forgets what is older than the ring of a live run. */
  forget() {
    const from = this.end - KEPT;
    if (this.isRecording || from < this.first) { return; }
    for (const topic of this.topics.values()) {
      if (topic.schema !== "foxglove.SceneUpdate" && topic.name !== "/verdicts") { topic.forget(from - 1); }
    }
    this.frames.forget(from - 1);
    this.first = Math.max(this.first, from);
    if (this.lines.length > 4000) { this.lines.splice(0, 1000); }
  }

  /** Time went back: the run began anew. */
  restart() {
    for (const topic of this.topics.values()) { if (!/^\/(scene|run\/.*)$/.test(topic.name)) { topic.clear(); } }
    this.frames.clear();
    this.lines = [];
    this.series.clear();
    this.first = Infinity;
    this.end = 0;
    this.cursor = undefined;
    this.epoch++;
  }

  /** The numbers of a field over time. */
  numbers(topic: string, path: string, factor = 1): Series | undefined {
    const found = this.topics.get(topic), key = `${topic} ${path} ${factor}`;
    if (!found) { return undefined; }
    let series = this.series.get(key);
    if (!series) {
      series = new Series(found, path, factor);
      this.series.set(key, series);
    }
    return series.take();
  }

  value(topic: string, path: string, time = this.time): unknown { return pick(this.topics.get(topic)?.at(time), path); }

  private addLine(topic: Topic) {
    const m = topic.message(topic.length - 1)!;
    const line: Line = { time: topic.times[topic.length - 1]!, level: LEVELS[String(m.level)] ?? "info", from: String(m.name ?? ""), text: String(m.message ?? "") };
    // the log and the events tell some things both
    if (!this.lines.slice(-20).some((l) => l.time === line.time && l.from === line.from && l.text === line.text)) { this.lines.push(line); }
  }
}
