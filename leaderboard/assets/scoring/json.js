// Reads JSON as the command line does: whole numbers apart from others, keys that stand twice kept, NaN as a number.
"use strict";
(function (own) {
  const MOST_DEPTH = 900;
  const MOST_DIGITS = 4300;
  const NUMBER = /(-?(?:0|[1-9]\d*))(\.\d+)?([eE][+-]?\d+)?/y;
  const BLANK = /[ \t\n\r]*/y;
  const PLAIN = /[^"\\\u0000-\u001f]*/y;
  const CONSTANTS = [["null", null], ["true", true], ["false", false], ["NaN", NaN], ["Infinity", Infinity], ["-Infinity", -Infinity]];
  const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };

  class NotJson extends Error {}
  class TooDeep extends Error {}

  // An object as written.
  class Pairs {
    constructor(pairs) { this.pairs = pairs; }

    // Returns a Map, or nothing where a key stands twice.
    toMap() {
      const map = new Map(this.pairs);
      return map.size === this.pairs.length ? map : null;
    }
  }

  function parseJson(text) {
    let at = 0;

    function fail(message, place) {
      const characters = Array.from(text.slice(0, place)).length;
      throw new NotJson(message + ": line 1 column " + (characters + 1) + " (char " + characters + ")");
    }

    function skipBlank() {
      BLANK.lastIndex = at;
      BLANK.test(text);
      at = BLANK.lastIndex;
    }

    function value(depth) {
      if (depth > MOST_DEPTH) throw new TooDeep();
      const first = text[at];
      if (first === '"') return string();
      if (first === "{") return object(depth);
      if (first === "[") return array(depth);
      const constant = CONSTANTS.find(([name]) => text.startsWith(name, at));
      if (constant) {
        at += constant[0].length;
        return constant[1];
      }
      return number();
    }

    function number() {
      NUMBER.lastIndex = at;
      const match = NUMBER.exec(text);
      if (!match) fail("Expecting value", at);
      at = NUMBER.lastIndex;
      if (match[2] !== undefined || match[3] !== undefined) return Number(match[0]);
      const nDigits = match[1].replace("-", "").length;
      if (nDigits > MOST_DIGITS) throw new NotJson("Exceeds the limit (" + MOST_DIGITS + " digits) for integer string conversion: value has " + nDigits + " digits; use sys.set_int_max_str_digits() to increase the limit");
      return BigInt(match[1]);
    }

    function string() {
      const start = at;
      let result = "";
      at += 1;
      for (;;) {
        PLAIN.lastIndex = at;
        result += PLAIN.exec(text)[0];
        at = PLAIN.lastIndex;
        if (at >= text.length) fail("Unterminated string starting at", start);
        if (text[at] === '"') break;
        if (text[at] !== "\\") fail("Invalid control character at", at);
        result += escape(start);
      }
      at += 1;
      return result;
    }

    function escape(start) {
      const letter = text[at + 1];
      if (letter === undefined) fail("Unterminated string starting at", start);
      if (letter !== "u") {
        if (!Object.hasOwn(ESCAPES, letter)) fail("Invalid \\escape", at);
        at += 2;
        return ESCAPES[letter];
      }
      const digits = text.slice(at + 2, at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) fail("Invalid \\uXXXX escape", at + 1);
      at += 6;
      return String.fromCharCode(parseInt(digits, 16));
    }

    // Reads what stands between brackets, parted by commas.
    function items(end, item) {
      const found = [];
      at += 1;
      skipBlank();
      if (text[at] === end) {
        at += 1;
        return found;
      }
      for (;;) {
        found.push(item());
        skipBlank();
        const mark = text[at];
        if (mark !== end && mark !== ",") fail("Expecting ',' delimiter", at);
        at += 1;
        if (mark === end) return found;
        skipBlank();
      }
    }

    function array(depth) { return items("]", () => value(depth + 1)); }

    function object(depth) {
      return new Pairs(items("}", () => {
        if (text[at] !== '"') fail("Expecting property name enclosed in double quotes", at);
        const key = string();
        skipBlank();
        if (text[at] !== ":") fail("Expecting ':' delimiter", at);
        at += 1;
        skipBlank();
        return [key, value(depth + 1)];
      }));
    }

    if (text.startsWith("\ufeff")) fail("Unexpected UTF-8 BOM (decode using utf-8-sig)", 0);
    skipBlank();
    const result = value(0);
    skipBlank();
    if (at < text.length) fail("Extra data", at);
    return result;
  }

  Object.assign(own, { parseJson, NotJson, TooDeep, Pairs });
})(hardfrost.scoring ??= {});
