// Gateways: adapters and their slots, who waits, health, and how well each gateway receives a device.
import {request} from "./api.js";
import {action, ask, facts, h, replace, say} from "./dom.js";
import {age, ago, bars, deviceLink, moment, size, valueText} from "./format.js";
import {world} from "./world.js";

/** Returns the link to a device, which keeps the focus in its part of the view. */
const link = (name, part) => h("a", {href: deviceLink(name), "data-key": `${part} ${name}`}, name);

export function show(root) {
  const content = h("div");
  root.append(h("h1", {}, "Gateways"), content);
  let drawn = 0;

  function draw() {
    drawn = performance.now();
    const sections = [...world.gateways.values()].map(section);
    const hint = h("p", {class: "hint"}, "No gateway has published on this broker yet.");
    replace(content, sections.length > 0 ? [...sections, reception()] : [hint]);
  }

  draw();
  return {
    update(changes) {
      const concerns =
          [...changes].some((change) => change === "all" || change.startsWith("gateway") || change === "list");
      if (concerns || performance.now() - drawn > 2000) draw();
    },
    tick() {
      if (performance.now() - drawn > 10_000 && !content.contains(document.activeElement)) draw();
    },
  };
}

function section(gateway) {
  const {health = {}, info = {}} = gateway;
  const adapters = gateway.adapters?.adapters ?? health.adapters ?? [];
  const isOn = gateway.state === "online";
  const {broker = {}, spool = {}} = health;
  const uptime = (Date.parse(health.time) - Date.parse(info.started)) / 1000;
  const session = [
    info.broker, isOn && broker.connected_since && `connected since ${moment(broker.connected_since)}`,
    health.broker_connects && `connections since the start: ${health.broker_connects}`,
    health.waiting > 0 && `${health.waiting} messages wait (${size(health.waiting_bytes)})`,
    broker.held > 0 && `${broker.held} held back`, health.dropped > 0 && `${health.dropped} lost`
  ].filter(Boolean);
  return h(
      "section", {"aria-label": gateway.name},
      h("h2", {}, h("span", {class: isOn ? "" : "trouble"}, isOn ? "● " : "✕ "), gateway.name, " ",
        h("span", {class: "hint"}, gateway.state ?? "unknown")),
      info.reason && h("p", {class: "hint"}, info.reason), adapters.map((adapter) => slots(gateway, adapter, uptime)),
      facts([
        ["Version", info.version && [info.version, info.bluez && `BlueZ ${info.bluez}`].filter(Boolean).join(", ")],
        ["Running since", info.started && `${moment(info.started)} (${age(info.started)})`],
        ["Memory", health.memory && size(health.memory)],
        ["Processor", uptime > 0 && health.cpu_seconds >= 0 && `${(100 * health.cpu_seconds / uptime).toFixed(1)} %`],
        [
          "Notifications",
          health.notifications_per_second !== undefined && `${health.notifications_per_second} per second`
        ],
        ["Broker", session.join(", ")],
        ["Denied by the broker", texts(broker.refused, ({action, topic, reason}) => `${action} ${topic}: ${reason}`)],
        ["Limits of the broker", texts(broker.restrictions, ({effect}) => effect)],
        ["On the disk", spool.waiting > 0 && `${spool.waiting} messages (${size(spool.bytes)}), ${spool.state}`],
        ["Repairs", texts(repairs(gateway.name), ({time, adapter, repair, reason}) =>
            `${moment(time)} ${adapter}: ${valueText(repair).replaceAll("_", " ")}, ${reason}`)],
        ["Clock", health.clock_synchronized === false && "not synchronized: times can be wrong"],
      ]),
      world.access === "full" && isOn && controls(gateway.name));
}

/** Returns a line for each of the first 20 items; false if there are none. */
const texts = (items, text) => items?.length > 0 && items.slice(0, 20).map((item) => h("div", {}, text(item)));

const repairs = (name) => world.events.filter(({type, gateway}) => type === "repair" && gateway === name);

