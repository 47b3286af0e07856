// SPDX-License-Identifier: Apache-2.0
// The 3-D view. It is drawn when something differs, at most once a frame of the screen.
import * as THREE from "three";
import { bodies, hasRibbon } from "../../data/facts";
import { yaw } from "../../data/frames";
import { inputsOf, isGrip } from "../../data/world";
import { haloText } from "../../ui/chart";
import { canvasOf, h, setText } from "../../ui/dom";
import { onTheme, theme } from "../../ui/theme";
import { chipsOf } from "../compare/pair";
import { Second } from "../compare/second";
import { Lens } from "../lens/lens";
import type { Context, Panel, View } from "../panel";
import { CAMERAS, Cameras, type CameraName } from "./cameras";
import { Drag } from "./drag";
import { Laser } from "./laser";
import { Rivals } from "./rivals";
import { Base } from "./robots";
import { setPose, Things, type Label } from "./things";
import { Trails } from "./trails";

function floorOf(): THREE.Group {
  const group = new THREE.Group(), floor = new THREE.Mesh(new THREE.PlaneGeometry(200, 200), new THREE.MeshBasicMaterial({ color: theme.floor })), grid = new THREE.GridHelper(80, 80, theme.line, theme.line);
  floor.position.z = -0.004;
  grid.rotation.x = Math.PI / 2;
  (grid.material as THREE.Material).transparent = true;
  (grid.material as THREE.Material).opacity = theme.isLight ? 0.9 : 0.55;
  group.add(floor, grid);
  return group;
}

function axes(): THREE.Group { return new THREE.Group().add(new THREE.AxesHelper(0.35)); }

class Scene implements View {
  readonly canvas = h("canvas", { tabindex: "0", "aria-label": "3-D view: drag turns, the wheel zooms, arrow keys of the timeline move time", role: "img" });
  private over = h("canvas", { class: "over", "aria-hidden": "true" });
  private notice = h("div", { class: "notice" });
  private hits = h("span", { class: "dim" });
  private chips: Record<"robot" | "avatar" | "laser", HTMLElement>;
  private legend = h("div", { class: "legend" }, "ribbon: distance × 50", h("i", {}), h("div", {}, h("span", {}, "1"), h("span", {}, "5"), h("span", {}, "20 mm")));
  private buttons: [CameraName, HTMLElement][];
  private followButton: HTMLElement;
  private dragButton: HTMLElement;
  private drag: Drag;
  readonly element: HTMLElement;
  private renderer: THREE.WebGLRenderer;
  private scene = new THREE.Scene();
  private cameras: Cameras;
  private things = new Things();
  private robot = new Base("robot");
  private avatar = new Base("avatar");
  private laser = new Laser();
  private rivals = new Rivals();
  private trails = new Trails();
  private lens = new Lens();
  private second = new Second();
  private frames = new THREE.Group();
  private floor = new THREE.Group();
  private hemisphere = new THREE.HemisphereLight();
  private sun = new THREE.DirectionalLight("#ffffff");
  private seen = "";
  private isFitted = false;
  private needsFrame = true;
  private takenAt = 0;

