// Plots as inline SVG: the mean as a line, least to greatest as a band, gaps as gaps, states as a strip.
import {clock} from "./api.js";
import {h, svg} from "./dom.js";
import {moment, valueText} from "./format.js";

const [HEIGHT, LEFT, BOTTOM, TOP] = [140, 44, 18, 8];

/** Returns two to five round numbers between two values. */
function ticks(least, greatest) {
  const span = greatest - least || 1;
  const step = 10 ** Math.floor(Math.log10(span / 2));
  const size = [10, 5, 2, 1].map((factor) => factor * step).find((candidate) => span / candidate >= 2);
  const list = [];
  for (let value = Math.ceil(least / size) * size; value <= greatest + size / 1e6; value += size)
    list.push(Number(value.toPrecision(12)));
  return list;
}

/** Returns runs of neighbouring slots that have a value. */
function runs(values) {
  const list = [];
  values.forEach((value, index) => {
    if (value === null) return;
    if (index > 0 && values[index - 1] !== null && list.length > 0)
      list.at(-1).push(index);
    else
      list.push([index]);
  });
  return list;
}

/** Returns the points of a run's line; a single value is a line of 4 pixels. */
function linePoints(run, values, x, y) {
  const points = run.length === 1 ?
      [-2, 2].map((offset) => [x(run[0]) + offset, y(values[run[0]])]) :
      run.map((index) => [x(index), y(values[index])]);
  return points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
}

function range(history) {
  const numbers = [...history.min, ...history.max].filter((value) => value !== null);
  if (numbers.length === 0) return null;
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const margin = greatest === least ? Math.max(Math.abs(least) * 0.01, 0.5) : 0;
  return {least: least - margin, greatest: greatest + margin};
}

/** Returns a line of 96 by 24 pixels. */
export function sparkline(history, name) {
  const bounds = range(history);
  const element =
      svg("svg", {class: "spark", viewBox: "0 0 96 24", role: "img"}, svg("title", {}, `${name}: ${summary(history)}`));
  if (!bounds) return element;
  const x = (index) => ((index + 0.5) / history.mean.length) * 96;
  const y = (value) => 22 - ((value - bounds.least) / (bounds.greatest - bounds.least)) * 20;
  for (const run of runs(history.mean))
    element.append(svg("polyline", {class: "line", points: linePoints(run, history.mean, x, y)}));
  return element;
}

/** Returns least, greatest and last value in words, the greatest and the least one with their times. */
export function summary(history) {
  const means = history.mean.filter((value) => value !== null);
  if (means.length === 0) return "no value";
  const text = (value) => `${valueText(round(value))} ${history.unit ?? ""}`.trim();
  const extreme = (list, choose) => {
    const value = choose(...list.filter((v) => v !== null));
    return means.length === 1 ? text(value) : `${text(value)} at ${slotTime(history, list.indexOf(value))}`;
  };
  return `least ${extreme(history.min, Math.min)}, greatest ${extreme(history.max, Math.max)}, last ${text(means.at(-1))}`;
}

/** Returns a time in seconds since 1970 as the time of day; with the day of the week if the plot has several days. */
const shortTime = (seconds, hours) => new Date(seconds * 1000).toLocaleTimeString(
    [], {hour: "2-digit", minute: "2-digit", ...(hours > 25 && {weekday: "short"})});

const slotTime = ({start, step, mean}, index) => shortTime(start + index * step, mean.length * step / 3600);

/** Returns lines at two to five round times, from `start` to `end` in seconds since 1970, and their texts below. */
function timeAxis(start, end, width, height) {
  const step = [900, 3600, 10_800, 21_600, 86_400, 172_800].find((seconds) => (end - start) / seconds < 5);
  const zone = new Date(start * 1000).getTimezoneOffset() * 60;
  const list = [];
  for (let time = Math.ceil((start - zone) / step) * step + zone; time < end; time += step) {
    const x = LEFT + (time - start) / (end - start) * (width - LEFT);
    const anchor = x > width - 40 ? "end" : "middle";
    list.push(
        svg("line", {class: "axis", x1: x, x2: x, y1: 0, y2: height - BOTTOM}),
        svg("text", {x, y: height - 4, "text-anchor": anchor}, shortTime(time, (end - start) / 3600)));
  }
  return list;
}

const round = (value) => Number(value.toPrecision(5));

