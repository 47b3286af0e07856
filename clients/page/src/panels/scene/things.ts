// SPDX-License-Identifier: Apache-2.0
// The things of the worlds, as the topics of type foxglove.SceneUpdate describe them: what stands still is merged to few meshes, what moves has a
// group for each frame. Walls and furniture are cut low when a robot drives between them: the room becomes a map with depth.
import * as THREE from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { poseOf, type Pose } from "../../data/frames";
import type { Message } from "../../data/protobuf";
import type { Store } from "../../data/store";
import type { Layers } from "../../ui/layers";
import { theme } from "../../ui/theme";
import { bodyMaterial, ghost, isPlain } from "./materials";

interface Vector { x: number; y: number; z: number }
interface Color { r: number; g: number; b: number; a: number }
interface Shape { pose?: { position?: Vector; orientation?: Vector & { w: number } }; size?: Vector; color?: Color; points?: Vector[]; indices?: number[]; colors?: Color[]; type?: string; text?: string }
export interface Entity { id: string; frame: string; lifetime: number; meta: Record<string, string>; message: Message }

export interface Label { at: THREE.Vector3; text: string; role: "robot" | "avatar" | "force" }

/** What depends on the time: links, ropes, contacts, ways. The newest message has all that is not fading. */
const LIVE = /\/live$/;
const SHELL = 1.13; // an avatar is that much larger than its robot
const TRACE_SHOWN = 8; // s
const WALL = 0.34, FURNITURE = 0.6;
const KINDS = ["cubes", "spheres", "cylinders", "triangles"] as const;
type Kind = (typeof KINDS)[number];

const shapesOf = (entity: Entity, kind: string) => (entity.message[kind] ?? []) as Shape[];
const isFixed = (entity: Entity) => ["wall", "object"].includes(entity.meta.layer ?? "") || (entity.meta.role ?? "world") === "world";

function matrixOf(shape: Shape): THREE.Matrix4 {
  const [x, y, z, a, b, c, w] = poseOf(shape.pose?.position, shape.pose?.orientation);
  return new THREE.Matrix4().compose(new THREE.Vector3(x, y, z), new THREE.Quaternion(a, b, c, w), new THREE.Vector3(1, 1, 1));
}

function geometryOf(kind: Kind, shape: Shape, cut: number): THREE.BufferGeometry | undefined {
  const s = { ...(shape.size ?? { x: 1, y: 1, z: 1 }) }, matrix = matrixOf(shape);
  const z = shape.pose?.position?.z ?? 0, foot = z - s.z / 2;
  if (cut < Infinity && kind !== "triangles") {
    if (foot >= cut) { return undefined; }
    const top = Math.min(z + s.z / 2, cut);
    s.z = top - foot;
    matrix.setPosition(shape.pose?.position?.x ?? 0, shape.pose?.position?.y ?? 0, (foot + top) / 2);
  }
  let made: THREE.BufferGeometry;
  switch (kind) {
    case "cubes": made = new THREE.BoxGeometry(s.x, s.y, s.z); break;
    case "spheres": made = new THREE.SphereGeometry(0.5, 24, 16).scale(s.x, s.y, s.z); break;
    case "cylinders": made = new THREE.CylinderGeometry(0.5, 0.5, 1, 32).rotateX(Math.PI / 2).scale(s.x, s.y, s.z); break;
    case "triangles": {
      made = new THREE.BufferGeometry();
      made.setAttribute("position", new THREE.Float32BufferAttribute((shape.points ?? []).flatMap((p) => [p.x, p.y, p.z]), 3));
      if (shape.indices?.length) { made.setIndex(shape.indices); }
      made = made.index ? made.toNonIndexed() : made;
      made.computeVertexNormals();
    }
  }
  made.deleteAttribute("uv");
  return (made.index ? made.toNonIndexed() : made).applyMatrix4(matrix);
}

