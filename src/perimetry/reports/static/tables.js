// Sorts a table by the column whose heading is pressed: numbers as numbers, missing cells last.
(function () {
  "use strict";
  document.querySelectorAll("table.sortable").forEach(function (table) {
    var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
    heads.forEach(function (head, column) {
      head.querySelector("button").addEventListener("click", function () {
        var up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach(function (other) { other.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        var numeric = head.classList.contains("num");
        var body = table.tBodies[0];
        Array.prototype.slice.call(body.rows)
          .map(function (row, place) { return { row: row, place: place, key: row.cells[column].dataset.sort }; })
          .sort(function (a, b) {
            if ((a.key === "") !== (b.key === "")) return a.key === "" ? 1 : -1;
            var order = numeric ? Number(a.key) - Number(b.key) : a.key.localeCompare(b.key);
            return (up ? order : -order) || a.place - b.place;
          })
          .forEach(function (item) { body.appendChild(item.row); });
      });
    });
  });
})();
