// SPDX-License-Identifier: Apache-2.0
// Draws the plots of a sweep or a search. The page holds the points as JSON (points.py), the places of the plots and a
// table of the points. All plots show the chosen metric; a click on a point shows the command that runs it.
"use strict";
(() => {
const data = JSON.parse(document.getElementById("points").textContent);
const {parameters, axes, metrics, style} = data;
const points = data.runs.map((_, number) => number);
const isSearch = data.front !== undefined;
const kind = isSearch ? "trial" : "point";
const DASH = "-";
const NO_AXIS = -1;
const GREY = "#b3bac4", INK = "#222222";

// The choices of the reader. `brushes`: the selected part of each axis of the parallel coordinates, by its name, as
// heights in pixels. `values`: the value of each parameter that is not on the axes of a plot, by plot and axis.
const chosen = {metric: 0, selected: null, brushes: {}, values: {map: {}, lines: {}}};

// ---- Text

function digits(value) {
  if (value === null) return DASH;
  const size = Math.abs(value);
  if (value && (size >= 1e6 || size < 1e-3)) return value.toExponential(2).replace("e+", "e");
  return size >= 100 ? value.toLocaleString("en-US", {maximumFractionDigits: 0}) : String(Number(value.toPrecision(3)));
}

const cut = (text, most) => text.length > most ? `${text.slice(0, most - 1)}…` : text;

function figure(metric, point) {
  const mean = metric.mean[point];
  if (mean === null || metric.text) return mean ?? DASH;
  const high = metric.high[point];
  return digits(mean) + (high === null ? "" : `\u00a0±\u00a0${digits(high - mean)}`);
}

// The point in words, a line for each parameter and for each of the metrics.
function words(point, shown, newline = "\n") {
  const lines = parameters.map(one => `${one.label}: ${one.texts[one.at[point]]}`);
  lines.push(...shown.map(metric => `${metric.label}: ${figure(metric, point)}`));
  if (isSearch) lines.push(standing(point));
  return [`${kind} ${point + 1}`, ...lines].join(newline);
}

// Plotly reads some HTML in the text of a plot.
const plain = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const hover = (point, ...shown) => plain(words(point, shown)).replaceAll("\n", "<br>");

function standing(point) {
  if (!data.runs[point]) return "failed";
  if (!data.allowed[point]) return "violates a constraint";
  return data.front[point] ? "on the front" : "dominated";
}

// ---- Elements

function element(tag, attributes = {}, ...children) {
  const made = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...children);
  return made;
}

// A list of options, each a pair of value and text. `change` receives the value that the reader chooses.
function select(label, options, value, change) {
  const list = element("select", {}, ...options.map(([value, text]) => element("option", {value}, text)));
  list.value = value;
  list.addEventListener("change", () => change(Number(list.value)));
  return element("label", {}, `${label} `, list);
}

const numbered = (list, text) => list.map((one, number) => [number, text(one)]);
const controls = (plot, ...made) => document.getElementById(`${plot}-controls`).replaceChildren(...made);

// ---- Scales and colours

const known = values => values.filter(value => value !== null);
const isWide = values => Math.min(...values) > 0 && Math.max(...values) >= 20 * Math.min(...values);
const categories = metric => [...new Set(known(metric.mean))].sort();
const categoryColour = number => style.colours[number % style.colours.length];

function shade(share) {
  const place = share * (style.shades.length - 1);
  const low = Math.min(Math.floor(place), style.shades.length - 2);
  const mixed = [1, 3, 5].map(at => {
    const [from, to] = [low, low + 1].map(number => parseInt(style.shades[number].slice(at, at + 2), 16));
    return Math.round(from + (place - low) * (to - from));
  });
  return `rgb(${mixed})`;
}

// Returns a function of a point that gives its colour by a metric.
function colouring(metric) {
  if (metric.text) {
    const all = categories(metric);
    return point => metric.mean[point] === null ? GREY : categoryColour(all.indexOf(metric.mean[point]));
  }
  const {of, low, high} = shading(metric.mean, isWide(known(metric.mean)));
  return point => metric.mean[point] === null ? GREY : shade(high > low ? (of(metric.mean[point]) - low) / (high - low) : 0.5);
}

// Returns the shades of numbers: `of` a figure on their scale, and the entries of a trace or a marker that draw them.
function shading(values, isLog) {
  const bend = isLog ? value => value > 0 ? Math.log10(value) : null : value => value;
  const bent = known(known(values).map(bend));
  const [low, high] = bent.length ? [Math.min(...bent), Math.max(...bent)] : [0, 1];
  const marks = [0, 1, 2, 3, 4].map(part => low + part * (high - low) / 4);
  const ticks = !isLog ? {tickformat: ",~g"}
    : {tickmode: "array", tickvals: marks, ticktext: marks.map(mark => digits(10 ** mark))};
  return {of: value => value === null ? null : bend(value), low, high, ticks};
}

const colourscale = style.shades.map((colour, number) => [number / (style.shades.length - 1), colour]);

// ---- Plots by Plotly

function plot(name, traces, x, y, more = {}) {
  const base = structuredClone(style.layout);
  const layout = {
    ...base, ...more,
    xaxis: {...base.xaxis, ...x, title: {...base.xaxis.title, text: plain(x.title)}},
    yaxis: {...base.yaxis, ...y, title: {...base.yaxis.title, text: plain(y.title)}},
  };
  const place = document.getElementById(name);
  const first = !place.on;
  Plotly.react(place, traces, layout, style.settings);
  if (first) {
    place.on("plotly_click", event => {
      const point = event.points[0].customdata;
      if (point !== undefined && point !== null) show(point);
    });
  }
}

// The axis of a metric or of a parameter with numbers.
function scale(title, values, isText = false) {
  if (isText) return {title, type: "category"};
  return values.length && isWide(values) ? {title, ...structuredClone(style.log)} : {title, type: "linear", tickformat: ",~g"};
}

// The axis of a parameter whose values stand side by side. Of many values, only some are printed.
function steps(title, texts, most) {
  const every = Math.ceil(texts.length / most);
  const there = texts.map((_, number) => number).filter(number => number % every === 0);
  const text = there.map(number => plain(texts[number]));
  return {title, type: "linear", tickmode: "array", tickvals: there, ticktext: text, range: [-0.5, texts.length - 0.5]};
}

// A parameter with numbers has a scale with a tick for each of few values; other parameters have steps.
function parameterScale(axis) {
  const {values} = parameters[axis.parameter];
  if (values === null) return [steps(axis.label, axis.texts, 16), point => at(axis, point)];
  const made = scale(axis.label, values);
  const gap = made.type === "log" ? (a, b) => Math.log(b / a) : (a, b) => b - a;
  const gaps = values.slice(1).map((value, number) => gap(values[number], value));
  if (values.length <= 12 && Math.min(...gaps) * 16 >= gap(values[0], values.at(-1))) {
    Object.assign(made, {tickmode: "array", tickvals: values, ticktext: axis.texts.map(plain), minor: {}});
  }
  return [made, point => values[at(axis, point)]];
}

const at = (axis, point) => parameters[axis.parameter].at[point];

// Returns the points at one value of each axis that is not drawn, and a list of its values for each of these axes that
// needs one.
function slice(name, drawn, redraw) {
  const lists = [];
  let left = points;
  axes.forEach((axis, number) => {
    if (drawn.includes(number)) return;
    const place = point => drawn.map(other => at(axes[other], point)).join();
    const first = new Map();
    const isFree = left.some(point => {
      const key = place(point);
      if (!first.has(key)) first.set(key, at(axis, point));
      return first.get(key) !== at(axis, point);
    });
    if (!isFree) return;
    const there = [...new Set(left.map(point => at(axis, point)))].sort((a, b) => a - b);
    if (!there.includes(chosen.values[name][number])) chosen.values[name][number] = there[0];
    const value = chosen.values[name][number];
    const change = picked => { chosen.values[name][number] = picked; redraw(); };
    lists.push(select(axis.label, there.map(one => [one, axis.texts[one]]), value, change));
    left = left.filter(point => at(axis, point) === value);
  });
  return [left, lists];
}

// ---- The heat map

const MOST_IN_A_CELL = 12;  // letters

function drawMap() {
  const metric = metrics[chosen.metric];
  chosen.map ??= {x: axes.length - 1, y: axes.length - 2};
  const {x, y} = chosen.map;
  const isLog = chosen.map.log ?? (!metric.text && isWide(known(metric.mean)));
  const [shown, lists] = slice("map", [x, y], drawMap);
  const pick = (one, other) => number => {
    if (chosen.map[other] === number) chosen.map[other] = chosen.map[one];
    chosen.map[one] = number;
    drawMap();
  };
  const all = numbered(axes, axis => axis.label);
  const shadesList = select("shades", [[0, "linear"], [1, "logarithmic"]], Number(isLog), value => {
    chosen.map.log = Boolean(value);
    drawMap();
  });
  controls("map", select("x", all, x, pick("x", "y")), select("y", all, y, pick("y", "x")), ...lists,
    ...(metric.text ? [] : [shadesList]));
  const empty = () => axes[y].texts.map(() => axes[x].texts.map(() => null));
  const [heights, texts, about, ids] = [empty(), empty(), empty(), empty()];
  const named = metric.text ? categories(metric) : [];
  const shades = metric.text ? null : shading(shown.map(point => metric.mean[point]), isLog);
  for (const point of shown) {
    const [column, row] = [at(axes[x], point), at(axes[y], point)];
    const mean = metric.mean[point];
    ids[row][column] = point;
    about[row][column] = hover(point, metric);
    texts[row][column] = mean === null ? DASH : metric.text ? plain(mean) : digits(mean);
    heights[row][column] = mean === null ? null : metric.text ? named.indexOf(mean) : shades.of(mean);
  }
  const longest = Math.max(...texts.flat().map(text => text?.length ?? 0));
  const isReadable = axes[x].texts.length <= 16 && axes[y].texts.length <= 30 && longest <= MOST_IN_A_CELL;
  const trace = {
    type: "heatmap", z: heights, text: texts, customdata: ids, hovertext: about, hoverinfo: "text", hoverongaps: false,
    xgap: 1, ygap: 1, texttemplate: isReadable ? "%{text}" : "", colorscale: colourscale,
    colorbar: {title: {text: plain(metric.label), side: "right"}, thickness: 14, ...shades?.ticks},
  };
  if (metric.text) {
    const colours = named.map((_, number) => categoryColour(number));
    const edge = number => number / named.length;
    Object.assign(trace, {
      zmin: -0.5, zmax: named.length - 0.5, colorbar: {
        thickness: 14, tickmode: "array", tickvals: [...named.keys()], ticktext: named.map(name => plain(cut(name, 40))),
      },
      colorscale: colours.flatMap((colour, number) => [[edge(number), colour], [edge(number + 1), colour]]),
    });
  }
  const height = Math.max(260, Math.min(700, 130 + 34 * axes[y].texts.length));
  plot("map", [trace], {...steps(axes[x].label, axes[x].texts, 16), showgrid: false, zeroline: false},
    {...steps(axes[y].label, axes[y].texts, 30), showgrid: false, zeroline: false}, {height, showlegend: false, margin: {...style.layout.margin, t: 36}});
}

// ---- Lines with intervals

function drawLines() {
  const metric = metrics[chosen.metric];
  chosen.lines ??= {x: axes.length - 1, by: axes.length > 1 ? axes.length - 2 : NO_AXIS};
  const {x, by} = chosen.lines;
  const drawn = by === NO_AXIS ? [x] : [x, by];
  const [shown, lists] = slice("lines", drawn, drawLines);
  const all = numbered(axes, axis => axis.label);
  const pick = picked => { chosen.lines = picked; drawLines(); };
  const other = by === NO_AXIS ? (x + 1) % axes.length : by;
  const xList = select("x", all, x, number => pick({x: number, by: number === by ? x : by}));
  const byList = select("a line for each", [[NO_AXIS, "none"], ...all], by,
    number => pick({x: number === x ? other : x, by: number}));
  controls("lines", xList, ...(axes.length > 1 ? [byList] : []), ...lists);
  const [xScale, value] = parameterScale(axes[x]);
  const groups = by === NO_AXIS ? [null] : axes[by].texts.map((_, number) => number);
  const traces = groups.map((group, number) => {
    const mine = shown.filter(point => group === null || at(axes[by], point) === group)
      .sort((a, b) => at(axes[x], a) - at(axes[x], b));
    return {
      type: "scatter", mode: metric.text ? "markers" : "lines+markers", x: mine.map(value),
      y: mine.map(point => metric.mean[point]), customdata: mine, hovertext: mine.map(point => hover(point, metric)),
      hoverinfo: "text", name: group === null ? "" : plain(`${axes[by].label} ${axes[by].texts[group]}`),
      line: {color: categoryColour(number), dash: ["solid", "dash", "dot"][Math.floor(number / style.colours.length) % 3]},
      marker: {color: categoryColour(number), size: 6},
      error_y: metric.text ? {visible: false} : {
        type: "data", symmetric: false, thickness: 1.2, width: 3,
        array: mine.map(point => metric.high[point] === null ? 0 : metric.high[point] - metric.mean[point]),
        arrayminus: mine.map(point => metric.low[point] === null ? 0 : metric.mean[point] - metric.low[point]),
      },
    };
  });
  const yScale = metric.text ? scale("", [], true) : {...scale(metric.label, known(metric.mean)), rangemode: "normal"};
  plot("lines", traces.filter(trace => trace.x.length), xScale, yScale, {showlegend: by !== NO_AXIS});
}

// ---- Trade-offs and the Pareto front

const numbers = metrics.map((_, number) => number).filter(number => !metrics[number].text);
const directions = metrics.map(metric => metric.direction);

// Returns the points that no other point beats in all of these metrics.
function front(among, objectives) {
  const costs = new Map(among.map(point => [point, objectives.map(number =>
    (directions[number] === "minimize" ? 1 : -1) * metrics[number].mean[point])]));
  const beats = (one, other) => one.every((cost, place) => cost <= other[place])
    && one.some((cost, place) => cost < other[place]);
  return among.filter(point => !among.some(other => beats(costs.get(other), costs.get(point))));
}

function drawTrade() {
  const lower = numbers.find(number => directions[number] === "minimize") ?? numbers[0];
  chosen.trade ??= {x: isSearch ? numbers[0] : lower, y: numbers.find(number => number !== (isSearch ? numbers[0] : lower)),
    z: isSearch && numbers.length > 2 ? numbers[2] : NO_AXIS};
  const {x, y, z} = chosen.trade;
  const all = numbers.map(number => [number, metrics[number].label]);
  const colours = [[NO_AXIS, "none"], ...numbered(metrics, metric => metric.label)];
  const isObjective = z !== NO_AXIS && !metrics[z].text;
  const pick = name => number => { chosen.trade[name] = number; drawTrade(); };
  const aims = ["minimize", "maximize"];
  const aim = number => select("", [[0, "lower is better"], [1, "higher is better"]], aims.indexOf(directions[number]),
    value => { directions[number] = aims[value]; drawTrade(); });
  const pair = (name, options, number) =>
    [select(name, options, number, pick(name === "colour" ? "z" : name)), ...(isSearch || !numbers.includes(number) ? [] : [aim(number)])];
  controls("trade", ...pair("x", all, x), ...pair("y", all, y),
    ...(metrics.length > 2 ? pair("colour", colours, z) : []));
  const objectives = [...new Set(isObjective ? [x, y, z] : [x, y])];
  const there = points.filter(point => objectives.every(number => metrics[number].mean[point] !== null));
  const allowed = there.filter(point => !isSearch || data.allowed[point]);
  const best = front(allowed, objectives);
  const isBest = new Set(best), isAllowed = new Set(allowed);
  const shown = [...new Set(z === NO_AXIS ? objectives : [...objectives, z])].map(number => metrics[number]);
  const marks = (mine, name, marker, more = {}) => ({
    type: "scatter", mode: "markers", name: `${mine.length} ${name}`, x: mine.map(point => metrics[x].mean[point]),
    y: mine.map(point => metrics[y].mean[point]), customdata: mine, hovertext: mine.map(point => hover(point, ...shown)),
    hoverinfo: "text", marker: {...marker, opacity: mine.map(point => isWithin(point) ? 1 : 0.12)}, ...more,
  });
  const better = number => `${metrics[number].label}, ${directions[number] === "minimize" ? "lower" : "higher"} is better`;
  const byHeight = mine => {
    if (z === NO_AXIS) return {};
    if (!isObjective) return {color: mine.map(colouring(metrics[z]))};
    const heights = there.map(point => metrics[z].mean[point]);
    const {of, low, high, ticks} = shading(heights, isWide(heights));
    return {color: mine.map(point => of(metrics[z].mean[point])), colorscale: colourscale, cmin: low, cmax: high, showscale: false,
      colorbar: {title: {text: plain(better(z)), side: "right"}, thickness: 14, ...ticks}};
  };
  const beaten = allowed.filter(point => !isBest.has(point));
  const forbidden = there.filter(point => !isAllowed.has(point));
  const inOrder = [...best].sort((a, b) =>
    metrics[x].mean[a] - metrics[x].mean[b] || metrics[y].mean[a] - metrics[y].mean[b]);
  const line = objectives.length > 2 ? {} : {
    mode: "lines+markers", line: {color: style.colours[0], width: 1.5, shape: directions[x] === "minimize" ? "hv" : "vh"},
  };
  const traces = [
    marks(beaten, "dominated", {size: 7, color: GREY, ...byHeight(beaten)}),
    marks(forbidden, "violating a constraint", {size: 8, symbol: "x-thin-open", color: style.colours[1]}),
    marks(inOrder, "on the front",
      {size: 10, color: style.colours[0], line: {color: INK, width: z === NO_AXIS ? 0 : 1.5}, ...byHeight(inOrder), showscale: isObjective}, line),
  ].filter(trace => trace.x.length);
  if (z !== NO_AXIS && !isObjective) {
    categories(metrics[z]).forEach((name, number) => traces.push({
      type: "scatter", mode: "markers", name: plain(cut(name, 40)), x: [null], y: [null], hoverinfo: "skip",
      marker: {color: categoryColour(number), size: 9, symbol: "square"},
    }));
  }
  if (chosen.selected !== null && there.includes(chosen.selected)) {
    traces.push(marks([chosen.selected], "", {size: 16, symbol: "circle-open", color: INK, line: {width: 2}},
      {showlegend: false}));
  }
  plot("trade", traces, scale(better(x), there.map(point => metrics[x].mean[point])),
    scale(better(y), there.map(point => metrics[y].mean[point])), {height: 460});
}

// ---- The course of a search, and the influence of a key

const colourOf = point => data.front[point] ? style.colours[0] : data.allowed[point] ? GREY : style.colours[1];

function trials(mine, x, metric) {
  const groups = [["on the front", "circle", mine.filter(point => data.front[point])],
    ["dominated", "circle", mine.filter(point => data.allowed[point] && !data.front[point])],
    ["violating a constraint", "x-thin-open", mine.filter(point => !data.allowed[point])]];
  return groups.filter(([, , group]) => group.length).map(([name, symbol, group]) => ({
    type: "scatter", mode: "markers", name: `${group.length} ${name}`, x: group.map(x), customdata: group,
    y: group.map(point => metric.mean[point]), hovertext: group.map(point => hover(point, ...metrics)), hoverinfo: "text",
    marker: {color: colourOf(group[0]), symbol, size: 8},
  }));
}

function drawCourse() {
  const metric = metrics[chosen.metric];
  const there = points.filter(point => metric.mean[point] !== null);
  const better = metric.direction === "minimize" ? Math.min : Math.max;
  const best = [];
  for (const point of there) {
    const before = best.at(-1) ?? null;
    best.push(!data.allowed[point] ? before : before === null ? metric.mean[point] : better(before, metric.mean[point]));
  }
  const line = {type: "scatter", mode: "lines", name: "best so far", x: there.map(point => point + 1), y: best,
    line: {color: style.colours[2], shape: "hv", width: 1.6}, hoverinfo: "skip"};
  plot("course", [line, ...trials(there, point => point + 1, metric)], {title: "trial", tickformat: ",d"},
    scale(metric.label, known(metric.mean)));
}

function drawInfluence() {
  const metric = metrics[chosen.metric];
  chosen.influence ??= 0;
  controls("influence", select("key", numbered(axes, axis => axis.label), chosen.influence, number => {
    chosen.influence = number;
    drawInfluence();
  }));
  const [xScale, value] = parameterScale(axes[chosen.influence]);
  plot("influence", trials(points.filter(point => metric.mean[point] !== null), value, metric), xScale,
    scale(metric.label, known(metric.mean)));
}

// ---- Parallel coordinates

const HEIGHT = 300, TOP = 62, UNKNOWN = HEIGHT + 26;

// Returns an axis of the parallel coordinates: its name, its ticks, and the height of each point. Points without a
// figure are at the dash below the axis.
function coordinate(label, name, values, texts) {
  const there = known(values);
  if (texts !== null) {
    const gap = texts.length > 1 ? HEIGHT / (texts.length - 1) : 0;
    const every = Math.ceil(texts.length / 16);
    const ticks = texts.map((text, number) => [HEIGHT - number * gap, text]).filter((_, number) => number % every === 0);
    return {label, name, ticks, heights: values.map(value => value === null ? UNKNOWN : HEIGHT - value * gap)};
  }
  const [low, high] = there.length ? [Math.min(...there), Math.max(...there)] : [0, 1];
  const bend = there.length && isWide(there) ? Math.log : value => value;
  const height = value => high > low ? HEIGHT * (1 - (bend(value) - bend(low)) / (bend(high) - bend(low))) : HEIGHT / 2;
  const between = roundNumbers(low, high, bend === Math.log)
    .filter(value => height(value) > 22 && height(value) < HEIGHT - 22);
  const parts = high > low ? [low, ...between, high] : [low];
  return {label, name, ticks: parts.map(value => [height(value), digits(value)]),
    heights: values.map(value => value === null ? UNKNOWN : height(value))};
}

// Returns round numbers between two numbers: multiples of 1, 2 or 5, or these digits in each decade.
function roundNumbers(low, high, isLog) {
  const found = [];
  if (isLog) {
    const digit = high < 100 * low ? [1, 2, 5] : [1];
    for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10) found.push(...digit.map(one => one * power));
  } else if (high > low) {
    const rough = (high - low) / 4, power = 10 ** Math.floor(Math.log10(rough));
    const step = power * ([1, 2, 5].find(one => one * power >= rough) ?? 10);
    for (let number = Math.ceil(low / step); number * step <= high; number += 1) found.push(number * step);
  }
  return found.filter(value => value >= low && value <= high);
}

