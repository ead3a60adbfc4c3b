// A predictions file in, its answers out, or everything that is wrong with it.
"use strict";
(function (own) {
  const READERS = { jsonl: own.readJsonLines, csv: own.readCommaSeparated };

  // The format that a file's name promises, packed or not.
  function formatOf(name) { return (/\.(jsonl|csv)(\.gz)?$/i.exec(name)?.[1] ?? "").toLowerCase(); }

  // Labels stand in the order of the release's rows; absent groups have label -1.
  function readPredictions(name, bytes, key) {
    const problems = new own.Problems(own.visible(name));
    const most = 2 * key.nRows + key.nLeftOut + 1000;
    let rows = READERS[formatOf(name)](bytes, most, problems);
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

  Object.assign(own, { formatOf, readPredictions });
})(hardfrost.scoring ??= {});