  constructor(private context: Context) {
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.toneMapping = THREE.NoToneMapping;
    this.cameras = new Cameras(this.canvas, () => { this.needsFrame = true; });
    const chip = (sign: string, name: string, ...more: (string | Node)[]) => h("span", { class: "word" }, h("span", { class: `dot ${sign}` }), name, "\u2002", ...more);
    this.drag = new Drag(context.store, this.canvas, this.cameras.camera, this.things, () => { this.needsFrame = true; });
    this.dragButton = h("button", { id: "drag", title: "press on a body, and drag it: the world pulls it there", click: () => { this.drag.toggle(); this.cameras.isTouched = true; this.update(); } }, h("span", { class: "key" }, "h"), " drag bodies");
    this.chips = { robot: chip("real", "robot", h("span", { class: "dim" }, "solid")), avatar: chip("dashed avatar", "avatar", h("span", { class: "dim" }, "glass, dashed")), laser: chip("danger", "laser", this.hits) };
    this.buttons = CAMERAS.map((name) => [name, h("button", { click: () => this.choose(name) }, name)]);
    this.followButton = h("button", { id: "follow", click: () => this.follow() }, h("span", { class: "key" }, "f"), " follow");
    this.element = h("section", { class: "scene", "aria-label": "3-D view" }, this.canvas, this.over, this.legend, this.lens.element, this.notice,
      h("div", { class: "chips" }, ...Object.values(this.chips), h("span", { class: "space nothing" }), ...this.buttons.map(([, b]) => b), this.followButton, this.dragButton));
    this.scene.add(this.floor, this.things.group, this.trails.group, this.laser.group, this.rivals.group, this.second.group, this.robot.group, this.avatar.group, this.frames, this.drag.line, this.hemisphere, this.sun);
    this.sun.position.set(-6, 1, 7);
    this.hemisphere.position.set(0, 0, 1);
    this.dress();
    onTheme(() => this.dress());
    context.layers.onChange(() => { this.needsFrame = true; });
    document.addEventListener("camera", (e) => { const what = (e as CustomEvent<string>).detail; if (what === "follow") { this.follow(); } else if (what === "fit") { this.isFitted = false; this.needsFrame = true; } else { this.choose(CAMERAS[(CAMERAS.indexOf(this.cameras.name) + 1) % CAMERAS.length]!); } });
    const loop = () => { this.draw(); requestAnimationFrame(loop); };
    requestAnimationFrame(loop);
  }

  private choose(name: CameraName) {
    this.cameras.choose(name);
    if (name !== "Behind robot") { this.fit(); }
    this.needsFrame = true;
  }

  private follow() {
    this.cameras.follows = !this.cameras.follows;
    this.needsFrame = true;
  }

  private dress() {
    this.floor.clear();
    this.floor.add(floorOf());
    this.scene.background = new THREE.Color(theme.bg0);
    this.scene.fog?.color.set(theme.bg0);
    this.hemisphere.color.set("#ffffff");
    this.hemisphere.groundColor.set(theme.isLight ? "#b8c2cc" : "#404a58");
    this.hemisphere.intensity = theme.isLight ? 1.55 : 1.6;
    this.sun.intensity = theme.isLight ? 1.6 : 1.7;
    for (const part of [this.robot, this.avatar, this.laser, this.rivals, this.trails, this.second]) { part.dress(); }
    this.seen = "";
    this.needsFrame = true;
  }

  private robotPose() {
    const { store } = this.context, { robot, avatar } = bodies(store);
    return (robot ? store.frames.inWorld(robot, store.time) : undefined) ?? (avatar ? store.frames.inWorld(avatar, store.time) : undefined);
  }

  /** A robot that drives; a body that climbs in something tall; else all that there is. */
  private fit() {
    const { store } = this.context, way = this.trails.box.union(this.second.box), size = way.getSize(new THREE.Vector3()), bodiesBox = this.things.boundsOfBodies();
    const isDriving = bodies(store).robot !== undefined && (Math.hypot(size.x, size.y) > 0.6 || store.frames.tracks.has("odom"));
    const all = bodiesBox.clone().union(this.things.box), span = all.getSize(new THREE.Vector3());
    const climber = !isDriving && span.z > 4 * Math.max(span.x, span.y) ? this.things.climber(store) : undefined;
    this.climber = climber;
    const at = climber && store.frames.inWorld(climber, store.time);
    if (at) {
      this.cameras.lookFrom(new THREE.Vector3(at[0] + 0.02, at[1] - 0.2, at[2] + 0.4), new THREE.Vector3(at[0] + 2.5, at[1] - 6.3, at[2] + 1.9), span.z);
    } else {
      const isBare = !isDriving && Math.max(span.x, span.y) > 6 * bodiesBox.getSize(new THREE.Vector3()).length();
      this.cameras.fit(isBare && !bodiesBox.isEmpty() ? bodiesBox : all, isDriving ? way : new THREE.Box3(), isDriving ? this.robotPose() : undefined);
    }
    this.floor.position.z = all.isEmpty() || this.isPlanar() ? 0 : Math.min(0, all.min.z);
    const far = this.cameras.camera.position.distanceTo(this.cameras.controls.target);
    this.scene.fog = new THREE.Fog(theme.bg0, far * 1.2, far * 2.8 + 2);
  }
  private climber?: string;
  private isPlanar() { return this.context.store.frames.tracks.has("odom"); }

