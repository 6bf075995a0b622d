// What is known of all gateways and devices: a summary, and the topics that arrive after it.
import {clock, follow, get} from "./api.js";
import {deviceRow, eventOf, gatewayMembers, gatewayOf, gatewayRow, signal, status, switches, units} from "./payload.js";

export const world = {
  devices: new Map(),
  /** In the order of the names. */
  gateways: new Map(),
  events: [],
  broker: {connected: false},
  access: "full",
  hasSession: false,
  /** How many hours of values the dashboard keeps. */
  history: 0,
  isLoaded: false,
};

const listeners = new Set();

/**
 * Calls `listener` with the set of changed things, at most once per frame: "device NAME", "gateway NAME", "event",
 * "all".
 */
export function observe(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let changes = new Set();
function changed(what) {
  if (changes.size === 0) requestAnimationFrame(report);
  changes.add(what);
}

function report() {
  const done = changes;
  changes = new Set();
  listeners.forEach((listener) => listener(done));
}

/** What helps devices that are not online; the doctor has the same table. */
let remedies = [];
const loadRemedies = async () => (remedies = (await get("./api/remedies")).remedies);

/** Returns what helps against a reason: a sentence in `step`, and the name of an action in `action`. */
export function remedy(reason) {
  const text = reason.toLowerCase();
  return remedies.find(({words}) => words.length === 0 || words.some((word) => text.includes(word))) ?? {};
}

/**
 * When the dashboard was heard last, on both clocks: one can be set, the other one stops while the machine sleeps; null:
 * it does not answer.
 */
let heard = null;
const hear = () => (heard = {time: Date.now(), instant: performance.now()});

let end = () => {};
/** Loads the summary, and follows the changes. */
export async function load() {
  const [summary] = await Promise.all([get("./api/summary"), remedies.length === 0 && loadRemedies()]);
  end();
  world.devices = new Map((summary.devices ?? []).map((device) => [device.name, deviceRow(device)]));
  world.gateways = new Map((summary.gateways ?? []).map((gateway) => [gateway.name, gatewayRow(gateway)]));
  if (!world.isLoaded)
    world.events = (summary.events ?? []).map(({gateway, event}) => ({gateway, ...eventOf(event)})).reverse();
  world.broker = summary.broker ?? {connected: false};
  world.access = summary.access ?? "full";
  world.hasSession = summary.session?.required === true;
  world.history = (summary.history ?? 86_400) / 3600;
  hear();
  world.isLoaded = true;
  changed("all");
  end = follow("./api/events", summary.id ?? 0, {
    topic: (event) => receive(event.topic, event.payload),
    broker: ({connected}) => {
      if (connected !== world.broker.connected) world.broker = {connected, since: clock()};
      changed("all");
    },
    reset: () => load().catch(() => {}),
    alive: hear,
    lost: () => {
      heard = null;
      changed("all");
    },
  });
}

/** Whether the values on the page may be old: the broker is away, or the dashboard is silent for 20 s. */
export function isSilent() {
  return !heard || Math.max(Date.now() - heard.time, performance.now() - heard.instant) > 20_000;
}

function receive(topic, payload) {
  if (topic.startsWith("bridge/")) {
    const [, name, leaf, ...rest] = topic.split("/");
    if (rest.length === 0) receiveFromGateway(name, leaf, payload);
    return;
  }
  const slash = topic.lastIndexOf("/");
  if (slash > 0) receiveFromDevice(topic.slice(0, slash), topic.slice(slash + 1), payload);
}

function receiveFromGateway(name, leaf, payload) {
  if (leaf === "event" || leaf === "pairing") {
    const content = eventOf(payload);
    if (!content) return;
    const event = {gateway: name, ...content};
    world.events.unshift(event);
    world.events.length = Math.min(world.events.length, 500);
    listeners.forEach((listener) => listener(new Set(["event"]), event));
    return;
  }
  if (!Object.hasOwn(gatewayMembers, leaf)) return;
  if (!world.gateways.has(name))
    world.gateways = new Map([...world.gateways, [name, {name}]].sort(([a], [b]) => (a < b ? -1 : 1)));
  const gateway = world.gateways.get(name);
  const content = gatewayMembers[leaf](payload);
  if (leaf === "devices")
    receiveList(gateway, content.devices);
  else
    gateway[leaf] = content;
  if (leaf === "state") changed("all");
  if (leaf === "health") receiveHealth(name, content);
  changed(`gateway ${name}`);
}

function receiveHealth(gateway, health) {
  for (const [name, {rssi, battery, last_seen: seen}] of Object.entries(health.devices)) {
    const device = world.devices.get(name);
    // Gateways that do not own a shared device receive it too.
    if (device?.gateway !== gateway) continue;
    device.rssi = signal(rssi) ?? device.rssi;
    device.battery = signal(battery) ?? device.battery;
    device.last_seen = seen ?? device.last_seen;
    changed(`device ${name}`);
  }
}

function receiveList(gateway, list) {
  const names = new Set();
  for (const {name, address, profile, availability} of list) {
    names.add(name);
    const known = world.devices.get(name);
    if (known) {
      known.gateways.add(gateway.name);
      known.gateway ??= gateway.name;
      if (known.gateway === gateway.name) Object.assign(known, {address, profile});
      if (!known.availability.state) known.availability = status(availability);
      continue;
    }
    const added = new Date(clock()).toISOString();
    world.devices.set(name, deviceRow({name, address, profile, availability, gateway: gateway.name, added}));
    changed("list");
  }
  for (const device of [...world.devices.values()]) {
    if (names.has(device.name) || !device.gateways.delete(gateway.name)) continue;
    // Gateways can share a device.
    if (device.gateways.size === 0)
      world.devices.delete(device.name);
    else if (device.gateway === gateway.name)
      [device.gateway] = device.gateways;
    changed("list");
  }
}

function receiveFromDevice(name, leaf, payload) {
  const device = world.devices.get(name);
  if (!device || leaf === "get" || leaf === "set") return;
  if (leaf === "info") {
    device.switches = switches(payload);
    device.units = units(payload);
    device.gateway = gatewayOf(payload) ?? device.gateway;
  } else if (leaf === "availability" || leaf === "connection") {
    device[leaf] = status(payload);
    device.rssi = device[leaf].rssi ?? device.rssi;
  } else if (payload === null) {
    device.readings =
        device.readings.filter((reading) => reading.name !== leaf && !reading.name.startsWith(`${leaf}.`));
  } else {
    for (const reading of flatten(leaf, payload)) remember(device, reading);
  }
  changed(`device ${name}`);
}

function remember(device, reading) {
  if (reading.time) device.last_seen = reading.time;
  if (reading.name === "battery" && typeof reading.value === "number") device.battery = reading.value;
  const known = device.readings.find((other) => other.name === reading.name);
  if (known)
    Object.assign(known, reading, {isFresh: known.value !== reading.value});
  else if (device.readings.length < 4 && typeof reading.value !== "object")
    device.readings.push(reading);
}

const NO_FIELDS = new Set(["time", "late", "id", "adjusted", "derived", "samples", "time_uncertain", "unit"]);

/** Returns the readings in a payload: one, or one for each field. */
export function flatten(name, payload) {
  if (payload === null || typeof payload !== "object") return [{name, value: payload}];
  const {time} = payload;
  if ("value" in payload) return [{name, value: payload.value, unit: payload.unit, time}];
  return Object.entries(payload)
      .filter(([field]) => !NO_FIELDS.has(field))
      .map(([field, value]) => ({name: `${name}.${field}`, value, time}));
}
