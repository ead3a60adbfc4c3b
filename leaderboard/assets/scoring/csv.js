// Predictions as CSV with a header; probabilities are a JSON list in one quoted field.
"use strict";
(function (own) {
  const COLUMNS = ["id", "prediction", "probabilities", "benchmark"];
  const MOST_FIELD_CHARACTERS = 131072;
  // Most lines need no reading character by character.
  const PLAIN_LINE = /^[^"\r\n]{1,131072}\n$/;
  const INSIDE = /[^"]+/y;
  const OUTSIDE = /[^",\r\n][^,\r\n]*/y;
  const NUMBER_LIST = /^\[.*\]$/s;

  class NotCsv extends Error {}

  function readCommaSeparated(bytes, most, problems) {
    const rows = new own.Rows(problems, true);
    const header = headerOf(bytes, problems);
    if (header === null) return rows.found;
    const early = new own.Problems(problems.fileName);
    const parsed = [];
    const reader = { lines: 0 };
    try {
      for (const record of recordsOf(textLines(bytes, early), reader)) {
        if (record.line === 1) continue;
        parsed.push(record);
        if (parsed.length > most) break;
      }
    } catch (error) {
      if (!(error instanceof NotCsv)) throw error;
      early.stop(reader.lines, "not CSV (" + error.message + "); are quotes closed and lines ended by \\n?");
    }
    const isRegular = !early.size && parsed.length === reader.lines - 1
      && parsed.every(({ fields }) => fields.length === header.length) && areListsWhole(parsed, header);
    for (const { fields, line } of parsed) {
      if (fields.length) add(rows, header, fields, line, isRegular, problems);
      if (problems.size > most) {
        problems.stop(line, "more problems than the release has rows; the rest was not read");
        break;
      }
    }
    problems.join(early);
    return rows.found;
  }

  function headerOf(bytes, problems) {
    const { value: first } = own.linesOf(bytes, new own.Problems("")).next();
    let names;
    try {
      if (first?.flaw) throw new NotCsv(own.flawText(first.bytes, first.flaw));
      names = recordsOf([(first?.text ?? "").replace(/\r+$/, "")], { lines: 0 }).next().value?.fields ?? [];
    } catch (error) {
      if (!(error instanceof NotCsv)) throw error;
      problems.stop(1, "the header cannot be read (" + error.message + "); save the file as UTF-8 CSV");
      return null;
    }
    const missing = ["id", "prediction"].filter((name) => !names.includes(name));
    const twice = COLUMNS.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
    missing.forEach((name) => problems.stop(1, "no column `" + name + "` in the header " + own.shown(names.join(",")) + ";"
      + own.didYouMean(name, names) + " the first line must name the columns, parted by commas"));
    twice.forEach((name) => problems.stop(1, "the column `" + name + "` stands twice in the header; keep one"));
    return missing.length || twice.length ? null : names;
  }

  function add(rows, header, fields, line, isRegular, problems) {
    if (fields.length !== header.length) {
      problems.add(own.UNREADABLE, line, fields.length + " fields, the header has " + header.length + "; quote fields that hold commas");
      return;
    }
    const row = new Map(header.map((name, place) => [name, fields[place]]));
    row.set("benchmark", row.get("benchmark") || null);
    row.set("probabilities", listOf(row.get("probabilities") || null));
    rows.add(row, line, isRegular);
  }

  // The list that a text such as "[0.1, 0.9]" stands for; a text that is none stays what it is.
  function listOf(text) {
    if (text === null) return null;
    try {
      return own.parseJson(text);
    } catch (error) {
      if (error instanceof own.NotJson || error instanceof own.TooDeep) return text;
      throw error;
    }
  }

  function areListsWhole(parsed, header) {
    const place = header.indexOf("probabilities");
    if (place < 0 || parsed.every(({ fields }) => fields[place] === "")) return true;
    return parsed.every(({ fields }) => NUMBER_LIST.test(fields[place]));
  }

  function* textLines(bytes, problems) {
    for (const { line, text, flaw } of own.linesOf(bytes, problems)) {
      if (flaw) problems.add(own.UNREADABLE, line, "not UTF-8 at byte " + flaw.start + "; save the file as UTF-8");
      yield text + "\n";
    }
  }

  // Yields { line, fields }, where the line is the one on which the record begins; a blank line has no fields.
  function* recordsOf(lines, reader) {
    let fields = [];
    let field = "";
    let state = "start";
    let line = 1;

    function grow(text) {
      field += text;
      if (field.length > MOST_FIELD_CHARACTERS) throw new NotCsv("field larger than field limit (" + MOST_FIELD_CHARACTERS + ")");
    }

    function finish(next) {
      fields.push(field);
      field = "";
      state = next;
    }

    function take(character) {
      const isEnd = character === "\n" || character === "\r";
      if (state === "quoted") {
        if (character === '"') state = "quote";
        else grow(character);
      } else if (state === "ended") {
        if (!isEnd) throw new NotCsv("new-line character seen in unquoted field - do you need to open the file in universal-newline mode?");
      } else if (isEnd) {
        if (state === "start") state = "ended";
        else finish("ended");
      } else if (character === ",") {
        finish("field");
      } else if (character === '"' && (state === "quote" || state === "start" || state === "field")) {
        if (state === "quote") grow(character);
        state = "quoted";
      } else {
        throw new NotCsv("',' expected after '\"'");
      }
    }

    // Takes what means nothing special at once, the rest character by character.
    function feed(text) {
      for (let at = 0; at < text.length; at += 1) {
        const run = state === "quoted" ? INSIDE : state === "start" || state === "field" ? OUTSIDE : null;
        if (run !== null) run.lastIndex = at;
        const found = run === null ? null : run.exec(text);
        if (found === null) {
          take(text[at]);
          continue;
        }
        grow(found[0]);
        if (state !== "quoted") state = "plain";
        at = run.lastIndex - 1;
      }
    }

    for (const text of lines) {
      reader.lines += 1;
      if (state === "start" && PLAIN_LINE.test(text)) {
        fields = text.slice(0, -1).split(",");
        state = "ended";
      } else {
        feed(text);
      }
      // A header comes without its line end.
      if (state !== "ended" && state !== "quoted" && state !== "start" && !text.endsWith("\n")) finish("ended");
      if (state !== "ended") continue;
      yield { line, fields };
      fields = [];
      state = "start";
      line = reader.lines + 1;
    }
    if (state === "quoted") throw new NotCsv("unexpected end of data");
  }

  Object.assign(own, { readCommaSeparated });
})(hardfrost.scoring ??= {});
