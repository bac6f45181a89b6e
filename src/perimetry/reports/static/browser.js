// The case browser. Every text goes in as text, never as markup.
(function () {
  "use strict";
  var data = window.perimetryCases;
  var root = document.getElementById("browser");
  if (!data || !root) return;
  var nonce = document.currentScript ? document.currentScript.nonce : "";
  var PAGE = 5;
  var parts = {}, waiting = {};
  var state = { dataset: "", model: "", flag: "", text: "", page: 0 };

  function make(tag, className, text) {
    var node = document.createElement(tag);
    if (className) node.className = className;
    if (text !== undefined && text !== null) node.textContent = String(text);
    return node;
  }

  // A part is a script file that calls this: a page opened from the disk may load scripts but not fetch files.
  window.perimetryPart = function (number, cases) {
    parts[number] = cases;
    (waiting[number] || []).forEach(function (done) { done(); });
    delete waiting[number];
  };
  function need(number, done) {
    if (parts[number]) return done();
    if (waiting[number]) { waiting[number].push(done); return; }
    waiting[number] = [done];
    var script = document.createElement("script");
    script.nonce = nonce;
    script.src = "assets/cases-" + ("00" + number).slice(-3) + ".js";
    document.body.appendChild(script);
  }

  // ---- filters
  var filters = make("form", "filters");
  filters.addEventListener("submit", function (event) { event.preventDefault(); });
  function select(name, label, values, all) {
    var box = make("label", "", label);
    var list = make("select");
    list.name = name;
    list.appendChild(new Option(all, ""));
    values.forEach(function (value, number) { list.appendChild(new Option(value, String(number))); });
    list.addEventListener("change", function () { state[name] = list.value; state.page = 0; render(); });
    box.appendChild(list);
    filters.appendChild(box);
    box.hidden = values.length === 0 || (values.length === 1 && name !== "flag");
  }
  select("dataset", "Data set", data.datasets, "all");
  select("model", "Model", data.models, "all");
  select("flag", "Flag", data.flags, "any");
  var searchBox = make("label", "grow", "Search");
  var search = make("input");
  search.type = "search";
  search.name = "text";
  search.placeholder = "words of id, question, options, answers";
  search.addEventListener("input", function () { state.text = search.value; state.page = 0; render(); });
  searchBox.appendChild(search);
  filters.appendChild(searchBox);
  var list = make("div", "case-list");
  var pager = make("nav", "pager");
  pager.setAttribute("aria-label", "Pages of cases");
  root.append(filters, list, pager);

  function matches(entry) {
    if (state.dataset !== "" && entry.d !== Number(state.dataset)) return false;
    var model = state.model === "" ? -1 : Number(state.model);
    if (model >= 0 && entry.m.indexOf(model) < 0) return false;
    if (state.flag !== "") {
      var wanted = Number(state.flag);
      var has = entry.f.some(function (flag) {
        return flag[0] === wanted && (model < 0 || flag[1] < 0 || flag[1] === model);
      });
      if (!has) return false;
    }
    return state.text.toLowerCase().split(/\s+/).every(function (word) { return entry.s.indexOf(word) >= 0; });
  }

  // ---- one case
  var SIGN = { "1": ["✓", "right"], "0": ["✕", "wrong"], "null": ["–", "no answer"] };

  function picture(file, alt) {
    if (!file) return make("span", "no-image", "unreadable");
    var link = make("a");
    link.href = "images/" + file;
    link.target = "_blank";
    link.rel = "noopener";
    var image = make("img");
    image.loading = "lazy";
    image.src = link.href;
    image.alt = alt;
    link.appendChild(image);
    return link;
  }

  function images(item) {
    var strip = make("div", "strip-images scroll");
    strip.tabIndex = 0;
    strip.setAttribute("role", "region");
    strip.setAttribute("aria-label", "Images of case " + item.id);
    item.i.forEach(function (entry) {
      var figure = make("figure");
      var row = make("div", "pictures");
      entry[1].forEach(function (file, number) {
        row.appendChild(picture(file, data.conditions[entry[0]] + ", image " + (number + 1) + " of case " + item.id));
      });
      figure.append(row, make("figcaption", "", data.conditions[entry[0]]));
      strip.appendChild(figure);
    });
    return strip;
  }

  function output(answer) {
    var box = make("div", "output");
    var head = make("p", "output-head");
    head.append(make("strong", "", data.models[answer.m]), " · ", make("code", "", data.conditions[answer.c]));
    if (answer.r) head.append(" · repeat " + answer.r);
    box.appendChild(head);
    if (answer.w) { box.appendChild(make("p", "muted", "The output is withheld.")); return box; }
    var text = answer.t || "";
    var pre = make("pre", "", text.slice(0, data.answerLimit));
    pre.tabIndex = 0;
    box.appendChild(pre);
    if (!text) pre.textContent = "(nothing)";
    if (text.length > data.answerLimit) {
      pre.append("…");
      var more = make("button", "quiet", "show all (" + text.length.toLocaleString("en") + " characters)");
      more.type = "button";
      more.addEventListener("click", function () {
        pre.textContent = text;
        if (answer.k) pre.append("… (cut here; the whole output has " + answer.k.toLocaleString("en") + " characters)");
        more.remove();
        pre.focus();
      });
      box.appendChild(more);
    }
    return box;
  }

  function answers(item) {
    var model = state.model === "" ? -1 : Number(state.model);
    var rows = {}, models = [], conditions = [];
    item.a.forEach(function (answer) {
      if (model >= 0 && answer.m !== model) return;
      if (models.indexOf(answer.m) < 0) models.push(answer.m);
      if (conditions.indexOf(answer.c) < 0) conditions.push(answer.c);
      var key = answer.m + " " + answer.c;
      (rows[key] = rows[key] || []).push(answer);
    });
    var panel = make("div", "outputs");
    panel.setAttribute("aria-live", "polite");
    var scroll = make("div", "scroll");
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", "Answers to case " + item.id);
    var table = make("table", "matrix");
    var top = make("tr");
    var corner = make("th", "", "Model");
    corner.scope = "col";
    top.appendChild(corner);
    conditions.forEach(function (condition) {
      var head = make("th", "", data.conditions[condition]);
      head.scope = "col";
      top.appendChild(head);
    });
    var thead = make("thead");
    thead.appendChild(top);
    var body = make("tbody");
    models.forEach(function (number) {
      var row = make("tr");
      var name = make("th", "model", data.short[number]);
      name.scope = "row";
      name.title = data.models[number];
      row.appendChild(name);
      conditions.forEach(function (condition) {
        var cell = make("td");
        (rows[number + " " + condition] || []).forEach(function (answer) {
          var sign = SIGN[String(answer.ok)] || SIGN["null"];
          var button = make("button", "reply " + sign[1].replace(" ", "-"));
          button.type = "button";
          button.setAttribute("aria-expanded", "false");
          button.append(make("span", "sign", sign[0]), make("span", "unseen", sign[1] + " "));
          button.append(make("span", "given", answer.a === null ? (answer.w ? "withheld" : "none") : answer.a));
          if (answer.u) button.appendChild(make("span", "rule", answer.u));
          button.title = "show what the model wrote";
          button.addEventListener("click", function () {
            var open = button.getAttribute("aria-expanded") === "true";
            table.querySelectorAll("[aria-expanded=true]").forEach(function (other) { other.setAttribute("aria-expanded", "false"); });
            panel.textContent = "";
            if (open) return;
            button.setAttribute("aria-expanded", "true");
            panel.appendChild(output(answer));
          });
          cell.appendChild(button);
        });
        row.appendChild(cell);
      });
      body.appendChild(row);
    });
    table.append(thead, body);
    scroll.appendChild(table);
    var both = make("div");
    both.append(scroll, panel);
    return both;
  }

  // A text with its marked passages: pieces of text and what was read there.
  function marked(node, text, pieces) {
    if (!pieces) { node.textContent = text; return node; }
    pieces.forEach(function (piece) {
      if (!piece[1]) { node.append(piece[0]); return; }
      var mark = make("mark", "cue", piece[0]);
      mark.title = piece[1];
      mark.appendChild(make("span", "unseen", " [" + piece[1] + "]"));
      node.appendChild(mark);
    });
    return node;
  }

  function lengthBar(length, longest) {
    var bar = make("span", "length");
    var track = make("span");
    var fill = make("i");
    fill.style.width = Math.max(1, Math.round(100 * length / Math.max(1, longest))) + "%";
    track.appendChild(fill);
    bar.append(track, make("small", "", length.toLocaleString("en") + " ch"));
    return bar;
  }

  function card(item) {
    var article = make("article", "case");
    var head = make("header");
    head.append(make("span", "dataset", data.datasets[item.d]), make("h3", "case-id", item.id));
    item.f.forEach(function (flag) {
      var model = state.model === "" ? -1 : Number(state.model);
      if (model >= 0 && flag[1] >= 0 && flag[1] !== model) return;
      var chip = make("span", "flag", data.flags[flag[0]]);
      if (flag[1] >= 0) chip.append(": ", make("span", "flag-model", data.short[flag[1]]));
      head.appendChild(chip);
    });
    article.appendChild(head);
    if (item.w) article.appendChild(make("p", "muted", "Images and texts of this case are withheld."));
    else {
      if (item.i.length) article.appendChild(images(item));
      var marks = item.h || {};
      article.appendChild(marked(make("p", "question"), item.q, marks[""]));
      if (item.o.length) {
        var options = make("ul", item.l ? "options measured" : "options");
        var longest = item.l ? Math.max.apply(null, item.l) : 0;
        item.o.forEach(function (option, place) {
          var gold = option[0] === item.g;
          var line = make("li", gold ? "gold" : "");
          line.append(make("b", "", option[0]), marked(make("span"), option[1], marks[option[0]]));
          if (gold) line.appendChild(make("span", "gold-mark", "key"));
          if (item.l) line.appendChild(lengthBar(item.l[place], longest));
          options.appendChild(line);
        });
        article.appendChild(options);
      }
      if (item.g && !item.o.some(function (option) { return option[0] === item.g; })) {
        var key = make("p", "key");
        key.append(make("span", "gold-mark", "key"), make("span", "", item.g));
        article.appendChild(key);
      }
    }
    if (item.n) {
      var remarks = make("ul", "remarks");
      item.n.forEach(function (text) { remarks.appendChild(make("li", "", text)); });
      article.appendChild(remarks);
    }
    if (item.a.length) article.appendChild(answers(item));
    return article;
  }

  // ---- the page of cases
  var turn = 0;
  function render() {
    var mine = ++turn;
    var found = [];
    data.index.forEach(function (entry, number) { if (matches(entry)) found.push(number); });
    var pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    var shown = found.slice(state.page * PAGE, state.page * PAGE + PAGE);
    var files = shown.map(function (number) { return Math.floor(number / data.perFile); });
    files = files.filter(function (file, place) { return files.indexOf(file) === place; });
    var left = files.length;
    function finish() {
      if (mine !== turn) return; // a later filter has been set meanwhile
      list.textContent = "";
      if (!shown.length) list.appendChild(make("p", "muted", "No case matches."));
      shown.forEach(function (number) {
        list.appendChild(card(parts[Math.floor(number / data.perFile)][number % data.perFile]));
      });
      drawPager(found.length, pages);
      root.dataset.shown = String(found.length);
    }
    if (!left) return finish();
    files.forEach(function (file) { need(file, function () { if (--left === 0) finish(); }); });
  }

  function drawPager(count, pages) {
    pager.textContent = "";
    function button(text, page, off) {
      var node = make("button", "", text);
      node.type = "button";
      node.disabled = off;
      node.addEventListener("click", function () {
        state.page = page;
        render();
        root.scrollIntoView();
      });
      pager.appendChild(node);
    }
    button("← Earlier", state.page - 1, state.page === 0);
    var status = make("span", "", count + (count === 1 ? " case" : " cases") + " · page " + (state.page + 1) + "/" + pages);
    status.setAttribute("role", "status");
    pager.appendChild(status);
    button("Later →", state.page + 1, state.page >= pages - 1);
  }
  render();
})();