function coordinates() {
  const shown = [...new Set(data.shown).add(chosen.metric)];
  return [
    ...parameters.map(({label, name, texts, values, at}) => values === null || texts.length <= 12
      ? coordinate(label, name, at, texts) : coordinate(label, name, at.map(place => values[place]), null)),
    ...shown.map(number => {
      const {label, name, mean, text} = metrics[number];
      if (!text) return coordinate(label, name, mean, null);
      const all = categories(metrics[number]);
      return coordinate(label, name, mean.map(one => one === null ? null : all.indexOf(one)), all);
    }),
  ];
}

let drawnCoordinates = [];
const lineOf = new Map();

function isWithin(point) {
  return drawnCoordinates.every(({name, heights}) => {
    const brush = chosen.brushes[name];
    return !brush || (heights[point] >= brush[0] - 0.5 && heights[point] <= brush[1] + 0.5);
  });
}

// Returns text in lines of at most `most` letters.
function folded(text, most) {
  const lines = [""];
  for (const word of text.split(" ")) {
    if (lines.at(-1) && lines.at(-1).length + word.length + 1 > most) lines.push("");
    lines.push(`${lines.pop()} ${word}`.trim());
  }
  return lines.slice(0, 3);
}

function drawParallel() {
  const place = document.getElementById("parallel");
  drawnCoordinates = coordinates();
  const count = drawnCoordinates.length;
  const width = Math.max(place.clientWidth, 110 * count), margin = 70;
  const longest = Math.max(...drawnCoordinates.at(-1).ticks.map(([, text]) => text.length));
  const right = Math.max(margin, Math.min(7 * longest + 10, 190));
  const x = number => margin + (count > 1 ? number * (width - margin - right) / (count - 1) : 0);
  const gap = count > 1 ? x(1) - x(0) : width;
  const svg = element("svg:svg", {width, height: TOP + (drawnCoordinates.some(axis => axis.heights.includes(UNKNOWN)) ? UNKNOWN : HEIGHT) + 16});
  const all = element("svg:g", {transform: `translate(0 ${TOP})`});
  svg.append(all);
  const colour = colouring(metrics[chosen.metric]);
  lineOf.clear();
  for (const point of points) {
    const path = drawnCoordinates.map(({heights}, number) => `${x(number).toFixed(1)},${heights[point].toFixed(1)}`);
    const line = element("svg:path", {d: `M${path.join("L")}`, stroke: colour(point)});
    const target = element("svg:path", {d: line.getAttribute("d"), stroke: "transparent", "stroke-width": 7,
      "pointer-events": "stroke", "data-point": point});
    lineOf.set(point, line);
    all.append(line, target);
  }
  drawnCoordinates.forEach((axis, number) =>
    all.append(drawnAxis(axis, x(number), gap, number === count - 1 ? right : gap)));
  all.addEventListener("pointermove", event => hoverAt(event));
  all.addEventListener("pointerleave", () => { hoverBox.hidden = true; });
  all.addEventListener("click", event => event.target.dataset.point && show(Number(event.target.dataset.point)));
  place.replaceChildren(svg);
  mark();
}

