// SPDX-License-Identifier: Apache-2.0
// The page: which source (the address has #t=TOKEN for a live run, #r=TOKEN for a recording; a report has the recording inside), the panels of the
// table in their places, time and keys.
import "./style.css";
import "./ui/narrow.css";
import { readRecording } from "./data/recording";
import { runOf } from "./data/run";
import { firstDifference } from "./panels/compare/pair";
import { Socket } from "./data/socket";
import { Store } from "./data/store";
import { keys } from "./keys";
import type { Context, Panel, Player, View } from "./panels/panel";
import { OF_TWO, PANELS } from "./panels/table";
import { h } from "./ui/dom";
import { Layers } from "./ui/layers";
import { onTheme, startTheme } from "./ui/theme";
import { toast } from "./ui/toast";

startTheme();
const store = new Store(), layers = new Layers();

class RecordingPlayer implements Player {
  isPlaying = false;
  speed = 1;
  play(on: boolean) {
    if (on && store.time >= store.end) { store.show(store.start); }
    this.isPlaying = on;
    store.changed();
  }
  setSpeed(speed: number) { this.speed = speed; }
  /** Moves time by `seconds` of the wall. */
  advance(seconds: number) {
    if (!this.isPlaying) { return; }
    store.show(store.time + seconds * this.speed);
    if (store.time >= store.end) { this.play(false); }
  }
}

const player = new RecordingPlayer(), context: Context = { store, layers, player };
const places = Object.fromEntries((["top", "left", "main", "under", "right", "bottom", "line"] as const).map((place) => [place, h(place === "main" ? "main" : "div", { id: place })]));
document.body.append(h("div", { id: "app" }, ...Object.values(places)));
const views = new Map<Panel, View>();
let isNew = true, hasPainted = false;

const placeOf = (panel: Panel) => places[typeof panel.place === "function" ? panel.place(store) : panel.place]!;

function place(panel: Panel, into: HTMLElement) {
  const view = views.get(panel) ?? panel.make(context), before = PANELS.slice(PANELS.indexOf(panel) + 1).map((p) => views.get(p)?.element).find((e) => e?.parentElement === into);
  views.set(panel, view);
  into.insertBefore(view.element, before ?? null);
}

/** Columns are as wide as the widest of their panels asks for. */
function setColumns() {
  const shown = PANELS.filter((p) => views.get(p)?.element.isConnected), width = (side: string, least: number) => Math.max(least, ...shown.filter((p) => p.place === side).map((p) => p.width ?? 0));
  const columns = `${width("left", 288)} ${width("right", 344)}`, app = document.getElementById("app")!;
  if (app.dataset.columns === columns) { return; }
  app.dataset.columns = columns;
  const [left, right] = columns.split(" ");
  app.style.setProperty("--left", `${left}px`);
  app.style.setProperty("--right", `${right}px`);
}

function update() {
  store.forget();
  const list = store.other ? OF_TWO : PANELS;
  for (const panel of PANELS) {
    if (panel.place === "main" && !hasPainted) { continue; } // the 3-D view takes longest to make
    const view = views.get(panel), at = view?.element.parentElement, wanted = list.includes(panel) && panel.fits(store) ? placeOf(panel) : undefined;
    if (at !== (wanted ?? null) || !view) { if (wanted) { place(panel, wanted); } else { view?.element.remove(); } }
  }
  setColumns();
  views.forEach((view) => { if (view.element.isConnected) { view.update(); } });
}

store.onChange(() => { isNew = true; });
layers.onChange(() => { isNew = true; });
onTheme(() => { isNew = true; });
let version = -1, drawnAt = 0, frameAt = performance.now();
function frame(now: number) {
  player.advance((now - frameAt) / 1000);
  frameAt = now;
  if ((isNew || store.version !== version) && !store.isReading && now - drawnAt > 95) {
    version = store.version;
    isNew = false;
    drawnAt = now;
    update();
  }
  requestAnimationFrame(frame);
}
// the file comes while the panels are made
start().catch((why: Error) => toast(`this cannot be shown: ${why.message}`));
update();
requestAnimationFrame((now) => { hasPainted = true; frame(now); document.body.dataset.shownMs = now.toFixed(0); });
keys(context);

async function fetchKept(name: string, token: string): Promise<ArrayBuffer> {
  const answer = await fetch(name, { headers: { authorization: `Bearer ${token}` } });
  if (!answer.ok) { throw new Error(`${name}: ${(await answer.text()).trim()}`); }
  return answer.arrayBuffer();
}

/** Shows one recording, or two of them over each other. */
async function open(files: { bytes: Uint8Array; name: string }[]) {
  const stores = [store, ...files.slice(1).map(() => new Store())];
  for (const [i, { bytes, name }] of files.entries()) {
    store.isReading = true;
    await readRecording(stores[i]!, bytes, name, (part) => toast(`reading the recording${files.length > 1 ? ` ${i + 1}` : ""}: ${Math.round(part * 100)} %`));
  }
  store.isReading = false;
  if (stores[1]) { pair(stores[1]); }
  document.querySelector(".toast")?.remove();
  document.dispatchEvent(new CustomEvent("camera", { detail: "fit" }));
  store.changed();
  document.body.dataset.ready = "yes";
}

function pair(other: Store) {
  store.other = other;
  store.marks = { A: firstDifference(store, other), B: store.end };
  document.getElementById("app")!.classList.add("pair");
  for (const name of ["error ribbon", "lens", "laser"] as const) { if (layers.has(name)) { layers.toggle(name); } }
}

async function start() {
  const inside = [...document.querySelectorAll<HTMLElement>(".recording")], live = /[#&]t=([0-9a-f]{32})/.exec(location.hash)?.[1], kept = /[#&]r=([0-9a-f]{32})/.exec(location.hash)?.[1];
  if (inside.length) {
    await new Promise(requestAnimationFrame);
    await open(inside.map((e) => ({ bytes: Uint8Array.from(atob(e.textContent!), (c) => c.charCodeAt(0)), name: e.dataset.name ?? "recording" })));
  } else if (kept) {
    const names = [...location.hash.matchAll(/&n=([^&]*)/g)].map((m) => decodeURIComponent(m[1]!));
    await open(await Promise.all(names.map(async (name, i) => ({ name, bytes: new Uint8Array(await fetchKept(i ? "recording2.mcap" : "recording.mcap", kept)) }))));
  } else if (live) {
    const described = await fetchKept("run.json", live).catch(() => undefined);
    if (described) { store.run = runOf(new TextDecoder().decode(described), store); }
    new Socket(store, `ws://${location.host}/${live}`);
    document.body.dataset.ready = "yes";
  } else {
    store.link = "none";
    store.changed();
  }
}

addEventListener("hashchange", () => location.reload());
Object.assign(window, { doppel: { store, layers, player } });
