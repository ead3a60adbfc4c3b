// All problems of one file: counted by kind, the first of each kind worded, shown together.
"use strict";
(function (own) {
  const MOST_SHOWN = 50;
  const STOPPED = "the rest was not read";

  class Problems {
    constructor(fileName) {
      this.fileName = fileName;
      this.isCut = false;
      this.kinds = new Map();
    }

    get size() { return Array.from(this.kinds.values()).reduce((sum, kind) => sum + kind.count, 0); }

    has(kind) { return this.kinds.has(kind); }

    // Line 0 stands for the whole file; a message is worded only if there is room for it.
    add(kind, line, message) {
      if (!this.kinds.has(kind)) this.kinds.set(kind, { count: 0, worded: [] });
      const found = this.kinds.get(kind);
      found.count += 1;
      if (found.worded.length < MOST_SHOWN) found.worded.push({ line, message: typeof message === "function" ? message() : message });
    }

    // Takes over what was found in another reading of the same file.
    join(other) {
      other.kinds.forEach(({ count, worded }, kind) => {
        const before = this.kinds.get(kind) ?? { count: 0, worded: [] };
        const all = before.worded.concat(worded).sort((one, another) => one.line - another.line);
        this.kinds.set(kind, { count: before.count + count, worded: all.slice(0, MOST_SHOWN) });
      });
      this.isCut ||= other.isCut;
    }

    // Notes a problem after which the rest of the file cannot be read.
    stop(line, message) {
      this.isCut = true;
      this.add(STOPPED, line, message);
    }

    // Returns where and what, by line: every kind is there, the first of each in full.
    list() {
      const kinds = Array.from(this.kinds);
      const share = this.size <= MOST_SHOWN ? MOST_SHOWN : Math.max(Math.floor(MOST_SHOWN / kinds.length), 1);
      const worded = kinds.flatMap(([, kind]) => kind.worded.slice(0, share)).map((entry) => ({
        where: this.fileName + (entry.line ? ":" + entry.line : ""), line: entry.line, message: entry.message
      }));
      worded.sort((one, other) => one.line - other.line || compare(one.message, other.message));
      const rest = kinds.filter(([, kind]) => kind.count > share).map(([name, kind]) => ({
        where: this.fileName, line: 0, message: "… and " + own.counted(kind.count - share) + " more problems of this kind: " + name
      }));
      return worded.concat(rest);
    }
  }

  function compare(one, other) { return one < other ? -1 : one > other ? 1 : 0; }

  Object.assign(own, { Problems, UNREADABLE: "rows that cannot be read" });
})(hardfrost.scoring ??= {});