function controls(gateway) {
  const button = (label, run) => action(label, run, {"data-key": `${label} ${gateway}`});
  return h(
      "p", {class: "bar"}, button("Reload configuration", () => reload(gateway)),
      button("Log level…", () => chooseLevel(gateway)),
      button(
          "Log: debug for 10 min", () => request("log", {gateway, for: "10m", level: "debug"})
              .then(() => say(`The log of ${gateway} is on its topic log.`))));
}

async function reload(gateway) {
  try {
    const {added = [], changed = [], removed = []} = await request("reload", {gateway});
    say(`Loaded: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`);
  } catch (error) {
    // Each mistake has a line of its own, with its place in the file.
    await ask(`${gateway} has changed nothing`, h("pre", {}, error.message), "Close", {cancel: null});
  }
}

async function chooseLevel(gateway) {
  const {level} = await request("log_level", {gateway});
  const options = ["debug", "info", "warning", "error"].map((name) => h("option", {selected: name === level}, name));
  const form = await ask(
      `Log of ${gateway}`, h("label", {}, "Lowest level", h("select", {name: "level"}, options)), "Set");
  if (!form) return;
  await request("log_level", {gateway, level: form.get("level")});
  say(`The level is ${form.get("level")} until the configuration changes it.`);
}

/** Returns a row of squares, one for each connection of an adapter, and the devices that wait. */
function slots(gateway, adapter, uptime) {
  const radio = gateway.health?.adapters.find(({name}) => name === adapter.name) ?? {};
  const work = uptime > 0 ?
      ["scanning", "connecting"]
          .filter((word) => Number.isFinite(radio[`${word}_seconds`]))
          .map((word) => `${word} ${Math.round(3600 * radio[`${word}_seconds`] / uptime)} s`) :
      [];
  const devices = [...world.devices.values()].filter((device) => device.gateway === gateway.name);
  const holders = devices.filter(
      (device) => ["connecting", "discovering", "connected", "disconnecting"].includes(device.connection?.state) &&
          (device.connection.adapter ?? adapter.name) === adapter.name);
  const waiting = devices.filter((device) => device.connection?.state === "waiting");
  const free = Math.max(0, (adapter.capacity ?? holders.length) - holders.length);
  return h(
      "div", {},
      h("p", {},
        `${adapter.name} ${adapter.address ?? ""}: ${valueText(adapter.connections)}${
            adapter.capacity ? ` of ${adapter.capacity}` : ""} ${
            (adapter.capacity ?? adapter.connections) === 1 ? "connection" : "connections"} in use`,
        work.length > 0 && h("span", {class: "hint"}, ` · radio: ${work.join(", ")} per hour`)),
      h("ul", {class: "slots", "aria-label": `Connections of ${adapter.name}`},
        holders.map(({name, connection}) => h("li", {class: "used"}, link(name, adapter.name),
          h("div", {class: "age"}, `${connection.state} ${ago(connection.time)}`))),
        Array.from(
            {length: Math.min(free, 20)},
            () => h("li", {}, h("span", {class: "hint"}, "free")))),
      waiting.length > 0 &&
          h("p", {}, `Waiting: `,
            waiting.slice(0, 20).map(({name, connection}) => [
              link(name, "waiting"), ` ${age(connection.time)} (${connection.reason ?? "until it is seen"}) `
            ])));
}

/** Returns the table of signal strengths if there are several gateways. */
function reception() {
  const gateways = [...world.gateways.values()];
  if (gateways.length < 2) return "";
  const devices = new Set(gateways.flatMap(({health}) => Object.keys(health?.devices ?? {})));
  const rows = [...devices].sort().slice(0, 1000).map(
      (device) => h("tr", {}, h("td", {}, link(device, "signal")), gateways.map(({health}) => {
        const rssi = health?.devices[device]?.rssi;
        return h("td", {class: "number"}, h("span", {"aria-hidden": "true"}, bars(rssi)), " ",
                 Number.isFinite(rssi) ? valueText(rssi) : "");
      })));
  return h(
      "section", {}, h("h2", {}, "Signal by gateway, in dBm"),
      h("table", {},
        h("thead", {},
          h("tr", {}, h("th", {scope: "col"}, "Device"),
            gateways.map(({name}) => h("th", {scope: "col", class: "number"}, name)))),
        h("tbody", {}, rows)));
}
