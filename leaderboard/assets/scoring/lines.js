// Bytes of a text file as lines, and where exactly they are not UTF-8.
"use strict";
(function (own) {
  const MOST_LINE_BYTES = 1 << 20;
  const NEWLINE = 10;

  // Returns the first flaw: where it starts and ends, and what is wrong; nothing if all is UTF-8.
  function flawOf(bytes) {
    for (let at = 0; at < bytes.length;) {
      const first = bytes[at];
      if (first < 0x80) {
        at += 1;
        continue;
      }
      const more = first < 0xc2 || first > 0xf4 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
      if (!more) return { start: at, end: at + 1, reason: "invalid start byte" };
      for (let step = 1; step <= more; step += 1) {
        const next = bytes[at + step];
        if (next === undefined) return { start: at, end: at + step, reason: "unexpected end of data" };
        // Overlong forms, surrogates and what lies beyond the last character begin with a second byte out of range.
        const low = step === 1 && first === 0xe0 ? 0xa0 : step === 1 && first === 0xf0 ? 0x90 : 0x80;
        const high = step === 1 && first === 0xed ? 0x9f : step === 1 && first === 0xf4 ? 0x8f : 0xbf;
        if (next < low || next > high) return { start: at, end: at + step, reason: "invalid continuation byte" };
      }
      at += more + 1;
    }
    return null;
  }

  function flawText(bytes, flaw) {
    const where = flaw.end - flaw.start === 1
      ? "byte 0x" + bytes[flaw.start].toString(16).padStart(2, "0") + " in position " + flaw.start
      : "bytes in position " + flaw.start + "-" + (flaw.end - 1);
    return "'utf-8' codec can't decode " + where + ": " + flaw.reason;
  }

  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });
  const encoder = new TextEncoder();

  // Returns the text, or nothing where the bytes are not UTF-8.
  function decoded(bytes) {
    try {
      return strict.decode(bytes);
    } catch {
      return null;
    }
  }

  function isAbsurd({ text, bytes }) {
    if (bytes !== null) return bytes.length > MOST_LINE_BYTES;
    return text.length * 3 > MOST_LINE_BYTES && encoder.encode(text).length > MOST_LINE_BYTES;
  }

  // Yields { line, text } and, where the bytes are not UTF-8, { flaw, bytes }; without line ends and without a byte order mark.
  function* linesOf(bytes, problems) {
    const content = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
    const whole = decoded(content);
    let line = 0;
    for (const found of whole === null ? flawedLines(content) : wholeLines(whole)) {
      line += 1;
      if (isAbsurd(found)) {
        problems.stop(line, "the line is longer than " + own.counted(MOST_LINE_BYTES) + " bytes; write one short row a line, ended by LF");
        return;
      }
      yield { line, ...found };
    }
  }

  function* wholeLines(text) {
    for (let start = 0; start < text.length;) {
      const found = text.indexOf("\n", start);
      const end = found < 0 ? text.length : found;
      yield { text: text.slice(start, end), flaw: null, bytes: null };
      start = end + 1;
    }
  }

  function* flawedLines(bytes) {
    for (let start = 0; start < bytes.length;) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      const part = bytes.subarray(start, end);
      yield { text: lenient.decode(part), flaw: flawOf(part), bytes: part };
      start = end + 1;
    }
  }

  Object.assign(own, { linesOf, flawText });
})(hardfrost.scoring ??= {});
