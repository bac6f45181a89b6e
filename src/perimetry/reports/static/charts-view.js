// Draws the charts where the saved pictures stand, in the reader's colours and to the width there is.
(function () {
  "use strict";
  var data = window.perimetryCharts;
  if (!data || !window.vegaEmbed) return;
  var dark = window.matchMedia("(prefers-color-scheme: dark)");

  // Vega writes no style sheet and runs no text as code here: the page's policy forbids both.
  var options = {
    actions: false,
    renderer: "svg",
    ast: true,
    defaultStyle: false,
    tooltip: { disableDefaultStyle: true },
  };

  // A copy of the specification: colours swapped when `swap` is given, plot widths multiplied. Data is left alone.
  function adapt(node, swap, factor, square, key) {
    if (typeof node === "string") return swap && Object.prototype.hasOwnProperty.call(swap, node) ? swap[node] : node;
    if (Array.isArray(node)) return node.map(function (item) { return adapt(item, swap, factor, square, ""); });
    if (node === null || typeof node !== "object") return node;
    var out = {};
    Object.keys(node).forEach(function (name) {
      var value = node[name];
      if (name === "data" || name === "datasets") out[name] = value;
      else if ((name === "width" || (square && name === "height")) && typeof value === "number" && key !== "config" && key !== "mark")
        out[name] = Math.round(value * factor);
      else out[name] = adapt(value, swap, factor, square, name);
    });
    return out;
  }

  function draw(box) {
    var original = data.charts[box.dataset.chart];
    if (!original) return Promise.resolve();
    var swap = dark.matches ? data.dark : null;
    var square = Boolean(original.usermeta && original.usermeta.square);
    var still = box.parentNode.querySelector(".still");

    function show(factor, columns) {
      var spec = adapt(original, swap, factor, square, "");
      spec.background = "transparent";
      if (columns && spec.columns) spec.columns = columns;
      return window.vegaEmbed(box, spec, options);
    }
    box.hidden = false;
    return show(1, 0)
      .then(function (result) {
        var room = box.parentNode.clientWidth;
        var plot = box.querySelector("svg");
        var width = plot ? plot.getBoundingClientRect().width : 0;
        if (width <= room + 1) return result;
        // First fewer panels side by side, then a narrower plot; the words keep their size.
        var count = original.columns || 1;
        var columns = Math.max(1, Math.floor((count * room) / width));
        result.finalize();
        return show(1, columns).then(function (again) {
          var now = box.querySelector("svg").getBoundingClientRect().width;
          if (now <= room + 1) return again;
          var plots = plotWidth(original) * (columns > 1 ? columns : 1);
          var factor = plots ? Math.max(0.42, (plots - (now - room) - 4) / plots) : 1;
          again.finalize();
          return show(factor, columns);
        });
      })
      .then(function () { still.classList.add("replaced"); box.classList.add("drawn"); })
      .catch(function (error) {
        // The saved picture stays in its place.
        box.hidden = true;
        still.classList.remove("replaced");
        console.error("chart " + box.dataset.chart + ": " + error);
      });
  }

  function plotWidth(spec) {
    return typeof spec.width === "number" ? spec.width : spec.spec && typeof spec.spec.width === "number" ? spec.spec.width : 0;
  }

  function drawAll() {
    return Array.prototype.reduce.call(
      document.querySelectorAll("[data-chart]"),
      function (before, box) { return before.then(function () { return draw(box); }); },
      Promise.resolve()
    ).then(function () { document.documentElement.dataset.charts = "drawn"; });
  }

  var last = window.innerWidth, timer = 0;
  window.addEventListener("resize", function () {
    if (window.innerWidth === last) return;
    last = window.innerWidth;
    window.clearTimeout(timer);
    timer = window.setTimeout(drawAll, 200);
  });
  dark.addEventListener("change", drawAll);
  drawAll();
})();