  update() {
    const { store, layers } = this.context;
    for (const [name, button] of this.buttons) { button.setAttribute("aria-pressed", String(name === this.cameras.name)); }
    this.followButton.setAttribute("aria-pressed", String(this.cameras.follows));
    const { robot, avatar } = bodies(store);
    this.chips.robot.hidden = !robot && !this.things.hasAmber;
    this.chips.avatar.hidden = !avatar && !this.things.hasAvatar;
    this.chips.laser.hidden = this.laser.hits === 0 || store.other !== undefined;
    if (store.other && !this.chips.avatar.querySelector(".badge")) { this.chips.avatar.replaceChildren(...chipsOf(store)); }
    setText(this.hits, `${this.laser.hits} hits`);
    this.legend.hidden = !hasRibbon(store) || !layers.has("error ribbon");
    this.dragButton.hidden = store.isRecording || !inputsOf(store).some(isGrip);
    this.dragButton.setAttribute("aria-pressed", String(this.drag.isOn));
    for (const part of [this.buttons[2]![1], this.followButton]) { part.hidden = !robot && !avatar; }
    const isEmpty = !this.things.group.children.some((c) => c.children.length || c instanceof THREE.Mesh) && !robot && !avatar;
    setText(this.notice, !isEmpty ? "" : store.link === "connecting" ? "connecting to the run" : store.topics.size === 0 ? "waiting for the first message" : "this run shows no world: its values are at the right");
  }

  private draw() {
    const { store, layers } = this.context, now = performance.now();
    const key = `${store.cursor === undefined ? store.version : store.frames.version} ${store.time} ${store.marks.A} ${this.canvas.clientWidth} ${this.canvas.clientHeight} ${store.epoch}`;
    // the graph lies over it
    if (store.view !== "scene" || store.isReading || (!this.needsFrame && key === this.seen)) { return; }
    this.seen = key;
    this.needsFrame = false;
    const { robot, avatar } = bodies(store), isPlanar = robot !== undefined && store.frames.tracks.has("odom");
    if (now - this.takenAt > 200 || store.isRecording) {
      this.takenAt = now;
      this.trails.take(store);
    }
    this.things.update(store, layers, isPlanar);
    this.things.hasWay = bodies(store).robot !== undefined;
    this.things.place(store, layers);
    for (const [base, frame, layer] of [[this.robot, robot, "robot"], [this.avatar, avatar, "avatar"]] as const) {
      const pose = frame && isPlanar ? store.frames.inWorld(frame, store.time) : undefined;
      base.show(pose !== undefined && layers.has(layer), layer === "robot" ? this.things.hasRobot : this.things.hasAvatar);
      if (pose) { setPose(base.group, pose); }
    }
    this.drag.show();
    this.laser.update(store, layers.has("laser"));
    this.element.dataset.rivals = String(this.rivals.update(store, layers.has("robot")));
    this.trails.show(store, layers);
    this.second.update(store);
    this.drawFrames();
    const pose = this.robotPose(), isDue = !this.isFitted || now - this.fittedAt > 4000, isReady = isDue && (pose !== undefined || !this.things.boundsOfBodies().isEmpty() || !this.things.box.isEmpty());
    if (isReady && (!this.isFitted || (!this.cameras.isTouched && this.cameras.name === "Free" && !this.cameras.follows && store.link === "live"))) {
      this.isFitted = true;
      this.fittedAt = now;
      this.fit();
    }
    this.cameras.track(pose ?? (this.climber ? store.frames.inWorld(this.climber, store.time) : undefined), this.climber !== undefined);
    this.resize();
    this.renderer.render(this.scene, this.cameras.camera);
    const turn = pose ? yaw(pose) - this.azimuth() : 0;
    this.lens.draw(store, turn, layers.has("lens"));
    this.drawLabels(pose ? new THREE.Vector3(pose[0], pose[1], pose[2] + 0.06) : undefined);
    this.element.dataset.calls = String(this.renderer.info.render.calls);
    this.element.dataset.ms = (performance.now() - now).toFixed(2);
  }
  private fittedAt = 0;

