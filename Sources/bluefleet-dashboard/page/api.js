// Everything between the page and the dashboard. All addresses are relative: a proxy may add a prefix.
import {ask, h} from "./dom.js";

let offset = 0;
/** Returns the time of the dashboard's clock, in milliseconds since 1970. */
export const clock = () => Date.now() + offset;

/** An answer that reports an error; `code` is that of the MQTT response. */
class Failure extends Error {
  constructor(message, code, status) {
    super(message);
    Object.assign(this, {code, status});
  }
}

async function call(path, options = {}) {
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw new Failure("The dashboard does not answer.", "unreachable", 0);
  }
  const date = Date.parse(response.headers.get("date"));
  if (Number.isFinite(date) && Math.abs(date - clock()) > 2000) offset = date - Date.now();
  if (response.status === 401 && !path.endsWith("api/session")) {
    await signIn();
    return call(path, options);
  }
  const body = await response.json().catch(() => ({}));
  if (response.ok) return body;
  const error = body.error ?? {};
  throw new Failure(error.message ?? `The dashboard answers ${response.status}.`, error.code, response.status);
}

export const get = (path) => call(path);

/** Returns the last hours of a reading. */
export function getHistory(device, reading, hours) {
  const from = Math.floor(clock() / 1000 - hours * 3600);
  return get(`./api/history?${new URLSearchParams({device, reading, from})}`);
}

export function post(path, body = {}) {
  const headers = {"Content-Type": "application/json"};
  return call(path, {method: "POST", headers, body: JSON.stringify(body)});
}

/** Sends a request to a gateway or a device; returns `data` of its response. */
export async function request(verb, body) {
  const response = await post(`./api/request/${verb}`, body);
  return response.data ?? {};
}

let signingIn = null;
/** Asks for the password until it is right. */
export function signIn() {
  signingIn ??= (async () => {
    let hint = "";
    while (true) {
      const input = h("input", {type: "password", name: "password", autocomplete: "current-password", required: true});
      const form = await ask(
          "Password",
          h("div", {}, h("p", {}, h("label", {}, "Password", input)), hint && h("p", {class: "trouble"}, hint)),
          "Sign in");
      if (!form) {
        hint = "The dashboard shows nothing without its password.";
        continue;
      }
      try {
        await post("./api/session", {password: form.get("password")});
        signingIn = null;
        return;
      } catch (error) {
        hint = error.message;
      }
    }
  })();
  return signingIn;
}

export async function signOut() {
  await post("./api/session/end");
  location.reload();
}

/**
 * Follows the events of the dashboard: as a stream, or by long polls if a proxy holds the stream back.
 *
 * `handler` has the functions topic({topic, payload, id}), broker({connected}), reset(), alive() and lost(). Returns
 * a function that ends it.
 */
export function follow(path, first, handler) {
  const ending = new AbortController();
  let last = first;
  const take = (type, id, data) => {
    if (id) last = id;
    if (type === "reset")
      handler.reset();
    else
      handler[type]?.(data);
  };
  (async () => {
    let polls = false;
    for (let failures = 0; !ending.signal.aborted;) {
      try {
        polls = await (polls ? poll : stream)(path, last, take, handler, ending.signal);
        failures = 0;
        // A proxy may end each stream at once.
        if (!polls) await new Promise((resolve) => setTimeout(resolve, 500));
      } catch (error) {
        if (ending.signal.aborted) return;
        if (error.status === 401) await signIn();
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** failures, 10_000)));
        if (failures > 1) {
          handler.lost();
          handler.reset();
        }
      }
    }
  })();
  return () => ending.abort();
}

/**
 * Reads the stream until it ends; returns true if a proxy holds it back: polls are needed. The first event comes at once,
 * and then at least a comment every 15 s.
 */
async function stream(path, last, take, handler, signal) {
  const ending = new AbortController();
  const end = () => ending.abort();
  signal.addEventListener("abort", end);
  let isHeld = false;
  let timer;
  const expectWithin = (limit) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      isHeld = true;
      end();
    }, limit);
  };
  expectWithin(3000);
  try {
    const headers = {Accept: "text/event-stream", ...(last ? {"Last-Event-ID": String(last)} : {})};
    const response = await fetch(path, {headers, signal: ending.signal});
    if (!response.ok) throw new Failure("", "", response.status);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const {value, done} = await reader.read();
      if (done) return false;
      expectWithin(20_000);
      handler.alive();
      const blocks = (rest + value).split("\n\n");
      rest = blocks.pop();
      blocks.forEach((block) => parse(block, take));
    }
  } catch (error) {
    if (!signal.aborted && isHeld) return true;
    throw error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

function parse(block, take) {
  let [type, id, data] = ["topic", null, ""];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:"))
      type = line.slice(6).trim();
    else if (line.startsWith("id:"))
      id = Number(line.slice(3));
    else if (line.startsWith("data:"))
      data += line.slice(5);
  }
  if (data || type === "reset") take(type, id, data ? JSON.parse(data) : null);
}

async function poll(path, last, take, handler, signal) {
  const join = path.includes("?") ? "&" : "?";
  const response = await fetch(`${path}${join}after=${last}&wait=25`, {signal});
  if (!response.ok) throw new Failure("", "", response.status);
  const body = await response.json();
  handler.alive();
  if (body.reset) {
    handler.reset();
    return true;
  }
  if ("connected" in body) handler.broker({connected: body.connected});
  for (const event of body.events ?? []) take("topic", event.id, event);
  if (body.id) take("id", body.id);
  return true;
}
