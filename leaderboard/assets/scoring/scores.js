// Point scores of a predictions file, by the names that results use; the command line gives the same figures.
"use strict";
(function (own) {
  // Returns for one degree how many cases, and right ones, each sample has.
  function countsOf(split, key, labels, nSamples) {
    const nCases = new Int32Array(nSamples);
    const nRight = new Int32Array(nSamples);
    for (let row = split.start; row < split.stop; row += 1) {
      nCases[key.samples[row]] += 1;
      if (labels[row] === key.labels[row]) nRight[key.samples[row]] += 1;
    }
    return { nCases, nRight };
  }

  function average({ nCases, nRight }) {
    let sum = 0;
    let nSamples = 0;
    nCases.forEach((n, sample) => {
      if (!n) return;
      sum += nRight[sample] / n;
      nSamples += 1;
    });
    return sum / nSamples;
  }

  // The share of samples that are right on all their cases.
  function worst({ nCases, nRight }) {
    let nHeld = 0;
    let nSamples = 0;
    nCases.forEach((n, sample) => {
      if (!n) return;
      nSamples += 1;
      if (nRight[sample] === n) nHeld += 1;
    });
    return nHeld / nSamples;
  }

  // What is computed at each degree, by the keys of results: from the cases there, and from those up to there.
  const AT_DEGREE = {
    average: ({ here }) => average(here),
    worst: ({ upTo }) => worst(upTo),
    worst_at: ({ here }) => worst(here),
    accuracy_cases: ({ here, nCases }) => sum(here.nRight) / nCases
  };
  const COMPUTED = Object.keys(AT_DEGREE).concat("clean_accuracy", "ewma", "overall");

  // The metrics of a leaderboard that are not computed here: the page names them.
  function notComputed(metrics) { return metrics.filter((metric) => !COMPUTED.includes(metric.key)); }

  function plus(one, other) {
    return { nCases: one.nCases.map((n, sample) => n + other.nCases[sample]), nRight: one.nRight.map((n, sample) => n + other.nRight[sample]) };
  }

  function ewma(scoresHighToLow, beta, start) {
    let value = start === "zero" ? 0 : scoresHighToLow[0];
    scoresHighToLow.slice(start === "zero" ? 0 : 1).forEach((score) => { value = beta * value + (1 - beta) * score; });
    return value;
  }

  // Scores one task, dimension and setting; an attacker with a budget may use less, so worst looks at lower degrees too.
  function settingScore(splits, key, labels, nSamples) {
    const sorted = splits.slice().sort((one, other) => (one.degree ?? -1) - (other.degree ?? -1));
    const degrees = Object.create(null);
    const keys = [];
    let upTo = null;
    sorted.forEach((split) => {
      const here = countsOf(split, key, labels, nSamples);
      upTo = upTo === null ? here : plus(upTo, here);
      const nCases = split.stop - split.start;
      const figures = Object.entries(AT_DEGREE).map(([name, compute]) => [name, compute({ here, upTo, nCases })]);
      degrees[split.key] = {
        ...Object.fromEntries(figures), mean_realised_degree: split.meanRealisedDegree,
        n_samples: here.nCases.filter(Boolean).length, n_cases: nCases
      };
      // What the manifest counts decides, the same for every model.
      if (split.nSamples >= Math.max(key.minSamples, 1)) keys.push(split.key);
    });
    if (!keys.length) return { degrees, degrees_used: [], average: null, worst: null, not_scored: "no degree has " + key.minSamples + " samples" };
    const isWithoutDegrees = keys.length === 1 && sorted.find((split) => split.key === keys[0]).degree === null;
    const over = (name) => {
      const scores = keys.map((degree) => degrees[degree][name]);
      return { ewma: isWithoutDegrees ? scores[0] : ewma(scores.reverse(), key.beta, key.ewmaStart) };
    };
    return { degrees, degrees_used: keys, average: over("average"), worst: over("worst"), not_scored: null };
  }

  function sum(values) { return values.reduce((total, value) => total + value, 0); }

  function mean(values) { return sum(values) / values.length; }

  function grouped(items, keyOf) {
    const groups = new Map();
    items.forEach((item) => {
      if (!groups.has(keyOf(item))) groups.set(keyOf(item), []);
      groups.get(keyOf(item)).push(item);
    });
    return groups;
  }

  // The mean over tasks of the mean over settings of the mean over dimensions.
  function overallOf(cells, name) {
    return { ewma: mean(Array.from(grouped(cells, (cell) => cell.task).values(), (ofTask) =>
      mean(Array.from(grouped(ofTask, (cell) => cell.setting).values(), (ofSetting) =>
        mean(ofSetting.map((cell) => cell.score[name].ewma)))))) };
  }

  function pairOf(cells) { return cells.length ? { average: overallOf(cells, "average"), worst: overallOf(cells, "worst") } : null; }

  function pairsBy(cells, keyOf) {
    return Object.fromEntries(Array.from(grouped(cells, keyOf), ([name, some]) => [name, pairOf(some)]));
  }

  function headline(cells, tasks, key) {
    const tags = new Map(key.dimensions.map((info) => [info.name, info.tag]));
    const clean = Object.values(tasks).filter((task) => task.clean !== null).map((task) => task.clean.accuracy);
    return {
      clean: clean.length ? mean(clean) : null, ...pairOf(cells), settings: pairsBy(cells, (cell) => cell.setting),
      general: pairOf(cells.filter((cell) => tags.get(cell.dimension) === "general")),
      malicious: pairOf(cells.filter((cell) => tags.get(cell.dimension) === "malicious")),
      dimensions: pairsBy(cells, (cell) => cell.dimension)
    };
  }

  function cleanScore(split, key, labels) {
    const nRows = split.stop - split.start;
    const nOfLabel = new Map();
    let nRight = 0;
    for (let row = split.start; row < split.stop; row += 1) {
      const label = key.labels[row];
      nOfLabel.set(label, (nOfLabel.get(label) || 0) + 1);
      if (labels[row] === label) nRight += 1;
    }
    return { accuracy: nRight / nRows, best_constant: Math.max(...nOfLabel.values()) / nRows, n_samples: nRows };
  }

  // Returns the scores in the form of a result, without what needs bootstrap draws.
  function score(key, predictions) {
    const { labels, absent } = predictions;
    const tasks = Object.create(null);
    const cells = [];
    key.tasks.forEach((task, place) => {
      const splits = key.splits.filter((split) => split.task === place && labels[split.start] >= 0);
      if (!splits.length) return;
      const clean = splits.find((split) => split.setting === null);
      const dimensions = Object.create(null);
      grouped(splits.filter((split) => split.setting !== null), (split) => split.dimension + "/" + split.setting).forEach((some) => {
        const { dimension, setting } = some[0];
        const found = settingScore(some, key, labels, task.samples.length);
        (dimensions[dimension] ??= Object.create(null))[setting] = found;
        if (found.average !== null) cells.push({ task: task.name, dimension, setting, score: found });
      });
      key.empty.filter(([ofTask]) => ofTask === place).forEach(([, dimension, setting]) => {
        (dimensions[dimension] ??= Object.create(null))[setting] = { degrees: {}, degrees_used: [], average: null, worst: null, not_scored: "no case was frozen" };
      });
      tasks[task.name] = { clean: clean ? cleanScore(clean, key, labels) : null, dimensions };
    });
    // What is left out can never help: there is no overall score without all of it.
    const overall = absent.length || !cells.length ? null : headline(cells, tasks, key);
    return { tasks, absent, overall };
  }

  // Whether clean texts show more than a constant answer would, in some task: nobody else has a rank.
  function hasSkill(scores) {
    const clean = Object.values(scores.tasks).map((task) => task.clean).filter((score) => score !== null);
    return !clean.length || clean.some((score) => score.accuracy > score.best_constant);
  }

  // The place that a score would take among the ranked entries, as far as points alone can tell.
  function placeOf(average, standings) {
    const points = (value) => Math.round(value * 1e9);
    return 1 + standings.filter((entry) => points(entry.average) > points(average)).length;
  }

  Object.assign(own, { score, hasSkill, placeOf, notComputed });
})(hardfrost.scoring ??= {});
