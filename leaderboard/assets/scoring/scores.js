// Point scores of a predictions file, by the names that results use; the command line gives the same figures.
"use strict";
(function (own) {
  const ATTACKED = ["score", "gradient"];
  const COMPUTED = ["average", "worst", "accuracy_cases", "clean_score", "clean_accuracy", "balanced_accuracy", "ewma", "overall"];
  // Beyond what rounding does to the mean of recalls of a constant answer.
  const TINY = 1e-9;

  // The metrics of a leaderboard that are not computed here: the page names them.
  function notComputed(metrics) { return metrics.filter((metric) => !COMPUTED.includes(metric.key)); }

  function grouped(items, keyOf) {
    const groups = new Map();
    items.forEach((item) => {
      if (!groups.has(keyOf(item))) groups.set(keyOf(item), []);
      groups.get(keyOf(item)).push(item);
    });
    return groups;
  }

  // The halves of the headline: attacked is one, however many attacked settings there are.
  function halfOf(setting) { return ATTACKED.includes(setting) ? "attacked" : setting; }

  function meanBy(cells, keyOf, meanOf) { return own.mean(Array.from(grouped(cells, keyOf).values(), meanOf)); }

  // Imported cases count only where there are no others.
  function counted(cells) {
    const others = cells.filter((cell) => cell.setting !== "imported");
    return others.length ? others : cells;
  }

  // The mean over tasks of the mean over halves of the mean over dimensions of the mean over settings.
  function overallOf(cells, name) {
    return { ewma: meanBy(cells, (cell) => cell.task, (ofTask) =>
      meanBy(counted(ofTask), (cell) => halfOf(cell.setting), (ofHalf) =>
        meanBy(ofHalf, (cell) => cell.dimension, (ofDimension) =>
          own.mean(ofDimension.map((cell) => cell.score[name].ewma))))) };
  }

  function pairOf(cells) { return { average: overallOf(cells, "average"), worst: overallOf(cells, "worst") }; }

  // Rule, attacked and each attacked setting, never mixed.
  function pairsBySetting(cells) {
    const pairs = Object.create(null);
    grouped(cells, (cell) => halfOf(cell.setting)).forEach((some, name) => { pairs[name] = pairOf(some); });
    grouped(cells, (cell) => cell.setting).forEach((some, name) => { pairs[name] = pairOf(some); });
    return pairs;
  }

  function pairsBy(cells, keyOf) {
    const pairs = Object.create(null);
    grouped(cells.filter(keyOf), keyOf).forEach((some, name) => { pairs[name] = pairsBySetting(some); });
    return pairs;
  }

  function headline(cells, tasks, key) {
    const infos = new Map(key.dimensions.map((info) => [info.name, info]));
    const ofCore = cells.filter((cell) => infos.get(cell.dimension).group === "core");
    const core = ofCore.length ? ofCore : cells;
    const clean = Object.values(tasks).filter((task) => task.clean !== null).map((task) => task.clean);
    const halves = new Set(counted(core).map((cell) => halfOf(cell.setting)));
    return {
      covers: ["rule", "attacked", "imported"].filter((name) => halves.has(name)),
      clean: clean.length ? own.mean(clean.map((score) => score.score)) : null,
      clean_accuracy: clean.length ? own.mean(clean.map((score) => score.accuracy)) : null,
      ...pairOf(core), settings: pairsBySetting(core),
      groups: pairsBy(cells, (cell) => infos.get(cell.dimension).group),
      tags: pairsBy(core, (cell) => infos.get(cell.dimension).tag),
      dimensions: pairsBy(cells, (cell) => cell.dimension)
    };
  }

  function cleanScore(task, clean, isRight) {
    const valueOf = (sample) => isRight[sample];
    const recall = own.recallByLabel(task, clean, valueOf);
    return {
      accuracy: own.mean(clean.map(({ sample }) => isRight[sample])), score: own.joined(task, clean, recall, valueOf),
      balanced: own.mean(Object.values(recall)), recall, n_samples: clean.length
    };
  }

  // The clean samples of a task with their labels.
  function cleanSamples(split, key) {
    return Array.from({ length: split.stop - split.start }, (_, place) => ({ sample: key.samples[split.start + place], label: key.labels[split.start + place], row: split.start + place }));
  }

  function taskScore(task, place, key, labels) {
    const splits = key.splits.filter((split) => split.task === place && labels[split.start] >= 0);
    if (!splits.length) return null;
    const found = splits.find((split) => split.setting === null);
    const clean = found ? cleanSamples(found, key) : [];
    const isRight = new Uint8Array(task.samples.length);
    clean.forEach(({ sample, label, row }) => { isRight[sample] = labels[row] === label ? 1 : 0; });
    const isScorable = new Set(clean.map(({ label }) => label)).size > 1;
    const dimensions = Object.create(null);
    grouped(splits.filter((split) => split.setting !== null), (split) => split.dimension + "/" + split.setting).forEach((some) => {
      const { dimension, setting } = some[0];
      (dimensions[dimension] ??= Object.create(null))[setting] = isScorable
        ? own.settingScore(task, clean, isRight, some, key, labels, task.used[dimension] ?? [])
        : { ...own.EMPTY_SCORE, not_scored: clean.length ? "a score needs clean samples of two labels" : "the task has no clean samples" };
    });
    key.empty.filter(([ofTask]) => ofTask === place).forEach(([, dimension, setting]) => {
      (dimensions[dimension] ??= Object.create(null))[setting] = { ...own.EMPTY_SCORE, not_scored: "no case was frozen" };
    });
    return { clean: clean.length ? cleanScore(task, clean, isRight) : null, mean: task.mean, dimensions };
  }

  // Returns the scores in the form of a result, without what needs bootstrap draws.
  function score(key, predictions) {
    const { labels, absent } = predictions;
    const tasks = Object.create(null);
    key.tasks.forEach((task, place) => {
      const found = taskScore(task, place, key, labels);
      if (found !== null) tasks[task.name] = found;
    });
    const cells = Object.entries(tasks).flatMap(([task, { dimensions }]) => Object.entries(dimensions).flatMap(([dimension, settings]) =>
      Object.entries(settings).filter(([, found]) => found.average !== null).map(([setting, found]) => ({ task, dimension, setting, score: found }))));
    // What is left out can never help: there is no overall score without all of it.
    return { tasks, absent, overall: absent.length || !cells.length ? null : headline(cells, tasks, key) };
  }

  // Whether clean texts show more than guessing in every task; the command line asks the interval, not the point.
  function hasSkill(scores) {
    const clean = Object.values(scores.tasks).map((task) => task.clean).filter((found) => found !== null);
    return clean.every((found) => found.balanced > 1 / Object.keys(found.recall).length + TINY);
  }

  // The place that a score would take among the ranked entries, as far as points alone can tell.
  function placeOf(score, standings) {
    const points = (value) => Math.round(value * 1e9);
    return 1 + standings.filter((entry) => points(entry.score) > points(score)).length;
  }

  Object.assign(own, { grouped, score, hasSkill, placeOf, notComputed });
})(hardfrost.scoring ??= {});
