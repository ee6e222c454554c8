(() => {
  "use strict";
  // a chapter is text in a noscript element until it is wanted
  const holders = () => [...document.querySelectorAll("noscript")].filter((one) => one.closest(".fold, #rows"));
  function load(holder) {
    const place = document.createElement("div");
    place.innerHTML = holder.textContent;
    holder.replaceWith(place);
  }
  function open(fold) {
    const holder = fold.querySelector(":scope > noscript");
    if (holder) load(holder);
    fold.open = true;
  }
  // the element of an id, its chapter loaded and opened
  function find(id) {
    if (!document.getElementById(id)) {
      const holder = holders().find((one) => one.closest(".fold") && one.textContent.includes(` id="${id}"`));
      if (holder) open(holder.closest(".fold"));
    }
    const found = document.getElementById(id);
    if (!found) return null;
    const own = found.querySelector(":scope > .fold");
    if (own) open(own);
    for (let one = found.closest("details"); one; one = one.parentElement.closest("details")) one.open = true;
    return found;
  }
  function visit() {
    const found = location.hash.length > 1 && find(decodeURIComponent(location.hash.slice(1)));
    if (found) found.scrollIntoView();
  }
  document.addEventListener("toggle", (event) => {
    if (event.target.matches(".fold") && event.target.open) open(event.target);
  }, true);
  addEventListener("hashchange", visit);
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#"]');
    if (!link) return;
    shut();
    if (link.hash === location.hash) visit();
  });

  // a formula wider than its line is set smaller, down to a size that can still be read
  const BLOCK = ".formula, .statement, li, p, td, dd, summary, div", SMALLEST = 0.6;
  function room(block) {
    const style = getComputedStyle(block);
    return block.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  }
  function fit(place) {
    const shown = [...place.querySelectorAll("math")].filter((one) => one.checkVisibility({ contentVisibilityAuto: true }) && !one.closest(".scroll"));
    for (let pass = 0; pass < 2; pass += 1) {
      const by = shown.map((one) => room(one.closest(BLOCK)) / Math.max(one.scrollWidth, one.getBoundingClientRect().width));
      shown.forEach((one, n) => {
        if (by[n] < 1) one.style.fontSize = `${Math.max(SMALLEST, parseFloat(one.style.fontSize || 1) * by[n] * 0.98)}em`;
      });
    }
  }
  // what was just unfolded has no widths before the next frame
  document.addEventListener("toggle", (event) => { if (event.target.open) requestAnimationFrame(() => fit(event.target)); }, true);
  document.addEventListener("contentvisibilityautostatechange", (event) => { if (!event.skipped) fit(event.target); }, true);
  const refit = () => {
    document.querySelectorAll("math[style]").forEach((one) => one.style.removeProperty("font-size"));
    fit(document);
  };
  let width = innerWidth;
  addEventListener("resize", () => { if (innerWidth !== width) { width = innerWidth; refit(); } });

  // the contents: a button on a narrow page, and where the reader is
  const button = document.getElementById("contents"), bar = button.closest(".bar");
  function shut(shown = false) {
    bar.classList.toggle("open", shown);
    button.setAttribute("aria-expanded", String(shown));
  }
  button.addEventListener("click", () => shut(button.getAttribute("aria-expanded") !== "true"));
  addEventListener("keydown", (event) => { if (event.key === "Escape") shut(); });
  const links = new Map([...bar.querySelectorAll("#places a")].map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  const watch = new IntersectionObserver((entries) => {
    entries.forEach((entry) => seen[entry.isIntersecting ? "add" : "delete"](entry.target.id));
    const here = [...links.keys()].filter((id) => seen.has(id) && !(id === "claims" && seen.size > 1))[0];
    links.forEach((link, id) => (id === here ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current")));
  }, { rootMargin: "-15% 0px -70% 0px" });
  links.forEach((link, id) => watch.observe(document.getElementById(id)));

  // the list of claims and its filters
  const form = document.getElementById("search"), told = document.getElementById("filtered"), list = document.getElementById("rows");
  let rows = null, texts = null;
  function fill() {
    if (rows) return;
    const holder = list.querySelector("noscript");
    if (holder) load(holder);
    rows = [...list.querySelectorAll("li")];
    texts = rows.map((row) => `${row.textContent} ${row.dataset.text}`.toLowerCase());
    filter();
  }
  function filter() {
    fill();
    const wanted = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const chosen = ["section", "kind", "verdict"].map((name) => [name, form.elements[name].value]).filter(([, value]) => value);
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden = !(wanted.every((word) => texts[n].includes(word)) && chosen.every(([name, value]) => row.dataset[name] === value));
      shown += row.hidden ? 0 : 1;
    });
    told.textContent = `${shown} of ${rows.length} ${form.dataset.items}`;
  }
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  new IntersectionObserver((entries, observer) => {
    if (entries.some((entry) => entry.isIntersecting)) { fill(); observer.disconnect(); }
  }, { rootMargin: "400px" }).observe(list);

  fit(document);
  visit();
  // printing shows everything
  addEventListener("beforeprint", () => {
    holders().forEach(load);
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
  });
})();