// `room`: the width beside the axis that ticks may take.
function drawnAxis(axis, x, gap, room) {
  const group = element("svg:g", {transform: `translate(${x} 0)`});
  group.append(element("svg:line", {y1: 0, y2: HEIGHT, stroke: "#8a8f98"}));
  const title = element("svg:text", {class: "axis-title", "text-anchor": "middle"});
  const lines = folded(axis.label, Math.max(10, Math.min(gap / 7.5, 20)));
  lines.forEach((text, number) =>
    title.append(element("svg:tspan", {x: 0, y: -14 - 15 * (lines.length - 1 - number)}, text)));
  group.append(title);
  const most = Math.max(6, Math.floor(room / 7));
  const ticks = axis.heights.includes(UNKNOWN) ? [...axis.ticks, [UNKNOWN, DASH]] : axis.ticks;
  for (const [y, text] of ticks) {
    group.append(element("svg:line", {x1: -4, x2: 0, y1: y, y2: y, stroke: "#8a8f98"}),
      element("svg:text", {x: 6, y: y + (y === UNKNOWN ? 13 : 4), "pointer-events": "none"}, cut(text, most)));
  }
  const brush = element("svg:rect", {x: -7, width: 14, fill: "#22222233", "pointer-events": "none"});
  const place = ([from, to]) => { brush.setAttribute("y", from); brush.setAttribute("height", to - from); };
  if (chosen.brushes[axis.name]) place(chosen.brushes[axis.name]);
  const handle = element("svg:rect", {x: -9, width: 18, y: -8, height: UNKNOWN + 16, fill: "transparent", cursor: "row-resize",
    "data-axis": axis.name});
  handle.addEventListener("pointerdown", event => {
    handle.setPointerCapture(event.pointerId);
    const top = event.currentTarget.getBoundingClientRect().top + 8;
    const from = event.clientY - top;
    handle.onpointermove = moved => {
      const to = moved.clientY - top;
      chosen.brushes[axis.name] = [Math.min(from, to), Math.max(from, to)];
      place(chosen.brushes[axis.name]);
      mark();
    };
    handle.onpointerup = () => {
      handle.onpointermove = null;
      const [low, high] = chosen.brushes[axis.name] ?? [0, 0];
      if (high - low < 4) {
        delete chosen.brushes[axis.name];
        brush.setAttribute("height", 0);
      }
      mark();
      if (document.getElementById("trade")) drawTrade();
    };
  });
  group.append(brush, handle);
  return group;
}