export function parse(message: Message): Entity {
  const meta: Record<string, string> = {}, lifetime = (message.lifetime ?? {}) as { seconds?: number; sec?: number; nanos?: number; nsec?: number };
  for (const { key, value } of (message.metadata ?? []) as { key: string; value: string }[]) { meta[key] = value; }
  return { id: String(message.id), frame: String(message.frame_id), meta, message,
    lifetime: Number(lifetime.seconds ?? lifetime.sec ?? 0) + Number(lifetime.nanos ?? lifetime.nsec ?? 0) / 1e9 };
}

/** The mean of its shapes, in its frame: about where its mass is. */
export function middleOf(store: Store, frame: string): [number, number, number] | undefined {
  const sum = new THREE.Vector3(), at = new THREE.Vector3();
  let n = 0;
  for (const topic of store.topics.values()) {
    for (let i = 0; topic.schema === "foxglove.SceneUpdate" && !LIVE.test(topic.name) && i < topic.length; i++) {
      for (const entity of ((topic.message(i)!.entities ?? []) as Message[]).map(parse)) {
        if (entity.frame !== frame || !["visual", "collision"].includes(entity.meta.layer ?? "")) { continue; }
        for (const kind of KINDS) { for (const shape of shapesOf(entity, kind)) { const made = geometryOf(kind, shape, Infinity)!; made.computeBoundingBox(); sum.add(made.boundingBox!.getCenter(at)); made.dispose(); n++; } }
      }
    }
  }
  return n ? sum.divideScalar(n).toArray() : undefined;
}

/** What two worlds have in common has the same key. */
function keyOf(entity: Entity): string {
  const round = (v: number | undefined) => Math.round((v ?? 0) * 50);
  return KINDS.flatMap((kind) => shapesOf(entity, kind).map((s) => [kind, round(s.pose?.position?.x), round(s.pose?.position?.y), round(s.pose?.position?.z), round(s.pose?.orientation?.z), round(s.size?.x),
    round(s.size?.y), round(s.size?.z), s.points?.length].join())).join(";");
}

export class Things {
  readonly group = new THREE.Group();
  labels: Label[] = [];
  /** What is written at forces. */
  forces: Label[] = [];
  /** What there is, for cameras. */
  box = new THREE.Box3();
  hasRobot = false;
  hasAvatar = false;
  /** Something has the robot's colour. */
  hasAmber = false;
  /** The way of a robot is drawn by others. */
  hasWay = false;
  private entities = new Map<string, Entity>();
  private taken = new Map<string, number>();
  private moving = new Map<string, THREE.Group>();
  private brief = new THREE.Group();
  private briefKey = "";
  private isAlone = false;
  private key = "";

  /** Takes what is new. Returns whether anything differs. */
  update(store: Store, layers: Layers, isPlanar: boolean): boolean {
    let isNew = false;
    for (const topic of store.topics.values()) {
      if (topic.schema !== "foxglove.SceneUpdate" || LIVE.test(topic.name)) { continue; }
      const from = this.taken.get(topic.name) ?? 0;
      for (let i = Math.max(0, from - topic.dropped); i < topic.length; i++) { isNew = this.take(topic.message(i)!) || isNew; }
      this.taken.set(topic.name, topic.dropped + topic.length);
    }
    const key = [theme.isLight, isPlanar, store.epoch, store.frames.version, ...layers.hidden, ...["collision", "joints", "wireframe", "robot", "avatar"].map((n) => layers.has(n as "robot"))].join();
    if (isNew || key !== this.key) {
      this.key = key;
      this.rebuild(store, layers, isPlanar);
      isNew = true;
    }
    return isNew;
  }

  private take(message: Message): boolean {
    let isNew = false;
    for (const raw of (message.entities ?? []) as Message[]) {
      const entity = parse(raw);
      if (entity.lifetime > 0) { continue; }
      this.entities.set(entity.id, entity);
      isNew = true;
    }
    for (const deletion of (message.deletions ?? []) as { id: string; type: unknown }[]) {
      if (deletion.id) { isNew = this.entities.delete(deletion.id) || isNew; } else { this.entities.clear(); isNew = true; }
    }
    return isNew;
  }

