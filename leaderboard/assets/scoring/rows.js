// Rows of a predictions file as they stand in it; what is wrong with a row by itself is noted here.
"use strict";
(function (own) {
  const MOST_ID_CHARACTERS = 1000;
  const LONE_SURROGATE = /\p{Cs}/u;

  // Text that a file can hold; a lone surrogate is none.
  function isWhole(value) { return typeof value === "string" && !LONE_SURROGATE.test(value); }

  function isText(value) {
    return isWhole(value) && (value.length <= MOST_ID_CHARACTERS || Array.from(value).length <= MOST_ID_CHARACTERS);
  }

  // An answer is null where its problem was noted; `isRegular` rows come from a file without any irregular one.
  class Rows {
    // An untyped file has texts only, so that numbers stand in them as any program writes them: 1 or 1.0.
    constructor(problems, isUntyped) {
      this.problems = problems;
      this.isUntyped = Boolean(isUntyped);
      this.found = [];
    }

    add(row, line, isRegular) {
      const id = row.get("id");
      if (!isRegular && (!isText(id) || !id)) {
        const found = row.has("id") ? "id " + own.shown(id) + " is not a text" : "no `id`";
        this.problems.add(own.UNREADABLE, line, found + "; every row needs the id of a row of the release");
        return;
      }
      const answer = this.answerOf(row, id, line, isRegular);
      let benchmark = row.get("benchmark") ?? null;
      if (benchmark !== null && !isText(benchmark)) {
        this.problems.add(own.UNREADABLE, line, "benchmark " + own.shown(benchmark) + " is not a text");
        benchmark = null;
      }
      this.found.push({
        line, id, benchmark,
        answer: answer === null ? null : String(answer),
        isIndex: typeof answer === "bigint",
        isUntyped: this.isUntyped,
        probabilities: this.numbersOf(row.get("probabilities") ?? null, id, line)
      });
    }

    // A label's name or its index; a whole number may be written 1.0.
    answerOf(row, id, line, isRegular) {
      const value = row.get("prediction");
      if (typeof value === "string" && (isRegular || (value && isText(value)))) return value;
      if (typeof value === "bigint" && isExact(value)) return value;
      if (typeof value === "number" && Number.isInteger(value) && isExact(value)) return BigInt(value);
      const isMissing = value === undefined || value === null || value === "";
      const found = isMissing ? "no `prediction`" : "prediction " + own.shown(value) + " is no label";
      this.problems.add(own.UNREADABLE, line, () => found + " for id " + own.shown(id) + "; give a label's name or its index");
      return null;
    }

    numbersOf(value, id, line) {
      if (value === null) return null;
      if (Array.isArray(value) && value.every(isExact)) return value.map(Number);
      this.problems.add(own.UNREADABLE, line, () => "probabilities " + own.shown(value) + " of id " + own.shown(id)
        + " are not a list of numbers; give one number a label, in the order of the task's labels");
      return null;
    }
  }

  function isExact(value) { return (typeof value === "bigint" || typeof value === "number") && Math.abs(Number(value)) < 2 ** 53; }

  Object.assign(own, { Rows, isWhole });
})(hardfrost.scoring ??= {});
