// Scores one task, dimension and setting, over all clean samples of the task.
"use strict";
(function (own) {
  const EMPTY = { degrees: {}, degrees_used: [], average: null, worst: null };

  // Returns how many cases, and right ones, each sample has in some splits.
  function countsOf(splits, key, labels, nSamples) {
    const nCases = new Int32Array(nSamples);
    const nRight = new Int32Array(nSamples);
    splits.forEach((split) => {
      for (let row = split.start; row < split.stop; row += 1) {
        nCases[key.samples[row]] += 1;
        if (labels[row] === key.labels[row]) nRight[key.samples[row]] += 1;
      }
    });
    return { nCases, nRight };
  }

  // Both files of a degree, with and without tier, are one degree.
  function byDegree(splits) {
    const sorted = splits.slice().sort((one, other) => (one.degree ?? -1) - (other.degree ?? -1));
    return own.grouped(sorted, (split) => split.key);
  }

  function ewma(scoresHighToLow, beta, start) {
    let value = start === "zero" ? 0 : scoresHighToLow[0];
    scoresHighToLow.slice(start === "zero" ? 0 : 1).forEach((score) => { value = beta * value + (1 - beta) * score; });
    return value;
  }

  function transferable(splits, key, labels, nSamples) {
    const tier = splits.filter((split) => split.tier !== null && split.tier !== undefined);
    const { nCases, nRight } = countsOf(tier, key, labels, nSamples);
    const n = own.sum(nCases);
    return n ? { accuracy: own.sum(nRight) / n, n_cases: n, n_samples: nCases.filter(Boolean).length } : null;
  }

  function realisedDegree(splits) {
    const known = splits.filter((split) => split.meanRealisedDegree !== null);
    const n = own.sum(known.map((split) => split.stop - split.start));
    return n ? own.sum(known.map((split) => split.meanRealisedDegree * (split.stop - split.start))) / n : null;
  }

  // `task` has its labels, mean and samples; `clean` lists its clean samples; `isRight` tells those right when clean.
  function settingScore(task, clean, isRight, splits, key, labels, used) {
    const nSamples = task.samples.length;
    // What a sample's latest cases are, up to a degree: none yet means its clean text.
    const latest = new Float64Array(nSamples).fill(1);
    const isHeld = Float64Array.from(isRight);
    const degrees = Object.create(null);
    // A degree that counts has a figure in every setting, with a case there or not.
    const present = byDegree(splits);
    const isNumbered = splits.some((split) => split.degree !== null);
    const every = [...new Set([...present.keys(), ...(isNumbered ? used.filter((degree) => degree !== "any") : [])])];
    every.sort((one, other) => Number(one) - Number(other)).forEach((degree) => {
      const some = present.get(degree) ?? [];
      const here = countsOf(some, key, labels, nSamples);
      here.nCases.forEach((n, sample) => {
        if (!n) return;
        latest[sample] = here.nRight[sample] / n;
        if (here.nRight[sample] < n) isHeld[sample] = 0;
      });
      const average = (sample) => isRight[sample] * latest[sample];
      const worst = (sample) => isHeld[sample];
      const recalls = [average, worst].map((valueOf) => own.recallByLabel(task, clean, valueOf));
      const nCases = own.sum(here.nCases);
      const nWithCase = here.nCases.filter(Boolean).length;
      degrees[degree] = {
        average: own.joined(task, clean, recalls[0], average),
        worst: own.joined(task, clean, recalls[1], worst),
        accuracy_cases: nCases ? own.sum(here.nRight) / nCases : null,
        recall: Object.fromEntries(Object.keys(recalls[0]).map((name) => [name, { average: recalls[0][name], worst: recalls[1][name] }])),
        transferable: transferable(some, key, labels, nSamples),
        share_with_case: clean.filter(({ sample }) => here.nCases[sample]).length / clean.length,
        mean_realised_degree: realisedDegree(some), n_samples: nWithCase, n_cases: nCases
      };
    });
    const keys = used.filter((degree) => degree in degrees);
    if (!keys.length) return { ...EMPTY, degrees, not_scored: "no degree at which a tenth of the clean samples have a case" };
    const isNameless = keys.length === 1 && keys[0] === "any";
    const over = (name) => ({ ewma: isNameless ? degrees.any[name] : ewma(keys.map((degree) => degrees[degree][name]).reverse(), key.beta, key.ewmaStart) });
    return { degrees, degrees_used: keys, average: over("average"), worst: over("worst"), not_scored: null };
  }

  Object.assign(own, { settingScore, EMPTY_SCORE: EMPTY });
})(hardfrost.scoring ??= {});
