// SPDX-License-Identifier: Apache-2.0
// A recording (MCAP) as a source: reads it whole, in pieces between which the page answers.
import { McapIndexedReader } from "@mcap/core";
import { decompress } from "fzstd";
import { runOf } from "./run";
import type { Store } from "./store";

const seconds = (ns: bigint) => Number(ns) / 1e9;

/** Fills the store; throws an Error that says in words why a file cannot be shown. */
export async function readRecording(store: Store, bytes: Uint8Array, name: string, onPart: (part: number) => void) {
  const readable = {
    size: () => Promise.resolve(BigInt(bytes.length)),
    read: (at: bigint, n: bigint) => Promise.resolve(bytes.subarray(Number(at), Number(at + n))),
  };
  const decompressHandlers = { zstd: (from: Uint8Array, size: bigint) => decompress(from, new Uint8Array(Number(size))) };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  for await (const attachment of reader.readAttachments()) {
    if (attachment.name.endsWith("run.json")) { store.run = runOf(new TextDecoder().decode(attachment.data), store); }
  }
  store.run.file = name;
  store.isReading = true;
  store.link = "recording";
  const topics = new Map([...reader.channelsById.values()].map((channel) => {
    const schema = reader.schemasById.get(channel.schemaId);
    return [channel.id, store.describe({ topic: channel.topic, encoding: channel.messageEncoding, schemaName: schema?.name ?? "",
      schemaEncoding: schema?.encoding ?? "", schema: schema?.data ?? new Uint8Array() })] as const;
  }));
  const first = reader.statistics?.messageStartTime ?? 0n, whole = Math.max(1e-9, seconds((reader.statistics?.messageEndTime ?? 0n) - first));
  let paused = performance.now();
  for await (const message of reader.readMessages()) {
    store.add(topics.get(message.channelId)!, seconds(message.logTime), message.data);
    if (performance.now() - paused > 60) {
      onPart(seconds(message.logTime - first) / whole);
      await new Promise((go) => setTimeout(go));
      paused = performance.now();
    }
  }
  store.isReading = false;
  store.cursor = store.end;
}
