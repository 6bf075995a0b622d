// Nearby: scan, inspect a device, and add it.
import {request} from "./api.js";
import {action, ask, h, replace, say, setText} from "./dom.js";
import {bars, deviceLink, valueText} from "./format.js";
import {pair} from "./pairing.js";
import {world} from "./world.js";

const SCAN_SECONDS = 30;
/** Services that describe the device itself: their values are not readings. */
const ADMINISTRATIVE = new Set(["1800", "1801", "180A"]);

/** Whether an address is a resolvable private one, which changes every few minutes: its first two bits are 01. */
const isPrivate = (device) => device.kind === "random" && (parseInt(device.address.slice(0, 2), 16) & 0xc0) === 0x40;

/** Returns the quantities of decoded advertisements in words; each format has its own member. */
function advertised(data) {
  return Object.values(data ?? {})
      .flatMap((format) => (format !== null && typeof format === "object" ? Object.entries(format) : []))
      .filter(([name]) => name !== "time")
      .map(([name, value]) => `${name.replaceAll("_", " ")} ${valueText(value)}`)
      .join(" · ");
}

export function show(root, _, parameters) {
  const gateways = [...world.gateways.keys()];
  const select = h("select", {"aria-label": "Gateway"}, gateways.map((name) => h("option", {value: name}, name)));
  if (gateways.includes(parameters.get("gateway"))) select.value = parameters.get("gateway");
  const status = h("span", {class: "hint", role: "status"});
  const found = new Map();
  const body = h("tbody");
  const panel = h("section", {"aria-label": "Inspected device"});
  let end = 0;
  let isOpen = true;

  const search = h(
      "input",
      {type: "search", placeholder: "Search…", "aria-label": "Search devices nearby", hidden: true, oninput: arrange});
  const button = action("Scan", scan, {class: "main"});
  const stop = h("button", {type: "button", hidden: true, onclick: () => (end = 0)}, "Stop");
  root.append(
      h("h1", {}, "Nearby"), h("div", {class: "bar"}, gateways.length > 1 && select, button, stop, search, status), panel,
      h("table", {class: "stack"},
        h("thead", {},
          h("tr", {},
            ["Signal", "Name", "Address", "Services and values", ""].map((label) => h("th", {scope: "col"}, label)))),
        body));
  if (gateways.length === 0) {
    setText(status, "No gateway is known yet: is the broker connected?");
    button.disabled = true;
  } else if (world.access === "full") {
    button.click();
  } else {
    setText(status, "This dashboard only shows: access is read.");
    button.disabled = true;
  }

  async function scan() {
    end = performance.now() + SCAN_SECONDS * 1000;
    stop.hidden = false;
    const timer = setInterval(showStatus, 500);
    try {
      while (isOpen && performance.now() < end) {
        const seconds = Math.max(1, Math.min(4, Math.round((end - performance.now()) / 1000)));
        const {devices = []} = await request("scan", {
          gateway: select.value, for: `${seconds}s`
        });
        for (const device of devices) found.set(device.address, {...found.get(device.address), ...device});
        arrange();
      }
    } finally {
      clearInterval(timer);
      end = 0;
      stop.hidden = true;
      showStatus();
    }
  }

  function showStatus() {
    const left = Math.ceil((end - performance.now()) / 1000);
    setText(status, left > 0 ? `scanning… ${found.size} devices, ${left} s left` : `${found.size} devices`);
  }

  function arrange() {
    search.hidden = found.size <= 10;
    const words = search.value.toLowerCase();
    const list = [...found.values()]
        .filter(({name, address}) => `${name} ${address}`.toLowerCase().includes(words))
        .sort((a, b) => Boolean(a.device) - Boolean(b.device) || (b.rssi ?? -999) - (a.rssi ?? -999));
    replace(body, list.map(
        (device) => h("tr", {},
          h("td", {class: "number"}, h("span", {"aria-hidden": "true"}, bars(device.rssi)), " ", valueText(device.rssi)),
          h("td", {class: "wide"}, device.name ?? h("span", {class: "hint"}, "no name")),
          h("td", {class: "address"}, device.address,
            isPrivate(device) && h("div", {class: "hint"}, "private address: pair it first")),
          h("td", {class: "wide"}, h("span", {class: "hint"}, (device.services ?? []).join(" ")), " ",
            advertised(device.advertisement)),
          h("td", {}, offer(device)))));
  }

  function offer(device) {
    if (device.device) return h("a", {href: deviceLink(device.device)}, device.device);
    const {address} = device;
    const button = (label, run) => action(label, run, {"data-key": `${label} ${address}`});
    if (isPrivate(device)) return button("Pair…", () => pair({gateway: select.value, address}));
    const list = [button("Inspect", () => inspect(device))];
    if (advertised(device.advertisement)) list.unshift(button("Add…", () => propose(device, null)), " ");
    return list;
  }

  async function inspect(device) {
    setText(status, `connecting to ${device.name ?? device.address}…`);
    end = 0;
    try {
      propose(device, await request("inspect", {gateway: select.value, address: device.address, ttl: "60s"}));
    } finally {
      showStatus();
    }
  }

  function propose(device, inspection) {
    panel.replaceChildren(form(device, inspection, select.value));
    panel.scrollIntoView({block: "start"});
  }

  return {
    update(changes) {
      if (changes.has("list"))
        for (const device of found.values()) {
          device.device = [...world.devices.values()].find((known) => known.address === device.address)?.name;
        }
      if (changes.has("list") && found.size > 0) arrange();
    },
    close() {
      isOpen = false;
      end = 0;
    },
  };
}

