// The answers of a release, unpacked: one row a text that a model was asked about.
"use strict";
(function (own) {
  function unpackKey(packed) {
    const nRows = packed.splits.reduce((sum, split) => sum + split.labels.length, 0);
    const ids = new Array(nRows);
    const samples = new Int32Array(nRows);
    const labels = new Int32Array(nRows);
    const tasks = new Int32Array(nRows);
    let row = 0;
    const splits = packed.splits.map((split) => {
      const start = row;
      const names = packed.tasks[split.task].samples;
      let sample = 0;
      split.labels.forEach((label, place) => {
        sample += split.samples[place];
        ids[row] = split.ids ? split.ids[place] : names[sample] + split.middle + (split.cases ? split.cases[place] : "");
        samples[row] = sample;
        labels[row] = label;
        tasks[row] = split.task;
        row += 1;
      });
      return {
        task: split.task, dimension: split.dimension, setting: split.setting, degree: split.degree, key: split.key, tier: split.tier,
        meanRealisedDegree: split.mean_realised_degree, start, stop: row
      };
    });
    return {
      benchmark: packed.benchmark, minSamples: packed.min_samples, headline: packed.headline, rankedBy: packed.ranked_by, beta: packed.beta, ewmaStart: packed.ewma_start,
      tasks: packed.tasks, dimensions: packed.dimensions, empty: packed.empty, leftOut: packed.left_out, nLeftOut: packed.n_left_out,
      leftOutIds: packed.left_out_ids ? new RegExp(packed.left_out_ids) : null, standings: packed.standings,
      nRows, ids, samples, labels, taskOfRow: tasks, splits, groups: groupsOf(splits, packed.tasks),
      rowOfId: new Map(ids.map((id, place) => [id, place]))
    };
  }

  // Rows that are answered all together or not at all: a task's clean ones, or a dimension and setting.
  function groupsOf(splits, tasks) {
    const groups = new Map();
    splits.forEach((split) => {
      const name = [tasks[split.task].name, split.dimension, split.setting].filter(Boolean).join("/");
      if (groups.has(name)) groups.get(name).stop = split.stop;
      else groups.set(name, { name, isClean: split.setting === null, start: split.start, stop: split.stop });
    });
    return Array.from(groups.values());
  }

  Object.assign(own, { unpackKey });
})(hardfrost.scoring ??= {});
