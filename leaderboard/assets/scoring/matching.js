// Matches the rows of a file with those of the release, and words what does not match.
"use strict";
(function (own) {
  const UNKNOWN_ID = "unknown ids";
  const DUPLICATE_ID = "ids that stand twice";
  const UNKNOWN_LABEL = "unknown labels";
  const BAD_PROBABILITIES = "probabilities that are none";
  const MISSING = "missing ids";
  const OTHER_BENCHMARK = "predictions for another benchmark";
  const MOST_CANDIDATES = 100000;
  const SHOWN_MISSING = 3;
  // Probabilities printed with few digits still count as summing to one.
  const SUM_TOLERANCE = 0.02;
  // Whole numbers beside gaps are written 1.0 by many a program.
  const WHOLE_FLOAT = /^([0-9]+)\.0+$/;

  function checkBenchmarks(rows, key, problems) {
    const seen = new Set([key.benchmark]);
    rows.forEach(({ benchmark, line }) => {
      if (benchmark === null || seen.has(benchmark)) return;
      seen.add(benchmark);
      problems.add(OTHER_BENCHMARK, line, "made for benchmark " + own.quoted(benchmark) + ", this release is " + own.quoted(key.benchmark)
        + "; predict this release's rows, or score on the other release");
    });
  }

  // Returns the place in the release of each row, -1 where its id is unknown or stood before.
  function matchIds(rows, key, problems) {
    const firstLine = new Float64Array(key.nRows);
    return Int32Array.from(rows, ({ id, line }) => {
      const place = key.rowOfId.get(id);
      if (place === undefined) {
        // A row of a split that this copy of the release lacks.
        if (key.leftOutIds?.test(id)) return -1;
        problems.add(UNKNOWN_ID, line, () => "unknown id " + own.shown(id) + ";" + own.didYouMean(id, candidates(id, key.ids))
          + " Every id must come from the release's splits.");
        return -1;
      }
      if (firstLine[place]) {
        problems.add(DUPLICATE_ID, line, () => "id " + own.shown(id) + " stands already on line " + firstLine[place] + "; give every id once");
        return -1;
      }
      firstLine[place] = line;
      return place;
    });
  }

  // Ids among which the one meant may be: those that begin alike, or else the first ones.
  function candidates(id, ids) {
    const beginning = Array.from(id).slice(0, 6).join("");
    const alike = ids.filter((known) => known.startsWith(beginning));
    return (alike.length ? alike : ids).slice(0, MOST_CANDIDATES);
  }

  // Some label's name is another label's index, so that only names can be trusted.
  function isAmbiguous(task) {
    return task.labels.some((name, label) => name !== String(label) && task.labels.some((_, index) => name === String(index)));
  }

  function meaningsOf(task) {
    const meanings = new Map(isAmbiguous(task) ? [] : task.labels.map((_, label) => [String(label), label]));
    task.labels.forEach((name, label) => meanings.set(name, label));
    return meanings;
  }

  // Returns the label of every row of the release, -1 where there is no good answer.
  function matchAnswers(rows, places, key, problems) {
    const meanings = key.tasks.map(meaningsOf);
    const ambiguous = key.tasks.map(isAmbiguous);
    const labels = new Int32Array(key.nRows).fill(-1);
    rows.forEach((row, index) => {
      const place = places[index];
      if (place < 0 || row.answer === null) return;
      const task = key.taskOfRow[place];
      let label = row.isIndex && ambiguous[task] ? undefined : meanings[task].get(row.answer);
      if (label === undefined && row.isUntyped && !ambiguous[task]) label = meanings[task].get(row.answer.replace(WHOLE_FLOAT, "$1"));
      if (label === undefined) problems.add(UNKNOWN_LABEL, row.line, () => unknownLabel(row, key.tasks[task]));
      else labels[place] = label;
    });
    return labels;
  }

  function unknownLabel(row, task) {
    const names = task.labels.slice(0, 20).join(", ");
    if (!row.answer) return "no `prediction` for id " + own.shown(row.id) + "; give one of " + names;
    const where = "prediction " + own.shown(row.answer) + " for id " + own.shown(row.id);
    if (isAmbiguous(task)) return where + ": numbers are ambiguous in task " + task.name + "; give the name as a text, one of " + names;
    return where + " is no label of task " + task.name + ";" + own.didYouMean(row.answer, task.labels) + " give one of " + names
      + ", or its index from 0 to " + (task.labels.length - 1);
  }

  function checkProbabilities(rows, places, key, problems) {
    if (rows.every((row) => row.probabilities === null)) return;
    // Lists that could not be read at all were already spoken of.
    const areTold = problems.has(own.UNREADABLE);
    rows.forEach((row, index) => {
      const found = row.probabilities;
      if (places[index] < 0 || (found === null && areTold)) return;
      const nLabels = key.tasks[key.taskOfRow[places[index]]].labels.length;
      const isGood = found !== null && found.length === nLabels && found.every((value) => value >= 0 && value <= 1)
        && Math.abs(found.reduce((sum, value) => sum + value, 0) - 1) <= SUM_TOLERANCE;
      if (isGood) return;
      problems.add(BAD_PROBABILITIES, row.line, () => (found === null ? "no probabilities, other rows have some" : "probabilities " + own.shown(found))
        + ", for id " + own.shown(row.id) + "; give one number from 0 to 1 a label that sum to 1, for all rows or for none");
    });
  }

  // Returns the names of the groups left out whole; rows missing otherwise are noted. Clean rows are mandatory.
  function checkMissing(places, key, problems) {
    const isAnswered = new Uint8Array(key.nRows);
    places.forEach((place) => { if (place >= 0) isAnswered[place] = 1; });
    const absent = [];
    key.groups.forEach((group) => {
      const missing = [];
      for (let row = group.start; row < group.stop; row += 1) if (!isAnswered[row]) missing.push(row);
      const nRows = group.stop - group.start;
      if (missing.length === nRows && !group.isClean) absent.push(group.name);
      else if (missing.length && !problems.isCut) {
        const first = missing.slice(0, SHOWN_MISSING).map((row) => own.shown(key.ids[row])).join(", ");
        const remedy = group.isClean ? "clean rows are mandatory" : "answer all rows of a group or leave it out whole";
        problems.add(MISSING, 0, own.counted(missing.length) + " of " + own.counted(nRows) + " rows of " + group.name
          + " are missing, among them " + first + "; " + remedy);
      }
    });
    if (!isAnswered.includes(1) && !problems.size) problems.add(MISSING, 0, "no row of the release is answered");
    return absent;
  }

  Object.assign(own, { checkBenchmarks, matchIds, matchAnswers, checkProbabilities, checkMissing });
})(hardfrost.scoring ??= {});
