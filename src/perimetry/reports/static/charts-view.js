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

  // A long row name breaks at the blank that is nearest to its middle from there on, or at its last one.
  var HALF = "max(0, floor(length(datum.label) / 2) - 5)";
  var AFTER = "indexof(slice(datum.label, " + HALF + "), ' ')";
  var BREAK = "(" + AFTER + " < 0 ? lastindexof(datum.label, ' ') : " + AFTER + " + " + HALF + ")";
  var TWO_LINES =
    "length(datum.label) > 14 && indexof(datum.label, ' ') > 0 ? " +
    "[slice(datum.label, 0, " + BREAK + "), slice(datum.label, " + BREAK + " + 1)] : datum.label";
  var TWO_LINES_HIGH = 30; // pixels of a row whose name has two lines

  // A copy of the specification in the reader's colours (`how.swap`), its plots narrower by `how.factor`, its legends
  // below and in few columns where `how.narrow`. Data is left alone.
  function adapt(node, how, key) {
    if (typeof node === "string") return how.swap && Object.prototype.hasOwnProperty.call(how.swap, node) ? how.swap[node] : node;
    if (Array.isArray(node)) return node.map(function (item) { return adapt(item, how, ""); });
    if (node === null || typeof node !== "object") return node;
    var out = {};
    Object.keys(node).forEach(function (name) {
      var value = node[name];
      var size = name === "width" || (how.square && name === "height");
      if (name === "data" || name === "datasets") out[name] = value;
      else if (how.narrow && name === "height" && value && value.step < TWO_LINES_HIGH && !value.for)
        out[name] = Object.assign({}, value, { step: TWO_LINES_HIGH });
      else if (size && typeof value === "number" && key !== "config" && key !== "mark") out[name] = Math.round(value * how.factor);
      else out[name] = adapt(value, how, name);
    });
    if (how.narrow && key === "legend" && out.orient === "right") out.orient = "bottom";
    if (how.narrow && out.legend && out.legend.columns && out.scale && Array.isArray(out.scale.domain))
      out.legend.columns = out.scale.domain.length <= 3 || longest(out.scale.domain) > 12 ? 1 : Math.min(out.legend.columns, 2);
    if (how.narrow && key === "x" && typeof out.title === "string") out.title = lines(out.title, 30);
    if (how.narrow && key === "legend" && out.labelLimit) out.layout = { top: { direction: "vertical", anchor: "start" } };
    if (how.narrow && key === "y" && out.type === "nominal" && out.axis !== null)
      out.axis = Object.assign({}, out.axis, { labelExpr: TWO_LINES, labelLineHeight: 13 });
    if (how.narrow && key === "x" && out.type === "nominal" && out.axis && out.axis.orient === "top")
      out.axis = Object.assign({}, out.axis, { labelAngle: -35, labelAlign: "left" });
    if (how.narrow && key === "header") {
      // (A heat map keeps its cells, and may be wider than its box: its titles stay at the side that is seen.)
      if (!how.steps) out.labelAnchor = how.titles > 24 ? "end" : "start";
      out.labelExpr = "split(datum.label, '" + NEW_LINE + "')";
      out.labelLineHeight = 16;
    }
    return out;
  }

  function longest(names) {
    return names.reduce(function (most, name) { return Math.max(most, String(name).length); }, 0);
  }

  var NEW_LINE = "~~"; // in titles of panels, which are data: a text there may not hold a real one

  // A panel's title in lines: broken before a bracket, after the minus of a difference, and where it is long.
  function titleLines(title) {
    return [].concat.apply([], String(title).split(/ (?=\()|(?<=−) /).map(function (part) { return lines(part, 24); }));
  }

  // The same specification with the titles of its panels in lines, and the letters of the longest line.
  function withTitles(spec) {
    var field = spec.facet && spec.facet.field;
    var inside = spec.data && spec.data.values;
    var values = inside || (spec.data && spec.datasets && spec.datasets[spec.data.name]);
    if (!Array.isArray(values) || !field) return { spec: spec, longest: Infinity };
    var most = 0;
    var broken = values.map(function (row) {
      var held = titleLines(row[field]), changed = {};
      most = Math.max(most, longest(held));
      changed[field] = held.join(NEW_LINE);
      return Object.assign({}, row, changed);
    });
    var held = {};
    if (!inside) held[spec.data.name] = broken;
    var changed = inside ? { data: { values: broken } } : { datasets: Object.assign({}, spec.datasets, held) };
    return { spec: Object.assign({}, spec, changed), longest: most };
  }

  // A text in lines of about that many characters.
  function lines(text, width) {
    var found = [""];
    text.split(" ").forEach(function (word) {
      var last = found.length - 1;
      if (found[last] && found[last].length + word.length >= width) found.push(word);
      else found[last] += (found[last] ? " " : "") + word;
    });
    return found;
  }

  var NARROWEST = 144; // pixels of a plot; below that the chart scrolls in its own box

  function draw(box) {
    var original = data.charts[box.dataset.chart];
    if (!original) return Promise.resolve();
    var swap = dark.matches ? data.dark : null;
    var square = Boolean(original.usermeta && original.usermeta.square);
    var width = original.width || (original.spec && original.spec.width);
    var steps = Boolean(width && typeof width === "object");
    var still = box.parentNode.querySelector(".still");

    function show(factor, columns) {
      var narrow = box.parentNode.clientWidth < 600;
      var titled = narrow ? withTitles(original) : { spec: original, longest: Infinity };
      var how = { swap: swap, factor: factor, square: square, narrow: narrow, steps: steps, titles: titled.longest };
      var spec = adapt(titled.spec, how, "");
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
        var plots = plotWidth(original) * (columns > 1 ? columns : 1);
        var least = Math.min(plots, NARROWEST * (columns > 1 ? columns : 1));
        // Narrower axes may have other ticks and these other words at their ends: what is still too wide is fitted again.
        function fit(factor, left) {
          return show(factor, columns).then(function (again) {
            var over = box.querySelector("svg").getBoundingClientRect().width - room;
            if (over <= 1 || !left || !plots || factor * plots <= least + 1) return again;
            again.finalize();
            return fit(Math.max(least, factor * plots - over - 4) / plots, left - 1);
          });
        }
        return fit(1, 3);
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

  // The page is watched and not the window: it also changes its width when a scroll bar comes or a frame is resized.
  var page = document.querySelector("main") || document.body;
  var last = page.clientWidth, timer = 0;
  function resized() {
    if (page.clientWidth === last) return;
    last = page.clientWidth;
    window.clearTimeout(timer);
    timer = window.setTimeout(drawAll, 120);
  }
  window.addEventListener("resize", resized);
  if (window.ResizeObserver) new window.ResizeObserver(resized).observe(page);
  dark.addEventListener("change", drawAll);
  drawAll();
})();
