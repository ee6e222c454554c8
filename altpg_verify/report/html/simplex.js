(() => {
  "use strict";
  const root = document.getElementById("playground");
  const form = root.querySelector("form");
  const svg = root.querySelector("svg.simplex");
  const facts = root.querySelector("dl.facts");
  const CORNERS = [[1, 0], [0, 0], [0.5, Math.sqrt(3) / 2]];
  const STEPS = 1500, LONGEST = 0.075, NUMBERS = ["r0", "r1", "r2", "b", "alpha"];
  let chosen = null, seed = 1;

  // a slider and the number beside it are one quantity
  const slider = (name) => form.querySelector(`input[data-of="${name}"]`);
  const dot = (x, y) => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const spread = (u) => Math.max(u[0], u[1], u[2]) - Math.min(u[0], u[1], u[2]);
  const ONE_HOT = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

  // one draw, and its mean by enumeration of the actions
  function estimate(at, pi, action) {
    const v = dot(pi, at.r);
    return at.formula(pi, ONE_HOT[action], at.r[action], at.b, at.r, v, [at.r[0] - v, at.r[1] - v, at.r[2] - v], logits(pi));
  }
  function expectedUpdate(at, pi) {
    if (at.grid) return interpolated(at.grid, pi);
    const total = [0, 0, 0];
    for (let action = 0; action < 3; action += 1) {
      const one = estimate(at, pi, action);
      for (let i = 0; i < 3; i += 1) total[i] += pi[action] * one[i];
    }
    return total;
  }
  // the expected update between the policies of a triangular grid, see `grid`, on which it was computed beforehand
  function interpolated({ divisions, updates }, pi) {
    const [x, y] = pi.map((p) => p * (divisions + 0.75) - 0.25);
    const i = Math.min(Math.max(Math.floor(x), 0), divisions - 1), j = Math.min(Math.max(Math.floor(y), 0), divisions - 1 - i);
    const [s, t] = [x - i, y - j];
    const node = (row, column) => updates[row * (divisions + 1) - (row * (row - 1)) / 2 + column];
    const upper = s + t > 1 && i + j <= divisions - 2;
    const [one, other, far] = [node(i + 1, j), node(i, j + 1), upper ? node(i + 1, j + 1) : node(i, j)];
    const shares = upper ? [1 - t, 1 - s, s + t - 1] : [s, t, 1 - s - t];
    return one.map((entry, n) => shares[0] * entry + shares[1] * other[n] + shares[2] * far[n]);
  }
  function softmax(theta) {
    const top = Math.max(theta[0], theta[1], theta[2]);
    const weights = theta.map((t) => Math.exp(t - top));
    const sum = weights[0] + weights[1] + weights[2];
    return weights.map((w) => w / sum);
  }
  const logits = (pi) => pi.map(Math.log);
  // the policy after a step of the preferences
  const moved = (pi, update, step) => softmax(pi.map((p, i) => Math.log(p) + step * update[i]));
  const scale = (at) => at.grid ? at.grid.scale : Math.max(1e-9, ...at.r.map((r) => Math.abs(r - at.b)), spread(at.r));

  // dynamics of z = (theta_1 - theta_3, theta_2 - theta_3), which is the policy: softmax is shift-invariant
  const policy = (z) => softmax([z[0], z[1], 0]);
  function drift(at, z) {
    const u = expectedUpdate(at, policy(z));
    return [u[0] - u[2], u[1] - u[2]];
  }
  // central differences, extrapolated: the error is of order h^4
  function jacobian(at, z) {
    const columns = [0, 1].map((axis) => {
      const slope = (h) => {
        const there = (sign) => drift(at, z.map((x, i) => (i === axis ? x + sign * h : x)));
        const up = there(1), down = there(-1);
        return up.map((x, i) => (x - down[i]) / (2 * h));
      };
      const coarse = slope(2e-3), fine = slope(1e-3);
      return fine.map((x, i) => (4 * x - coarse[i]) / 3);
    });
    return [[columns[0][0], columns[1][0]], [columns[0][1], columns[1][1]]];
  }
  function eigenvalues([[a, b], [c, d]]) {
    const half = (a + d) / 2, under = ((a - d) / 2) ** 2 + b * c;
    const root2 = Math.sqrt(Math.abs(under));
    return under >= 0 ? [[half + root2, 0], [half - root2, 0]] : [[half, root2], [half, -root2]];
  }
  function newton(at, start) {
    let z = start;
    for (let n = 0; n < 12; n += 1) {
      const f = drift(at, z), [[a, b], [c, d]] = jacobian(at, z), det = a * d - b * c;
      if (!(Math.abs(det) > 1e-12 * scale(at) ** 2)) return null;
      z = [z[0] - (d * f[0] - b * f[1]) / det, z[1] - (a * f[1] - c * f[0]) / det];
      if (!z.every((x) => Math.abs(x) < 40)) return null;
    }
    // what is interpolated has kinks
    return spread([...drift(at, z), 0]) < (at.grid ? 1e-6 : 1e-11) * scale(at) ? z : null;
  }
  // follow the flow, or the flow backwards, in steps that halve when it turns round
  function settle(at, direction) {
    let z = [0, 0], length = 0.5, before = null;
    for (let n = 0; n < 400 && length > 1e-5; n += 1) {
      const f = drift(at, z), size = Math.hypot(...f);
      if (size < 1e-9 * scale(at)) break;
      if (before && before[0] * f[0] + before[1] * f[1] < 0) length /= 2;
      z = z.map((x, i) => x + (direction * length * f[i]) / size);
      before = f;
      if (Math.min(...policy(z)) < 1e-6) return null;
    }
    return newton(at, z);
  }
  function fixedPoint(at) {
    const zero = [[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]].every((pi) => spread(expectedUpdate(at, pi)) < 1e-12 * scale(at));
    if (zero) return { kind: "everywhere" };
    for (const direction of [1, -1]) {
      const z = settle(at, direction);
      if (!z || Math.min(...policy(z)) <= 1e-4) continue;
      const values = eigenvalues(jacobian(at, z)), reals = values.map(([real]) => real);
      const kind = Math.max(...reals) < 0 ? "attractor" : Math.min(...reals) > 0 ? "repeller" : "saddle";
      // z + alpha * drift contracts while |1 + alpha * lambda| < 1 for both eigenvalues
      const below = Math.min(...values.map(([real, imaginary]) => (-2 * real) / (real * real + imaginary * imaginary)));
      return { kind, z, pi: policy(z), below };
    }
    return { kind: "none" };
  }
  // the action whose corner the flow reaches, or -1
  function destination(at, start, fixed) {
    const inside = fixed.kind === "attractor" ? fixed : null;
    const corner = inside ? Math.max(0.995, 1 - (1 - Math.max(...inside.pi)) / 10) : 0.995;
    let theta = logits(start);
    let z = [theta[0] - theta[2], theta[1] - theta[2]];
    for (let n = 0; n < 300; n += 1) {
      const away = inside ? Math.hypot(z[0] - inside.z[0], z[1] - inside.z[1]) : Infinity;
      if (away < 0.1) return -1;
      const f = drift(at, z), size = Math.hypot(...f);
      if (size === 0) return -1;
      const length = Math.min(0.5, away / 2);
      z = z.map((x, i) => x + (length * f[i]) / size);
      const pi = policy(z), most = Math.max(...pi);
      if (most > corner) return pi.indexOf(most);
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
    let pi = start, theta = logits(start);
    for (let n = 0; n < STEPS; n += 1) {
      const u = random();
      const action = u < pi[0] ? 0 : u < pi[0] + pi[1] ? 1 : 2;
      // no single draws are known of a grid: the run follows the expected update
      const update = at.grid ? expectedUpdate(at, pi) : estimate(at, pi, action);
      theta = theta.map((t, i) => t + at.alpha * update[i]);
      pi = softmax(theta);
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
  function arrow(from, by) {
    const length = Math.hypot(...by);
    if (length === 0) return "";
    const [dx, dy] = by.map((d) => d / length);
    const [x, y] = from;
    const tail = [x - by[0] / 2, y - by[1] / 2], tip = [x + by[0] / 2, y + by[1] / 2];
    const head = Math.min(0.02, length * 0.6);
    const at = (where) => place(where).map((entry) => entry.toFixed(4)).join(" ");
    const wing = (side) => at([tip[0] - head * dx - side * head * 0.5 * dy, tip[1] - head * dy + side * head * 0.5 * dx]);
    return `M${at(tail)}L${at(tip)}M${wing(1)}L${at(tip)}L${wing(-1)}`;
  }
  const show = (number) => (Math.abs(number) < 5e-7 ? "0" : String(Number(number.toPrecision(6)))).replace("-", "−");
  const vector = (entries) => `(${entries.map(show).join(", ")})`;
  const exact = (entries) => entries.map((entry) => entry.toPrecision(15)).join(",");
  // a fraction that agrees to nine digits and has a small denominator, or null
  function fraction(number) {
    let [before, above, below0, below] = [1, Math.floor(number), 0, 1], rest = number - above;
    while (Math.abs(above / below - number) > 1e-9 * Math.max(1, Math.abs(number))) {
      if (rest < 1e-12) return null;
      const whole = Math.floor(1 / rest);
      rest = 1 / rest - whole;
      [before, above] = [above, whole * above + before];
      [below0, below] = [below, whole * below + below0];
      if (below > 200) return null;
    }
    return [above, below];
  }
  const asFraction = (number) => {
    const found = fraction(number);
    return found && found[1] > 1 ? `${String(found[0]).replace("-", "−")}/${found[1]}` : null;
  };
  const both = (number) => (asFraction(number) ? `${asFraction(number)} ≈ ${show(number)}` : show(number));
  const policyShown = (pi) => (pi.every((p) => fraction(p)) ? `(${pi.map((p) => asFraction(p) || show(p)).join(", ")}) ≈ ${vector(pi)}` : vector(pi));

  function usable(input) {
    const { valueMissing, badInput, rangeUnderflow, rangeOverflow } = input.validity;
    const fine = !(valueMissing || badInput || rangeUnderflow || rangeOverflow);
    input.setAttribute("aria-invalid", String(!fine));
    return fine;
  }
  function settings() {
    const number = (name) => Number(form.elements[name].value);
    const estimator = form.elements.estimator.value, made = ESTIMATORS[estimator], alpha = number("alpha");
    if (typeof made === "function") return { estimator, formula: made, r: [number("r0"), number("r1"), number("r2")], b: number("b"), alpha };
    const near = (grid) => (grid.b === null ? 0 : Math.abs(grid.b - number("b")));
    const grid = made.grids.reduce((best, one) => (near(one) < near(best) ? one : best));
    return { estimator, grid, grids: made.grids, quantity: made.quantity, r: made.rewards, b: grid.b ?? 0, alpha };
  }
  function beginning() {
    const name = form.elements.start.value;
    if (name === "chosen" && chosen) return chosen;
    return ["0", "1", "2"].includes(name) ? [0, 1, 2].map((i) => (i === Number(name) ? 0.94 : 0.03)) : [1 / 3, 1 / 3, 1 / 3];
  }
  function draw() {
    const began = performance.now();
    if (!NUMBERS.map((name) => usable(form.elements[name])).every(Boolean)) {
      told([["not drawn", "give numbers in the marked fields; the stepsize between 0.001 and 10"]]);
      return;
    }
    const at = settings(), start = beginning(), fixed = fixedPoint(at);
    // what was computed beforehand can't be moved
    ["r0", "r1", "r2", ...(at.grid && at.grids.length > 1 ? [] : ["b"])].forEach((name) => {
      [form.elements[name], slider(name)].forEach((input) => {
        input.disabled = Boolean(at.grid);
        if (at.grid && name !== "b") input.value = at.r[Number(name[1])];
      });
    });
    form.elements.again.disabled = Boolean(at.grid);
    form.elements.b.closest(".quantity").style.display = at.grid && at.grid.b === null ? "none" : "";
    svg.replaceChildren();
    add("path", { class: "outline", d: `M${CORNERS.map((corner) => place(corner).join(" ")).join("L")}Z` });
    CORNERS.forEach((corner, action) => {
      const [x, y] = place(corner);
      add("text", { x, y: y + (action === 2 ? -0.035 : 0.065), "text-anchor": "middle" }, `action ${action + 1}: r = ${show(at.r[action])}`);
    });
    const run = sampledRun(at, start);
    add("path", { class: "run", d: `M${run.map((pi) => place(point(pi)).map((x) => x.toFixed(4)).join(" ")).join("L")}` });
    const points = grid(11);
    const steps = points.map((pi) => {
      const next = point(moved(pi, expectedUpdate(at, pi), 0.05 / scale(at))), here = point(pi);
      return [next[0] - here[0], next[1] - here[1]];
    });
    const longest = Math.max(1e-12, ...steps.map((step) => Math.hypot(...step)));
    const arrows = {};
    points.forEach((pi, n) => {
      const length = Math.hypot(...steps[n]);
      const end = destination(at, pi, fixed), kind = end < 0 ? "inside" : `to${end}`;
      const by = length > 0 ? (Math.sqrt(length / longest) * LONGEST) / length : 0;
      arrows[kind] = (arrows[kind] || "") + arrow(point(pi), steps[n].map((d) => d * by));
    });
    Object.entries(arrows).forEach(([kind, d]) => add("path", { class: `arrow ${kind}`, d }));
    const [sx, sy] = place(point(start)), [ex, ey] = place(point(run[STEPS]));
    add("rect", { class: "start", x: sx - 0.011, y: sy - 0.011, width: 0.022, height: 0.022 });
    if (fixed.pi) {
      const [x, y] = place(point(fixed.pi));
      add("circle", { class: "halo", cx: x, cy: y, r: 0.03 });
      add("circle", { class: `fixed ${fixed.kind}`, cx: x, cy: y, r: 0.018 });
    }
    add("path", { class: "end", d: `M${ex - 0.013} ${ey - 0.013}l.026 .026M${ex - 0.013} ${ey + 0.013}l.026 -.026` });
    tell(at, start, fixed, run[STEPS]);
    root.dataset.ms = (performance.now() - began).toFixed(2);
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
      attractor: "an attractor in the small-stepsize limit (filled dot)", repeller: "a repeller (hollow dot)", saddle: "a saddle (hollow dot)",
      none: "none found inside the triangle", everywhere: "every policy: the expected update is zero",
    };
    // what is interpolated is known to a few digits only
    const about = (number) => `about ${show(Number(number.toPrecision(3)))}`;
    const policyThere = (pi) => (at.grid ? `about ${vector(pi.map((p) => Number(p.toPrecision(3))))}` : policyShown(pi));
    const rows = [["fixed point", fixed.pi ? `π* = ${policyThere(fixed.pi)}, ${kinds[fixed.kind]}` : kinds[fixed.kind]]];
    if (at.grid) {
      const held = at.grids.length > 1 ? ` and b = ${at.grids.map((grid) => show(grid.b)).join(", ")} (here ${show(at.b)})` : "";
      rows.push(["precomputed", `for r = ${vector(at.r)}${held} at ${at.grid.updates.length} policies, and interpolated between them`]);
    }
    if (fixed.pi) rows.push(["value there", `J(π*) = ${(at.grid ? about : both)(dot(fixed.pi, at.r))}`]);
    if (!at.grid && fixed.kind === "attractor") {
      const now = at.alpha > fixed.below ? "unstable" : "stable";
      rows.push(["stepsize", `under the expected update π* is unstable above α = ${both(fixed.below)}; at α = ${show(at.alpha)} it is ${now}`]);
    }
    rows.push([`${at.quantity || "expected update"} at the start`, vector(expectedUpdate(at, start))]);
    rows.push([`${at.grid ? "its flow after" : "the run after"} ${STEPS} steps`, `π = ${vector(end)}, J = ${show(dot(end, at.r))} (from the square to the cross)`]);
    told(rows);
    root.dataset.kind = fixed.kind;
    root.dataset.fixed = fixed.pi ? exact(fixed.pi) : "";
    root.dataset.below = fixed.kind === "attractor" ? fixed.below.toPrecision(12) : "";
    root.dataset.update = exact(expectedUpdate(at, start));
    root.dataset.start = exact(start);
  }

  function begin(pi) {
    chosen = pi;
    form.elements.start.value = "chosen";
    draw();
  }
  const inverse = ([x, y]) => {
    const up = y / CORNERS[2][1], right = x - up / 2;
    return [right, 1 - right - up, up];
  };
  svg.addEventListener("click", (event) => {
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const pi = inverse([x, 0.88 - y]);
    if (Math.min(...pi) >= 0.002) begin(pi);
  });
  // arrow keys move the start
  svg.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    if (!by) return;
    event.preventDefault();
    const pi = inverse(point(beginning()).map((x, axis) => x + by[axis] * (event.shiftKey ? 0.1 : 0.02)));
    if (Math.min(...pi) >= 0.002) begin(pi);
  });
  form.elements.again.addEventListener("click", () => { seed += 1; draw(); });
  form.addEventListener("input", (event) => {
    const of = event.target.dataset.of;
    if (of) form.elements[of].value = event.target.value;
    else if (NUMBERS.includes(event.target.name)) slider(event.target.name).value = event.target.value;
    draw();
  });
  form.addEventListener("submit", (event) => event.preventDefault());

  // a link may choose: report.html?estimator=alternate&r=1,2,3&b=4&alpha=0.1&start=0.2,0.3,0.5#try
  const asked = new URLSearchParams(location.search);
  for (const name of ["estimator", "b", "alpha"]) if (asked.has(name)) form.elements[name].value = asked.get(name);
  if (asked.has("r")) asked.get("r").split(",").slice(0, 3).forEach((r, i) => { form.elements[`r${i}`].value = r; });
  if (asked.has("start")) {
    chosen = asked.get("start").split(",").map(Number);
    form.elements.start.value = "chosen";
  }
  NUMBERS.forEach((name) => { slider(name).value = form.elements[name].value; });
  draw();
})();