  /** Of the direction to the right of the picture, on the floor. */
  private azimuth(): number {
    const right = new THREE.Vector3().setFromMatrixColumn(this.cameras.camera.matrixWorld, 0);
    return Math.atan2(right.y, right.x);
  }

  private drawFrames() {
    const { store, layers } = this.context;
    this.frames.visible = layers.has("frames");
    if (!this.frames.visible) { return; }
    const names = [...store.frames.tracks.keys()];
    while (this.frames.children.length < names.length) { this.frames.add(axes()); }
    names.forEach((name, i) => { const pose = store.frames.inWorld(name, store.time); this.frames.children[i]!.visible = pose !== undefined; if (pose) { setPose(this.frames.children[i]!, pose); } });
  }

  private resize() {
    const w = this.canvas.clientWidth, height = this.canvas.clientHeight, size = this.renderer.getSize(new THREE.Vector2());
    if (size.x === w && size.y === height) { return; }
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
    this.renderer.setSize(w, height, false);
    this.cameras.camera.aspect = w / Math.max(1, height);
    this.cameras.camera.updateProjectionMatrix();
  }

  private project(at: THREE.Vector3): [number, number] | undefined {
    const p = at.clone().project(this.cameras.camera);
    return p.z < 1 && Math.abs(p.x) < 1.1 && Math.abs(p.y) < 1.1 ? [((p.x + 1) / 2) * this.canvas.clientWidth, ((1 - p.y) / 2) * this.canvas.clientHeight] : undefined;
  }

  /** Labels of things, and lines from the robot to its lens. */
  private drawLabels(robot: THREE.Vector3 | undefined) {
    const c = canvasOf(this.over);
    if (!c) { return; }
    const at = robot && !this.lens.element.hidden ? this.project(robot) : undefined;
    if (at) {
      const isLeft = this.lens.element.classList.contains("centre"), r = isLeft ? 77 : 117, x = isLeft ? 116 : this.over.clientWidth - 16 - 118, y = this.over.clientHeight - 14 - 36 - r - 1, a = Math.atan2(at[1] - y, at[0] - x);
      if (Math.hypot(at[0] - x, at[1] - y) > 150) {
        c.strokeStyle = theme.dim;
        c.lineWidth = 1;
        for (const side of [1.1, -1.1]) { c.beginPath(); c.moveTo(at[0], at[1]); c.lineTo(x + r * Math.cos(a + side), y + r * Math.sin(a + side)); c.stroke(); }
      }
    }
    [...this.things.forces, ...this.second.labels, ...this.things.labels].slice(0, 6).forEach((label, i) => this.drawLabel(c, label, i));
  }

  private drawLabel(c: CanvasRenderingContext2D, label: Label, i: number) {
    const p = this.project(label.at);
    if (!p) { return; }
    c.font = "600 11px Inter, system-ui, sans-serif";
    const w = c.measureText(label.text).width + 16, x = p[0] + (i % 2 ? 30 : -30 - w), y = p[1] - 52, colour = label.role === "force" ? theme.danger : label.role === "robot" ? theme.real : theme.avatar;
    c.strokeStyle = c.fillStyle = colour;
    c.lineWidth = 1;
    c.beginPath();
    c.arc(p[0], p[1], 2.5, 0, 7);
    c.fill();
    c.beginPath();
    c.moveTo(p[0], p[1]);
    c.lineTo(x + w / 2, y + 20);
    c.stroke();
    c.fillStyle = theme.bg1;
    c.fillRect(x, y, w, 20);
    c.strokeRect(x + 0.5, y + 0.5, w - 1, 19);
    c.textAlign = "left";
    haloText(c, label.text, x + 8, y + 14);
  }
}

export const scene: Panel = { name: "scene", place: "main", fits: () => true, make: sceneOr };

/** A browser without WebGL shows everything else. */
function sceneOr(context: Context): View {
  try {
    return new Scene(context);
  } catch (why) {
    console.warn(why);
    return { element: h("section", { class: "scene", "aria-label": "3-D view" }, h("div", { class: "notice" }, "No 3-D view: this browser offers no WebGL. Everything else of the page works.")), update() { /* nothing moves */ } };
  }
}