  private isShown(entity: Entity, layers: Layers): boolean {
    const { layer = "visual", role = "world" } = entity.meta;
    if (layers.isHidden(entity.id)) { return false; }
    if (role === "robot" && !layers.has("robot")) { return false; }
    if (role === "avatar" && !layers.has("avatar")) { return false; }
    if (layer === "collision") { return layers.has("collision") || !this.hasVisual(entity); }
    return layer === "contact" ? layers.has("contacts") : layer === "joint" ? layers.has("joints") : true;
  }

  private hasVisual(of: Entity): boolean {
    for (const e of this.entities.values()) { if (e.frame === of.frame && e.meta.layer !== "collision" && e.meta.world === of.meta.world && KINDS.some((k) => shapesOf(e, k).length)) { return true; } }
    return false;
  }

  private rebuild(store: Store, layers: Layers, isPlanar: boolean) {
    this.isAlone = ![...store.frames.tracks.keys()].some((name) => !name.startsWith("avatar/") && name !== "odom");
    this.group.traverse((o) => { if (o instanceof THREE.Mesh || o instanceof THREE.LineSegments) { o.geometry.dispose(); } });
    this.group.clear();
    this.moving.clear();
    this.labels = [];
    this.box.makeEmpty();
    this.hasRobot = this.hasAvatar = this.hasAmber = false;
    this.briefKey = "";
    const all = [...this.entities.values()].filter((e) => this.isShown(e, layers)), fixed = all.filter((e) => isFixed(e) && !this.isMoving(e));
    this.addFixed(fixed, layers, isPlanar);
    for (const entity of all) { if (!fixed.includes(entity)) { this.addMoving(entity, layers, store.frames.tracks.get(entity.frame)?.moves ?? true); } }
    this.group.add(this.brief);
  }

  private isMoving(entity: Entity): boolean { return entity.frame !== "map" && entity.frame !== "odom" && entity.frame !== ""; }

