// Compares two to five models; loads the data of each model when it is chosen.
"use strict";
(function () {
  var MOST = 5;
  var SHAPES = ["circle", "square", "triangle", "diamond", "cross"];
  var chosen = [];
  var models = new Map();
  var holder = document.getElementById("comparison");
  var adder = document.getElementById("add");
  var setting = document.getElementById("setting");
  var known = new Set(Array.from(adder.options, function (option) { return option.value; }).filter(Boolean));
  var percent = hardfrost.percent;
  var make = hardfrost.make;

  function draw(name, attributes, content) {
    var element = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(function (pair) { element.setAttribute(pair[0], pair[1]); });
    if (content !== undefined) element.append(content);
    return element;
  }

  function marker(x, y, place, title) {
    var shape = SHAPES[place];
    var d = {
      circle: "M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
      square: "M-3.5-3.5h7v7h-7z",
      triangle: "M0-4.5L4.3 3.3H-4.3z",
      diamond: "M0-5L5 0L0 5L-5 0z",
      cross: "M-4.2-2.4L-2.4-4.2L0-1.8L2.4-4.2L4.2-2.4L1.8 0L4.2 2.4L2.4 4.2L0 1.8L-2.4 4.2L-4.2 2.4L-1.8 0z"
    }[shape];
    var path = draw("path", { d: d, transform: "translate(" + x.toFixed(1) + " " + y.toFixed(1) + ")", "class": "marker c" + place });
    if (title) path.append(draw("title", {}, title));
    return path;
  }

  function swatch(place) {
    var svg = draw("svg", { viewBox: "-7 -7 14 14", "class": "swatch", "aria-hidden": "true" });
    svg.append(marker(0, 0, place));
    return svg;
  }

  function label(page) {
    var model = models.get(page);
    var badges = model.marks.map(function (mark) { return make("span", { "class": "badge" }, mark); });
    return make("span", { "class": "model-name" }, [swatch(chosen.indexOf(page)), make("bdi", {}, model.name)].concat(badges));
  }

  // The same interpolation as numpy.quantile, so that conclusions agree with the ranks.
  function quantile(sorted, share) {
    var place = share * (sorted.length - 1);
    var below = Math.floor(place);
    var above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }

  // Entries without a rank are not compared, even if they have draws.
  function whyNot(model) { return model.is_comparable ? "" : model.name + " has " + model.why; }

  function ofSetting(page) { return models.get(page).settings[setting.value]; }

  function showPairs() {
    var body = document.querySelector("#pairs tbody");
    var tail = (1 - Number(holder.dataset.confidence)) / 2;
    body.replaceChildren();
    chosen.forEach(function (one, i) {
      chosen.slice(i + 1).forEach(function (other) {
        var a = models.get(one), b = models.get(other);
        var reasons = [whyNot(a), whyNot(b)].filter(Boolean);
        var difference = "–", interval = "–", conclusion = "not comparable: " + reasons.join("; ");
        if (!reasons.length && a.score && b.score) {
          var points = a.score[0] - b.score[0];
          difference = signed(points);
          conclusion = "no bootstrap draws to tell";
          if (a.replicates && b.replicates && a.replicates.length === b.replicates.length && a.replicates.length) {
            var draws = a.replicates.map(function (value, k) { return value - b.replicates[k]; }).sort(function (x, y) { return x - y; });
            var low = quantile(draws, tail), high = quantile(draws, 1 - tail);
            interval = signed(low) + " to " + signed(high);
            conclusion = low > 0 ? a.name + " is ahead" : high < 0 ? b.name + " is ahead" : "a tie: chance could explain it";
          }
        }
        body.append(make("tr", {}, [
          make("th", { scope: "row", "class": "name" }, [label(one), make("span", { "class": "versus" }, "against"), label(other)]),
          make("td", { "class": "num" }, difference), make("td", { "class": "num" }, interval), make("td", { "class": "conclusion" }, make("bdi", {}, conclusion))
        ]));
      });
    });
  }

  function signed(value) { return (value < 0 ? "−" : "+") + Math.abs(100 * value).toFixed(1); }

  function showFigures() {
    var table = document.getElementById("figures");
    table.tHead.replaceChildren(make("tr", {}, [make("th", { scope: "col", "class": "name" }, "Figure")].concat(chosen.map(function (page) {
      return make("th", { scope: "col", "class": "num" }, make("a", { href: "models/" + page + ".html" }, label(page)));
    }))));
    document.getElementById("of-setting").textContent = setting.selectedOptions.length ? setting.selectedOptions[0].textContent : "";
    Array.from(table.tBodies[0].rows).forEach(function (row) {
      while (row.cells.length > 1) row.deleteCell(1);
      chosen.forEach(function (page) {
        var model = models.get(page), kind = row.dataset.kind;
        var some = ofSetting(page) || { whole: null, general: null, malicious: null, dimensions: [] };
        var pair = kind === "dimension" ? some.dimensions[Number(row.dataset.index)] || null : kind in some ? some[kind] : model[kind];
        var cell = make("td", { "class": "num" });
        if (pair === null) cell.append(make("span", { "class": "none" }, "–"));
        else if (kind === "clean") cell.append(percent(pair));
        else if (kind === "score" || kind === "average") {
          cell.append(make("b", {}, percent(pair[0])));
          if (pair[1] !== null) cell.append(make("small", { "class": "below" }, percent(pair[1]) + "–" + percent(pair[2])));
        } else {
          cell.className = "est";
          cell.append(make("span", { "class": "e w " + hardfrost.heat(pair[0], holder.dataset) }, percent(pair[0])),
            make("span", { "class": "e a " + hardfrost.heat(pair[1], holder.dataset) }, percent(pair[1])));
        }
        row.append(cell);
      });
    });
  }

  function showRadar() {
    var rows = Array.from(document.querySelectorAll("#figures tr[data-kind=dimension]")).filter(function (row) {
      return chosen.every(function (page) { return ofSetting(page) && ofSetting(page).dimensions[Number(row.dataset.index)] !== null; });
    });
    var target = document.getElementById("radar");
    if (rows.length < 3) {
      target.replaceChildren(make("p", { "class": "aside" }, "A radar needs three dimensions in which all chosen models were scored in this setting."));
      return;
    }
    var width = 520, height = 340, radius = 128;
    function at(index, share) {
      var angle = 2 * Math.PI * index / rows.length;
      return [width / 2 + share * radius * Math.sin(angle), height / 2 - share * radius * Math.cos(angle)];
    }
    function outline(shares) { return shares.map(function (share, index) { return at(index, share).map(function (x) { return x.toFixed(1); }).join(","); }).join(" "); }
    var svg = draw("svg", { viewBox: "0 0 " + width + " " + height, "class": "radar", role: "img", "aria-label": "Worst case by dimension; the table below holds the same figures." });
    [0.25, 0.5, 0.75, 1].forEach(function (level) {
      svg.append(draw("polygon", { "class": "ring", points: outline(rows.map(function () { return level; })) }));
    });
    rows.forEach(function (row, index) {
      var end = at(index, 1), text = at(index, 1.09), side = text[0] - width / 2;
      svg.append(draw("line", { "class": "grid", x1: width / 2, y1: height / 2, x2: end[0], y2: end[1] }),
        draw("text", { x: text[0], y: text[1] + 3.5, "text-anchor": Math.abs(side) < 12 ? "middle" : side > 0 ? "start" : "end" }, row.dataset.name));
    });
    chosen.forEach(function (page, place) {
      var scores = rows.map(function (row) { return ofSetting(page).dimensions[Number(row.dataset.index)][0]; });
      svg.append(draw("polygon", { "class": "outline c" + place, points: outline(scores) }));
      scores.forEach(function (score, index) {
        var point = at(index, score);
        svg.append(marker(point[0], point[1], place, models.get(page).name + ", " + rows[index].dataset.name + ": " + percent(score)));
      });
    });
    [25, 50, 75, 100].forEach(function (level) {
      svg.append(draw("text", { "class": "level", x: width / 2 + 4, y: height / 2 - radius * level / 100 + 10 }, String(level)));
    });
    target.replaceChildren(svg, key());
  }

  function key() {
    return make("p", { "class": "key" }, chosen.map(label));
  }

  function curveKey(curve) { return JSON.stringify([curve.task, curve.dimension, curve.setting]); }

  function listCurves() {
    var select = document.getElementById("curve"), before = select.value, seen = new Map();
    var names = Array.from(document.querySelectorAll("#figures tr[data-kind=dimension]"), function (row) { return row.dataset.name; });
    chosen.forEach(function (page) {
      models.get(page).curves.forEach(function (curve) {
        if (curve.points.length) seen.set(curveKey(curve), curve.task + " · " + names[curve.dimension] + " · " + curve.setting);
      });
    });
    select.replaceChildren.apply(select, Array.from(seen, function (pair) { return make("option", { value: pair[0] }, pair[1]); }));
    if (seen.has(before)) select.value = before;
  }

  function showCurves() {
    var wanted = document.getElementById("curve").value, column = Number(document.getElementById("estimate").value);
    var width = 520, height = 312, left = 38, right = 14, top = 24, bottom = 26;
    var curves = chosen.map(function (page) { return models.get(page).curves.find(function (curve) { return curveKey(curve) === wanted; }); });
    var degrees = Array.from(new Set(curves.flatMap(function (curve) { return curve ? curve.points.map(function (point) { return point[0]; }) : []; }))).sort(function (a, b) { return a - b; });
    var furthest = degrees[degrees.length - 1] || 1;
    function x(degree) { return left + degree / furthest * (width - left - right); }
    function y(score) { return top + (1 - score) * (height - top - bottom); }
    var svg = draw("svg", { viewBox: "0 0 " + width + " " + height, "class": "chart", role: "img", "aria-label": "Score by degree; the pages of the models hold the same figures." });
    [0, 25, 50, 75, 100].forEach(function (level) {
      svg.append(draw("line", { "class": "grid", x1: left, x2: width - right, y1: y(level / 100), y2: y(level / 100) }),
        draw("text", { "class": "end", x: left - 7, y: y(level / 100) + 3.5 }, String(level)));
    });
    svg.append(draw("text", { x: 0, y: 9 }, "per cent"), draw("text", { x: 0, y: height - 9 }, "degree"));
    degrees.forEach(function (degree) { svg.append(draw("text", { "class": "mid", x: x(degree), y: height - 9 }, String(degree).replace(/^0(?=.)/, ""))); });
    curves.forEach(function (curve, place) {
      if (!curve) return;
      svg.append(draw("polyline", { "class": "outline c" + place, points: curve.points.map(function (point) { return x(point[0]).toFixed(1) + "," + y(point[column]).toFixed(1); }).join(" ") }));
      curve.points.forEach(function (point) {
        var dot = marker(x(point[0]), y(point[column]), place, models.get(chosen[place]).name + " at degree " + point[0] + ": " + percent(point[column]));
        // From few samples.
        if (point[3]) dot.setAttribute("opacity", ".35");
        svg.append(dot);
      });
    });
    document.getElementById("curves").replaceChildren(svg, key());
  }

  function showChosen() {
    var list = document.getElementById("chosen");
    list.replaceChildren.apply(list, chosen.map(function (page) {
      var button = make("button", { type: "button", "class": "plain", "aria-label": "Remove " + models.get(page).name }, "×");
      button.addEventListener("click", function () { choose(chosen.filter(function (other) { return other !== page; })); });
      return make("li", {}, [label(page), button]);
    }));
    Array.from(adder.options).forEach(function (option) { option.disabled = option.value !== "" && chosen.includes(option.value); });
    adder.disabled = chosen.length >= MOST;
  }

  function say(text) {
    var problem = document.getElementById("problem");
    problem.hidden = !text;
    problem.textContent = text;
  }

  function show() {
    showChosen();
    holder.hidden = chosen.length < 2;
    if (chosen.length < 2) {
      say(chosen.length ? "Add at least one more model." : "Choose two models or more.");
      return;
    }
    showPairs();
    showFigures();
    showRadar();
    listCurves();
    showCurves();
  }

  function choose(pages) {
    var unknown = pages.filter(function (page) { return !known.has(page); });
    var wanted = Array.from(new Set(pages.filter(function (page) { return known.has(page); }))).slice(0, MOST);
    say(unknown.length ? "Some models of this address are not on this leaderboard." : "");
    Promise.all(wanted.filter(function (page) { return !models.has(page); }).map(function (page) {
      return hardfrost.load("model:" + page, "data/" + page + ".js").then(function (model) { models.set(page, model); });
    })).then(function () {
      chosen = wanted;
      // Commas stay readable in the address; page names hold nothing that would need escaping.
      history.replaceState(null, "", wanted.length ? "#models=" + wanted.join(",") : location.pathname);
      show();
    }).catch(function (error) { say(error.message); });
  }

  function restore() { choose((hardfrost.readState().get("models") || "").split(",").filter(Boolean)); }

  adder.addEventListener("change", function () {
    if (adder.value) choose(chosen.concat(adder.value));
    adder.value = "";
  });
  document.getElementById("curve").addEventListener("change", showCurves);
  setting.addEventListener("change", function () { showFigures(); showRadar(); });
  document.getElementById("estimate").addEventListener("change", showCurves);
  window.addEventListener("hashchange", restore);
  restore();
})();
