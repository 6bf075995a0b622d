// Pairing: starts it, and answers its questions in a dialog.
import {request} from "./api.js";
import {ask, h, say} from "./dom.js";
import {observe} from "./world.js";

/** The gateway ends a pairing after so many seconds. */
const LIMIT = 60;

/** The pairings that this page has started, by the name or the address of the device. */
const running = new Map();

/** Pairs a device; questions appear as dialogs. The target has `gateway` and `device` or `address`. */
export async function pair(target) {
  const name = target.device ?? target.address;
  running.set(name, target);
  try {
    await request("pair", {...target, ttl: "90s"});
    say(`${name} is paired.`);
  } finally {
    running.delete(name);
    document.querySelector("dialog[data-pairing]")?.close("");
  }
}

/** Answers the questions of the pairings that this page has started. */
export function attendPairing() {
  observe((_, event) => {
    const name = event?.device ?? event?.address;
    const target = name && running.get(name);
    if (target) answer(event, name, target).catch((error) => say(error.message));
  });
}

async function answer(event, name, target) {
  // The pairing has ended if its dialog was closed for it.
  const send = (passkey) => running.has(name) && request("pair", {...target, passkey});
  const title = `Pair ${name}`;
  if (event.type === "passkey_request") {
    const input = h("input", {
      name: "passkey",
      inputmode: "numeric",
      pattern: "[0-9]{1,6}",
      maxlength: 6,
      required: true,
      autocomplete: "off",
      class: "code"
    });
    const question = h("label", {}, "The device shows a number. Type it here:", input);
    const form = await ask(title, h("div", {}, question, timeLeft()), "Pair", {pairing: true});
    if (form) await send(form.get("passkey").padStart(6, "0"));
  } else if (event.type === "confirm") {
    const question = h("div", {}, h("p", {}, "Does the device show the same number?"), code(event.number), timeLeft());
    const isSame = await ask(title, question, "Yes, the same", {pairing: true, cancel: "No"});
    // Any other number rejects the pairing.
    await send(isSame ? event.number : String((Number(event.number) + 1) % 1_000_000).padStart(6, "0"));
  } else if (event.type === "passkey_display") {
    const text = h("div", {}, h("p", {}, "Type this number on the device:"), code(event.passkey), timeLeft());
    await ask(title, text, "Close", {pairing: true, cancel: null});
  }
}

const code = (number) => h("p", {class: "code"}, number);

/** Returns a text with the time until the pairing ends, which counts down while it is on the page. */
function timeLeft() {
  const end = performance.now() + LIMIT * 1000;
  const text = h("p", {class: "hint"}, `${LIMIT} s left`);
  const timer = setInterval(() => {
    text.textContent = `${Math.max(0, Math.round((end - performance.now()) / 1000))} s left`;
    if (!text.isConnected) clearInterval(timer);
  }, 1000);
  return text;
}
