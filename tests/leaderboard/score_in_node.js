// Runs the page's scoring without a page: a request on stdin, what the page would know on stdout.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const request = JSON.parse(fs.readFileSync(0, "utf8"));
globalThis.hardfrost = {};
globalThis.hardfrostData = (name, value) => { globalThis.packed = value; };
[...request.scripts, request.key].forEach((script) => vm.runInThisContext(fs.readFileSync(script, "utf8"), script));

const scoring = globalThis.hardfrost.scoring;
const key = scoring.unpackKey(globalThis.packed);
const answers = request.files.map((file) => {
  const predictions = scoring.readPredictions(path.basename(file), new Uint8Array(fs.readFileSync(file)), key);
  const problems = predictions.problems.list().map((problem) => problem.where + ": " + problem.message);
  return { problems, n_rows: predictions.nRows, scores: problems.length ? null : scoring.score(key, predictions) };
});
process.stdout.write(JSON.stringify({ n_rows: key.nRows, ids: key.ids, answers }));
