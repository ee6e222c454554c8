(() => {
  "use strict";
  const root = document.getElementById("playground");
  const form = root.querySelector("form");
  const svg = root.querySelector("svg.simplex");
  const facts = root.querySelector("dl.facts");
  const CORNERS = [[1, 0], [0, 0], [0.5, Math.sqrt(3) / 2]];
  const STEPS = 1500, LONGEST = 0.075;
  let chosen = null, seed = 1;

  const dot = (x, y) => x.reduce((sum, entry, i) => sum + entry * y[i], 0);
  const oneHot = (action) => [0, 1, 2].map((i) => (i === action ? 1 : 0));

  // one draw, and its mean by enumeration of the actions
  function estimate(at, pi, action) {
    const v = dot(pi, at.r);
    return ESTIMATORS[at.estimator](pi, oneHot(action), at.r[action], at.b, at.r, v, at.r.map((q) => q - v));
  }
  function expectedUpdate(at, pi) {
    const total = [0, 0, 0];
    pi.forEach((weight, action) => estimate(at, pi, action).forEach((entry, i) => { total[i] += weight * entry; }));
    return total;
  }
  // the policy after a step of the preferences: softmax of log pi + step * update
  function moved(pi, update, step) {
    const top = Math.max(...update.map((u) => step * u));
    const weights = pi.map((p, i) => p * Math.exp(step * update[i] - top));
    const sum = weights.reduce((x, y) => x + y, 0);
    return weights.map((w) => w / sum);
  }
  const spread = (u) => Math.max(...u) - Math.min(...u);
  const calm = (at) => 0.5 / Math.max(1e-9, ...at.r.map((r) => Math.abs(r - at.b)), spread(at.r));

  function fixedPoint(at) {
    const size = Math.max(1e-9, ...at.r.map((r) => Math.abs(r - at.b)), spread(at.r));
    const zero = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]].every((pi) => spread(expectedUpdate(at, pi)) < 1e-12 * size);
    if (zero) return { kind: "everywhere" };
    for (const direction of [1, -1]) {
      let pi = [1 / 3, 1 / 3, 1 / 3];
      for (let n = 0; n < 20000; n += 1) pi = moved(pi, expectedUpdate(at, pi), direction * calm(at));
      if (spread(expectedUpdate(at, pi)) < 1e-10 * size && Math.min(...pi) > 1e-4) {
        return { kind: direction > 0 ? "attractor" : "repeller", pi };
      }
    }
    return { kind: "none" };
  }
  // the action whose corner the flow reaches, or -1
  function destination(at, start) {
    let pi = start;
    for (let n = 0; n < 3000; n += 1) {
      pi = moved(pi, expectedUpdate(at, pi), 2 * calm(at));
      const most = Math.max(...pi);
      if (most > 0.995) return pi.indexOf(most);
    }
    return -1;
  }
  function grid(divisions) {
    const points = [];
    for (let i = 0; i <= divisions; i += 1) {
      for (let j = 0; j <= divisions - i; j += 1) points.push([i, j, divisions - i - j].map((n) => (n + 0.25) / (divisions + 0.75)));
    }
    return points;
  }
  // a small generator with a seed, so that a link shows the same run again
  function randomNumbers(state) {
    let s = state >>> 0;
    return () => {
      s = (s + 0x6d2b79f5) >>> 0;
      let t = Math.imul(s ^ (s >>> 15), 1 | s);
      t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
      return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
  }
  function sampledRun(at, start) {
    const random = randomNumbers(seed);
    const path = [start];
    let pi = start;
    for (let n = 0; n < STEPS; n += 1) {
      const u = random();
      const action = u < pi[0] ? 0 : u < pi[0] + pi[1] ? 1 : 2;
      pi = moved(pi, estimate(at, pi, action), at.alpha);
      path.push(pi);
    }
    return path;
  }

  const point = (pi) => [0, 1].map((axis) => dot(pi, CORNERS.map((corner) => corner[axis])));
  const place = ([x, y]) => [x, 0.88 - y];
  function add(name, attributes, text) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => node.setAttribute(key, value));
    if (text) node.textContent = text;
    svg.append(node);
    return node;
  }
  function arrow(from, by, kind) {
    const length = Math.hypot(...by);
    if (length === 0) return;
    const [dx, dy] = by.map((d) => d / length);
    const [x, y] = from;
    const tail = [x - by[0] / 2, y - by[1] / 2], tip = [x + by[0] / 2, y + by[1] / 2];
    const head = Math.min(0.02, length * 0.6);
    const wing = (side) => place([tip[0] - head * dx - side * head * 0.5 * dy, tip[1] - head * dy + side * head * 0.5 * dx]).join(" ");
    add("path", { class: `arrow ${kind}`, d: `M${place(tail).join(" ")}L${place(tip).join(" ")}M${wing(1)}L${place(tip).join(" ")}L${wing(-1)}` });
  }
  const show = (number) => (Math.abs(number) < 5e-7 ? "0" : String(Number(number.toPrecision(6)))).replace("-", "−");
  const vector = (entries) => `(${entries.map(show).join(", ")})`;
  const exact = (entries) => entries.map((entry) => entry.toPrecision(15)).join(",");

  function settings() {
    const number = (name) => Number(form.elements[name].value);
    return { estimator: form.elements.estimator.value, r: [number("r0"), number("r1"), number("r2")], b: number("b"), alpha: number("alpha") };
  }
  function beginning() {
    const name = form.elements.start.value;
    if (name === "chosen" && chosen) return chosen;
    return ["0", "1", "2"].includes(name) ? [0, 1, 2].map((i) => (i === Number(name) ? 0.94 : 0.03)) : [1 / 3, 1 / 3, 1 / 3];
  }
  function draw() {
    if (!form.checkValidity()) {
      told([["not drawn", "give numbers in the marked fields; the stepsize between 0.001 and 10"]]);
      return;
    }
    const at = settings(), start = beginning();
    svg.replaceChildren();
    add("path", { class: "outline", d: `M${CORNERS.map((corner) => place(corner).join(" ")).join("L")}Z` });
    CORNERS.forEach((corner, action) => {
      const [x, y] = place(corner);
      add("text", { x, y: y + (action === 2 ? -0.035 : 0.065), "text-anchor": "middle" }, `action ${action + 1}: r = ${show(at.r[action])}`);
    });
    const points = grid(11);
    const steps = points.map((pi) => {
      const next = point(moved(pi, expectedUpdate(at, pi), 0.05)), here = point(pi);
      return [next[0] - here[0], next[1] - here[1]];
    });
    const longest = Math.max(1e-12, ...steps.map((step) => Math.hypot(...step)));
    points.forEach((pi, n) => {
      const length = Math.hypot(...steps[n]);
      const end = destination(at, pi);
      const scale = length > 0 ? (Math.sqrt(length / longest) * LONGEST) / length : 0;
      arrow(point(pi), steps[n].map((d) => d * scale), end < 0 ? "inside" : `to${end}`);
    });
    const run = sampledRun(at, start);
    add("path", { class: "run", d: `M${run.map((pi) => place(point(pi)).map((x) => x.toFixed(4)).join(" ")).join("L")}` });
    const [sx, sy] = place(point(start)), [ex, ey] = place(point(run[STEPS]));
    add("rect", { class: "start", x: sx - 0.011, y: sy - 0.011, width: 0.022, height: 0.022 });
    add("path", { class: "end", d: `M${ex - 0.013} ${ey - 0.013}l.026 .026M${ex - 0.013} ${ey + 0.013}l.026 -.026` });
    const fixed = fixedPoint(at);
    if (fixed.pi) {
      const [x, y] = place(point(fixed.pi));
      add("circle", { class: `fixed ${fixed.kind}`, cx: x, cy: y, r: 0.018 });
    }
    tell(at, start, fixed, run[STEPS]);
  }
  function told(rows) {
    facts.replaceChildren(...rows.flatMap(([name, value]) => {
      const term = document.createElement("dt"), entry = document.createElement("dd");
      term.textContent = name;
      entry.textContent = value;
      return [term, entry];
    }));
  }
  function tell(at, start, fixed, end) {
    const kinds = {
      attractor: "an attractor, in the small-stepsize limit (filled dot)", repeller: "a repeller (hollow dot)",
      none: "none found inside the triangle", everywhere: "every policy: the expected update is zero",
    };
    const rows = [["fixed point", fixed.pi ? `π* = ${vector(fixed.pi)}, ${kinds[fixed.kind]}` : kinds[fixed.kind]]];
    if (fixed.pi) rows.push(["value there", `J = ${show(dot(fixed.pi, at.r))}`]);
    rows.push(["expected update at the start", vector(expectedUpdate(at, start))]);
    rows.push([`the run after ${STEPS} steps`, `π = ${vector(end)}, J = ${show(dot(end, at.r))} (from the square to the cross)`]);
    told(rows);
    root.dataset.kind = fixed.kind;
    root.dataset.fixed = fixed.pi ? exact(fixed.pi) : "";
    root.dataset.update = exact(expectedUpdate(at, start));
    root.dataset.start = exact(start);
  }

  svg.addEventListener("click", (event) => {
    const matrix = svg.getScreenCTM().inverse();
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix);
    const up = (0.88 - y) / CORNERS[2][1], right = x - up / 2;
    const pi = [right, 1 - right - up, up];
    if (Math.min(...pi) < 0.002) return;
    chosen = pi;
    form.elements.start.value = "chosen";
    draw();
  });
  form.elements.again.addEventListener("click", () => { seed += 1; draw(); });
  form.addEventListener("input", draw);
  form.addEventListener("submit", (event) => event.preventDefault());

  // a link may choose: report.html?estimator=alternate&r=1,2,3&b=4&alpha=0.1&start=0.2,0.3,0.5#try
  const asked = new URLSearchParams(location.search);
  form.elements.estimator.value = "alternate";
  for (const name of ["estimator", "b", "alpha"]) if (asked.has(name)) form.elements[name].value = asked.get(name);
  if (asked.has("r")) asked.get("r").split(",").slice(0, 3).forEach((r, i) => { form.elements[`r${i}`].value = r; });
  if (asked.has("start")) {
    chosen = asked.get("start").split(",").map(Number);
    form.elements.start.value = "chosen";
  }
  draw();
})();
