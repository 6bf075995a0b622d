// The table of all devices: trouble first, newest values, and why a device is not online.
import {clock, getHistory, post} from "./api.js";
import {tryNow} from "./device.js";
import {action, h, replace, setText} from "./dom.js";
import {age, availability, bars, deviceLink, isTrouble, mark, state, valueText, why} from "./format.js";
import {sparkline} from "./plot.js";
import {world} from "./world.js";

const CHIPS = ["all", "trouble", "online", "asleep", "stale", "offline", "new"];
const COLUMNS =
    [["name", "Device"], ["", "Readings"], ["rssi", "Signal"], ["battery", "Battery"], ["seen", "Last seen"]];
const HOUR = 3_600_000;
/** So many rows are created at once: the first ones are visible before all of 1,000 exist. */
const BATCH = 100;

const isNew = (device) => device.added && clock() - Date.parse(device.added) < HOUR;

function fits(device, chip) {
  if (chip === "all") return true;
  if (chip === "trouble") return isTrouble(device);
  return chip === "new" ? isNew(device) : availability(device).state === chip;
}

const names = new Intl.Collator(undefined, {numeric: true});

const ORDERS = {
  trouble: (a, b) => isTrouble(b) - isTrouble(a) || ORDERS.name(a, b),
  name: (a, b) => names.compare(a.name, b.name),
  rssi: (a, b) => (b.rssi ?? -999) - (a.rssi ?? -999),
  battery: (a, b) => (a.battery ?? 999) - (b.battery ?? 999),
  seen: (a, b) => (Date.parse(a.last_seen) || 0) - (Date.parse(b.last_seen) || 0),
};