const hoverBox = element("div", {id: "hover", hidden: ""});

function hoverAt(event) {
  const {point} = event.target.dataset;
  hoverBox.hidden = point === undefined;
  if (hoverBox.hidden) return;
  hoverBox.textContent = words(Number(point), [metrics[chosen.metric]]);
  const left = Math.min(event.clientX + 14, window.innerWidth - 260);
  Object.assign(hoverBox.style, {left: `${left}px`, top: `${event.clientY + 14}px`});
}

// Fades the points that are not selected, and hides their rows.
function mark() {
  const fine = points.filter(isWithin);
  const within = new Set(fine);
  for (const [point, line] of lineOf) {
    const isSelected = point === chosen.selected;
    line.setAttribute("stroke-width", isSelected ? 4 : isSearch && data.front[point] ? 2.6 : 1.4);
    const opacity = isSelected ? 1 : !within.has(point) ? 0.05 : isSearch && !data.front[point] ? 0.4 : 0.85;
    line.setAttribute("opacity", isSelected ? 1 : opacity * Math.max(0.3, Math.min(1, 12 / Math.sqrt(fine.length))));
  }
  for (const row of rows) {
    const point = Number(row.dataset.point);
    row.classList.toggle("hidden", !within.has(point));
    row.classList.toggle("picked", point === chosen.selected);
  }
  const told = document.getElementById("selected");
  told.replaceChildren();
  if (fine.length === points.length) return;
  const clear = element("button", {}, "show all");
  clear.addEventListener("click", () => { chosen.brushes = {}; draw(); });
  told.append(`${fine.length} of ${points.length} ${kind}s selected `, clear);
}