  private addFixed(entities: Entity[], layers: Layers, isPlanar: boolean) {
    const worlds = new Set(entities.map((e) => e.meta.world ?? "")), real = [...this.entities.values()].find((e) => e.meta.role === "robot")?.meta.world;
    const seen = new Map<string, Entity[]>();
    for (const e of entities) { const k = keyOf(e); seen.set(k, [...(seen.get(k) ?? []), e]); }
    const piles = { wall: [] as THREE.BufferGeometry[], object: [] as THREE.BufferGeometry[] }, lines: THREE.BufferGeometry[] = [];
    for (const same of seen.values()) {
      const entity = same[0]!, isWall = entity.meta.layer === "wall", inAll = worlds.size < 2 || new Set(same.map((e) => e.meta.world)).size > 1 || !real;
      const made = KINDS.flatMap((kind) => shapesOf(entity, kind).map((s) => geometryOf(kind, s, isPlanar ? (isWall ? WALL : FURNITURE) : Infinity))).filter((g) => g !== undefined);
      const isGround = made.some((g) => { g.computeBoundingBox(); const b = g.boundingBox!; return b.max.z <= 0.02 && b.max.x - b.min.x > 3; });
      if (!made.length || isGround) { continue; }
      const one = mergeGeometries(made.map((g) => g.clone()))!;
      one.computeBoundingBox();
      this.box.union(one.boundingBox!);
      if (inAll) {
        piles[isWall ? "wall" : "object"].push(...made);
      } else { this.addSingle(one, entity.meta.world === real); if (entity.meta.world === real) { piles.object.push(...made); } }
      if (inAll) { lines.push(new THREE.EdgesGeometry(one, 30)); }
    }
    for (const name of ["wall", "object"] as const) { this.addPile(piles[name], name, layers.has("wireframe")); }
    if (lines.length) {
      const edges = mergeGeometries(lines)!;
      this.group.add(new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: theme.isLight ? theme.dim : theme.dim, transparent: true, opacity: theme.isLight ? 0.45 : 0.4 })));
    }
  }

  private addPile(pile: THREE.BufferGeometry[], name: "wall" | "object", wireframe: boolean) {
    if (!pile.length) { return; }
    const merged = mergeGeometries(pile)!, normal = merged.getAttribute("normal"), colours = new Float32Array(normal.count * 3);
    const side = new THREE.Color(theme[name]), top = name === "wall" ? side.clone().lerp(new THREE.Color(theme.isLight ? "#7f8b99" : "#aeb8c4"), 0.45) : side;
    for (let i = 0; i < normal.count; i++) { (normal.getZ(i) > 0.9 ? top : side).toArray(colours, i * 3); }
    merged.setAttribute("color", new THREE.BufferAttribute(colours, 3));
    this.group.add(new THREE.Mesh(merged, new THREE.MeshLambertMaterial({ vertexColors: true, wireframe })));
    merged.computeBoundingBox();
  }

  /** A thing that only one of two worlds has. */
  private addSingle(geometry: THREE.BufferGeometry, isReal: boolean) {
    const edges = new THREE.LineSegments(new THREE.EdgesGeometry(geometry, 30), new THREE.LineDashedMaterial({ color: isReal ? theme.real : theme.avatar, dashSize: 0.05, gapSize: 0.03 }));
    edges.computeLineDistances();
    this.group.add(edges);
    if (!isReal) { this.group.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: theme.avatar, transparent: true, opacity: 0.12, depthWrite: false }))); }
    const box = geometry.boundingBox!, at = box.getCenter(new THREE.Vector3());
    at.z = box.max.z;
    this.labels.push({ at, text: isReal ? "only in the room" : "only in the plan", role: isReal ? "robot" : "avatar" });
  }

  private addMoving(entity: Entity, layers: Layers, moves: boolean) {
    const own = entity.meta.role === "robot" || entity.meta.role === "avatar" ? entity.meta.role : "world", isJoint = entity.meta.layer === "joint";
    const role = (own === "robot" || this.isAlone) && !moves ? "world" : own; // what stands still is a part of the room
    let group = this.moving.get(entity.frame);
    if (!group) {
      group = new THREE.Group();
      group.visible = false;
      this.moving.set(entity.frame, group);
      this.group.add(group);
    }
    this.hasRobot ||= own === "robot";
    this.hasAmber ||= role === "robot" && KINDS.some((k) => shapesOf(entity, k).some((s) => isPlain(s.color)));
    this.hasAvatar ||= own === "avatar";
    if (entity.meta.layer === "collision" && layers.has("collision") && this.hasVisual(entity)) { this.addShapes(group, entity, () => new THREE.MeshBasicMaterial({ color: theme.ok, wireframe: true }), false); return; }
    this.addShapes(group, entity, (colour) => (isJoint ? new THREE.MeshBasicMaterial({ color: theme.danger, depthTest: false }) : bodyMaterial(role, colour, layers.has("wireframe"), this.isAlone)), own !== "avatar" || this.isAlone);
    if (role === "avatar" && !this.isAlone) { group.scale.setScalar(SHELL); }
    for (const line of shapesOf(entity, "lines")) { group.add(lineOf(line, isJoint ? "joint" : own)); }
  }

  /** One mesh for all shapes of a colour, and the edges of them all. */
  private addShapes(group: THREE.Group, entity: Entity, material: (colour: Color | undefined) => THREE.Material, hasEdges: boolean | "dashed") {
    const piles = new Map<string, { colour: Color | undefined; made: THREE.BufferGeometry[] }>(), edges: THREE.BufferGeometry[] = [];
    for (const kind of KINDS) {
      for (const shape of shapesOf(entity, kind)) {
        const geometry = geometryOf(kind, shape, Infinity), c = shape.color, key = c ? `${c.r} ${c.g} ${c.b} ${c.a}` : "";
        if (!geometry) { continue; }
        const pile = piles.get(key) ?? { colour: c, made: [] };
        piles.set(key, pile);
        pile.made.push(geometry);
        if (hasEdges && geometry.getAttribute("position").count < 6000) { edges.push(new THREE.EdgesGeometry(geometry, 30)); }
      }
    }
    for (const { colour, made } of piles.values()) { group.add(new THREE.Mesh(mergeGeometries(made)!, material(colour))); }
    if (!edges.length) { return; }
    const lines = new THREE.LineSegments(mergeGeometries(edges)!, hasEdges === "dashed" ? new THREE.LineDashedMaterial({ color: theme.avatar, dashSize: 0.03, gapSize: 0.02 })
      : new THREE.LineBasicMaterial({ color: theme.isLight ? "#5a4a2c" : theme.bg0, transparent: true, opacity: 0.45 }));
    lines.computeLineDistances();
    group.add(lines);
  }

  /** Puts what moves where it is, and shows what lasts only a moment. */
  place(store: Store, layers: Layers) {
    for (const [frame, group] of this.moving) {
      const pose = store.frames.inWorld(frame, store.time);
      group.visible = pose !== undefined;
      if (pose) { setPose(group, pose); }
    }
    this.placeBrief(store, layers);
  }

  /** Links, ropes, contacts, and where bodies went in the last seconds. */
  private placeBrief(store: Store, layers: Layers) {
    const found: Entity[] = [];
    let key = `${theme.isLight} ${[...layers.hidden].join()} ${["robot", "avatar", "contacts", "trails", "wireframe"].map((n) => layers.has(n as "robot"))}`;
    for (const topic of store.topics.values()) {
      if (topic.schema !== "foxglove.SceneUpdate" || !LIVE.test(topic.name)) { continue; }
      const newest = new Map<string, [Entity, string]>();
      for (let i = topic.after(store.time) - 1; i >= 0 && topic.times[i]! > store.time - TRACE_SHOWN; i--) {
        for (const raw of (topic.message(i)!.entities ?? []) as Message[]) {
          const id = String(raw.id);
          if (!newest.has(id)) { newest.set(id, [parse(raw), `${topic.name}${i}${id}`]); }
        }
      }
      for (const [entity, own] of newest.values()) {
        const isTrace = entity.meta.layer === "trace";
        if (!this.isShown(entity, layers) || (isTrace && (this.hasWay || !layers.has("trails")))) { continue; }
        found.push(entity);
        key += own;
      }
    }
    if (key === this.briefKey) { return; }
    this.briefKey = key;
    this.brief.traverse((o) => { if (o instanceof THREE.Mesh || o instanceof THREE.LineSegments || o instanceof THREE.Line) { o.geometry.dispose(); (o.material as THREE.Material).dispose(); } });
    this.brief.clear();
    this.forces = [];
    for (const entity of found) {
      if (entity.meta.layer === "force") { this.addForces(entity); continue; }
      const role = entity.meta.role === "avatar" || entity.meta.role === "robot" ? entity.meta.role : "world", isContact = entity.meta.layer === "contact";
      this.addShapes(this.brief, entity, (colour) => (isContact ? new THREE.MeshBasicMaterial({ color: theme.danger, depthTest: false }) : role === "avatar" && !this.isAlone ? ghost() : bodyMaterial(role, colour, layers.has("wireframe"), this.isAlone)), isContact ? false : role !== "avatar" || this.isAlone || "dashed");
      for (const line of shapesOf(entity, "lines")) { this.brief.add(lineOf(line, entity.meta.layer === "trace" ? role : "world")); }
    }
  }

  private addForces(entity: Entity) {
    for (const line of shapesOf(entity, "lines")) { this.brief.add(arrowOf(line.points![0]!, line.points![1]!)); }
    for (const { pose, text } of shapesOf(entity, "texts")) { this.forces.push({ at: new THREE.Vector3(pose?.position?.x, pose?.position?.y, pose?.position?.z), text: text ?? "", role: "force" }); }
  }

  /** What of a body a ray meets first: its frame, and the point in the world and in that frame. */
  pick(ray: THREE.Raycaster): { frame: string; point: THREE.Vector3; local: THREE.Vector3 } | undefined {
    const bodies = [...this.moving].filter(([, group]) => group.visible), hit = ray.intersectObjects(bodies.map(([, group]) => group)).find((h) => h.object instanceof THREE.Mesh);
    const body = hit && bodies.find(([, group]) => group === hit.object.parent);
    return body && { frame: body[0], point: hit.point, local: body[1].worldToLocal(hit.point.clone()) };
  }

  worldOf(frame: string, local: THREE.Vector3): THREE.Vector3 | undefined { return this.moving.get(frame)?.localToWorld(local.clone()); }

  /** Of what moves; of all bodies, with what stands still of them. */
  boundsOfMoving(store: Store): THREE.Box3 {
    const box = new THREE.Box3();
    for (const [frame, group] of this.moving) { if (group.visible && store.frames.tracks.get(frame)?.moves) { group.updateWorldMatrix(true, true); box.expandByObject(group); } }
    return box;
  }

  boundsOfBodies(): THREE.Box3 {
    const box = new THREE.Box3().expandByObject(this.brief);
    for (const group of this.moving.values()) { if (group.visible) { group.updateWorldMatrix(true, true); box.expandByObject(group); } }
    return box;
  }

  /** The frame of the largest body that moves up and down. */
  climber(store: Store): string | undefined {
    let best: string | undefined, most = 0;
    for (const [frame, group] of this.moving) {
      if (!store.frames.tracks.get(frame)?.moves) { continue; }
      const size = new THREE.Box3().expandByObject(group).getSize(new THREE.Vector3()), volume = size.x * size.y * size.z;
      if (volume > most) { most = volume; best = frame; }
    }
    return best;
  }
}