const field = (label, input) => h("p", {}, h("label", {}, label, input));

/** Returns a name for the new device, which fits the rules of names. */
function proposedName(device) {
  const name = (device.name ?? device.address.replaceAll(":", ""))
      .toLowerCase()
      .replace(/[^a-z0-9_/-]+/g, "_")
      .replace(/^[_/]+|[_/]+$/g, "");
  return name || "device";
}

/** Returns the form that adds a device; without an inspection, only its advertisements are read. */
function form(device, inspection, gateway) {
  const choices = [];
  const used = new Map();
  for (const service of inspection?.services ?? []) {
    if (ADMINISTRATIVE.has(service.uuid)) continue;
    for (const characteristic of service.characteristics ?? []) {
      const {uuid, flags = [], reading, hex} = characteristic;
      const [canSubscribe, canRead] = [flags.includes("notify") || flags.includes("indicate"), flags.includes("read")];
      if (!canSubscribe && !canRead) continue;
      const base = characteristic.name ?? uuid.slice(0, 8).toLowerCase();
      used.set(base, (used.get(base) ?? 0) + 1);
      const name = used.get(base) === 1 ? base : `${base}_${used.get(base)}`;
      const entry = {service: service.uuid, uuid, ...(canSubscribe ? {subscribe: true} : {read: "1h"})};
      const text = reading ?
          (("value" in reading) ? `${valueText(reading.value)} ${reading.unit ?? ""}` : JSON.stringify(reading)) :
          hex ? `0x${hex}, not known` : "";
      const box =
          h("input", {type: "checkbox", checked: Boolean(reading) || (canSubscribe && Boolean(characteristic.name))});
      const label = h("label", {}, box, h("span", {}, name, " ",
        h("span", {class: "hint"}, `${text} · ${entry.subscribe ? "subscribe" : "read each 1 h"}`)));
      choices.push({name, entry, box, element: h("div", {}, label, !reading && describe(name, entry, box))});
    }
  }
  const name = h("input", {name: "name", value: proposedName(device), required: true, "aria-label": "Name"});
  const connect =
      h("select", {"aria-label": "Connect"},
        ["always", "every 10m", "every 1h", "on demand"].map((value) => h("option", {}, value)));
  const proposals =
      [...(device.profiles ?? []), ...(inspection?.profiles ?? [])].map((proposal) => proposal.profile ?? proposal);
  const profile =
      h("select", {"aria-label": "Profile"}, h("option", {value: ""}, "none: the ticked characteristics"),
        [...new Set(proposals)].map((value) => h("option", {value}, value)));
  if (proposals.length > 0) profile.value = proposals[0];

  /** Returns the body of the request that adds the device. */
  function body() {
    const ticked = choices.filter((choice) => choice.box.checked);
    const body = {gateway, device: name.value.trim(), address: device.address};
    if (profile.value)
      body.profile = profile.value;
    else if (ticked.length > 0)
      Object.assign(body, {
        connect: connect.value,
        characteristics: Object.fromEntries(ticked.map((choice) => [choice.name, choice.entry]))
      });
    else
      body.connect = "never";
    return body;
  }

  async function add() {
    const sent = body();
    await request("device/add", sent);
    say(`${sent.device} is added.`);
    location.hash = deviceLink(sent.device);
  }

  const yaml = h("pre");
  const showYAML = () => setText(yaml, entryText(body()));

  return h(
      "div", {oninput: showYAML}, h("h2", {}, device.name ?? device.address),
      h("div", {class: "columns"},
        h("div", {},
          inspection ? choices.map(({element}) => element) :
            h("p", {}, `Only the advertisements are read: ${advertised(device.advertisement)}`),
          inspection && choices.length === 0 &&
              h("p", {class: "hint"}, "The device offers nothing that can be read or subscribed.")),
        h("div", {}, field("Name", name), proposals.length > 0 && field("Profile", profile),
          inspection && field("Connect", connect),
          h("p", {}, action(`Add ${name.value}`, add, {class: "main", id: "add"})),
          h("details", {ontoggle: showYAML}, h("summary", {}, "As YAML"), yaml))));
}

const TYPES = ["uint8", "sint8", "uint16", "sint16", "uint32", "sint32", "float32", "boolean", "utf8"];

/** Returns a button that gives a characteristic without a known format one with a single number or text. */
function describe(name, entry, box) {
  const types = h("select", {name: "type"}, TYPES.map((type) => h("option", {}, type)));
  const fields =
      h("div", {}, field("Type", types), field("Scale", h("input", {name: "scale", inputmode: "decimal", value: "1"})),
        field("Unit", h("input", {name: "unit"})));
  return action("Describe…", async () => {
    const form = await ask(`Format of ${name}`, fields, "Use it");
    if (!form) return;
    const [type, scale, unit] = ["type", "scale", "unit"].map((key) => form.get(key).trim());
    entry.format = [{name: "value", type, ...(Number(scale) === 1 ? {} : {scale: Number(scale)}), ...(unit && {unit})}];
    box.checked = true;
    box.dispatchEvent(new Event("input", {bubbles: true}));
  }, {class: "plain", "aria-label": `Describe ${name}`});
}

/** Returns an entry as lines of the configuration file. */
function entryText({gateway, device, characteristics, ...keys}) {
  const lines = Object.entries(keys).map(([key, value]) => `  ${key}: ${value}`);
  const named = Object.entries(characteristics ?? {}).map(([name, entry]) => `    ${name}: ${JSON.stringify(entry)}`);
  return [`${device}:`, ...lines, ...(named.length > 0 ? ["  characteristics:", ...named] : [])].join("\n");
}
