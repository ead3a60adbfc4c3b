// Robust recall by label, and the ways in which the figures of labels are joined.
"use strict";
(function (own) {
  function sum(values) { return values.reduce((total, value) => total + value, 0); }

  function mean(values) { return sum(values) / values.length; }

  // Returns for each label with clean samples the mean of its samples' values, by the label's name.
  function recallByLabel(task, clean, valueOf) {
    const totals = new Float64Array(task.labels.length);
    const counts = new Int32Array(task.labels.length);
    clean.forEach(({ sample, label }) => {
      totals[label] += valueOf(sample);
      counts[label] += 1;
    });
    const recall = Object.create(null);
    task.labels.forEach((name, label) => { if (counts[label]) recall[name] = totals[label] / counts[label]; });
    return recall;
  }

  const JOINED = {
    geometric: (values) => (values.includes(0) ? 0 : Math.exp(mean(values.map(Math.log)))),
    balanced: (values) => mean(values),
    // How far the mean is above guessing.
    "above-chance": (values) => Math.max(0, (mean(values) - 1 / values.length) / (1 - 1 / values.length))
  };

  // Returns the figure of a task from the recalls of its labels; the plain mean counts samples, not labels.
  function joined(task, clean, recall, valueOf) {
    if (task.mean === "plain") return mean(clean.map(({ sample }) => valueOf(sample)));
    return JOINED[task.mean](Object.values(recall));
  }

  Object.assign(own, { sum, mean, recallByLabel, joined });
})(hardfrost.scoring ??= {});
