// Enhances the table that the page already holds: sorting, searching, choosing columns.
"use strict";
(function () {
  document.documentElement.classList.add("js");
  var table = document.getElementById("board");
  if (!table) return;
  var body = table.tBodies[0];
  var rows = Array.from(body.rows);
  var heads = Array.from(table.tHead.rows[0].cells);

  rows.forEach(function (row, index) { row.dataset.place = index; });

  function estimate() {
    var checked = document.querySelector("input[name=estimate]:checked");
    return checked && checked.value === "worst" ? ".w" : ".a";
  }

  // Returns the cell's number or text; missing figures are null and always sort last.
  function valueOf(row, column) {
    var cell = row.cells[column];
    var head = heads[column];
    if (head.dataset.key === "model") return cell.querySelector("bdi").textContent.toLowerCase();
    var part = head.classList.contains("est") ? cell.querySelector(estimate()) : cell;
    var number = part ? parseFloat(part.textContent) : NaN;
    return Number.isNaN(number) ? null : number;
  }

  function sortBy(column, direction) {
    var sign = direction === "ascending" ? 1 : -1;
    var keyed = rows.map(function (row) { return { row: row, value: valueOf(row, column) }; });
    keyed.sort(function (one, other) {
      if (one.value === other.value) return one.row.dataset.place - other.row.dataset.place;
      if (one.value === null) return 1;
      if (other.value === null) return -1;
      return sign * (one.value < other.value ? -1 : 1);
    });
    heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
    heads[column].setAttribute("aria-sort", direction);
    body.append.apply(body, keyed.map(function (item) { return item.row; }));
    // Tie groups mean something only in the order of ranks.
    var key = heads[column].dataset.key;
    table.classList.toggle("ungrouped", !(key === "average" && sign < 0) && !(key === "rank" && sign > 0));
  }

  heads.forEach(function (head, column) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = "sorter";
    var link = head.querySelector("a");
    if (link) {
      // The name stays a link to the dimension's page; the arrow sorts.
      button.setAttribute("aria-label", "Sort by " + link.title);
      link.after(button);
    } else {
      button.textContent = head.textContent;
      head.textContent = "";
      head.append(button);
    }
    button.addEventListener("click", function () {
      var first = head.dataset.first || "descending";
      var other = first === "ascending" ? "descending" : "ascending";
      sortBy(column, head.getAttribute("aria-sort") === first ? other : first);
    });
  });

  var search = document.getElementById("search");
  var found = document.getElementById("found");
  search.addEventListener("input", function () {
    var words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row) {
      var text = row.querySelector(".name").textContent.toLowerCase();
      row.hidden = !words.every(function (word) { return text.includes(word); });
      if (!row.hidden) shown += 1;
    });
    found.textContent = words.length ? shown + " of " + rows.length + " models" : "";
  });

  var picker = document.querySelector("#columns .menu-body");
  heads.forEach(function (head, column) {
    if (head.dataset.key === "model") return;
    var label = document.createElement("label");
    var box = document.createElement("input");
    var link = head.querySelector("a");
    box.type = "checkbox";
    box.checked = true;
    label.className = "check";
    label.append(box, link ? link.title : head.textContent);
    picker.append(label);
    box.addEventListener("change", function () {
      head.hidden = !box.checked;
      rows.forEach(function (row) { row.cells[column].hidden = !box.checked; });
    });
  });
  document.addEventListener("click", function (event) {
    var menu = document.getElementById("columns");
    if (menu.open && !menu.contains(event.target)) menu.open = false;
  });
})();
