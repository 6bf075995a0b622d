// One device: why it is offline and what helps, readings with plots, connection, events, settings.
import {get, getHistory, post, request} from "./api.js";
import {action, ask, facts, h, replace, say} from "./dom.js";
import {rowMaker, sentence} from "./events.js";
import {ago, deviceLink, isTrouble, mark, moment, state, valueText, why} from "./format.js";
import {pair} from "./pairing.js";
import {characteristics as characteristicsOf, eventOf, units} from "./payload.js";
import {plot, strip} from "./plot.js";
import {flatten, remedy, world} from "./world.js";

const FRAME = new Set(["availability", "connection", "info"]);

/** Returns a button of a class that connects a device. */
export const tryNow = (device, style) => action(
    "Try now", () => request("connect", {device, ttl: "30s"}).then(() => say(`${device} is connected.`)),
    {class: style, "data-key": `try ${device}`});

export function show(root, name) {
  let topics = {};
  let events = [];
  let entry = null;
  let hours = Math.min(24, world.history);
  let drawnPlots = 0;
  let waiting = null;
  const parts = Object.fromEntries(
      ["head", "readings", "plots", "connection", "events", "settings", "entry"].map((key) => [key, h("section")]));
  const spans =
      h("div", {class: "chips", role: "group", "aria-label": "Time span"},
        (hours ? [...new Set([world.history, hours, 1])] : []).map(
            (value) => h("button", {
              type: "button",
              "aria-pressed": String(value === hours),
              onclick: (event) => chooseSpan(value, event.currentTarget)
            }, value > 24 && value % 24 === 0 ? `${value / 24} days` : `${value} ${value === 1 ? "hour" : "hours"}`)));
  root.append(
      parts.head, h("div", {class: "columns"}, parts.readings, parts.connection), h("h2", {}, "History"), spans,
      parts.plots, parts.events, parts.settings, parts.entry);
  parts.head.append(h("h1", {}, name), h("p", {class: "hint"}, "Loading…"));

  const device = () => world.devices.get(name);
  const path = `./api/device?name=${encodeURIComponent(name)}`;
  load();

  async function load() {
    try {
      const answer = await get(path);
      ({topics = {}, events = [], entry = null} = answer);
      // The dashboard sends the oldest event first.
      events = events.map(eventOf).filter(Boolean).reverse();
      drawAll();
    } catch (error) {
      parts.head.replaceChildren(
          h("h1", {}, name), h("p", {class: "trouble"}, error.message), h("a", {href: "#devices"}, "All devices"));
    }
  }

  function drawAll() {
    drawHead();
    drawReadings();
    drawConnection();
    drawEvents();
    drawSettings();
    drawPlots();
    parts.entry.replaceChildren(
        h("details", {}, h("summary", {}, "Entry of the configuration"),
          h("pre", {}, entry ? JSON.stringify(entry, null, 2) : "The gateway does not publish it.")));
  }

  function drawHead() {
    const row = device();
    if (!row) return;
    const word = state(row);
    const reason = why(row);
    const {step, action: help} = remedy(reason);
    const helps = [];
    if (world.access === "full" && isTrouble(row)) {
      helps.push(tryNow(name, "main"));
      if (help === "pair") helps.push(action("Pair…", () => pair({gateway: row.gateway, device: name})));
    }
    if (help === "connections") helps.push(h("a", {class: "button", href: "#gateways"}, "Show the connections"));
    const box = isTrouble(row) &&
        h("div", {class: `why ${word === "offline" ? "" : "waiting"}`}, h("strong", {}, `${name} is ${word}: `), `${reason}.`,
          step && h("p", {}, step), attempts(), h("p", {class: "bar"}, helps));
    const line = [word, row.address, row.gateway && `gateway ${row.gateway}`, row.profile && `profile ${row.profile}`];
    replace(parts.head, [
      h("h1", {}, h("span", {class: "mark", "aria-hidden": "true"}, mark(word === "waiting" ? "stale" : word)), name),
      h("p", {class: "hint"}, line.filter(Boolean).join(" · ")), box || ""
    ]);
  }

  /** Returns the last failed attempts, from the events of the device. */
  function attempts() {
    const types = ["connect_failed", "device_disconnected", "pairing_failed", "bond_lost"];
    const failures = events.filter(({type}) => types.includes(type)).slice(0, 8);
    return failures.length > 0 &&
        h("details", {}, h("summary", {}, `Last attempts: ${failures.length}`),
          h("ul", {}, failures.map((event) => h("li", {}, `${moment(event.time)} ${sentence(event)}`))));
  }

  function drawReadings() {
    const characteristics = characteristicsOf(topics.info);
    const unitOf = units(topics.info);
    const present = Object.entries(topics)
        .filter(([topic]) => !FRAME.has(topic))
        .flatMap(([topic, payload]) => flatten(topic, payload).map((reading) => [topic, reading]));
    const missing = Object.keys(characteristics)
        .filter((key) => !(key in topics))
        .map((key) => [key, {name: key, value: undefined}]);
    const row = ([topic, {name, value, unit, time}], index, all) => {
      const shown = h("span", {class: "value"}, valueText(value), " ", h("span", {class: "unit"}, unit ?? unitOf[name] ?? ""));
      const isFirst = topic !== all[index - 1]?.[0];
      return h("tr", {}, h("td", {class: "wide"}, name), h("td", {class: "number"}, shown),
        h("td", {class: "number age"}, ago(time)), h("td", {}, isFirst ? controls(topic, characteristics[topic]) : ""));
    };
    const rows = [...present, ...missing].map(row);
    parts.readings.replaceChildren(
        h("h2", {}, "Readings"), h("table", {class: "stack"}, h("tbody", {}, rows)),
        rows.length === 0 ? h("p", {class: "hint"}, "No value has arrived yet.") : "");
  }

  function controls(topic, characteristic) {
    if (world.access !== "full" || !characteristic) return "";
    const list = [];
    if (characteristic.read)
      list.push(action(
          "Read", () => post("./api/get", {device: name, characteristic: topic}).then(() => say(`${topic} is read.`))));
    if (characteristic.write) list.push(" ", action("Write…", () => write(topic, characteristic)));
    return list;
  }

  async function write(topic, {fields}) {
    const shown = fields.length > 1 ? fields : [{name: "", unit: fields[0]?.unit}];
    const inputs = shown.map(({name, unit}) => h("p", {}, h("label", {}, name || "Value",
      h("input", {name: name || "value", autocomplete: "off"}), h("span", {class: "unit"}, unit ?? ""))));
    const form = await ask(
        `Write ${name}/${topic}`,
        h("div", {}, inputs, fields.length > 1 && h("p", {class: "hint"}, "An empty field keeps its last value.")),
        "Write");
    if (!form) return;
    const parse = (text) => {
      try {
        return JSON.parse(text);
      } catch {
        return text;
      }
    };
    const values = [...form].filter(([, text]) => text !== "").map(([key, text]) => [key, parse(text)]);
    if (values.length === 0) return;
    await post(
        "./api/set",
        {device: name, characteristic: topic, value: fields.length > 1 ? Object.fromEntries(values) : values[0][1]});
    say(`${topic} is written.`);
  }

  function drawConnection() {
    const {connection = {}} = device() ?? {};
    const health = world.gateways.get(device()?.gateway)?.health?.devices?.[name] ?? {};
    const list = [
      ["State", connection.state], ["Reason", connection.reason], ["Since", connection.time && moment(connection.time)],
      ["Adapter", connection.adapter], ["Signal", device()?.rssi && `${valueText(device().rssi)} dBm`],
      ["MTU", connection.mtu], ["Failed attempts", connection.attempts], ["Connections", health.connects],
      [
        "Failures",
        Object.entries(health.failures ?? {}).map(([kind, count]) => `${kind.replaceAll("_", " ")} ${count}`).join(", ")
      ],
      ["Undecodable values", health.decode_failures || ""], ["Manufacturer", topics.info?.manufacturer],
      ["Model", topics.info?.model], ["Firmware", topics.info?.firmware]
    ];
    parts.connection.replaceChildren(h("h2", {}, "Connection"), facts(list));
  }

  const eventRow = rowMaker(false);
  function drawEvents() {
    const list = events.length > 0 ?
        h("table", {class: "stack"}, h("tbody", {}, events.slice(0, 12).map(eventRow))) :
        h("p", {class: "hint"}, "No event of this device since the dashboard started.");
    replace(parts.events, [h("h2", {}, "Events"), list]);
  }

  function drawSettings() {
    if (world.access !== "full") return;
    const gateway = device()?.gateway;
    parts.settings.replaceChildren(
        h("h2", {}, "Settings"),
        h("p", {class: "bar"},
          action("Rename…", async () => {
            const input = h("input", {name: "to", value: name, required: true});
            const form = await ask(`Rename ${name}`, h("label", {}, "New name", input), "Rename");
            if (!form) return;
            const {device: to} = await request("device/rename", {gateway, device: name, to: form.get("to")});
            location.hash = deviceLink(to);
          }),
          action(
              "Pause 10 min", () => request("disconnect", {device: name, pause: "10m"})
                  .then(() => say(`${name} stays disconnected for 10 minutes.`))),
          action(
              "Collect now",
              () => request("collect", {device: name, ttl: "60s"}).then(() => say("All values have arrived."))),
          action("Pair…", () => pair({gateway, device: name})), action("Unpair", async () => {
            const text = "The bond is removed here. Remove it on the device too before it is paired again.";
            if (!(await ask(`Unpair ${name}?`, h("p", {}, text), "Unpair", {danger: true}))) return;
            await request("unpair", {gateway, device: name});
            say(`${name} is unpaired.`);
          }),
          action("Remove…", async () => {
            const text = "The device and its topics are removed. The configuration file is not changed.";
            if (!(await ask(`Remove ${name}?`, h("p", {}, text), `Remove ${name}`, {danger: true}))) return;
            await request("device/remove", {gateway, device: name});
            say(`${name} is removed.`);
            location.hash = "#devices";
          }, {class: "danger"})));
  }

  function chooseSpan(value, button) {
    hours = value;
    for (const other of spans.children) other.setAttribute("aria-pressed", String(other === button));
    drawPlots();
  }

  async function drawPlots() {
    drawnPlots = performance.now();
    const path = `./api/history?device=${encodeURIComponent(name)}`;
    const {readings = []} = world.history ? await get(path).catch(() => ({})) : {};
    const figures = [];
    const width = Math.max(280, parts.plots.clientWidth);
    // The charge of a battery tells the least about a day.
    readings.sort((a, b) => (a === "battery") - (b === "battery"));
    for (const reading of readings.slice(0, 8)) {
      const history = await getHistory(name, reading, hours).catch(() => null);
      if (history?.mean)
        figures.push(plot(history, reading, width));
      else if (history?.states)
        figures.push(strip(history.states, reading, hours, width));
    }
    // The value under the keyboard stays.
    if (parts.plots.contains(document.activeElement)) return;
    const hint = h("p", {class: "hint"}, world.history ? "No history yet." : "The history is off.");
    parts.plots.replaceChildren(...(figures.length > 0 ? figures : [hint]));
  }

  return {
    update(changes, event) {
      const row = device();
      if (event?.device === name) {
        events.unshift(event);
        drawEvents();
      }
      if (changes.has("list")) drawPlots();
      if (!row || !(changes.has("all") || changes.has(`device ${name}`))) return;
      drawHead();
      drawConnection();
      scheduleReadings();
      if (changes.has("all")) drawPlots();
    },
    tick() {
      if (performance.now() - drawnPlots > 300_000) drawPlots();
    },
    close() {
      clearTimeout(waiting);
    },
  };

  /**
   * Loads the readings again soon; not for each of several changes, and not while a button of the table has the focus.
   */
  function scheduleReadings() {
    waiting ??= setTimeout(async () => {
      waiting = null;
      const answer = await get(path).catch(() => null);
      if (!answer) return;
      ({topics = topics} = answer);
      if (!parts.readings.contains(document.activeElement)) drawReadings();
    }, 500);
  }
}