function arrowOf(from: Vector, to: Vector): THREE.Object3D {
  const tail = new THREE.Vector3(from.x, from.y, from.z), along = new THREE.Vector3(to.x, to.y, to.z).sub(tail), length = along.length(), head = 0.25 * length;
  const made = mergeGeometries([new THREE.CylinderGeometry(0.02 * length, 0.02 * length, length - head).translate(0, (length - head) / 2, 0), new THREE.ConeGeometry(0.07 * length, head, 24).translate(0, length - head / 2, 0)])!;
  const arrow = new THREE.Mesh(made, new THREE.MeshBasicMaterial({ color: theme.danger, depthTest: false }));
  arrow.renderOrder = 1;
  arrow.position.copy(tail);
  arrow.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), along.normalize());
  return arrow;
}

function lineOf(line: Shape, role: string): THREE.Object3D {
  const geometry = new THREE.BufferGeometry().setFromPoints((line.points ?? []).map((p) => new THREE.Vector3(p.x, p.y, p.z)));
  if (line.indices?.length) { geometry.setIndex(line.indices); }
  geometry.applyMatrix4(matrixOf(line));
  const material = new THREE.LineBasicMaterial({ transparent: true, opacity: line.size ? 1 : 0.5, color: role === "robot" ? theme.real : role === "avatar" ? theme.avatar : role === "joint" ? theme.danger : theme.dim });
  return line.type === "LINE_LIST" || line.type === "2" ? new THREE.LineSegments(geometry, material) : new THREE.Line(geometry, material);
}

export function setPose(object: THREE.Object3D, [x, y, z, a, b, c, w]: Pose) {
  object.position.set(x, y, z);
  object.quaternion.set(a, b, c, w);
}