// ---- The table of points

const table = document.querySelector("table.points");
const rows = [...table.querySelectorAll("tbody tr")];
const head = table.querySelector("thead tr");

// Gives the chosen metric a column, unless it has one.
function drawTable() {
  for (const cell of table.querySelectorAll(".chosen")) cell.remove();
  const metric = metrics[chosen.metric];
  if ([...head.cells].some(cell => cell.textContent === metric.label)) return;
  head.append(element("th", {scope: "col", class: "chosen"}, metric.label));
  for (const row of rows) {
    row.append(element("td", {class: "chosen"}, figure(metric, Number(row.dataset.point))));
  }
}

// Sorts by the numbers with which the cells of a column begin, or by their text. Dashes come last.
function sortBy(column) {
  const text = row => row.cells[column].textContent;
  const number = row => Number.parseFloat(text(row).replaceAll(",", ""));
  const isDown = table.dataset.sorted === String(column);
  table.dataset.sorted = isDown ? "" : String(column);
  const order = (a, b) => {
    const [one, other] = [number(a), number(b)];
    if (text(a) === DASH || text(b) === DASH) return (text(a) === DASH) - (text(b) === DASH);
    const difference = Number.isNaN(one) || Number.isNaN(other) ? text(a).localeCompare(text(b)) : one - other;
    return isDown ? -difference : difference;
  };
  table.tBodies[0].append(...rows.sort(order));
}

