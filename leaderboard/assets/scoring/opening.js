// The bytes of a file that somebody gives, unpacked and bounded, or why they are not read.
"use strict";
(function (own) {
  const MOST_BYTES = 256 * (1 << 20);
  const HAND_OVER = "; `hardfrost check` and `hardfrost score` do";
  // deflate cannot do better than 1,032 to 1; honest predictions stay below 100 to 1.
  const MOST_INFLATION = 250;
  const INFLATION_IS_CHECKED_FROM = 1 << 24;

  class Refusal extends Error {}

  async function bytesOf(name, blob) {
    if (/\.parquet(\.gz)?$/i.test(name)) throw new Refusal("this page does not read Parquet" + HAND_OVER);
    if (!own.formatOf(name)) throw new Refusal("unknown format; the name must end in .jsonl or .csv, with or without .gz");
    if (blob.size > MOST_BYTES) throw tooLarge();
    return /\.gz$/i.test(name) ? inflated(blob) : new Uint8Array(await blob.arrayBuffer());
  }

  function tooLarge() { return new Refusal("this page does not read more than " + (MOST_BYTES >> 20) + " MB" + HAND_OVER); }

  async function inflated(blob) {
    const reader = blob.stream().pipeThrough(new DecompressionStream("gzip")).getReader();
    const parts = [];
    let size = 0;
    for (;;) {
      const { done, value } = await reader.read().catch((error) => { throw new Refusal("the gzip data is broken (" + error.message + "); was the file cut?"); });
      if (done) return joined(parts, size);
      parts.push(value);
      size += value.length;
      const isBomb = size > Math.max(INFLATION_IS_CHECKED_FROM, MOST_INFLATION * blob.size);
      if (!isBomb && size <= MOST_BYTES) continue;
      reader.cancel();
      throw isBomb ? new Refusal("inflates to over " + MOST_INFLATION + " times its size; that is no predictions file") : tooLarge();
    }
  }

  function joined(parts, size) {
    const bytes = new Uint8Array(size);
    parts.reduce((at, part) => {
      bytes.set(part, at);
      return at + part.length;
    }, 0);
    return bytes;
  }

  Object.assign(own, { bytesOf, Refusal });
})(hardfrost.scoring ??= {});
