// Enhances the table that the page already holds: sorting, searching, filters, columns, permalinks.
"use strict";
(function () {
  var table = document.getElementById("board");
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var heads = Array.from(table.tHead.rows[0].cells);
  var controls = {};
  ["search", "tag", "task", "intervals", "found", "compare", "columns"].forEach(function (id) {
    controls[id] = document.getElementById(id);
  });
  var hiddenColumns = new Set();
  var chosen = new Set();
  var BY_SCORE = { key: "score", direction: "descending" };
  var FIRST_ESTIMATE = document.querySelector("input[name=estimate][checked]").value;
  var sorting = BY_SCORE;
  var originals = null;
  var MOST_COMPARED = 5;

  rows.forEach(function (row, index) { row.dataset.place = index; });

  function valueOfControl(id) { return controls[id] ? controls[id].value : ""; }

  function estimate() { return document.querySelector("input[name=estimate]:checked").value; }

  // Returns the cell's number or text; missing figures are null and always sort last.
  function valueOf(row, column) {
    var cell = row.cells[column];
    var head = heads[column];
    // Models without skill come after all others, whatever is sorted by.
    if (row.classList.contains("no-skill") && !["rank", "model", "clean"].includes(head.dataset.key)) return null;
    if (head.dataset.key === "date") return cell.textContent === "–" ? null : cell.textContent;
    if (head.dataset.key === "model") return cell.querySelector("bdi").textContent.toLowerCase();
    var holder = head.classList.contains("est") ? cell.querySelector({ worst: ".w", average: ".a", both: ".e" }[estimate()]) : cell;
    // The figure comes first; an interval or a note may follow it.
    var number = holder && holder.firstChild ? parseFloat(holder.firstChild.textContent.replace("(", "")) : NaN;
    return Number.isNaN(number) ? null : number;
  }

  function sort() {
    var column = heads.findIndex(function (head) { return head.dataset.key === sorting.key; });
    if (column < 0) return;
    var sign = sorting.direction === "ascending" ? 1 : -1;
    var keyed = rows.map(function (row) { return { row: row, value: valueOf(row, column) }; });
    keyed.sort(function (one, other) {
      if (one.value === other.value) return one.row.dataset.place - other.row.dataset.place;
      if (one.value === null) return 1;
      if (other.value === null) return -1;
      return sign * (one.value < other.value ? -1 : 1);
    });
    heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
    heads[column].setAttribute("aria-sort", sorting.direction);
    // Rows that are in order already are not moved: moving a thousand rows means a new layout of all.
    if (keyed.some(function (item, place) { return body.rows[place] !== item.row; })) {
      body.append.apply(body, keyed.map(function (item) { return item.row; }));
    }
    // Tie groups mean something only in the order of ranks.
    var byRank = (sorting.key === BY_SCORE.key && sign < 0) || (sorting.key === "rank" && sign > 0);
    table.classList.toggle("ungrouped", !byRank || isNarrowed());
  }

  function search() {
    var words = controls.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row) {
      var text = row.querySelector(".name").textContent.toLowerCase();
      row.hidden = !words.every(function (word) { return text.includes(word); });
      if (!row.hidden) shown += 1;
    });
    var notes = words.length ? [shown + " of " + rows.length + " models"] : [];
    if (isNarrowed()) notes.push("ranks hold only for the whole benchmark");
    controls.found.textContent = notes.join(", ");
  }

  function showColumns() {
    var tag = valueOfControl("tag");
    heads.forEach(function (head, column) {
      var hidden = hiddenColumns.has(head.dataset.key) || (tag !== "" && "tag" in head.dataset && head.dataset.tag !== tag);
      if (head.hidden === hidden) return;
      head.hidden = hidden;
      rows.forEach(function (row) { row.cells[column].hidden = hidden; });
    });
  }

  function isNarrowed() { return valueOfControl("task") !== ""; }

  // Means over the tab's settings of means over dimensions, for the chosen task.
  // A scope is a task and a setting; the data hold the scores of all dimensions in it.
  function meanOver(scopes, valueOfScope) {
    var tasks = new Map();
    scopes.forEach(function (scope) {
      var value = valueOfScope(scope.index);
      if (value === undefined) return;
      if (!tasks.has(scope.task)) tasks.set(scope.task, []);
      tasks.get(scope.task).push(value);
    });
    return hardfrost.mean(Array.from(tasks.values(), hardfrost.mean));
  }

  function narrow(data) {
    if (!originals) {
      originals = rows.map(function (row) {
        return Array.from(row.cells, function (cell) { return Array.from(cell.childNodes); });
      });
    }
    var task = valueOfControl("task") === "" ? null : data.tasks[Number(valueOfControl("task"))];
    var scopes = data.scopes.map(function (scope, index) { return { task: scope[0], setting: scope[1], index: index }; })
      .filter(function (scope) { return !task || scope.task === task; });
    var dimensions = heads.filter(function (head) { return head.classList.contains("dim"); });
    var all = Object.values(data.rows);
    // A cell (task × dimension × setting) counts if any model was scored in it; a model that was not has no mean.
    var covered = data.scopes.map(function (_, scope) {
      return dimensions.map(function (_, d) { return all.some(function (row) { return row.scores[scope][2 * d] !== null; }); });
    });
    rows.forEach(function (row) {
      var model = data.rows[row.dataset.page];
      function group(offset, accepts) {
        return meanOver(scopes, function (scope) {
          var values = dimensions.map(function (_, d) { return d; })
            .filter(function (d) { return covered[scope][d] && accepts(dimensions[d]); })
            .map(function (d) { return model.scores[scope][2 * d + offset]; });
          return values.length ? hardfrost.mean(values) : undefined;
        });
      }
      heads.forEach(function (head, column) {
        var key = head.dataset.key;
        var cell = row.cells[column];
        var everything = function () { return true; };
        if (key === "rank") cell.replaceChildren("–");
        else if (key === "clean") cell.replaceChildren(hardfrost.percent(hardfrost.mean(data.tasks.map(function (name, t) {
          return task && name !== task ? undefined : model.clean[t];
        }).filter(function (value) { return value !== undefined; }))));
        else if (["score", "average", "transferable"].includes(key)) {
          // The headline joins settings and tasks; this view is of one setting and one task.
          cell.replaceChildren("–");
        } else if (head.classList.contains("est")) {
          var accepts = head.classList.contains("dim") ? function (d) { return d === head; }
            : key === "whole" ? everything : function (d) { return d.dataset.tag === key; };
          fill(cell, group(0, accepts), group(1, accepts));
        }
      });
    });
  }

  function fill(cell, worst, average) {
    if (worst === null || average === null) {
      cell.replaceChildren(hardfrost.make("span", { "class": "none" }, "–"));
      return;
    }
    cell.replaceChildren(
      hardfrost.make("span", { "class": "e w " + hardfrost.heat(worst, table.dataset) }, hardfrost.percent(worst)),
      hardfrost.make("span", { "class": "e a " + hardfrost.heat(average, table.dataset) }, hardfrost.percent(average)));
  }

  function widen() {
    if (!originals) return;
    rows.forEach(function (row, index) {
      heads.forEach(function (head, column) {
        if (head.dataset.key !== "model") row.cells[column].replaceChildren.apply(row.cells[column], originals[index][column]);
      });
    });
  }

  var loading = null;
  function applyScope() {
    search();
    if (!isNarrowed()) {
      widen();
      sort();
      return Promise.resolve();
    }
    if (!loading) loading = hardfrost.load("table", table.dataset.source);
    return loading.then(function (data) {
      if (isNarrowed()) narrow(data);
      sort();
    }, function (error) { controls.found.textContent = error.message; });
  }

  function saveState() {
    var state = new URLSearchParams();
    if (sorting.key !== BY_SCORE.key || sorting.direction !== BY_SCORE.direction) state.set("sort", sorting.key + "." + sorting.direction);
    if (controls.search.value) state.set("search", controls.search.value);
    if (estimate() !== FIRST_ESTIMATE) state.set("estimate", estimate());
    if (controls.intervals && controls.intervals.checked) state.set("intervals", "1");
    ["tag", "task"].forEach(function (id) { if (valueOfControl(id)) state.set(id, valueOfControl(id)); });
    if (hiddenColumns.size) state.set("hide", Array.from(hiddenColumns).join(","));
    hardfrost.writeState(state);
  }

  function restoreState() {
    var state = hardfrost.readState();
    var sorted = (state.get("sort") || "").split(".");
    sorting = { key: sorted[0], direction: sorted[1] === "ascending" ? "ascending" : "descending" };
    if (!heads.some(function (head) { return head.dataset.key === sorting.key; })) sorting = BY_SCORE;
    controls.search.value = state.get("search") || "";
    var radio = Array.from(document.querySelectorAll("input[name=estimate]"))
      .find(function (input) { return input.value === (state.get("estimate") || FIRST_ESTIMATE); });
    if (radio) radio.checked = true;
    if (controls.intervals) controls.intervals.checked = state.get("intervals") === "1";
    ["tag", "task"].forEach(function (id) {
      if (!controls[id]) return;
      controls[id].value = state.get(id) || "";
      if (controls[id].selectedIndex < 0) controls[id].value = "";
    });
    hiddenColumns = new Set((state.get("hide") || "").split(",").filter(Boolean));
    document.querySelectorAll("#columns input").forEach(function (box) { box.checked = !hiddenColumns.has(box.value); });
    search();
    showColumns();
    if (isNarrowed() || originals) applyScope();
    else sort();
  }

  function showChosen() {
    var pages = Array.from(chosen);
    controls.compare.href = "compare.html" + (pages.length ? "#models=" + pages.join(",") : "");
    controls.compare.textContent = pages.length ? "Compare " + pages.length + (pages.length === 1 ? " model" : " models") : "Compare";
    rows.forEach(function (row) {
      var box = row.querySelector(".choose");
      box.disabled = !box.checked && chosen.size >= MOST_COMPARED;
    });
  }

  heads.forEach(function (head) {
    var button = hardfrost.make("button", { type: "button", "class": "sorter" });
    var link = head.querySelector("a");
    if (link) {
      // The name is a link to the dimension's page; the tag and the arrow below it sort.
      // Voice control finds a button by its visible text, so the label contains the tag.
      var tag = head.dataset.tag && !link.title.endsWith(head.dataset.tag) ? ", " + head.dataset.tag : "";
      button.setAttribute("aria-label", "Sort by " + link.title + tag);
      button.append.apply(button, Array.from(head.querySelectorAll(".tag")));
      link.after(button);
    } else {
      button.textContent = head.textContent;
      head.replaceChildren(button);
    }
    button.addEventListener("click", function () {
      var first = head.dataset.first || "descending";
      var other = first === "ascending" ? "descending" : "ascending";
      sorting = { key: head.dataset.key, direction: head.getAttribute("aria-sort") === first ? other : first };
      sort();
      saveState();
    });
    if (head.dataset.key === "model") return;
    var box = hardfrost.make("input", { type: "checkbox", value: head.dataset.key });
    document.querySelector("#columns .menu-body").append(hardfrost.make("label", { "class": "check" }, [box, link ? link.title : button.textContent]));
    box.addEventListener("change", function () {
      if (box.checked) hiddenColumns.delete(box.value);
      else hiddenColumns.add(box.value);
      showColumns();
      saveState();
    });
  });

  var chooser = hardfrost.make("input", { type: "checkbox", "class": "choose", title: "Compare" });
  rows.forEach(function (row) {
    var name = row.querySelector(".name");
    var box = chooser.cloneNode();
    box.setAttribute("aria-label", "Compare " + name.querySelector("bdi").textContent);
    name.prepend(box);
    // A browser may restore the boxes that were ticked before.
    if (box.checked) chosen.add(row.dataset.page);
  });
  body.addEventListener("change", function (event) {
    var page = event.target.closest("tr").dataset.page;
    if (event.target.checked) chosen.add(page);
    else chosen.delete(page);
    showChosen();
  });

  controls.search.addEventListener("input", function () { search(); saveState(); });
  if (controls.task) controls.task.addEventListener("change", function () { applyScope(); saveState(); });
  if (controls.tag) controls.tag.addEventListener("change", function () { showColumns(); saveState(); });
  if (controls.intervals) controls.intervals.addEventListener("change", saveState);
  document.querySelectorAll("input[name=estimate]").forEach(function (input) {
    input.addEventListener("change", function () { sort(); saveState(); });
  });
  document.addEventListener("click", function (event) {
    if (controls.columns.open && !controls.columns.contains(event.target)) controls.columns.open = false;
  });
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape") controls.columns.open = false;
  });
  window.addEventListener("hashchange", function () {
    // A fragment that names a section is not a view: the view stays and is written into the address again.
    if (location.hash.includes("=")) restoreState();
    else saveState();
  });
  restoreState();
  showChosen();
})();
