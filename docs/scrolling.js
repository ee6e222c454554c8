// What is wider than the page and scrolls by itself can be reached and scrolled with the keyboard.
(() => {
  const mark = () => {
    for (const node of document.querySelectorAll("pre > code, .formula, .statement, .claim p, .md-typeset__scrollwrap")) {
      if (node.scrollWidth > node.clientWidth) node.tabIndex = 0;
      else node.removeAttribute("tabindex");
    }
  };
  addEventListener("load", mark);
  addEventListener("resize", mark);
  document.getElementById("claims-filter")?.addEventListener("input", mark);
})();
