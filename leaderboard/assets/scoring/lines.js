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

  // Yields { line, bytes } without line ends and without a byte order mark; an absurd line ends the reading.
  function* linesOf(bytes, problems) {
    let start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    for (let line = 1; start < bytes.length; line += 1) {
      const found = bytes.indexOf(NEWLINE, start);
      const end = found < 0 ? bytes.length : found;
      if (end - start > MOST_LINE_BYTES) {
        problems.stop(line, "the line is longer than " + own.counted(MOST_LINE_BYTES) + " bytes; write one short row a line, ended by LF");
        return;
      }
      yield { line, bytes: bytes.subarray(start, end) };
      start = end + 1;
    }
  }

  const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const lenient = new TextDecoder("utf-8", { ignoreBOM: true });

  // Returns the text, or nothing where the bytes are not UTF-8.
  function decoded(bytes) {
    try {
      return strict.decode(bytes);
    } catch {
      return null;
    }
  }

  Object.assign(own, { linesOf, decoded, flawOf, flawText, decodedLeniently: (bytes) => lenient.decode(bytes) });
})(hardfrost.scoring ??= {});
