// SPDX-License-Identifier: Apache-2.0
// A recording (MCAP) as a source: reads it whole, in pieces between which the page answers.
import { readMcap } from "./mcap";
import { runOf } from "./run";
import type { Store } from "./store";
import type { Topic } from "./topic";

/** Fills the store; throws an Error that says in words why a file cannot be shown. */
export async function readRecording(store: Store, bytes: Uint8Array, name: string, onPart: (part: number) => void) {
  const topics = new Map<object, Topic>();
  let paused = performance.now(), summary: string | undefined;
  store.isReading = true;
  store.link = "recording";
  const onAttachment = (file: string, text: string) => {
    if (file.endsWith("run.json")) { store.run = runOf(text, store); }
    if (file.endsWith("summary.json")) { summary = text; }
  };
  for (const { messages, part } of readMcap(bytes, onAttachment)) {
    for (const message of messages) {
      let topic = topics.get(message.topic);
      if (!topic) { topics.set(message.topic, topic = store.describe(message.topic)); }
      store.add(topic, message.time, message.bytes);
    }
    if (performance.now() - paused > 60) {
      onPart(part);
      await new Promise((go) => setTimeout(go));
      paused = performance.now();
    }
  }
  store.run.file = name;
  store.summary = summary ? JSON.parse(summary) as Record<string, unknown> : {};
  store.isReading = false;
  store.cursor = store.end;
}