head.addEventListener("click", event => event.target.cellIndex !== undefined && sortBy(event.target.cellIndex));

// ---- The configuration of a point

function copier(text) {
  const button = element("button", {}, "Copy");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "Copied";
    } catch {  // the browser does not allow it; the reader can select the text
      button.textContent = "Select the text to copy it";
    }
  });
  return button;
}

const panel = document.getElementById("point");
panel.querySelector(".close").addEventListener("click", () => { location.hash = ""; });

function show(point) {
  location.hash = `${kind}-${point + 1}`;
}

function showHash() {
  const found = location.hash.match(/^#(?:point|trial)-(\d+)$/);
  const point = found && points.includes(Number(found[1]) - 1) ? Number(found[1]) - 1 : null;
  chosen.selected = point;
  panel.hidden = point === null;
  if (point !== null) {
    const figures = [...new Set(data.shown).add(chosen.metric)].map(number => metrics[number]);
    const [title, ...lines] = words(point, figures).split("\n");
    const several = data.seeds[point].includes(",") ? ` Its seeds are ${data.seeds[point]}.` : "";
    panel.lastElementChild.replaceChildren(
      element("h3", {}, title[0].toUpperCase() + title.slice(1)), element("div", {}, lines.join("; ")),
      element("p", {class: "hint"}, `This command runs the ${kind}.${several}`),
      element("pre", {}, data.commands[point]), copier(data.commands[point]));
  }
  mark();
  if (document.getElementById("trade")) drawTrade();
}

// ---- The page

const PLOTS = {parallel: drawParallel, map: drawMap, lines: drawLines, trade: drawTrade, course: drawCourse,
  influence: drawInfluence};

function draw() {
  for (const [name, drawPlot] of Object.entries(PLOTS)) {
    if (document.getElementById(name)) drawPlot();
  }
  drawTable();
  mark();
}

const picker = document.getElementById("metric");
for (const [number, metric] of metrics.entries()) {
  const isFirst = number < 12 || isSearch;
  const name = isFirst ? "" : metric.name.split(".")[0];
  let list = picker;
  if (name) {
    list = [...picker.querySelectorAll("optgroup")].find(group => group.label === name);
    if (!list) picker.append(list = element("optgroup", {label: name}));
  }
  list.append(element("option", {value: number}, name ? metric.name : metric.label));
}
picker.addEventListener("change", () => { chosen.metric = Number(picker.value); draw(); });
document.body.append(hoverBox);
window.addEventListener("hashchange", showHash);
let resized;
window.addEventListener("resize", () => {
  clearTimeout(resized);
  resized = setTimeout(() => document.getElementById("parallel") && drawParallel(), 200);
});
draw();
showHash();
})();