/** Returns a figure of a number's history, `width` pixels wide. */
export function plot(history, name, width) {
  const bounds = range(history);
  const text = h("span", {class: "hint"}, summary(history));
  const readout = h("span", {class: "number", "aria-live": "polite"});
  const unit = history.unit && h("span", {class: "hint"}, ` in ${history.unit}`);
  const caption = h("figcaption", {}, h("span", {}, h("strong", {}, name), unit), readout, text);
  if (!bounds) return h("figure", {class: "plot"}, caption);
  const count = history.mean.length;
  const x = (index) => LEFT + ((index + 0.5) / count) * (width - LEFT);
  const y = (value) => TOP + (1 - (value - bounds.least) / (bounds.greatest - bounds.least)) * (HEIGHT - TOP - BOTTOM);
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} ${HEIGHT}`,
    preserveAspectRatio: "none",
    role: "img",
    tabindex: 0,
    "aria-label": `${name}: ${summary(history)}. Left and right arrow: single values`
  });
  for (const value of ticks(bounds.least, bounds.greatest)) {
    drawing.append(
        svg("line", {class: "axis", x1: LEFT, x2: width, y1: y(value), y2: y(value)}),
        svg("text", {x: LEFT - 4, y: y(value) + 4, "text-anchor": "end"}, valueText(value)));
  }
  drawing.append(...timeAxis(history.start, history.start + count * history.step, width, HEIGHT));
  for (const run of runs(history.mean)) {
    const edges = [linePoints(run, history.max, x, y), linePoints([...run].reverse(), history.min, x, y)];
    drawing.append(
        svg("polygon", {class: "area", points: edges.join(" ")}),
        svg("polyline", {class: "line", points: linePoints(run, history.mean, x, y)}));
  }
  const pointer = svg("line", {class: "pointer", y1: TOP, y2: HEIGHT - BOTTOM, visibility: "hidden"});
  drawing.append(pointer);
  let chosen = count - 1;
  const choose = (index) => {
    chosen = Math.max(0, Math.min(count - 1, index));
    for (const end of ["x1", "x2"]) pointer.setAttribute(end, x(chosen));
    pointer.setAttribute("visibility", "visible");
    const time = moment((history.start + chosen * history.step) * 1000);
    const value = history.mean[chosen];
    readout.textContent = value === null ?
        `${time}: no value` :
        `${time}: ${valueText(round(value))} ${history.unit ?? ""} (${valueText(round(history.min[chosen]))} to ${
            valueText(round(history.max[chosen]))})`;
  };
  drawing.addEventListener("pointermove", (event) => {
    const box = drawing.getBoundingClientRect();
    choose(Math.floor((((event.clientX - box.left) / box.width) * width - LEFT) / (width - LEFT) * count));
  });
  drawing.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: -1, ArrowRight: 1}[event.key];
    if (step) choose(chosen + step);
    if (step) event.preventDefault();
  });
  return h("figure", {class: "plot"}, caption, drawing);
}

/** Returns a strip of the states of the last hours, `width` pixels wide; each state has its word. */
export function strip(changes, name, hours, width) {
  const now = clock() / 1000;
  const start = now - hours * 3600;
  const x = (time) => LEFT + (Math.max(time, start) - start) / (now - start) * (width - LEFT);
  const states = changes.map(([time, word]) => [time, valueText(["false", "true"].includes(word) ? word === "true" : word)]);
  const drawing = svg("svg", {
    viewBox: `0 0 ${width} 58`,
    preserveAspectRatio: "none",
    role: "img",
    class: "strip",
    "aria-label": `${name}: ${states.map(([time, word]) => `${word} at ${moment(time * 1000)}`).slice(-5).join(", ")}`
  });
  // "off" is the faintest, "on" the strongest.
  const words = [...new Set(states.map(([, word]) => word))].sort();
  const strength = (word) => 0.25 + 0.75 * words.indexOf(word) / Math.max(1, words.length - 1);
  states.forEach(([time, word], index) => {
    const to = states[index + 1]?.[0] ?? now;
    if (to <= start) return;
    const length = Math.max(1, x(to) - x(time));
    const title = svg("title", {}, `${word} from ${moment(time * 1000)} to ${moment(to * 1000)}`);
    drawing.append(
        svg("rect", {x: x(time), width: length, y: 0, height: 40, class: "area", opacity: strength(word)}, title));
    if (length > 8 * word.length) drawing.append(svg("text", {x: x(time) + 4, y: 24}, word));
  });
  drawing.append(...timeAxis(start, now, width, 58));
  const newest = states.at(-1);
  return h(
      "figure", {class: "plot"},
      h("figcaption", {}, h("strong", {}, name),
        h("span", {class: "hint"}, newest ? `${newest[1]} since ${moment(newest[0] * 1000)}` : "no value")),
      drawing);
}