export function show(root, _, parameters) {
  const saved = new URLSearchParams(sessionStorage.getItem("devices") ?? localStorage.getItem("devices") ?? "");
  const choice = parameters.size > 0 ? parameters : saved;
  let [chip, order, words] =
      [choice.get("state") ?? "all", choice.get("sort") ?? "trouble", choice.get("search") ?? ""];
  if (!CHIPS.includes(chip)) chip = "all";
  if (!ORDERS[order]) order = "trouble";
  let touched = -Infinity;
  let waiting = null;
  let limit = BATCH;
  const rows = new Map();

  const search = h("input", {type: "search", placeholder: "Search…", "aria-label": "Search devices", value: words});
  const chips =
      h("div", {class: "chips", role: "group", "aria-label": "Filter by state"},
        CHIPS.map((name) => h("button", {type: "button", onclick: () => choose({chip: name})})));
  const head = h("tr", {}, COLUMNS.map(([name, label]) => {
    const sort = () => choose({order: order === name ? "trouble" : name});
    const style = ["rssi", "battery", "seen"].includes(name) ? "number" : "";
    return h("th", {scope: "col", "data-order": name, class: style},
      name ? h("button", {type: "button", onclick: sort}, label) : label);
  }));
  const body = h("tbody");
  const hint = h("p", {class: "hint"});
  root.append(
      h("div", {class: "bar"}, search, chips),
      h("table", {class: "stack"}, h("caption", {class: "skip"}, "Devices"), h("thead", {}, head), body), hint);

  search.addEventListener("input", () => choose({words: search.value}));
  body.addEventListener("pointerdown", () => (touched = performance.now()));

  function choose(next) {
    ({chip = chip, order = order, words = words} = next);
    const query = new URLSearchParams({state: chip, sort: order, search: words});
    localStorage.setItem("devices", query);
    history.replaceState(null, "", `#devices?${query}`);
    touched = -Infinity;
    arrange();
  }

  function showHeads() {
    const counts = Object.fromEntries(CHIPS.map((name) => [name, 0]));
    for (const device of world.devices.values())
      for (const name of CHIPS) counts[name] += fits(device, name);
    CHIPS.forEach((name, index) => {
      setText(chips.children[index], `${name} ${counts[name]}`);
      chips.children[index].setAttribute("aria-pressed", String(name === chip));
    });
    for (const cell of head.children) {
      if (cell.dataset.order === order)
        cell.setAttribute("aria-sort", "ascending");
      else
        cell.removeAttribute("aria-sort");
    }
  }

  /** Orders the rows; not while somebody touches the table. */
  function arrange() {
    showHeads();
    if (performance.now() - touched < 5000) return arrangeSoon(5000);
    const text = ({name, address, profile, gateway}) => [name, address, profile, gateway].join(" ").toLowerCase();
    const wanted = [...world.devices.values()]
        .filter((device) => fits(device, chip) && text(device).includes(words.toLowerCase()))
        .sort(ORDERS[order]);
    for (const [name, row] of rows)
      if (!world.devices.has(name)) rows.delete(name) && row.element.remove();
    place(wanted.slice(0, limit).map((device) => {
      if (!rows.has(device.name)) rows.set(device.name, new Row(device.name));
      return rows.get(device.name).element;
    }));
    if (limit < wanted.length) {
      limit += BATCH;
      arrangeSoon(0);
    }
    setText(
        hint, world.devices.size === 0 ? "No device yet. Open Nearby to find and add one." :
            wanted.length === 0 ? "No device matches the search and the filter." :
            `${wanted.length} of ${world.devices.size} devices`);
  }

  /** Shows elements in the table; those that have their place stay untouched. */
  function place(elements) {
    let count = 0;
    for (let row = body.firstElementChild; row && row === elements[count]; row = row.nextElementSibling) count += 1;
    if (count === body.childElementCount)
      body.append(...elements.slice(count));
    else
      replace(body, elements);
  }

  /** Orders the rows after a change of values: sorting 1,000 rows for each change would delay the values. */
  function arrangeSoon(delay = 500) {
    waiting ??= setTimeout(() => {
      waiting = null;
      arrange();
    }, delay);
  }

  arrange();
  return {
    update(changes) {
      for (const [name, row] of rows)
        if (changes.has("all") || changes.has(`device ${name}`)) row.update();
      if (changes.has("all") || changes.has("list"))
        arrange();
      else
        arrangeSoon();
    },
    tick() {
      for (const row of rows.values()) row.tick();
    },
    reroute(next) {
      if (next.size > 0)
        choose(
            {chip: next.get("state") ?? "all", order: next.get("sort") ?? "trouble", words: next.get("search") ?? ""});
    },
    press(event) {
      const step = {j: 1, ArrowDown: 1, k: -1, ArrowUp: -1}[event.key];
      const list = [...body.children];
      if (!step || list.length === 0) return;
      const current = body.querySelector(".current");
      const next = list[Math.max(0, Math.min(list.length - 1, list.indexOf(current) + step))];
      current?.classList.remove("current");
      next.classList.add("current");
      next.querySelector("a").focus();
      event.preventDefault();
    },
    close() {
      clearTimeout(waiting);
      rows.clear();
    },
  };
}

class Row {
  constructor(name) {
    this.name = name;
    this.mark = h("span", {class: "mark", "aria-hidden": "true"});
    this.word = h("span", {class: "hint"});
    this.reason = h("div", {class: "hint"});
    this.readings = h("td", {class: "wide"});
    this.bars = h("span", {"aria-hidden": "true"});
    this.signal = h("span");
    this.battery = h("td", {class: "number"});
    this.seen = h("td", {class: "number age"});
    this.spark = h("span");
    this.cells = new Map();
    const link = h("a", {href: deviceLink(name)}, name);
    this.element =
        h("tr", {}, h("td", {class: "wide"}, this.mark, link, " ", this.word, this.reason), this.readings,
          h("td", {class: "number"}, this.bars, " ", this.signal), this.battery, this.seen);
    this.update();
  }

  get device() {
    return world.devices.get(this.name);
  }

