// Says of every box that is wider than its place that there is more to the side, as long as there is.
(function () {
  "use strict";
  if (!window.ResizeObserver) return;

  function watch(box) {
    if (box.dataset.watched) return;
    box.dataset.watched = "yes";
    var hint = document.createElement("p");
    hint.className = "more";
    hint.textContent = "scroll sideways for the rest →";
    hint.setAttribute("aria-hidden", "true");
    hint.hidden = true;
    box.after(hint);
    function tell() {
      var hidden = box.scrollWidth - box.clientWidth;
      box.classList.toggle("cut", hidden > 2 && box.scrollLeft < hidden - 2);
      hint.hidden = hidden <= 2;
    }
    box.addEventListener("scroll", tell, { passive: true });
    var sizes = new window.ResizeObserver(tell);
    sizes.observe(box);
    Array.prototype.forEach.call(box.children, function (child) { sizes.observe(child); });
    // A chart that is drawn anew may be narrower while the box around it keeps its size.
    var due = 0;
    function later() {
      window.clearTimeout(due);
      due = window.setTimeout(tell, 50);
    }
    var changes = new window.MutationObserver(later);
    changes.observe(box, { childList: true, subtree: true, attributes: true, attributeFilter: ["width", "hidden"] });
    tell();
  }

  function all() { document.querySelectorAll(".scroll").forEach(watch); }
  all();
  // The case browser makes its boxes later.
  var browser = document.getElementById("browser");
  if (browser) new window.MutationObserver(all).observe(browser, { childList: true, subtree: true });
})();
