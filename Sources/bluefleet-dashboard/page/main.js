// The frame of the page: views, lamps, theme, keyboard.
import {signOut} from "./api.js";
import * as device from "./device.js";
import * as devices from "./devices.js";
import {h, say, setText} from "./dom.js";
import * as events from "./events.js";
import {isTrouble, moment, state, why} from "./format.js";
import * as gateways from "./gateways.js";
import * as nearby from "./nearby.js";
import {attendPairing} from "./pairing.js";
import {isSilent, load, observe, world} from "./world.js";

const VIEWS = {
  devices,
  device,
  nearby,
  gateways,
  events
};
const TABS = {
  devices: "Devices",
  nearby: "Nearby",
  gateways: "Gateways",
  events: "Events"
};
const main = document.querySelector("main");
const nav = document.querySelector("nav");
const lamps = document.querySelector(".lamps");
const banner = document.querySelector(".banner");

let view = null;
let key = "";

/**
 * Returns the view of the fragment, its argument and its parameters: #device/cellar/freezer, #devices?state=trouble.
 */
function route() {
  const [path, query = ""] = location.hash.slice(1).split("?");
  const [name, ...rest] = path.split("/");
  const known = Object.hasOwn(VIEWS, name) ? name : "devices";
  return {name: known, argument: decodeURIComponent(rest.join("/")), parameters: new URLSearchParams(query)};
}

function show() {
  const {name, argument, parameters} = route();
  const next = `${name}/${argument}`;
  if (next === key && view?.reroute) return view.reroute(parameters);
  view?.close?.();
  key = next;
  main.replaceChildren();
  const title = TABS[name] ?? argument;
  document.title = `${title} · Bluefleet`;
  const current = name === "device" ? "devices" : name;
  nav.replaceChildren(...Object.entries(TABS).map(
      ([target, label]) => h("a", {href: `#${target}`, "aria-current": target === current ? "page" : null}, label)));
  view = VIEWS[name].show(main, argument, parameters);
}

function lamp(isGood, label, title) {
  return h("span", {title, class: isGood ? "" : "trouble"}, `${isGood ? "●" : "✕"} ${label}`);
}

function showLamps() {
  const {connected, since} = world.broker;
  const list = [lamp(connected, "broker", `${connected ? "connected" : "not connected"} since ${moment(since)}`)];
  for (const gateway of [...world.gateways.values()].slice(0, 4)) {
    const isOn = gateway.state === "online";
    const adapters = gateway.adapters?.adapters ?? gateway.health?.adapters ?? [];
    const slots =
        adapters.map(({connections, capacity}) => capacity ? `${connections}/${capacity}` : connections).join(" ");
    const title = isOn ? `online, connections in use: ${slots || "not known"}` : "offline";
    list.push(lamp(isOn, [gateway.name, isOn && slots].filter(Boolean).join(" "), title));
  }
  const text = list.map((element) => element.textContent).join();
  if (lamps.dataset.text !== text) lamps.replaceChildren(...list);
  lamps.dataset.text = text;
}

function showBanner() {
  const offline =
      [...world.gateways.values()].filter((gateway) => gateway.state === "offline").map((gateway) => gateway.name);
  const text = !world.isLoaded ? "" :
      isSilent() ? "The dashboard does not answer. The values below are old." :
      !world.broker.connected ? "The broker is away. The values below are old; the dashboard tries to connect again." :
      offline.length > 0 ? `Offline: ${offline.join(", ")}. The values of this gateway are old.` : "";
  setText(banner, text);
  banner.hidden = text === "";
  document.body.classList.toggle("old", isSilent() || !world.broker.connected);
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
}

const dark = matchMedia("(prefers-color-scheme: dark)");
setTheme(localStorage.getItem("theme") ?? (dark.matches ? "dark" : "light"));
dark.addEventListener("change", () => localStorage.getItem("theme") ?? setTheme(dark.matches ? "dark" : "light"));
document.querySelector("#theme").addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  localStorage.setItem("theme", theme);
  setTheme(theme);
});
document.querySelector("#leave").addEventListener("click", signOut);
document.querySelector("[data-skip]").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.target.closest("input, select, textarea, dialog") || event.ctrlKey || event.metaKey || event.altKey) {
    if (event.key === "Escape" && event.target.matches("input[type=search]")) event.target.blur();
    return;
  }
  const search = main.querySelector("input[type=search]");
  if (event.key === "/" && search) {
    event.preventDefault();
    search.focus();
  } else if (event.key === "Escape" && route().name === "device") {
    history.length > 1 ? history.back() : (location.hash = "#devices");
  } else {
    view?.press?.(event);
  }
});

observe((changes, event) => {
  if (event?.device && world.devices.has(event.device) && isTrouble(world.devices.get(event.device))) {
    const device = world.devices.get(event.device);
    if (["connect_failed", "bond_lost", "pairing_failed"].includes(event.type))
      say(`${device.name} is ${state(device)}: ${why(device)}`);
  }
  showLamps();
  showBanner();
  document.querySelector("#leave").hidden = !world.hasSession;
  try {
    view?.update?.(changes, event);
  } catch (error) {
    console.error(error);
  }
});
attendPairing();
addEventListener("hashchange", show);
setInterval(() => {
  showBanner();
  view?.tick?.();
}, 1000);

(async () => {
  for (let delay = 500;; delay = Math.min(delay * 2, 10_000)) {
    try {
      await load();
      return show();
    } catch (error) {
      main.replaceChildren(h("p", {class: "hint"}, `${error.message} The page tries again.`));
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
})();
