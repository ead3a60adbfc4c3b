// Predictions as JSON Lines: one object a row.
"use strict";
(function (own) {
  const SEEN = /[^ \t\n\v\f\r]/;
  const PLAIN_ROW = /^\{"id": ?"([^"\\\u0000-\u001f]*)", ?"prediction": ?(?:"([^"\\\u0000-\u001f]*)"|(0|[1-9]\d{0,9}))\}\r?$/;
  const COLUMNS = ["id", "prediction", "probabilities", "benchmark"];

  function readJsonLines(bytes, most, problems) {
    const rows = new own.Rows(problems);
    const parsed = [];
    let nLines = 0;
    for (const { line, text, flaw } of own.linesOf(bytes, problems)) {
      nLines += 1;
      const start = text.search(SEEN);
      if (start < 0) continue;
      const row = flaw ? null : plainRow(text) ?? rowOf(text.slice(start), line, problems);
      // Blanks at the start are ASCII, so that characters and bytes count alike.
      if (flaw) problems.add(own.UNREADABLE, line, "not UTF-8 at byte " + (flaw.start - start) + "; save the file as UTF-8");
      if (row !== null) parsed.push({ row, line });
      if (problems.size > most) {
        problems.stop(line, "more problems than the release has rows; the rest was not read");
        break;
      }
      if (parsed.length > most) break;
    }
    const isRegular = !problems.size && parsed.length === nLines && areAlike(parsed);
    parsed.forEach(({ row, line }) => rows.add(row, line, isRegular));
    return rows.found;
  }

  // Most rows need no reading character by character.
  function plainRow(text) {
    const match = PLAIN_ROW.exec(text);
    return match && new Map([["id", match[1]], ["prediction", match[3] === undefined ? match[2] : BigInt(match[3])]]);
  }

  // The object on a line, or nothing where its problem was noted.
  function rowOf(text, line, problems) {
    let value;
    try {
      value = own.parseJson(text);
    } catch (error) {
      if (error instanceof own.TooDeep) problems.add(own.UNREADABLE, line, "nested too deeply; write one flat JSON object a line");
      else if (error instanceof own.NotJson) problems.add(own.UNREADABLE, line, "not JSON (" + error.message.slice(0, 80) + "); write one JSON object a line");
      else throw error;
      return null;
    }
    if (!(value instanceof own.Pairs)) {
      problems.add(own.UNREADABLE, line, "expected a JSON object, found " + own.shown(value));
      return null;
    }
    const row = value.toMap();
    if (row === null) problems.add(own.UNREADABLE, line, "a key stands twice in the object; keep one");
    return row;
  }

  // Tells whether every row has the same kinds of values, so that only their matching can be wrong.
  function areAlike(parsed) {
    const kinds = new Set(parsed.map(({ row }) => typeof row.get("prediction")));
    return kinds.size === 1 && (kinds.has("string") || kinds.has("bigint")) && parsed.every(({ row }) => COLUMNS.every((name) => isPlain(name, row.get(name))));
  }

  function isPlain(name, value) {
    if (name === "id") return own.isWhole(value);
    if (name === "prediction") return typeof value !== "string" || own.isWhole(value);
    if (value === undefined || value === null) return true;
    if (name === "benchmark") return own.isWhole(value);
    return Array.isArray(value) && value.every((item) => typeof item === "bigint" || Number.isFinite(item));
  }

  Object.assign(own, { readJsonLines });
})(hardfrost.scoring ??= {});
