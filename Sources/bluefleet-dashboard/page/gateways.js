// Gateways: adapters and their slots, who waits, health, and which gateway receives which device how well.
import {request} from "./api.js";
import {action, h, say} from "./dom.js";
import {age, ago, bars, moment, size, valueText} from "./format.js";
import {world} from "./world.js";

const link = (name) => h("a", {href: `#device/${name.split("/").map(encodeURIComponent).join("/")}`}, name);

export function show(root) {
  const content = h("div");
  root.append(h("h1", {}, "Gateways"), content);
  let drawn = 0;

  function draw() {
    drawn = performance.now();
    const focused = document.activeElement?.dataset?.key;
    content.replaceChildren(...[...world.gateways.values()].map((gateway) => section(gateway)), reception());
    if (world.gateways.size === 0)
      content.replaceChildren(h("p", {class: "hint"}, "No gateway has published on this broker yet."));
    if (focused) content.querySelector(`[data-key="${CSS.escape(focused)}"]`)?.focus();
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
  const controls = world.access === "full" && isOn &&
      h("p", {class: "bar"},
        action("Reload configuration", () => reload(gateway.name), {"data-key": `reload ${gateway.name}`}),
        action("Log: debug for 10 min", () => request("log", {
                                                gateway: gateway.name, for: "10m", level: "debug"
                                              }).then(() => say(`The log of ${gateway.name} is on its topic log.`)), {
          "data-key": `log ${gateway.name}`
        }));
  return h(
      "section", {"aria-label": gateway.name},
      h("h2", {}, h("span", {class: isOn ? "" : "trouble"}, isOn ? "● " : "✕ "), gateway.name, " ",
        h("span", {class: "hint"}, gateway.state ?? "unknown")),
      info.reason && h("p", {class: "hint"}, info.reason), adapters.map((adapter) => slots(gateway, adapter)),
      h("dl", {}, pairs([
          ["Version", info.version],
          ["Running since", info.started && `${moment(info.started)} (${age(info.started)})`],
          ["Memory", health.memory && size(health.memory)],
          [
            "Notifications",
            health.notifications_per_second !== undefined && `${health.notifications_per_second} per second`
          ],
          ["Messages waiting for the broker", health.waiting],
          ["Messages lost", health.dropped],
          [
            "On the disk",
            health.spool && health.spool.waiting > 0 && `${health.spool.waiting} messages, ${health.spool.state}`
          ],
          ["Clock", health.clock_synchronized === false && "not synchronized: times can be wrong"],
        ])),
      controls);
}

const pairs = (list) =>
    list.filter(([, value]) => value || value === 0).map(([label,
                                                           value]) => [h("dt", {}, label), h("dd", {}, String(value))]);

async function reload(gateway) {
  const {added = [], changed = [], removed = []} = await request("reload", {gateway});
  say(`Loaded: ${added.length} added, ${changed.length} changed, ${removed.length} removed.`);
}

/** Returns a row of squares, one for each connection of an adapter, and the devices that wait. */
function slots(gateway, adapter) {
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
            (adapter.capacity ?? adapter.connections) === 1 ? "connection" : "connections"} in use`),
      h("ul", {class: "slots", "aria-label": `Connections of ${adapter.name}`},
        holders.map(
            (device) =>
                h("li", {class: "used"}, link(device.name),
                  h("div", {class: "age"}, `${device.connection.state} ${ago(device.connection.time)}`))),
        Array.from(
            {length: Math.min(free, 20)},
            () => h("li", {class: adapter.capacity ? "" : "unknown"}, h("span", {class: "hint"}, "free")))),
      waiting.length > 0 &&
          h("p", {}, `Waiting: `,
            waiting.slice(0, 20).map(
                (device) =>
                    [link(device.name),
                     ` ${age(device.connection.time)} (${device.connection.reason ?? "until it is seen"}) `])));
}

/** Returns the table of signal strengths if there are several gateways. */
function reception() {
  const names = [...world.gateways.keys()];
  if (names.length < 2) return "";
  const devices = new Set(names.flatMap((name) => Object.keys(world.gateways.get(name).health?.devices ?? {})));
  const rows = [...devices].sort().slice(0, 1000).map(
      (device) => h("tr", {}, h("td", {}, link(device)), names.map((name) => {
        const {rssi} = world.gateways.get(name).health?.devices?.[device] ?? {};
        return h("td", {class: "number"}, h("span", {"aria-hidden": "true"}, bars(rssi)), " ",
                 Number.isFinite(rssi) ? valueText(rssi) : "");
      })));
  return h(
      "section", {}, h("h2", {}, "Signal by gateway, in dBm"),
      h("table", {},
        h("thead", {},
          h("tr", {}, h("th", {scope: "col"}, "Device"),
            names.map((name) => h("th", {scope: "col", class: "number"}, name)))),
        h("tbody", {}, rows)));
}
