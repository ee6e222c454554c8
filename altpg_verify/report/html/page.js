(() => {
  "use strict";
  const box = document.getElementById("filter"), told = document.getElementById("filtered");
  const rows = [...document.querySelectorAll("#ledger-table tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  function filter() {
    const wanted = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, n) => {
      row.hidden = !wanted.every((word) => texts[n].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    told.textContent = `${shown} of ${rows.length} claims`;
  }
  box.addEventListener("input", filter);
  filter();
  // printing shows everything
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((one) => { one.open = true; }));
})();