  update() {
    const {device} = this;
    if (!device) return;
    try {
      this.showState(device);
      this.showReadings(device);
      setText(this.bars, bars(device.rssi));
      setText(this.signal, Number.isFinite(device.rssi) ? valueText(device.rssi) : "");
      setText(this.battery, Number.isFinite(device.battery) ? `${device.battery} %` : "");
      this.tick();
    } catch (error) {
      setText(this.reason, `this row cannot be shown: ${error.message}`);
    }
  }

  showState(device) {
    const word = state(device);
    setText(this.mark, mark(word === "waiting" ? "stale" : word));
    this.mark.className = `mark ${{offline: "trouble", stale: "waiting", waiting: "waiting"}[word] ?? ""}`;
    const isOneOfMany = world.gateways.size > 1 && device.gateway;
    setText(this.word, [word !== "online" && word, isOneOfMany && device.gateway].filter(Boolean).join(" · "));
    const text = why(device);
    if (this.reasonText === text) return;
    this.reasonText = text;
    const parts = text ? [`${text} · `, h("a", {href: deviceLink(device.name)}, "Why?")] : [];
    if (text && word === "waiting") parts.push(" · ", h("a", {href: "#gateways"}, "Connections"));
    if (text && word !== "asleep" && world.access === "full") parts.push(" · ", tryNow(device.name, "plain"));
    this.reason.replaceChildren(...parts);
  }

  showReadings(device) {
    // The battery has a column of its own.
    const shown = device.readings.filter((reading) => reading.name !== "battery");
    for (const reading of shown.slice(0, 4)) {
      let cell = this.cells.get(reading.name);
      if (!cell) {
        cell = {value: h("span"), unit: h("span", {class: "unit"})};
        cell.element =
            h("span", {class: "reading"}, h("span", {class: "hint"}, `${reading.name} `), cell.value, " ", cell.unit);
        this.cells.set(reading.name, cell);
        this.readings.append(cell.element);
        if (this.cells.size === 1) this.readings.append(this.spark);
      }
      this.showSwitch(device, reading, cell);
      setText(cell.value, valueText(reading.value));
      setText(cell.unit, device.units[reading.name] ?? reading.unit ?? "");
      if (reading.isFresh) {
        reading.isFresh = false;
        cell.element.classList.remove("fresh");
        void cell.element.offsetWidth;
        cell.element.classList.add("fresh");
      }
    }
    const first = shown.find((reading) => typeof reading.value === "number");
    if (first && !this.hasSpark && world.history) watch(this, first.name);
  }

  /** Makes the value of a reading a switch, if a characteristic of which it is the state can be written. */
  showSwitch(device, reading, cell) {
    const target = world.access === "full" && typeof reading.value === "boolean" ? device.switches[reading.name] : null;
    if (target && !cell.isSwitch) {
      const button = action(
          "", () => post("./api/set", {device: this.name, characteristic: target, value: !cell.state}),
          {role: "switch", "aria-label": `${reading.name} of ${this.name}`});
      cell.value.replaceWith(button);
      Object.assign(cell, {value: button, isSwitch: true});
    }
    cell.state = reading.value;
    if (cell.isSwitch) cell.value.setAttribute("aria-checked", String(reading.value === true));
  }

  async drawSpark(reading) {
    const history = await getHistory(this.name, reading, 24).catch(() => null);
    // A single point would look like a speck.
    if (history?.mean?.filter((value) => value !== null).length > 1)
      this.spark.replaceChildren(sparkline(history, reading));
  }

  tick() {
    setText(this.seen, age(this.device?.last_seen));
  }
}

/** Draws the sparklines of the rows that are visible, and draws each one once. */
const visible = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    visible.unobserve(entry.target);
    entry.target.draw?.();
  }
});

function watch(row, reading) {
  row.hasSpark = true;
  row.element.draw = () => row.drawSpark(reading);
  visible.observe(row.element);
}
