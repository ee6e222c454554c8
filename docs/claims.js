// The page of claims shows those that match its form; links to a hidden claim show all again.
(() => {
  const form = document.getElementById("claims-filter");
  if (!form) return;
  const text = (node) => [node.textContent, ...[...node.querySelectorAll("math")].map((math) => math.getAttribute("alttext"))];
  const claims = [...document.querySelectorAll(".claim")].map((node) => ({ node, text: text(node).join(" ").toLowerCase() }));
  const groups = [...document.querySelectorAll(".claims")];
  const show = () => {
    const words = form.elements.text.value.toLowerCase().split(/\s+/).filter(Boolean);
    const is = (name, node) => !form.elements[name]?.value || node.dataset[name] === form.elements[name].value;
    let count = 0;
    for (const { node, text } of claims) {
      node.hidden = !(words.every((word) => text.includes(word)) && is("kind", node) && is("verdict", node));
      count += !node.hidden;
    }
    for (const group of groups) {
      const empty = !group.querySelector(".claim:not([hidden])");
      group.hidden = empty;
      if (group.previousElementSibling?.tagName === "H2") group.previousElementSibling.hidden = empty;
    }
    form.elements.count.textContent = `${count} of ${claims.length} claims`;
  };
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) {
      form.reset();
      show();
      target.scrollIntoView();
    }
  };
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("hashchange", reveal);
  show();
})();
