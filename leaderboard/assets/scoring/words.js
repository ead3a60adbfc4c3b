// How messages show a stranger's values and guess at what was meant: in the words of the command line.
"use strict";
(function (own) {
  const MOST_CHARACTERS_SHOWN = 80;
  const LEAST_LIKENESS = 0.6;
  const ESCAPES = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\" };
  // Unseen, or able to reorder what stands around them.
  const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u;

  function counted(number) { return String(number).replace(/\B(?=(\d{3})+$)/g, ","); }

  function quoted(text) {
    const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
    return quote + Array.from(text, (character) => escaped(character, quote)).join("") + quote;
  }

  // The text with unseen characters spelled out.
  function visible(text) { return Array.from(text, spelled).join(""); }

  function escaped(character, quote) {
    if (character === quote) return "\\" + quote;
    return ESCAPES[character] ?? spelled(character);
  }

  function spelled(character) {
    if (!UNPRINTABLE.test(character)) return character;
    const code = character.codePointAt(0);
    const [letter, digits] = code < 0x100 ? ["x", 2] : code < 0x10000 ? ["u", 4] : ["U", 8];
    return "\\" + letter + code.toString(16).padStart(digits, "0");
  }

  // Numbers that were written with a point or an exponent stay recognisable as such: 1.0, 1e-07.
  function floatText(value) {
    if (Number.isNaN(value)) return "nan";
    if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
    if (Object.is(value, -0)) return "-0.0";
    const [digits, exponent] = value.toExponential().split("e");
    if (value !== 0 && (Number(exponent) < -4 || Number(exponent) >= 16)) return digits + "e" + exponent[0] + exponent.slice(1).padStart(2, "0");
    const plain = String(value);
    return plain.includes(".") ? plain : plain + ".0";
  }

  function valueText(value) {
    if (value === null || value === undefined) return "None";
    if (value === true) return "True";
    if (value === false) return "False";
    if (typeof value === "string") return quoted(value);
    if (typeof value === "number") return floatText(value);
    if (typeof value === "bigint") return value.toString();
    if (value instanceof own.Pairs) return "[" + value.pairs.map(([key, item]) => "(" + quoted(key) + ", " + valueText(item) + ")").join(", ") + "]";
    return "[" + value.map(valueText).join(", ") + "]";
  }

  function shown(value) {
    if (typeof value === "bigint" && (value >= 10n ** 20n || value <= -(10n ** 20n))) return "a huge number";
    return cut(valueText(value), MOST_CHARACTERS_SHOWN);
  }

  function cut(text, most) {
    if (text.length <= most) return text;
    const characters = Array.from(text);
    return characters.length <= most ? text : characters.slice(0, most).join("") + "…";
  }

  // The length of the longest common subsequence, 32 places of `one` at a time (Hyyrö's bit-parallel way).
  function matcher(one) {
    const nWords = Math.ceil(one.length / 32) || 1;
    const places = new Map();
    for (let place = 0; place < one.length; place += 1) {
      const code = one.charCodeAt(place);
      if (!places.has(code)) places.set(code, new Int32Array(nWords));
      places.get(code)[place >> 5] |= 1 << (place & 31);
    }
    const state = new Int32Array(nWords);
    return function (other) {
      state.fill(-1);
      for (let at = 0; at < other.length; at += 1) {
        const matches = places.get(other.charCodeAt(at));
        if (matches === undefined) continue;
        let carry = 0;
        for (let word = 0; word < nWords; word += 1) {
          const before = state[word];
          const taken = before & matches[word];
          const sum = (before >>> 0) + (taken >>> 0) + carry;
          carry = sum > 0xffffffff ? 1 : 0;
          state[word] = (sum | 0) | (before & ~matches[word]);
        }
      }
      let common = 0;
      for (let place = 0; place < one.length; place += 1) common += (state[place >> 5] >>> (place & 31)) & 1 ? 0 : 1;
      return common;
    };
  }

  // The likest name: twice what is common over both lengths; of equals the first.
  function nearest(name, known) {
    // Made only for a name as short as those known, since it takes room for each of its characters.
    let common = null;
    let best = null;
    let most = LEAST_LIKENESS;
    known.forEach((candidate) => {
      const lengths = name.length + candidate.length;
      const bound = lengths ? 2 * Math.min(name.length, candidate.length) / lengths : 1;
      if (bound < most || (best !== null && bound <= most)) return;
      common ??= matcher(name);
      const likeness = lengths ? 2 * common(candidate) / lengths : 1;
      if (likeness > most || (best === null && likeness === most)) [best, most] = [candidate, likeness];
    });
    return best;
  }

  function didYouMean(name, known) {
    const best = nearest(name, known);
    return best === null ? "" : " did you mean " + quoted(best) + "?";
  }

  Object.assign(own, { counted, quoted, visible, shown, didYouMean });
})(hardfrost.scoring ??= {});
