// Pairing: starts it, and answers its questions in a dialog.
import {request} from "./api.js";
import {ask, h, say} from "./dom.js";
import {observe} from "./world.js";

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
  const send = (passkey) => request("pair", {...target, passkey});
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
    const form = await ask(`Pair ${name}`, h("label", {}, "The device shows a number. Type it here:", input), "Pair");
    if (form) await send(form.get("passkey").padStart(6, "0"));
  } else if (event.type === "confirm") {
    const form = await ask(
        `Pair ${name}`,
        h("div", {}, h("p", {}, "Does the device show the same number?"), h("p", {class: "code"}, event.number)),
        "Yes, the same");
    if (form) await send(event.number);
  } else if (event.type === "passkey_display") {
    const dialog =
        h("dialog", {"aria-label": `Pair ${name}`, "data-pairing": true}, h("h1", {}, `Pair ${name}`),
          h("p", {}, "Type this number on the device:"), h("p", {class: "code"}, event.passkey),
          h("form", {method: "dialog"}, h("button", {}, "Close")));
    dialog.addEventListener("close", () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
  }
}
