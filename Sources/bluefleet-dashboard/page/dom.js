// Elements and dialogs. Texts only become text nodes: nothing that a device sends is read as HTML.

/**
 * Returns an element; properties beginning with "on" are listeners, the others attributes (true: empty, false: none).
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** Returns an SVG element. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), properties, children);
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("on"))
      element.addEventListener(name.slice(2), value);
    else if (value !== false && value != null)
      element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child != null && child !== false));
  return element;
}

/**
 * Replaces the children of an element. The focus stays where it is: on the same element, or on the new one with the same
 * attribute `data-key`.
 */
export function replace(parent, children) {
  const focused = parent.contains(document.activeElement) ? document.activeElement : null;
  parent.replaceChildren(...children);
  if (!focused) return;
  const {key} = focused.dataset;
  const next = parent.contains(focused) ? focused : key && parent.querySelector(`[data-key="${CSS.escape(key)}"]`);
  next?.focus({preventScroll: true});
}

/** Replaces the text of an element if it differs, so that a screen reader is not disturbed. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Returns a list of labels and values; those without a value are left out. */
export const facts = (list) => h("dl", {}, list.filter(([, value]) => value || value === 0)
    .map(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]));

/** Shows a message for 5 s, a long one for longer. */
export function say(text) {
  const toast = document.querySelector(".toast");
  toast.textContent = text;
  clearTimeout(say.timer);
  say.timer = setTimeout(() => (toast.textContent = ""), Math.max(5000, 60 * text.length));
}

/** Returns a button that is busy while its action runs, and shows an error of the action. */
export function action(label, run, properties = {}) {
  const button = h("button", {type: "button", ...properties}, label);
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-busy") === "true") return;
    button.setAttribute("aria-busy", "true");
    try {
      await run(button);
    } catch (error) {
      say(error.message);
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
  return button;
}

/**
 * Opens a dialog with a form; resolves with the form's data, or with null if it was cancelled.
 *
 * `properties`: `danger`: a button that removes something; `cancel`: the other button, null: none; `pairing`: the dialog
 * belongs to a pairing.
 */
export function ask(title, content, confirm = "OK", properties = {}) {
  const {danger, cancel = "Cancel", pairing = false} = properties;
  return new Promise((resolve) => {
    const form =
        h("form", {method: "dialog"}, h("h1", {}, title), content,
          h("p", {class: "bar"}, h("button", {class: danger ? "danger" : "main", value: "yes"}, confirm),
            cancel && h("button", {class: "plain", value: "", formnovalidate: true}, cancel)));
    const dialog = h("dialog", {"aria-label": title, "data-pairing": pairing}, form);
    dialog.addEventListener("close", () => {
      resolve(dialog.returnValue === "yes" ? new FormData(form) : null);
      dialog.remove();
    });
    document.body.append(dialog);
    dialog.showModal();
  });
}
