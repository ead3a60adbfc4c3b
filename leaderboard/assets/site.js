// Runs before the page is drawn: marks that scripts work, and loads data scripts on demand.
"use strict";
document.documentElement.classList.add("js");

// While a page loads, a browser lays out a long table many times: the first rows are drawn first, then the rest.
document.documentElement.classList.add("reading");
document.addEventListener("DOMContentLoaded", function () {
  requestAnimationFrame(function () {
    setTimeout(function () { document.documentElement.classList.remove("reading"); });
  });
});

// Buttons that copy the text of the element they name, or the address of the page.
document.addEventListener("click", function (event) {
  var button = event.target.closest("[data-copy]");
  if (!button) return;
  var text = button.dataset.copy ? document.getElementById(button.dataset.copy).textContent : location.href;
  var before = button.textContent;
  function say(words) {
    button.textContent = words;
    setTimeout(function () { button.textContent = before; }, 1500);
  }
  // Without access to the clipboard, the older command may still work.
  function byHand() {
    var area = hardfrost.make("textarea", { "class": "sr" });
    area.value = text;
    button.after(area);
    area.select();
    var isCopied = document.execCommand("copy");
    area.remove();
    say(isCopied ? "Copied" : "Not allowed");
  }
  if (!navigator.clipboard) byHand();
  else navigator.clipboard.writeText(text).then(function () { say("Copied"); }, byHand);
});

// Data are classic scripts that call hardfrostData: this works from a folder too, where fetch does not.
var hardfrost = (function () {
  var waiting = new Map();
  window.hardfrostData = function (key, value) {
    if (waiting.has(key)) waiting.get(key)(value);
  };
  return {
    load: function (key, address) {
      return new Promise(function (resolve, reject) {
        var element = document.createElement("script");
        waiting.set(key, resolve);
        element.src = address;
        element.onerror = function () { reject(new Error(address + " cannot be loaded")); };
        document.head.append(element);
      });
    },
    // Rounds as the written pages do: a half goes to the even digit, so 81.25 is 81.2 everywhere.
    percent: function (score) {
      if (score === null) return "–";
      var value = 100 * score;
      return (value % 1 === 0.25 ? value - 0.01 : value).toFixed(1);
    },
    mean: function (values) {
      if (!values.length || values.includes(null)) return null;
      return values.reduce(function (sum, value) { return sum + value; }, 0) / values.length;
    },
    heat: function (score, scale) {
      var share = (score - Number(scale.low)) / (Number(scale.high) - Number(scale.low));
      return "h" + Math.min(8, Math.max(0, Math.floor(9 * share)));
    },
    make: function (name, attributes, content) {
      var element = document.createElement(name);
      Object.entries(attributes || {}).forEach(function (pair) { element.setAttribute(pair[0], pair[1]); });
      [].concat(content === undefined ? [] : content).forEach(function (child) { element.append(child); });
      return element;
    },
    // The state of a page in its address: #key=value&key=value; any other fragment names a section.
    readState: function () {
      return location.hash.includes("=") ? new URLSearchParams(location.hash.slice(1)) : new URLSearchParams();
    },
    writeState: function (state) {
      var text = state.toString();
      if (text || location.hash.includes("=")) history.replaceState(null, "", text ? "#" + text : location.pathname);
    }
  };
})();
