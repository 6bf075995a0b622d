// Numbers, times and states in words.
import {clock} from "./api.js";
import {world} from "./world.js";

/** Returns a time span in words: "now", "40 s", "4 min", "3 h", "2 d". */
export function span(seconds) {
  if (seconds < 5) return "now";
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 172800) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86400)} d`;
}

/** Returns the age of a time in seconds. Some seconds less than zero are the difference of two clocks. */
function seconds(time) {
  const value = (clock() - Date.parse(time)) / 1000;
  return value < 0 && value > -60 ? 0 : value;
}

/**
 * Returns the age of a time in words; an empty text if the time is not known. A time in the future is not "now": a clock
 * was set back, or that of the gateway is wrong, and the value can be old.
 */
export function age(time) {
  const value = seconds(time);
  return Number.isNaN(value) ? "" : value < 0 ? `${span(-value)} ahead` : span(value);
}

/** Returns "4 min ago", "now", or "4 min ahead". */
export function ago(time) {
  return seconds(time) >= 5 ? `${age(time)} ago` : age(time);
}

/** Returns a time of today as a time, others with the date. */
export function moment(time) {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return "";
  const isToday = date.toDateString() === new Date(clock()).toDateString();
  return isToday ? date.toLocaleTimeString() : date.toLocaleString();
}

/** Returns the address of the view of a device. */
export const deviceLink = (name) => `#device/${name.split("/").map(encodeURIComponent).join("/")}`;

/** Returns a value as text; numbers keep the digits of the gateway. */
export function valueText(value) {
  if (value === null || value === undefined) return "–";
  if (value === true) return "on";
  if (value === false) return "off";
  if (typeof value === "number") return String(value).replace("-", "−");
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Returns a number of bytes with a unit. */
export function size(bytes) {
  if (!Number.isFinite(bytes)) return "–";
  return bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const MARKS = {
  online: "●",
  asleep: "☾",
  stale: "◔",
  offline: "✕",
  unknown: "○"
};

/** Returns the mark of a state; it always stands beside the word. */
export function mark(state) {
  return MARKS[state] ?? MARKS.unknown;
}

/** Returns four bars for a signal strength in dBm. */
export function bars(rssi) {
  if (!Number.isFinite(rssi)) return "";
  const level = rssi >= -55 ? 4 : rssi >= -67 ? 3 : rssi >= -80 ? 2 : 1;
  return "▂▄▆█".slice(0, level) + "_".repeat(4 - level);
}

/** Returns the availability of a device: offline if its gateway is, whose last messages the broker retains. */
export function availability(device) {
  if (world.gateways.get(device.gateway)?.state === "offline")
    return {state: "offline", reason: `the gateway ${device.gateway} is offline`};
  return device.availability ?? {};
}

/** Returns the state of a device, with "waiting" for one that waits for a connection. */
export function state(device) {
  const {state = "unknown"} = availability(device);
  return state === "online" && device.connection?.state === "waiting" && device.connection.reason ? "waiting" : state;
}

/** Whether somebody should look at a device. */
export function isTrouble(device) {
  return ["offline", "stale", "waiting"].includes(state(device));
}

/** Returns one sentence that says why a device is not online; an empty text if it is. */
export function why(device) {
  const {connection = {}} = device;
  const {state, reason} = availability(device);
  const parts = [];
  if (reason)
    parts.push(reason);
  else if (isTrouble(device) && connection.reason)
    parts.push(connection.reason);
  else if (state === "offline")
    parts.push("no reason is known yet");
  if (isTrouble(device) && connection.attempts) parts.push(`tried ${connection.attempts} times`);
  if (isTrouble(device) && device.last_seen) parts.push(`last seen ${ago(device.last_seen)}`);
  return parts.join("; ");
}
