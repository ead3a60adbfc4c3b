// A predictions file in, its answers out, or everything that is wrong with it.
"use strict";
(function (own) {
  const MOST_BYTES = 256 * (1 << 20);
  const READERS = { jsonl: own.readJsonLines, csv: own.readCommaSeparated };

  // Returns why a file is not even opened, or nothing.
  function refusalOf(name, size) {
    const suffix = name.toLowerCase().split(".").pop();
    if (suffix === "parquet" || suffix === "gz") return "this page reads .jsonl and .csv; `hardfrost check` and `hardfrost score` read ." + suffix + " too";
    if (!Object.hasOwn(READERS, suffix)) return "unknown format; the name must end in .jsonl or .csv";
    if (size > MOST_BYTES) return "larger than " + own.counted(MOST_BYTES >> 20) + " MB, too much for this page; `hardfrost check` and `hardfrost score` read files of any size";
    return "";
  }

  // Labels stand in the order of the release's rows; absent groups have label -1.
  function readPredictions(name, bytes, key) {
    const problems = new own.Problems(own.visible(name));
    const refusal = refusalOf(name, bytes.length);
    if (refusal) {
      problems.stop(0, refusal);
      return { problems, nRows: 0, labels: null, absent: [] };
    }
    const most = 2 * key.nRows + 1000;
    let rows = READERS[name.toLowerCase().split(".").pop()](bytes, most, problems);
    if (rows.length > most) {
      problems.stop(0, "more than " + own.counted(most) + " rows, far more than the release; is it for this one?");
      rows = rows.slice(0, most);
    }
    own.checkBenchmarks(rows, key, problems);
    const places = own.matchIds(rows, key, problems);
    const labels = own.matchAnswers(rows, places, key, problems);
    own.checkProbabilities(rows, places, key, problems);
    const absent = own.checkMissing(places, key, problems);
    return { problems, nRows: rows.length, labels, absent: absent.concat(key.leftOut) };
  }

  Object.assign(own, { refusalOf, readPredictions });
})(hardfrost.scoring ??= {});
