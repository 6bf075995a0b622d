// Events of all gateways, newest first.
import {h, replace, setText} from "./dom.js";
import {deviceLink, moment} from "./format.js";
import {world} from "./world.js";

/** Returns an event as a sentence. */
export function sentence(event) {
  const {type = "event", reason, characteristic, hex, seconds, count} = event;
  const words = type.replaceAll("_", " ");
  const detail = [
    characteristic, reason, hex && `bytes ${hex}`, count && `${count} times`, seconds && `by ${seconds} s`
  ].filter(Boolean);
  return detail.length > 0 ? `${words}: ${detail.join(": ")}` : words;
}

/** Returns a function that returns the row of an event: the same one each time, so that its details stay open. */
export function rowMaker(hasName) {
  const rows = new WeakMap();
  return (event) => {
    if (!rows.has(event)) rows.set(event, row(event, hasName));
    setText(rows.get(event).firstChild, moment(event.time));
    return rows.get(event);
  };
}

/** Returns the row of an event; a value that does not fit its format comes with the command that shows why. */
function row(event, hasName) {
  const name = event.device;
  const command = event.type === "decode_failed" && event.characteristic !== "advertisement" &&
      `bluefleet decode ${event.characteristic} ${event.hex}`;
  return h(
      "tr", {}, h("td", {class: "number age"}),
      hasName && h("td", {},
        name ? h("a", {href: deviceLink(name)}, name) :
               h("span", {class: "hint"}, event.gateway ?? "")),
      h("td", {class: "wide"}, sentence(event), command && h("div", {}, h("code", {}, command)),
        h("details", {}, h("summary", {class: "hint"}, "JSON"), h("pre", {}, JSON.stringify(event, null, 1)))));
}

export function show(root, _, parameters) {
  let words = parameters.get("search") ?? "";
  let isHeld = false;
  const search =
      h("input", {type: "search", placeholder: "Device or type…", "aria-label": "Filter events", value: words});
  const held = h("span", {class: "hint", role: "status"});
  const body = h("tbody");
  root.append(
      h("h1", {}, "Events"), h("div", {class: "bar"}, search, held),
      h("table", {class: "stack"},
        h("thead", {}, h("tr", {}, ["Time", "Device", "Event"].map((label) => h("th", {scope: "col"}, label)))), body));
  const fits = (event) =>
      `${event.device ?? ""} ${event.type} ${event.gateway}`.toLowerCase().includes(words.toLowerCase());
  const none = h("tr", {}, h("td", {colspan: 3, class: "hint"}, "No event since the dashboard started."));
  const row = rowMaker(true);
  const draw = () => {
    const list = world.events.filter(fits).slice(0, 200);
    replace(body, list.length > 0 ? list.map(row) : [none]);
  };
  search.addEventListener("input", () => {
    words = search.value;
    draw();
  });
  const hold = (value) => () => {
    isHeld = value;
    held.textContent = value ? "paused while you read" : "";
    if (!value) draw();
  };
  body.addEventListener("pointerenter", hold(true));
  body.addEventListener("pointerleave", hold(false));
  draw();
  return {
    update(changes) {
      if (changes.has("event") && !isHeld) draw();
    },
  };
}
